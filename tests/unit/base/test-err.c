/* SPDX-License-Identifier: Apache-2.0 */
/* Errors: return values, context, one line, cutting, names of codes. */
#include "lib/base/err.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/suite.h"

START_TEST(sets_and_returns)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(err_set(&err, ERR_USAGE, "bs=%s", "4x"), -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_int_eq(err.errnum, 0);
	ck_assert_str_eq(err.msg, "bs=4x");
}
END_TEST

START_TEST(names_the_system_error)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(err_sys(&err, ENOENT, "open %s", "/x"), -1);
	ck_assert_int_eq(err.code, ERR_SYS);
	ck_assert_int_eq(err.errnum, ENOENT);
	ck_assert_str_eq(err.msg, "open /x: No such file or directory");
}
END_TEST

START_TEST(prefix_keeps_code_and_errno)
{
	struct err err = ERR_INIT;

	err_sys(&err, EIO, "read");
	ck_assert_int_eq(err_prefix(&err, "%s", "gpu01"), -1);
	err_prefix(&err, "case %d", 7);
	ck_assert_str_eq(err.msg, "case 7: gpu01: read: Input/output error");
	ck_assert_int_eq(err.code, ERR_SYS);
	ck_assert_int_eq(err.errnum, EIO);
}
END_TEST

START_TEST(null_is_allowed)
{
	ck_assert_int_eq(err_set(NULL, ERR_IO, "x"), -1);
	ck_assert_int_eq(err_sys(NULL, EIO, "x"), -1);
	ck_assert_int_eq(err_prefix(NULL, "x"), -1);
}
END_TEST

START_TEST(stays_one_line)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_PROTOCOL, "%s", "a\nb\tc\x1b[2J\x7f\xc3\xa4");
	ck_assert_str_eq(err.msg, "a?b?c?[2J?\xc3\xa4");
	err_prefix(&err, "p\n");
	ck_assert_str_eq(err.msg, "p?: a?b?c?[2J?\xc3\xa4");
}
END_TEST

START_TEST(cuts_what_does_not_fit)
{
	struct err err = ERR_INIT;
	char longer[3000];

	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	err_set(&err, ERR_IO, "%s", longer);
	ck_assert_uint_eq(strlen(err.msg), sizeof err.msg - 1);
	err_prefix(&err, "front");
	ck_assert_uint_eq(strlen(err.msg), sizeof err.msg - 1);
	ck_assert_int_eq(strncmp(err.msg, "front: xxx", 10), 0);
	err_prefix(&err, "%s", longer);
	ck_assert_uint_eq(strlen(err.msg), sizeof err.msg - 1);
	err_sys(&err, EIO, "%s", longer);
	ck_assert_uint_eq(strlen(err.msg), sizeof err.msg - 1);
	ck_assert_int_eq(err.msg[sizeof err.msg - 2], 'x');
}
END_TEST

START_TEST(may_quote_itself)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_IO, "inner");
	err_set(&err, ERR_TIMEOUT, "outer (%s)", err.msg);
	ck_assert_str_eq(err.msg, "outer (inner)");
	ck_assert_int_eq(err.code, ERR_TIMEOUT);
}
END_TEST

START_TEST(codes_have_names)
{
	for (unsigned i = 0; i < ERR_CODE_COUNT; i++) {
		const char *name = err_code_name((enum err_code)i);

		ck_assert_ptr_nonnull(name);
		ck_assert_uint_eq(
		    strspn(name, "abcdefghijklmnopqrstuvwxyz"), strlen(name));
		ck_assert_uint_eq(err_code_parse(name), i);
	}
	ck_assert_str_eq(err_code_name(ERR_POLICY), "policy");
	ck_assert_str_eq(err_code_name(ERR_SYS), "system");
	ck_assert_str_eq(err_code_name((enum err_code)999), "unknown");
	ck_assert_int_eq(err_code_parse("Policy"), ERR_CODE_COUNT);
	ck_assert_int_eq(err_code_parse(""), ERR_CODE_COUNT);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("err", sets_and_returns, names_the_system_error,
	    prefix_keeps_code_and_errno, null_is_allowed, stays_one_line,
	    cuts_what_does_not_fit, may_quote_itself, codes_have_names);
}
