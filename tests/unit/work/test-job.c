/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of a job: fio's value syntax, error texts, cross checks, and the
 * canonical text.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/work/job.h"
#include "lib/work/option.h"

static struct job job;

static void
setup(void)
{
	job_init(&job);
}

static void
teardown(void)
{
	job_free(&job);
}

static void
set(const char *name, const char *value)
{
	struct err err = ERR_INIT;

	ck_assert_msg(job_set(&job, name, value, &err) == 0, "%s=%s: %s", name,
	    value ? value : "(none)", err.msg);
}

static void
check_msg(const struct err *err, const char *start)
{
	ck_assert_msg(strncmp(err->msg, start, strlen(start)) == 0,
	    "got \"%s\", want \"%s\"", err->msg, start);
}

static void
refused(const char *name, const char *value, const char *start)
{
	struct err err = ERR_INIT;

	ck_assert_msg(
	    job_set(&job, name, value, &err) == -1, "%s=%s was taken", name, value);
	check_msg(&err, start);
}

static void
invalid(const char *start)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(job_validate(&job, &err), -1);
	check_msg(&err, start);
}

static void
valid(void)
{
	struct err err = ERR_INIT;

	ck_assert_msg(job_validate(&job, &err) == 0, "%s", err.msg);
}

/* What fio 3.33 makes of block sizes, row by row. */
START_TEST(block_sizes)
{
	static const struct {
		const char *value;
		uint64_t read, write;
	} rows[] = {{"4k", 4096, 4096}, {"4k,8k,16k", 4096, 8192},
	    {"8k,16k", 8192, 16384}, {",8k", 4096, 8192}, {"8k,", 8192, 4096},
	    {"8k,,16k", 8192, 4096}, {"8k,,", 8192, 4096}, {"4KiB", 4000, 4000},
	    {"4kb", 4096, 4096}, {"4ki", 4096, 4096}, {"4K", 4096, 4096},
	    {"0x1000", 4096, 4096}, {"1", 1, 1}, {"1g", 1 << 30, 1 << 30}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		set("bs", "512");
		set("bs", rows[i].value);
		ck_assert_msg(
		    job.bs[DIR_READ] == rows[i].read, "read of %s", rows[i].value);
		ck_assert_msg(
		    job.bs[DIR_WRITE] == rows[i].write, "write of %s", rows[i].value);
	}
}
END_TEST

/* What fio takes in silence and what it refuses is refused here, with a reason. */
START_TEST(bad_values)
{
	refused("bs", " 8k", "bs: blank before the value ' 8k'");
	refused("bs", "8k ", "bs: blank after the value '8k '");
	refused("bs", "", "bs: the value is empty");
	refused("bs", NULL, "bs: a value is missing");
	refused("bs", ",", "bs: ',' holds no value");
	refused("bs", "0", "bs: 0 is too small (at least 1)");
	refused("bs", "2g", "bs: 2147483648 is too large (at most 1073741824)");
	refused("bs", "4k-64k", "bs: '4k-64k' looks like a range");
	refused("bs", "4k/8k", "bs: \"4k/8k\" is no size");
	refused(
	    "bs", "4k,8k,16k,32k", "bs: '4k,8k,16k,32k' has more than three values");
	refused("bs", "4k,\x01", "bs: control character 0x01 in the value");
	refused("size", "1m+4k", "size: \"1m+4k\" is no size");
	refused("size", "2*1m", "size: \"2*1m\" is no size");
	refused("size", "(2*1m)", "size: \"(2*1m)\" is no size");
	refused("bs", "50%", "bs: '50%': a percentage is not possible here");
	refused("size", "-1", "size: \"-1\" is no size");
	refused("size", "0", "size: 0 is too small");
	refused("runtime", "1m1s", "runtime: \"1m1s\" is no time: unit \"m1s\"");
	refused("runtime", "10000d", "runtime: '10000d' is too long");
	refused("rw", "\"read\"", "rw: '\"read\"' is not one of read, write");
	refused("rw", "randtrim", "rw: 'randtrim': volley discards no blocks: what a "
	    "device or file holds may be all there is of it");
	refused("rwmixread", "101", "rwmixread: 101 is too large (at most 100)");
	refused("iodepth", "none", "iodepth: 'none' is not a whole number");
	refused("iodepth_batch", "0", "iodepth_batch: 0 is too small (at least 1)");
	refused("iodepth", "0", "iodepth: 0 is too small");
	refused("numjobs", "4294967297", "numjobs: 4294967297 is too large");
	refused("direct", "2", "direct: '2' is not one of 0, 1, auto");
	refused("time_based", "yes", "time_based: 'yes' is not one of 0, 1");
	refused("layout", "all", "layout: 'all' is not one of files, none, overwrite");
	refused("user", "a b", "user: 'a b' is not a user name");
	refused("fault_errno", "EFOO", "fault_errno: 'EFOO' is not one of EIO");
	refused("fault_errno", "0", "fault_errno: 0 is out of range");
	refused("filename", ":/b", "filename: ':/b' begins with an empty name");
	refused("randseed", "-1", "randseed: \"-1\" is no number");
}
END_TEST

START_TEST(options_of_engines)
{
	set("size", "1m");
	set("fixedbufs", "1");
	invalid("fixedbufs is an option of ioengine io_uring, not of psync");
	set("ioengine", "io_uring");
	valid();
	set("sqthread_poll_cpu", "0");
	invalid("sqthread_poll_cpu needs sqthread_poll=1");
	set("sqthread_poll", "1");
	valid();
	set("ioengine", "libaio");
	set("fixedbufs", "0");
	set("sqthread_poll", "0");
	set("hipri", "1");
	invalid("hipri is an option of ioengine io_uring, pvsync2 and net-rdma, not of libaio");
}
END_TEST

START_TEST(engines)
{
	static const char *const ok[] = {
	    "psync", "pvsync2", "libaio", "io_uring", "null"};

	for (size_t i = 0; i < sizeof ok / sizeof *ok; i++) {
		set("ioengine", ok[i]);
		ck_assert_str_eq(job.ioengine, ok[i]);
	}
	refused(
	    "ioengine", "rbd", "ioengine: volley has not fio's engine 'rbd'; there "
	    "are: psync sync vsync pvsync pvsync2 mmap libaio io_uring null net-tcp "
	    "net-rdma");
	refused("ioengine", "libaoi",
	    "ioengine: unknown engine 'libaoi'; did you mean "
	    "'libaio'?");
	refused("ioengine", "xyz", "ioengine: unknown engine 'xyz'; there are: psync ");
	refused("ioengine", "fault", "ioengine: 'fault' is not an engine");
	refused("ioengine", "checked", "ioengine: 'checked' is not an engine");
}
END_TEST

START_TEST(unknown_options)
{
	struct err err = ERR_INIT;

	refused("zonemode", "zbd", "option 'zonemode' of fio is not supported; docs/fio-options.md says "
	    "why");
	refused("cgroup", "x", "option 'cgroup' of fio is not supported; docs/fio-options.md says "
	    "why");
	refused("BS", "8k", "unknown option 'BS'; did you mean 'bs'?");
	refused("iodepht", "8", "unknown option 'iodepht'; did you mean 'iodepth'?");
	refused("xyzzyplugh", "8", "unknown option 'xyzzyplugh'");
	refused("", "8", "unknown option ''");
	job_set(&job, "zonemode", "zbd", &err);
	ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
	job_set(&job, "iodepht", "8", &err);
	ck_assert_int_eq(err.code, ERR_USAGE);
}
END_TEST

START_TEST(aliases)
{
	static const char *const rows[][2] = {{"readwrite", "rw"}, {"blocksize", "bs"},
	    {"iodepth_batch_submit", "iodepth_batch"},
	    {"iodepth_batch_complete", "iodepth_batch_complete_min"},
	    {"timeout", "runtime"}, {"io_limit", "io_size"}, {"fileoffset", "offset"},
	    {"nr_files", "nrfiles"}, {"bs", "bs"}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ck_assert_str_eq(job_option_name(rows[i][0]), rows[i][1]);
	ck_assert_ptr_null(job_option_name("zonemode"));
	set("readwrite", "randrw");
	ck_assert_int_eq(job.rw, JOB_RANDRW);
	set("rw", "readwrite");
	ck_assert_int_eq(job.rw, JOB_RW);
}
END_TEST

START_TEST(values)
{
	set("runtime", "180");
	ck_assert_uint_eq(job.runtime_ns, UINT64_C(180000000000));
	set("runtime", "3m");
	ck_assert_uint_eq(job.runtime_ns, UINT64_C(180000000000));
	set("ramp_time", "500ms");
	ck_assert_uint_eq(job.ramp_ns, 500000000);
	set("thinktime", "20");
	ck_assert_uint_eq(job.thinktime_ns, 20000);
	set("iodepth", "1k");
	ck_assert_uint_eq(job.iodepth, 1024);
	set("rwmixread", "70");
	set("rwmixwrite", "70");
	ck_assert_uint_eq(job.rwmixread, 30);
	set("rate", ",500k");
	ck_assert_uint_eq(job.rate[DIR_READ], 0);
	ck_assert_uint_eq(job.rate[DIR_WRITE], 512000);
	set("rate_iops", "200");
	ck_assert_uint_eq(job.rate_iops[DIR_READ], 200);
	ck_assert_uint_eq(job.rate_iops[DIR_WRITE], 200);
	set("direct", NULL);
	ck_assert_int_eq(job.direct, JOB_DIRECT);
	set("buffered", "1");
	ck_assert_int_eq(job.direct, JOB_BUFFERED);
	set("direct", "auto");
	ck_assert_int_eq(job.direct, JOB_DIRECT_AUTO);
	set("time_based", NULL);
	ck_assert(job.time_based);
	set("thread", NULL);
	set("thread", "0");
	set("filename", "/a\\:b");
	ck_assert_str_eq(job.filename, "/a:b");
	set("fault_errno", "ENOSPC");
	ck_assert_int_eq(job.fault.error_errno, ENOSPC);
	set("fault_errno", "5");
	ck_assert_int_eq(job.fault.error_errno, EIO);
	ck_assert(!job.fault.enospc_after_set);
	set("fault_enospc_after", "0");
	ck_assert(job.fault.enospc_after_set);
	ck_assert_uint_eq(job.fault.enospc_after, 0);
	set("fault_delay", "50ms");
	ck_assert_uint_eq(job.fault.delay_ns, 50000000);
	set("randseed", "18446744073709551615");
	ck_assert_uint_eq(job.randseed, UINT64_MAX);
}
END_TEST

START_TEST(validate)
{
	invalid("size is not set");
	set("size", "1m");
	valid();
	set("bs", "2m");
	invalid("bs (2097152) is larger than size (1048576)");
	set("bs", "512k");
	set("nrfiles", "4");
	invalid("bs (524288) is larger than size / nrfiles (262144)");
	set("nrfiles", "2");
	valid();
	set("io_size", "4k");
	invalid("bs (524288) is larger than io_size (4096)");
	set("io_size", "0");
	set("rw", "write");
	set("bs", "2m,4k"); /* reads are not done */
	valid();
	set("direct", "1");
	set("bs", "1000");
	invalid("direct I/O needs a bs that is a multiple of 512, not 1000");
	set("bs", "4k");
	set("offset", "100");
	invalid("direct I/O needs an offset that is a multiple of 512, not 100");
	set("offset", "1k");
	valid();
}
END_TEST

START_TEST(validate_depth)
{
	set("size", "1m");
	set("iodepth", "8");
	invalid("ioengine psync does one I/O at a time: iodepth 8 is not possible");
	set("ioengine", "libaio");
	valid();
	set("iodepth_batch", "9");
	invalid("iodepth_batch (9) is larger than iodepth (8)");
	set("iodepth_batch", "8");
	set("iodepth_low", "9");
	invalid("iodepth_low (9) is larger than iodepth (8)");
	set("iodepth_low", "8");
	set("iodepth_batch_complete_min", "4");
	valid();
	set("iodepth_batch_complete_max", "2");
	invalid("iodepth_batch_complete_min (4) is larger than "
		"iodepth_batch_complete_max (2)");
	set("iodepth_batch_complete_max", "9");
	invalid("iodepth_batch_complete_max (9) is larger than iodepth (8)");
}
END_TEST

START_TEST(validate_rest)
{
	set("size", "1m");
	set("time_based", "1");
	invalid("time_based needs runtime");
	set("runtime", "1");
	valid();
	set("time_based", "0");
	set("ramp_time", "1");
	valid();
	set("runtime", "0"); /* bound by its size, the first second left out */
	valid();
	set("ramp_time", "0");
	set("rate", ",1m");
	set("rate_iops", "10,");
	valid();
	set("rate_iops", "10");
	invalid("rate and rate_iops exclude each other (writes)");
	set("rate_iops", "0");
	set("layout", "overwrite");
	invalid("layout=overwrite is for block devices");
	set("filename", "/dev/loop0");
	valid();
	set("directory", "/mnt");
	invalid("filename '/dev/loop0' is absolute, so directory must not be set");
	set("filename", "x");
	set("layout", "files");
	valid();
	set("nrfiles", "2");
	invalid("nrfiles (2) and filename exclude each other");
}
END_TEST

START_TEST(validate_files_and_steadystate)
{
	set("size", "1m");
	set("opendir", "/d");
	valid();
	set("nrfiles", "2");
	invalid("opendir names the files, so it excludes filename, nrfiles and shared");
	set("nrfiles", "1");
	set("offset", "10%");
	invalid("an offset in percent is not possible with files of opendir");
	set("offset", "0");
	set("file_append", "1");
	invalid("file_append is for jobs that only write, into files");
	set("rw", "write");
	valid();
	set("openfiles", "1");
	invalid("file_append excludes openfiles");
	set("openfiles", "0");
	set("steadystate", "iops:2%");
	invalid("steadystate needs steadystate_duration");
	set("steadystate_duration", "30");
	valid();
}
END_TEST

/* Lists name the very errors; without one, EIO and EILSEQ where continue_on_error. */
START_TEST(errors_that_only_count)
{
	ck_assert(!job_tolerates(&job, JOB_ERROR_READ, EIO));
	set("continue_on_error", "read");
	ck_assert(job_tolerates(&job, JOB_ERROR_READ, EIO));
	ck_assert(job_tolerates(&job, JOB_ERROR_READ, EILSEQ));
	ck_assert(!job_tolerates(&job, JOB_ERROR_READ, ENOSPC));
	ck_assert(!job_tolerates(&job, JOB_ERROR_WRITE, EIO));
	set("ignore_error", "EAGAIN,ENOSPC:122");
	ck_assert(job_tolerates(&job, JOB_ERROR_READ, EAGAIN));
	ck_assert(!job_tolerates(&job, JOB_ERROR_READ, EIO));
	ck_assert(job_tolerates(&job, JOB_ERROR_WRITE, ENOSPC));
	ck_assert(job_tolerates(&job, JOB_ERROR_WRITE, EDQUOT));
	ck_assert(!job_tolerates(&job, JOB_ERROR_VERIFY, EILSEQ));
	set("ignore_error", ",,EILSEQ");
	ck_assert(job_tolerates(&job, JOB_ERROR_VERIFY, EILSEQ));
	ck_assert(!job_tolerates(&job, JOB_ERROR_WRITE, ENOSPC));
	refused("ignore_error", "EFOO", "ignore_error: 'EFOO' is not one of EIO");
	refused("ignore_error", "EIO,EIO,EIO,EIO", "ignore_error: 'EIO,EIO,EIO,EIO' has more");
}
END_TEST

START_TEST(validate_verify)
{
	set("size", "1m");
	set("verify_only", "1");
	invalid("verify_only needs verify");
	ck_assert(!job_writes(&job));
	set("rw", "write");
	ck_assert(job_writes(&job));
	set("verify", "md5");
	valid();
	ck_assert(!job_writes(&job));
	set("verify", "pattern");
	invalid("verify=pattern needs verify_pattern");
	set("verify_pattern", "0xabcd");
	valid();
	set("verify", "crc32c-intel");
	ck_assert_int_eq(job.verify.kind, JOB_VERIFY_CRC32C);
	set("verify_pattern", "0xabcd"); /* does not change what is set */
	ck_assert_int_eq(job.verify.kind, JOB_VERIFY_CRC32C);
	set("verify", "0");
	set("verify_pattern", "%o"); /* asks for itself, as in fio */
	ck_assert_int_eq(job.verify.kind, JOB_VERIFY_PATTERN);
	valid();
}
END_TEST

/* Amounts in percent are looked at where the files are. */
START_TEST(validate_amounts)
{
	set("size", "50%");
	valid();
	set("offset", "25%");
	set("io_size", "10%");
	valid();
	set("size", "1m");
	set("bsrange", "4k-2m");
	invalid("bs (2097152) is larger than size (1048576)");
	set("bsrange", "1000-4k");
	set("direct", "1");
	invalid("direct I/O needs a bs that is a multiple of 512, not 8");
	set("bsrange", "1k-4k");
	valid();
	set("bs_unaligned", "1");
	invalid("direct I/O excludes bs_unaligned");
	set("bs_unaligned", "0");
	set("numjobs", "8");
	set("offset_increment", "1152921504606846976");
	invalid("offset + size is too large");
}
END_TEST

START_TEST(canonical_text)
{
	struct str s = {0};

	job_format(&job, &s);
	ck_assert_uint_eq(s.len, 0);
	set("iodepth", "0x10");
	set("bs", "4k,8k");
	set("runtime", "1500ms");
	set("readwrite", "randrw");
	set("buffered", "0");
	set("filename", "a\\:b");
	set("rwmixwrite", "30");
	set("fault_errno", "5");
	set("thinktime", "7ns");
	job_format(&job, &s);
	ck_assert_str_eq(s.s,
	    "rw=randrw\nrwmixread=70\nbs=4096,8192\nfilename=a\\:b\niodepth=16\n"
	    "direct=1\nruntime=1500ms\nthinktime=7ns\n");
	str_free(&s);
}
END_TEST

static void
set_line(struct job *to, char *line)
{
	struct err err = ERR_INIT;
	char *eq = strchr(line, '=');

	*eq = '\0';
	ck_assert_msg(job_set(to, line, eq + 1, &err) == 0, "%s", err.msg);
}

/* Reading the canonical text gives the same job. */
START_TEST(text_round_trip)
{
	static const char *const opts[][2] = {{"name", "n"}, {"ioengine", "io_uring"},
	    {"rw", "rw"}, {"rwmixread", "1"}, {"bs", "1k"}, {"size", "3g"},
	    {"io_size", "7g"}, {"offset", "4k"}, {"nrfiles", "3"}, {"directory", "/d"},
	    {"filename", "x\\\\y"}, {"iodepth", "9"}, {"iodepth_batch", "4"},
	    {"iodepth_batch_complete_min", "2"}, {"iodepth_batch_complete_max", "3"},
	    {"iodepth_low", "2"}, {"numjobs", "5"}, {"direct", "auto"},
	    {"time_based", "1"}, {"runtime", "2h"}, {"ramp_time", "3us"},
	    {"fsync", "4"}, {"fdatasync", "6"}, {"end_fsync", "1"}, {"rate", ",9"},
	    {"rate_iops", "8,"}, {"thinktime", "1"}, {"thinktime_blocks", "2"},
	    {"norandommap", "1"}, {"randrepeat", "1"}, {"randseed", "77"},
	    {"group_reporting", "1"}, {"shared", "1"}, {"layout", "none"},
	    {"user", "nobody"}, {"checked", "1"}, {"fault_delay", "1"},
	    {"fault_error_every", "2"}, {"fault_errno", "ESTALE"},
	    {"ignore_error", "EIO:5,,71"},
	    {"fault_short_every", "3"}, {"fault_stall_after", "4"},
	    {"fault_enospc_after", "0"}};
	struct str s = {0}, again = {0};
	struct job other, copy;
	size_t lines = 0;
	char *text, *rest, *line;

	for (size_t i = 0; i < sizeof opts / sizeof *opts; i++)
		set(opts[i][0], opts[i][1]);
	job_format(&job, &s);
	text = rest = strdup(s.s);
	job_init(&other);
	for (; (line = strsep(&rest, "\n")) && *line; lines++)
		set_line(&other, line);
	ck_assert_uint_eq(
	    lines, sizeof opts / sizeof *opts); /* each is not the default */
	job_format(&other, &again);
	ck_assert_str_eq(s.s, again.s);
	str_clear(&again);
	job_copy(&copy, &other);
	job_free(&other);
	job_format(&copy, &again);
	ck_assert_str_eq(s.s, again.s);
	job_free(&copy);
	free(text);
	str_free(&s);
	str_free(&again);
}
END_TEST

struct seen {
	int n, numbers, defaults;
	bool bs_is_number;
};

static void
see(void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	struct seen *seen = arg;

	ck_assert_ptr_nonnull(value);
	seen->n++;
	seen->numbers += is_number;
	seen->defaults += is_default;
	if (strcmp(name, "bs") == 0)
		seen->bs_is_number = is_number;
	ck_assert_str_ne(name, "buffered");
	ck_assert_str_ne(name, "user"); /* has no value */
}

START_TEST(each_option)
{
	struct seen seen = {0};

	set("iodepth", "4");
	job_each(&job, see, &seen);
	ck_assert_int_eq(seen.n - seen.defaults, 1);
	ck_assert(seen.bs_is_number);
	ck_assert_int_gt(seen.numbers, 10);
	set("bs", "4k,8k");
	job_each(&job, see, &seen);
	ck_assert(!seen.bs_is_number);
}
END_TEST

START_TEST(table_and_names_agree)
{
	const char *const *names = job_option_names();
	size_t n = 0;

	for (const struct option *o = option_table; o->name; o++, n++) {
		ck_assert_str_eq(names[n], o->name);
		ck_assert_str_eq(job_option_doc(o->name), o->doc);
		ck_assert_ptr_eq(option_find(o->name), o);
	}
	ck_assert_ptr_null(names[n]);
	ck_assert_ptr_null(job_option_doc("zonemode"));
}
END_TEST

/* Bisection needs sorted lists: every known word is found. */
START_TEST(fio_words)
{
	static const char *const known[] = {"allow_file_create", "bs", "hugepage-size",
	    "write_lat_log", "zoneskip", "wait_for", "zonesize", "numjobs"};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		ck_assert_msg(fio_knows_option(known[i]), "%s", known[i]);
	ck_assert(!fio_knows_option("shared"));
	ck_assert(!fio_knows_option(""));
	ck_assert(fio_knows_engine("cpuio"));
	ck_assert(fio_knows_engine("dev-dax"));
	ck_assert(fio_knows_engine("vsync"));
	ck_assert(!fio_knows_engine("volley"));
}
END_TEST

START_TEST(small_helpers)
{
	ck_assert_str_eq(job_rw_name(JOB_RANDREAD), "randread");
	ck_assert_str_eq(job_rw_name(JOB_RW), "rw");
	ck_assert(job_rw_random(JOB_RANDRW));
	ck_assert(!job_rw_random(JOB_RW));
	set("rw", "randwrite");
	ck_assert(!job_rw_has(&job, DIR_READ));
	ck_assert(job_rw_has(&job, DIR_WRITE));
	ck_assert_uint_eq(job_duration_ns(&job), 0);
	set("runtime", "10");
	set("ramp_time", "2");
	ck_assert_uint_eq(job_duration_ns(&job), UINT64_C(12000000000));
	set("size", "10m");
	set("nrfiles", "5");
	ck_assert_uint_eq(job_file_bytes(&job), 2 << 20);
	ck_assert(!job_on_device(&job));
	set("filename", "/dev/x");
	ck_assert(job_on_device(&job));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("job");
	TCase *tc = tcase_create("job");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, block_sizes);
	tcase_add_test(tc, bad_values);
	tcase_add_test(tc, engines);
	tcase_add_test(tc, options_of_engines);
	tcase_add_test(tc, unknown_options);
	tcase_add_test(tc, aliases);
	tcase_add_test(tc, values);
	tcase_add_test(tc, validate);
	tcase_add_test(tc, validate_depth);
	tcase_add_test(tc, validate_rest);
	tcase_add_test(tc, validate_verify);
	tcase_add_test(tc, validate_amounts);
	tcase_add_test(tc, validate_files_and_steadystate);
	tcase_add_test(tc, errors_that_only_count);
	tcase_add_test(tc, canonical_text);
	tcase_add_test(tc, text_round_trip);
	tcase_add_test(tc, each_option);
	tcase_add_test(tc, table_and_names_agree);
	tcase_add_test(tc, fio_words);
	tcase_add_test(tc, small_helpers);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
