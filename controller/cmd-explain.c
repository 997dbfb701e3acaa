/* SPDX-License-Identifier: Apache-2.0 */
/* volley explain: a rule of the analysis, its formula, thresholds and source. */
#include <stdio.h>

#include "controller/analyze/rules.h"
#include "controller/cli.h"
#include "controller/commands.h"

static int
unknown(const char *id)
{
	struct err err = ERR_INIT;
	struct str names = {0};

	for (const struct rule *const *it = rule_table; *it; it++)
		str_addf(&names, "%s%s", names.len ? ", " : "", (*it)->id);
	err_set(&err, ERR_USAGE, "no rule '%s'; there are %s", id, names.s);
	str_free(&names);
	return cli_fail(&err);
}

static int
explain(struct cli *cli)
{
	struct str out = {0};

	for (size_t i = 0; i < cli->args.n; i++)
		if (!rule_find(cli->args.v[i]))
			return unknown(cli->args.v[i]);
	if (cli_flag(cli, "markdown")) {
		rules_markdown(&out);
	} else if (cli->args.n) {
		rule_explain(rule_find(cli->args.v[0]), &out);
	} else {
		for (const struct rule *const *it = rule_table; *it; it++)
			str_addf(&out, "%-18s %s\n", (*it)->id, (*it)->question);
	}
	fputs(out.s, stdout);
	str_free(&out);
	return EXIT_OK;
}

static const struct cli_option options[] = {
    {"markdown", NULL, "all rules, as docs/analysis.md", false},
    {0},
};

const struct command cmd_explain = {
    .name = "explain",
    .synopsis = "[RULE]",
    .doc =
	"Explain a rule of the analysis: its question, formula, thresholds and source.",
    .options = options,
    .min_args = 0,
    .max_args = 1,
    .exec = explain,
};
