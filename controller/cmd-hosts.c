/* SPDX-License-Identifier: Apache-2.0 */
/* volley hosts: one line per agent. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/agents-option.h"
#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/fleet/fleet.h"
#include "controller/hosts-view.h"
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
		rows[i] = (struct hosts_row){fleet_name(fleet, i),
		    fleet_address(fleet, i), fleet_facts(fleet, i),
		    fleet_offset(fleet, i)};
	return rows;
}

static int
show(struct fleet *fleet, const struct agents_option *option, const struct plan *plan,
    bool json)
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
	struct hosts_row *rows = rows_of(fleet);
	(json ? hosts_json : hosts_text)(rows, fleet_count(fleet), &text);
	fputs(text.s, stdout);
	free(rows);
	str_free(&text);
	free(paths);
	return status;
}

static int
read_format(const struct cli *cli, bool *ret_json, struct err *err)
{
	const char *format = cli_text(cli, "output", "text");

	*ret_json = strcmp(format, "json") == 0;
	if (!*ret_json && strcmp(format, "text") != 0)
		return err_set(err, ERR_USAGE,
		    "--output: text or json, not '%s'", format);
	return 0;
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
	bool json;
	int status;

	if (read_format(cli, &json, &err) < 0)
		return cli_fail(&err);
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
		status = show(fleet, &option, plan, json);
	fleet_free(fleet);
	agents_option_free(&option);
	plan_free(plan);
	return status;
}

static const struct cli_option options[] = {
    AGENTS_OPTIONS,
    {"expect", "N", "with --listen: how many agents will dial (default 1)", false},
    {"output", "FORMAT", "text or json; also -o FORMAT", false},
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
