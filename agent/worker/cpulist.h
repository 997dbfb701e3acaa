/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of small numbers as the kernel and fio write them: "0-3,8".
 */
#ifndef VOLLEY_WORKER_CPULIST_H
#define VOLLEY_WORKER_CPULIST_H

#include <stdbool.h>

#include "lib/base/err.h"

#define CPULIST_MAX 1024u /* numbers are below this, as in cpu_set_t */

struct cpulist {
	bool has[CPULIST_MAX];
	unsigned n; /* how many */
};

int cpulist_parse(struct cpulist *ret, const char *text, struct err *err);
void cpulist_add(struct cpulist *into, const struct cpulist *from);
/* The k-th of the list, from 0 on, and round again: k % n.  The list is not empty. */
unsigned cpulist_nth(const struct cpulist *list, unsigned k);

#endif
