/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line as data: each command is one const entry in one file, and
 * parsing, help, completion and the manual's synopsis come from these tables.
 */
#ifndef VOLLEY_CLI_H
#define VOLLEY_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"

enum cli_exit {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,       /* usage or bad plan */
	EXIT_UNAVAILABLE = 3, /* an agent unreachable, busy or incompatible */
	EXIT_DOUBT = 4,       /* INVALID, PARTIAL or inconclusive */
	EXIT_FINDINGS = 5,
	EXIT_INTERRUPTED = 130,
};

struct cli_option {
	const char *name;  /* "agents"; ends a table when NULL */
	const char *value; /* "LIST"; NULL: a flag */
	const char *doc;
	bool repeats;
};

struct cli_given {
	const struct cli_option *option;
	const char *value;
};

/* One parsed command line; all text is argv's. */
struct cli {
	const struct command *command;
	int argc; /* of the whole program, for the record */
	char **argv;
	VEC(const char *) args; /* positional */
	VEC(struct cli_given) given;
};

struct command {
	const char *name;     /* "plan check" may have two words */
	const char *synopsis; /* positional arguments: "PLAN" */
	const char *doc;      /* one line */
	const struct cli_option *options;
	unsigned min_args, max_args;
	int (*exec)(struct cli *cli); /* → enum cli_exit */
};

/* All commands; ends with a NULL. */
extern const struct command *const cli_commands[];

int cli_main(int argc, char **argv);

bool cli_flag(const struct cli *cli, const char *name);
/* The last one given, or `fallback`. */
const char *cli_text(const struct cli *cli, const char *name, const char *fallback);
/* A number; usage error out of range. */
int cli_number(const struct cli *cli, const char *name, uint64_t min, uint64_t max,
    uint64_t fallback, uint64_t *ret, struct err *err);
/* All values of an option that repeats; caller frees the array only. */
const char **cli_all(const struct cli *cli, const char *name, size_t *ret_n);

/* "volley: text" on stderr; the exit status that fits the error. */
int cli_fail(const struct err *err);

#endif
