/* SPDX-License-Identifier: Apache-2.0 */
/*
 * docs/plan-reference.md names every option and every key of a plan.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/job.h"
#include "lib/work/option.h"
#include "tests/unit/suite.h"

static char text[1 << 20];

static void
read_reference(void)
{
	const char *dir = getenv("abs_top_srcdir");
	char *path = mem_printf("%s/docs/plan-reference.md", dir ? dir : ".");
	FILE *f = fopen(path, "r");

	ck_assert_msg(f != NULL, "open %s", path);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	free(path);
}

static void
check_named(const char *name)
{
	char *quoted = mem_printf("`%s`", name);

	ck_assert_msg(strstr(text, quoted) != NULL, "%s is not described", quoted);
	free(quoted);
}

START_TEST(options)
{
	read_reference();
	for (const struct option *o = option_table; o->name; o++) {
		char *row = mem_printf("\n| `%s` |", o->name);

		/* These two have no row: the plan sets them in another way. */
		if (strcmp(o->name, "name") != 0 && strcmp(o->name, "directory") != 0)
			ck_assert_msg(
			    strstr(text, row) != NULL, "no row of %s", o->name);
		for (int i = 0; i < OPTION_ALIASES && o->alias[i]; i++)
			check_named(o->alias[i]);
		free(row);
	}
}
END_TEST

START_TEST(keys)
{
	static const char *const names[] = {"plan", "storage", "name", "paths", "tcp",
	    "rdma", "local", "path", "links", "count", "speed", "mtu", "facts", "cache",
	    "layout", "client", "memory", "clients", "transports", "repeat", "min",
	    "max", "until_rsd", "order", "abba", "blocks", "defaults", "workloads",
	    "jobfile", "agents", "seed", "max_skew", "deadline", "precondition", "fabric", "key",
	    "patterns", "addresses",
	    "runner"};

	read_reference();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		check_named(names[i]);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("reference", options, keys);
}
