/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fio-json writers: read back as fio's consumers do, beside figures computed here
 * in another way, and imported again.
 */
#include "controller/report/report.h"

#include <jansson.h>
#include <math.h>

#include "controller/fio/import.h"
#include "lib/fiojson/write.h"
#include "tests/unit/fio-results/files.h"
#include "tests/unit/report/model.h"
#include "tests/unit/suite.h"

static struct str
write_cases(const char *format, const struct model *model, size_t from, size_t n)
{
	struct str out = {0};
	struct report *report =
	    report_begin(report_format_find(format), &model->head, &out);

	for (size_t i = from; i < from + n; i++)
		report_case(report, &model->cases[i]);
	report_end(report);
	return out;
}

static json_t *
entries_of(const char *format, const struct model *model, size_t from, size_t n)
{
	struct str out = write_cases(format, model, from, n);
	json_t *root = json_loads(out.s, JSON_REJECT_DUPLICATES, NULL);
	json_t *entries = json_incref(json_object_get(root, "client_stats"));

	ck_assert(json_is_array(entries));
	json_decref(root);
	str_free(&out);
	return entries;
}

static const char *
text_at(const json_t *entries, size_t i, const char *name)
{
	return json_string_value(json_object_get(json_array_get(entries, i), name));
}

static double
number_at(const json_t *json, const char *first, const char *second, const char *third)
{
	json = json_object_get(json, first);
	if (second)
		json = json_object_get(json, second);
	if (third)
		json = json_object_get(json, third);
	return json_is_number(json) ? json_number_value(json) : NAN;
}

START_TEST(document)
{
	struct model *model = mem_alloc(sizeof *model);
	struct str out;
	json_t *root;

	model_make(model);
	out = write_cases("fio-json", model, 0, 1);
	root = json_loads(out.s, JSON_REJECT_DUPLICATES, NULL);
	ck_assert_str_eq(json_string_value(json_object_get(root, "fio version")),
	    "fio-3.33-volley-0.1.0");
	ck_assert_str_eq(json_string_value(json_object_get(root, "time")),
	    "Mon Nov 30 19:55:12 2026");
	ck_assert_int_eq(json_integer_value(json_object_get(root, "timestamp")),
	    json_integer_value(json_object_get(root, "timestamp_ms")) / 1000);
	ck_assert(json_is_object(json_object_get(root, "global options")));
	json_decref(root);
	str_free(&out);
	model_free(model);
	free(model);
}
END_TEST

/* Clients in the plan's order, then "All clients", for each repeat. */
START_TEST(order)
{
	struct model *model = mem_alloc(sizeof *model);
	json_t *entries;

	model_make(model);
	entries = entries_of("fio-json", model, 0, 1); /* 3 repeats of 4 clients */
	ck_assert_uint_eq(json_array_size(entries), 15);
	for (size_t i = 0; i < 15; i++) {
		char host[16];

		snprintf(host, sizeof host, "gpu%02zu", i % 5 + 1);
		ck_assert_str_eq(text_at(entries, i, "jobname"),
		    i % 5 == 4 ? "All clients" : "seq-read-1m");
		ck_assert_str_eq(
		    text_at(entries, i, "hostname"), i % 5 == 4 ? "All clients" : host);
		ck_assert_double_eq(
		    number_at(json_array_get(entries, i), "groupid", NULL, NULL),
		    (double)(i / 5));
		ck_assert_double_eq(
		    number_at(json_array_get(entries, i), "volley", "repeat", NULL),
		    (double)(i / 5 + 1));
	}
	json_decref(entries);
	entries = entries_of("fio-json", model, 6, 1); /* one client */
	ck_assert_uint_eq(json_array_size(entries), 2);
	ck_assert_str_eq(text_at(entries, 1, "jobname"), "All clients");
	json_decref(entries);
	model_free(model);
	free(model);
}
END_TEST

START_TEST(figures)
{
	struct model *model = mem_alloc(sizeof *model);
	json_t *entries;
	const json_t *one, *all;

	model_make(model);
	entries = entries_of("fio-json+", model, 0, 1);
	one = json_array_get(entries, 0);
	all = json_array_get(entries, 4);
	/* 1000 I/Os of 1 MiB in 10 s, 4 clients of 8 threads */
	ck_assert_double_eq(number_at(one, "read", "total_ios", NULL), 1000);
	ck_assert_double_eq(number_at(one, "read", "io_bytes", NULL), 1048576000);
	ck_assert_double_eq(number_at(one, "read", "io_kbytes", NULL), 1024000);
	ck_assert_double_eq(number_at(one, "read", "bw_bytes", NULL), 104857600);
	ck_assert_double_eq(number_at(one, "read", "bw", NULL), 102400);
	ck_assert_double_eq(number_at(one, "read", "iops", NULL), 100);
	ck_assert_double_eq(number_at(one, "read", "runtime", NULL), 10000);
	ck_assert_double_eq(number_at(one, "job_runtime", NULL, NULL), 80000);
	ck_assert_double_eq(number_at(all, "job_runtime", NULL, NULL), 320000);
	ck_assert_double_eq(number_at(all, "read", "bw", NULL), 409600);
	ck_assert_double_eq(number_at(all, "read", "total_ios", NULL), 4000);
	/* 2.5 s and 5 s in 10 s, of 8 threads */
	ck_assert_double_eq(number_at(one, "usr_cpu", NULL, NULL), 3.125);
	ck_assert_double_eq(number_at(one, "sys_cpu", NULL, NULL), 6.25);
	/* the slots: 10 I/Os in each of 100 */
	ck_assert_double_eq(number_at(one, "read", "iops_mean", NULL), 100);
	ck_assert_double_eq(number_at(one, "read", "iops_min", NULL), 100);
	ck_assert_double_eq(number_at(one, "read", "bw_max", NULL), 102400);
	ck_assert_double_eq(number_at(one, "read", "bw_samples", NULL), 100);
	ck_assert_double_eq(number_at(one, "read", "bw_dev", NULL), 0);
	ck_assert_double_eq(number_at(all, "read", "iops_mean", NULL), 400);
	/* nothing was written or trimmed, and nobody counted short I/Os */
	ck_assert_double_eq(number_at(one, "write", "total_ios", NULL), 0);
	ck_assert_double_eq(number_at(one, "trim", "total_ios", NULL), 0);
	ck_assert_double_eq(number_at(one, "trim", "short_ios", NULL), 0);
	ck_assert_double_eq(number_at(one, "read", "bw_agg", NULL), 100);
	ck_assert_double_eq(number_at(one, "latency_depth", NULL, NULL), 16);
	ck_assert_double_eq(number_at(one, "latency_target", NULL, NULL), 0);
	ck_assert_double_eq(number_at(one, "latency_percentile", NULL, NULL), 100);
	ck_assert_double_eq(number_at(one, "write", "clat_ns", "N"), 0);
	ck_assert_ptr_null(json_object_get(json_object_get(one, "read"), "short_ios"));
	ck_assert_ptr_null(json_object_get(json_object_get(one, "write"), "bw_mean"));
	ck_assert_double_eq(number_at(one, "ctx", NULL, NULL), 1000);
	ck_assert_double_eq(number_at(one, "majf", NULL, NULL), 3);
	ck_assert_double_eq(number_at(one, "minf", NULL, NULL), 40);
	/* nobody added them up */
	ck_assert_ptr_null(json_object_get(all, "ctx"));
	ck_assert_double_eq(number_at(one, "error", NULL, NULL), 0);
	/* clat is spread evenly over 0.9 to 2.7 ms: 100/1800 of it below 1 ms */
	ck_assert_double_eq_tol(number_at(one, "latency_us", "1000", NULL), 5.6, 0.5);
	ck_assert_double_eq_tol(number_at(one, "latency_ms", "2", NULL), 55.6, 0.5);
	ck_assert_double_eq_tol(number_at(one, "latency_ms", "4", NULL), 38.9, 0.5);
	json_decref(entries);
	model_free(model);
	free(model);
}
END_TEST

/* As a reader of json+ counts: sorted bins, first at which p percent are reached. */
static double
percentile_of_bins(const json_t *latency, double p)
{
	json_t *bins = json_object_get(latency, "bins"), *value;
	double n = number_at(latency, "N", NULL, NULL), sum = 0, best = NAN, last = -1;
	const char *key;

	for (size_t i = 0; i < json_object_size(bins); i++) {
		double next = INFINITY, times = 0;

		json_object_foreach(bins, key, value)
		{
			double at = strtod(key, NULL);

			if (at > last && at < next) {
				next = at;
				times = json_number_value(value);
			}
		}
		sum += times;
		last = next;
		if (isnan(best) && sum >= p / 100 * n)
			best = next;
	}
	ck_assert_double_eq(sum, n);
	return best;
}

static void
push_param(struct results_case *c, const char *name, const char *value)
{
	struct results_param *param = vec_add(&c->params);

	param->name = mem_strdup(name);
	param->value = mem_strdup(value);
}

/* Only fsync= counts; with others beside it nobody knows how many were which. */
START_TEST(syncs)
{
	struct model *model = mem_alloc(sizeof *model);
	struct results_case *c = &model->cases[6];
	const double want[] = {0, 2, NAN};

	model_make(model);
	struct tally *tally = c->attempts.v[0]->attempt.clients.v[0].tally;
	tally->dir[DIR_WRITE].sync = tally->dir[DIR_READ].lat;
	tally->dir[DIR_WRITE].sync.count = 2;
	for (int i = 0; i < 3; i++) {
		json_t *entries;

		if (i)
			push_param(c, i == 1 ? "fsync" : "fdatasync", "4");
		entries = entries_of("fio-json", model, 6, 1);
		double got =
		    number_at(json_array_get(entries, 0), "sync", "total_ios", NULL);
		ck_assert_msg(isnan(want[i]) ? isnan(got) : got == want[i],
		    "%d: %g", i, got);
		ck_assert_double_eq(number_at(json_array_get(entries, 0), "sync",
				    "lat_ns", "N"), 2);
		json_decref(entries);
	}
	model_free(model);
	free(model);
}
END_TEST

/* Of clients that ended when they were through, with writing and reading back. */
START_TEST(job_runtime)
{
	struct model *model = mem_alloc(sizeof *model);
	struct attempt *attempt;
	json_t *entries;

	model_make(model);
	attempt = &model->cases[0].attempts.v[0]->attempt;
	for (size_t i = 0; i < 4; i++) {
		struct tally *tally = attempt->clients.v[i].tally;

		tally->window_from = 0;
		tally->window_to = UINT64_MAX;
		tally->has_first_io = true;
		tally->first_io_ns = 500000000;
		tally->end_ns = 500000000 + (i + 1) * UINT64_C(1000000000);
		tally->dir[DIR_READ].times = (struct dir_times){.own = true,
		    .last_from_ns = 600000000,
		    .first_to_ns = 900000000,
		    .busy_ns = 300000000};
	}
	entries = entries_of("fio-json", model, 0, 1);
	/* of 8 threads */
	ck_assert_double_eq(
	    number_at(json_array_get(entries, 1), "job_runtime", NULL, NULL), 16000);
	ck_assert_double_eq(
	    number_at(json_array_get(entries, 1), "read", "runtime", NULL), 300);
	ck_assert_double_eq(
	    number_at(json_array_get(entries, 4), "job_runtime", NULL, NULL), 80000);
	json_decref(entries);
	model_free(model);
	free(model);
}
END_TEST

START_TEST(percentiles)
{
	static const char *const kinds[] = {"slat_ns", "clat_ns", "lat_ns"};
	struct model *model = mem_alloc(sizeof *model);
	json_t *entries, *value;
	const char *key;

	model_make(model);
	entries = entries_of("fio-json+", model, 0, 1);
	for (int i = 0; i < 3; i++) {
		const json_t *latency = json_object_get(
		    json_object_get(json_array_get(entries, 14), "read"), kinds[i]);
		json_t *list = json_object_get(latency, "percentile");

		ck_assert_uint_eq(json_object_size(list), 17);
		json_object_foreach(list, key, value)
		{
			double p = strtod(key, NULL);

			/* 99.9 % of 3920 is no whole number; 50 % is: no rounding */
			ck_assert_double_eq(
			    json_number_value(value), percentile_of_bins(latency, p));
		}
	}
	json_decref(entries);
	entries = entries_of("fio-json", model, 0, 1);
	ck_assert_ptr_null(json_object_get(
	    json_object_get(
		json_object_get(json_array_get(entries, 0), "read"), "clat_ns"),
	    "bins"));
	json_decref(entries);
	model_free(model);
	free(model);
}
END_TEST

/* fio's arithmetic: 99.9 is a little more than 999 of 1000, 50 is exactly half. */
START_TEST(rule)
{
	struct hist *hist = mem_alloc(sizeof *hist);
	struct fio_style style = {0};
	json_t *json;

	hist_add(hist, 10, 999);
	hist_add(hist, 20, 1);
	ck_assert_uint_eq(hist_percentile_fio(hist, 99.9), 20);
	ck_assert_uint_eq(hist_percentile_fio(hist, 50), 10);
	ck_assert_uint_eq(hist_percentile_fio(hist, 100), 20);
	hist_reset(hist);
	/* and 30 is exactly 120 of 400: a share of 0.3 would be a little more */
	hist_add(hist, 10, 120);
	hist_add(hist, 20, 120);
	hist_add(hist, 30, 160);
	ck_assert_uint_eq(hist_percentile_fio(hist, 30), 10);
	ck_assert_uint_eq(hist_percentile_fio(hist, 60), 20);
	hist_reset(hist);
	ck_assert_uint_eq(hist_percentile_fio(hist, 50), 0);
	/* a midpoint may be beyond the largest value, and all is 17.1 s at most */
	hist_add(hist, 1000, 1);
	ck_assert_uint_eq(hist_percentile_fio(hist, 100), 1004);
	hist_add(hist, UINT64_C(40000000000), 1);
	hist_add(hist, UINT64_C(90000000000), 1);
	ck_assert_uint_eq(hist_percentile_fio(hist, 100), UINT64_C(17112760320));
	fio_style_percentiles(&style, "50:99.5");
	style.bins = true;
	json = fio_latency_json(hist, &style);
	ck_assert_uint_eq(json_object_size(json_object_get(json, "percentile")), 2);
	ck_assert_uint_eq(json_object_size(json_object_get(json, "bins")), 2);
	ck_assert_double_eq(number_at(json, "bins", "17112760320", NULL), 2);
	ck_assert_double_eq(number_at(json, "max", NULL, NULL), 90000000000);
	json_decref(json);
	vec_free(&style.percentiles);
	free(hist);
}
END_TEST

/* A lost client has its entry, and the sum says that it is not in it. */
START_TEST(partial_and_refused)
{
	struct model *model = mem_alloc(sizeof *model);
	json_t *entries;

	model_make(model);
	entries = entries_of("fio-json", model, 1, 1); /* repeat 2: gpu03 lost */
	ck_assert_uint_eq(json_array_size(entries), 15);
	ck_assert_str_eq(text_at(entries, 7, "hostname"), "gpu03");
	ck_assert(number_at(json_array_get(entries, 7), "error", NULL, NULL) > 0);
	ck_assert_ptr_null(json_object_get(json_array_get(entries, 7), "read"));
	ck_assert(number_at(json_array_get(entries, 9), "error", NULL, NULL) > 0);
	ck_assert_double_eq(
	    number_at(json_array_get(entries, 9), "read", "total_ios", NULL), 4500);
	ck_assert_double_eq(
	    number_at(json_array_get(entries, 9), "volley", "clients_reported", NULL),
	    3);
	ck_assert_double_eq(
	    number_at(json_array_get(entries, 14), "error", NULL, NULL), 0);
	json_decref(entries);
	entries = entries_of("fio-json", model, 2, 1); /* repeat 2: nothing started */
	size_t last = json_array_size(entries) - 1;
	ck_assert_str_eq(text_at(entries, last, "jobname"), "All clients");
	ck_assert(number_at(json_array_get(entries, last), "error", NULL, NULL) > 0);
	ck_assert_ptr_null(json_object_get(json_array_get(entries, last), "read"));
	json_decref(entries);
	model_free(model);
	free(model);
}
END_TEST

/* No rate is made up where there is no window. */
START_TEST(unknown)
{
	struct model *model = mem_alloc(sizeof *model);
	json_t *entries;
	const json_t *all;

	model_make(model);
	entries = entries_of("fio-json", model, 6, 1);
	all = json_array_get(entries, 1);
	ck_assert_double_eq(number_at(all, "read", "total_ios", NULL), 50);
	ck_assert_ptr_null(json_object_get(json_object_get(all, "read"), "bw"));
	ck_assert_ptr_null(json_object_get(json_object_get(all, "read"), "iops"));
	ck_assert_ptr_null(json_object_get(all, "usr_cpu"));
	ck_assert_ptr_null(json_object_get(json_array_get(entries, 0), "usr_cpu"));
	ck_assert_double_eq(
	    number_at(json_array_get(entries, 0), "total_err", NULL, NULL), 1);
	ck_assert(number_at(all, "error", NULL, NULL) > 0);
	json_decref(entries);
	model_free(model);
	free(model);
}
END_TEST

static void
compare_hists(const struct hist *a, const struct hist *b)
{
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_mem_eq(a->bucket, b->bucket, sizeof a->bucket);
	if (a->count == 0)
		return;
	ck_assert_uint_eq(a->min, b->min);
	ck_assert_uint_eq(a->max, b->max);
	ck_assert_double_eq_tol(hist_mean(a), hist_mean(b), 1e-6 * hist_mean(a));
	ck_assert_double_eq_tol(hist_stddev(a), hist_stddev(b), 1e-4 * hist_stddev(a));
}

START_TEST(round_trip)
{
	struct model *model = mem_alloc(sizeof *model);
	struct fio_import import;
	struct fio_as as;
	struct attempt back;
	struct err err = ERR_INIT;
	const struct attempt *was;
	struct str out;
	const char *path;

	model_make(model);
	ck_assert_int_eq(
	    fio_as_parse(&as, "storage=A,transport=tcp,workload=w", &err), 0);

	/* several repeats are not one run */
	out = write_cases("fio-json+", model, 0, 1);
	path = file_made("repeats.json", out.s);
	ck_assert_int_eq(fio_import_read(&import, &as, &path, 1, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "several groups"));
	str_free(&out);

	was = &model->cases[4].attempts.v[0]->attempt; /* reads and writes */
	push_param(&model->cases[4], "latency_target", "10ms");
	was->clients.v[0].tally->latency_depth = 3;
	out = write_cases("fio-json+", model, 4, 1);
	path = file_made("mixed.json", out.s);
	ck_assert_msg(
	    fio_import_read(&import, &as, &path, 1, &err) == 0, "%s", err.msg);
	fio_import_attempt(&import, 0, &back);
	ck_assert_uint_eq(back.clients.n, 1);
	ck_assert_str_eq(back.clients.v[0].agent, "gpu01");
	ck_assert(back.clients.v[0].tally->usage.known);
	ck_assert_uint_eq(back.clients.v[0].tally->usage.switches,
	    was->clients.v[0].tally->usage.switches);
	ck_assert_uint_eq(back.clients.v[0].tally->latency_depth, 3);
	ck_assert_str_eq(results_case_param(&import.into, "bs"), "131072");
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct dir_tally *a = &was->total.merged->dir[dir];
		const struct dir_tally *b = &back.total.merged->dir[dir];

		ck_assert_uint_eq(
		    a->phase[METER_INSIDE].ios, b->phase[METER_INSIDE].ios);
		ck_assert_uint_eq(
		    a->phase[METER_INSIDE].bytes, b->phase[METER_INSIDE].bytes);
		compare_hists(&a->slat, &b->slat);
		compare_hists(&a->clat, &b->clat);
		compare_hists(&a->lat, &b->lat);
		ck_assert_double_eq(back.total.dir[dir].iops, was->total.dir[dir].iops);
		ck_assert_double_eq(
		    back.total.dir[dir].bytes_per_s, was->total.dir[dir].bytes_per_s);
	}
	attempt_free(&back);
	fio_import_free(&import);
	fio_as_free(&as);
	str_free(&out);
	model_free(model);
	free(model);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("fio-json", document, order, figures, syncs, job_runtime,
	    percentiles, rule, partial_and_refused, unknown, round_trip);
}
