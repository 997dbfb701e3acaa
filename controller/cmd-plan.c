/* SPDX-License-Identifier: Apache-2.0 */
/* volley plan check: what a plan would do, without doing it. */
#include <stdio.h>

#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/expand/cases.h"
#include "controller/jobfile-option.h"
#include "controller/plan/plan.h"

static int
plan_check(struct cli *cli)
{
	struct err err = ERR_INIT;
	struct str text = {0};
	struct plan *plan = jobfile_or_plan(cli, &err);
	struct cases *cases = plan ? cases_expand(plan, &err) : NULL;
	int status = EXIT_OK;

	if (!cases) {
		status = cli_fail(&err);
	} else {
		cases_describe(cases, &text);
		fputs(text.s, stdout);
	}
	str_free(&text);
	cases_free(cases);
	plan_free(plan);
	return status;
}

static const struct cli_option options[] = {
    JOBFILE_OPTIONS,
    {0},
};

const struct command cmd_plan_check = {
    .name = "plan check",
    .synopsis = "PLAN|JOBFILE",
    .doc = "Check a plan and show every case, its data set and the time it will take.",
    .options = options,
    .min_args = 1,
    .max_args = 1,
    .exec = plan_check,
};
