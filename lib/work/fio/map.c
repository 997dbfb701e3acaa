/* SPDX-License-Identifier: Apache-2.0 */
/* Options that become something else than the job option of the same name. */
#include "lib/work/fio/draft.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

static struct job *
job_of(struct fio_draft *draft)
{
	return &draft->made.job;
}

/* Where they differ for fio's users is noted in the table. */
int
fio_map_engine(struct fio_draft *draft, const char *value, struct err *err)
{
	draft->posixaio = strcmp(value, "posixaio") == 0;
	if (draft->posixaio) /* libaio or io_uring, once direct is known */
		value = "libaio";
	return job_set(job_of(draft), "ioengine", value, err) ? -1 : !draft->posixaio;
}

int
fio_map_filesize(struct fio_draft *draft, const char *value, struct err *err)
{
	char *end;

	draft->filesize_min = draft->filesize_max = strtoull(value, &end, 10);
	if (draft->filesize_min == 0)
		return err_set(err, ERR_USAGE, "0 is too small");
	if (*end == '-')
		draft->filesize_max = strtoull(end + 1, NULL, 10);
	return 0;
}

int
fio_map_kb_base(struct fio_draft *draft, const char *value, struct err *err)
{
	(void)err;
	draft->kb_base = strcmp(value, "1000") == 0 ? 1000 : 1024;
	return 0;
}

int
fio_map_name(struct fio_draft *draft, const char *value, struct err *err)
{
	draft->named = true;
	return job_set(job_of(draft), "name", value, err) ? -1 : 1;
}

int
fio_map_unique(struct fio_draft *draft, const char *value, struct err *err)
{
	return job_set(
	    job_of(draft), "shared", strcmp(value, "0") == 0 ? "1" : "0", err);
}

int
fio_map_cpumask(struct fio_draft *draft, const char *value, struct err *err)
{
	uint64_t mask = strtoull(value, NULL, 10);
	struct str list = {0};
	int rc;

	if (mask == 0)
		return err_set(err, ERR_USAGE, "the mask holds no CPU");
	for (unsigned cpu = 0; cpu < 64; cpu++)
		if (mask >> cpu & 1)
			str_addf(&list, "%s%u", list.len ? "," : "", cpu);
	rc = job_set(job_of(draft), "cpus_allowed", list.s, err);
	str_free(&list);
	return rc;
}

int
fio_map_stonewall(struct fio_draft *draft, const char *value, struct err *err)
{
	(void)err;
	draft->stonewall = strcmp(value, "0") != 0;
	return 0;
}

int
fio_map_new_group(struct fio_draft *draft, const char *value, struct err *err)
{
	(void)err;
	draft->new_group = strcmp(value, "0") != 0;
	return 0;
}

int
fio_map_wait_for(struct fio_draft *draft, const char *value, struct err *err)
{
	(void)err;
	free(draft->wait_for);
	draft->wait_for = mem_strdup(value);
	return 0;
}

/* 0 is iodepth, which may come later. */
int
fio_map_batch(struct fio_draft *draft, const char *value, struct err *err)
{
	draft->batch_is_depth = strcmp(value, "0") == 0;
	return draft->batch_is_depth
		   ? 0
		   : job_set(job_of(draft), "iodepth_batch", value, err);
}

int
fio_map_complete(struct fio_draft *draft, const char *value, struct err *err)
{
	bool polls = strcmp(value, "0") == 0;

	if (job_set(
		job_of(draft), "iodepth_batch_complete_min", polls ? "1" : value, err))
		return -1;
	return polls ? 0 : 1;
}

int
fio_map_epoch(struct fio_draft *draft, const char *value, struct err *err)
{
	return job_set(job_of(draft), "log_unix_epoch", value, err);
}

int
fio_map_directory(struct fio_draft *draft, const char *value, struct err *err)
{
	struct str name = {0};
	int rc;

	for (const char *s = value; *s; s++) {
		if (*s == ':') {
			str_free(&name);
			return err_set(err, ERR_UNSUPPORTED,
			    "several folders are not supported yet (write \\: for a "
			    "colon in a name)");
		}
		if (*s == '\\' && s[1] == ':')
			s++;
		str_addc(&name, *s);
	}
	rc = job_set(job_of(draft), "directory", name.s, err);
	str_free(&name);
	return rc;
}
