/* SPDX-License-Identifier: Apache-2.0 */
/* volley export: results in the forms that other programs read. */
#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/output.h"

#define REPEAT_MAX 1000000

static int
export_results(struct cli *cli, struct err *err)
{
	const char *wanted = cli_flag(cli, "no-bins") ? "fio-json" : "fio-json+";
	struct output_choice choice = {
	    .selector = cli_text(cli, "fio-json", NULL), .which = STORE_LATEST};
	uint64_t repeat;

	if (!choice.selector)
		return err_set(err, ERR_USAGE, "export: say what as: --fio-json CASE");
	choice.format = output_format(wanted, err);
	if (!choice.format ||
	    cli_number(cli, "repeat", 1, REPEAT_MAX, 0, &repeat, err) < 0)
		return -1;
	choice.repeat = (unsigned)repeat;
	struct store *store = store_open(cli->args.v[0], STORE_READ, err);
	int r = store ? output_results(store, &choice, stdout, err) : -1;
	store_close(store);
	return r;
}

static int export(struct cli *cli)
{
	struct err err = ERR_INIT;

	return export_results(cli, &err) < 0 ? cli_fail(&err) : EXIT_OK;
}

static const struct cli_option options[] = {
    {"fio-json", "CASE",
	"as fio --client --output-format=json+: this case (an id, or "
	"storage/transport/workload/clients with * for any)",
	false},
    {"repeat", "N", "only this repeat (default: all, one after the other)", false},
    {"no-bins", NULL, "json instead of json+: without the latency bins", false},
    {0},
};

const struct command cmd_export = {
    .name = "export",
    .synopsis = "DB",
    .doc = "Write results in the form of another program, for tools that read that.",
    .options = options,
    .min_args = 1,
    .max_args = 1,
    .exec = export,
};
