/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of a host around a run: what each of them rose by, under one name whatever
 * the driver calls it, and what the path's mount says of itself.  Plain data: made by
 * the agent, travels over the wire, judged and stored by the controller.
 */
#ifndef VOLLEY_STATS_COUNTERS_H
#define VOLLEY_STATS_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/vec.h"

#define COUNTERS_MAX 4096 /* rows of one client; further ones are left out */

/* Seen from this host. */
enum counter_way { COUNTER_NO_WAY, COUNTER_IN, COUNTER_OUT };

/* What a name stands for.  '#' in a name is any one digit (a priority). */
struct counter_kind {
	const char *name, *unit;
	enum counter_way way;
	const char *reading; /* what it means that it rose; NULL: traffic */
};

/* NULL: no such name. */
const struct counter_kind *counter_kind_find(const char *name);
const char *counter_way_text(enum counter_way way); /* "towards this host", "" */

/* ---- one moment ---- */

struct counter_value {
	char *object, *name;
	uint64_t value;
	/* Its source may have 32 bits only: it sticks at their end or begins again, and
	 * nobody can tell how often. */
	bool narrow;
};

struct counter_snapshot {
	uint64_t at_ns; /* 0: not taken */
	VEC(struct counter_value) values;
};

/* One object after the other.  The same name again adds up. */
void counter_snapshot_add(struct counter_snapshot *snapshot, const char *object,
    const char *name, uint64_t value, bool narrow);
/* All are in: the moment was `at_ns`. */
void counter_snapshot_close(struct counter_snapshot *snapshot, uint64_t at_ns);
void counter_snapshot_free(struct counter_snapshot *snapshot);

/* ---- a run ---- */

enum counter_span {
	COUNTER_TRIAL, /* the read of known size while the run was prepared */
	COUNTER_IDLE,  /* everybody is ready, and nobody has begun: what others do */
	COUNTER_RUN,
	COUNTER_SPANS
};

enum counter_moment {
	COUNTER_TRIAL_FROM,
	COUNTER_TRIAL_TO,
	COUNTER_IDLE_FROM,
	COUNTER_RUN_FROM, /* and the end of the idle time */
	COUNTER_RUN_TO,
	COUNTER_MOMENTS
};

struct counter {
	char *object; /* "net/eth0", "rdma/mlx5_0/1", "tcp", "softirq", "mount" */
	char *name;
	bool known[COUNTER_SPANS]; /* false: there were no two values, or it was reset */
	uint64_t delta[COUNTER_SPANS];
	bool narrow; /* more than delta cannot be ruled out */
};

/* Transports that the mount's own client names, as bits. */
#define COUNTERS_TCP 1u
#define COUNTERS_RDMA 2u

struct counters {
	uint64_t ns[COUNTER_SPANS]; /* how long each took; 0: not measured */
	uint64_t trial_bytes;	    /* what was read then; 0: nothing */
	char *mount_point, *mount_fstype; /* NULL unknown */
	unsigned protocols;	    /* of the mount; 0: it does not tell */
	int64_t rdma_ports;	    /* −1 unknown */
	VEC(struct counter) list;   /* by object, then name */
};

struct counters *counters_new(void);
void counters_free(struct counters *counters);
/*
 * The differences between moments.  A counter that fell has been reset, and is unknown; a
 * narrow one that fell from its upper into its lower half has begun again.
 */
void counters_between(
    struct counters *ret, const struct counter_snapshot moments[COUNTER_MOMENTS]);
/* Rise of one counter in a span; false: unknown. */
bool counters_find(const struct counters *counters, enum counter_span span,
    const char *object, const char *name, uint64_t *ret);
struct counter *counters_add(
    struct counters *counters, const char *object, const char *name);

#endif
