/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table holds every option of the fio that is installed, its rows are complete,
 * and docs/fio-options.md says what the table says (`test-table --doc` prints it).
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/fio/table.h"
#include "lib/work/option.h"
#include "tests/unit/suite.h"

static const char head[] =
    "# What becomes of fio's options\n"
    "\n"
    "Every option of fio 3.33 has one of three marks. **honoured**: it means here what "
    "it\n"
    "means there. **translated**: something else is done, which the last column says, "
    "and\n"
    "which `volley plan from-fio` marks. **refused**: the job file is not taken (an "
    "error\n"
    "with file and line), unless `--ignore-unsupported` turns that into a warning "
    "that\n"
    "stays with the result. A refused option may always be given the value that means "
    "it\n"
    "is not used.\n"
    "\n"
    "What job files may hold that fio reads in surprising ways is described in\n"
    "[fio-jobfiles.md](fio-jobfiles.md).\n"
    "\n"
    "| option | aliases | mark | how, or why not |\n"
    "|---|---|---|---|\n";

/* Does the worker honour all of it, some values, or only the default? */
static const char *
support_note(const struct fio_option *o, const char **ret_mark)
{
	const char *name = job_option_name(o->name);
	const char *why;

	*ret_mark = fio_mark_name(FIO_HONOURED);
	why = name ? job_support_note(name) : NULL;
	if (why && strcmp(why, "not supported yet") == 0)
		*ret_mark = fio_mark_name(FIO_REFUSED);
	return why ? why : "";
}

static void
describe(const struct fio_option *o, struct str *ret)
{
	const char *mark = "", *note = o->note ? o->note : "";

	switch (o->how) {
	case FIO_JOB: note = support_note(o, &mark); break;
	case FIO_GROUPING: mark = fio_mark_name(FIO_HONOURED); break;
	case FIO_MAP:
	case FIO_NO_EFFECT: mark = fio_mark_name(FIO_TRANSLATED); break;
	case FIO_REFUSE: mark = fio_mark_name(FIO_REFUSED); break;
	}
	str_addf(ret, "| `%s` | ", o->name);
	for (int i = 0; i < 2 && o->alias[i]; i++)
		str_addf(ret, "%s`%s`", i ? ", " : "", o->alias[i]);
	str_addf(ret, " | %s | %s", mark, note);
	if (o->lacks)
		str_addf(ret, "%snot %s: %s", *note ? "; " : "", o->lacks, o->lacks_why);
	if (o->engines)
		str_addf(ret, "%sof the engines %s", *note ? "; " : "", o->engines);
	str_add(ret, " |\n");
}

static void
document(struct str *ret)
{
	str_add(ret, head);
	for (const struct fio_option *o = fio_options; o->name; o++)
		describe(o, ret);
}

/* fio has no such engines; some of their options it has under the same name. */
static bool
is_ours(const struct fio_option *o)
{
	return o->engines && strstr(o->engines, "net-") != NULL;
}

START_TEST(rows_are_complete)
{
	for (const struct fio_option *o = fio_options; o->name; o++) {
		ck_assert_msg(fio_knows_option(o->name) || is_ours(o),
		    "%s is no option", o->name);
		ck_assert_ptr_eq(fio_option_find(o->name), o);
		for (int i = 0; i < 2 && o->alias[i]; i++) {
			ck_assert_msg(fio_knows_option(o->alias[i]), "%s", o->alias[i]);
			ck_assert_ptr_eq(fio_option_find(o->alias[i]), o);
		}
		if (o->how == FIO_JOB)
			ck_assert_msg(job_option_name(o->name) != NULL,
			    "%s is no option of jobs", o->name);
		else if (o->how != FIO_GROUPING)
			ck_assert_msg(o->note && *o->note, "%s has no note", o->name);
		ck_assert_msg((o->how == FIO_MAP || o->how == FIO_GROUPING) == !!o->map,
		    "map of %s", o->name);
	}
}
END_TEST

/* Options that `command` lists, "  name   : text" a line. */
static size_t
check_listed(const char *command)
{
	FILE *f = popen(command, "r");
	char line[1024], name[128];
	size_t n = 0;

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof line, f)) {
		if (!strchr(line, ':') || sscanf(line, " %127[^: ]", name) != 1)
			continue;
		ck_assert_msg(fio_option_find(name) != NULL,
		    "fio has %s, the table has not", name);
		n++;
	}
	pclose(f);
	return n;
}

START_TEST(fio_has_no_more)
{
	static const char *const engines[] = {
	    "libaio", "io_uring", "pvsync2", "mmap", NULL};

	if (system("fio --version >/dev/null 2>&1") != 0)
		return;
	ck_assert_uint_gt(check_listed("fio --cmdhelp=all 2>/dev/null"), 150);
	for (int i = 0; engines[i]; i++) {
		char *command = mem_printf("fio --enghelp=%s 2>/dev/null", engines[i]);

		check_listed(command);
		free(command);
	}
}
END_TEST

START_TEST(described)
{
	const char *dir = getenv("abs_top_srcdir");
	char *path = mem_printf("%s/docs/fio-options.md", dir ? dir : ".");
	static char text[1 << 17];
	struct str want = {0};
	FILE *f = fopen(path, "r");

	ck_assert_msg(f != NULL, "open %s", path);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	document(&want);
	ck_assert_msg(strcmp(text, want.s) == 0,
	    "docs/fio-options.md is not what tests/unit/fio/test-table --doc prints");
	str_free(&want);
	free(path);
}
END_TEST

START_TEST(words)
{
	ck_assert(fio_has_word("a bc d", "bc"));
	ck_assert(fio_has_word("a bc d", "d"));
	ck_assert(!fio_has_word("a bc d", "b"));
	ck_assert(!fio_has_word("a bc d", "bc d"));
	ck_assert(!fio_has_word(NULL, "a"));
}
END_TEST

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--doc") == 0) {
		struct str text = {0};

		document(&text);
		fputs(text.s, stdout);
		str_free(&text);
		return 0;
	}
	return SUITE_MAIN(
	    "fio-table", rows_are_complete, fio_has_no_more, described, words);
}
