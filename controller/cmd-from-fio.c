/* SPDX-License-Identifier: Apache-2.0 */
/* volley plan from-fio: a fio job file as a plan, or its options as they are taken. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/jobfile-option.h"
#include "controller/plan/from-fio.h"
#include "lib/work/fio/open.h"

static void
warn(const struct fio_file *file)
{
	for (vec_each(const struct fio_job *, job, &file->jobs))
		for (vec_each(char *const *, warning, &job->warnings))
			fprintf(stderr, "volley: warning: %s\n", *warning);
}

static int
as_yaml(struct cli *cli, const struct fio_file *file, struct str *ret, struct err *err)
{
	char folder[4096];
	uint64_t clients;
	struct from_fio how = {.source = cli->args.v[0],
	    .folder = getcwd(folder, sizeof folder) ? folder : "/"};

	if (cli_number(cli, "clients", 1, PLAN_CLIENTS_MAX, 1, &clients, err) < 0)
		return -1;
	how.clients = (unsigned)clients;
	return from_fio_yaml(file, &how, ret, err);
}

static int
write_plan(struct cli *cli, const struct fio_file *file, struct err *err)
{
	const char *format = cli_text(cli, "output", "yaml");
	struct str text = {0};
	int r = 0;

	if (strcmp(format, "json") == 0)
		fio_file_json(file, &text);
	else if (strcmp(format, "yaml") == 0)
		r = as_yaml(cli, file, &text, err);
	else
		r = err_set(
		    err, ERR_USAGE, "-o %s: the formats are yaml and json", format);
	if (r == 0)
		fputs(text.s, stdout);
	str_free(&text);
	return r;
}

static int
plan_from_fio(struct cli *cli)
{
	struct err err = ERR_INIT;
	struct fio_file file;
	int status = EXIT_OK;

	if (fio_file_open(&file, cli->args.v[0], cli_flag(cli, "as-fio"),
		cli_flag(cli, "ignore-unsupported"), &err) < 0) {
		cli_fail(&err);
		return EXIT_USAGE;
	}
	warn(&file);
	if (write_plan(cli, &file, &err) < 0) {
		cli_fail(&err);
		status = EXIT_USAGE;
	}
	fio_file_free(&file);
	return status;
}

static const struct cli_option options[] = {
    {"output", "FORMAT",
	"yaml (a plan) or json (every job's options in base units); also "
	"-o FORMAT",
	false},
    JOBFILE_OPTIONS,
    {0},
};

const struct command cmd_plan_from_fio = {
    .name = "plan from-fio",
    .synopsis = "JOBFILE",
    .doc = "Write the plan that is equivalent to a fio job file.",
    .options = options,
    .min_args = 1,
    .max_args = 1,
    .exec = plan_from_fio,
};
