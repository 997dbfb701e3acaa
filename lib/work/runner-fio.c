/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of each of a job's options in the job file of the real fio.  An
 * option without a row is one that nobody thought about, and refused.
 */
#include "lib/work/runner-fio.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"

#define OLDEST_MINOR 1       /* of 3.x: the histogram of today came with 3.0 */
#define PERCENTILES_MINOR 18 /* from here on slat, clat and lat have one each */
#define LOG_MS 100
#define LINE_LENGTH 2048 /* fio reads lines of up to 4095 characters */

enum deed {
	COPY,  /* the same words in fio */
	TIMES, /* a time; fio knows no ns */
	MS,    /* a time in whole milliseconds, as a bare number */
	OWN, /* runner_fio_format or the worker sees to it, or it means nothing here */
	REFUSE,
};

struct row {
	const char *option;
	enum deed deed;
	const char *why; /* REFUSE */
};

static const char why_fault[] = "faults are injected by volley's own engines";
static const char why_gate[] =
    "fio runs it itself, and so it waits for the start instant";
static const char why_dump[] = "fio would leave the blocks on the client";
static const char why_target[] = "fio does not speak to volley's targets";
static const char why_files[] = "files are laid out and named by volley";
static const char why_remove[] = "files are removed by volley";
static const char why_end[] = "the window's end is fixed before the start";

static const struct row rows[] = {
    {"name", OWN, NULL},
    {"runner", OWN, NULL},
    {"ioengine", COPY, NULL},
    {"rw", COPY, NULL},
    {"rwmixread", COPY, NULL},
    {"rwmixwrite", OWN, NULL},
    {"bs", COPY, NULL},
    {"size", OWN, NULL},
    {"io_size", COPY, NULL},
    {"offset", COPY, NULL},
    {"nrfiles", OWN, NULL},
    {"directory", OWN, NULL},
    {"filename", OWN, NULL},
    {"iodepth", COPY, NULL},
    {"iodepth_batch", COPY, NULL},
    {"iodepth_batch_complete_min", COPY, NULL},
    {"iodepth_batch_complete_max", COPY, NULL},
    {"iodepth_low", COPY, NULL},
    {"numjobs", OWN, NULL},
    {"direct", OWN, NULL},
    {"buffered", OWN, NULL},
    {"time_based", COPY, NULL},
    {"runtime", TIMES, NULL},
    {"ramp_time", TIMES, NULL},
    {"fsync", COPY, NULL},
    {"fdatasync", COPY, NULL},
    {"end_fsync", COPY, NULL},
    {"rate", COPY, NULL},
    {"rate_iops", COPY, NULL},
    {"thinktime", TIMES, NULL},
    {"thinktime_blocks", COPY, NULL},
    {"norandommap", COPY, NULL},
    {"randrepeat", OWN, NULL},
    {"randseed", OWN, NULL},
    {"group_reporting", OWN, NULL},
    {"thread", OWN, NULL},
    {"shared", OWN, NULL},
    {"layout", OWN, NULL},
    {"user", OWN, NULL},
    {"checked", REFUSE, "it checks volley's own engines"},
    {"fault_delay", REFUSE, why_fault},
    {"fault_error_every", REFUSE, why_fault},
    {"fault_errno", REFUSE, why_fault},
    {"fault_short_every", REFUSE, why_fault},
    {"fault_stall_after", REFUSE, why_fault},
    {"fault_enospc_after", REFUSE, why_fault},
    {"description", OWN, NULL},
    {"bsrange", COPY, NULL},
    {"bssplit", COPY, NULL},
    {"blockalign", COPY, NULL},
    {"bs_unaligned", COPY, NULL},
    {"bs_is_seq_rand", COPY, NULL},
    {"rw_sequencer", COPY, NULL},
    {"random_distribution", COPY, NULL},
    {"random_generator", COPY, NULL},
    {"allrandrepeat", REFUSE, "each client would get the same sequence"},
    {"softrandommap", COPY, NULL},
    {"percentage_random", COPY, NULL},
    {"filename_format", OWN, NULL},
    {"opendir", REFUSE, why_files},
    {"filesize", REFUSE, why_files},
    {"openfiles", COPY, NULL},
    {"file_service_type", COPY, NULL},
    {"create_serialize", OWN, NULL},
    {"create_fsync", OWN, NULL},
    {"create_on_open", REFUSE, why_files},
    {"create_only", REFUSE, why_files},
    {"allow_file_create", OWN, NULL},
    {"overwrite", COPY, NULL},
    {"file_append", REFUSE, why_files},
    {"pre_read", COPY, NULL},
    {"fill_device", REFUSE, why_files},
    {"unlink", REFUSE, why_remove},
    {"unlink_each_loop", REFUSE, why_remove},
    {"invalidate", COPY, NULL},
    {"fallocate", OWN, NULL},
    {"fadvise_hint", COPY, NULL},
    {"sync", COPY, NULL},
    {"fsync_on_close", COPY, NULL},
    {"sync_file_range", COPY, NULL},
    {"offset_align", REFUSE, why_files},
    {"offset_increment", REFUSE, why_files},
    {"number_ios", COPY, NULL},
    {"loops", COPY, NULL},
    {"verify", COPY, NULL},
    {"do_verify", COPY, NULL},
    {"verify_only", COPY, NULL},
    {"verify_fatal", COPY, NULL},
    {"verify_dump", REFUSE, why_dump},
    {"verify_interval", COPY, NULL},
    {"verify_backlog", COPY, NULL},
    {"verify_backlog_batch", COPY, NULL},
    {"verify_async", COPY, NULL},
    {"verify_pattern", COPY, NULL},
    {"buffer_pattern", COPY, NULL},
    {"zero_buffers", COPY, NULL},
    {"refill_buffers", COPY, NULL},
    {"scramble_buffers", COPY, NULL},
    {"buffer_compress_percentage", COPY, NULL},
    {"buffer_compress_chunk", COPY, NULL},
    {"dedupe_percentage", COPY, NULL},
    {"dedupe_mode", COPY, NULL},
    {"dedupe_working_set_percentage", COPY, NULL},
    {"dedupe_global", COPY, NULL},
    {"rate_min", COPY, NULL},
    {"rate_iops_min", COPY, NULL},
    {"rate_process", COPY, NULL},
    {"rate_cycle", MS, NULL},
    {"rate_ignore_thinktime", COPY, NULL},
    {"thinktime_spin", TIMES, NULL},
    {"thinktime_iotime", TIMES, NULL},
    {"thinktime_blocks_type", COPY, NULL},
    {"max_latency", TIMES, NULL},
    {"latency_target", TIMES, NULL},
    {"latency_window", TIMES, NULL},
    {"latency_percentile", COPY, NULL},
    {"latency_run", COPY, NULL},
    {"mem", COPY, NULL},
    {"iomem_align", COPY, NULL},
    {"cpus_allowed", COPY, NULL},
    {"cpus_allowed_policy", COPY, NULL},
    {"numa_cpu_nodes", COPY, NULL},
    {"numa_mem_policy", COPY, NULL},
    {"nice", COPY, NULL},
    {"prio", COPY, NULL},
    {"prioclass", COPY, NULL},
    {"exec_prerun", REFUSE, why_gate},
    {"exec_postrun", REFUSE, why_gate},
    {"startdelay", REFUSE, why_gate},
    {"continue_on_error", COPY, NULL},
    {"ignore_error", COPY, NULL},
    {"exitall", COPY, NULL},
    {"exitall_on_error", COPY, NULL},
    {"exit_what", COPY, NULL},
    {"hipri", COPY, NULL},
    {"fixedbufs", COPY, NULL},
    {"registerfiles", COPY, NULL},
    {"sqthread_poll", COPY, NULL},
    {"sqthread_poll_cpu", COPY, NULL},
    {"nonvectored", COPY, NULL},
    {"hostname", REFUSE, why_target},
    {"port", REFUSE, why_target},
    {"export", REFUSE, why_target},
    {"keyfile", REFUSE, why_target},
    {"rdma_mode", REFUSE, why_target},
    {"rdma_device", REFUSE, why_target},
    {"rdma_gid_index", REFUSE, why_target},
    {"rdma_sl", REFUSE, why_target},
    {"rdma_traffic_class", REFUSE, why_target},
    {"rdma_mtu", REFUSE, why_target},
    {"write_bw_log", OWN, NULL},
    {"write_iops_log", OWN, NULL},
    {"write_lat_log", OWN, NULL},
    {"write_hist_log", OWN, NULL},
    {"log_avg_msec", MS, NULL},
    {"log_hist_msec", MS, NULL},
    {"log_hist_coarseness", COPY, NULL},
    {"log_max_value", COPY, NULL},
    {"log_offset", COPY, NULL},
    {"log_unix_epoch", COPY, NULL},
    {"per_job_logs", OWN, NULL},
    {"percentile_list", OWN, NULL},
    {"clat_percentiles", OWN, NULL},
    {"lat_percentiles", OWN, NULL},
    {"slat_percentiles", OWN, NULL},
    {"significant_figures", OWN, NULL},
    {"steadystate", REFUSE, why_end},
    {"steadystate_duration", REFUSE, why_end},
    {"steadystate_ramp_time", REFUSE, why_end},
};

static const struct row *
row_find(const char *option)
{
	static const struct row unknown = {NULL, REFUSE, "it has no way to say it"};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].option, option) == 0)
			return &rows[i];
	return &unknown;
}

/* ---- version ---- */

int
runner_fio_version(const char *text, struct runner_fio_version *ret, struct err *err)
{
	size_t len = strcspn(text, "\r\n");
	int used = 0;

	if (sscanf(text, "fio-%4u.%4u%n", &ret->major, &ret->minor, &used) != 2 ||
	    used == 0)
		return err_set(err, ERR_UNSUPPORTED,
		    "\"%.*s\" is not the version of a fio", (int)(len < 60 ? len : 60),
		    text);
	if (ret->major != 3 || ret->minor < OLDEST_MINOR)
		return err_set(err, ERR_UNSUPPORTED,
		    "fio %u.%u cannot be used: volley knows fio 3.%d and later 3.x",
		    ret->major, ret->minor, OLDEST_MINOR);
	return 0;
}

/* ---- what can be said ---- */

struct checking {
	struct err *err;
	bool failed;
};

/* fio reads job files line by line and cuts them at '#' and ';'. */
static const char *
bad_value(const struct row *row, const char *value)
{
	uint64_t ns;

	if (row->deed == COPY && value[strcspn(value, "#;$\n")])
		return "a value with one of # ; $ cannot be written into a job file";
	if ((row->deed == TIMES || row->deed == MS) && !strchr(value, ',') &&
	    units_parse_time(value, 1, &ns, NULL) == 0 &&
	    ns % (row->deed == MS ? UNITS_NS_PER_MS : UNITS_NS_PER_US))
		return row->deed == MS ? "fio counts in milliseconds"
				       : "fio counts in microseconds";
	return NULL;
}

static void
check_option(
    void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	struct checking *checking = arg;
	const struct row *row = row_find(name);
	const char *why = row->deed == REFUSE ? row->why : bad_value(row, value);

	(void)is_number;
	if (checking->failed || is_default || !why)
		return;
	checking->failed = true;
	err_set(
	    checking->err, ERR_UNSUPPORTED, "%s: not with runner=fio: %s", name, why);
}

int
runner_fio_check(const struct job *job, struct err *err)
{
	struct checking checking = {.err = err};

	job_each(job, check_option, &checking);
	return checking.failed ? -1 : 0;
}

/* ---- the job file ---- */

/* "1500ms", or "1us,2us", in units that fio knows. */
static void
add_times(struct str *ret, const char *value, bool ms)
{
	char *copy = mem_strdup(value), *rest = NULL;
	const char *comma = "";

	for (char *part = strtok_r(copy, ",", &rest); part;
	     part = strtok_r(NULL, ",", &rest)) {
		uint64_t ns = 0;

		(void)units_parse_time(part, 1, &ns, NULL);
		str_add(ret, comma);
		if (ms)
			str_addf(ret, "%" PRIu64, ns / UNITS_NS_PER_MS);
		else
			str_addf(ret, "%" PRIu64 "us", ns / UNITS_NS_PER_US);
		comma = ",";
	}
	free(copy);
}

static void
add_option(
    void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	/* Always written, so that the file can be read by itself. */
	static const char *const always[] = {"ioengine", "rw", "bs", "iodepth", NULL};
	const struct row *row = row_find(name);
	struct str *ret = arg;
	bool wanted = !is_default;

	(void)is_number;
	for (int i = 0; always[i]; i++)
		wanted = wanted || strcmp(name, always[i]) == 0;
	if (!wanted || (row->deed != COPY && row->deed != TIMES && row->deed != MS))
		return;
	str_addf(ret, "%s=", name);
	if (row->deed == COPY)
		str_add(ret, value);
	else
		add_times(ret, value, row->deed == MS);
	str_addc(ret, '\n');
}

static bool
wants_lines(const struct job_output *output)
{
	return output->bw_log || output->iops_log || output->lat_log;
}

uint64_t
runner_fio_log_ms(const struct job *job)
{
	const struct job_output *output = &job->output;

	return wants_lines(output) ? output->log_avg_ns / UNITS_NS_PER_MS : LOG_MS;
}

/* Averages are always written: they say when the I/Os were done.  Where single I/Os
 * are logged, any of their logs does. */
static void
add_logs(const struct runner_fio_env *env, struct str *ret)
{
	const struct job_output *output = &env->job->output;
	uint64_t ms = runner_fio_log_ms(env->job);
	const char *prefix = env->log_prefix;

	if (ms || output->bw_log)
		str_addf(ret, "write_bw_log=%s\n", prefix);
	if (ms || output->iops_log)
		str_addf(ret, "write_iops_log=%s\n", prefix);
	if (output->lat_log)
		str_addf(ret, "write_lat_log=%s\n", prefix);
	if (output->hist_log && output->log_hist_ns)
		str_addf(ret, "write_hist_log=%s\n", prefix);
	if (!wants_lines(output))
		str_addf(ret, "log_avg_msec=%d\n", LOG_MS);
}

static void
add_global(const struct runner_fio_env *env, struct str *ret)
{
	const struct job *job = env->job;
	unsigned n = env->per_thread;

	/* Threads: one process to signal, and none that outlives it. */
	str_add(ret, "[global]\nthread=1\n");
	job_each(job, add_option, ret);
	str_addf(ret, "direct=%d\n", env->direct);
	str_addf(ret, "size=%" PRIu64 "\n", n ? n * env->bytes : job->size);
	if (job->randseed)
		str_addf(ret, "randseed=%" PRIu64 "\n", job->randseed & INT64_MAX);
	if (n)
		str_add(ret, "allow_file_create=0\nfallocate=none\n");
	str_add(ret, "clat_percentiles=1\n");
	if (env->version.minor >= PERCENTILES_MINOR)
		str_add(ret, "slat_percentiles=1\nlat_percentiles=1\n");
	add_logs(env, ret);
}

/* "a:b", with "\:" for a colon within a name; further names in lines of their own
 * before fio would cut the line. */
static void
add_filename(struct str *ret, const char *const *paths, unsigned n)
{
	size_t begin = ret->len;

	for (unsigned i = 0; i < n; i++) {
		if (i == 0 || ret->len - begin > LINE_LENGTH) {
			str_add(ret, i ? "\nfilename=" : "filename=");
			begin = ret->len;
		} else {
			str_addc(ret, ':');
		}
		for (const char *c = paths[i]; *c; c++) {
			if (*c == ':' || *c == '\\')
				str_addc(ret, '\\');
			str_addc(ret, *c);
		}
	}
	str_addc(ret, '\n');
}

static void
add_command(struct str *ret, const char *option, const char *command, unsigned thread)
{
	const char *mark = strstr(command, "%u");

	str_addf(ret, "%s=", option);
	if (!mark) {
		str_addf(ret, "%s\n", command);
		return;
	}
	str_addn(ret, command, (size_t)(mark - command));
	str_addf(ret, "%u%s\n", thread, mark + 2);
}

void
runner_fio_format(const struct runner_fio_env *env, struct str *ret)
{
	unsigned n = env->per_thread;

	add_global(env, ret);
	for (unsigned t = 0; t < env->job->numjobs; t++) {
		str_addf(ret, "[thread-%u]\n", t);
		if (n)
			add_filename(ret, &env->paths.v[t * n], n);
		add_command(ret, "exec_prerun", env->before, t);
		add_command(ret, "exec_postrun", env->after, t);
	}
}
