/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of fio's averaged log is "ms, value, direction, …": the mean value of the
 * time since the line before it.  Times count from the end of the ramp, in some
 * versions from the start; fio leaves lines of silence out.
 */
#include "agent/worker/fio-log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/base/vec.h"

#define LINE_MS 100
#define LATE_MS 50 /* a line may come that much later than it should */

struct span {
	double from, to; /* ms since the begin */
	double amount;   /* any unit: only shares count */
};

struct shape {
	VEC(struct span) spans; /* in time's order, not overlapping */
	double sum;
};

static void
shape_add(struct shape *shape, double from, double to, double rate)
{
	struct span *span;

	if (!(to > from) || !(rate > 0))
		return;
	span = vec_add(&shape->spans);
	*span = (struct span){from, to, rate * (to - from)};
	shape->sum += span->amount;
}

/* How far the times of the log count the ramp too. */
static double
log_shift(const char *text, const struct fiolog_env *env)
{
	uint64_t last = 0, ms;

	for (const char *line = text; *line; line += strcspn(line, "\n")) {
		line += *line == '\n';
		if (sscanf(line, "%" SCNu64 ",", &ms) == 1 && ms > last)
			last = ms;
	}
	return last > env->runtime_ms + env->ramp_ms / 2 + LINE_MS
		   ? (double)env->ramp_ms
		   : 0;
}

static void
shape_read(
    struct shape *shape, const char *text, enum dir dir, const struct fiolog_env *env)
{
	double shift, before = 0, last = 0;
	uint64_t ms, value;
	unsigned of;

	if (!text)
		return;
	shift = log_shift(text, env);
	for (const char *line = text; *line; line += strcspn(line, "\n")) {
		double at;

		line += *line == '\n';
		if (sscanf(line, "%" SCNu64 ", %" SCNu64 ", %u", &ms, &value, &of) !=
			3 ||
		    of != (unsigned)dir)
			continue;
		at = (double)ms - shift;
		if (at - before > LINE_MS + LATE_MS)
			before = at - LINE_MS;
		shape_add(shape, before, at, (double)value);
		before = at > before ? at : before;
		last = (double)value;
	}
	/* fio writes no line of what does not fill its 100 ms. */
	if (shape->sum > 0)
		shape_add(shape, before, (double)env->runtime_ms, last);
}

/* What share of all was done at `ms`. */
static double
shape_at(const struct shape *shape, double ms)
{
	double sum = 0;

	for (vec_each(const struct span *, span, &shape->spans)) {
		if (ms <= span->from)
			break;
		if (ms >= span->to)
			sum += span->amount;
		else
			sum +=
			    span->amount * (ms - span->from) / (span->to - span->from);
	}
	return sum / shape->sum;
}

/* Rounded so that all slots together hold all of `total`. */
static void
shape_spread(const struct shape *shape, uint64_t begin_ns, uint64_t total,
    struct slots *slots, size_t member)
{
	uint64_t before = 0;

	for (size_t i = 0; i < slots->n; i++) {
		double ms = ((double)((i + 1) * SLOT_NS) - (double)begin_ns) /
			    (double)UNITS_NS_PER_MS;
		uint64_t now =
		    i + 1 == slots->n
			? total
			: (uint64_t)llround((double)total * shape_at(shape, ms));

		now = now < before ? before : now;
		*(uint64_t *)(void *)((char *)&slots->v[i] + member) = now - before;
		before = now;
	}
}

void
fiolog_slots(struct dir_tally *tally, enum dir dir, const struct fiolog_env *env)
{
	struct shape ios = {0}, bytes = {0};
	uint64_t end = 0;

	shape_read(&ios, env->iops, dir, env);
	shape_read(&bytes, env->bw, dir, env);
	if (ios.sum > 0 && bytes.sum > 0) {
		double last = fmax(ios.spans.v[ios.spans.n - 1].to,
		    bytes.spans.v[bytes.spans.n - 1].to);

		end = env->begin_ns + (uint64_t)(last * (double)UNITS_NS_PER_MS);
		tally->slots.n = (end + SLOT_NS - 1) / SLOT_NS;
		tally->slots.v = mem_array(tally->slots.n, sizeof *tally->slots.v);
		shape_spread(&ios, env->begin_ns, tally->phase[METER_INSIDE].ios,
		    &tally->slots, offsetof(struct slot, ios));
		shape_spread(&bytes, env->begin_ns, tally->phase[METER_INSIDE].bytes,
		    &tally->slots, offsetof(struct slot, bytes));
	}
	vec_free(&ios.spans);
	vec_free(&bytes.spans);
}
