/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fio/read.h"

#include <check.h>
#include <string.h>

#include "lib/base/mem.h"

static const struct {
	const char *name, *text;
} files[] = {
    {"common.inc", "bs=16k\niodepth=4\n"},
    {"dir/deep.inc", "include more.inc\n"},
    {"dir/more.inc", "numjobs=3\nrwmixread=101\n"},
    {"section.inc", "bs=8k\n[other]\nsize=1m\n"},
    {"loop.inc", "include loop.inc\n"},
};

static const char *
variable(void *arg, const char *name)
{
	(void)arg;
	if (strcmp(name, "SZ") == 0)
		return "8m";
	if (strcmp(name, "DIR") == 0)
		return "/mnt";
	return strcmp(name, "EMPTY") == 0 ? "" : NULL;
}

/* As it stands first, then beside the file that includes it. */
static int
include(void *arg, const char *name, const char *from, char **ret_text, char **ret_name,
    struct err *err)
{
	const char *slash = strrchr(from, '/');
	char *beside = slash ? mem_printf("%.*s/%s", (int)(slash - from), from, name)
			     : mem_strdup(name);

	(void)arg;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (strcmp(files[i].name, name) && strcmp(files[i].name, beside))
			continue;
		*ret_text = mem_strdup(files[i].text);
		*ret_name = mem_strdup(files[i].name);
		free(beside);
		return 0;
	}
	free(beside);
	return err_set(err, ERR_USAGE, "no such file");
}

int
read_text(struct fio_file *ret, const char *text, int how, struct err *err)
{
	const struct fio_reading reading = {.as_fio = how & AS_FIO,
	    .ignore_unsupported = how & IGNORING,
	    .words = {.getenv = variable,
		.pagesize = 4096,
		.mb_memory = 2048,
		.ncpus = 8},
	    .include = include};

	return fio_file_parse(ret, "j.fio", text, strlen(text), &reading, err);
}

/* What is an error otherwise is a warning with as_fio: each place is named. */
static void
check_odd_is_said(const struct fio_file *file, const char *text, int how)
{
	struct err err = ERR_INIT;
	struct fio_file strict;
	size_t place;
	bool said = false;

	if (read_text(&strict, text, how & ~AS_FIO, &err) == 0) {
		fio_file_free(&strict);
		return;
	}
	place = strspn(err.msg + strlen("j.fio:"), "0123456789") + strlen("j.fio:");
	for (size_t i = 0; i < file->jobs.n; i++)
		for (vec_each(char *const *, warning, &file->jobs.v[i].warnings))
			said = said || strncmp(*warning, err.msg, place + 1) == 0;
	ck_assert_msg(said, "'%s' is taken without a word: %s", text, err.msg);
}

void
taken(struct fio_file *ret, const char *text, int how)
{
	struct err err = ERR_INIT;

	ck_assert_msg(read_text(ret, text, how, &err) == 0, "%s: %s", text, err.msg);
	if (how & AS_FIO)
		check_odd_is_said(ret, text, how);
}

void
read_line(struct fio_file *ret, const char *line, int how)
{
	char *text = mem_printf("[j]\nsize=1m\n%s\n", line);

	taken(ret, text, how);
	free(text);
	ck_assert_uint_eq(ret->jobs.n, 1);
}

bool
honoured_line(struct fio_file *ret, const char *line)
{
	char *text = mem_printf("[j]\nsize=1m\n%s\n", line);
	struct err err = ERR_INIT;
	int rc = read_text(ret, text, 0, &err);

	free(text);
	if (rc)
		ck_assert_msg(err.code == ERR_UNSUPPORTED, "%s: %s", line, err.msg);
	return rc == 0;
}

void
refused(const char *text, int how, const char *start)
{
	struct err err = ERR_INIT;
	struct fio_file file;

	ck_assert_msg(read_text(&file, text, how, &err) == -1, "'%s' was taken", text);
	ck_assert_msg(strncmp(err.msg, start, strlen(start)) == 0,
	    "'%s': got \"%s\", want \"%s\"", text, err.msg, start);
	ck_assert_ptr_null(strchr(err.msg, '\n'));
}

void
line_refused(const char *line, int how, const char *start)
{
	char *text = mem_printf("[j]\nsize=1m\n%s\n", line);

	refused(text, how, start);
	free(text);
}
