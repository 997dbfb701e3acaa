/* SPDX-License-Identifier: Apache-2.0 */
/* One seed from its first happening to its last. */
#include "tests/sim/sim.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint64_t
between(struct sim *sim, uint64_t low, uint64_t high)
{
	return low + rng_below(&sim->rng, high - low + 1);
}

uint64_t
log_between(struct sim *sim, uint64_t low, uint64_t high)
{
	double at = log((double)low) +
		    rng_unit(&sim->rng) * (log((double)high) - log((double)low));

	return (uint64_t)exp(at);
}

bool
chance(struct sim *sim, double odds)
{
	return rng_unit(&sim->rng) < odds;
}

void
sim_fail(struct sim *sim, const char *fmt, ...)
{
	va_list ap;

	if (sim->failed)
		return;
	sim->failed = true;
	printf("seed %llu: ", (unsigned long long)sim->seed);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf(" (at %.9f s, %zu agents)\n", (double)(sim->now - EPOCH) / 1e9, sim->n);
}

void
sim_trace(const struct sim *sim, const char *fmt, ...)
{
	va_list ap;

	if (!sim->trace)
		return;
	printf("%15.9f  ", (double)(sim->now - EPOCH) / 1e9);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

void
sim_push(struct sim *sim, struct happening happening)
{
	heap_push(&sim->heap, &happening);
}

static void
set_up(struct sim *sim, uint64_t seed, const struct sim_options *options)
{
	sim->heap.list.n = 0;
	sim->heap.seq = 0;
	sim->kept.n = 0;
	sim->now = EPOCH;
	sim->seed = seed;
	sim->ids = 0;
	sim->failed = false;
	sim->trace = options->trace;
	rng_seed(&sim->rng, seed);
	sim->n = log_between(sim, options->agents_min, options->agents_max + 1);
	if (sim->n > options->agents_max)
		sim->n = options->agents_max;
	sim->calm = chance(sim, 0.1);
	sim->early_odds = fmin(0.3, exp(3 - 6 * rng_unit(&sim->rng)) / (double)sim->n);
	sim->late_odds = exp(-7 * rng_unit(&sim->rng)) * 0.5;
	if (sim->calm)
		sim->early_odds = sim->late_odds = 0;
	sim->boxes = mem_array(sim->n, sizeof *sim->boxes);
	sim->offsets = mem_array(sim->n, sizeof *sim->offsets);
	for (size_t i = 0; i < sim->n; i++) {
		box_init(sim, &sim->boxes[i]);
		((struct conn *)vec_add(&sim->boxes[i].conns))->agent_open = true;
		sim->boxes[i].conns.v[0].pilot_open = true;
	}
	pilot_init(sim);
}

static void
tear_down(struct sim *sim)
{
	for (size_t i = 0; i < sim->n; i++)
		box_free(&sim->boxes[i]);
	free(sim->boxes);
	free(sim->offsets);
	pilot_free(sim);
}

bool
sim_run(struct sim *sim, uint64_t seed, const struct sim_options *options)
{
	struct happening happening;

	set_up(sim, seed, options);
	while (!sim->failed && heap_pop(&sim->heap, &happening)) {
		sim->now = happening.at;
		sim->count.happenings++;
		if (happening.kind < HAPPEN_FIRST_OF_PILOT)
			box_happening(sim, &happening);
		else
			pilot_happening(sim, &happening);
	}
	if (!sim->failed)
		watch_end(sim);
	tear_down(sim);
	return !sim->failed;
}

void
sim_free(struct sim *sim)
{
	vec_free(&sim->heap.list);
	vec_free(&sim->kept);
	vec_free(&sim->actions.list);
}
