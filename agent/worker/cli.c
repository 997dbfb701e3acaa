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
#include "agent/worker/probe.h"
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
	    "       volley-io probe PATH ...\n"
	    "       volley-io --list-engines | --version | --help\n\n"
	    "Runs one job and prints what it measured.\n\n"
	    "  %-28s %s\n  %-28s %s\n  %-28s %s\n\nJob options, with fio's values:\n",
	    "--output-format=normal|json", "a summary, or fio's JSON",
	    "--allow-write=DEV", "may overwrite this block device", "--name=NAME",
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

static int
cli_set_format(struct alone *alone, const char *value, struct err *err)
{
	if (strcmp(value, "json") == 0)
		alone->json = true;
	else if (strcmp(value, "normal") != 0)
		return err_set(err, ERR_USAGE,
		    "--output-format: normal or json, not \"%s\"", value);
	return 0;
}

static int
cli_set(struct alone *alone, const char *name, const char *value, struct err *err)
{
	if (strcmp(name, "output-format") == 0)
		return cli_set_format(alone, value, err);
	if (strcmp(name, "allow-write") == 0) {
		vec_push(&alone->allow_write, mem_strdup(value));
		return 0;
	}
	if (strcmp(name, "name") == 0 && alone->named++)
		return err_set(err, ERR_UNSUPPORTED,
		    "--name was given twice; this runs one job at a time");
	return job_set(&alone->job, name, value, err);
}

/* "--name=value", "--name value", or "--name" for a switch. */
static int
cli_parse(struct alone *alone, int argc, char **argv, struct err *err)
{
	for (int i = 1; i < argc; i++) {
		char *name, *value;
		int rc;

		if (!str_starts(argv[i], "--"))
			return err_set(err, ERR_UNSUPPORTED,
			    "\"%s\" is no option; job files are not read yet", argv[i]);
		name = mem_strdup(argv[i] + 2);
		value = strchr(name, '=');
		if (value)
			*value++ = '\0';
		else if (i + 1 < argc && !str_starts(argv[i + 1], "--"))
			value = argv[++i];
		rc = cli_set(alone, name, value ? value : "1", err);
		free(name);
		if (rc < 0)
			return -1;
	}
	return job_validate(&alone->job, err);
}

static int
cli_alone(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct alone alone;
	int status;

	alone_init(&alone);
	if (cli_parse(&alone, argc, argv, &err) < 0)
		status = cli_fail(EXIT_USAGE, &err);
	else
		status = alone_run(&alone);
	alone_free(&alone);
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

int
cli_main(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : "--help";

	if (strcmp(first, "worker") == 0)
		return cli_worker(argc, argv);
	if (strcmp(first, "probe") == 0)
		probe_print(stdout, argv + 2, argc - 2);
	else if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
		cli_help();
	else if (strcmp(first, "--version") == 0 || strcmp(first, "-v") == 0)
		printf("volley-io %s\n", PACKAGE_VERSION);
	else if (strcmp(first, "--list-engines") == 0)
		cli_list_engines();
	else
		return cli_alone(argc, argv);
	return fflush(stdout) == 0 ? EXIT_OK : EXIT_FAILED;
}
