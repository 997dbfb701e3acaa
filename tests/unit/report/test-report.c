/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of a model made by hand: byte for byte as in tests/golden, and read back
 * as a program would.  GOLDEN_UPDATE=1 writes the golden files instead.
 */
#include "controller/report/report.h"

#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/report/model.h"
#include "tests/unit/store/fixture.h"
#include "tests/unit/suite.h"

static struct str
write_report(const char *format)
{
	struct model *model = mem_alloc(sizeof *model);
	struct str out = {0};
	struct report *report;

	model_make(model);
	report = report_begin(report_format_find(format), &model->head, &out);
	for (size_t i = 0; i < MODEL_CASES; i++)
		report_case(report, &model->cases[i]);
	report_end(report);
	model_free(model);
	free(model);
	return out;
}

static char *
read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	ck_assert_msg(file != NULL, "%s is missing", path);
	ck_assert_uint_lt(fread(text, 1, 1 << 20, file), (1 << 20) - 1);
	fclose(file);
	return text;
}

static void
compare(const char *name, const char *text)
{
	const char *root = getenv("abs_top_srcdir");
	char path[512], *golden;

	snprintf(path, sizeof path, "%s/tests/golden/%s", root ? root : ".", name);
	if (getenv("GOLDEN_UPDATE")) {
		FILE *file = fopen(path, "w");

		ck_assert_ptr_nonnull(file);
		fputs(text, file);
		fclose(file);
	}
	golden = read_file(path);
	ck_assert_str_eq(text, golden);
	free(golden);
}

START_TEST(golden_reports)
{
	static const char *const formats[] = {"text", "json", "csv"};
	static const char *const files[] = {
	    "results.txt", "results.json", "results.csv"};

	for (int i = 0; i < 3; i++) {
		struct str out = write_report(formats[i]);

		compare(files[i], out.s);
		str_free(&out);
	}
}
END_TEST

START_TEST(golden_details)
{
	struct model *model = mem_alloc(sizeof *model);
	struct str out = {0};

	model_make(model);
	for (size_t i = 0; i < MODEL_CASES; i++) {
		report_detail(&model->cases[i], &out);
		str_add(&out, "\n");
	}
	compare("details.txt", out.s);
	str_free(&out);
	model_free(model);
	free(model);
}
END_TEST

static void
add_item(struct results_list *list, const char *id, const char *storage,
    const char *transport, const char *workload, unsigned clients)
{
	struct results_item *item = vec_add(&list->items);

	snprintf(item->id, sizeof item->id, "%s", id);
	item->storage = mem_strdup(storage);
	item->transport = mem_strdup(transport);
	item->workload = mem_strdup(workload);
	item->clients = clients;
}

static void
make_list(struct results_list *list)
{
	*list = (struct results_list){0};
	add_item(list, "0123456789abcdef", "vendor-one", "tcp", "seq-read-1m", 4);
	add_item(list, "0123456789abcdf0", "vendor-one", "rdma", "seq-read-1m", 4);
	add_item(list, "0bbbbbbbbbbbbbbb", "vendor-two", "tcp", "rand-read-4k", 16);
	vec_push(
	    &list->items.v[0].states, ((struct results_state){1, 1, ATTEMPT_INVALID}));
	vec_push(
	    &list->items.v[0].states, ((struct results_state){1, 2, ATTEMPT_VALID}));
	vec_push(
	    &list->items.v[0].states, ((struct results_state){2, 1, ATTEMPT_PARTIAL}));
}

START_TEST(golden_list)
{
	struct results_list list;
	struct str out = {0};

	make_list(&list);
	report_list(&list, &out);
	compare("list.txt", out.s);
	str_free(&out);
	results_list_free(&list);
}
END_TEST

START_TEST(text_fits)
{
	struct str out = write_report("text");

	for (char *line = strtok(out.s, "\n"); line; line = strtok(NULL, "\n"))
		ck_assert_msg(str_columns(line) <= REPORT_COLUMNS, "%s", line);
	str_free(&out);
}
END_TEST

/* Sizes that vary are said as such, and bytes with their unit; percents are none. */
START_TEST(text_sizes_that_vary)
{
	static const char *const sizes[][3] = {
	    {"bssplit", "4096/60:65536/40", "bssplit 4 KiB/60:64 KiB/40,"},
	    {"bsrange", "4096-65536", "bsrange 4 KiB-64 KiB,"},
	    {"bs", "4096,65536", "bs 4 KiB,64 KiB,"}};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct results_case c;
		struct results head;
		struct str out = {0};
		struct report *report;

		fixture_head(&head);
		fixture_case(&c, "0123456789abcdef", "s", "tcp", "w", 1, "read", "1");
		for (vec_each(struct results_param *, p, &c.params))
			if (strcmp(p->name, "bs") == 0) {
				free(p->name);
				free(p->value);
				p->name = mem_strdup(sizes[i][0]);
				p->value = mem_strdup(sizes[i][1]);
			}
		report = report_begin(report_format_find("text"), &head, &out);
		report_case(report, &c);
		report_end(report);
		ck_assert_msg(strstr(out.s, sizes[i][2]) != NULL, "%s", out.s);
		str_free(&out);
		results_case_free(&c);
		results_free(&head);
	}
}
END_TEST

/* The contract, field by field, on values worked out by hand. */
START_TEST(json_reads_back)
{
	struct str out = write_report("json");
	json_t *root = json_loads(out.s, JSON_REJECT_DUPLICATES, NULL), *cases, *one,
	       *all;

	ck_assert_ptr_nonnull(root);
	ck_assert_str_eq(
	    json_string_value(json_object_get(root, "schema")), "volley.results");
	ck_assert_int_eq(
	    json_integer_value(json_object_get(root, "schema_version")), 1);
	ck_assert_str_eq(json_string_value(json_object_get(root, "started_utc")),
	    "2026-11-30T19:55:00Z");
	cases = json_object_get(root, "cases");
	ck_assert_uint_eq(json_array_size(cases), 3 + 3 + 2 + 1 + 1 + 0 + 1);
	one = json_array_get(cases, 0);
	ck_assert_str_eq(json_string_value(json_object_get(one, "state")), "VALID");
	ck_assert_int_eq(
	    json_integer_value(json_object_get(json_object_get(one, "params"), "bs")),
	    1048576);
	ck_assert_int_eq(
	    json_integer_value(json_object_get(one, "window_ns")), 10000000000);
	ck_assert_int_eq(json_integer_value(json_object_get(one, "skew_ns")), 30000);
	/* above INT64_MAX a number would be read wrongly */
	ck_assert_str_eq(
	    json_string_value(json_object_get(one, "seed")), "9223372036854775813");
	all = json_object_get(json_object_get(one, "all_clients"), "read");
	/* 4 clients x 1000 I/Os of 1 MiB in 10 s */
	ck_assert_int_eq(json_integer_value(json_object_get(all, "ios")), 4000);
	ck_assert_double_eq(json_number_value(json_object_get(all, "iops")), 400);
	ck_assert_double_eq(
	    json_number_value(json_object_get(all, "bytes_per_s")), 400 * 1048576.0);
	ck_assert_double_eq_tol(
	    json_number_value(json_object_get(all, "fio_style_iops")), 398, 1e-9);
	ck_assert_double_eq_tol(
	    json_number_value(json_object_get(json_object_get(all, "lat_ns"), "mean")),
	    1999000, 1);
	/* 4,000 samples leave 4 beyond p99.9: unknown */
	ck_assert(json_is_null(json_object_get(
	    json_object_get(json_object_get(all, "lat_ns"), "percentile"), "99.9")));
	ck_assert_ptr_null(
	    json_object_get(json_object_get(one, "all_clients"), "write"));
	ck_assert_uint_eq(json_array_size(json_object_get(one, "per_client")), 4);
	json_decref(root);
	str_free(&out);
}
END_TEST

START_TEST(json_unknown_is_null)
{
	struct str out = write_report("json");
	json_t *root = json_loads(out.s, 0, NULL);
	json_t *cases = json_object_get(root, "cases"), *lost, *refused, *last, *client;

	lost = json_array_get(cases, 4);
	ck_assert_str_eq(json_string_value(json_object_get(lost, "state")), "PARTIAL");
	ck_assert_int_eq(
	    json_integer_value(json_object_get(lost, "clients_expected")), 4);
	ck_assert_int_eq(
	    json_integer_value(json_object_get(lost, "clients_reported")), 3);
	client = json_array_get(json_object_get(lost, "per_client"), 2);
	ck_assert_str_eq(json_string_value(json_object_get(client, "state")), "LOST");
	ck_assert(json_is_null(json_object_get(client, "first_io_offset_ns")));
	ck_assert(json_is_null(json_object_get(client, "cpu_user_pct")));
	ck_assert_ptr_null(json_object_get(client, "read"));
	refused = json_array_get(cases, 7);
	ck_assert(json_is_null(json_object_get(refused, "skew_ns")));
	ck_assert(json_is_null(json_object_get(refused, "window_ns")));
	ck_assert(json_is_null(json_object_get(refused, "overlap")));
	ck_assert_uint_eq(json_object_size(json_object_get(refused, "all_clients")), 0);
	ck_assert_str_eq(
	    json_string_value(json_object_get(
		json_array_get(json_object_get(refused, "reasons"), 0), "code")),
	    "not-run");
	last = json_object_get(json_array_get(cases, 10), "all_clients");
	last = json_object_get(last, "read");
	ck_assert(json_is_null(json_object_get(last, "iops")));
	ck_assert_int_eq(json_integer_value(json_object_get(
			     json_object_get(last, "slat_ns"), "count")),
	    0);
	ck_assert(
	    json_is_null(json_object_get(json_object_get(last, "slat_ns"), "mean")));
	json_decref(root);
	str_free(&out);
}
END_TEST

/* One CSV field into `ret`; returns what follows its comma or line end. */
static const char *
csv_field(const char *p, char *ret, bool *ret_last)
{
	bool quoted = *p == '"';

	for (p += quoted; quoted ? *p != '"' || p[1] == '"' : !strchr(",\n", *p); p++) {
		if (quoted && *p == '"')
			p++;
		*ret++ = *p;
	}
	*ret = '\0';
	p += quoted;
	ck_assert(*p == ',' || *p == '\n');
	*ret_last = *p == '\n';
	return p + 1;
}

#define CSV_FIELDS 100

static const char *
csv_line(const char *p, char fields[CSV_FIELDS][256], size_t *ret_n)
{
	bool last = false;

	for (*ret_n = 0; !last; ++*ret_n) {
		ck_assert_uint_lt(*ret_n, CSV_FIELDS);
		p = csv_field(p, fields[*ret_n], &last);
	}
	return p;
}

START_TEST(csv_reads_back)
{
	static char head[CSV_FIELDS][256], row[CSV_FIELDS][256];
	struct str out = write_report("csv");
	size_t columns, n, rows = 0, quoted = 0, empty = 0;

	for (const char *p = csv_line(out.s, head, &columns); *p; rows++) {
		p = csv_line(p, row, &n);
		ck_assert_uint_eq(n, columns);
		for (size_t i = 0; i < n; i++) {
			if (strcmp(head[i], "storage") == 0)
				quoted +=
				    strcmp(row[i],
					"Speicher mit \"großem\" Namen, und Komma") ==
				    0;
			if (strcmp(head[i], "schema_version") == 0)
				ck_assert_str_eq(row[i], "1");
			if (rows == 0 && strcmp(head[i], "bytes_per_s") == 0)
				ck_assert_str_eq(row[i], "419430400");
			if (rows == 0 && strcmp(head[i], "lat_p99_9_ns") == 0)
				ck_assert_str_eq(row[i], "");
			if (strcmp(head[i], "direction") == 0)
				empty += row[i][0] == '\0';
		}
	}
	/* one more than attempts: the mixed one has two directions */
	ck_assert_uint_eq(rows, 12);
	ck_assert_uint_eq(quoted, 1);
	ck_assert_uint_eq(empty, 1); /* the refused one did not vanish */
	str_free(&out);
}
END_TEST

START_TEST(formats)
{
	ck_assert_ptr_null(report_format_find("html"));
	for (const char *const *name = report_format_names(); *name; name++)
		ck_assert_str_eq(report_format_find(*name)->name, *name);
}
END_TEST

static size_t
selected(const struct results_list *list, const char *selector, size_t *ret_first)
{
	struct results_selection selection;
	struct err err = ERR_INIT;
	size_t n;

	if (results_select(list, selector, &selection, &err) != 0)
		return 0;
	n = selection.indexes.n;
	*ret_first = selection.indexes.v[0];
	vec_free(&selection.indexes);
	return n;
}

START_TEST(selecting_cases)
{
	struct results_selection selection;
	struct results_list list;
	struct err err = ERR_INIT;
	size_t first = 9;

	make_list(&list);
	ck_assert_uint_eq(selected(&list, "0123456789abcdf0", &first), 1);
	ck_assert_uint_eq(first, 1);
	ck_assert_uint_eq(selected(&list, "0b", &first), 1);
	ck_assert_uint_eq(first, 2);
	ck_assert_uint_eq(selected(&list, "vendor-one", &first), 2);
	ck_assert_uint_eq(selected(&list, "vendor-one/rdma", &first), 1);
	ck_assert_uint_eq(selected(&list, "*/*/seq-read-1m/4", &first), 2);
	ck_assert_uint_eq(selected(&list, "*/*/*/16", &first), 1);
	ck_assert_uint_eq(selected(&list, "rand-read-4k", &first), 1);
	ck_assert_uint_eq(selected(&list, "vendor-one/tcp/seq-read-1m/4/5", &first), 0);
	ck_assert_uint_eq(selected(&list, "vendor", &first), 0);
	ck_assert_int_eq(results_select(&list, "0123", &selection, &err), -1);
	ck_assert_str_eq(
	    err.msg, "\"0123\" begins 2 case ids: 0123456789abcdef, 0123456789abcdf0");
	ck_assert_int_eq(results_select(&list, "", &selection, &err), -1);
	ck_assert_int_eq(results_select(&list, "zz", &selection, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "no case is called \"zz\""));
	results_list_free(&list);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("report", golden_reports, golden_details, golden_list,
	    text_fits, text_sizes_that_vary, json_reads_back, json_unknown_is_null, csv_reads_back, formats,
	    selecting_cases);
}
