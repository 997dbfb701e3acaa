/* SPDX-License-Identifier: Apache-2.0 */
/* The token file: made, found, removed; and never anybody else's file. */
#include "agent/worker/token.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/suite.h"

#define DIGITS "0123456789abcdef"

static const char *path = "/mnt/one";

static const char *
touch(int fd, const char *text, json_t **ret)
{
	struct err err = ERR_INIT;
	struct token token;

	json_decref(*ret);
	*ret = json_object();
	ck_assert_int_eq(token_parse(&token, text, &err), 0);
	token_touch(*ret, fd, path, &token);
	return json_string_value(json_object_get(*ret, "token"));
}

START_TEST(made_found_removed)
{
	char folder[] = "/tmp/volley-token-XXXXXX";
	json_t *said = NULL;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	int fd = open(folder, O_PATH | O_DIRECTORY);

	ck_assert_str_eq(touch(fd, "read:" DIGITS, &said), "missing");
	ck_assert_ptr_null(json_object_get(said, "direct"));
	ck_assert_str_eq(touch(fd, "write:" DIGITS, &said), "written");
	ck_assert(json_is_boolean(json_object_get(said, "direct")));
	ck_assert_str_eq(touch(fd, "write:" DIGITS, &said), "File exists");
	ck_assert_str_eq(touch(fd, "read:" DIGITS, &said), "found");
	ck_assert_str_eq(touch(fd, "read:" DIGITS "00", &said), "missing");
	ck_assert_str_eq(touch(fd, "remove:" DIGITS, &said), "removed");
	ck_assert_str_eq(touch(fd, "write:" DIGITS, &said), "written");
	/* The same folder by another path: a file of its own. */
	path = "/mnt/two";
	ck_assert_str_eq(touch(fd, "read:" DIGITS, &said), "missing");
	ck_assert_str_eq(touch(fd, "write:" DIGITS, &said), "written");
	path = "/mnt/one";
	ck_assert_str_eq(touch(fd, "remove:" DIGITS, &said), "removed");
	path = "/mnt/two";
	ck_assert_str_eq(touch(fd, "remove:" DIGITS, &said), "removed");
	path = "/mnt/one";
	ck_assert_str_eq(touch(fd, "remove:" DIGITS, &said), "missing");
	json_decref(said);
	close(fd);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(other_files_stay)
{
	char folder[] = "/tmp/volley-token-XXXXXX";
	json_t *said = NULL;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	int fd = open(folder, O_PATH | O_DIRECTORY);
	const struct token token = {FACTS_WRITE, DIGITS};
	char *name = token_file(path, &token);
	close(openat(fd, name, O_CREAT | O_WRONLY, 0644));

	ck_assert_str_eq(touch(fd, "remove:" DIGITS, &said), "other");
	ck_assert_str_eq(touch(fd, "write:" DIGITS, &said), "File exists");
	ck_assert_int_eq(unlinkat(fd, name, 0), 0);
	ck_assert_int_eq(symlinkat("/etc/passwd", fd, name), 0);
	ck_assert_str_eq(
	    touch(fd, "read:" DIGITS, &said), "Too many levels of symbolic links");
	ck_assert_int_eq(unlinkat(fd, name, 0), 0);
	free(name);
	json_decref(said);
	close(fd);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(words_are_checked)
{
	static const char *const bad[] = {"look:" DIGITS, "write",
	    "write:", "write:0123456789abcde", "write:../../../../../../x",
	    "erase:" DIGITS};
	struct err err = ERR_INIT;
	struct token token;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_int_eq(token_parse(&token, bad[i], &err), -1);
	ck_assert_int_eq(token_parse(&token, "remove:" DIGITS, &err), 0);
	ck_assert_int_eq(token.touch, FACTS_REMOVE);
	ck_assert_str_eq(token.digits, DIGITS);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN(
	    "token", made_found_removed, other_files_stay, words_are_checked);
}
