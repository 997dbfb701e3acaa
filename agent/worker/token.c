/* SPDX-License-Identifier: Apache-2.0 */
/* The token file: one block of the token's digits, again and again. */
#include "agent/worker/token.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/rng.h"

#define BLOCK 4096u

int
token_parse(struct token *ret, const char *text, struct err *err)
{
	size_t word = strcspn(text, ":");
	size_t len = text[word] ? strlen(text + word + 1) : 0;

	*ret = (struct token){FACTS_LOOK, ""};
	for (int t = FACTS_LOOK + 1; t < FACTS_TOUCH_COUNT; t++) {
		const char *name = facts_touch_name((enum facts_touch)t);
		if (strlen(name) == word && strncmp(name, text, word) == 0)
			ret->touch = (enum facts_touch)t;
	}
	if (ret->touch == FACTS_LOOK || len < 16 || len >= sizeof ret->digits ||
	    strspn(text + word + 1, "0123456789abcdef") != len)
		return err_set(err, ERR_USAGE,
		    "--token: write, read or remove, ':' and 16 to 64 hex digits");
	memcpy(ret->digits, text + word + 1, len + 1);
	return 0;
}

static void
fill(char block[BLOCK], const struct token *token)
{
	size_t len = strlen(token->digits);

	for (size_t i = 0; i < BLOCK; i++)
		block[i] = token->digits[i % len];
}

/* Does the file hold the token's block?  1, 0, or −1 with errno. */
static int
holds(int fd, const char *name, int flags, const char *block, char *buf)
{
	int file = openat(fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags);

	if (file < 0)
		return -1;
	ssize_t n = pread(file, buf, BLOCK, 0);
	int saved = errno;
	close(file);
	errno = saved;
	return n < 0 ? -1 : n == (ssize_t)BLOCK && memcmp(buf, block, BLOCK) == 0;
}

static const char *
make(int fd, const char *name, const char *block)
{
	int file = openat(
	    fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

	if (file < 0)
		return strerror(errno);
	bool good = write(file, block, BLOCK) == (ssize_t)BLOCK && fsync(file) == 0;
	int saved = errno;
	good = close(file) == 0 && good;
	if (good)
		return "written";
	unlinkat(fd, name, 0);
	return strerror(saved);
}

/* Opening is not enough: some file systems refuse the I/O only. */
static void
try_direct(json_t *object, int fd, const char *name, const char *block, char *buf)
{
	int rc = holds(fd, name, O_DIRECT, block, buf);

	json_object_set_new(object, "direct", json_boolean(rc == 1));
	if (rc != 1)
		json_object_set_new(object, "direct_error",
		    json_string(rc < 0 ? strerror(errno) : "reads something else"));
}

static const char *
look(int fd, const char *name, const char *block, char *buf)
{
	int rc = holds(fd, name, 0, block, buf);

	if (rc < 0)
		return errno == ENOENT ? "missing" : strerror(errno);
	return rc ? "found" : "other";
}

/* What came of it. */
static const char *
touch(json_t *object, int fd, const char *name, const struct token *token,
    const char *block, char *buf)
{
	const char *outcome = token->touch == FACTS_WRITE ? make(fd, name, block)
							  : look(fd, name, block, buf);

	if (strcmp(outcome, "written") == 0 || strcmp(outcome, "found") == 0)
		try_direct(object, fd, name, block, buf);
	if (token->touch != FACTS_REMOVE || strcmp(outcome, "found") != 0)
		return outcome;
	return unlinkat(fd, name, 0) == 0 ? "removed" : strerror(errno);
}

char *
token_file(const char *path, const struct token *token)
{
	return mem_printf(
	    TOKEN_FILE "%s-%016" PRIx64, token->digits, hash_fnv1a(path, strlen(path)));
}

void
token_touch(json_t *object, int fd, const char *path, const struct token *token)
{
	char *name = token_file(path, token);
	void *block = NULL, *buf = NULL;
	const char *outcome = strerror(ENOMEM);

	if (posix_memalign(&block, BLOCK, BLOCK) == 0 &&
	    posix_memalign(&buf, BLOCK, BLOCK) == 0) {
		fill(block, token);
		outcome = touch(object, fd, name, token, block, buf);
	}
	json_object_set_new(object, "token", json_string(outcome));
	free(block);
	free(buf);
	free(name);
}
