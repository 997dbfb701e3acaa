/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fio's json+ as counts: figures that fio 3.33 printed and such as it would print,
 * and finding whole documents in what has arrived so far.
 */
#include "agent/worker/fio-out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/suite.h"

/* fio 3.33, null engine, 16 I/Os; what is not looked at is left out. */
static const char printed[] =
    "{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\": \"a\", \"error\": 0,"
    "\"read\": {\"io_bytes\": 49152, \"runtime\": 7, \"total_ios\": 12,"
    "\"slat_ns\": {\"min\": 87, \"max\": 1474, \"mean\": 214.333333,"
    " \"stddev\": 397.277401, \"N\": 12, \"bins\": {\"87\": 2, \"88\": 2, \"91\": 1,"
    " \"92\": 1, \"93\": 1, \"95\": 1, \"97\": 1, \"117\": 1, \"163\": 1,"
    " \"1480\": 1}},"
    "\"clat_ns\": {\"min\": 461, \"max\": 2636, \"mean\": 883.916667,"
    " \"stddev\": 633.499868, \"N\": 12, \"bins\": {\"462\": 1, \"548\": 1,"
    " \"556\": 2, \"580\": 1, \"628\": 1, \"676\": 1, \"708\": 1, \"780\": 1,"
    " \"836\": 1, \"1656\": 1, \"2640\": 1}},"
    "\"lat_ns\": {\"min\": 553, \"max\": 4110, \"mean\": 1098.25,"
    " \"stddev\": 997.951641, \"N\": 12}},"
    "\"write\": {\"io_bytes\": 16384, \"runtime\": 9, \"total_ios\": 5,"
    "\"slat_ns\": {\"min\": 0, \"max\": 0, \"mean\": 0.0, \"stddev\": 0.0, \"N\": 0},"
    "\"clat_ns\": {\"min\": 537, \"max\": 42723, \"mean\": 11226.25,"
    " \"stddev\": 20998.397548, \"N\": 4, \"bins\": {\"540\": 1, \"732\": 1,"
    " \"916\": 1, \"42752\": 1}}, \"lat_ns\": {}},"
    "\"sync\": {\"total_ios\": 2, \"lat_ns\": {\"min\": 10, \"max\": 30,"
    " \"mean\": 20.0, \"stddev\": 14.142136, \"N\": 2, \"bins\": {\"10\": 1,"
    " \"30\": 1}}},"
    "\"job_runtime\": 9, \"usr_cpu\": 12.5, \"sys_cpu\": 50.000000,"
    "\"ctx\": 21, \"majf\": 2, \"minf\": 7, \"latency_depth\": 8,"
    "\"latency_target\": 2000}]}";

static struct fioout out;

static void
parse(const char *text)
{
	struct err err = ERR_INIT;

	fioout_free(&out);
	ck_assert_msg(fioout_parse(&out, text, strlen(text), &err) == 0, "%s", err.msg);
}

START_TEST(counts)
{
	const struct fioout_thread *thread;

	parse(printed);
	ck_assert_uint_eq(out.n, 1);
	thread = &out.threads[0];
	ck_assert_int_eq(thread->error, 0);
	ck_assert_uint_eq(thread->runtime_ms[DIR_READ], 7);
	ck_assert_uint_eq(thread->runtime_ms[DIR_WRITE], 9);
	ck_assert_uint_eq(thread->job_runtime_ms, 9);
	ck_assert_double_eq(thread->user, 0.125);
	ck_assert_double_eq(thread->sys, 0.5);
	ck_assert(thread->usage.known);
	ck_assert_uint_eq(thread->usage.switches, 21);
	ck_assert_uint_eq(thread->usage.major_faults, 2);
	ck_assert_uint_eq(thread->usage.minor_faults, 7);
	ck_assert_uint_eq(thread->latency_depth, 8);
	ck_assert_uint_eq(thread->dir[DIR_READ].phase[METER_INSIDE].ios, 12);
	ck_assert_uint_eq(thread->dir[DIR_READ].phase[METER_INSIDE].bytes, 49152);
	/* 5 begun, 4 done: those that have a latency. */
	ck_assert_uint_eq(thread->dir[DIR_WRITE].phase[METER_INSIDE].ios, 4);
	ck_assert_uint_eq(thread->dir[DIR_WRITE].phase[METER_BEFORE].ios, 0);
	ck_assert_uint_eq(thread->dir[DIR_WRITE].phase[METER_AFTER].ios, 0);
	ck_assert_uint_eq(thread->dir[DIR_WRITE].sync.count, 2);
	ck_assert_uint_eq(thread->dir[DIR_WRITE].sync.sum, 40);
	ck_assert_uint_eq(thread->dir[DIR_READ].sync.count, 0);
}
END_TEST

START_TEST(histograms)
{
	const struct hist *clat, *slat;

	parse(printed);
	clat = &out.threads[0].dir[DIR_READ].clat;
	slat = &out.threads[0].dir[DIR_READ].slat;
	ck_assert_uint_eq(clat->count, 12);
	ck_assert_uint_eq(clat->min, 461);
	ck_assert_uint_eq(clat->max, 2636);
	ck_assert_uint_eq(clat->sum, 10607); /* 883.916667 × 12 */
	ck_assert(fabs(hist_stddev(clat) - 633.499868) < 0.5);
	ck_assert_uint_eq(clat->bucket[hist_index(556)], 2);
	ck_assert_uint_eq(clat->bucket[hist_index(2636)], 1); /* its midpoint is 2640 */
	ck_assert_uint_eq(slat->bucket[87], 2);
	ck_assert_double_eq(hist_percentile_any(clat, 50), 628);
	ck_assert_uint_eq(out.threads[0].dir[DIR_WRITE].slat.count, 0);
	ck_assert_uint_eq(out.threads[0].dir[DIR_WRITE].lat.count, 0);
}
END_TEST

/* lat of fio before 3.18: sums, and nothing that a percentile could be read off. */
START_TEST(without_bins)
{
	const struct hist *lat;

	parse(printed);
	lat = &out.threads[0].dir[DIR_READ].lat;
	ck_assert_uint_eq(lat->count, 12);
	ck_assert_double_eq_tol(hist_mean(lat), 1098.25, 0.05);
	ck_assert(!hist_has_buckets(lat));
	ck_assert(isnan(hist_percentile_any(lat, 50)));
}
END_TEST

/* fio 3.1 has no N: all I/Os that were counted are meant, and the bins if there are. */
START_TEST(without_counts)
{
	const struct dir_tally *d;

	parse("{\"jobs\": [{\"read\": {\"total_ios\": 4, \"io_bytes\": 16384,"
	      " \"runtime\": 5, \"slat_ns\": {\"min\": 1, \"max\": 5, \"mean\": 3.0,"
	      " \"stddev\": 1.0}, \"clat_ns\": {\"min\": 10, \"max\": 30, \"mean\":"
	      " 20.0, \"stddev\": 8.0, \"bins\": {\"10\": 1, \"20\": 1, \"30\": 1}},"
	      " \"lat_ns\": {\"min\": 0, \"max\": 0, \"mean\": 0.0}}}]}");
	d = &out.threads[0].dir[DIR_READ];
	ck_assert_uint_eq(d->slat.count, 4);
	ck_assert_double_eq(hist_mean(&d->slat), 3);
	ck_assert_uint_eq(d->clat.count, 3);
	ck_assert_uint_eq(d->phase[METER_INSIDE].ios, 3);
	ck_assert_uint_eq(d->lat.count, 0);
}
END_TEST

/* What cannot be is that client's error, not a figure. */
START_TEST(bins_that_are_none)
{
	static const char text[] =
	    "{\"jobs\": [{\"read\": {\"total_ios\": 1, \"io_bytes\": 1, \"clat_ns\":"
	    " {\"mean\": 1.0, \"N\": 1, \"bins\": {\"128\": 1}}}}]}";
	struct err err = ERR_INIT;

	fioout_free(&out);
	ck_assert_int_eq(fioout_parse(&out, text, sizeof text - 1, &err), -1);
	ck_assert_str_eq(err.msg, "fio's output: read: clat_ns: bins: \"128\" is not the "
				  "middle of a bucket");
	ck_assert_uint_eq(out.n, 0);
}
END_TEST

/* Every midpoint that fio can print is the midpoint of our bucket of that number. */
START_TEST(all_bins_of_fio)
{
	for (unsigned i = 0; i < 29 * 64; i++) {
		struct hist expect = {.count = 3};
		char text[512];

		expect.bucket[i] = 3;
		snprintf(text, sizeof text,
		    "{\"jobs\": [{\"read\": {\"total_ios\": 3, \"io_bytes\": 9, "
		    "\"clat_ns\": {\"min\": 1, \"max\": 17, "
		    "\"mean\": 5.0, \"N\": 3, \"bins\": {\"%llu\": 3}}}}]}",
		    (unsigned long long)hist_midpoint(i));
		parse(text);
		ck_assert_mem_eq(out.threads[0].dir[DIR_READ].clat.bucket,
		    expect.bucket, sizeof expect.bucket);
	}
}
END_TEST

/* fio's last bucket holds everything from 17.05 s on. */
START_TEST(the_last_bin)
{
	const struct hist *clat;

	parse("{\"jobs\": [{\"read\": {\"total_ios\": 3, \"io_bytes\": 9,"
	      " \"clat_ns\": {\"min\": 5, \"max\": 60000000000,"
	      " \"mean\": 30000000002.5, \"stddev\": 1.0, \"N\": 2,"
	      " \"bins\": {\"5\": 1, \"17112760320\": 1}}}}]}");
	clat = &out.threads[0].dir[DIR_READ].clat;
	ck_assert_uint_eq(clat->bucket[hist_index(UINT64_C(1) << 34)], 1);
	ck_assert_double_ge(hist_percentile_any(clat, 100), 17179869184.0);
	parse("{\"jobs\": [{\"read\": {\"total_ios\": 3, \"io_bytes\": 9,"
	      " \"clat_ns\": {\"min\": 5, \"max\": 17100000000,"
	      " \"mean\": 8550000002.5, \"stddev\": 1.0, \"N\": 2,"
	      " \"bins\": {\"5\": 1, \"17112760320\": 1}}}}]}");
	clat = &out.threads[0].dir[DIR_READ].clat;
	ck_assert_uint_eq(clat->bucket[29 * 64 - 1], 1);
}
END_TEST

START_TEST(errors_of_jobs)
{
	parse("{\"jobs\": [{\"error\": 28, \"total_err\": 3}, {}]}");
	ck_assert_uint_eq(out.n, 2);
	ck_assert_int_eq(out.threads[0].error, 28);
	ck_assert_uint_eq(out.threads[0].errors, 3);
	ck_assert(isnan(out.threads[1].user));
	ck_assert(!out.threads[1].usage.known);
	ck_assert_uint_eq(out.threads[1].latency_depth, 0);
	ck_assert_uint_eq(out.threads[1].dir[DIR_READ].phase[METER_INSIDE].ios, 0);
}
END_TEST

START_TEST(no_document)
{
	static const struct {
		const char *text, *error;
	} bad[] = {{"{}", "fio's output: no list \"jobs\""},
	    {"{\"jobs\": 1}", "fio's output: no list \"jobs\""},
	    {"{\"jobs\": [", "fio's output: ']' expected near end of file"},
	    {"", "fio's output: '[' or '{' expected near end of file"}};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		fioout_free(&out);
		ck_assert_int_eq(
		    fioout_parse(&out, bad[i].text, strlen(bad[i].text), &err), -1);
		ck_assert_str_eq(err.msg, bad[i].error);
		ck_assert_uint_eq(out.n, 0);
	}
}
END_TEST

static void
found(const char *text, const char *want)
{
	size_t from, to;

	ck_assert_msg(fioout_next(text, strlen(text), &from, &to), "%s", text);
	ck_assert_uint_eq(to - from, strlen(want));
	ck_assert_mem_eq(text + from, want, to - from);
}

START_TEST(documents_among_other_words)
{
	size_t from, to;

	found("{}", "{}");
	found("a : Saving {output}\n{\"a\": {\"b\": 1}}\nrest", "{\"a\": {\"b\": 1}}");
	found("{\"a\": \"}\\\"}\"}\n{\"b\": 2}\n", "{\"a\": \"}\\\"}\"}");
	ck_assert(!fioout_next("note\n{\"a\": {}", 13, &from, &to));
	ck_assert_uint_eq(from, 5);
	ck_assert(!fioout_next("note {", 6, &from, &to));
	ck_assert_uint_eq(from, 6);
	ck_assert(!fioout_next("", 0, &from, &to));
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("fio-out", counts, histograms, without_bins, without_counts,
	    bins_that_are_none, all_bins_of_fio, the_last_bin, errors_of_jobs, no_document, documents_among_other_words);
}
