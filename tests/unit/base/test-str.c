/* SPDX-License-Identifier: Apache-2.0 */
/* The text buffer and its helpers. */
#include "lib/base/str.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

START_TEST(text)
{
	ck_assert(str_is_text("node-01 \u00e4\u20ac"));
	ck_assert(str_is_text(""));
	ck_assert(!str_is_text("a\nb"));
	ck_assert(!str_is_text("a\x1b[1m"));
	ck_assert(!str_is_text("bad\xff"));
	ck_assert(!str_is_text("cut\xe2\x82"));
	ck_assert(!str_is_text("\x7f"));
}
END_TEST

START_TEST(adds)
{
	struct str str = {0};

	str_add(&str, "a");
	str_addn(&str, "bcd", 2);
	str_addc(&str, '-');
	str_addf(&str, "%d%s", 12, "x");
	ck_assert_str_eq(str.s, "abc-12x");
	ck_assert_uint_eq(str.len, 7);
	str_clear(&str);
	ck_assert_str_eq(str.s, "");
	ck_assert_uint_eq(str.len, 0);
	str_add(&str, "z");
	ck_assert_str_eq(str.s, "z");
	str_free(&str);
	ck_assert(!str.s && !str.len && !str.cap);
}
END_TEST

START_TEST(grows_past_any_step)
{
	struct str str = {0};

	for (int i = 0; i < 5000; i++)
		str_addf(&str, "%04d,", i);
	ck_assert_uint_eq(str.len, 25000);
	ck_assert_uint_eq(strlen(str.s), 25000);
	ck_assert_int_eq(strncmp(str.s + 5 * 4321, "4321,", 5), 0);
	str_free(&str);
}
END_TEST

START_TEST(keeps_nul_bytes_by_length)
{
	struct str str = {0};

	str_addn(&str, "a\0b", 3);
	ck_assert_uint_eq(str.len, 3);
	ck_assert_int_eq(memcmp(str.s, "a\0b", 4), 0);
	str_free(&str);
}
END_TEST

START_TEST(empty_is_a_string_when_taken)
{
	struct str str = {0};
	char *s = str_take(&str);

	ck_assert_str_eq(s, "");
	free(s);
	str_add(&str, "abc");
	s = str_take(&str);
	ck_assert_str_eq(s, "abc");
	ck_assert_ptr_null(str.s);
	free(s);
	str_clear(&str);
	str_addn(&str, "", 0);
	ck_assert_str_eq(str.s, "");
	str_free(&str);
}
END_TEST

START_TEST(prefix)
{
	ck_assert(str_starts("net-tcp", "net-"));
	ck_assert(str_starts("x", ""));
	ck_assert(!str_starts("net", "net-"));
	ck_assert(!str_starts("", "n"));
}
END_TEST

START_TEST(columns)
{
	ck_assert_uint_eq(str_columns(""), 0);
	ck_assert_uint_eq(str_columns("abc"), 3);
	ck_assert_uint_eq(str_columns("\xc2\xb1 1 \xce\xbcs"), 6); /* ± 1 μs */
	ck_assert_uint_eq(str_columns("\xf0\x9f\x98\x80"), 1);
}
END_TEST

START_TEST(suggests)
{
	static const char *const words[] = {
	    "iodepth", "runtime", "ramp_time", "rw", "bs", "numjobs", "rate_iops"};
	static const struct {
		const char *word, *want;
	} cases[] = {
	    {"iodepht", "iodepth"}, /* a swap is one step */
	    {"runtme", "runtime"},
	    {"ramptime", "ramp_time"},
	    {"NUMJOBS", "numjobs"},
	    {"rate-iops", "rate_iops"},
	    {"rww", "rw"}, /* 1 of 3 is just near enough */
	    {"bz", NULL},  /* 1 of 2 is not */
	    {"compression", NULL},
	    {"", NULL},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *got = str_nearest(cases[i].word, words, COUNT(words));

		if (cases[i].want)
			ck_assert_pstr_eq(got, cases[i].want);
		else
			ck_assert_pstr_eq(got, NULL);
	}
	ck_assert_ptr_null(str_nearest("x", NULL, 0));
}
END_TEST

START_TEST(suggests_nothing_for_a_novel)
{
	static const char *const words[] = {"abc"};
	char longer[1000];

	memset(longer, 'a', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	ck_assert_ptr_null(str_nearest(longer, words, 1));
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("str", text, adds, grows_past_any_step, keeps_nul_bytes_by_length,
	    empty_is_a_string_when_taken, prefix, columns, suggests,
	    suggests_nothing_for_a_novel);
}
