/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an example results.db (its argument) for test-schema.sh. */
#include "controller/store/store.h"

#include <stdio.h>

#include "lib/wire/facts.h"
#include "tests/unit/store/fixture.h"

static int
put_case(struct store *store, const char *id, const char *transport, struct err *err)
{
	struct results_case c;
	struct attempt attempt;
	int result;

	fixture_case(
	    &c, id, "vendor-one", transport, "seq-read-1m", 2, "read", "1048576");
	fixture_notes(&c);
	result = store_put_case(store, &c, err);
	results_case_free(&c);
	for (unsigned repeat = 1; result == 0 && repeat <= 3; repeat++) {
		fixture_attempt(&attempt, id, repeat, 2, DIR_READ, 1000 + 100 * repeat,
		    1048576, 2000, false);
		if (repeat == 2)
			fixture_lose(&attempt, 1);
		attempt.total.dir[DIR_READ].fio_bytes_per_s *= 0.9;
		result = store_put_attempt(store, &attempt, repeat, err);
		attempt_free(&attempt);
	}
	return result;
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
	    .os = "Debian",
	    .cpus = 96,
	    .numa_nodes = -1,
	    .memory_bytes = 1024};
	struct err err = ERR_INIT;
	struct store *store = argc == 2 ? store_open(argv[1], STORE_WRITE, &err) : NULL;

	if (!store || store_begin_run(store, &run, &err) != 0 ||
	    store_put_facts(store, &facts, &err) != 0 ||
	    put_case(store, "00000000000000aa", "tcp", &err) != 0 ||
	    put_case(store, "00000000000000ab", "rdma", &err) != 0 ||
	    store_end_run(store, UINT64_C(1796068600000000000), &err) != 0) {
		fprintf(stderr, "%s\n", err.msg);
		return 1;
	}
	store_close(store);
	return 0;
}
