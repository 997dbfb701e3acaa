/* SPDX-License-Identifier: Apache-2.0 */
/* The command line, with a command table of the test's own. */
#include "controller/cli.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/suite.h"

static int show(struct cli *cli)
{
	size_t n;
	const char **all = cli_all(cli, "allow", &n);

	printf("args=%zu first=%s db=%s all=%zu last=%s dry=%d out=%s\n", cli->args.n,
	       cli->args.n ? cli->args.v[0] : "-", cli_text(cli, "db", "none"), n,
	       n ? all[n - 1] : "-", cli_flag(cli, "dry"), cli_text(cli, "output", "text"));
	free(all);
	return EXIT_DOUBT;
}

static int number(struct cli *cli)
{
	struct err err = ERR_INIT;
	uint64_t n;

	if (cli_number(cli, "n", 1, 9, 5, &n, &err) < 0)
		return cli_fail(&err);
	printf("n=%d\n", (int)n);
	return EXIT_OK;
}

static const struct cli_option show_options[] = {
	{"db", "FILE", "a file", false},
	{"allow", "DEV", "a device", true},
	{"dry", NULL, "no I/O", false},
	{"output", "FORMAT", "format", false},
	{0},
};
static const struct cli_option number_options[] = {{"n", "N", "a number", false}, {0}};
static const struct command cmd_show = {
	"do show", "THING [MORE]", "Shows.", show_options, 1, 2, show};
static const struct command cmd_number = {"number", "", "Counts.", number_options, 0, 0,
					  number};

const struct command *const cli_commands[] = {&cmd_show, &cmd_number, NULL};

/* Runs it with stdout and stderr in `text`. */
static int run(char text[4096], const char *const *words)
{
	char *argv[16] = {(char *)"volley"}, path[] = "/tmp/volley-cli-XXXXXX";
	int argc = 1, fd = mkstemp(path), out = dup(1), err = dup(2);

	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)words[argc - 1];
	fflush(NULL);
	dup2(fd, 1);
	dup2(fd, 2);
	int status = cli_main(argc, argv);
	fflush(NULL);
	dup2(out, 1);
	dup2(err, 2);
	close(out);
	close(err);
	ssize_t n = pread(fd, text, 4095, 0);
	text[n < 0 ? 0 : n] = '\0';
	close(fd);
	unlink(path);
	return status;
}

#define RUN(text, ...) run(text, (const char *const[]){__VA_ARGS__, NULL})

START_TEST(parses_options_in_any_order)
{
	char text[4096];

	ck_assert_int_eq(RUN(text, "do", "show", "--db=x", "plan", "--allow", "a", "-o",
			     "json", "--dry", "--allow", "b"),
			 EXIT_DOUBT);
	ck_assert_str_eq(text, "args=1 first=plan db=x all=2 last=b dry=1 out=json\n");
	ck_assert_int_eq(RUN(text, "do", "show", "-ocsv", "--", "--db"), EXIT_DOUBT);
	ck_assert_str_eq(text, "args=1 first=--db db=none all=0 last=- dry=0 out=csv\n");
}
END_TEST

START_TEST(wrong_lines_say_what_is_wrong)
{
	static const struct {
		const char *words[6], *msg;
	} bad[] = {
		{{"numbr"}, "volley: unknown command 'numbr'; did you mean 'number'?\n"},
		{{"numbr", "x"}, "volley: unknown command 'numbr'; did you mean 'number'?\n"},
		{{"do", "shwo"}, "volley: unknown command 'do shwo'; did you mean 'do show'?\n"},
		{{"do", "this"}, "volley: unknown command 'do this'; there is 'do show'\n"},
		{{"do"}, "volley: unknown command 'do'; there is 'do show'\n"},
		{{"do", "--dry"}, "volley: unknown command 'do'; there is 'do show'\n"},
		{{"help", "do", "shwo"},
		 "volley: unknown command 'do shwo'; did you mean 'do show'?\n"},
		{{"od", "show"}, "volley: unknown command 'od show'; did you mean 'do show'?\n"},
		{{"what", "ever"}, "volley: unknown command 'what'; see 'volley --help'\n"},
		{{"do", "show", "x", "--alow", "y"},
		 "volley: do show: unknown option --alow; did you mean --allow?\n"},
		{{"do", "show", "x", "--db"}, "volley: --db needs a value (FILE)\n"},
		{{"do", "show", "x", "--dry=1"}, "volley: --dry takes no value\n"},
		{{"do", "show", "x", "--db=1", "--db=2"}, "volley: --db is given twice\n"},
		{{"do", "show"},
		 "volley: usage: volley do show THING [MORE] (see 'volley do show --help')\n"},
		{{"number", "-x"}, "volley: unknown option -x\n"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[4096];
		ck_assert_int_eq(run(text, bad[i].words), EXIT_USAGE);
		ck_assert_str_eq(text, bad[i].msg);
	}
}
END_TEST

START_TEST(numbers_have_a_range)
{
	char text[4096];

	ck_assert_int_eq(RUN(text, "number"), EXIT_OK);
	ck_assert_str_eq(text, "n=5\n");
	ck_assert_int_eq(RUN(text, "number", "--n", "9"), EXIT_OK);
	ck_assert_str_eq(text, "n=9\n");
	ck_assert_int_eq(RUN(text, "number", "--n", "10"), EXIT_USAGE);
	ck_assert_int_eq(strncmp(text, "volley: --n: ", 13), 0);
}
END_TEST

START_TEST(help_comes_from_the_tables)
{
	char text[4096];

	ck_assert_int_eq(RUN(text, "do", "show", "--help"), EXIT_OK);
	ck_assert_ptr_nonnull(strstr(text, "usage: volley do show THING [MORE] [--db FILE]"));
	ck_assert_ptr_nonnull(strstr(text, "--allow DEV"));
	ck_assert_int_eq(RUN(text, "help"), EXIT_OK);
	ck_assert_ptr_nonnull(strstr(text, "  number         Counts.\n"));
	ck_assert_int_eq(RUN(text, "completion"), EXIT_OK);
	ck_assert_ptr_nonnull(strstr(text, "--db --allow --dry --output "));
}
END_TEST

START_TEST(errors_have_their_exit_status)
{
	static const struct {
		enum err_code code;
		int status;
	} map[] = {{ERR_USAGE, 2},   {ERR_UNREACHABLE, 3}, {ERR_BUSY, 3}, {ERR_AUTH, 3},
		   {ERR_PROTOCOL, 3}, {ERR_SYS, 1},	   {ERR_CANCELLED, 130}};

	for (size_t i = 0; i < sizeof map / sizeof *map; i++) {
		struct err err = {.code = map[i].code, .msg = "x"};
		ck_assert_int_eq(cli_fail(&err), map[i].status);
	}
}
END_TEST

int main(void)
{
	return SUITE_MAIN("cli", parses_options_in_any_order, wrong_lines_say_what_is_wrong,
			  numbers_have_a_range, help_comes_from_the_tables,
			  errors_have_their_exit_status);
}
