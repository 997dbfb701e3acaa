/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The anonymised copy of a results.db that has a secret in every text field: the
 * figures are all there, and the scan finds nothing in what a reader can get of it.
 */
#include "controller/store/anonymous.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/store/fixture.h"
#include "tests/unit/suite.h"

static char dir[64], path[128];

static void
run_sql(const char *sql)
{
	char *why = NULL;
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_exec(db, sql, NULL, NULL, &why);
	ck_assert_msg(!why, "%s: %s", sql, why);
	sqlite3_close(db);
}

static void
put_case(struct store *store, const char *id, const char *storage, const char *workload)
{
	struct attempt attempt;
	struct results_case c;
	struct err err = ERR_INIT;

	fixture_case(&c, id, storage, "tcp", workload, 2, "read", "1048576");
	ck_assert_msg(store_put_case(store, &c, &err) == 0, "%s", err.msg);
	fixture_attempt(&attempt, id, 1, 2, DIR_READ, 1000, 1048576, 500, false);
	fixture_lose(&attempt, 1);
	ck_assert_msg(store_put_attempt(store, &attempt, 1, &err) == 0, "%s", err.msg);
	attempt_free(&attempt);
	results_case_free(&c);
}

#define PLAN \
	"plan: zebrapoc\nstorage:\n" \
	"  - {name: wekafs-prod, paths: {tcp: /mnt/xq}, links: {speed: 400G, mtu: " \
	"9000}," \
	" facts: {cache: 512G, software: quokka 4.2.7}}\n" \
	"clients: [2]\ntransports: [tcp]\n" \
	"workloads:\n  - {name: one, rw: read, size: 1M}\n"

static const char *const planted[] = {"wekafs-prod", "gpu01", "gpu02", "zebrapoc",
    "quokka", "4.2.7", "/mnt/xq", "wombat-load", "ibis-command", "S4EVNX0M",
    "fe80::a236:9fff:fe12:3456", "6.1.0-25-amd64", "lemurfs", "00000000000000aa",
    "876543210123", "9223372036854775813", "1122334455667788", "2026-11-30", "okapi",
    "narwhal", "tapir", "ocelot"};

static struct store *
open_planted(void)
{
	static const char *const arguments[] = {"volley", "run", "ibis-command"};
	struct store_run run = {.plan = "zebrapoc",
	    .plan_text = PLAN,
	    .generator = "volley 0.1.0",
	    .arguments = arguments,
	    .narguments = 3,
	    .seed = 876543210123,
	    .started_wall_ns = UINT64_C(1796068800000000000)}; /* 2026-11-30 */
	struct err err = ERR_INIT;
	struct store *store;

	strcpy(dir, "/tmp/volley-copy-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/results.db", dir);
	store = store_open(path, STORE_WRITE, &err);
	ck_assert_msg(store != NULL, "%s", err.msg);
	ck_assert_int_eq(store_begin_run(store, &run, &err), 0);
	put_case(store, "00000000000000aa", "wekafs-prod", "seq-read-1m");
	put_case(store, "00000000000000ab", "wekafs-prod", "wombat-load");
	store_close(store);
	run_sql("UPDATE reason SET text = 'gpu02: okapi'");
	run_sql("INSERT INTO event SELECT id, 90, 1, 'gpu01', 'narwhal' FROM attempt");
	run_sql("UPDATE client SET error = 'tapir: no answer' WHERE agent = 'gpu02'");
	run_sql("INSERT INTO host_fact VALUES(1, 'gpu01', 90, 'serial', 'S4EVNX0M'),"
		"(1, 'gpu01', 91, 'gid', 'fe80::a236:9fff:fe12:3456'),"
		"(1, 'gpu01', 92, 'kernel', '6.1.0-25-amd64'),"
		"(1, 'gpu01', 95, 'gpu.0000:3b:00.0.model', 'Ocelot X100'),"
		"(1, 'gpu01', 93, 'fstype', 'lemurfs'), (1, 'gpu01', 94, 'cpus', 64)");
	store = store_open(path, STORE_READ, &err);
	ck_assert_msg(store != NULL, "%s", err.msg);
	return store;
}

static void
remove_files(struct store *store)
{
	static const char *const ends[] = {"", "-wal", "-shm", "-writer"};
	char name[160];

	store_close(store);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		snprintf(name, sizeof name, "%s%s", path, ends[i]);
		unlink(name);
	}
	rmdir(dir);
}

struct anonymised {
	struct store *copy;
	struct aliases aliases;
	struct secrets *secrets;
};

static void
anonymise(struct store *store, struct anonymised *ret)
{
	struct alias_names names[ALIAS_COUNT] = {0}, redact = {0};
	struct cover cover = {&ret->aliases, &redact};
	struct err err = ERR_INIT;
	unsigned next_case = 1;

	*ret = (struct anonymised){.aliases = {.seed = 5}, .secrets = secrets_new()};
	ck_assert_int_eq(store_names(store, &redact, names, &err), 0);
	for (int kind = 0; kind < ALIAS_COUNT; kind++) {
		aliases_assign(&ret->aliases, (enum alias_kind)kind, &names[kind]);
		alias_names_free(&names[kind]);
	}
	ck_assert_int_eq(store_secrets(store, ret->secrets, &err), 0);
	ret->copy = store_anonymous(store, &cover, &next_case, &err);
	ck_assert_msg(ret->copy != NULL, "%s", err.msg);
	ck_assert_uint_eq(next_case, 3);
}

static void
release(struct anonymised *anonymised)
{
	store_close(anonymised->copy);
	aliases_free(&anonymised->aliases);
	secrets_free(anonymised->secrets);
}

START_TEST(the_figures_stay)
{
	struct store *store = open_planted();
	struct anonymised anonymised;
	struct results_case original, c;
	struct results head;
	struct err err = ERR_INIT;

	anonymise(store, &anonymised);
	ck_assert_int_eq(store_load_case(store, "00000000000000aa", STORE_ALL, true,
			     &original, &err),
	    0);
	ck_assert_int_eq(
	    store_load_case(anonymised.copy, "case-0001", STORE_ALL, true, &c, &err),
	    0);
	ck_assert_str_eq(c.storage, "A");
	ck_assert_str_eq(c.workload, "seq-read-1m");
	ck_assert_str_eq(c.path, "");
	ck_assert_str_eq(results_case_param(&c, "bs"), "1048576");
	ck_assert_uint_eq(c.attempts.n, 1);
	ck_assert_double_eq(c.attempts.v[0]->attempt.total.dir[DIR_READ].bytes_per_s,
	    original.attempts.v[0]->attempt.total.dir[DIR_READ].bytes_per_s);
	ck_assert_uint_eq(c.attempts.v[0]->attempt.clients.n, 2);
	ck_assert(
	    strncmp(c.attempts.v[0]->attempt.clients.v[0].agent, "node-0", 6) == 0);
	ck_assert_int_eq(
	    c.attempts.v[0]->attempt.state, original.attempts.v[0]->attempt.state);
	results_case_free(&c);
	results_case_free(&original);
	ck_assert_int_eq(
	    store_load_case(anonymised.copy, "case-0002", STORE_ALL, true, &c, &err),
	    0);
	ck_assert_str_eq(c.workload, "workload-01");
	results_case_free(&c);
	ck_assert_int_eq(store_load_head(anonymised.copy, &head, &err), 0);
	ck_assert_str_eq(head.plan, "anonymised");
	ck_assert_uint_eq(head.started_wall_ns, 0);
	ck_assert_uint_eq(head.hosts.n, 1);
	ck_assert_uint_eq(head.hosts.v[0].facts.n, 2);
	ck_assert_str_eq(head.hosts.v[0].facts.v[0].name, "cpus");
	ck_assert_str_eq(head.hosts.v[0].facts.v[1].name, "gpu.95.model");
	ck_assert_str_eq(head.hosts.v[0].facts.v[1].value, "GPU");
	ck_assert_ptr_nonnull(strstr(head.plan_text, "speed: 400000M, mtu: 9000"));
	ck_assert_ptr_nonnull(strstr(head.plan_text, "cache: 549755813888"));
	results_free(&head);
	release(&anonymised);
	remove_files(store);
}
END_TEST

START_TEST(every_plant_is_looked_for)
{
	struct store *store = open_planted();
	struct anonymised anonymised;

	anonymise(store, &anonymised);
	for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
		struct leak leak;

		ck_assert_msg(secrets_find(anonymised.secrets, planted[i],
				  strlen(planted[i]), &leak),
		    "%s", planted[i]);
		leak_free(&leak);
	}
	release(&anonymised);
	remove_files(store);
}
END_TEST

static void
put_all(struct store *copy, struct str *ret)
{
	struct results_list list = {0};
	struct results head;
	struct err err = ERR_INIT;

	ck_assert_int_eq(store_load_head(copy, &head, &err), 0);
	str_addf(ret, "%s\n%s\n%s\n", head.plan, head.plan_text, head.generator);
	for (vec_each(char *const *, it, &head.arguments))
		str_addf(ret, "%s\n", *it);
	for (vec_each(const struct results_host *, it, &head.hosts))
		for (vec_each(const struct results_fact *, fact, &it->facts))
			str_addf(ret, "%s %s %s\n", it->agent, fact->name, fact->value);
	ck_assert_int_eq(store_list(copy, &list, &err), 0);
	for (vec_each(const struct results_item *, item, &list.items)) {
		struct results_case c;

		ck_assert_int_eq(
		    store_load_case(copy, item->id, STORE_ALL, true, &c, &err), 0);
		str_addf(ret, "%s %s %s %s %s\n", c.id, c.storage, c.path, c.workload,
		    c.job_text);
		for (vec_each(const struct results_param *, it, &c.params))
			str_addf(ret, "%s=%s\n", it->name, it->value);
		for (size_t i = 0; i < c.attempts.n; i++) {
			const struct attempt *attempt = &c.attempts.v[i]->attempt;

			str_addf(ret, "%s %llu %llx\n",
			    attempt->error ? attempt->error : "",
			    (unsigned long long)attempt->seed,
			    (unsigned long long)attempt->run_id);
			for (vec_each(
				 const struct attempt_reason *, it, &attempt->reasons))
				str_addf(ret, "%s %s %s\n", it->code,
				    it->agent ? it->agent : "", it->text);
			for (vec_each(
				 const struct attempt_event *, it, &attempt->events))
				str_addf(ret, "%s %s\n", it->agent ? it->agent : "",
				    it->text);
			for (vec_each(
				 const struct attempt_client *, it, &attempt->clients))
				str_addf(ret, "%s %s\n", it->agent,
				    it->error ? it->error : "");
		}
		results_case_free(&c);
	}
	results_list_free(&list);
	results_free(&head);
}

START_TEST(nothing_of_it_leaks)
{
	struct store *store = open_planted();
	struct anonymised anonymised;
	struct str all = {0};
	struct leak leak;

	anonymise(store, &anonymised);
	put_all(anonymised.copy, &all);
	ck_assert_ptr_nonnull(strstr(all.s, "node-01"));
	ck_assert_msg(!secrets_find(anonymised.secrets, all.s, all.len, &leak),
	    "%s in\n%s", leak.token, all.s);
	str_clear(&all);
	put_all(store, &all); /* the scan is not blind: the original is full of them */
	ck_assert(secrets_find(anonymised.secrets, all.s, all.len, &leak));
	leak_free(&leak);
	str_free(&all);
	release(&anonymised);
	remove_files(store);
}
END_TEST

START_TEST(kinds_of_values)
{
	struct alias_names redact = {0};
	struct aliases aliases = {0};
	struct cover cover = {&aliases, &redact};
	char *text = cover_text(&cover, "clients started 12 ms apart");

	ck_assert_str_eq(text, "clients started 12 ms apart");
	free(text);
	text = cover_text(&cover, "open /mnt/okapi: Input/output error");
	ck_assert_str_eq(text, COVER_WITHHELD);
	free(text);
	alias_names_add(&redact, "apart");
	text = cover_text(&cover, "clients started 12 ms apart");
	ck_assert_str_eq(text, COVER_WITHHELD);
	free(text);
	text = cover_options(
	    &cover, "{\"bs\": 4096, \"filename\": \"/x\", \"rw\": \"read\"}");
	ck_assert_str_eq(text, "{\"bs\":4096,\"rw\":\"read\"}");
	free(text);
	text = cover_options(&cover, "[\"bs\", \"filename\"]");
	ck_assert_str_eq(text, "[\"bs\"]");
	free(text);
	text = cover_job(&cover, "rw=read\nfilename=okapi\nbs=4096\n");
	ck_assert_str_eq(text, "rw=read\nbs=4096\n");
	free(text);
	alias_names_free(&redact);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("anonymous copy", the_figures_stay, every_plant_is_looked_for,
	    nothing_of_it_leaks, kinds_of_values);
}
