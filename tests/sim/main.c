/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim [--seeds FROM-TO | --seed N] [--agents [MIN-]MAX] [--trace]
 *
 * Runs seeds until one breaks an invariant; that one is printed with how to see it
 * again.  Exit 0: none did.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/sim.h"

struct args {
	unsigned long long from, to;
	struct sim_options options;
};

static int
usage(void)
{
	fputs(
	    "usage: sim [--seeds FROM-TO | --seed N] [--agents [MIN-]MAX] [--trace]\n",
	    stderr);
	return 2;
}

static int
parse(struct args *args, int argc, char **argv)
{
	unsigned long long low, high;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--trace") == 0) {
			args->options.trace = true;
			continue;
		}
		if (i + 1 == argc)
			return -1;
		int n = sscanf(argv[i + 1], "%llu-%llu", &low, &high);

		if (strcmp(argv[i], "--seeds") == 0 && n == 2) {
			args->from = low;
			args->to = high;
		} else if (strcmp(argv[i], "--seed") == 0 && n == 1) {
			args->from = args->to = low;
		} else if (strcmp(argv[i], "--agents") == 0 && n >= 1) {
			args->options.agents_min = n == 2 ? low : 1;
			args->options.agents_max = n == 2 ? high : low;
		} else {
			return -1;
		}
		i++;
	}
	return args->options.agents_min >= 1 &&
		       args->options.agents_max >= args->options.agents_min
		   ? 0
		   : -1;
}

int
main(int argc, char **argv)
{
	struct args args = {1, 1000, {.agents_min = 1, .agents_max = 30}};
	struct sim sim = {0};

	if (parse(&args, argc, argv) < 0)
		return usage();
	for (unsigned long long seed = args.from; seed <= args.to; seed++) {
		if (sim_run(&sim, seed, &args.options))
			continue;
		printf("again: sim --seed %llu --agents %llu-%llu --trace\n", seed,
		    (unsigned long long)args.options.agents_min,
		    (unsigned long long)args.options.agents_max);
		sim_free(&sim);
		return 1;
	}
	printf(
	    "%llu seeds: %llu attempts, %llu went, %llu of them not with all; clients: "
	    "%llu OK, %llu not; %llu interrupts; %llu events\n",
	    args.to - args.from + 1, (unsigned long long)sim.count.attempts,
	    (unsigned long long)sim.count.went, (unsigned long long)sim.count.partial,
	    (unsigned long long)sim.count.ok, (unsigned long long)sim.count.lost,
	    (unsigned long long)sim.count.interrupted,
	    (unsigned long long)sim.count.happenings);
	sim_free(&sim);
	return 0;
}
