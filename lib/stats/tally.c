/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies: made, added and released. */
#include "lib/stats/tally.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/mem.h"

const double tally_percentiles[TALLY_PERCENTILES] = {50, 90, 95, 99, 99.9, 99.99};

struct tally_stated *
tally_stated_new(void)
{
	struct tally_stated *stated = mem_alloc(sizeof *stated);

	stated->iops = stated->bytes_per_s = NAN;
	for (int kind = 0; kind < TALLY_LATENCIES; kind++)
		for (int i = 0; i < TALLY_PERCENTILES; i++)
			stated->percentile[kind][i] = NAN;
	return stated;
}

struct tally *
tally_new(void)
{
	return mem_alloc(sizeof(struct tally));
}

void
tally_free(struct tally *tally)
{
	if (!tally)
		return;
	for (int dir = 0; dir < DIR_COUNT; dir++)
		dir_tally_free(&tally->dir[dir]);
	free(tally);
}

bool
tally_has(const struct tally *tally, enum dir dir)
{
	for (int i = 0; i < METER_PHASES; i++)
		if (tally->dir[dir].phase[i].ios)
			return true;
	return false;
}

void
dir_tally_merge(struct dir_tally *into, const struct dir_tally *from)
{
	for (int i = 0; i < METER_PHASES; i++) {
		into->phase[i].ios += from->phase[i].ios;
		into->phase[i].bytes += from->phase[i].bytes;
	}
	hist_merge(&into->slat, &from->slat);
	hist_merge(&into->clat, &from->clat);
	hist_merge(&into->lat, &from->lat);
	hist_merge(&into->drain, &from->drain);
	hist_merge(&into->response, &from->response);
	hist_merge(&into->sync, &from->sync);
	slots_merge(&into->slots, &from->slots);
	heats_merge(&into->heats, &from->heats);
	into->slot_overflow += from->slot_overflow;
}

void
dir_tally_free(struct dir_tally *tally)
{
	slots_free(&tally->slots);
	heats_free(&tally->heats);
	free(tally->stated);
	tally->stated = NULL;
}
