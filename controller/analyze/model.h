/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is analysed: cells (a storage, a workload with its swept options, a transport,
 * a number of clients) with one sample per repeat.  Filled by the caller from results
 * of any number of files, closed by model_close(), then only read.  Plain owned data;
 * an unknown figure is NAN.
 */
#ifndef VOLLEY_ANALYZE_MODEL_H
#define VOLLEY_ANALYZE_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/attempt/attempt.h"
#include "controller/plan/plan.h"
#include "lib/base/units.h"
#include "lib/base/vec.h"
#include "lib/stats/sample.h"

/* Both directions of a mixed workload together. */
enum metric {
	METRIC_RATE, /* bytes/s */
	METRIC_IOPS,
	METRIC_LAT, /* ns, mean */
	METRIC_P50,
	METRIC_P99,
	METRIC_P999,
	METRIC_COUNT
};

struct metric_info {
	const char *name; /* "throughput" */
	bool less_is_better;
	const char *(*text)(char buf[UNITS_BUF], double value);
};

extern const struct metric_info metrics[METRIC_COUNT];

/* One client's part of a sample. */
struct sample_client {
	char *name;
	double rate, iops; /* own averages */
};

struct sample_reason {
	char *code, *agent, *text; /* agent NULL: not one client's */
	enum attempt_state makes;
};

/* A counter of a host over the attempt: one that explains trouble, and rose. */
struct sample_counter {
	char *agent, *object, *name; /* object "rdma/mlx5_0/1" */
	double delta, per_s;	     /* per_s NAN unknown */
};

/* How the rate went within the run; of the slots (series.h).  NAN: unknown. */
struct sample_course {
	double rsd;          /* of whole seconds */
	double rise;         /* mean of the last third / of the first third − 1 */
	double period_s;     /* of the strongest repetition; NAN none */
	double period_depth; /* its correlation, 0 to 1 */
};

/* Two humps in the latencies (series.h). */
struct sample_modes {
	bool two;
	double low_ns, high_ns, high_share;
};

struct sample {
	unsigned repeat, source; /* source: which of the files */
	unsigned order;          /* place in the plan's order; 0 unknown */
	enum attempt_state state;
	double value[METRIC_COUNT];
	double first_done_s, last_done_s;
	struct sample_course course;
	struct sample_modes modes;
	double wire_share; /* bytes on the wire, by counters / the application's; NAN */
	VEC(struct sample_client) clients;
	VEC(struct sample_reason) reasons;
	VEC(struct sample_counter) counters;
};

enum cell_kind { CELL_READS, CELL_WRITES, CELL_MIXED };

struct cell {
	char *storage, *workload, *axis, *transport; /* axis: "bs=4096 iodepth=8", "" */
	char *engine;                                /* NULL unknown */
	unsigned clients;
	enum cell_kind kind;
	bool random;                          /* addresses in random order */
	double block_bytes, iodepth, numjobs; /* of each client; NAN: jobs differ */
	double in_flight;   /* I/Os that all its clients' options ask for */
	bool paced;         /* a rate was set: the load does not follow the storage */
	bool latency_apart; /* latencies are not of the window that rates are of */
	bool imported;      /* figures of another program or of a table */
	double change;      /* stated against TCP: −0.64; NAN none */
	struct plan_links client_links, storage_links; /* declared; 0 unknown */
	double baseline; /* measured line rate of one client, bytes/s; NAN unknown */
	VEC(struct sample) samples;
};

/* The same thing on one storage: all its cells, by clients, then transport. */
struct family {
	const struct cell *cells;
	size_t n;
};

/* Repeats of one storage: how much do they differ by themselves? */
struct storage_noise {
	const char *storage;
	struct sample_pool logs; /* of rates; df 0: unknown */
};

struct model {
	VEC(struct cell) cells;
	VEC(struct family) families;
	VEC(struct storage_noise) noise;
};

/* A cell with everything unknown; texts are copied. */
struct cell *model_add(struct model *model, const char *storage, const char *workload,
    const char *axis, const char *transport, unsigned clients);
struct sample *cell_add(struct cell *cell, unsigned source, unsigned repeat);
/* Sorts, puts cells of the same name together, finds families and noise. */
void model_close(struct model *model);
void model_free(struct model *model);

/* The cell of this transport and scale, or NULL. */
const struct cell *family_find(
    const struct family *family, const char *transport, unsigned clients);
/* The VALID values that are known, in order of source and repeat; returns how many. */
size_t cell_values(
    const struct cell *cell, enum metric metric, double *ret, size_t max);
/* Geometric mean of them: scale-free, and the middle of a ratio.  NAN of none. */
double cell_middle(const struct cell *cell, enum metric metric);
bool cell_has(const struct cell *cell, enum metric metric);
/* I/Os in flight by these options; a synchronous engine has one per thread. */
double asked_in_flight(
    const char *engine, unsigned clients, double iodepth, double numjobs);
/* The rate to judge by: bytes/s where known, else IOPS. */
enum metric cell_rate_metric(const struct cell *cell);
/* Deviation of log rates of a storage between repeats, and its df; NAN unknown. */
double model_noise(const struct model *model, const char *storage, double *ret_df);

#define CELL_SAMPLES_MAX 1000 /* values that statistics look at */

#endif
