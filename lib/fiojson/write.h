/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures as fio 3.33 shapes them in its JSON: one direction, latencies with percentiles
 * and bins, syncs, the maps of latencies.  What was not measured has no key.
 */
#ifndef VOLLEY_FIOJSON_WRITE_H
#define VOLLEY_FIOJSON_WRITE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/vec.h"
#include "lib/stats/tally.h"

/* How latencies are written. */
struct fio_style {
	bool bins;
	bool plain[TALLY_LATENCIES]; /* of a direction's: without percentiles and bins */
	VEC(double) percentiles;     /* as in percentile_list */
};

struct fio_figures {
	uint64_t ios, bytes;
	double iops, bytes_per_s; /* NAN: unknown */
	uint64_t runtime_ns;	  /* 0: unknown */
	uint64_t from, to;	  /* slots to sample, ns since T; to 0: none */
	const struct dir_tally *tally;
};

/* fio's default list, or what "1:50:99.9" says. */
void fio_style_percentiles(struct fio_style *style, const char *list);

json_t *fio_direction_json(const struct fio_figures *figures,
			   const struct fio_style *style);
/* Figures of a table: rates and the mean of lat, no counts. */
json_t *fio_stated_json(const struct fio_figures *figures);
/* A direction that is known to have had no I/O: everything is 0. */
json_t *fio_nothing_json(void);
/* min, max, mean, stddev, N, percentile and bins. */
json_t *fio_latency_json(const struct hist *hist, const struct fio_style *style);
/* fio has the latencies of all that it syncs in the same way, but counts those of fsync=
 * only; of a mixture with others their number is not known. */
json_t *fio_sync_json(const struct hist *hist, bool fsync, bool others,
		      const struct fio_style *style);
/* ctx, majf and minf, where they are known. */
void fio_set_usage(json_t *object, const struct tally_usage *usage);
/* latency_ns, latency_us and latency_ms: per cent of all I/Os by their clat. */
void fio_set_latency_maps(json_t *object, const struct tally *tally);
/* Of a whole document: timestamp, timestamp_ms and time, which is UTC. */
void fio_set_time(json_t *root, uint64_t wall_ns);

#endif
