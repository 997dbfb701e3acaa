/* SPDX-License-Identifier: Apache-2.0 */
/* The options that say which agents to use, shared by `run` and `hosts`. */
#ifndef VOLLEY_AGENTS_OPTION_H
#define VOLLEY_AGENTS_OPTION_H

#include "controller/cli.h"
#include "controller/fleet/fleet.h"
#include "controller/plan/plan.h"

#define AGENTS_OPTIONS \
	{"agents", "LIST|@FILE", \
	    "agents: gpu[01-30],10.1.0.[1-4]:7500,[::1]:7411, or a file " \
	    "with one a line", \
	    false}, \
	    {"listen", "ADDR:PORT", \
		"wait here for agents that dial (volleyd --controller)", false}, \
	    {"local", "N", "start N agents on this host, without network", false}, \
	    {"allow", "DEV", "block device that local agents may use and overwrite", \
		true}, \
	    {"key", "FILE", "our private key (default: ~/.config/volley/volley.key)", \
		false}, \
	    {"known-agents", "FILE", \
		"pinned agent keys (default: ~/.config/volley/known_agents)", false}, \
	    {"strict", NULL, "use only agents whose key is pinned already", false}, \
	    {"allow-missing", "N", "go on without up to N of the agents", false}, \
	{ \
		"connect-timeout", "TIME", "wait so long for agents (default 20s)", \
		    false \
	}

struct agents_option {
	struct fleet_config config;
	uint64_t timeout_ns;
	/* owned by this struct, borrowed by config */
	struct hostlist hosts;
	char *key, *known_agents;
	char **paths;
	const char **devices;
};

/* `plan` may be NULL (hosts); `expect`: how many agents must dial with --listen. */
int agents_option_parse(struct agents_option *ret, const struct cli *cli,
    const struct plan *plan, size_t expect, struct err *err);
void agents_option_free(struct agents_option *option);
/* All distinct paths of the plan's storages; NULL-terminated, caller frees the array. */
char **plan_paths(const struct plan *plan, size_t *ret_n);

#endif
