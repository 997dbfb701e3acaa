/* SPDX-License-Identifier: Apache-2.0 */
/* Names of latencies. */
#include "controller/store/kinds.h"

#include <string.h>

const struct latency_kind latency_kinds[] = {
    {"slat", offsetof(struct dir_tally, slat), true, TALLY_SLAT},
    {"clat", offsetof(struct dir_tally, clat), true, TALLY_CLAT},
    {"lat", offsetof(struct dir_tally, lat), true, TALLY_LAT},
    {"drain", offsetof(struct dir_tally, drain), false, TALLY_LATENCIES},
    {"response", offsetof(struct dir_tally, response), false, TALLY_LATENCIES},
    {"sync", offsetof(struct dir_tally, sync), false, TALLY_LATENCIES},
    {NULL, 0, false, TALLY_LATENCIES},
};

const struct latency_kind *
latency_kind_find(const char *name)
{
	for (const struct latency_kind *kind = latency_kinds; kind->name; kind++)
		if (strcmp(kind->name, name) == 0)
			return kind;
	return NULL;
}
