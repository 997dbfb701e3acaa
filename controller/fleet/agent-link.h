/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller's connection to one agent: connects, reconnects with a growing
 * pause until told otherwise, keeps the report stream open, and carries orders,
 * results, facts and pings.  A refused key or another protocol is final: no
 * further attempt is made.
 */
#ifndef VOLLEY_FLEET_AGENT_LINK_H
#define VOLLEY_FLEET_AGENT_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/hostlist.h"
#include "lib/rpc/key.h"
#include "lib/stats/counters.h"
#include "lib/stats/offset.h"
#include "lib/stats/tally.h"
#include "lib/wire/command.h"
#include "lib/wire/facts.h"
#include "lib/wire/log.h"
#include "lib/wire/target.h"
#include "lib/work/orders.h"

struct agent_link;
struct bufferevent;
struct event_base;
struct tls;

/*
 * Who is at the other end, for the key judge: tls_bufferevent's `connection`.  The
 * judge notes the key it saw and, when it refuses it, why.
 */
struct agent_identity {
	struct host host; /* name NULL: it dialled us */
	bool has_key;
	uint8_t key[KEY_PUBLIC_LEN];
	struct err refused;
};

struct agent_link_ops {
	void (*up)(void *arg, struct agent_link *link);
	/* Lost, or never reached.  `final`: it will not be tried again. */
	void (*down)(
	    void *arg, struct agent_link *link, const struct err *err, bool final);
	void (*report)(void *arg, struct agent_link *link, const struct report *report);
	void (*sample)(void *arg, struct agent_link *link, const struct sample *sample);
	/* Before the result, where the agent knows them. */
	void (*counters)(void *arg, struct agent_link *link, uint64_t run_id,
	    struct counters *counters); /* owns counters */
	/* The result of this run; NULL with err when it could not be had. */
	void (*result)(void *arg, struct agent_link *link, uint64_t run_id,
	    struct tally *tally, const struct err *err); /* owns tally */
	void (*synced)(void *arg, struct agent_link *link, const struct offset *offset);
	/* Of the command with this tag. */
	void (*commanded)(void *arg, struct agent_link *link, unsigned tag,
	    const struct shell_answer *answer);
	void (*facts)(void *arg, struct agent_link *link, struct facts *facts,
	    const struct err *err); /* owns facts */
	/* A target listens at this port; or err says why none does, or no longer. */
	void (*target)(void *arg, struct agent_link *link, unsigned port,
	    const struct err *err);
	/* part NULL: err says why. */
	void (*log)(void *arg, struct agent_link *link, const struct log_part *part,
	    const struct err *err);
};

/* To a host, by TLS; the host is copied.  Starts connecting. */
struct agent_link *agent_link_dial(struct event_base *base, struct tls *tls,
    const struct host *host, uint64_t boot, const struct agent_link_ops *ops,
    void *arg);
/* Over a connection that exists (a socketpair, or an agent that dialled us): lost is
 * final for this link.  `identity` is the one given to tls_bufferevent, malloc'd and
 * taken over; NULL for a socketpair. */
struct agent_link *agent_link_adopt(struct event_base *base, struct bufferevent *bev,
    struct agent_identity *identity, uint64_t boot, const struct agent_link_ops *ops,
    void *arg);
/* BYE, and no more callbacks. */
void agent_link_free(struct agent_link *link);

bool agent_link_is_up(const struct agent_link *link);
const char *agent_link_name(
    const struct agent_link *link); /* the agent's; never NULL */
const char *agent_link_address(const struct agent_link *link);
const struct agent_identity *agent_link_identity(const struct agent_link *link);
/* Ends the connection for good, with this reason given to `down`. */
void agent_link_refuse(struct agent_link *link, const struct err *why);

/* Requests.  When the link is down, or the call fails, the answer comes as an error
 * callback (result, facts) or not at all (order: the reports tell). */
void agent_link_order(struct agent_link *link, const struct order *order);
void agent_link_collect(struct agent_link *link, uint64_t run_id);
void agent_link_samples(struct agent_link *link, uint64_t run_id);
void agent_link_sync(struct agent_link *link, unsigned pings);
/* Answered once; `tag` comes back with the answer. */
void agent_link_command(
    struct agent_link *link, const struct shell_command *command, unsigned tag);
void agent_link_facts(struct agent_link *link, const struct facts_question *question);
/* One at a time; it lives until agent_link_end_target, or the connection's end. */
void agent_link_target(struct agent_link *link, const struct target_request *request);
void agent_link_end_target(struct agent_link *link);
void agent_link_log(struct agent_link *link, const struct log_request *request);

#endif
