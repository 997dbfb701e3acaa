/* SPDX-License-Identifier: Apache-2.0 */
/* A plan or a job file from the command line.  See jobfile-option.h. */
#include "controller/jobfile-option.h"

#include <stdio.h>
#include <string.h>

#include "controller/plan-thresholds.h"
#include "lib/base/hostlist.h"
#include "lib/work/fio/open.h"

#define DEFAULT_PORT 7411
#define LINE_LEN 4096
#define BLANKS " \t\r\n"

/* The next line that says anything, without blanks in front.  NULL: there is none. */
static const char *
next_line(FILE *f, char line[LINE_LEN])
{
	while (fgets(line, LINE_LEN, f)) {
		const char *text = line + strspn(line, BLANKS);

		if (*text != '\0' && *text != '#' && *text != ';')
			return text;
	}
	return NULL;
}

/* "[name]" and nothing more but a comment. */
static bool
is_section(const char *text)
{
	const char *end = *text == '[' ? strchr(text, ']') : NULL;

	if (!end)
		return false;
	end++;
	end += strspn(end, BLANKS);
	return *end == '\0' || *end == '#' || *end == ';';
}

/* "name=value", "name", "include FILE". */
static bool
is_option(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
	const char *rest = text + len + strspn(text + len, BLANKS);

	return len > 0 && (*rest == '=' || *rest == '\0' || *rest == '#' ||
			      *rest == ';' || strncmp(text, "include ", 8) == 0);
}

/* A YAML file may begin with a list, "[a]", but not go on as a section does. */
static bool
begins_as_jobfile(FILE *f)
{
	char line[LINE_LEN];
	const char *text = next_line(f, line);

	if (!text || !is_section(text))
		return false;
	text = next_line(f, line);
	return text && (is_section(text) || is_option(text));
}

static bool
is_yaml(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

bool
jobfile_is(const char *path)
{
	bool is;
	FILE *f;

	if (fio_file_is_named(path) || is_yaml(path))
		return fio_file_is_named(path);
	f = fopen(path, "re");
	if (!f)
		return false;
	is = begins_as_jobfile(f);
	fclose(f);
	return is;
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
	if (plan && thresholds_check_plan(plan, err) != 0) {
		plan_free(plan);
		return NULL;
	}
	for (size_t i = 0; plan && i < plan->warnings.n; i++)
		fprintf(stderr, "volley: warning: %s\n", plan->warnings.v[i]);
	return plan;
}
