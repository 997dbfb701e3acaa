/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the worker does not honour.  An option without a row here is honoured
 * whatever its value; one with a row is honoured when it has its default, or when
 * the row's predicate says so.
 */
#include "lib/work/option.h"

#include <string.h>

struct support {
	const char *option;
	bool (*honours)(const struct job *job); /* NULL: nothing but the default */
	const char *why;
};

static bool
support_any(const struct job *job)
{
	(void)job;
	return true;
}

static const struct support supports[] = {
    {"verify_async", support_any,
	"the thread checks its blocks itself: the same is found, at the price of its "
	"time"},
    {"exit_what", support_any,
	"all: in volley run a later stage is a case of its own, and runs"},
};

static const struct support *
support_find(const char *option)
{
	for (size_t i = 0; i < sizeof supports / sizeof *supports; i++)
		if (strcmp(supports[i].option, option) == 0)
			return &supports[i];
	return NULL;
}

static bool
has_default(const struct job *job, const struct option *option)
{
	struct str value = {0}, usual = {0};
	struct job plain;
	bool same;

	job_init(&plain);
	same = option->kind->format(job, option, &value) ==
		   option->kind->format(&plain, option, &usual) &&
	       strcmp(value.s ? value.s : "", usual.s ? usual.s : "") == 0;
	job_free(&plain);
	str_free(&value);
	str_free(&usual);
	return same;
}

const char *
job_support_note(const char *name)
{
	const struct support *support = support_find(name);

	return support ? support->why : NULL;
}

int
job_supports(const struct job *job, const char *name, struct err *err)
{
	const struct support *support = support_find(name);

	if (!support || (support->honours && support->honours(job)) ||
	    (!support->honours && has_default(job, option_find(name))))
		return 0;
	return err_set(err, ERR_UNSUPPORTED, "%s", support->why);
}
