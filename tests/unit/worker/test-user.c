/* SPDX-License-Identifier: Apache-2.0 */
/* Becoming another user, by name and by number. */
#include "agent/worker/user.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/unit/suite.h"

#define NAMELESS 3999999

START_TEST(a_number_without_a_name)
{
	struct err err = ERR_INIT;

	ck_assert_ptr_null(getpwuid(NAMELESS));
	ck_assert_msg(user_become("3999999", &err) == 0, "%s", err.msg);
	ck_assert_uint_eq(geteuid(), NAMELESS);
	ck_assert_uint_eq(getuid(), NAMELESS);
	ck_assert_uint_eq(getegid(), NAMELESS);
	ck_assert_int_eq(getgroups(0, NULL), 0);
}
END_TEST

START_TEST(a_number_with_a_name)
{
	struct err err = ERR_INIT;

	ck_assert_msg(user_become("1", &err) == 0, "%s", err.msg);
	ck_assert_uint_eq(geteuid(), 1);
	ck_assert_uint_eq(getegid(), getpwuid(1)->pw_gid);
}
END_TEST

START_TEST(no_such_user)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(user_become("12x", &err), -1);
	ck_assert_str_eq(err.msg, "user 12x does not exist on this host");
	ck_assert_int_eq(user_become("4294967295", &err), -1);
	ck_assert_uint_eq(geteuid(), 0);
}
END_TEST

int
main(void)
{
	if (geteuid() != 0 || !getpwuid(1)) {
		puts("only root becomes somebody else");
		return 77;
	}
	return SUITE_MAIN(
	    "user", a_number_without_a_name, a_number_with_a_name, no_such_user);
}
