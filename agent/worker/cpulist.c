/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of CPUs or NUMA nodes.
 */
#include "agent/worker/cpulist.h"

#include <ctype.h>
#include <stdlib.h>

/* A number at *at, which is moved behind it. */
static int
cpulist_number(const char **at, const char *text, unsigned *ret, struct err *err)
{
	unsigned long v;
	char *end;

	if (!isdigit((unsigned char)**at))
		return err_set(err, ERR_USAGE,
		    "'%s' is no list of numbers such as 0-3,8", text);
	v = strtoul(*at, &end, 10);
	if (v >= CPULIST_MAX)
		return err_set(
		    err, ERR_USAGE, "'%s': numbers are below %u", text, CPULIST_MAX);
	*at = end;
	*ret = (unsigned)v;
	return 0;
}

int
cpulist_parse(struct cpulist *ret, const char *text, struct err *err)
{
	const char *at = text;

	*ret = (struct cpulist){0};
	for (;;) {
		unsigned from, to;

		if (cpulist_number(&at, text, &from, err))
			return -1;
		to = from;
		if (*at == '-') {
			at++;
			if (cpulist_number(&at, text, &to, err))
				return -1;
		}
		if (to < from)
			return err_set(err, ERR_USAGE, "'%s': %u-%u ends before it begins",
			    text, from, to);
		for (unsigned i = from; i <= to; i++) {
			ret->n += !ret->has[i];
			ret->has[i] = true;
		}
		if (*at == '\0')
			return 0;
		if (*at++ != ',')
			return err_set(err, ERR_USAGE,
			    "'%s' is no list of numbers such as 0-3,8", text);
	}
}

void
cpulist_add(struct cpulist *into, const struct cpulist *from)
{
	for (unsigned i = 0; i < CPULIST_MAX; i++) {
		into->n += from->has[i] && !into->has[i];
		into->has[i] |= from->has[i];
	}
}

unsigned
cpulist_nth(const struct cpulist *list, unsigned k)
{
	unsigned i = 0;

	for (k %= list->n; !list->has[i] || k-- > 0;)
		i++;
	return i;
}
