/* SPDX-License-Identifier: Apache-2.0 */
/* Files and the environment for job files.  See open.h. */
#include "lib/work/fio/open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/mem.h"

static const char *
variable(void *arg, const char *name)
{
	(void)arg;
	return getenv(name);
}

/* NULL: err says why.  The text has a NUL behind it. */
static char *
read_file(const char *path, size_t *ret_len, struct err *err)
{
	FILE *f = fopen(path, "re");
	char *text;
	int errnum;

	if (!f) {
		err_sys(err, errno, "open");
		err->code = ERR_USAGE;
		return NULL;
	}
	text = mem_alloc(FIO_FILE_MAX + 2);
	errno = 0;
	*ret_len = fread(text, 1, FIO_FILE_MAX + 1, f);
	errnum = ferror(f) ? errno : 0;
	fclose(f);
	if (errnum)
		err_sys(err, errnum, "read");
	else if (*ret_len > FIO_FILE_MAX)
		err_set(err, ERR_USAGE, "larger than 1 MiB");
	else if (strlen(text) != *ret_len)
		err_set(err, ERR_USAGE, "holds a NUL character");
	else
		return text;
	free(text);
	return NULL;
}

static int
include_file(void *arg, const char *name, const char *from, char **ret_text,
    char **ret_name, struct err *err)
{
	const char *slash = strrchr(from, '/');
	size_t len;

	(void)arg;
	*ret_name = access(name, F_OK) != 0 && name[0] != '/' && slash
			? mem_printf("%.*s/%s", (int)(slash - from), from, name)
			: mem_strdup(name);
	*ret_text = read_file(*ret_name, &len, err);
	if (*ret_text)
		return 0;
	free(*ret_name);
	return -1;
}

static uint64_t
system_number(int name, uint64_t unknown)
{
	long v = sysconf(name);

	return v > 0 ? (uint64_t)v : unknown;
}

int
fio_file_open(struct fio_file *ret, const char *path, bool as_fio,
    bool ignore_unsupported, struct err *err)
{
	uint64_t page = system_number(_SC_PAGESIZE, 4096);
	const struct fio_reading reading = {.as_fio = as_fio,
	    .ignore_unsupported = ignore_unsupported,
	    .words = {.getenv = variable,
		.pagesize = page,
		.mb_memory = system_number(_SC_PHYS_PAGES, 0) * page >> 20,
		.ncpus = system_number(_SC_NPROCESSORS_ONLN, 1)},
	    .include = include_file};
	size_t len;
	char *text = read_file(path, &len, err);
	int rc;

	if (!text)
		return err_prefix(err, "%s", path);
	rc = fio_file_parse(ret, path, text, len, &reading, err);
	free(text);
	return rc;
}

bool
fio_file_is_named(const char *path)
{
	static const char *const ends[] = {".fio", ".job", ".ini"};
	size_t len = strlen(path);

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (len > 4 && strcmp(path + len - 4, ends[i]) == 0)
			return true;
	return false;
}
