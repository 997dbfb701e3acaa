/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes fio job files, in both modes: whatever the text, it becomes jobs that are
 * valid and whose options read back the same, or an error that names its place.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/fio/jobfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *
variable(void *arg, const char *name)
{
	(void)arg;
	return strcmp(name, "SET") == 0 ? "1m" : NULL;
}

static int
include(void *arg, const char *name, const char *from, char **ret_text, char **ret_name,
    struct err *err)
{
	(void)arg;
	(void)from;
	if (strcmp(name, "x") != 0)
		return err_set(err, ERR_USAGE, "no such file");
	*ret_text = mem_strdup("bs=8k\ninclude x\n");
	*ret_name = mem_strdup("x");
	return 0;
}

static void
check_job(const struct fio_job *job)
{
	struct str text = {0}, again = {0};
	struct job copy;
	char *line, *rest;

	if (job_validate(&job->job, NULL))
		abort();
	job_format(&job->job, &text);
	job_init(&copy);
	rest = text.s ? mem_strdup(text.s) : mem_strdup("");
	for (char *from = rest; (line = strsep(&from, "\n")) && *line;) {
		char *value = strchr(line, '=');

		*value = '\0';
		if (job_set(&copy, line, value + 1, NULL))
			abort();
	}
	job_format(&copy, &again);
	if (strcmp(text.s ? text.s : "", again.s ? again.s : "") != 0)
		abort();
	job_free(&copy);
	free(rest);
	str_free(&text);
	str_free(&again);
}

static void
read_as(const char *text, size_t size, bool as_fio, bool ignore)
{
	const struct fio_reading reading = {.as_fio = as_fio,
	    .ignore_unsupported = ignore,
	    .words = {.getenv = variable,
		.pagesize = 4096,
		.mb_memory = 1024,
		.ncpus = 4},
	    .include = include};
	struct err err = ERR_INIT;
	struct str json = {0};
	struct fio_file file;

	if (fio_file_parse(&file, "fuzz", text, size, &reading, &err)) {
		if (strchr(err.msg, '\n') || (strncmp(err.msg, "fuzz:", 5) != 0 &&
						 strncmp(err.msg, "x:", 2) != 0))
			abort();
		return;
	}
	for (vec_each(const struct fio_job *, job, &file.jobs))
		check_job(job);
	fio_file_json(&file, &json);
	str_free(&json);
	fio_file_free(&file);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);

	read_as(text, strlen(text), false, false);
	read_as(text, strlen(text), true, true);
	free(text);
	return 0;
}
