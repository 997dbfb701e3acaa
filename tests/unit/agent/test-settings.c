/* SPDX-License-Identifier: Apache-2.0 */
/* volleyd's command line and configuration file. */
#include "agent/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/suite.h"

static int parse(struct agent_settings *settings, struct err *err, const char *const *words)
{
	char *argv[16] = {(char *)"volleyd"};
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)words[argc - 1];
	settings_init(settings);
	return settings_parse(settings, argc, argv, err);
}

#define PARSE(settings, err, ...)                                                      \
	parse(settings, err, (const char *const[]){__VA_ARGS__, NULL})

START_TEST(reads_the_command_line)
{
	struct agent_settings settings;
	struct err err = ERR_INIT;

	ck_assert_int_eq(PARSE(&settings, &err, "--trust", "poc.pub", "--allow=/a", "--allow",
			       "/b c", "--allow-write", "/dev/x", "--name", "n1",
			       "--ready-fd", "7", "--listen", "[::1]:9"),
			 0);
	ck_assert_str_eq(settings.trust, "poc.pub");
	ck_assert_uint_eq(settings.allow.n, 2);
	ck_assert_str_eq(settings.allow.v[0], "/a");
	ck_assert_str_eq(settings.allow.v[1], "/b c");
	ck_assert_str_eq(settings.allow_write.v[0], "/dev/x");
	ck_assert(!settings.allow_exec);
	ck_assert_str_eq(settings.name, "n1");
	ck_assert_str_eq(settings.listen, "[::1]:9");
	ck_assert_int_eq(settings.ready_fd, 7);
	ck_assert_int_eq(settings.fd, -1);
	settings_free(&settings);
}
END_TEST

START_TEST(commands_need_a_word)
{
	struct agent_settings settings;
	struct err err = ERR_INIT;

	ck_assert_int_eq(PARSE(&settings, &err, "--trust", "x", "--allow-exec"), 0);
	ck_assert(settings.allow_exec);
	settings_free(&settings);
}
END_TEST

START_TEST(host_name_is_the_default_name)
{
	struct agent_settings settings;
	struct err err = ERR_INIT;
	char host[256];

	gethostname(host, sizeof host);
	ck_assert_int_eq(PARSE(&settings, &err, "--trust", "x"), 0);
	ck_assert_str_eq(settings.name, host);
	settings_free(&settings);
}
END_TEST

START_TEST(bad_lines_are_one_clear_error)
{
	static const struct {
		const char *words[6], *msg;
	} bad[] = {
		{{"--listen", "x"},
		 "--trust FILE is missing: the public key of the controller (make one there "
		 "with 'volley key new NAME')"},
		{{"--trsut", "x"}, "unknown option 'trsut'; did you mean 'trust'?"},
		{{"--trust"}, "--trust needs a value (FILE)"},
		{{"--debug=1"}, "--debug takes no value"},
		{{"x"}, "unexpected argument 'x'"},
		{{"--allow", "rel/ative"}, "allow: 'rel/ative' is not an absolute path"},
		{{"--trust", "k", "--name", "a/b"},
		 "--name: 1 to 64 printable characters, no '/' and no leading '.': it "
		 "becomes part of file names"},
		{{"--trust", "k", "--name", "bad\xff"},
		 "--name: 1 to 64 printable characters, no '/' and no leading '.': it "
		 "becomes part of file names"},
		{{"--trust", "k", "--name", ""},
		 "--name: 1 to 64 printable characters, no '/' and no leading '.': it "
		 "becomes part of file names"},
		{{"--trust", "k", "--name", ".."},
		 "--name: 1 to 64 printable characters, no '/' and no leading '.': it "
		 "becomes part of file names"},
		{{"--trust", "k", "--listen=a", "--controller=b"},
		 "give one of --listen and --controller, not both"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct agent_settings settings;
		struct err err = ERR_INIT;
		ck_assert_int_eq(parse(&settings, &err, bad[i].words), -1);
		ck_assert_int_eq(err.code, ERR_USAGE);
		ck_assert_str_eq(err.msg, bad[i].msg);
		settings_free(&settings);
	}
}
END_TEST

static void write_file(char *path, const char *text)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

START_TEST(file_fills_what_the_line_left_open)
{
	char path[] = "/tmp/volley-settings-XXXXXX";
	struct agent_settings settings;
	struct err err = ERR_INIT;

	write_file(path, "# agent\n\ntrust /etc/poc.pub  # key\n name file-name\n"
			 "allow /mnt/one two\n");
	ck_assert_int_eq(PARSE(&settings, &err, "--name", "line-name", "--config", path,
			       "--allow", "/mnt/x"),
			 0);
	ck_assert_str_eq(settings.trust, "/etc/poc.pub");
	ck_assert_str_eq(settings.name, "line-name");
	ck_assert_uint_eq(settings.allow.n, 2);
	ck_assert_str_eq(settings.allow.v[1], "/mnt/one two");
	settings_free(&settings);
	unlink(path);
}
END_TEST

START_TEST(file_errors_have_a_place)
{
	static const struct {
		const char *text, *msg;
	} bad[] = {
		{"trust k\n  alow /x\n", ":2:3: unknown option 'alow'; did you mean 'allow'?"},
		{"trust\n", ":1:6: trust needs a value (FILE)"},
		{"debug yes\n", ":1:7: debug takes no value"},
		{"allow mnt\n", ":1:7: allow: 'mnt' is not an absolute path"},
		{"config x\n", ":1:8: config: not allowed here"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char path[] = "/tmp/volley-settings-XXXXXX", want[512];
		struct agent_settings settings;
		struct err err = ERR_INIT;
		write_file(path, bad[i].text);
		ck_assert_int_eq(PARSE(&settings, &err, "--config", path), -1);
		snprintf(want, sizeof want, "%s%s", path, bad[i].msg);
		ck_assert_str_eq(err.msg, want);
		settings_free(&settings);
		unlink(path);
	}
}
END_TEST

START_TEST(help_names_every_public_option)
{
	struct str usage = {0};

	settings_usage(&usage);
	ck_assert_ptr_nonnull(strstr(usage.s, "--allow-write DEV"));
	ck_assert_ptr_nonnull(strstr(usage.s, "--controller HOST:PORT"));
	ck_assert_ptr_null(strstr(usage.s, "--fd"));
	str_free(&usage);
}
END_TEST

int main(void)
{
	return SUITE_MAIN("settings", reads_the_command_line, commands_need_a_word,
			  host_name_is_the_default_name,
			  bad_lines_are_one_clear_error, file_fills_what_the_line_left_open,
			  file_errors_have_a_place, help_names_every_public_option);
}
