/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans: what good ones mean, and that every bad one under bad/ is refused with
 * exactly the line in its .err file.
 */
#include <check.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "controller/plan/plan.h"
#include "lib/base/mem.h"
#include "tests/unit/suite.h"

static const char *
source_dir(void)
{
	const char *dir = getenv("abs_top_srcdir");

	return dir ? dir : ".";
}

static void
enter(const char *folder)
{
	char *path = mem_printf("%s/tests/unit/plan/%s", source_dir(), folder);

	ck_assert_msg(chdir(path) == 0, "chdir %s", path);
	free(path);
}

static struct plan *
read_good(const char *name)
{
	struct err err = ERR_INIT;
	struct plan *plan;

	enter("good");
	plan = plan_read(name, &err);
	ck_assert_msg(plan != NULL, "%s", err.msg);
	return plan;
}

static void
first_line(const char *path, char *buf, int size)
{
	FILE *f = fopen(path, "r");

	ck_assert_msg(f && fgets(buf, size, f), "%s has no line", path);
	buf[strcspn(buf, "\n")] = '\0';
	fclose(f);
}

START_TEST(bad_plans)
{
	char want[1024];
	glob_t g;

	enter("bad");
	ck_assert_int_eq(glob("*.yaml", 0, NULL, &g), 0);
	ck_assert_uint_ge(g.gl_pathc, 120);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		const char *path = g.gl_pathv[i];
		char *expected = mem_printf("%.*s.err", (int)strlen(path) - 5, path);
		struct err err = ERR_INIT;

		ck_assert_msg(plan_read(path, &err) == NULL, "%s was taken", path);
		first_line(expected, want, sizeof want);
		ck_assert_str_eq(err.msg, want);
		ck_assert_int_eq(err.code, ERR_USAGE);
		free(expected);
	}
	globfree(&g);
}
END_TEST

START_TEST(good_plans)
{
	glob_t g;

	enter("good");
	ck_assert_int_eq(glob("*.yaml", 0, NULL, &g), 0);
	ck_assert_uint_ge(g.gl_pathc, 7);
	for (size_t i = 0; i < g.gl_pathc; i++)
		plan_free(read_good(g.gl_pathv[i]));
	globfree(&g);
}
END_TEST

START_TEST(minimal)
{
	struct plan *plan = read_good("minimal.yaml");

	ck_assert_str_eq(plan->name, "p");
	ck_assert_str_eq(plan->source, "minimal.yaml");
	ck_assert(strncmp(plan->text, "plan: p\n", 8) == 0);
	ck_assert_uint_eq(plan->storages.n, 1);
	ck_assert_uint_eq(plan->clients.n, 2);
	ck_assert_uint_eq(plan->clients.v[1], 2);
	/* transports are those that a storage has a path for */
	ck_assert_uint_eq(plan->transports.n, 2);
	ck_assert_int_eq(plan->transports.v[0], TRANSPORT_TCP);
	ck_assert_int_eq(plan->transports.v[1], TRANSPORT_RDMA);
	ck_assert_uint_eq(plan->repeat.min, 5);
	ck_assert_uint_eq(plan->repeat.max, 5);
	ck_assert(isnan(plan->repeat.until_rsd));
	ck_assert_int_eq(plan->order, PLAN_ABBA);
	ck_assert(!plan->has_seed);
	ck_assert(!plan->has_client_memory);
	ck_assert(!plan->storages.v[0].has_cache);
	ck_assert_uint_eq(plan->storages.v[0].links.bits_per_s, 0);
	ck_assert_ptr_null(plan->agents);
	ck_assert_uint_eq(plan->max_skew_ns, 0);
	ck_assert_uint_eq(plan->deadline_ns, 0);
	plan_free(plan);
}
END_TEST

START_TEST(full_head)
{
	struct plan *plan = read_good("full.yaml");

	ck_assert_str_eq(plan->name, "full-1.0_x");
	ck_assert(plan->has_seed);
	ck_assert_uint_eq(plan->seed, UINT64_MAX);
	ck_assert_int_eq(plan->order, PLAN_BLOCKS);
	ck_assert_uint_eq(plan->max_skew_ns, 20000000);
	ck_assert_uint_eq(plan->deadline_ns, UINT64_C(600000000000));
	ck_assert_uint_eq(plan->repeat.min, 2);
	ck_assert_uint_eq(plan->repeat.max, 4);
	ck_assert_double_eq_tol(plan->repeat.until_rsd, 0.025, 1e-12);
	ck_assert_uint_eq(plan->clients.n, 1);
	ck_assert_uint_eq(plan->clients.v[0], 3);
	ck_assert_uint_eq(plan->transports.n, 3);
	ck_assert_int_eq(plan->transports.v[0], TRANSPORT_RDMA);
	ck_assert_str_eq(plan->agents, "gpu[01-02]:7500,[::1]");
	ck_assert(plan->has_client_memory);
	ck_assert_uint_eq(plan->client_memory, UINT64_C(256) << 30);
	ck_assert_uint_eq(plan->client_links.count, 1);
	ck_assert_uint_eq(plan->client_links.mtu, 4200);
	ck_assert_uint_eq(plan->client_links.bits_per_s, UINT64_C(100000000000));
	ck_assert_str_eq(plan->client_facts.v[0].value, "2 x 64");
	plan_free(plan);
}
END_TEST

START_TEST(full_storage)
{
	struct plan *plan = read_good("full.yaml");
	const struct plan_storage *one = &plan->storages.v[0],
				  *disk = &plan->storages.v[1];

	ck_assert_str_eq(one->name, "one");
	ck_assert(one->has_layout);
	ck_assert_int_eq(one->layout, JOB_LAYOUT_NONE);
	ck_assert_str_eq(one->paths[TRANSPORT_TCP].path, "/mnt/one-tcp");
	ck_assert_uint_eq(one->paths[TRANSPORT_TCP].pos.line, 11);
	ck_assert_uint_eq(one->paths[TRANSPORT_TCP].pos.col, 12);
	ck_assert_str_eq(one->paths[TRANSPORT_RDMA].path, "/mnt/one-rdma");
	ck_assert_uint_eq(one->paths[TRANSPORT_RDMA].links.count, 2);
	ck_assert_uint_eq(
	    one->paths[TRANSPORT_RDMA].links.bits_per_s, UINT64_C(200000000000));
	ck_assert_str_eq(one->paths[TRANSPORT_RDMA].facts.v[0].name, "gid");
	ck_assert_ptr_null(one->paths[TRANSPORT_LOCAL].path);
	ck_assert_uint_eq(one->links.count, 4);
	ck_assert_uint_eq(one->links.mtu, 9000);
	ck_assert_uint_eq(one->facts.n, 5);
	ck_assert_str_eq(one->facts.v[3].name, "software");
	ck_assert_str_eq(one->facts.v[3].value, "1.2");
	ck_assert(one->has_cache);
	ck_assert_uint_eq(one->cache_bytes, UINT64_C(512) << 30);
	ck_assert_str_eq(disk->paths[TRANSPORT_LOCAL].path, "/dev/nvme0n1");
	ck_assert(!disk->has_layout);
	plan_free(plan);
}
END_TEST

START_TEST(mounts)
{
	struct plan *plan = read_good("mount.yaml");
	const struct plan_path *tcp = &plan->storages.v[0].paths[TRANSPORT_TCP];
	const struct plan_path *rdma = &plan->storages.v[0].paths[TRANSPORT_RDMA];

	ck_assert_str_eq(tcp->setup, "mount -o proto=tcp s:/one /mnt/one");
	ck_assert_str_eq(tcp->teardown, "umount /mnt/one");
	ck_assert_uint_eq(tcp->command_timeout_ns, 0);
	ck_assert_ptr_null(tcp->require.fstype);
	ck_assert_uint_eq(rdma->command_timeout_ns, UINT64_C(120000000000));
	ck_assert_str_eq(rdma->require.fstype, "nfs4");
	ck_assert_uint_eq(rdma->require.options.n, 2);
	ck_assert_str_eq(rdma->require.options.v[1], "vers=4.2");
	ck_assert(plan_storage_is_staged(&plan->storages.v[0]));
	ck_assert(!plan_storage_is_staged(&plan->storages.v[1]));
	plan_free(plan);
}
END_TEST

START_TEST(full_workloads)
{
	struct plan *plan = read_good("full.yaml");
	const struct plan_workload *w = &plan->workloads.v[0];

	ck_assert_uint_eq(plan->defaults.n, 3);
	ck_assert_str_eq(plan->defaults.v[1].name, "iodepth");
	ck_assert_uint_eq(plan->defaults.v[1].values.n, 2);
	ck_assert_str_eq(plan->defaults.v[1].values.v[1].text, "4");
	ck_assert_str_eq(w->name, "a");
	ck_assert_uint_eq(w->options.n, 2);
	ck_assert_str_eq(w->options.v[0].name, "rw");       /* canonical … */
	ck_assert_str_eq(w->options.v[0].key, "readwrite"); /* … and as written */
	ck_assert_str_eq(w->options.v[1].values.v[0].text, "4k,8k");
	ck_assert_uint_eq(w->options.v[1].values.v[0].pos.line, 30);
	ck_assert_uint_eq(w->options.v[1].values.v[0].pos.col, 9);
	plan_free(plan);
}
END_TEST

/* The plan's runner is one of its defaults. */
START_TEST(runner)
{
	struct plan *plan = read_good("runner.yaml");
	const struct plan_option *option;

	ck_assert_uint_eq(plan->defaults.n, 3);
	option = &plan->defaults.v[0];
	ck_assert_str_eq(option->name, "runner");
	ck_assert_uint_eq(option->pos.line, 5);
	ck_assert_uint_eq(option->values.n, 1);
	ck_assert_str_eq(option->values.v[0].text, "fio");
	option = &plan->workloads.v[1].options.v[0];
	ck_assert_str_eq(option->name, "runner");
	ck_assert_uint_eq(option->values.n, 2);
	plan_free(plan);
}
END_TEST

static const struct fio_note *
find_note(const struct plan_workload *w, enum fio_note_kind kind, const char *what)
{
	for (vec_each(const struct fio_note *, note, &w->notes))
		if (note->kind == kind &&
		    strstr(note->option ? note->option : note->text, what))
			return note;
	return NULL;
}

/* What a job file's options do not say stays with the workload. */
START_TEST(jobfile_notes)
{
	struct plan *plan = read_good("jobfile.yaml");
	const struct plan_workload *one, *two;
	const struct fio_note *note;

	ck_assert_uint_eq(plan->workloads.n, 2);
	one = &plan->workloads.v[0];
	two = &plan->workloads.v[1];
	note = find_note(one, FIO_NOTE_SKIPPED, "unified_rw_reporting");
	ck_assert_ptr_nonnull(note);
	ck_assert_str_eq(note->job, "one");
	ck_assert_str_eq(note->value, "1");
	ck_assert_str_eq(note->place, "odd.fio:4");
	ck_assert_ptr_nonnull(find_note(two, FIO_NOTE_SKIPPED, "unified_rw_reporting"));
	note = find_note(one, FIO_NOTE_TRANSLATED, "clocksource");
	ck_assert_ptr_nonnull(note);
	ck_assert_str_eq(note->place, "odd.fio:7");
	ck_assert_ptr_null(find_note(two, FIO_NOTE_TRANSLATED, "clocksource"));
	ck_assert_ptr_nonnull(find_note(two, FIO_NOTE_WARNING, "4KiB"));
	ck_assert_ptr_null(find_note(one, FIO_NOTE_WARNING, "4KiB"));
	ck_assert_ptr_nonnull(find_note(one, FIO_NOTE_WARNING, "directory /data gives"));
	ck_assert_ptr_null(find_note(one, FIO_NOTE_WARNING, "is ignored"));
	/* before a run each line is said once, whichever jobs it is of */
	unsigned ignored = 0;
	for (vec_each(char *const *, warning, &plan->warnings))
		ignored += strstr(*warning, "unified_rw_reporting=1 is ignored: ") != NULL;
	ck_assert_uint_eq(ignored, 1);
	plan_free(plan);
}
END_TEST

START_TEST(anchors)
{
	struct plan *plan = read_good("anchors.yaml");

	ck_assert_str_eq(plan->workloads.v[0].options.v[1].name, "io_size");
	ck_assert_str_eq(plan->workloads.v[0].options.v[1].values.v[0].text, "1g");
	ck_assert(plan->has_seed);
	ck_assert_uint_eq(plan->seed, 0);
	ck_assert_uint_eq(plan->repeat.max, 1);
	plan_free(plan);
}
END_TEST

START_TEST(hash_follows_the_text)
{
	static const char a[] = "plan: p\nstorage: [{name: a, paths: {tcp: /m}}]\n"
				"clients: 1\nworkloads: [{name: w, size: 1g}]\n";
	struct plan *one = plan_parse("x", a, sizeof a - 1, NULL);
	struct plan *two = plan_parse("y", a, sizeof a - 1, NULL);
	struct plan *cut = plan_parse("y", a, sizeof a - 2, NULL);

	ck_assert_ptr_nonnull(one);
	ck_assert_ptr_nonnull(cut);
	ck_assert_uint_eq(one->hash, two->hash);
	ck_assert_uint_ne(one->hash, cut->hash);
	plan_free(one);
	plan_free(two);
	plan_free(cut);
	ck_assert_ptr_null(plan_parse("x", "plan", 4, NULL)); /* nobody asks why */
}
END_TEST

START_TEST(files)
{
	struct err err = ERR_INIT;

	ck_assert_ptr_null(plan_read("/nonexistent/plan.yaml", &err));
	ck_assert_str_eq(
	    err.msg, "open /nonexistent/plan.yaml: No such file or directory");
	ck_assert_ptr_null(plan_read("/tmp", &err));
	ck_assert_str_eq(err.msg, "/tmp: this is a folder, not a plan");
}
END_TEST

START_TEST(too_large)
{
	struct err err = ERR_INIT;
	char *text = mem_alloc(PLAN_TEXT_MAX + 1);

	memset(text, '#', PLAN_TEXT_MAX + 1);
	ck_assert_ptr_null(plan_parse("big.yaml", text, PLAN_TEXT_MAX + 1, &err));
	ck_assert_str_eq(err.msg, "big.yaml: the plan is larger than 1048576 bytes");
	free(text);
}
END_TEST

/* The quadratic corner of libyaml: bounded by the depth, so this returns at once. */
START_TEST(deep_nesting)
{
	struct err err = ERR_INIT;
	size_t n = PLAN_TEXT_MAX;
	char *text = mem_alloc(n);

	memset(text, '[', n);
	ck_assert_ptr_null(plan_parse("deep", text, n, &err));
	ck_assert_str_eq(err.msg, "deep:1:33: nested more than 32 deep");
	free(text);
}
END_TEST

START_TEST(long_lists)
{
	struct err err = ERR_INIT;
	struct str s = {0};

	str_add(&s, "plan: p\nclients: [");
	for (int i = 0; i < 10001; i++)
		str_addf(&s, "%d,", i + 1);
	str_add(&s, "]\n");
	ck_assert_ptr_null(plan_parse("l", s.s, s.len, &err));
	ck_assert_str_eq(err.msg, "l:2:10: clients has more than 10000 items");
	str_clear(&s);
	for (int i = 0; i < 1001; i++)
		str_addf(&s, "k%d: 1\n", i);
	ck_assert_ptr_null(plan_parse("l", s.s, s.len, &err));
	ck_assert_str_eq(err.msg, "l:1:1: the plan has more than 1000 keys");
	str_free(&s);
}
END_TEST

START_TEST(transports)
{
	enum transport t;

	ck_assert(transport_parse("rdma", &t));
	ck_assert_int_eq(t, TRANSPORT_RDMA);
	ck_assert(!transport_parse("RDMA", &t));
	ck_assert_str_eq(transport_name(TRANSPORT_LOCAL), "local");
	ck_assert_str_eq(transport_name(TRANSPORT_COUNT), "unknown");
}
END_TEST

/* Every prefix of a plan is an error or a plan, never a crash. */
START_TEST(truncated)
{
	struct plan *plan = read_good("full.yaml");
	size_t len = strlen(plan->text), taken = 0;

	for (size_t n = 0; n < len; n++) {
		struct err err = ERR_INIT;
		struct plan *part = plan_parse("part", plan->text, n, &err);

		taken += part != NULL;
		if (!part && strncmp(err.msg, "part:", 5) != 0)
			ck_abort_msg("\"%s\" has no place", err.msg);
		plan_free(part);
	}
	ck_assert_uint_lt(taken, len / 10);
	plan_free(plan);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("plan", bad_plans, good_plans, minimal, full_head,
	    full_storage, mounts, full_workloads, runner, jobfile_notes, anchors, hash_follows_the_text, files,
	    too_large, deep_nesting, long_lists, transports, truncated);
}
