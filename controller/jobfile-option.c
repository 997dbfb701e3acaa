/* SPDX-License-Identifier: Apache-2.0 */
/* A plan or a job file from the command line.  See jobfile-option.h. */
#include "controller/jobfile-option.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/hostlist.h"
#include "lib/work/fio/open.h"

#define DEFAULT_PORT 7411

bool
jobfile_is(const char *path)
{
	char line[4096];
	bool section = false;
	FILE *f;

	if (fio_file_is_named(path))
		return true;
	f = fopen(path, "re");
	while (f && !section && fgets(line, sizeof line, f)) {
		const char *text = line + strspn(line, " \t\r\n");

		if (*text == '\0' || *text == '#' || *text == ';')
			continue;
		section = *text == '[' && strchr(text, ']') && !strpbrk(text, "{:");
		break;
	}
	if (f)
		fclose(f);
	return section;
}

/* As many as there are agents. */
static int
count_clients(const struct cli *cli, unsigned *ret, struct err *err)
{
	const char *agents = cli_text(cli, "agents", NULL);
	struct hostlist hosts = {0};
	uint64_t clients, local = 0;
	int r = 0;

	if (cli_number(cli, "clients", 1, PLAN_CLIENTS_MAX, 0, &clients, err) < 0 ||
	    cli_number(cli, "local", 1, PLAN_CLIENTS_MAX, 0, &local, err) < 0)
		return -1;
	if (!clients && !local && agents) {
		r = agents[0] == '@'
			? hostlist_read(&hosts, agents + 1, DEFAULT_PORT, err)
			: hostlist_parse(&hosts, agents, DEFAULT_PORT, err);
		local = hosts.hosts.n;
		hostlist_free(&hosts);
	}
	*ret = (unsigned)(clients ? clients : local ? local : 1);
	return r;
}

struct plan *
jobfile_or_plan(const struct cli *cli, struct err *err)
{
	const char *path = cli->args.v[0];
	struct plan_jobfile how = {.as_fio = cli_flag(cli, "as-fio"),
	    .ignore_unsupported = cli_flag(cli, "ignore-unsupported")};
	struct plan *plan;

	if (!jobfile_is(path))
		plan = plan_read(path, err);
	else if (count_clients(cli, &how.clients, err) < 0)
		return NULL;
	else
		plan = plan_from_jobfile(path, &how, err);
	for (size_t i = 0; plan && i < plan->warnings.n; i++)
		fprintf(stderr, "volley: warning: %s\n", plan->warnings.v[i]);
	return plan;
}
