/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of public keys: who may command an agent, and which agents are known.
 */
#include "lib/rpc/key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/str.h"

static int
keyring_line(struct keyring *ring, char *line, bool with_host, struct err *err)
{
	struct key_public pub;
	char *host = NULL;

	line += strspn(line, " \t\r\n");
	if (!*line || *line == '#')
		return 0;
	if (with_host) {
		size_t len = strcspn(line, " \t\r\n");

		host = mem_strndup(line, len);
		line += len;
	}
	if (key_public_parse(&pub, line, err)) {
		free(host);
		return -1;
	}
	vec_push(&ring->entries, ((struct key_entry){.host = host, .pub = pub}));
	return 0;
}

int
keyring_read(struct keyring *ring, const char *path, bool with_host, struct err *err)
{
	FILE *file = fopen(path, "re");
	unsigned number = 0;
	char *line = NULL;
	size_t cap = 0;
	int result = 0;

	if (!file && errno == ENOENT && with_host)
		return 0;
	if (!file)
		return err_sys(err, errno, "open %s", path);
	while (result == 0 && getline(&line, &cap, file) >= 0) {
		number++;
		result = keyring_line(ring, line, with_host, err);
		if (result)
			err_prefix(err, "%s:%u", path, number);
	}
	if (result == 0 && ferror(file))
		result = err_sys(err, errno, "read %s", path);
	free(line);
	fclose(file);
	return result;
}

/* A file that was edited by hand may lack its last newline. */
static bool
ends_inside_line(int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char last;

	return end > 0 && pread(fd, &last, 1, end - 1) == 1 && last != '\n';
}

int
keyring_append(
    const char *path, const char *host, const struct key_public *pub, struct err *err)
{
	int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	struct str line = {0};
	char *text;
	ssize_t n;
	int result = 0;

	if (fd < 0)
		return err_sys(err, errno, "open %s", path);
	text = key_public_format(pub);
	/* Two controllers that meet new agents at the same time. */
	if (flock(fd, LOCK_EX)) {
		result = err_sys(err, errno, "lock %s", path);
	} else {
		if (ends_inside_line(fd))
			str_addc(&line, '\n');
		if (host)
			str_addf(&line, "%s ", host);
		str_addf(&line, "%s\n", text);
		n = write(fd, line.s, line.len);
		if (n < 0 || (size_t)n < line.len)
			result = err_sys(err, n < 0 ? errno : ENOSPC, "write %s", path);
	}
	free(text);
	str_free(&line);
	close(fd);
	return result;
}

void
keyring_free(struct keyring *ring)
{
	for (vec_each(struct key_entry *, entry, &ring->entries)) {
		free(entry->host);
		key_public_free(&entry->pub);
	}
	vec_free(&ring->entries);
}

const struct key_entry *
keyring_find(
    const struct keyring *ring, const char *host, const uint8_t raw[KEY_PUBLIC_LEN])
{
	for (vec_each(const struct key_entry *, entry, &ring->entries)) {
		if (host && (!entry->host || strcmp(entry->host, host)))
			continue;
		if (!raw || memcmp(entry->pub.raw, raw, KEY_PUBLIC_LEN) == 0)
			return entry;
	}
	return NULL;
}
