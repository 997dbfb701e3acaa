/* SPDX-License-Identifier: Apache-2.0 */
/* Results in the shapes of fio 3.1 to 3.4x, and every figure taken over from them. */
#include "controller/fio/import.h"

#include <math.h>

#include "controller/store/kinds.h"
#include "lib/base/mem.h"
#include "tests/unit/fio-results/files.h"
#include "tests/unit/suite.h"

#define AS "storage=A,transport=tcp,workload=w"

static int
read_files(struct fio_import *ret, const char *as_text, const char *const *paths,
    size_t n, struct err *err)
{
	struct fio_as as;
	int result;

	*err = ERR_INIT;
	ck_assert_msg(fio_as_parse(&as, as_text, err) == 0, "%s", err->msg);
	result = fio_import_read(ret, &as, paths, n, err);
	fio_as_free(&as);
	return result;
}

/* One file, one repeat. */
static void
take(const char *as, const char *text, struct results_case *c, struct attempt *ret)
{
	const char *path = file_made("one.json", text);
	struct fio_import import;
	struct err err;

	ck_assert_msg(read_files(&import, as, &path, 1, &err) == 0, "%s", err.msg);
	ck_assert_uint_eq(fio_import_repeats(&import), 1);
	fio_import_attempt(&import, 0, ret);
	*c = import.into;
	import.into = (struct results_case){0};
	fio_import_free(&import);
}

static void
refuse(const char *as, const char *text, const char *what)
{
	const char *path = file_made("one.json", text);
	struct fio_import import;
	struct err err;

	ck_assert_int_eq(read_files(&import, as, &path, 1, &err), -1);
	ck_assert_msg(strstr(err.msg, what) != NULL, "%s", err.msg);
	ck_assert_msg(strncmp(err.msg, path, strlen(path)) == 0, "%s", err.msg);
}

static bool
has_reason(const struct attempt *attempt, const char *code, enum attempt_state makes)
{
	for (vec_each(const struct attempt_reason *, reason, &attempt->reasons))
		if (strcmp(reason->code, code) == 0 && reason->makes == makes)
			return true;
	return false;
}

START_TEST(local_333)
{
	struct results_case c;
	struct attempt attempt;
	const struct dir_tally *d;
	double bytes_per_s, iops;

	take(AS, LOCAL_333, &c, &attempt);
	ck_assert_uint_eq(c.clients, 1);
	ck_assert_str_eq(c.storage, "A");
	ck_assert_str_eq(c.path, "unknown");
	ck_assert_str_eq(results_case_param(&c, "bs"), "4096");
	ck_assert_str_eq(results_case_param(&c, "rw"), "read");
	ck_assert_ptr_null(results_case_param(&c, "iodepth"));
	ck_assert_str_eq(c.id, attempt.case_id);

	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	ck_assert(has_reason(&attempt, "imported", ATTEMPT_VALID));
	ck_assert_uint_eq(attempt.reasons.n, 1);
	ck_assert_uint_eq(attempt.ended_wall_ns, UINT64_C(1796072732990000000));
	ck_assert_uint_eq(attempt.started_wall_ns, UINT64_C(1796072732982000000));
	ck_assert(results_is_imported(&attempt));
	ck_assert_str_eq(attempt.clients.v[0].agent, "one");
	ck_assert_uint_eq(attempt.clients.v[0].tally->threads, 2);
	/* 16 ms of two threads are 8 ms of the host: 4 ms user, 8 ms system */
	ck_assert_uint_eq(attempt.clients.v[0].tally->cpu_wall_ns, 8000000);
	ck_assert(attempt.clients.v[0].tally->usage.known);
	ck_assert(attempt.total.merged->usage.known);
	ck_assert_uint_eq(attempt.total.merged->usage.switches, 7);
	ck_assert_uint_eq(attempt.total.merged->latency_depth,
	    attempt.clients.v[0].tally->latency_depth);
	ck_assert_uint_eq(attempt.clients.v[0].tally->usage.switches, 7);
	ck_assert_uint_eq(attempt.clients.v[0].tally->usage.major_faults, 1);
	ck_assert_uint_eq(attempt.clients.v[0].tally->usage.minor_faults, 20);
	ck_assert_uint_eq(attempt.clients.v[0].tally->latency_depth, 0); /* no target */
	ck_assert_uint_eq(attempt.clients.v[0].tally->cpu_user_ns, 4000000);
	ck_assert_uint_eq(attempt.clients.v[0].tally->cpu_sys_ns, 8000000);
	ck_assert(attempt.clients.v[0].tally->direct);

	d = &attempt.clients.v[0].tally->dir[DIR_READ];
	ck_assert_uint_eq(d->phase[METER_INSIDE].ios, 4);
	ck_assert_uint_eq(d->phase[METER_INSIDE].bytes, 16384);
	results_client_rate(attempt.clients.v[0].tally, DIR_READ, &bytes_per_s, &iops);
	ck_assert_double_eq(iops, 500);
	ck_assert_double_eq(bytes_per_s, 2048000);
	ck_assert_uint_eq(d->clat.count, 4);
	ck_assert_uint_eq(d->clat.min, 1000);
	ck_assert_uint_eq(d->clat.max, 4000);
	ck_assert_double_eq(hist_mean(&d->clat), 2500);
	ck_assert_double_eq_tol(hist_stddev(&d->clat), 1290.994449, 1e-3);
	for (unsigned ns = 1000; ns <= 4000; ns += 1000)
		ck_assert_uint_eq(d->clat.bucket[hist_index(ns)], 1);
	/* lat has no bins: mean and extremes, no percentile */
	ck_assert_double_eq(hist_mean(&d->lat), 2600);
	ck_assert(!hist_has_buckets(&d->lat) && d->lat.count == 4);
	ck_assert_uint_eq(d->slat.count, 0);
	ck_assert(!tally_has(attempt.clients.v[0].tally, DIR_WRITE));
	ck_assert_double_eq(attempt.total.dir[DIR_READ].iops, 500);
	ck_assert(isnan(attempt.total.overlap) && !attempt.total.has_skew);
	attempt_free(&attempt);
	results_case_free(&c);
}
END_TEST

/* No N, no bw_bytes, no job_runtime; zeros as percentiles of nothing. */
START_TEST(local_31)
{
	static const char text[] =
	    "{\"fio version\" : \"fio-3.1\", \"timestamp\" : 1509619773,"
	    " \"global options\" : {\"rw\" : \"write\", \"bs\" : \"512k\"},"
	    " \"jobs\" : [{\"jobname\" : \"t2\", \"groupid\" : 0, \"error\" : 0,"
	    " \"read\" : {\"io_bytes\" : 0, \"io_kbytes\" : 0, \"bw\" : 0,"
	    " \"iops\" : 0.0, \"runtime\" : 0, \"total_ios\" : 0,"
	    " \"clat_ns\" : {\"min\" : 18446744073709551615, \"max\" : 0,"
	    " \"mean\" : 0.0, \"stddev\" : 0.0,"
	    " \"percentile\" : {\"50.000000\" : 0}}},"
	    " \"write\" : {\"io_bytes\" : 1048576000, \"io_kbytes\" : 1024000,"
	    " \"bw\" : 102400, \"iops\" : 200.0, \"runtime\" : 10000,"
	    " \"total_ios\" : 2000, \"slat_ns\" : {\"min\" : 0, \"max\" : 0,"
	    " \"mean\" : 0.0, \"stddev\" : 0.0},"
	    " \"clat_ns\" : {\"min\" : 10, \"max\" : 900, \"mean\" : 300.5,"
	    " \"stddev\" : 20.0, \"percentile\" : {\"1.000000\" : 11,"
	    " \"50.000000\" : 301, \"90.000000\" : 500, \"95.000000\" : 600,"
	    " \"99.000000\" : 700, \"99.900000\" : 800, \"99.990000\" : 880}},"
	    " \"lat_ns\" : {\"min\" : 12, \"max\" : 905, \"mean\" : 302.5,"
	    " \"stddev\" : 20.0}}}]}";
	struct results_case c;
	struct attempt attempt;
	const struct latency_kind *clat = latency_kind_find("clat");
	const struct dir_tally *d;

	take(AS, text, &c, &attempt);
	d = &attempt.clients.v[0].tally->dir[DIR_WRITE];
	ck_assert_uint_eq(d->clat.count, 2000);
	ck_assert_uint_eq(d->lat.count, 2000);
	ck_assert_uint_eq(d->slat.count, 0);
	ck_assert_double_eq(hist_mean(&d->clat), 300.5);
	ck_assert_double_eq_tol(hist_stddev(&d->clat), 20, 1e-6);
	ck_assert_double_eq(attempt.total.dir[DIR_WRITE].bytes_per_s, 104857600);
	/* the client keeps what fio states, as far as ten samples lie beyond */
	ck_assert_double_eq(results_percentile(d, clat, 50), 301);
	ck_assert_double_eq(results_percentile(d, clat, 99), 700);
	ck_assert(isnan(results_percentile(d, clat, 99.9)));
	ck_assert(isnan(results_percentile(d, latency_kind_find("lat"), 50)));
	/* and it is all there is */
	d = &attempt.total.merged->dir[DIR_WRITE];
	ck_assert_double_eq(results_percentile(d, clat, 50), 301);
	ck_assert(isnan(results_percentile(d, clat, 99.9)));
	ck_assert(!attempt.clients.v[0].tally->usage.known);
	ck_assert_uint_eq(attempt.clients.v[0].tally->cpu_wall_ns, 0);
	ck_assert_uint_eq(attempt.clients.v[0].tally->threads, 1);
	attempt_free(&attempt);
	results_case_free(&c);

	/* of two clients percentiles do not add up */
	const char *paths[] = {file_made("a.json", text), NULL};
	struct fio_import import;
	struct err err;
	char *other = mem_printf("\n%s", text);

	paths[1] = file_made("b.json", other);
	ck_assert_int_eq(read_files(&import, AS ",clients=2", paths, 2, &err), 0);
	fio_import_attempt(&import, 0, &attempt);
	d = &attempt.total.merged->dir[DIR_WRITE];
	ck_assert_uint_eq(d->clat.count, 4000);
	ck_assert(isnan(results_percentile(d, clat, 50)));
	attempt_free(&attempt);
	fio_import_free(&import);
	free(other);
}
END_TEST

#define ENTRY(name, ios, runtime, more)                                                \
	"{\"jobname\" : \"" name "\", \"groupid\" : 0, \"read\" : {\"io_bytes\" : " ios  \
	"000, \"total_ios\" : " ios ", \"runtime\" : " runtime "}, " more "}"
#define HOST(name, port) "\"hostname\" : \"" name "\", \"port\" : " port

/* Lines before it, the options of both agents in one object, "All clients" that lacks
 * one of them, and two agents on one address. */
START_TEST(client_mode_333)
{
	static const char text[] =
	    "<gpu01> j: (g=0): rw=read\n\n{\"fio version\" : \"fio-3.33\",\n"
	    "\"timestamp\" : 1796073089, \"global options\" : {\"bs\" : \"4k\",\n"
	    "\"rw\" : \"read\", \"bs\" : \"4k\", \"rw\" : \"read\"},\n"
	    "\"client_stats\" : [\n"
	    ENTRY("j", "4000", "2000", "\"error\" : 0, " HOST("h", "1")) ",\n"
	    ENTRY("j", "1000", "1000", "\"error\" : 0, " HOST("h", "2")) ",\n"
	    ENTRY("j", "3000", "2000", "\"error\" : 0, " HOST("g", "1")) ",\n"
	    ENTRY("All clients", "5000", "2000", "\"error\" : 0, " HOST("h", "2"))
	    "]}\n";
	struct results_case c;
	struct attempt attempt;
	const struct total_dir *d;

	take(AS, text, &c, &attempt);
	ck_assert_uint_eq(c.clients, 3);
	ck_assert_uint_eq(attempt.clients.n, 3);
	ck_assert_str_eq(attempt.clients.v[0].agent, "h:1");
	ck_assert_str_eq(attempt.clients.v[1].agent, "h:2");
	ck_assert_str_eq(attempt.clients.v[2].agent, "g");
	d = &attempt.total.dir[DIR_READ];
	ck_assert_uint_eq(d->ios, 8000);
	ck_assert_double_eq(d->fio_iops, 4000);	 /* / the longest run */
	ck_assert_double_eq(d->iops, 4000);
	ck_assert_double_eq(d->sum_iops, 4500);	 /* 2000 + 1000 + 1500 */
	ck_assert(isnan(d->common_iops));
	ck_assert(has_reason(&attempt, "imported-sum-differs", ATTEMPT_VALID));
	ck_assert(has_reason(&attempt, "fio-style-differs", ATTEMPT_VALID));
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	attempt_free(&attempt);
	results_case_free(&c);

	take(AS ",clients=5", text, &c, &attempt);
	ck_assert_uint_eq(c.clients, 5);
	ck_assert_int_eq(attempt.state, ATTEMPT_PARTIAL);
	ck_assert(has_reason(&attempt, "client-missing", ATTEMPT_PARTIAL));
	attempt_free(&attempt);
	results_case_free(&c);
	refuse(AS ",clients=2", text, "holds 3 hosts, not 2");
}
END_TEST

/* Options as a list, one for each agent, and the start by each host's own clock. */
START_TEST(client_mode_340)
{
	static const char text[] =
	    "{\"fio version\" : \"fio-3.40\", \"timestamp_ms\" : 5000,\n"
	    "\"global options\" : [{\"bs\" : \"8k\"}, {\"bs\" : \"8k\"}],\n"
	    "\"client_stats\" : ["
	    ENTRY("j", "4000", "2000", "\"job_start\" : 1000, " HOST("g", "1")) ","
	    ENTRY("j", "4000", "2000", "\"job_start\" : 3500, " HOST("h", "1"))
	    "]}";
	struct results_case c;
	struct attempt attempt;

	take(AS, text, &c, &attempt);
	ck_assert_str_eq(results_case_param(&c, "bs"), "8192");
	ck_assert_uint_eq(attempt.started_wall_ns, 1000000000);
	ck_assert(has_reason(&attempt, "imported-starts", ATTEMPT_VALID));
	ck_assert_str_eq(attempt.reasons.v[1].text,
	    "by the clients' own wall clocks they began 2.500 s apart");
	attempt_free(&attempt);
	results_case_free(&c);
}
END_TEST

/* fio's own "All clients" has error 0 then. */
START_TEST(failed_client)
{
	static const char text[] =
	    "{\"client_stats\" : ["
	    ENTRY("j", "4000", "2000", "\"error\" : 28, " HOST("g", "1")) ","
	    ENTRY("j", "3000", "1000", "\"error\" : 0, " HOST("h", "1")) "]}";
	static const char nobody[] =
	    "{\"client_stats\" : ["
	    ENTRY("j", "4000", "2000", "\"error\" : 28, " HOST("g", "1")) "]}";
	struct results_case c;
	struct attempt attempt;

	take(AS, text, &c, &attempt);
	ck_assert_int_eq(attempt.state, ATTEMPT_PARTIAL);
	ck_assert_int_eq(attempt.clients.v[0].outcome, CLIENT_FAILED);
	ck_assert_str_eq(attempt.clients.v[0].error,
	    "fio: error 28 (No space left on device)");
	ck_assert_uint_eq(attempt.total.clients, 1);
	ck_assert_double_eq(attempt.total.dir[DIR_READ].iops, 3000);
	attempt_free(&attempt);
	results_case_free(&c);

	take(AS, nobody, &c, &attempt);
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	ck_assert(!attempt.has_total);
	attempt_free(&attempt);
	results_case_free(&c);
}
END_TEST

/* numjobs without group_reporting, and groups that ran one after the other. */
START_TEST(several_jobs)
{
	static const char clones[] =
	    "{\"jobs\" : [" JOB_333("j", ", \"job options\" : {\"numjobs\" : \"2\"}") ","
	    JOB_333("j", ", \"job options\" : {\"numjobs\" : \"2\"}") "]}";
	static const char two[] =
	    "{\"jobs\" : [" JOB_333("a", "") "," JOB_333("b", "") "]}";
	static const char stages[] =
	    "{\"jobs\" : [" JOB_333("a", "")
	    ", {\"jobname\" : \"a\", \"groupid\" : 1}]}";
	struct results_case c;
	struct attempt attempt;
	const struct dir_tally *d;

	take(AS, clones, &c, &attempt);
	d = &attempt.clients.v[0].tally->dir[DIR_READ];
	ck_assert_uint_eq(d->phase[METER_INSIDE].ios, 8);
	ck_assert_double_eq(d->stated->iops, 1000);
	ck_assert_uint_eq(d->clat.bucket[hist_index(1000)], 2);
	ck_assert_uint_eq(attempt.clients.v[0].tally->threads, 2);
	attempt_free(&attempt);
	results_case_free(&c);

	refuse(AS, two, "holds several jobs (a, b): choose one with job=NAME");
	refuse(AS ",job=c", two, "no job is called 'c'; there are a, b");
	take(AS ",job=b", two, &c, &attempt);
	ck_assert_uint_eq(attempt.total.dir[DIR_READ].ios, 4);
	attempt_free(&attempt);
	results_case_free(&c);
	take(AS ",job=*", two, &c, &attempt);
	ck_assert_uint_eq(attempt.total.dir[DIR_READ].ios, 8);
	attempt_free(&attempt);
	results_case_free(&c);
	refuse(AS, stages, "several groups of jobs");
}
END_TEST

#define BINS(max, n, bins)                                                             \
	"{\"jobs\" : [{\"jobname\" : \"j\", \"read\" : {\"io_bytes\" : 4096,"          \
	" \"total_ios\" : 3, \"runtime\" : 9, \"clat_ns\" : {\"min\" : 1,"             \
	" \"max\" : " max ", \"mean\" : 2.0, \"stddev\" : 1.0, \"N\" : " n ","         \
	" \"bins\" : {" bins "}}}}]}"

START_TEST(bins)
{
	struct results_case c;
	struct attempt attempt;
	const struct hist *clat;

	/* fio's last bucket holds all from 2^34 ns on */
	take(AS, BINS("60000000000", "3", "\"127\" : 1, \"17112760320\" : 2"), &c,
	    &attempt);
	clat = &attempt.clients.v[0].tally->dir[DIR_READ].clat;
	ck_assert_uint_eq(clat->bucket[127], 1);
	ck_assert_uint_eq(clat->bucket[1855], 0);
	ck_assert_uint_eq(clat->bucket[1856], 2);
	ck_assert_uint_eq(hist_lower(1856), UINT64_C(17179869184));
	ck_assert(has_reason(&attempt, "imported-beyond", ATTEMPT_VALID));
	attempt_free(&attempt);
	results_case_free(&c);
	/* below that it is what it says */
	take(AS, BINS("17100000000", "3", "\"127\" : 1, \"17112760320\" : 2"), &c,
	    &attempt);
	clat = &attempt.clients.v[0].tally->dir[DIR_READ].clat;
	ck_assert_uint_eq(clat->bucket[1855], 2);
	ck_assert(!has_reason(&attempt, "imported-beyond", ATTEMPT_VALID));
	attempt_free(&attempt);
	results_case_free(&c);

	take(AS, BINS("127", "7", "\"5\" : 1, \"127\" : 2"), &c, &attempt);
	ck_assert_uint_eq(attempt.total.merged->dir[DIR_READ].clat.count, 3);
	ck_assert(has_reason(&attempt, "imported-bins", ATTEMPT_VALID));
	attempt_free(&attempt);
	results_case_free(&c);

	refuse(AS, BINS("9", "3", "\"1000\" : 1"),
	    "jobs[0]: read: clat_ns: bins: \"1000\" is not the middle of a bucket");
	refuse(AS, BINS("9", "3", "\"FIO_IO_U_PLAT_BITS\" : 6"), "not the middle");
	refuse(AS, BINS("9", "3", "\"34091302912\" : 1"), "not the middle");
	refuse(AS, BINS("9", "3", "\"5\" : -1"), "does not have a count");
}
END_TEST

/* A rate over 3.7 ms, which volley's fio-json has as 4; and one that fio cut. */
START_TEST(finer_than_ms)
{
#define RATED(iops)                                                                     \
	"{\"jobs\" : [{\"jobname\" : \"j\", \"read\" : {\"io_bytes\" : 151552, "            \
	"\"total_ios\" : 37, \"runtime\" : 4, \"iops\" : " iops "}}]}"
	static const struct {
		const char *text;
		double iops;
	} rows[] = {{RATED("10000.0"), 10000}, {RATED("9250.0"), 9250},
	    {RATED("9250.0000004"), 9250}, {RATED("0"), 9250}, {RATED("5000"), 9250}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct results_case c;
		struct attempt attempt;

		take(AS, rows[i].text, &c, &attempt);
		ck_assert_double_eq_tol(
		    attempt.total.dir[DIR_READ].iops, rows[i].iops, 1e-9);
		ck_assert_double_eq_tol(attempt.total.dir[DIR_READ].bytes_per_s,
		    rows[i].iops * 4096, 1e-5);
		attempt_free(&attempt);
		results_case_free(&c);
	}
}
END_TEST

/* One object for all directions is taken where there is but one. */
START_TEST(mixed_directions)
{
#define MIXED(rw)                                                                       \
	"{\"jobs\" : [{\"jobname\" : \"j\", \"job options\" : {\"rw\" : \"" rw "\"}, "         \
	"\"mixed\" : {\"io_bytes\" : 8192, \"total_ios\" : 2, \"runtime\" : 4}}]}"
	struct results_case c;
	struct attempt attempt;

	take(AS, MIXED("randwrite:8"), &c, &attempt);
	ck_assert(!attempt.total.dir[DIR_READ].present);
	ck_assert_uint_eq(attempt.total.dir[DIR_WRITE].ios, 2);
	ck_assert_double_eq(attempt.total.dir[DIR_WRITE].iops, 500);
	attempt_free(&attempt);
	results_case_free(&c);
	take(AS, MIXED("read"), &c, &attempt);
	ck_assert_uint_eq(attempt.total.dir[DIR_READ].ios, 2);
	attempt_free(&attempt);
	results_case_free(&c);
	refuse(AS, MIXED("readwrite"), "reads and writes cannot be told apart");
	refuse(AS, MIXED("rand"), "reads and writes cannot be told apart");
}
END_TEST

START_TEST(not_results)
{
	refuse(AS, "{\"a\" : 1}", "neither \"jobs\" nor \"client_stats\"");
	refuse(AS, "{\"client_stats\" : []}", "no result of any job");
	refuse(AS, "{\"jobs\" : [{}]}", "entry 1 has no jobname");
	refuse(AS, "{\"jobs\" : [{\"jobname\" : \"j\", \"read\" : {}}]}",
	    "jobs[0]: read: without total_ios or io_bytes");
	refuse(AS, "{\"jobs\" : [{\"jobname\" : \"j\", \"mixed\" : {}}]}",
	    "unified_rw_reporting");
}
END_TEST

START_TEST(files_and_repeats)
{
	static const char other[] =
	    "{\"jobs\" : [" JOB_333("j", ", \"job options\" : {\"rw\" : \"read\","
				" \"bs\" : \"8k\"}") "]}";
	const char *paths[4], *mixed[2];
	struct fio_import import;
	struct attempt attempt;
	struct err err;

	for (int i = 0; i < 4; i++) {
		char name[16];

		/* blanks make them different files with the same figures */
		char *text = mem_printf("%*s\n%s", i, "", LOCAL_333);

		snprintf(name, sizeof name, "gpu%02d.json", i);
		paths[i] = file_made(name, text);
		free(text);
	}
	/* without clients= each file is a repeat */
	ck_assert_int_eq(read_files(&import, AS, paths, 3, &err), 0);
	ck_assert_uint_eq(fio_import_repeats(&import), 3);
	fio_import_free(&import);

	ck_assert_int_eq(read_files(&import, AS ",clients=2", paths, 4, &err), 0);
	ck_assert_uint_eq(fio_import_repeats(&import), 2);
	fio_import_attempt(&import, 1, &attempt);
	ck_assert_uint_eq(attempt.clients.n, 2);
	ck_assert_str_eq(attempt.clients.v[0].agent, "gpu02");
	ck_assert_str_eq(attempt.clients.v[1].agent, "gpu03");
	ck_assert_uint_eq(attempt.total.dir[DIR_READ].ios, 8);
	ck_assert_double_eq(attempt.total.dir[DIR_READ].iops, 1000);
	ck_assert_uint_eq(attempt.total.merged->dir[DIR_READ].clat.count, 8);
	attempt_free(&attempt);
	fio_import_free(&import);

	ck_assert_int_eq(read_files(&import, AS ",clients=3", paths, 4, &err), -1);
	ck_assert_str_eq(err.msg,
	    "4 files of one host each are not whole repeats of 3 clients");
	mixed[0] = paths[0];
	mixed[1] = paths[0];
	ck_assert_int_eq(read_files(&import, AS, mixed, 2, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "gpu00.json holds the very same as "));
	mixed[1] = file_made("other.json", other);
	ck_assert_int_eq(read_files(&import, AS, mixed, 2, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "other.json: bs is 8192, but 4096 in "));
	mixed[1] = file_made("client.json",
	    "{\"client_stats\" : [" ENTRY("j", "1", "1", HOST("g", "1")) "]}");
	ck_assert_int_eq(read_files(&import, AS, mixed, 2, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "import them apart"));
}
END_TEST

START_TEST(said_as)
{
	static const struct {
		const char *text, *msg;
	} bad[] = {
	    {"storage=A,workload=w", "storage, transport and workload are all needed"},
	    {"storage=A,transport=ib,workload=w",
		"transport 'ib' is none of tcp, rdma, local"},
	    {AS ",client=3", "unknown name 'client'; did you mean clients?"},
	    {AS ",clients=0", "clients: "},
	    {AS ",clients", "'clients' has no '='"},
	    {AS ",storage=B", "storage is given twice"},
	    {AS ",job=", "job is empty"},
	};
	struct fio_as as;
	struct err err;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		err = ERR_INIT;
		ck_assert_int_eq(fio_as_parse(&as, bad[i].text, &err), -1);
		ck_assert_int_eq(err.code, ERR_USAGE);
		ck_assert_msg(strncmp(err.msg, bad[i].msg, strlen(bad[i].msg)) == 0,
		    "%s", err.msg);
	}
	ck_assert_int_eq(
	    fio_as_parse(&as, AS ",clients=16,repeat=4,job=x y", &err), 0);
	ck_assert_uint_eq(as.clients, 16);
	ck_assert_uint_eq(as.repeat, 4);
	ck_assert_str_eq(as.job, "x y");
	fio_as_free(&as);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("import", local_333, local_31, client_mode_333,
	    client_mode_340, failed_client, several_jobs, bins, finer_than_ms,
	    mixed_directions, not_results, files_and_repeats, said_as);
}
