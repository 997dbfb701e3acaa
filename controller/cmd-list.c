/* SPDX-License-Identifier: Apache-2.0 */
/* volley list: the cases of a results file, a line each. */
#include <stdio.h>

#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/report/report.h"
#include "controller/store/store.h"

static int
list(struct cli *cli)
{
	struct err err = ERR_INIT;
	struct results_list items = {0};
	struct str text = {0};
	struct store *store = store_open(cli->args.v[0], STORE_READ, &err);
	int r = store ? store_list(store, &items, &err) : -1;

	if (r == 0) {
		report_list(&items, &text);
		fputs(text.s ? text.s : "", stdout);
	}
	str_free(&text);
	results_list_free(&items);
	store_close(store);
	return r < 0 ? cli_fail(&err) : EXIT_OK;
}

const struct command cmd_list = {
    .name = "list",
    .synopsis = "DB",
    .doc = "List the cases of a results file, with the state of every attempt.",
    .min_args = 1,
    .max_args = 1,
    .exec = list,
};
