/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of fio's log is "ms, value, direction, bytes, …": the mean value of the time
 * since the line before it, or one I/O.  Times count from the end of the ramp, in some
 * versions from the start; fio leaves lines of silence out.
 */
#include "agent/worker/fio-log.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/base/vec.h"

#define BIN_MS 100 /* single I/Os are counted in such bins */
#define LATE_MS 50 /* a line may come that much later than it should */

struct line {
	double ms, value, bytes;
	unsigned dir;
};

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

/* The next line that is whole; false: there is none.  (Not by scanf, which looks at all
 * of the text for each line.) */
static bool
line_next(const char **text, struct line *ret)
{
	while (**text) {
		uint64_t fields[4] = {0};
		const char *at = *text;
		size_t n = 0;

		while (n < 4) {
			char *end;

			at += strspn(at, " ");
			if (*at < '0' || *at > '9')
				break;
			fields[n++] = strtoull(at, &end, 10);
			at = end + (*end == ',');
		}
		*text += strcspn(*text, "\n");
		*text += **text == '\n';
		if (n == 4) {
			*ret = (struct line){(double)fields[0], (double)fields[1],
			    (double)fields[3], (unsigned)fields[2]};
			return true;
		}
	}
	return false;
}

/* What the times of the log count from. */
static double
log_zero(const char *text, const struct fiolog_env *env)
{
	double last = 0;
	struct line line;

	if (env->zero_ms)
		return (double)env->zero_ms;
	while (line_next(&text, &line))
		last = fmax(last, line.ms);
	return last > (double)(env->runtime_ms + env->ramp_ms / 2 + BIN_MS)
		   ? (double)env->ramp_ms
		   : 0;
}

/* Into the bin of the I/O before, or one of its own. */
static void
shape_count(struct shape *shape, double at, double amount, double runtime_ms)
{
	struct span *last = shape->spans.n ? &shape->spans.v[shape->spans.n - 1] : NULL;
	double from = floor(at / BIN_MS) * BIN_MS, to = from + BIN_MS;

	if (at < runtime_ms && to > runtime_ms)
		to = runtime_ms;
	if (last && from <= last->from) {
		last->amount += amount;
		shape->sum += amount;
	} else {
		shape_add(shape, from, to, amount / (to - from));
	}
}

/* Returns where the lines end; `ret_rate`: the last one's. */
static double
shape_lines(struct shape *shape, const char *text, enum dir dir,
    const struct fiolog_env *env, double *ret_rate)
{
	double zero = log_zero(text, env), before = 0, length = (double)env->line_ms;
	struct line line;

	while (line_next(&text, &line)) {
		double at = line.ms - zero;

		if (line.dir != (unsigned)dir)
			continue;
		if (at - before > length + LATE_MS)
			before = at - length;
		shape_add(shape, before, at, line.value);
		before = fmax(before, at);
		*ret_rate = line.value;
	}
	return before;
}

static void
shape_read(struct shape *shape, const char *text, bool bytes, enum dir dir,
    const struct fiolog_env *env)
{
	double runtime = (double)env->runtime_ms, rate = 0, end, zero;
	struct line line;

	if (!text)
		return;
	if (env->line_ms) {
		end = shape_lines(shape, text, dir, env, &rate);
		/* fio writes no line of what does not fill its time. */
		if (shape->sum > 0)
			shape_add(shape, end, runtime, rate);
		return;
	}
	zero = log_zero(text, env);
	while (line_next(&text, &line))
		if (line.dir == (unsigned)dir)
			shape_count(shape, fmax(0, line.ms - zero),
			    bytes ? line.bytes : 1, runtime);
}

/* Rounded so that all slots together hold all of `total`. */
static void
shape_spread(const struct shape *shape, uint64_t begin_ns, uint64_t total,
    struct slots *slots, size_t member)
{
	const struct span *span = shape->spans.v, *end = span + shape->spans.n;
	double passed = 0; /* amounts of the spans before `span` */
	uint64_t before = 0;

	for (size_t i = 0; i < slots->n; i++) {
		double ms = ((double)((i + 1) * SLOT_NS) - (double)begin_ns) /
			    (double)UNITS_NS_PER_MS;
		double part = 0; /* of `span` */
		uint64_t now;

		while (span < end && span->to <= ms)
			passed += span++->amount;
		if (span < end && span->from < ms)
			part =
			    span->amount * (ms - span->from) / (span->to - span->from);
		now = i + 1 == slots->n ? total
					: (uint64_t)llround((double)total *
						(passed + part) / shape->sum);
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

	if (env->line_ms > FIOLOG_LINE_MAX_MS)
		return;
	shape_read(&ios, env->iops, false, dir, env);
	shape_read(&bytes, env->bw, true, dir, env);
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
