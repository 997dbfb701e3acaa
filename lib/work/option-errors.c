/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors as values of options: by name or number, alone or in ignore_error's lists for
 * reads, writes and verification ("EAGAIN,ENOSPC:122").
 */
#include "lib/work/option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"

#define ERRNO_MAX 4095 /* of the kernel */

static const struct word names[] = {{"EIO", EIO}, {"ENOSPC", ENOSPC},
    {"EDQUOT", EDQUOT}, {"ENODATA", ENODATA}, {"ESTALE", ESTALE},
    {"ETIMEDOUT", ETIMEDOUT}, {"EREMOTEIO", EREMOTEIO}, {"ENOTCONN", ENOTCONN},
    {"EAGAIN", EAGAIN}, {"EINTR", EINTR}, {"EINVAL", EINVAL}, {"EACCES", EACCES},
    {"EROFS", EROFS}, {"ENODEV", ENODEV}, {"EBADF", EBADF}, {"ENOMEM", ENOMEM},
    {"EILSEQ", EILSEQ}, {"ENOENT", ENOENT}, {"EPERM", EPERM}, {"EBUSY", EBUSY},
    {"EFBIG", EFBIG}, {"ENXIO", ENXIO}, {"EOPNOTSUPP", EOPNOTSUPP}, {NULL, 0}};

static int
error_parse(const char *text, int *ret, struct err *err)
{
	uint64_t v;

	if (text[0] >= '0' && text[0] <= '9') {
		if (units_parse_u64(text, 1, ERRNO_MAX, &v, err))
			return -1;
		*ret = (int)v;
		return 0;
	}
	for (const struct word *w = names; w->name; w++)
		if (strcmp(text, w->name) == 0) {
			*ret = w->value;
			return 0;
		}
	return option_word_refuse(
	    names, text, "EIO, ENOSPC, ESTALE, ETIMEDOUT … or a number", err);
}

static void
error_format(int error, struct str *ret)
{
	for (const struct word *w = names; w->name; w++)
		if (w->value == error) {
			str_add(ret, w->name);
			return;
		}
	str_addf(ret, "%d", error);
}

static int
errno_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	(void)option;
	return error_parse(value, &job->fault.error_errno, err);
}

static bool
errno_format(const struct job *job, const struct option *option, struct str *ret)
{
	(void)option;
	error_format(job->fault.error_errno, ret);
	return true;
}

const struct option_kind option_errno = {.parse = errno_parse, .format = errno_format};

static int
list_parse(struct job_errors *list, const char *text, struct err *err)
{
	const char *rest = text;
	char *part;

	list->n = 0;
	while (option_part(&rest, ':', &part)) {
		int rc = list->n < JOB_ERRORS_MAX
			     ? error_parse(part, &list->v[list->n], err)
			     : err_set(err, ERR_USAGE, "more than %d errors of one kind",
				   JOB_ERRORS_MAX);

		free(part);
		if (rc)
			return -1;
		list->n++;
	}
	return 0;
}

static int
ignore_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	struct job_errors *lists = job->process.ignore;
	const char *rest = value;
	unsigned n = 0;
	char *part;
	int rc = 0;

	(void)option;
	memset(lists, 0, sizeof job->process.ignore);
	while (rc == 0 && option_part(&rest, ',', &part)) {
		if (n == JOB_ERROR_KINDS)
			rc = err_set(err, ERR_USAGE,
			    "'%s' has more than three lists (read,write,verify)", value);
		else if (*part)
			rc = list_parse(&lists[n], part, err);
		n++;
		free(part);
	}
	return rc;
}

static bool
ignore_format(const struct job *job, const struct option *option, struct str *ret)
{
	bool any = false;

	(void)option;
	for (int kind = 0; kind < JOB_ERROR_KINDS; kind++) {
		const struct job_errors *list = &job->process.ignore[kind];

		if (kind)
			str_addc(ret, ',');
		for (unsigned i = 0; i < list->n; i++) {
			if (i)
				str_addc(ret, ':');
			error_format(list->v[i], ret);
		}
		any |= list->n > 0;
	}
	return any;
}

const struct option_kind option_ignore = {.parse = ignore_parse, .format = ignore_format};
