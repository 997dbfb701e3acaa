/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make-report-db FILE [CELLS]: results with something of everything that a report can
 * meet, always the same; or so many plain cells, to measure with.
 */
#include <stdio.h>
#include <stdlib.h>

#include "controller/store/store.h"
#include "lib/wire/facts.h"
#include "tests/unit/store/fixture.h"

/* What every writer has to make harmless. */
#define HOSTILE "two <b>\"&'$(id)`|%_\\ 5 %"

struct maker {
	struct store *store;
	unsigned cases; /* so far */
	struct err err;
};

struct cell {
	const char *storage, *transport, *workload, *rw, *bs;
	unsigned clients;
};

static const char *const transports[] = {"tcp", "rdma"};

static void
axis(struct results_case *c, const char *name, unsigned value)
{
	for (vec_each(struct results_param *, it, &c->params))
		if (strcmp(it->name, name) == 0) {
			free(it->value);
			it->value = mem_printf("%u", value);
			it->is_axis = true;
		}
}

static void
begin(struct maker *maker, const struct cell *cell, struct results_case *ret)
{
	char id[17];

	snprintf(id, sizeof id, "%016x", ++maker->cases);
	fixture_case(ret, id, cell->storage, cell->transport, cell->workload,
	    cell->clients, cell->rw, cell->bs);
	if (strstr(cell->rw, "write"))
		vec_push(&ret->params,
		    ((struct results_param){mem_strdup("preconditioned"),
			mem_strdup("none"), false, false}));
}

static void
put_case(struct maker *maker, struct results_case *c)
{
	if (maker->err.code == ERR_NONE)
		store_put_case(maker->store, c, &maker->err);
}

static void
put_attempt(struct maker *maker, struct attempt *attempt)
{
	if (maker->err.code == ERR_NONE)
		store_put_attempt(
		    maker->store, attempt, attempt->repeat, &maker->err);
	attempt_free(attempt);
}

/* ios of each client and their latency, a little different in each repeat. */
static void
runs(struct maker *maker, const struct results_case *c, unsigned repeats, uint64_t ios,
    uint64_t lat_us)
{
	bool writes = strstr(results_case_param(c, "rw"), "write") != NULL;
	uint64_t bs = strtoull(results_case_param(c, "bs"), NULL, 10);

	for (unsigned i = 1; i <= repeats; i++) {
		struct attempt attempt;

		fixture_attempt(&attempt, c->id, i, c->clients,
		    writes ? DIR_WRITE : DIR_READ, ios + ios * i / 100, bs, lat_us,
		    false);
		put_attempt(maker, &attempt);
	}
}

static void
whole_cell(struct maker *maker, const struct cell *cell, unsigned repeats, uint64_t ios,
    uint64_t lat_us)
{
	struct results_case c;

	begin(maker, cell, &c);
	put_case(maker, &c);
	runs(maker, &c, repeats, ios, lat_us);
	results_case_free(&c);
}

/* RDMA is better on the first storage and falls back at 8 clients on the second. */
static void
make_scales(struct maker *maker)
{
	static const char *const storages[] = {"vendor-one", HOSTILE};
	static const unsigned scales[] = {1, 4, 8};

	for (size_t s = 0; s < 2; s++)
		for (size_t n = 0; n < 3; n++)
			for (size_t t = 0; t < 2; t++) {
				struct cell cell = {storages[s], transports[t],
				    "seq-read-1m", "read", "1048576", scales[n]};
				uint64_t ios = 4000 + 1000 * (t == 1);

				if (s == 1 && t == 1 && scales[n] == 8)
					ios = 1500;
				whole_cell(maker, &cell, 3, ios, 2000 + 100 * scales[n]);
			}
}

static void
make_writes(struct maker *maker)
{
	for (size_t t = 0; t < 2; t++)
		for (unsigned n = 1; n <= 4; n += 3) {
			struct cell cell = {"vendor-one", transports[t],
			    "rand-write-4k", "randwrite", "4096", n};

			whole_cell(maker, &cell, 2, 20000, 90 * n);
		}
}

static void
make_sweep(struct maker *maker)
{
	static const struct cell cell = {
	    "vendor-one", "tcp", "rand-read-4k", "randread", "4096", 2};

	for (unsigned depth = 1; depth <= 16; depth *= 4)
		for (unsigned jobs = 1; jobs <= 4; jobs *= 4) {
			struct results_case c;

			begin(maker, &cell, &c);
			axis(&c, "iodepth", depth);
			axis(&c, "numjobs", jobs);
			put_case(maker, &c);
			runs(maker, &c, 1, 5000 * depth * jobs / (depth + 1), 80 + depth);
			results_case_free(&c);
		}
}

/* Not run; a client lost; started apart; refused; with notes of its job file. */
static void
make_doubtful(struct maker *maker)
{
	struct cell cell = {
	    "vendor-one", "rdma", "doubtful", "read", "1048576", 2};
	struct results_case c;
	struct attempt attempt;

	begin(maker, &cell, &c);
	put_case(maker, &c);
	results_case_free(&c);

	cell.clients = 4;
	begin(maker, &cell, &c);
	fixture_notes(&c);
	put_case(maker, &c);
	for (unsigned i = 1; i <= 3; i++) {
		fixture_attempt(
		    &attempt, c.id, i, 4, DIR_READ, 1000, 1048576, 2000, false);
		if (i == 1)
			fixture_lose(&attempt, 2);
		else if (i == 2)
			fixture_skew(&attempt, 25000000);
		else
			fixture_refuse(&attempt);
		put_attempt(maker, &attempt);
	}
	results_case_free(&c);
}

static void
make_many(struct maker *maker, unsigned cells)
{
	for (unsigned i = 0; i < cells; i++) {
		char storage[16], workload[24];
		struct cell cell = {storage, transports[i % 2], workload, "read",
		    "1048576", 1 + i / 2 % 4};

		snprintf(storage, sizeof storage, "s%u", i / 8 % 5);
		snprintf(workload, sizeof workload, "read-%u", i / 40);
		whole_cell(maker, &cell, 1, 1000 + i % 7, 2000);
	}
}

int
main(int argc, char **argv)
{
	static const char *const arguments[] = {"volley", "run", "poc.yaml"};
	struct store_run run = {.plan = "poc",
	    .plan_text = "plan: poc\n",
	    .generator = "volley 0.1.0",
	    .arguments = arguments,
	    .narguments = 3,
	    .seed = 1,
	    .started_wall_ns = UINT64_C(1796068500000000000)};
	struct facts facts = {.name = "gpu01",
	    .os = "Debian GNU/Linux 12",
	    .cpus = 96,
	    .numa_nodes = -1,
	    .memory_bytes = UINT64_C(2199023255552)};
	struct maker maker = {.err = ERR_INIT};

	maker.store = argc > 1 ? store_open(argv[1], STORE_WRITE, &maker.err) : NULL;
	if (!maker.store || store_begin_run(maker.store, &run, &maker.err) != 0 ||
	    store_put_facts(maker.store, &facts, &maker.err) != 0) {
		fprintf(stderr, "%s\n", maker.err.msg);
		return 1;
	}
	if (argc > 2) {
		make_many(&maker, (unsigned)atoi(argv[2]));
	} else {
		make_scales(&maker);
		make_writes(&maker);
		make_sweep(&maker);
		make_doubtful(&maker);
	}
	if (maker.err.code == ERR_NONE)
		store_end_run(
		    maker.store, UINT64_C(1796068600000000000), &maker.err);
	store_close(maker.store);
	if (maker.err.code != ERR_NONE)
		fprintf(stderr, "%s\n", maker.err.msg);
	return maker.err.code != ERR_NONE;
}
