/* SPDX-License-Identifier: Apache-2.0 */
/* volley rank: which configuration fits which use. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "controller/analyze/rank.h"
#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/model-load.h"

#include "config.h"

#define TIE 0.05

static int
load(struct model *model, struct cli *cli, struct err *err)
{
	struct model_choice choice = {.selector = cli_text(cli, "cells", NULL)};

	for (size_t i = 0; i < cli->args.n; i++) {
		struct model_file file;
		int result =
		    model_load(model, cli->args.v[i], (unsigned)i, &choice, &file, err);

		model_file_free(&file);
		if (result != 0)
			return -1;
	}
	model_close(model);
	return 0;
}

static int
read_weights(struct cli *cli, double weight[USES], struct err *err)
{
	size_t n;
	const char **given = cli_all(cli, "weight", &n);
	int result = 0;

	for (int i = 0; i < USES; i++)
		weight[i] = 1;
	for (size_t i = 0; result == 0 && i < n; i++)
		result = rank_weight(weight, given[i], err);
	free(given);
	return result;
}

static int
rank_files(struct cli *cli)
{
	const char *format = cli_text(cli, "output", "text");
	bool json = strcmp(format, "json") == 0;
	double weight[USES];
	struct ranking ranking;
	struct model model = {0};
	struct err err = ERR_INIT;
	struct str out = {0};
	int result = read_weights(cli, weight, &err);

	if (result == 0 && !json && strcmp(format, "text") != 0)
		result = err_set(&err, ERR_USAGE,
		    "unknown format '%s'; there are text, json", format);
	if (result == 0)
		result = load(&model, cli, &err);
	if (result == 0) {
		rank_models(&model, weight, TIE, &ranking);
		if (json)
			ranking_json(&ranking, "volley " PACKAGE_VERSION, &out);
		else
			ranking_text(&ranking, &out);
		fputs(out.s, stdout);
		ranking_free(&ranking);
	}
	str_free(&out);
	model_free(&model);
	return result == 0 ? EXIT_OK : cli_fail(&err);
}

static const struct cli_option options[] = {
    {"output", "FORMAT", "text or json; also -o FORMAT", false},
    {"weight", "USE=NUMBER",
	"how much a use matters: restore, save, loader, logs (default 1 each)", true},
    {"cells", "CASE",
	"only these: an id, or storage/transport/workload/clients with * for any",
	false},
    {0},
};

const struct command cmd_rank = {
    .name = "rank",
    .synopsis = "DB...",
    .doc = "Rank storages and transports by use: checkpoint restore, checkpoint save, "
	   "data "
	   "loader, logs; with the Pareto set where there is no single winner.",
    .options = options,
    .min_args = 1,
    .max_args = UINT_MAX,
    .exec = rank_files,
};
