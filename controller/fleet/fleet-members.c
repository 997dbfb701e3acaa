/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who the agents are: dialled, dialling us or started here; their keys; and what
 * their links say, passed on to the attempt under way or to an open question.
 */
#include <errno.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/fleet/fleet-impl.h"
#include "lib/base/mem.h"
#include "lib/rpc/chan.h"
#include "lib/rpc/tls.h"

#define SYNC_PINGS 24
#define DEFAULT_PORT 7411

static struct member *
member_new(struct fleet *fleet, char *label)
{
	struct member *member = mem_alloc(sizeof *member);

	member->fleet = fleet;
	member->label = label;
	return member;
}

void
fleet_member_free(struct member *member)
{
	if (member->link)
		agent_link_free(member->link);
	facts_free(member->facts);
	free(member->label);
	free(member);
}

static struct member *
add_member(struct fleet *fleet, char *label)
{
	struct member *member = member_new(fleet, label);

	member->index = fleet->members.n;
	vec_push(&fleet->members, member);
	return member;
}

/* One more answer to the question that is open. */
static void
answered(struct member *member)
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

void
fleet_open_question(struct fleet *fleet, size_t n)
{
	fleet->waiting = n;
	for (size_t i = 0; i < n; i++)
		fleet->members.v[i]->answered = false;
}

/* Asks the next member for its clock. */
void
fleet_sync_one(struct fleet *fleet)
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

static bool
known_member(struct member *joining, struct member **ret)
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

static int
admit(struct member *joining, struct member *known, struct err *err)
{
	struct fleet *fleet = joining->fleet;
	const struct agent_identity *identity = agent_link_identity(joining->link);
	const char *name = agent_link_name(joining->link);

	if (pins_learn(&fleet->pins, name, identity->key, err) < 0)
		return -1;
	if (known && known->up)
		return err_set(
		    err, ERR_BUSY, "an agent named %s is connected already", name);
	if (!known && fleet->members.n >= fleet->config.expect)
		return err_set(err, ERR_BUSY, "all %zu agents are connected already",
		    fleet->config.expect);
	return 0;
}

static void
joined(struct member *joining)
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
	fleet_member_free(known);
}

static bool
is_joining(const struct member *member)
{
	for (vec_each(struct member **, it, &member->fleet->joining))
		if (*it == member)
			return true;
	return false;
}

/* ---- link callbacks ---- */

bool
fleet_all_settled(const struct fleet *fleet)
{
	if (fleet->config.listen && fleet->members.n < fleet->config.expect)
		return false;
	for (vec_each(struct member **, it, &fleet->members))
		if (!(*it)->up && !(*it)->hopeless)
			return false;
	return true;
}

/* Pins the key of an agent that we dialled, now that it has proved to hold it. */
static int
learn(struct member *member)
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

static void
on_up(void *arg, struct agent_link *link)
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
	else if (fleet->logs)
		fleet_logs_up(fleet->logs, member);
	else if (fleet_all_settled(fleet))
		fleet_break(fleet);
}

static void
drop_joining(struct member *member)
{
	struct fleet *fleet = member->fleet;

	for (size_t i = 0; i < fleet->joining.n; i++)
		if (fleet->joining.v[i] == member)
			fleet->joining.v[i] = fleet->joining.v[--fleet->joining.n];
	fleet_member_free(member);
}

static void
on_down(void *arg, struct agent_link *link, const struct err *err, bool final)
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
		fleet_sync_one(fleet); /* the place of this one is free */
	answered(member);
	if (fleet->run)
		fleet_run_down(fleet->run, member, err);
	else if (refused || fleet_all_settled(fleet)) {
		/* Nothing listens there: no reason to wait for the time-out. */
		member->hopeless = member->hopeless || refused;
		if (fleet_all_settled(fleet))
			fleet_break(fleet);
	}
}

static void
on_report(void *arg, struct agent_link *link, const struct report *report)
{
	struct member *member = arg;

	(void)link;
	if (member->fleet->run)
		fleet_run_report(member->fleet->run, member, report);
}

static void
on_sample(void *arg, struct agent_link *link, const struct sample *sample)
{
	struct member *member = arg;

	(void)link;
	member->sample_before = member->sample;
	member->sample = *sample;
}

static void
on_counters(
    void *arg, struct agent_link *link, uint64_t run_id, struct counters *counters)
{
	struct member *member = arg;

	(void)link;
	if (member->fleet->run)
		fleet_run_counters(member->fleet->run, member, run_id, counters);
	else
		counters_free(counters);
}

static void
on_result(void *arg, struct agent_link *link, uint64_t run_id, struct tally *tally,
    const struct err *err)
{
	struct member *member = arg;

	(void)link;
	if (member->fleet->run)
		fleet_run_result(member->fleet->run, member, run_id, tally, err);
	else
		tally_free(tally);
}

static void
on_synced(void *arg, struct agent_link *link, const struct offset *offset)
{
	struct member *member = arg;

	(void)link;
	member->offset = *offset;
	fleet_sync_one(member->fleet);
	answered(member);
}

static void
on_facts(void *arg, struct agent_link *link, struct facts *facts, const struct err *err)
{
	struct member *member = arg;

	(void)link;
	(void)err;
	facts_free(member->facts);
	member->facts = facts;
	answered(member);
}

static void
on_log(void *arg, struct agent_link *link, const struct log_part *part,
    const struct err *err)
{
	struct member *member = arg;

	(void)link;
	if (member->fleet->logs)
		fleet_logs_part(member->fleet->logs, member, part, err);
}

static void
on_target(
    void *arg, struct agent_link *link, unsigned port, const struct err *err)
{
	struct member *member = arg;

	(void)link;
	member->target_port = port;
	if (err)
		member->target_err = *err;
	answered(member);
}

static void
on_commanded(void *arg, struct agent_link *link, unsigned tag,
    const struct shell_answer *answer)
{
	struct member *member = arg;
	struct fleet *fleet = member->fleet;

	(void)link;
	if (!fleet->said || tag != fleet->command_tag || member->answered)
		return;
	fleet->said[member->index] = (struct shell_answer){
	    mem_strdup(answer->problem), mem_strdup(answer->output)};
	answered(member);
}

static const struct agent_link_ops link_ops = {
    .up = on_up,
    .down = on_down,
    .report = on_report,
    .sample = on_sample,
    .counters = on_counters,
    .result = on_result,
    .synced = on_synced,
    .commanded = on_commanded,
    .facts = on_facts,
    .log = on_log,
    .target = on_target,
};

/* ---- trust ---- */

static bool
judge(void *arg, void *connection, const uint8_t raw[KEY_PUBLIC_LEN], struct err *err)
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

static int
load_keys(struct fleet *fleet, struct err *err)
{
	const struct fleet_config *config = &fleet->config;

	if (key_load(&fleet->key, config->key, err) < 0)
		return -1;
	if (pins_open(&fleet->pins, config->known_agents, config->strict, err) < 0)
		return -1;
	return tls_new(&fleet->tls, fleet->key, judge, fleet, err);
}

/* ---- three ways to agents ---- */

static void
dial_all(struct fleet *fleet)
{
	for (vec_each(const struct host *, it, &fleet->config.hosts->hosts)) {
		struct member *member = add_member(fleet, host_format(it));
		member->link = agent_link_dial(
		    fleet->base, fleet->tls, it, fleet->boot, &link_ops, member);
	}
}

static void
on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *addr,
    int len, void *arg)
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
	member->link = agent_link_adopt(
	    fleet->base, bev, identity, fleet->boot, &link_ops, member);
}

static int
start_listening(struct fleet *fleet, struct err *err)
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
	fleet->listener = evconnlistener_new_bind(fleet->base, on_accept, fleet,
	    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE, 128,
	    ai->ai_addr, (int)ai->ai_addrlen);
	int saved = errno;
	evutil_freeaddrinfo(ai);
	return fleet->listener
		   ? 0
		   : err_sys(err, saved, "listen on %s", fleet->config.listen);
}

static int
start_local(struct fleet *fleet, struct err *err)
{
	for (unsigned i = 0; i < fleet->config.local; i++) {
		struct member *member =
		    add_member(fleet, mem_printf("local-%u", i + 1));
		if (local_start(&member->local, member->label,
			&fleet->config.local_allow, err) < 0)
			return -1;
		struct bufferevent *bev = chan_plain(fleet->base, member->local.fd);
		member->link = agent_link_adopt(
		    fleet->base, bev, NULL, fleet->boot, &link_ops, member);
	}
	return 0;
}

int
fleet_find_agents(struct fleet *fleet, struct err *err)
{
	if (fleet->config.local)
		return start_local(fleet, err);
	if (load_keys(fleet, err) < 0)
		return -1;
	if (fleet->config.listen)
		return start_listening(fleet, err);
	dial_all(fleet);
	return 0;
}
