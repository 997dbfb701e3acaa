/* SPDX-License-Identifier: Apache-2.0 */
/* volley hosts: one line per agent, or the preflight. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/agents-option.h"
#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/fleet/fleet.h"
#include "controller/hosts-view.h"
#include "controller/preflight-ask.h"
#include "lib/base/mem.h"

static void
problem(void *arg, const char *agent, const struct err *err)
{
	(void)arg;
	fprintf(stderr, "volley: %s: %s\n", agent, err->msg);
}

static struct hosts_row *
rows_of(const struct fleet *fleet)
{
	struct hosts_row *rows = mem_array(fleet_count(fleet) + 1, sizeof *rows);

	for (size_t i = 0; i < fleet_count(fleet); i++)
		rows[i] =
		    (struct hosts_row){fleet_name(fleet, i), fleet_address(fleet, i),
			fleet_facts(fleet, i), fleet_offset(fleet, i)};
	return rows;
}

struct hosts_command {
	struct cli *cli;
	struct plan *plan;   /* NULL: none given */
	struct cases *cases; /* with --check */
	struct agents_option agents;
	struct fleet *fleet;
	uint64_t expect;
	bool json;
};

static int
read_format(const struct cli *cli, bool *ret_json, struct err *err)
{
	const char *format = cli_text(cli, "output", "text");

	*ret_json = strcmp(format, "json") == 0;
	if (!*ret_json && strcmp(format, "text") != 0)
		return err_set(
		    err, ERR_USAGE, "--output: text or json, not '%s'", format);
	return 0;
}

static int
read_input(struct hosts_command *hosts, struct err *err)
{
	struct cli *cli = hosts->cli;
	const char *file = cli->args.n ? cli->args.v[0] : NULL;

	if (read_format(cli, &hosts->json, err) < 0 ||
	    cli_number(cli, "expect", 1, 65536, 1, &hosts->expect, err) < 0)
		return -1;
	if (!file && cli_flag(cli, "check"))
		return err_set(err, ERR_USAGE, "--check needs a plan");
	if (file && !(hosts->plan = plan_read(file, err)))
		return -1;
	if (cli_flag(cli, "check") && !(hosts->cases = cases_expand(hosts->plan, err)))
		return -1;
	return agents_option_parse(
	    &hosts->agents, cli, hosts->plan, hosts->expect, err);
}

static void
show(const struct hosts_command *hosts)
{
	struct str text = {0};
	size_t npaths = 0;
	char **paths = hosts->plan ? plan_paths(hosts->plan, &npaths) : NULL;

	fleet_ask_facts(hosts->fleet, (const char *const *)paths, npaths);
	fleet_ask_offsets(hosts->fleet);
	struct hosts_row *rows = rows_of(hosts->fleet);
	(hosts->json ? hosts_json : hosts_text)(rows, fleet_count(hosts->fleet), &text);
	fputs(text.s, stdout);
	free(rows);
	str_free(&text);
	free(paths);
}

static int
check(const struct hosts_command *hosts)
{
	struct str text = {0};
	enum preflight_verdict worst =
	    preflight_ask(hosts->fleet, hosts->plan, hosts->cases, hosts->json, &text, problem, NULL);

	fputs(text.s, stdout);
	str_free(&text);
	if (cases_most_clients(hosts->cases) > fleet_count(hosts->fleet))
		fprintf(stderr,
		    "volley: the plan wants up to %u clients, %zu agents were checked\n",
		    cases_most_clients(hosts->cases), fleet_count(hosts->fleet));
	if (fleet_interrupted(hosts->fleet))
		return EXIT_INTERRUPTED;
	return worst == PREFLIGHT_FAIL ? EXIT_FINDINGS : EXIT_OK;
}

static int
ask(struct hosts_command *hosts)
{
	struct err err = ERR_INIT;
	int status = EXIT_OK;

	if (fleet_new(&hosts->fleet, &hosts->agents.config, &err) < 0)
		return cli_fail(&err);
	if (fleet_connect(hosts->fleet, hosts->agents.timeout_ns, problem, NULL, &err) <
	    0) {
		/* Unlike a run, this goes on with those that answer. */
		if (err.code == ERR_UNREACHABLE && fleet_count(hosts->fleet) > 0)
			err_set(&err, ERR_UNREACHABLE,
			    "%zu of %zu agents cannot be used; the others are asked",
			    fleet_missing(hosts->fleet),
			    fleet_missing(hosts->fleet) + fleet_count(hosts->fleet));
		status = cli_fail(&err);
	}
	if (fleet_count(hosts->fleet) == 0 || err.code == ERR_CANCELLED)
		return status;
	if (!hosts->cases) {
		show(hosts);
		return status;
	}
	int verdict = check(hosts);
	return status == EXIT_OK ? verdict : status;
}

static int
hosts_exec(struct cli *cli)
{
	struct hosts_command hosts = {.cli = cli};
	struct err err = ERR_INIT;
	int status = read_input(&hosts, &err) < 0 ? cli_fail(&err) : ask(&hosts);

	fleet_free(hosts.fleet);
	agents_option_free(&hosts.agents);
	cases_free(hosts.cases);
	plan_free(hosts.plan);
	return status;
}

static const struct cli_option options[] = {
    AGENTS_OPTIONS,
    {"expect", "N", "with --listen: how many agents will dial (default 1)", false},
    {"check", NULL,
	"is the cluster fit for PLAN?  One verdict per check and node; exit status 5 "
	"when it is not",
	false},
    {"output", "FORMAT", "text or json; also -o FORMAT", false},
    {0},
};

const struct command cmd_hosts = {
    .name = "hosts",
    .synopsis = "[PLAN]",
    .doc = "Show each agent: name, address, version, system, network, clock, and the "
	   "mounts that the plan uses; with --check, whether they are fit for it.",
    .options = options,
    .max_args = 1,
    .exec = hosts_exec,
};
