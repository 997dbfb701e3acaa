/* SPDX-License-Identifier: Apache-2.0 */
/* volley hosts: one line per agent. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/agents-option.h"
#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/fleet/fleet.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

static void
problem(void *arg, const char *agent, const struct err *err)
{
	(void)arg;
	fprintf(stderr, "volley: %s: %s\n", agent, err->msg);
}

static const char *
known(const char *text)
{
	return text ? text : "unknown";
}

static void
add_nics(const struct facts *facts, struct str *ret)
{
	bool first = true;

	for (vec_each(const struct facts_nic *, it, &facts->nics)) {
		if (strcmp(it->name, "lo") == 0)
			continue;
		str_addf(ret, "%s%s", first ? "" : ",", it->name);
		if (it->speed_mbps > 0)
			str_addf(ret, ":%gG", (double)it->speed_mbps / 1000);
		if (it->mtu > 0)
			str_addf(ret, "/%lld", (long long)it->mtu);
		first = false;
	}
	if (first)
		str_add(ret, "none");
}

static void
add_paths(const struct facts *facts, struct str *ret)
{
	char free_bytes[UNITS_BUF];

	for (vec_each(const struct facts_path *, it, &facts->paths)) {
		str_addf(ret, "  %s=", it->path);
		if (it->problem)
			str_addf(ret, "(%s)", it->problem);
		else
			str_addf(ret, "%s,%s free", known(it->fstype),
			    units_bytes(free_bytes, it->free_bytes < 0
							? (double)NAN
							: (double)it->free_bytes));
	}
}

static void
add_host(const struct fleet *fleet, size_t i, struct str *ret)
{
	const struct facts *facts = fleet_facts(fleet, i);
	struct offset offset = fleet_offset(fleet, i);
	char memory[UNITS_BUF], clock[UNITS_BUF], bound[UNITS_BUF], rtt[UNITS_BUF];

	str_addf(ret, "%s  %s", fleet_name(fleet, i), fleet_address(fleet, i));
	if (!facts) {
		str_add(ret, "  (did not tell about itself)\n");
		return;
	}
	str_addf(ret, "  %s  %s  ", known(facts->version), known(facts->os));
	if (facts->cpus > 0)
		str_addf(ret, "%lld CPUs", (long long)facts->cpus);
	else
		str_add(ret, "unknown CPUs");
	str_addf(ret, "  %s  nics ",
	    units_bytes(memory,
		facts->memory_bytes < 0 ? (double)NAN : (double)facts->memory_bytes));
	add_nics(facts, ret);
	if (offset.valid)
		str_addf(ret, "  clock %s%s ± %s  rtt %s",
		    offset.offset_ns < 0 ? "-" : "+",
		    units_ns(clock, fabs((double)offset.offset_ns)),
		    units_ns(bound, (double)offset.bound_ns),
		    units_ns(rtt, (double)offset.rtt_ns));
	else
		str_add(ret, "  clock unknown");
	add_paths(facts, ret);
	str_addc(ret, '\n');
}

static int
show(struct fleet *fleet, const struct agents_option *option, const struct plan *plan)
{
	struct err err = ERR_INIT;
	struct str text = {0};
	size_t npaths = 0;
	int status = EXIT_OK;

	if (fleet_connect(fleet, option->timeout_ns, problem, NULL, &err) < 0)
		status = cli_fail(&err);
	if (fleet_count(fleet) == 0 || err.code == ERR_CANCELLED)
		return status;
	char **paths = plan ? plan_paths(plan, &npaths) : NULL;
	fleet_ask_facts(fleet, (const char *const *)paths, npaths);
	fleet_ask_offsets(fleet);
	for (size_t i = 0; i < fleet_count(fleet); i++)
		add_host(fleet, i, &text);
	fputs(text.s, stdout);
	str_free(&text);
	free(paths);
	return status;
}

static int
hosts(struct cli *cli)
{
	const char *file = cli->args.n ? cli->args.v[0] : NULL;
	struct err err = ERR_INIT;
	struct agents_option option;
	struct fleet *fleet = NULL;
	struct plan *plan = NULL;
	uint64_t expect;
	int status;

	if (cli_number(cli, "expect", 1, 65536, 1, &expect, &err) < 0)
		return cli_fail(&err);
	if (file && !(plan = plan_read(file, &err)))
		return cli_fail(&err);
	if (agents_option_parse(&option, cli, plan, expect, &err) < 0) {
		plan_free(plan);
		return cli_fail(&err);
	}
	if (fleet_new(&fleet, &option.config, &err) < 0)
		status = cli_fail(&err);
	else
		status = show(fleet, &option, plan);
	fleet_free(fleet);
	agents_option_free(&option);
	plan_free(plan);
	return status;
}

static const struct cli_option options[] = {
    AGENTS_OPTIONS,
    {"expect", "N", "with --listen: how many agents will dial (default 1)", false},
    {0},
};

const struct command cmd_hosts = {
    .name = "hosts",
    .synopsis = "[PLAN]",
    .doc = "Show each agent: name, address, version, system, network, clock, and the "
	   "mounts that the plan uses.",
    .options = options,
    .max_args = 1,
    .exec = hosts,
};
