/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of a fleet: its loop, connecting, and questions to everyone.
 */
#include "controller/fleet/fleet.h"

#include <event2/event.h>
#include <event2/listener.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "controller/fleet/fleet-impl.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/base/units.h"
#include "lib/rpc/tls.h"

#define QUESTION_NS (UINT64_C(20) * UINT64_C(1000000000))
#define COMMAND_GRACE_NS (UINT64_C(15) * UINT64_C(1000000000))
#define COMMAND_BREAKS 2 /* the end of the wait, or two times Ctrl-C */
#define SYNC_NS (UINT64_C(3) * UINT64_C(1000000000))
#define SYNC_AT_ONCE 8 /* more would wait for each other here, and blur the clocks */

/* ---- the loop ---- */

static struct timeval
to_timeval(uint64_t ns)
{
	return (struct timeval){.tv_sec = (time_t)(ns / UNITS_NS_PER_S),
	    .tv_usec = (suseconds_t)(ns % UNITS_NS_PER_S / 1000)};
}

void
fleet_break(struct fleet *fleet)
{
	event_base_loopbreak(fleet->base);
}

static void
on_alarm(evutil_socket_t fd, short what, void *arg)
{
	bool *late = arg;

	(void)fd;
	(void)what;
	*late = true;
}

bool
fleet_loop(struct fleet *fleet, uint64_t timeout_ns)
{
	bool late = false;
	struct timeval tv = to_timeval(timeout_ns);
	struct event *alarm = event_new(fleet->base, -1, 0, on_alarm, &late);

	if (timeout_ns)
		event_add(alarm, &tv);
	while (!late && event_base_loop(fleet->base, EVLOOP_ONCE) == 0 &&
	       !event_base_got_break(fleet->base))
		;
	event_free(alarm);
	return !late;
}

static void
on_signal(evutil_socket_t fd, short what, void *arg)
{
	struct fleet *fleet = arg;

	(void)fd;
	(void)what;
	fleet->interrupted = true;
	if (fleet->run)
		fleet_run_interrupt(fleet->run);
	else
		fleet_break(fleet);
}

/* ---- life ---- */

int
fleet_new(struct fleet **ret, const struct fleet_config *config, struct err *err)
{
	struct fleet *fleet = mem_alloc(sizeof *fleet);

	fleet->config = *config;
	fleet->boot = rng_entropy();
	fleet->base = event_base_new();
	fleet->on_int = evsignal_new(fleet->base, SIGINT, on_signal, fleet);
	fleet->on_term = evsignal_new(fleet->base, SIGTERM, on_signal, fleet);
	event_add(fleet->on_int, NULL);
	event_add(fleet->on_term, NULL);
	if (fleet_find_agents(fleet, err) < 0) {
		fleet_free(fleet);
		return -1;
	}
	*ret = fleet;
	return 0;
}

void
fleet_free(struct fleet *fleet)
{
	VEC(struct local_agent) local = {0};

	if (!fleet)
		return;
	if (fleet->listener)
		evconnlistener_free(fleet->listener);
	for (vec_each(struct member **, it, &fleet->members)) {
		if ((*it)->local.pid > 0)
			vec_push(&local, (*it)->local);
		fleet_member_free(*it);
	}
	for (vec_each(struct member **, it, &fleet->joining))
		fleet_member_free(*it);
	vec_free(&fleet->members);
	vec_free(&fleet->joining);
	for (vec_each(struct missing *, it, &fleet->missing))
		free(it->label);
	vec_free(&fleet->missing);
	event_free(fleet->on_int);
	event_free(fleet->on_term);
	event_base_dispatch(fleet->base); /* the BYEs go out, the channels close */
	for (vec_each(struct local_agent *, it, &local))
		local_end(it);
	vec_free(&local);
	event_base_free(fleet->base);
	if (fleet->tls)
		tls_free(fleet->tls);
	key_free(fleet->key);
	pins_close(&fleet->pins);
	free(fleet);
}

/* Says of a member why it cannot be used, and goes on without it. */
static void
give_up(struct fleet *fleet, const char *label, const struct err *err,
    fleet_problem_fn *problem, void *arg)
{
	*vec_add(&fleet->missing) = (struct missing){mem_strdup(label), *err};
	problem(arg, label, err);
}

static void
drop_missing(struct fleet *fleet, fleet_problem_fn *problem, void *arg)
{
	size_t kept = 0;

	for (size_t i = 0; i < fleet->members.n; i++) {
		struct member *member = fleet->members.v[i];
		if (member->up) {
			member->index = kept;
			fleet->members.v[kept++] = member;
			continue;
		}
		if (member->err.code == ERR_NONE)
			err_set(&member->err, ERR_TIMEOUT, "no answer");
		give_up(fleet, member->label, &member->err, problem, arg);
		fleet_member_free(member);
	}
	fleet->members.n = kept;
}

/* Agents that should have dialled us and did not have no name. */
static void
count_silent(struct fleet *fleet, fleet_problem_fn *problem, void *arg)
{
	struct err err = ERR_INIT;

	if (!fleet->config.listen || fleet->members.n >= fleet->config.expect)
		return;
	err_set(&err, ERR_TIMEOUT, "did not dial in time; %zu of %zu did",
	    fleet->members.n, fleet->config.expect);
	for (size_t n = fleet->members.n; n < fleet->config.expect; n++)
		give_up(fleet, "an agent", &err, problem, arg);
}

/* Names are in file names and in results: two of the same would be one client. */
static int
check_names(const struct fleet *fleet, struct err *err)
{
	for (size_t i = 0; i < fleet->members.n; i++)
		for (size_t k = 0; k < i; k++) {
			const struct member *a = fleet->members.v[k];
			const struct member *b = fleet->members.v[i];
			if (strcmp(a->label, b->label) == 0)
				return err_set(err, ERR_PROTOCOL,
				    "%s and %s both answer as %s: one agent listed "
				    "twice, or two that need a --name of their own; "
				    "nothing was started",
				    agent_link_address(a->link),
				    agent_link_address(b->link), a->label);
		}
	return 0;
}

int
fleet_connect(struct fleet *fleet, uint64_t timeout_ns, fleet_problem_fn *problem,
    void *arg, struct err *err)
{
	if (!fleet_all_settled(fleet))
		fleet_loop(fleet, timeout_ns);
	if (fleet->interrupted)
		return err_set(err, ERR_CANCELLED, "interrupted");
	count_silent(fleet, problem, arg);
	drop_missing(fleet, problem, arg);
	if (fleet->missing.n > fleet->config.allow_missing || fleet->members.n == 0)
		return err_set(err, ERR_UNREACHABLE,
		    "%zu of %zu agents cannot be used; nothing was started",
		    fleet->missing.n, fleet->missing.n + fleet->members.n);
	return check_names(fleet, err);
}

size_t
fleet_count(const struct fleet *fleet)
{
	return fleet->members.n;
}

size_t
fleet_missing(const struct fleet *fleet)
{
	return fleet->missing.n;
}

const char *
fleet_name(const struct fleet *fleet, size_t index)
{
	return fleet->members.v[index]->label;
}

const char *
fleet_address(const struct fleet *fleet, size_t index)
{
	return agent_link_address(fleet->members.v[index]->link);
}

bool
fleet_interrupted(const struct fleet *fleet)
{
	return fleet->interrupted;
}

/* ---- questions to all ---- */

void
fleet_ask(
    struct fleet *fleet, size_t from, size_t n, const struct facts_question *question)
{
	fleet_open_question(fleet, fleet->members.n);
	fleet->waiting = n;
	for (size_t i = 0; i < fleet->members.n; i++)
		if (i >= from && i < from + n)
			agent_link_facts(fleet->members.v[i]->link, question);
		else
			fleet->members.v[i]->answered = true;
	if (fleet->waiting)
		fleet_loop(fleet, QUESTION_NS);
	fleet->waiting = 0;
}

void
fleet_ask_facts(struct fleet *fleet, const char *const *paths, size_t n)
{
	struct facts_question question = {.paths = paths, .n = n};

	fleet_ask(fleet, 0, fleet->members.n, &question);
}

const struct facts *
fleet_facts(const struct fleet *fleet, size_t index)
{
	return fleet->members.v[index]->facts;
}

void
fleet_command(struct fleet *fleet, size_t n, const struct shell_command *command,
    struct shell_answer *ret)
{
	unsigned breaks = 0;

	fleet_open_question(fleet, n);
	fleet->said = ret;
	fleet->command_tag++;
	for (size_t i = 0; i < n; i++)
		agent_link_command(
		    fleet->members.v[i]->link, command, fleet->command_tag);
	while (fleet->waiting && breaks < COMMAND_BREAKS &&
	       fleet_loop(fleet, command->timeout_ns + COMMAND_GRACE_NS))
		breaks++;
	fleet->waiting = 0;
	fleet->said = NULL;
	for (size_t i = 0; i < n; i++)
		if (!fleet->members.v[i]->answered)
			ret[i].problem = mem_strdup("no answer");
}

struct facts *
fleet_take_facts(struct fleet *fleet, size_t index)
{
	struct facts *facts = fleet->members.v[index]->facts;

	fleet->members.v[index]->facts = NULL;
	return facts;
}

void
fleet_give_facts(struct fleet *fleet, size_t index, struct facts *facts)
{
	facts_free(fleet->members.v[index]->facts);
	fleet->members.v[index]->facts = facts;
}

void
fleet_start_sync(struct fleet *fleet, size_t n)
{
	fleet_open_question(fleet, n);
	for (size_t i = 0; i < n; i++)
		fleet->members.v[i]->offset = (struct offset){0};
	fleet->sync_next = 0;
	fleet->sync_end = n;
	for (unsigned i = 0; i < SYNC_AT_ONCE; i++)
		fleet_sync_one(fleet);
}

void
fleet_ask_offsets(struct fleet *fleet)
{
	fleet_start_sync(fleet, fleet->members.n);
	if (fleet->waiting)
		fleet_loop(fleet, SYNC_NS);
	fleet->waiting = 0;
}

struct offset
fleet_offset(const struct fleet *fleet, size_t index)
{
	return fleet->members.v[index]->offset;
}
