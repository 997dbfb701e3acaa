/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and making secrets. */
#include "lib/base/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mem.h"

#define NEW_BYTES 32

bool
secret_is(const char *text)
{
	size_t len = strlen(text);

	for (const char *c = text; *c; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	return len >= SECRET_MIN && len <= SECRET_MAX;
}

int
secret_read(char **ret, const char *path, struct err *err)
{
	char text[SECRET_MAX + 2] = "";
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_sys(err, errno, "key %s", path);
	if (fstat(fd, &st) < 0 || read(fd, text, sizeof text - 1) < 0) {
		err_sys(err, errno, "key %s", path);
		close(fd);
		return -1;
	}
	close(fd);
	if (st.st_mode & 077)
		return err_set(err, ERR_POLICY,
		    "key %s: others may read it (mode %03o): chmod 600", path,
		    (unsigned)st.st_mode & 0777);
	text[strcspn(text, "\n")] = '\0';
	if (!secret_is(text))
		return err_set(err, ERR_USAGE,
		    "key %s: one line of %u to %u printable characters without blanks "
		    "is wanted (openssl rand -hex 32)",
		    path, SECRET_MIN, SECRET_MAX);
	*ret = mem_strdup(text);
	explicit_bzero(text, sizeof text);
	return 0;
}

int
secret_new(char **ret, struct err *err)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t bytes[NEW_BYTES];
	char *text;

	if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		return err_sys(err, errno, "getrandom");
	text = mem_alloc(2 * NEW_BYTES + 1);
	for (size_t i = 0; i < NEW_BYTES; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	explicit_bzero(bytes, sizeof bytes);
	*ret = text;
	return 0;
}

void
secret_free(char *secret)
{
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}
