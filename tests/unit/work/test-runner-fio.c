/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The real fio's job file: which versions, which options are refused and how, what
 * the file says; and that nobody forgot an option.
 */
#include "lib/work/runner-fio.h"

#include <stdio.h>
#include <string.h>

#include "lib/work/option.h"
#include "tests/unit/suite.h"

static struct job job;

static void
begin(void)
{
	job_free(&job);
	job_init(&job);
	job.runner = JOB_FIO;
	job.size = 1 << 20;
}

static void
set(const char *name, const char *value)
{
	const struct option *option = option_find(name);
	struct err err = ERR_INIT;

	/* Past what volley's own worker honours, which is not the matter here. */
	ck_assert_msg(option != NULL, "%s", name);
	ck_assert_msg(
	    option->kind->parse(&job, option, value, &err) == 0, "%s", err.msg);
}

static void
refused(const char *name, const char *value, const char *text)
{
	struct err err = ERR_INIT;

	begin();
	set(name, value);
	ck_assert_int_eq(runner_fio_check(&job, &err), -1);
	ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
	ck_assert_str_eq(err.msg, text);
}

START_TEST(versions)
{
	static const struct {
		const char *text;
		unsigned minor;
	} ok[] = {{"fio-3.1\n", 1}, {"fio-3.33\n", 33}, {"fio-3.42", 42},
	    {"fio-3.36-117-gb2403d\n", 36}};
	static const struct {
		const char *text, *error;
	} bad[] = {
	    {"fio-3.0\n", "fio 3.0 cannot be used: volley knows fio 3.1 and later 3.x"},
	    {"fio-2.99\n",
		"fio 2.99 cannot be used: volley knows fio 3.1 and later 3.x"},
	    {"fio-4.0\n", "fio 4.0 cannot be used: volley knows fio 3.1 and later 3.x"},
	    {"", "\"\" is not the version of a fio"},
	    {"fio-3\n", "\"fio-3\" is not the version of a fio"},
	    {"BusyBox v1.35\nfio-3.3\n",
		"\"BusyBox v1.35\" is not the version of a fio"},
	};
	struct runner_fio_version version;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof ok / sizeof *ok; i++) {
		ck_assert_int_eq(runner_fio_version(ok[i].text, &version, &err), 0);
		ck_assert_uint_eq(version.major, 3);
		ck_assert_uint_eq(version.minor, ok[i].minor);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_int_eq(runner_fio_version(bad[i].text, &version, &err), -1);
		ck_assert_str_eq(err.msg, bad[i].error);
	}
}
END_TEST

START_TEST(refusals)
{
	refused("fault_delay", "1ms",
	    "fault_delay: not with runner=fio: faults are injected by volley's own "
	    "engines");
	refused("checked", "1",
	    "checked: not with runner=fio: it checks volley's own engines");
	refused("startdelay", "5s",
	    "startdelay: not with runner=fio: fio runs it itself, and so it waits for "
	    "the start instant");
	refused("verify_dump", "1",
	    "verify_dump: not with runner=fio: fio would leave the blocks on the "
	    "client");
	refused("log_avg_msec", "1500us",
	    "log_avg_msec: not with runner=fio: fio counts in milliseconds");
	refused("thinktime", "1500ns",
	    "thinktime: not with runner=fio: fio counts in microseconds");
	refused("cpus_allowed", "0;1",
	    "cpus_allowed: not with runner=fio: a value with one of # ; $ cannot be "
	    "written into a job file");
}
END_TEST

/* The job itself knows, so `plan check` does. */
START_TEST(a_job_is_refused_when_it_is_validated)
{
	struct err err = ERR_INIT;

	begin();
	ck_assert_int_eq(job_validate(&job, &err), 0);
	set("fault_delay", "1ms");
	ck_assert_int_eq(job_validate(&job, &err), -1);
	ck_assert_msg(strstr(err.msg, "runner=fio") != NULL, "%s", err.msg);
	job.runner = JOB_NATIVE;
	ck_assert_int_eq(job_validate(&job, &err), 0);
}
END_TEST

struct differing {
	const char *name;
	bool found;
};

static void
is_differing(
    void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	struct differing *differing = arg;

	(void)value;
	(void)is_number;
	if (strcmp(name, differing->name) == 0 && !is_default)
		differing->found = true;
}

/* Some value of this option that is not its default. */
static bool
set_anything(const char *name)
{
	static const char *const values[] = {"1", "0", "3", "x", "4k-8k", "4k/50:8k/50",
	    "randwrite", "libaio", "auto", "zipf:1.1", "random", "dsync", "write",
	    "iops:2%", "md5", "identical", "lfsr", "poisson", "issue", "working_set",
	    "mmap", "split", "all", "2s", "none", "overwrite", "fio", "native", "0x12"};
	const struct option *option = option_find(name);

	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		struct differing differing = {.name = name};

		begin();
		if (option->kind->parse(&job, option, values[i], NULL) < 0)
			continue;
		job_each(&job, is_differing, &differing);
		if (differing.found)
			return true;
	}
	return false;
}

/* Options that this file has never heard of are refused, with these words. */
START_TEST(no_option_is_forgotten)
{
	unsigned tried = 0;

	for (const char *const *name = job_option_names(); *name; name++) {
		struct err err = ERR_INIT;

		if (!set_anything(*name))
			continue;
		tried++;
		if (runner_fio_check(&job, &err) < 0)
			ck_assert_msg(
			    strstr(err.msg, "no way to say it") == NULL, "%s", err.msg);
	}
	ck_assert_uint_ge(tried, 130);
}
END_TEST

static void
file_is(struct runner_fio_env *env, const char *want)
{
	struct str text = {0};

	env->job = &job;
	env->before = "gate %u b";
	env->after = "gate %u a";
	env->log_prefix = "log";
	runner_fio_format(env, &text);
	ck_assert_str_eq(text.s, want);
	str_free(&text);
}

START_TEST(a_job_without_files)
{
	struct runner_fio_env env = {.version = {3, 33}};

	begin();
	set("ioengine", "null");
	set("rw", "randread");
	set("numjobs", "2");
	set("time_based", "1");
	set("runtime", "1500ms");
	set("ramp_time", "2s");
	set("thinktime", "5us");
	set("randseed", "42");
	file_is(&env,
	    "[global]\nthread=1\nioengine=null\nrw=randread\nbs=4096\niodepth=1\n"
	    "time_based=1\nruntime=1500000us\nramp_time=2000000us\nthinktime=5us\n"
	    "direct=0\nsize=1048576\nrandseed=42\nclat_percentiles=1\n"
	    "slat_percentiles=1\nlat_percentiles=1\nwrite_bw_log=log\n"
	    "write_iops_log=log\nlog_avg_msec=100\n"
	    "[thread-0]\nexec_prerun=gate 0 b\nexec_postrun=gate 0 a\n"
	    "[thread-1]\nexec_prerun=gate 1 b\nexec_postrun=gate 1 a\n");
}
END_TEST

/* What the job wants logged is as it says; the rest is for volley. */
START_TEST(logs)
{
	static const struct {
		const char *option[3][2], *want;
		unsigned ms;
	} rows[] = {
	    {{{"write_bw_log", "x"}, {"log_avg_msec", "500"}, {"log_offset", "1"}},
		"log_avg_msec=500\nlog_offset=1\ndirect=0\nsize=1048576\n"
		"clat_percentiles=1\nwrite_bw_log=log\nwrite_iops_log=log\n",
		500},
	    {{{"write_lat_log", "x"}, {"log_unix_epoch", "1"}},
		"log_unix_epoch=1\ndirect=0\nsize=1048576\nclat_percentiles=1\n"
		"write_lat_log=log\n",
		0},
	    {{{"write_hist_log", "x"}, {"log_hist_msec", "2s"},
		 {"log_hist_coarseness", "2"}},
		"log_hist_msec=2000\nlog_hist_coarseness=2\ndirect=0\n"
		"size=1048576\nclat_percentiles=1\nwrite_bw_log=log\n"
		"write_iops_log=log\nwrite_hist_log=log\nlog_avg_msec=100\n",
		100},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct runner_fio_env env = {.version = {3, 17}};
		char want[512];

		begin();
		set("ioengine", "null");
		for (size_t k = 0; k < 3 && rows[i].option[k][0]; k++)
			set(rows[i].option[k][0], rows[i].option[k][1]);
		ck_assert_int_eq(runner_fio_check(&job, NULL), 0);
		ck_assert_uint_eq(runner_fio_log_ms(&job), rows[i].ms);
		snprintf(want, sizeof want,
		    "[global]\nthread=1\nioengine=null\nrw=read\nbs=4096\n"
		    "iodepth=1\n%s[thread-0]\nexec_prerun=gate 0 b\n"
		    "exec_postrun=gate 0 a\n",
		    rows[i].want);
		file_is(&env, want);
	}
}
END_TEST

START_TEST(files_of_each_thread)
{
	struct runner_fio_env env = {
	    .version = {3, 17}, .direct = true, .per_thread = 2, .bytes = 4096};

	begin();
	set("ioengine", "libaio");
	set("bs", "4k,8k");
	set("numjobs", "2");
	set("nrfiles", "2");
	set("directory", "/mnt/x");
	set("rate_cycle", "2s");
	vec_push(&env.paths, "/a:b");
	vec_push(&env.paths, "/c\\d");
	vec_push(&env.paths, "/e");
	vec_push(&env.paths, "/f");
	/* Before 3.18 there is one percentile option. */
	file_is(&env,
	    "[global]\nthread=1\nioengine=libaio\nrw=read\nbs=4096,8192\niodepth=1\n"
	    "rate_cycle=2000\ndirect=1\nsize=8192\nallow_file_create=0\n"
	    "fallocate=none\nclat_percentiles=1\nwrite_bw_log=log\n"
	    "write_iops_log=log\nlog_avg_msec=100\n"
	    "[thread-0]\nfilename=/a\\:b:/c\\\\d\n"
	    "exec_prerun=gate 0 b\nexec_postrun=gate 0 a\n"
	    "[thread-1]\nfilename=/e:/f\n"
	    "exec_prerun=gate 1 b\nexec_postrun=gate 1 a\n");
	vec_free(&env.paths);
}
END_TEST

/* fio would cut a line of more than 4095 characters without a word. */
START_TEST(lines_of_many_files)
{
	struct runner_fio_env env = {.job = &job,
	    .before = "",
	    .after = "",
	    .log_prefix = "log",
	    .per_thread = 1000,
	    .bytes = 4096};
	struct str text = {0};
	unsigned names = 0, lines = 0;

	begin();
	set("nrfiles", "1000");
	for (int i = 0; i < 1000; i++)
		vec_push(&env.paths, "/proc/self/fd/1234");
	runner_fio_format(&env, &text);
	for (char *line = strtok(text.s, "\n"); line; line = strtok(NULL, "\n")) {
		ck_assert_uint_lt(strlen(line), 4000);
		if (strncmp(line, "filename=", 9) != 0)
			continue;
		lines++;
		for (const char *c = line; c; c = strchr(c + 1, ':'))
			names++;
	}
	ck_assert_uint_eq(names, 1000);
	ck_assert_uint_ge(lines, 5);
	vec_free(&env.paths);
	str_free(&text);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("runner-fio", versions, refusals,
	    a_job_is_refused_when_it_is_validated, no_option_is_forgotten,
	    a_job_without_files, logs, files_of_each_thread, lines_of_many_files);
}
