/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words on volley-io's command line, and which role they ask for.
 */
#include "agent/worker/cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/engine/engine.h"
#include "agent/worker/alone.h"
#include "agent/worker/jobfile.h"
#include "agent/worker/exec.h"
#include "agent/worker/fio-gate.h"
#include "agent/worker/probe.h"
#include "agent/worker/serve.h"
#include "agent/worker/trial.h"
#include "agent/worker/worker.h"
#include "config.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

static int
cli_fail(int status, const struct err *err)
{
	fprintf(stderr, "volley-io: %s\n", err->msg);
	return status;
}

static void
cli_help(void)
{
	printf(
	    "usage: volley-io [--OPTION[=VALUE] ...]\n"
	    "       volley-io [--parse-only] [--as-fio] [--ignore-unsupported] JOBFILE\n"
	    "       volley-io probe PATH ...\n"
	    "       volley-io serve --key FILE --export NAME=KIND:WHAT ...\n"
	    "       volley-io --list-engines | --version | --help\n\n"
	    "Runs one job, or a fio job file, and prints what it measured.\n\n"
	    "  %-28s %s\n  %-28s %s\n  %-28s %s\n  %-28s %s\n  %-28s %s\n  %-28s %s\n\n"
	    "Job options, with fio's values:\n",
	    "--output-format=normal|json|json+",
	    "a summary, or fio's JSON, or that with buckets",
	    "--allow-write=DEV", "may overwrite this block device", "--parse-only",
	    "say whether the job file is taken, and do no more", "--as-fio",
	    "take odd syntax as fio does, instead of stopping", "--ignore-unsupported",
	    "warn of options that are not supported", "--name=NAME",
	    "name of the job and of its files");
	for (const char *const *name = job_option_names(); *name; name++)
		printf("  --%-26s %s\n", *name, job_option_doc(*name));
}

static void
cli_list_engines(void)
{
	for (const struct engine_entry *engine = engine_list(); engine->name; engine++)
		printf("%-10s %s\n", engine->name,
		    engine->ops ? engine->ops->doc : engine->why_not);
}

struct cli_words {
	struct alone alone;  /* the job of the command line */
	const char *jobfile; /* NULL: none */
	bool json, bins;     /* bins: json+ */
	bool options;	     /* a job option was given */
	bool parse_only, as_fio, ignore_unsupported;
};

static int
cli_set_format(struct cli_words *words, const char *value, struct err *err)
{
	words->bins = strcmp(value, "json+") == 0;
	if (words->bins || strcmp(value, "json") == 0)
		words->json = true;
	else if (strcmp(value, "normal") != 0)
		return err_set(err, ERR_USAGE,
		    "--output-format: normal, json or json+, not \"%s\"", value);
	return 0;
}

static bool
cli_switch(struct cli_words *words, const char *name)
{
	const struct {
		const char *name;
		bool *on;
	} switches[] = {{"parse-only", &words->parse_only}, {"as-fio", &words->as_fio},
	    {"ignore-unsupported", &words->ignore_unsupported}};

	for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
		if (strcmp(name, switches[i].name) != 0)
			continue;
		*switches[i].on = true;
		return true;
	}
	return false;
}

static int
cli_set(struct cli_words *words, const char *name, const char *value, struct err *err)
{
	struct alone *alone = &words->alone;

	if (strcmp(name, "output-format") == 0)
		return cli_set_format(words, value, err);
	if (strcmp(name, "allow-write") == 0) {
		vec_push(&alone->allow_write, mem_strdup(value));
		return 0;
	}
	if (strcmp(name, "name") == 0 && alone->named++)
		return err_set(err, ERR_UNSUPPORTED,
		    "--name was given twice; several jobs need a job file");
	words->options = true;
	return job_set(&alone->job, name, value, err);
}

static int
cli_take_file(struct cli_words *words, const char *path, struct err *err)
{
	if (words->jobfile)
		return err_set(err, ERR_UNSUPPORTED,
		    "one job file at a time: \"%s\" is another", path);
	words->jobfile = path;
	return 0;
}

/* "--name=value", "--name value", "--name" for a switch; a job file. */
static int
cli_parse(struct cli_words *words, int argc, char **argv, struct err *err)
{
	for (int i = 1; i < argc; i++) {
		char *name, *value;
		int rc = 0;

		if (!str_starts(argv[i], "--")) {
			if (cli_take_file(words, argv[i], err))
				return -1;
			continue;
		}
		name = mem_strdup(argv[i] + 2);
		value = strchr(name, '=');
		if (value)
			*value++ = '\0';
		if (value || !cli_switch(words, name)) {
			if (!value && i + 1 < argc && !str_starts(argv[i + 1], "--"))
				value = argv[++i];
			rc = cli_set(words, name, value ? value : "1", err);
		}
		free(name);
		if (rc < 0)
			return -1;
	}
	if (words->jobfile && words->options)
		return err_set(err, ERR_UNSUPPORTED,
		    "with a job file, job options belong in the file");
	return words->jobfile ? 0 : job_validate(&words->alone.job, err);
}

static int
cli_run(struct cli_words *words)
{
	struct report_list *list = words->json ? report_list_new(words->bins) : NULL;
	struct err err = ERR_INIT;
	int status;

	if (words->jobfile) {
		const struct jobfile_run run = {.path = words->jobfile,
		    .as_fio = words->as_fio,
		    .ignore_unsupported = words->ignore_unsupported,
		    .parse_only = words->parse_only,
		    .alone = &words->alone,
		    .list = list};

		status = jobfile_run(&run, &err);
		if (err.code != ERR_NONE)
			cli_fail(status, &err);
	} else {
		words->alone.list = list;
		status = words->parse_only ? EXIT_OK : alone_run(&words->alone, 1);
	}
	if (list && !words->parse_only && status != EXIT_USAGE)
		report_list_print(list, stdout);
	report_list_free(list);
	return fflush(stdout) == 0 ? status : EXIT_FAILED;
}

static int
cli_alone(int argc, char **argv)
{
	struct cli_words words = {0};
	struct err err = ERR_INIT;
	int status;

	alone_init(&words.alone);
	if (cli_parse(&words, argc, argv, &err) < 0)
		status = cli_fail(EXIT_USAGE, &err);
	else
		status = cli_run(&words);
	alone_free(&words.alone);
	return status;
}

static int
cli_fd(const char *text, int *ret, struct err *err)
{
	uint64_t fd;

	if (units_parse_u64(text, 0, INT32_MAX, &fd, err) < 0)
		return -1;
	*ret = (int)fd;
	return 0;
}

/* volley-io worker --link-fd N --board-fd M: what volleyd starts. */
static int
cli_worker(int argc, char **argv)
{
	struct err err = ERR_INIT;
	int link_fd = -1, board_fd = -1, rc = 0;

	for (int i = 2; rc == 0 && i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--link-fd") == 0)
			rc = cli_fd(argv[i + 1], &link_fd, &err);
		else if (strcmp(argv[i], "--board-fd") == 0)
			rc = cli_fd(argv[i + 1], &board_fd, &err);
	}
	if (rc == 0 && (link_fd < 0 || board_fd < 0))
		rc = err_set(&err, ERR_USAGE,
		    "worker: is started by volleyd, with --link-fd and --board-fd");
	if (rc < 0)
		return cli_fail(EXIT_USAGE, &err);
	rc = worker_serve(link_fd, board_fd, &err);
	if (rc < 0)
		cli_fail(EXIT_FAILED, &err);
	_exit(rc < 0 ? EXIT_FAILED : EXIT_OK); /* threads may hang in the kernel */
}

static int
cli_probe(int argc, char **argv)
{
	struct err err = ERR_INIT;

	if (probe_main(stdout, argc - 2, argv + 2, &err) < 0)
		return cli_fail(EXIT_USAGE, &err);
	return fflush(stdout) == 0 ? EXIT_OK : EXIT_FAILED;
}

static int
cli_exec(int argc, char **argv)
{
	struct err err = ERR_INIT;

	if (exec_main(stdout, argc - 2, argv + 2, &err) < 0)
		return cli_fail(EXIT_USAGE, &err);
	return fflush(stdout) == 0 ? EXIT_OK : EXIT_FAILED;
}

static int
cli_serve(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct str usage = {0};

	if (argc > 2 && strcmp(argv[2], "--help") == 0) {
		serve_usage(&usage);
		fputs(usage.s, stdout);
		str_free(&usage);
		return EXIT_OK;
	}
	if (serve_main(argc - 2, argv + 2, &err) < 0)
		return cli_fail(
		    err.code == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED, &err);
	return EXIT_OK;
}

static int
cli_trial(int argc, char **argv)
{
	struct err err = ERR_INIT;

	if (trial_main(stdout, argc - 2, argv + 2, &err) < 0)
		return cli_fail(EXIT_FAILED, &err);
	return fflush(stdout) == 0 ? EXIT_OK : EXIT_FAILED;
}

int
cli_main(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : "--help";

	if (strcmp(first, "worker") == 0)
		return cli_worker(argc, argv);
	if (strcmp(first, "fio-gate") == 0)
		return fiogate_main(argc, argv);
	if (strcmp(first, "exec") == 0)
		return cli_exec(argc, argv);
	if (strcmp(first, "probe") == 0)
		return cli_probe(argc, argv);
	if (strcmp(first, "serve") == 0)
		return cli_serve(argc, argv);
	if (strcmp(first, "trial") == 0)
		return cli_trial(argc, argv);
	if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
		cli_help();
	else if (strcmp(first, "--version") == 0 || strcmp(first, "-v") == 0)
		printf("volley-io %s\n", PACKAGE_VERSION);
	else if (strcmp(first, "--list-engines") == 0)
		cli_list_engines();
	else
		return cli_alone(argc, argv);
	return fflush(stdout) == 0 ? EXIT_OK : EXIT_FAILED;
}
