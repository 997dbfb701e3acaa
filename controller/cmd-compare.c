/* SPDX-License-Identifier: Apache-2.0 */
/* volley compare: two sets of results, cell by cell. */
#include <stdio.h>
#include <string.h>

#include "controller/commands.h"
#include "controller/two-sides.h"

#include "config.h"

static int
compare(struct cli *cli)
{
	const char *format = cli_text(cli, "output", "text");
	bool json = strcmp(format, "json") == 0;
	struct two_sides sides = {0};
	struct err err = ERR_INIT;
	struct str out = {0};
	double margin;
	int result = two_sides_percent(cli, "margin", 0.05, &margin, &err);

	if (result == 0 && !json && strcmp(format, "text") != 0)
		result = err_set(&err, ERR_USAGE,
		    "unknown format '%s'; there are text, json", format);
	if (result == 0)
		result = two_sides_load(&sides, cli, margin, &err);
	if (result == 0) {
		if (json)
			comparisons_json(&sides.comparisons, "volley " PACKAGE_VERSION,
			    cli->args.v[0], cli->args.v[1], &out);
		else
			comparisons_text(&sides.comparisons, &out);
		fputs(out.s, stdout);
	}
	str_free(&out);
	two_sides_free(&sides);
	return result == 0 ? EXIT_OK : two_sides_fail(&err);
}

static const struct cli_option options[] = {
    {"output", "FORMAT", "text or json; also -o FORMAT", false},
    {"margin", "PERCENT", "differences up to this are none (default 5%)", false},
    TWO_SIDES_OPTIONS,
    {0},
};

const struct command cmd_compare = {
    .name = "compare",
    .synopsis = "BASE NEW",
    .doc =
	"Compare two files of results cell by cell, or two storages or transports of "
	"one: ratio with interval, p adjusted over the cells, verdict, and what could "
	"have been seen at all.",
    .options = options,
    .min_args = 2,
    .max_args = 2,
    .exec = compare,
};
