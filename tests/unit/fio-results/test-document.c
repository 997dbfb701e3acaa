/* SPDX-License-Identifier: Apache-2.0 */
/* Which part of a file is the result, and where a damaged one is said to be so. */
#include "controller/fio/document.h"

#include <string.h>

#include "lib/base/mem.h"
#include "tests/unit/suite.h"

static json_t *
parse(const char *text, struct err *err)
{
	*err = ERR_INIT;
	return fio_document_parse("run.json", text, strlen(text), err);
}

/* The number under "a". */
static double
value_of(const char *text)
{
	struct err err;
	json_t *json = parse(text, &err);
	double ret;

	ck_assert_msg(json != NULL, "%s", err.msg);
	ret = json_number_value(json_object_get(json, "a"));
	json_decref(json);
	return ret;
}

START_TEST(text_around_it)
{
	ck_assert_double_eq(value_of("{\"a\" : 1}"), 1);
	ck_assert_double_eq(value_of("\n<gpu01> j: (g=0): rw=read, {x}\n"
				     "Starting 2 processes\n{\n\"a\" : 2\n}\n"),
	    2);
	ck_assert_double_eq(
	    value_of("{\"a\" : 3}\nfio: pid=7, err=28\n\nDisk stats\n"), 3);
}
END_TEST

/* --status-interval: what was counted until then, and at last all of it. */
START_TEST(last_of_several)
{
	ck_assert_double_eq(value_of("{\n\"a\" : 1\n}\n{\n\"a\" : 2\n}\n{\"a\":5}"), 5);
}
END_TEST

/* fio repeats "global options" for each agent, and prints 2^64 - 1 for "none". */
START_TEST(odd_values)
{
	ck_assert_double_eq(value_of("{\"a\" : 1, \"a\" : 2}"), 2);
	ck_assert_double_eq(value_of("{\"a\" : 18446744073709551615}"), 0x1p64);
}
END_TEST

START_TEST(damaged)
{
	static const struct {
		const char *text, *begin;
	} cases[] = {
	    {"", "run.json:1: no JSON here"},
	    {"fio: could not connect\n", "run.json:1: no JSON here"},
	    {"a line\nanother\n{\n \"a\" : 1,\n \"b\" : [1, 2\n",
		"run.json:6: not whole JSON: "},
	    {"{\n \"a\" : 1,\n \"b\" : nan\n}\n", "run.json:3: not whole JSON: "},
	    {"{\"a\" : 1}\n{\"a\" : 2, \"b\n", "run.json:2: not whole JSON: "},
	    {"[1, 2]\n", "run.json:1: no JSON here"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err;

		ck_assert_ptr_null(parse(cases[i].text, &err));
		ck_assert_int_eq(err.code, ERR_USAGE);
		ck_assert_msg(
		    strncmp(err.msg, cases[i].begin, strlen(cases[i].begin)) == 0,
		    "%zu: %s", i, err.msg);
		ck_assert_ptr_null(strchr(err.msg, '\n'));
	}
}
END_TEST

START_TEST(no_file)
{
	struct err err = ERR_INIT;
	uint64_t hash;

	ck_assert_ptr_null(fio_document_read("/nonexistent/x.json", &hash, &err));
	ck_assert_str_eq(err.msg, "/nonexistent/x.json: No such file or directory");
}
END_TEST

int
main(void)
{
	return SUITE_MAIN(
	    "document", text_around_it, last_of_several, odd_values, damaged, no_file);
}
