/* SPDX-License-Identifier: Apache-2.0 */
/* What `volley hosts` shows of each agent, for people and for programs. */
#ifndef VOLLEY_HOSTS_VIEW_H
#define VOLLEY_HOSTS_VIEW_H

#include <stddef.h>

#include "lib/base/str.h"
#include "lib/stats/offset.h"
#include "lib/wire/facts.h"

struct hosts_row {
	const char *name, *address;
	const struct facts *facts; /* NULL: it did not tell about itself */
	struct offset offset;
};

/* A line for each, and one of all: how many nodes and GPUs there are. */
void hosts_text(const struct hosts_row *rows, size_t n, struct str *ret);
void hosts_json(const struct hosts_row *rows, size_t n, struct str *ret);

#endif
