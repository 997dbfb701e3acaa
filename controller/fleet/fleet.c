/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Membership: who the agents are, connecting to them, and questions to all of them.
 */
#include "controller/fleet/fleet.h"

#include <errno.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/fleet/fleet-impl.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/base/units.h"
#include "lib/rpc/chan.h"
#include "lib/rpc/tls.h"

#define QUESTION_NS (UINT64_C(20) * UINT64_C(1000000000))
#define SYNC_NS (UINT64_C(3) * UINT64_C(1000000000))
#define SYNC_PINGS 24
#define SYNC_AT_ONCE 8 /* more would wait for each other here, and blur the clocks */
#define DEFAULT_PORT 7411

/* ---- the loop ---- */

static struct timeval to_timeval(uint64_t ns)
{
	return (struct timeval){.tv_sec = (time_t)(ns / UNITS_NS_PER_S),
				.tv_usec = (suseconds_t)(ns % UNITS_NS_PER_S / 1000)};
}

void fleet_break(struct fleet *fleet)
{
	event_base_loopbreak(fleet->base);
}

static void on_alarm(evutil_socket_t fd, short what, void *arg)
{
	bool *late = arg;

	(void)fd;
	(void)what;
	*late = true;
}

bool fleet_loop(struct fleet *fleet, uint64_t timeout_ns)
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

static void on_signal(evutil_socket_t fd, short what, void *arg)
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

/* ---- members ---- */

static struct member *member_new(struct fleet *fleet, char *label)
{
	struct member *member = mem_alloc(sizeof *member);

	member->fleet = fleet;
	member->label = label;
	return member;
}

static void member_free(struct member *member)
{
	if (member->link)
		agent_link_free(member->link);
	facts_free(member->facts);
	free(member->label);
	free(member);
}

static struct member *add_member(struct fleet *fleet, char *label)
{
	struct member *member = member_new(fleet, label);

	member->index = fleet->members.n;
	vec_push(&fleet->members, member);
	return member;
}

/* One more answer to the question that is open. */
static void answered(struct member *member)
{
	struct fleet *fleet = member->fleet;

	if (member->answered || fleet->waiting == 0)
		return;
	member->answered = true;
	if (--fleet->waiting > 0)
		return;
	if (fleet->run)
		fleet_run_synced(fleet->run);
	else
		fleet_break(fleet);
}

static void open_question(struct fleet *fleet, size_t n)
{
	fleet->waiting = n;
	for (size_t i = 0; i < n; i++)
		fleet->members.v[i]->answered = false;
}

/* Asks the next member for its clock. */
static void sync_one(struct fleet *fleet)
{
	while (fleet->waiting && fleet->sync_next < fleet->sync_end) {
		struct member *member = fleet->members.v[fleet->sync_next++];
		if (member->up) {
			agent_link_sync(member->link, SYNC_PINGS);
			return;
		}
		answered(member);
	}
}

/* ---- agents that dial us ---- */

static bool known_member(struct member *joining, struct member **ret)
{
	struct fleet *fleet = joining->fleet;
	const char *name = agent_link_name(joining->link);

	for (vec_each(struct member **, it, &fleet->members)) {
		if (strcmp((*it)->label, name) == 0) {
			*ret = *it;
			return true;
		}
	}
	return false;
}

static int admit(struct member *joining, struct member *known, struct err *err)
{
	struct fleet *fleet = joining->fleet;
	const struct agent_identity *identity = agent_link_identity(joining->link);
	const char *name = agent_link_name(joining->link);

	if (pins_learn(&fleet->pins, name, identity->key, err) < 0)
		return -1;
	if (known && known->up)
		return err_set(err, ERR_BUSY, "an agent named %s is connected already", name);
	if (!known && fleet->members.n >= fleet->config.expect)
		return err_set(err, ERR_BUSY, "all %zu agents are connected already",
			       fleet->config.expect);
	return 0;
}

static void joined(struct member *joining)
{
	struct fleet *fleet = joining->fleet;
	struct member *known = NULL;
	struct err err = ERR_INIT;

	known_member(joining, &known);
	if (admit(joining, known, &err) < 0) {
		agent_link_refuse(joining->link, &err);
		return;
	}
	for (size_t i = 0; i < fleet->joining.n; i++)
		if (fleet->joining.v[i] == joining)
			fleet->joining.v[i] = fleet->joining.v[--fleet->joining.n];
	if (!known) {
		free(joining->label);
		joining->label = mem_strdup(agent_link_name(joining->link));
		joining->index = fleet->members.n;
		vec_push(&fleet->members, joining);
		return;
	}
	/* The member comes back: it takes the place of its old connection. */
	joining->index = known->index;
	joining->label = mem_strdup(known->label);
	joining->facts = known->facts;
	joining->sample = known->sample;
	joining->sample_before = known->sample_before;
	known->facts = NULL;
	fleet->members.v[known->index] = joining;
	member_free(known);
}

static bool is_joining(const struct member *member)
{
	for (vec_each(struct member **, it, &member->fleet->joining))
		if (*it == member)
			return true;
	return false;
}

/* ---- link callbacks ---- */

static bool all_settled(const struct fleet *fleet)
{
	if (fleet->config.listen && fleet->members.n < fleet->config.expect)
		return false;
	for (vec_each(struct member **, it, &fleet->members))
		if (!(*it)->up && !(*it)->hopeless)
			return false;
	return true;
}

/* Pins the key of an agent that we dialled, now that it has proved to hold it. */
static int learn(struct member *member)
{
	const struct agent_identity *identity = agent_link_identity(member->link);
	struct err err = ERR_INIT;

	if (!identity->host.name)
		return 0;
	char *label = host_format(&identity->host);
	int r = pins_learn(&member->fleet->pins, label, identity->key, &err);
	free(label);
	if (r < 0)
		agent_link_refuse(member->link, &err);
	return r;
}

static void on_up(void *arg, struct agent_link *link)
{
	struct member *member = arg;
	struct fleet *fleet = member->fleet;

	if (is_joining(member)) {
		joined(member);
		if (is_joining(member))
			return;
	}
	if (learn(member) < 0)
		return;
	member->up = true;
	member->err = ERR_INIT;
	if (strcmp(member->label, agent_link_name(link)) != 0) {
		free(member->label);
		member->label = mem_strdup(agent_link_name(link));
	}
	if (fleet->run)
		fleet_run_up(fleet->run, member);
	else if (all_settled(fleet))
		fleet_break(fleet);
}

static void drop_joining(struct member *member)
{
	struct fleet *fleet = member->fleet;

	for (size_t i = 0; i < fleet->joining.n; i++)
		if (fleet->joining.v[i] == member)
			fleet->joining.v[i] = fleet->joining.v[--fleet->joining.n];
	member_free(member);
}

static void on_down(void *arg, struct agent_link *link, const struct err *err, bool final)
{
	struct member *member = arg;
	struct fleet *fleet = member->fleet;
	bool refused = err->errnum == ECONNREFUSED;

	(void)link;
	if (is_joining(member)) {
		drop_joining(member);
		return;
	}
	member->up = false;
	member->err = *err;
	/* One that dialled us may dial again. */
	member->hopeless = final && !fleet->config.listen;
	if (member->index < fleet->sync_next)
		sync_one(fleet); /* the place of this one is free */
	answered(member);
	if (fleet->run)
		fleet_run_down(fleet->run, member, err);
	else if (refused || all_settled(fleet)) {
		/* Nothing listens there: no reason to wait for the time-out. */
		member->hopeless = member->hopeless || refused;
		if (all_settled(fleet))
			fleet_break(fleet);
	}
}

static void on_report(void *arg, struct agent_link *link, const struct report *report)
{
	struct member *member = arg;

	(void)link;
	if (member->fleet->run)
		fleet_run_report(member->fleet->run, member, report);
}

static void on_sample(void *arg, struct agent_link *link, const struct sample *sample)
{
	struct member *member = arg;

	(void)link;
	member->sample_before = member->sample;
	member->sample = *sample;
}

static void on_result(void *arg, struct agent_link *link, uint64_t run_id,
		      struct tally *tally, const struct err *err)
{
	struct member *member = arg;

	(void)link;
	if (member->fleet->run)
		fleet_run_result(member->fleet->run, member, run_id, tally, err);
	else
		tally_free(tally);
}

static void on_synced(void *arg, struct agent_link *link, const struct offset *offset)
{
	struct member *member = arg;

	(void)link;
	member->offset = *offset;
	sync_one(member->fleet);
	answered(member);
}

static void on_facts(void *arg, struct agent_link *link, struct facts *facts,
		     const struct err *err)
{
	struct member *member = arg;

	(void)link;
	(void)err;
	facts_free(member->facts);
	member->facts = facts;
	answered(member);
}

static const struct agent_link_ops link_ops = {
	.up = on_up,
	.down = on_down,
	.report = on_report,
	.sample = on_sample,
	.result = on_result,
	.synced = on_synced,
	.facts = on_facts,
};

/* ---- trust ---- */

static bool judge(void *arg, void *connection, const uint8_t raw[KEY_PUBLIC_LEN],
		  struct err *err)
{
	struct fleet *fleet = arg;
	struct agent_identity *identity = connection;

	memcpy(identity->key, raw, KEY_PUBLIC_LEN);
	identity->has_key = true;
	if (!identity->host.name)
		return true; /* pinned by name, once HELLO told it (admit) */
	char *label = host_format(&identity->host);
	int r = pins_check(&fleet->pins, label, raw, err);
	free(label);
	if (r < 0)
		identity->refused = *err;
	return r == 0;
}

static int load_keys(struct fleet *fleet, struct err *err)
{
	const struct fleet_config *config = &fleet->config;

	if (key_load(&fleet->key, config->key, err) < 0)
		return -1;
	if (pins_open(&fleet->pins, config->known_agents, config->strict, err) < 0)
		return -1;
	return tls_new(&fleet->tls, fleet->key, judge, fleet, err);
}

/* ---- three ways to agents ---- */

static void dial_all(struct fleet *fleet)
{
	for (vec_each(const struct host *, it, &fleet->config.hosts->hosts)) {
		struct member *member = add_member(fleet, host_format(it));
		member->link = agent_link_dial(fleet->base, fleet->tls, it, fleet->boot,
					       &link_ops, member);
	}
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd,
		      struct sockaddr *addr, int len, void *arg)
{
	struct fleet *fleet = arg;
	struct agent_identity *identity = mem_alloc(sizeof *identity);
	struct member *member = member_new(fleet, NULL);

	(void)listener;
	(void)addr;
	(void)len;
	vec_push(&fleet->joining, member);
	struct bufferevent *bev =
	    tls_bufferevent(fleet->tls, fleet->base, fd, true, identity);
	member->link = agent_link_adopt(fleet->base, bev, identity, fleet->boot, &link_ops,
					member);
}

static int start_listening(struct fleet *fleet, struct err *err)
{
	struct hostlist list = {0};
	struct evutil_addrinfo hints = {.ai_socktype = SOCK_STREAM,
					.ai_flags = EVUTIL_AI_PASSIVE},
			       *ai = NULL;
	char port[8];

	if (hostlist_parse(&list, fleet->config.listen, DEFAULT_PORT, err) < 0)
		return err_prefix(err, "--listen");
	if (list.hosts.n != 1) {
		hostlist_free(&list);
		return err_set(err, ERR_USAGE, "--listen wants one ADDR:PORT");
	}
	snprintf(port, sizeof port, "%u", list.hosts.v[0].port);
	int r = evutil_getaddrinfo(list.hosts.v[0].name, port, &hints, &ai);
	hostlist_free(&list);
	if (r)
		return err_set(err, ERR_USAGE, "--listen %s: %s", fleet->config.listen,
			       evutil_gai_strerror(r));
	fleet->listener = evconnlistener_new_bind(
	    fleet->base, on_accept, fleet,
	    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE, 128,
	    ai->ai_addr, (int)ai->ai_addrlen);
	int saved = errno;
	evutil_freeaddrinfo(ai);
	return fleet->listener ? 0
			       : err_sys(err, saved, "listen on %s", fleet->config.listen);
}

static int start_local(struct fleet *fleet, struct err *err)
{
	for (unsigned i = 0; i < fleet->config.local; i++) {
		struct member *member = add_member(fleet, mem_printf("local-%u", i + 1));
		if (local_start(&member->local, member->label, &fleet->config.local_allow,
				err) < 0)
			return -1;
		struct bufferevent *bev = chan_plain(fleet->base, member->local.fd);
		member->link = agent_link_adopt(fleet->base, bev, NULL, fleet->boot,
						&link_ops, member);
	}
	return 0;
}

/* ---- life ---- */

int fleet_new(struct fleet **ret, const struct fleet_config *config, struct err *err)
{
	struct fleet *fleet = mem_alloc(sizeof *fleet);
	int r = 0;

	fleet->config = *config;
	fleet->boot = rng_entropy();
	fleet->base = event_base_new();
	fleet->on_int = evsignal_new(fleet->base, SIGINT, on_signal, fleet);
	fleet->on_term = evsignal_new(fleet->base, SIGTERM, on_signal, fleet);
	event_add(fleet->on_int, NULL);
	event_add(fleet->on_term, NULL);
	if (config->local) {
		r = start_local(fleet, err);
	} else {
		r = load_keys(fleet, err);
		if (r == 0 && config->listen)
			r = start_listening(fleet, err);
		else if (r == 0)
			dial_all(fleet);
	}
	if (r < 0) {
		fleet_free(fleet);
		return -1;
	}
	*ret = fleet;
	return 0;
}

void fleet_free(struct fleet *fleet)
{
	VEC(struct local_agent) local = {0};

	if (!fleet)
		return;
	if (fleet->listener)
		evconnlistener_free(fleet->listener);
	for (vec_each(struct member **, it, &fleet->members)) {
		if ((*it)->local.pid > 0)
			vec_push(&local, (*it)->local);
		member_free(*it);
	}
	for (vec_each(struct member **, it, &fleet->joining))
		member_free(*it);
	vec_free(&fleet->members);
	vec_free(&fleet->joining);
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

static void drop_missing(struct fleet *fleet)
{
	size_t kept = 0;

	for (size_t i = 0; i < fleet->members.n; i++) {
		struct member *member = fleet->members.v[i];
		if (!member->up) {
			fleet->missing++;
			member_free(member);
			continue;
		}
		member->index = kept;
		fleet->members.v[kept++] = member;
	}
	fleet->members.n = kept;
}

int fleet_connect(struct fleet *fleet, uint64_t timeout_ns, fleet_problem_fn *problem,
		  void *arg, struct err *err)
{
	size_t missing = 0, wanted = fleet->members.n;

	if (!all_settled(fleet))
		fleet_loop(fleet, timeout_ns);
	if (fleet->interrupted)
		return err_set(err, ERR_CANCELLED, "interrupted");
	for (vec_each(struct member **, it, &fleet->members)) {
		if ((*it)->up)
			continue;
		missing++;
		if ((*it)->err.code == ERR_NONE)
			err_set(&(*it)->err, ERR_TIMEOUT, "no answer");
		problem(arg, (*it)->label, &(*it)->err);
	}
	if (fleet->config.listen && fleet->members.n < fleet->config.expect) {
		missing += fleet->config.expect - fleet->members.n;
		wanted = fleet->config.expect;
		fleet->missing += fleet->config.expect - fleet->members.n;
	}
	drop_missing(fleet);
	if (missing > fleet->config.allow_missing || fleet->members.n == 0)
		return err_set(err, ERR_UNREACHABLE,
			       "%zu of %zu agents cannot be used; nothing was started",
			       missing, wanted);
	return 0;
}

size_t fleet_count(const struct fleet *fleet)
{
	return fleet->members.n;
}

size_t fleet_missing(const struct fleet *fleet)
{
	return fleet->missing;
}

const char *fleet_name(const struct fleet *fleet, size_t index)
{
	return fleet->members.v[index]->label;
}

const char *fleet_address(const struct fleet *fleet, size_t index)
{
	return agent_link_address(fleet->members.v[index]->link);
}

bool fleet_interrupted(const struct fleet *fleet)
{
	return fleet->interrupted;
}

/* ---- questions to all ---- */

void fleet_ask_facts(struct fleet *fleet, const char *const *paths, size_t n)
{
	open_question(fleet, fleet->members.n);
	for (size_t i = 0; i < fleet->members.n; i++)
		agent_link_facts(fleet->members.v[i]->link, paths, n);
	if (fleet->waiting)
		fleet_loop(fleet, QUESTION_NS);
	fleet->waiting = 0;
}

const struct facts *fleet_facts(const struct fleet *fleet, size_t index)
{
	return fleet->members.v[index]->facts;
}

void fleet_start_sync(struct fleet *fleet, size_t n)
{
	open_question(fleet, n);
	for (size_t i = 0; i < n; i++)
		fleet->members.v[i]->offset = (struct offset){0};
	fleet->sync_next = 0;
	fleet->sync_end = n;
	for (unsigned i = 0; i < SYNC_AT_ONCE; i++)
		sync_one(fleet);
}

void fleet_ask_offsets(struct fleet *fleet)
{
	fleet_start_sync(fleet, fleet->members.n);
	if (fleet->waiting)
		fleet_loop(fleet, SYNC_NS);
	fleet->waiting = 0;
}

struct offset fleet_offset(const struct fleet *fleet, size_t index)
{
	return fleet->members.v[index]->offset;
}
