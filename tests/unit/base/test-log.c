/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines: their form, levels, and that a peer's text cannot forge one. */
#include "lib/base/log.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/suite.h"

static char captured[4096];

/* Sends stderr into a pipe, logs, and reads it back. */
static const char *
capture(void (*speak)(void))
{
	int fds[2], saved = dup(STDERR_FILENO);
	ssize_t got;

	ck_assert_int_eq(pipe(fds), 0);
	dup2(fds[1], STDERR_FILENO);
	speak();
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(fds[1]);
	got = read(fds[0], captured, sizeof captured - 1);
	captured[got > 0 ? got : 0] = '\0';
	close(fds[0]);
	return captured;
}

static void
all_levels(void)
{
	log_error("e %d", 1);
	log_warn("w");
	log_info("i");
	log_debug("d");
}

static void
forged(void)
{
	log_warn("peer says %s", "x\nvolleyd: error: \x1b[2Jgone");
}

static void
keep_errno(void)
{
	errno = ENOSPC;
	log_error("x");
	ck_assert_int_eq(errno, ENOSPC);
}

START_TEST(has_ident_and_level)
{
	log_setup("volleyd", LOG_LEVEL_DEBUG);
	ck_assert_str_eq(capture(all_levels), "volleyd: error: e 1\n"
					      "volleyd: warning: w\n"
					      "volleyd: info: i\n"
					      "volleyd: debug: d\n");
}
END_TEST

START_TEST(keeps_quiet_below_its_level)
{
	log_setup("v", LOG_LEVEL_WARNING);
	ck_assert_str_eq(capture(all_levels), "v: error: e 1\nv: warning: w\n");
	log_setup("v", LOG_LEVEL_ERROR);
	ck_assert_str_eq(capture(all_levels), "v: error: e 1\n");
}
END_TEST

START_TEST(one_line_whatever_comes)
{
	log_setup("volleyd", LOG_LEVEL_INFO);
	ck_assert_str_eq(capture(forged),
	    "volleyd: warning: peer says x?volleyd: error: ?[2Jgone\n");
}
END_TEST

START_TEST(errno_survives)
{
	log_setup("v", LOG_LEVEL_INFO);
	capture(keep_errno);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("log", has_ident_and_level, keeps_quiet_below_its_level,
	    one_line_whatever_comes, errno_survives);
}
