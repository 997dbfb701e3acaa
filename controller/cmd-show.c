/* SPDX-License-Identifier: Apache-2.0 */
/* volley show: the table of a results file, or all that is known of some cases. */
#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/output.h"

static int
show(struct cli *cli)
{
	const char *db = cli->args.v[0],
		   *selector = cli->args.n > 1 ? cli->args.v[1] : NULL;
	const char *wanted = cli_text(cli, "output", NULL);
	struct err err = ERR_INIT;
	struct output_choice choice = {
	    .format = output_format(wanted ? wanted : "text", &err),
	    .selector = selector,
	    .which = cli_flag(cli, "all") ? STORE_ALL : STORE_LATEST};
	struct store *store = choice.format ? store_open(db, STORE_READ, &err) : NULL;
	int r;

	if (!store)
		return cli_fail(&err);
	if (selector && !wanted)
		r = output_details(store, selector, stdout, &err);
	else
		r = output_results(store, &choice, stdout, &err);
	store_close(store);
	return r < 0 ? cli_fail(&err) : EXIT_OK;
}

static const struct cli_option options[] = {
    {"all", NULL, "every attempt, not just the latest of each repeat", false},
    OUTPUT_OPTION,
    {0},
};

const struct command cmd_show = {
    .name = "show",
    .synopsis = "DB [CASE]",
    .doc = "Show the table of a results file; with CASE (an id, or storage/transport/"
	   "workload/clients with * for any) all that is known of it.",
    .options = options,
    .min_args = 1,
    .max_args = 2,
    .exec = show,
};
