/* SPDX-License-Identifier: Apache-2.0 */
/* Secrets in files, and new ones. */
#include "lib/base/secret.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/suite.h"

static const char *
key_of(const char *text, mode_t mode, struct err *err)
{
	char path[] = "key-XXXXXX", *key = NULL;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(fchmod(fd, mode), 0);
	close(fd);
	if (secret_read(&key, path, err) < 0)
		key = NULL;
	unlink(path);
	return key;
}

START_TEST(keys)
{
	struct err err;
	char *key = (char *)key_of("0123456789abcdef\nmore\n", 0600, &err);

	ck_assert_str_eq(key, "0123456789abcdef");
	free(key);
	ck_assert_ptr_null(key_of("0123456789abcde\n", 0600, &err));
	ck_assert_ptr_nonnull(strstr(err.msg, "one line of 16 to 256"));
	ck_assert_ptr_null(key_of("0123456789 abcdef\n", 0600, &err));
	ck_assert_ptr_null(key_of("0123456789abcdef\n", 0640, &err));
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_ptr_nonnull(strstr(err.msg, "others may read it (mode 640)"));
	ck_assert_int_eq(secret_read(&key, "/nowhere", &err), -1);
}
END_TEST

START_TEST(new_ones_differ)
{
	struct err err;
	char *a, *b;

	ck_assert_int_eq(secret_new(&a, &err), 0);
	ck_assert_int_eq(secret_new(&b, &err), 0);
	ck_assert_uint_eq(strlen(a), 64);
	ck_assert(secret_is(a));
	ck_assert_str_ne(a, b);
	secret_free(a);
	secret_free(b);
	secret_free(NULL);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("secret", keys, new_ones_differ);
}
