/* SPDX-License-Identifier: Apache-2.0 */
/* Names of latencies. */
#include "controller/store/kinds.h"

#include <string.h>

const struct latency_kind latency_kinds[] = {
    {"slat", offsetof(struct dir_tally, slat), true},
    {"clat", offsetof(struct dir_tally, clat), true},
    {"lat", offsetof(struct dir_tally, lat), true},
    {"drain", offsetof(struct dir_tally, drain), false},
    {"response", offsetof(struct dir_tally, response), false},
    {"sync", offsetof(struct dir_tally, sync), false},
    {NULL, 0, false},
};

const struct latency_kind *
latency_kind_find(const char *name)
{
	for (const struct latency_kind *kind = latency_kinds; kind->name; kind++)
		if (strcmp(kind->name, name) == 0)
			return kind;
	return NULL;
}
