/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing by the command table, and everything that is generated from it. */
#include "controller/cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/base/units.h"

#include "config.h"

/* ---- options of a parsed line ---- */

static const struct cli_given *
find_given(const struct cli *cli, const char *name)
{
	for (size_t i = cli->given.n; i-- > 0;)
		if (strcmp(cli->given.v[i].option->name, name) == 0)
			return &cli->given.v[i];
	return NULL;
}

bool
cli_flag(const struct cli *cli, const char *name)
{
	return find_given(cli, name) != NULL;
}

const char *
cli_text(const struct cli *cli, const char *name, const char *fallback)
{
	const struct cli_given *given = find_given(cli, name);

	return given ? given->value : fallback;
}

int
cli_number(const struct cli *cli, const char *name, uint64_t min, uint64_t max,
    uint64_t fallback, uint64_t *ret, struct err *err)
{
	const struct cli_given *given = find_given(cli, name);

	*ret = fallback;
	if (!given || units_parse_u64(given->value, min, max, ret, err) == 0)
		return 0;
	return err_prefix(err, "--%s", name);
}

const char **
cli_all(const struct cli *cli, const char *name, size_t *ret_n)
{
	VEC(const char *) values = {0};

	for (size_t i = 0; i < cli->given.n; i++)
		if (strcmp(cli->given.v[i].option->name, name) == 0)
			vec_push(&values, cli->given.v[i].value);
	*ret_n = values.n;
	return values.v;
}

int
cli_fail(const struct err *err)
{
	static const int status[ERR_CODE_COUNT] = {
	    [ERR_NONE] = EXIT_FAILED,
	    [ERR_USAGE] = EXIT_USAGE,
	    [ERR_SYS] = EXIT_FAILED,
	    [ERR_POLICY] = EXIT_FAILED,
	    [ERR_UNREACHABLE] = EXIT_UNAVAILABLE,
	    [ERR_BUSY] = EXIT_UNAVAILABLE,
	    [ERR_AUTH] = EXIT_UNAVAILABLE,
	    [ERR_PROTOCOL] = EXIT_UNAVAILABLE,
	    [ERR_TIMEOUT] = EXIT_UNAVAILABLE,
	    [ERR_UNSUPPORTED] = EXIT_USAGE,
	    [ERR_IO] = EXIT_FAILED,
	    [ERR_CANCELLED] = EXIT_INTERRUPTED,
	    [ERR_INTERNAL] = EXIT_FAILED,
	};

	fprintf(stderr, "volley: %s\n", err->msg);
	return status[err->code];
}

/* ---- help ---- */

static void
synopsis(const struct command *command, struct str *ret)
{
	str_addf(ret, "volley %s", command->name);
	if (command->synopsis[0])
		str_addf(ret, " %s", command->synopsis);
	for (const struct cli_option *it = command->options; it && it->name; it++) {
		str_addf(ret, " [--%s", it->name);
		if (it->value)
			str_addf(ret, " %s", it->value);
		str_addf(ret, "]%s", it->repeats ? "..." : "");
	}
}

static void
wrap(struct str *ret, const char *text, size_t indent)
{
	size_t column = indent;

	for (const char *p = text; *p;) {
		size_t len = strcspn(p, " ");
		if (column + len > 79 && column > indent) {
			str_addf(ret, "\n%*s", (int)indent, "");
			column = indent;
		}
		str_addn(ret, p, len);
		column += len;
		p += len;
		if (*p == ' ') {
			p++;
			if (*p && column < 79) {
				str_addc(ret, ' ');
				column++;
			}
		}
	}
	str_addc(ret, '\n');
}

static void
help_command(const struct command *command)
{
	struct str text = {0}, line = {0};

	synopsis(command, &line);
	str_add(&text, "usage: ");
	wrap(&text, line.s, 7);
	str_addf(&text, "\n%s\n", command->doc);
	if (command->options && command->options->name)
		str_addc(&text, '\n');
	for (const struct cli_option *it = command->options; it && it->name; it++) {
		str_clear(&line);
		str_addf(&line, "--%s%s%s", it->name, it->value ? " " : "",
		    it->value ? it->value : "");
		str_addf(&text, "  %-24s ", line.s);
		wrap(&text, it->doc, 27);
	}
	fputs(text.s, stdout);
	str_free(&text);
	str_free(&line);
}

static void
help_all(FILE *to)
{
	fputs("usage: volley COMMAND [ARGUMENTS]\n\n"
	      "Runs fio-compatible jobs on many clients at the same instant, and adds "
	      "them\n"
	      "up honestly.\n\n",
	    to);
	for (const struct command *const *it = cli_commands; *it; it++)
		fprintf(to, "  %-14s %s\n", (*it)->name, (*it)->doc);
	fputs("\n'volley COMMAND --help' tells more; 'volley --version' the version.\n",
	    to);
}

/* A completion script for bash, from the same tables. */
static void
completion(void)
{
	puts("_volley() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} "
	     "line=\"${COMP_WORDS[*]:1}\"\n"
	     "\tcase $line in");
	for (const struct command *const *it = cli_commands; *it; it++) {
		printf("\t\"%s \"*) COMPREPLY=($(compgen -f -W '", (*it)->name);
		for (const struct cli_option *o = (*it)->options; o && o->name; o++)
			printf("--%s ", o->name);
		puts("' -- \"$cur\")) ;;");
	}
	printf("\t*) COMPREPLY=($(compgen -W '");
	for (const struct command *const *it = cli_commands; *it; it++)
		printf("%s ", (*it)->name);
	puts("' -- \"$cur\")) ;;\n\tesac\n}\ncomplete -F _volley volley");
}

/* ---- parsing ---- */

static const struct command *
find_command(int argc, char **argv, int *ret_used)
{
	for (const struct command *const *it = cli_commands; *it; it++) {
		const char *space = strchr((*it)->name, ' ');
		size_t first =
		    space ? (size_t)(space - (*it)->name) : strlen((*it)->name);
		if (strlen(argv[1]) != first ||
		    strncmp((*it)->name, argv[1], first) != 0)
			continue;
		*ret_used = space ? 2 : 1;
		if (!space || (argc > 2 && strcmp(space + 1, argv[2]) == 0))
			return *it;
	}
	return NULL;
}

/* Of commands whose first word is `word`: what may follow it.  false: there are none. */
static bool
list_second_words(const char *word, struct str *ret)
{
	size_t len = strlen(word);

	for (const struct command *const *it = cli_commands; *it; it++) {
		const char *name = (*it)->name;
		if (strncmp(name, word, len) == 0 && name[len] == ' ')
			str_addf(ret, "%s'%s'", ret->len ? ", " : "", name);
	}
	return ret->len > 0;
}

/* `second`: the word behind it, or NULL. */
static int
unknown_command(const char *first, const char *second)
{
	VEC(const char *) names = {0};
	struct str word = {0}, list = {0};

	for (const struct command *const *it = cli_commands; *it; it++)
		vec_push(&names, (*it)->name);
	bool known = list_second_words(first, &list);
	str_add(&word, first);
	const char *near = known ? NULL : str_nearest(first, names.v, names.n);
	if (second && second[0] != '-' && !near) {
		str_addf(&word, " %s", second);
		near = str_nearest(word.s, names.v, names.n);
		if (!near && !known) /* 'hsots PLAN': the first word is what matters */
			*strchr(word.s, ' ') = '\0';
	}
	if (near)
		fprintf(stderr, "volley: unknown command '%s'; did you mean '%s'?\n",
		    word.s, near);
	else if (known)
		fprintf(stderr, "volley: unknown command '%s'; there %s %s\n", word.s,
		    strchr(list.s, ',') ? "are" : "is", list.s);
	else
		fprintf(stderr, "volley: unknown command '%s'; see 'volley --help'\n",
		    word.s);
	str_free(&word);
	str_free(&list);
	vec_free(&names);
	return EXIT_USAGE;
}

static const struct cli_option *
find_option(
    const struct command *command, const char *name, size_t len, struct err *err)
{
	VEC(const char *) names = {0};

	for (const struct cli_option *it = command->options; it && it->name; it++) {
		if (strlen(it->name) == len && memcmp(it->name, name, len) == 0) {
			vec_free(&names);
			return it;
		}
		vec_push(&names, it->name);
	}
	char *word = mem_strndup(name, len);
	const char *near = str_nearest(word, names.v, names.n);
	if (near)
		err_set(err, ERR_USAGE, "%s: unknown option --%s; did you mean --%s?",
		    command->name, word, near);
	else
		err_set(err, ERR_USAGE, "%s: unknown option --%s", command->name, word);
	free(word);
	vec_free(&names);
	return NULL;
}

static int
parse_option(struct cli *cli, int argc, char **argv, int *i, struct err *err)
{
	const char *name = argv[*i] + 2, *equals = strchr(name, '=');
	size_t len = equals ? (size_t)(equals - name) : strlen(name);

	if (strncmp(argv[*i], "-o", 2) == 0) { /* -o FORMAT, -oFORMAT */
		name = "output";
		len = strlen(name);
		equals = argv[*i][2] ? argv[*i] + 1 : NULL;
	}
	const struct cli_option *option = find_option(cli->command, name, len, err);
	if (!option)
		return -1;
	const char *value = equals ? equals + 1 : NULL;
	if (!option->value && value)
		return err_set(err, ERR_USAGE, "--%s takes no value", option->name);
	if (option->value && !value) {
		if (++*i >= argc)
			return err_set(err, ERR_USAGE, "--%s needs a value (%s)",
			    option->name, option->value);
		value = argv[*i];
	}
	if (!option->repeats && find_given(cli, option->name))
		return err_set(err, ERR_USAGE, "--%s is given twice", option->name);
	vec_push(&cli->given, ((struct cli_given){option, value}));
	return 0;
}

static int
parse(struct cli *cli, int argc, char **argv, struct err *err)
{
	bool only_args = false;

	for (int i = 0; i < argc; i++) {
		if (!only_args && strcmp(argv[i], "--") == 0)
			only_args = true;
		else if (!only_args && argv[i][0] == '-' && argv[i][1] != '\0') {
			if (strncmp(argv[i], "--", 2) != 0 &&
			    strncmp(argv[i], "-o", 2) != 0)
				return err_set(
				    err, ERR_USAGE, "unknown option %s", argv[i]);
			if (parse_option(cli, argc, argv, &i, err) < 0)
				return -1;
		} else {
			vec_push(&cli->args, (const char *)argv[i]);
		}
	}
	if (cli->args.n < cli->command->min_args ||
	    cli->args.n > cli->command->max_args) {
		struct str line = {0};
		str_addf(&line, "%s %s", cli->command->name, cli->command->synopsis);
		err_set(err, ERR_USAGE, "usage: volley %s (see 'volley %s --help')",
		    line.s, cli->command->name);
		str_free(&line);
		return -1;
	}
	return 0;
}

static bool
wants_help(int argc, char **argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return true;
	return false;
}

static int
run_command(const struct command *command, int used, int argc, char **argv)
{
	struct cli cli = {.command = command, .argc = argc, .argv = argv};
	struct err err = ERR_INIT;
	int status;

	if (wants_help(argc - 1 - used, argv + 1 + used)) {
		help_command(command);
		return EXIT_OK;
	}
	if (parse(&cli, argc - 1 - used, argv + 1 + used, &err) < 0)
		status = cli_fail(&err);
	else
		status = command->exec(&cli);
	vec_free(&cli.args);
	vec_free(&cli.given);
	/* The error may lie with what was flushed before. */
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "volley: cannot write the output\n");
		if (status == EXIT_OK)
			status = EXIT_FAILED;
	}
	return status;
}

/* A thousand agents are a thousand sockets, and the usual soft limit is 1024. */
static void
raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

int
cli_main(int argc, char **argv)
{
	int used = 0;

	signal(SIGPIPE, SIG_IGN);
	raise_file_limit();
	if (argc < 2) {
		help_all(stderr);
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("volley " PACKAGE_VERSION);
		return EXIT_OK;
	}
	if (strcmp(argv[1], "completion") == 0) {
		completion();
		return EXIT_OK;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		if (argc > 2) {
			const struct command *command =
			    find_command(argc - 1, argv + 1, &used);
			if (!command)
				return unknown_command(
				    argv[2], argc > 3 ? argv[3] : NULL);
			help_command(command);
		} else {
			help_all(stdout);
		}
		return EXIT_OK;
	}
	const struct command *command = find_command(argc, argv, &used);
	return command ? run_command(command, used, argc, argv)
		       : unknown_command(argv[1], argc > 2 ? argv[2] : NULL);
}
