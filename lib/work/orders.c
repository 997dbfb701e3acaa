/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the orders and reports, for messages, logs and stored events.
 */
#include "lib/work/orders.h"

static const char *const kind_names[ORDER_KIND_COUNT] = {
    [ORDER_PREPARE] = "PREPARE",
    [ORDER_ARM] = "ARM",
    [ORDER_GO] = "GO",
    [ORDER_WATCH] = "WATCH",
    [ORDER_COLLECT] = "COLLECT",
    [ORDER_ABORT] = "ABORT",
    [ORDER_RELEASE] = "RELEASE",
};

static const struct {
	const char *name;
	bool final;
} states[REPORT_STATE_COUNT] = {
    [REPORT_NONE] = {"NONE", true},
    [REPORT_PREPARING] = {"PREPARING", false},
    [REPORT_READY] = {"READY", false},
    [REPORT_ARMED] = {"ARMED", false},
    [REPORT_RUNNING] = {"RUNNING", false},
    [REPORT_FINISHED] = {"FINISHED", true},
    [REPORT_FAILED] = {"FAILED", true},
    [REPORT_STALLED] = {"STALLED", true},
    [REPORT_NOT_STARTED] = {"NOT_STARTED", true},
    [REPORT_ABORTED] = {"ABORTED", true},
    [REPORT_BUSY] = {"BUSY", true},
};

const char *
order_kind_name(enum order_kind kind)
{
	return (unsigned)kind < ORDER_KIND_COUNT ? kind_names[kind] : "UNKNOWN";
}

const char *
report_state_name(enum report_state state)
{
	return (unsigned)state < REPORT_STATE_COUNT ? states[state].name : "UNKNOWN";
}

bool
report_is_final(enum report_state state)
{
	return (unsigned)state < REPORT_STATE_COUNT && states[state].final;
}

void
sample_add(struct sample *into, const struct sample *from)
{
	if (from->at_ns > into->at_ns)
		into->at_ns = from->at_ns;
	into->outstanding += from->outstanding;
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		into->dir[dir].ios += from->dir[dir].ios;
		into->dir[dir].bytes += from->dir[dir].bytes;
		into->dir[dir].lat_sum_ns += from->dir[dir].lat_sum_ns;
		into->dir[dir].lat_count += from->dir[dir].lat_count;
	}
}
