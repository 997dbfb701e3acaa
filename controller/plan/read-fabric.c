/* SPDX-License-Identifier: Apache-2.0 */
/* The key fabric: what the network between the agents is asked for. */
#include "controller/plan/node.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"
#include "lib/work/option.h"

#define FABRIC_BS UINT64_C(1048576)
#define FABRIC_BS_MAX (UINT64_C(64) << 20) /* what a target takes */
#define FABRIC_IODEPTH 16
#define FABRIC_NUMJOBS 4
#define FABRIC_RUNTIME_NS (5 * UNITS_NS_PER_S)

/* A list of words, each once, as flags. */
static int
one_flag(struct reader *r, yaml_node_t *node, const char *what,
    const struct word *words, bool *flags)
{
	const char *text = node_text(r, node, what);
	int value;

	if (!text)
		return -1;
	if (option_word_parse(words, text, &value, r->err)) {
		err_prefix(r->err, "%s", what);
		return node_err_at(r, node);
	}
	if (flags[value])
		return node_err(r, node, "%s: '%s' is listed twice", what, text);
	flags[value] = true;
	return 0;
}

static int
one_pattern(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct word words[] = {{"pairwise", FABRIC_PAIRWISE},
	    {"n-to-1", FABRIC_N_TO_1}, {"n-to-n", FABRIC_N_TO_N}, {NULL, 0}};
	struct plan_fabric *fabric = into;

	return one_flag(r, node, "patterns", words, fabric->patterns);
}

static int
one_transport(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct word words[] = {
	    {"tcp", TRANSPORT_TCP}, {"rdma", TRANSPORT_RDMA}, {NULL, 0}};
	struct plan_fabric *fabric = into;

	return one_flag(r, node, "transports", words, fabric->transports);
}

static int
one_direction(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct word words[] = {
	    {"read", DIR_READ}, {"write", DIR_WRITE}, {NULL, 0}};
	struct plan_fabric *fabric = into;

	return one_flag(r, node, "rw", words, fabric->dirs);
}

static int
fabric_patterns(struct reader *r, yaml_node_t *node, void *into)
{
	return node_list_or_one(r, node, "patterns", one_pattern, into);
}

static int
fabric_transports(struct reader *r, yaml_node_t *node, void *into)
{
	return node_list_or_one(r, node, "transports", one_transport, into);
}

static int
fabric_rw(struct reader *r, yaml_node_t *node, void *into)
{
	return node_list_or_one(r, node, "rw", one_direction, into);
}

static int
fabric_bs(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_fabric *fabric = into;

	if (node_bytes(r, node, "bs", &fabric->bs))
		return -1;
	if (fabric->bs >= 1 && fabric->bs <= FABRIC_BS_MAX)
		return 0;
	return node_err(r, node, "bs must be from 1 to 64m");
}

static int
read_count(struct reader *r, yaml_node_t *node, const char *what, uint64_t min,
    uint64_t max, unsigned *ret)
{
	uint64_t n;

	if (node_u64(r, node, what, min, max, &n))
		return -1;
	*ret = (unsigned)n;
	return 0;
}

static int
fabric_iodepth(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_fabric *fabric = into;

	return read_count(r, node, "iodepth", 1, 4096, &fabric->iodepth);
}

static int
fabric_numjobs(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_fabric *fabric = into;

	return read_count(r, node, "numjobs", 1, 256, &fabric->numjobs);
}

static int
fabric_repeat(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_fabric *fabric = into;

	return read_count(r, node, "repeat", 1, PLAN_REPEAT_MAX, &fabric->repeat);
}

static int
fabric_clients(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_fabric *fabric = into;

	return read_count(r, node, "clients", 2, PLAN_CLIENTS_MAX, &fabric->clients);
}

static int
fabric_runtime(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_fabric *fabric = into;

	return node_time(r, node, "runtime", &fabric->runtime_ns);
}

static int
one_address(struct reader *r, yaml_node_t *key, yaml_node_t *value, void *into)
{
	struct plan_fabric *fabric = into;
	struct plan_fact *address = vec_add(&fabric->addresses);

	if (node_strdup(r, key, "an agent's name", &address->name))
		return -1;
	return node_strdup(r, value, address->name, &address->value);
}

static int
fabric_addresses(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key none[] = {{NULL, NULL, false}};

	return node_map(r, node, "addresses", none, one_address, into);
}

static void
set_all_unless(bool *flags, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any = any || flags[i];
	for (size_t i = 0; i < n && !any; i++)
		flags[i] = true;
}

int
read_fabric(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key keys[] = {{"patterns", fabric_patterns, false},
	    {"transports", fabric_transports, false}, {"rw", fabric_rw, false},
	    {"bs", fabric_bs, false}, {"iodepth", fabric_iodepth, false},
	    {"numjobs", fabric_numjobs, false}, {"runtime", fabric_runtime, false},
	    {"repeat", fabric_repeat, false}, {"clients", fabric_clients, false},
	    {"addresses", fabric_addresses, false}, {NULL, NULL, false}};
	struct plan *plan = into;
	struct plan_fabric *fabric = &plan->fabric;

	*fabric = (struct plan_fabric){.given = true,
	    .bs = FABRIC_BS,
	    .iodepth = FABRIC_IODEPTH,
	    .numjobs = FABRIC_NUMJOBS,
	    .repeat = 1,
	    .runtime_ns = FABRIC_RUNTIME_NS};
	if (node_map(r, node, "fabric", keys, NULL, fabric))
		return -1;
	set_all_unless(fabric->patterns, FABRIC_PATTERNS);
	set_all_unless(fabric->dirs, DIR_COUNT);
	return 0;
}
