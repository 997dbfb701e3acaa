/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The logs of an attempt, fetched part by part from all clients at the same time.  A
 * client whose connection is lost goes on where it was when it is back.
 */
#include "controller/fleet/fleet-impl.h"

#include <stdlib.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"

#define SILENCE_NS (UINT64_C(30) * UNITS_NS_PER_S) /* without a part from anyone */

struct fetch {
	struct log_request next;
	bool over;
	struct err err; /* why it has not all */
};

struct fleet_logs {
	struct fleet *fleet;
	uint64_t run_id;
	struct fetch *fetches;
	size_t clients, open;
	fleet_log_fn *put;
	void *arg;
	bool heard;
};

static void
ask(struct fleet_logs *logs, struct member *member)
{
	const struct fetch *fetch = &logs->fetches[member->index];

	if (!fetch->over && member->up)
		agent_link_log(member->link, &fetch->next);
}

static void
finish(struct fleet_logs *logs, struct fetch *fetch, const struct err *err)
{
	if (fetch->over)
		return;
	fetch->over = true;
	if (err)
		fetch->err = *err;
	if (--logs->open == 0)
		fleet_break(logs->fleet);
}

/* Part after part, log after log; then the one question that lets them go. */
static int
take(struct fleet_logs *logs, struct member *member, struct fetch *fetch,
    const struct log_part *part, struct err *err)
{
	struct log_request *next = &fetch->next;

	if (part->run_id != logs->run_id)
		return err_set(err, ERR_PROTOCOL, "logs of another run");
	if (!part->name) {
		finish(logs, fetch, NULL);
		return 0;
	}
	if (part->len == 0 && next->offset < part->bytes)
		return err_set(err, ERR_PROTOCOL, "log %s: %llu of %llu bytes came",
		    part->name, (unsigned long long)next->offset,
		    (unsigned long long)part->bytes);
	if (logs->put(logs->arg, member->label, part, next->offset, err) < 0)
		return -1;
	next->offset += part->len;
	if (next->offset >= part->bytes)
		*next = (struct log_request){next->run_id, next->index + 1, 0};
	ask(logs, member);
	return 0;
}

void
fleet_logs_part(struct fleet_logs *logs, struct member *member,
    const struct log_part *part, const struct err *err)
{
	struct fetch *fetch;
	struct err why = ERR_INIT;

	if (member->index >= logs->clients)
		return;
	fetch = &logs->fetches[member->index];
	if (fetch->over)
		return;
	logs->heard = true;
	if (!part && err->code == ERR_UNREACHABLE && !member->hopeless)
		return; /* fleet_logs_up goes on */
	if (!part)
		finish(logs, fetch, err);
	else if (take(logs, member, fetch, part, &why) < 0)
		finish(logs, fetch, &why);
}

void
fleet_logs_up(struct fleet_logs *logs, struct member *member)
{
	if (member->index < logs->clients)
		ask(logs, member);
}

static void
give_up(struct fleet_logs *logs, enum err_code code, const char *why)
{
	struct err err = ERR_INIT;

	err_set(&err, code, "%s", why);
	for (size_t i = 0; i < logs->clients; i++)
		finish(logs, &logs->fetches[i], &err);
}

static void
fetch_all(struct fleet_logs *logs)
{
	struct fleet *fleet = logs->fleet;

	for (size_t i = 0; i < logs->clients; i++)
		ask(logs, fleet->members.v[i]);
	while (logs->open) {
		bool in_time;

		logs->heard = false;
		in_time = fleet_loop(fleet, SILENCE_NS);
		if (fleet->interrupted)
			give_up(logs, ERR_CANCELLED, "interrupted");
		else if (!in_time && !logs->heard)
			give_up(logs, ERR_TIMEOUT, "no answer");
	}
}

void
fleet_fetch_logs(struct fleet *fleet, const struct attempt *attempt, fleet_log_fn *put,
    fleet_problem_fn *problem, void *arg)
{
	struct fleet_logs logs = {.fleet = fleet,
	    .run_id = attempt->run_id,
	    .put = put,
	    .arg = arg};

	logs.clients = attempt->clients.n < fleet->members.n ? attempt->clients.n
							     : fleet->members.n;
	logs.fetches = mem_array(logs.clients, sizeof *logs.fetches);
	for (size_t i = 0; i < logs.clients; i++) {
		logs.fetches[i].next.run_id = attempt->run_id;
		/* one that failed says so in its outcome */
		logs.fetches[i].over = attempt->clients.v[i].outcome != CLIENT_OK;
		logs.open += !logs.fetches[i].over;
	}
	fleet->logs = &logs;
	fetch_all(&logs);
	fleet->logs = NULL;
	for (size_t i = 0; i < logs.clients; i++)
		if (logs.fetches[i].err.code != ERR_NONE)
			problem(arg, fleet->members.v[i]->label, &logs.fetches[i].err);
	free(logs.fetches);
}
