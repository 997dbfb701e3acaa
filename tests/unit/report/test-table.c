/* SPDX-License-Identifier: Apache-2.0 */
/* Columns, cutting, wrapping, figures, and text that would harm a terminal. */
#include "controller/report/table.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "tests/unit/suite.h"

static const char *
figure(double value)
{
	static char buf[FIGURE_BUF];

	return figure_text(buf, value);
}

START_TEST(figures)
{
	ck_assert_str_eq(figure(0), "0");
	ck_assert_str_eq(figure(0.0412), "0.0412");
	ck_assert_str_eq(figure(0.99994), "0.9999");
	ck_assert_str_eq(figure(0.99996), "1.000");
	ck_assert_str_eq(figure(1.2345), "1.234");
	ck_assert_str_eq(figure(9.9996), "10.00");
	ck_assert_str_eq(figure(12.345), "12.35");
	ck_assert_str_eq(figure(123.45), "123.5");
	ck_assert_str_eq(figure(999.96), "1,000");
	ck_assert_str_eq(figure(1336123), "1,336,123");
	ck_assert_str_eq(figure(-12.5), "-12.50");
	ck_assert_str_eq(figure(NAN), "unknown");
	ck_assert_str_eq(figure(INFINITY), "unknown");
}
END_TEST

START_TEST(columns_fit)
{
	static const struct table_column columns[] = {{"name", "", false, 0},
	    {"empty", "s", true, 0}, {"rate", "GiB/s", true, 0}};
	struct table table;
	struct str out = {0};

	table_init(&table, columns, 3);
	table_add(&table, "größe");
	table_add(&table, "");
	table_addf(&table, "%d", 7);
	table_add(&table, "b");
	table_add(&table, "");
	table_add(&table, "123456");
	table_print(&table, 2, 80, &out);
	ck_assert_str_eq(out.s, "  name     rate\n"
				"          GiB/s\n"
				"  größe       7\n"
				"  b      123456\n");
	ck_assert_uint_eq(table.cells.n, 0);
	str_free(&out);
}
END_TEST

START_TEST(wide_names_are_cut)
{
	static const struct table_column columns[] = {
	    {"name", "", false, 6}, {"x", "", true, 0}};
	struct table table;
	struct str out = {0};

	table_init(&table, columns, 2);
	table_add(&table, "ääääääääää");
	table_add(&table, "12345");
	table_print(&table, 0, 15, &out);
	ck_assert_str_eq(out.s, "name          x\n"
				"äääääää…  12345\n");
	str_clear(&out);
	/* never below what the column says, even if the line gets too wide */
	table_add(&table, "ääääääääää");
	table_add(&table, "12345");
	table_print(&table, 0, 5, &out);
	ck_assert_str_eq(out.s, "name        x\n"
				"äääää…  12345\n");
	str_free(&out);
}
END_TEST

START_TEST(plain_text)
{
	struct str out = {0};

	plain_print("a\x1b[31mb\n\xc2\x9bq\x7f", &out);
	ck_assert_str_eq(out.s, "a?[31mb??q?");
	str_clear(&out);
	/* cut short, overlong, surrogate, beyond Unicode, lone continuation */
	plain_print("\xc3", &out);
	plain_print("\xc0\xaf", &out);
	plain_print("\xed\xa0\x80", &out);
	plain_print("\xf5\x80\x80\x80", &out);
	plain_print("\x80", &out);
	ck_assert_str_eq(out.s, "???????????");
	str_clear(&out);
	plain_print("ä€𝄞…", &out);
	ck_assert_str_eq(out.s, "ä€𝄞…");
	str_free(&out);
}
END_TEST

START_TEST(sentences_wrap)
{
	struct str out = {0};

	wrap_print("one two three four", 2, 4, 11, &out);
	ck_assert_str_eq(out.s, "  one two\n    three\n    four\n");
	str_clear(&out);
	wrap_print("averyveryverylongword x", 0, 2, 10, &out);
	ck_assert_str_eq(out.s, "averyveryverylongword\n  x\n");
	str_clear(&out);
	wrap_print("", 2, 2, 10, &out);
	ck_assert_str_eq(out.s, "  \n");
	str_free(&out);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("table", figures, columns_fit, wide_names_are_cut, plain_text,
	    sentences_wrap);
}
