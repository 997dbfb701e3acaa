/* SPDX-License-Identifier: Apache-2.0 */
/*
 * results.db: what is put comes back exactly, nothing is overwritten, strangers'
 * files are refused in plain words, one writer at a time, and a kill at any moment
 * loses the running attempt at most.
 */
#include "controller/store/store.h"

#include <check.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/wire/facts.h"
#include "tests/unit/store/fixture.h"

#define CASE_ONE "00000000000000aa"
#define CASE_TWO "00000000000000ab"

static char dir[64], path[128];

static void
setup(void)
{
	strcpy(dir, "/tmp/volley-store-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/results.db", dir);
}

static void
teardown(void)
{
	static const char *const names[] = {
	    "results.db", "results.db-wal", "results.db-shm", "results.db-writer"};
	char name[160];

	chmod(dir, 0700);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(name, sizeof name, "%s/%s", dir, names[i]);
		unlink(name);
	}
	rmdir(dir);
}

static struct store *
open_ok(enum store_mode mode)
{
	struct err err = ERR_INIT;
	struct store *store = store_open(path, mode, &err);

	ck_assert_msg(store != NULL, "%s", err.msg);
	return store;
}

static void
open_fails(enum store_mode mode, enum err_code code, const char *message)
{
	struct err err = ERR_INIT;
	char expected[512];

	ck_assert_ptr_null(store_open(path, mode, &err));
	snprintf(expected, sizeof expected, "%s: %s", path, message);
	ck_assert_str_eq(err.msg, expected);
	ck_assert_int_eq(err.code, code);
}

static void
begin_run(struct store *store, const char *plan_text)
{
	static const char *const arguments[] = {"volley", "run", "a \"b\" c", "\xff"};
	static const char *const hosts[] = {"gpu01:7411"};
	struct store_run run = {.plan = "poc",
	    .plan_text = plan_text,
	    .generator = "volley 0.1.0",
	    .arguments = arguments,
	    .narguments = 4,
	    .hosts = hosts,
	    .nhosts = 1,
	    .seed = UINT64_MAX,
	    .started_wall_ns = 1000};
	struct err err = ERR_INIT;

	ck_assert_msg(store_begin_run(store, &run, &err) == 0, "%s", err.msg);
}

static void
put_case(struct store *store, const char *id)
{
	struct results_case c;
	struct err err = ERR_INIT;

	fixture_case(&c, id, "vendor-one", "tcp", "seq-read-1m", 2, "read", "1048576");
	ck_assert_msg(store_put_case(store, &c, &err) == 0, "%s", err.msg);
	results_case_free(&c);
}

static void
put_attempt(struct store *store, struct attempt *attempt)
{
	struct err err = ERR_INIT;

	ck_assert_msg(store_put_attempt(store, attempt, 7, &err) == 0, "%s", err.msg);
}

static struct store *
open_with_cases(void)
{
	struct store *store = open_ok(STORE_WRITE);

	begin_run(store, "plan: poc\n");
	put_case(store, CASE_ONE);
	put_case(store, CASE_TWO);
	return store;
}

static bool
same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static void
same_dir(const struct dir_tally *a, const struct dir_tally *b)
{
	ck_assert_mem_eq(a->phase, b->phase, sizeof a->phase);
	ck_assert_mem_eq(&a->slat, &b->slat, sizeof a->slat);
	ck_assert_mem_eq(&a->clat, &b->clat, sizeof a->clat);
	ck_assert_mem_eq(&a->lat, &b->lat, sizeof a->lat);
	ck_assert_mem_eq(&a->drain, &b->drain, sizeof a->drain);
	ck_assert_mem_eq(&a->response, &b->response, sizeof a->response);
	ck_assert_mem_eq(&a->sync, &b->sync, sizeof a->sync);
	ck_assert_uint_eq(a->slots.n, b->slots.n);
	if (a->slots.n)
		ck_assert_mem_eq(
		    a->slots.v, b->slots.v, a->slots.n * sizeof *a->slots.v);
	ck_assert_uint_eq(a->heats.n, b->heats.n);
	if (a->heats.n)
		ck_assert_mem_eq(
		    a->heats.v, b->heats.v, a->heats.n * sizeof *a->heats.v);
	ck_assert_uint_eq(a->slot_overflow, b->slot_overflow);
	ck_assert_int_eq(a->times.own, b->times.own);
	ck_assert_uint_eq(a->times.last_from_ns, b->times.last_from_ns);
	ck_assert_uint_eq(a->times.first_to_ns, b->times.first_to_ns);
	ck_assert_uint_eq(a->times.busy_ns, b->times.busy_ns);
}

static void
same_tally(const struct tally *a, const struct tally *b)
{
	ck_assert_int_eq(a == NULL, b == NULL);
	if (!a)
		return;
	ck_assert_uint_eq(a->start_ns, b->start_ns);
	ck_assert_uint_eq(a->window_from, b->window_from);
	ck_assert_uint_eq(a->window_to, b->window_to);
	ck_assert_int_eq(a->has_first_io, b->has_first_io);
	ck_assert_int_eq(a->first_io_ns, b->first_io_ns);
	ck_assert_int_eq(a->last_first_io_ns, b->last_first_io_ns);
	ck_assert_uint_eq(a->first_end_ns, b->first_end_ns);
	ck_assert_uint_eq(a->end_ns, b->end_ns);
	ck_assert_uint_eq(a->threads, b->threads);
	ck_assert_uint_eq(a->outstanding, b->outstanding);
	ck_assert_uint_eq(a->oldest_outstanding_ns, b->oldest_outstanding_ns);
	ck_assert_uint_eq(a->io_errors, b->io_errors);
	ck_assert_uint_eq(a->cpu_user_ns, b->cpu_user_ns);
	ck_assert_uint_eq(a->cpu_sys_ns, b->cpu_sys_ns);
	ck_assert_uint_eq(a->cpu_wall_ns, b->cpu_wall_ns);
	ck_assert(a->usage.known == b->usage.known);
	ck_assert_uint_eq(a->usage.switches, b->usage.switches);
	ck_assert_uint_eq(a->usage.major_faults, b->usage.major_faults);
	ck_assert_uint_eq(a->usage.minor_faults, b->usage.minor_faults);
	ck_assert_uint_eq(a->latency_depth, b->latency_depth);
	ck_assert_int_eq(a->fifo, b->fifo);
	ck_assert_int_eq(a->direct, b->direct);
	same_dir(&a->dir[DIR_READ], &b->dir[DIR_READ]);
	same_dir(&a->dir[DIR_WRITE], &b->dir[DIR_WRITE]);
}

static void
same_total(const struct total *a, const struct total *b)
{
	ck_assert_int_eq(a->window_kind, b->window_kind);
	ck_assert_uint_eq(a->clients, b->clients);
	ck_assert_uint_eq(a->started, b->started);
	ck_assert_uint_eq(a->window_from, b->window_from);
	ck_assert_uint_eq(a->window_ns, b->window_ns);
	ck_assert_uint_eq(a->window_bound_ns, b->window_bound_ns);
	ck_assert_uint_eq(a->common_from_ns, b->common_from_ns);
	ck_assert_uint_eq(a->common_ns, b->common_ns);
	ck_assert_int_eq(a->latency_in_window, b->latency_in_window);
	ck_assert(same(a->overlap, b->overlap));
	ck_assert_int_eq(a->has_skew, b->has_skew);
	ck_assert_uint_eq(a->skew_ns, b->skew_ns);
	ck_assert_uint_eq(a->skew_bound_ns, b->skew_bound_ns);
	ck_assert_uint_eq(a->first_done_ns, b->first_done_ns);
	ck_assert_uint_eq(a->last_done_ns, b->last_done_ns);
	ck_assert_uint_eq(a->outstanding, b->outstanding);
	ck_assert(same(a->outstanding_share, b->outstanding_share));
	for (int d = 0; d < DIR_COUNT; d++) {
		const struct total_dir *x = &a->dir[d], *y = &b->dir[d];

		ck_assert_ptr_eq(y->slat, &b->merged->dir[d].slat);
		ck_assert_ptr_eq(y->clat, &b->merged->dir[d].clat);
		ck_assert_ptr_eq(y->lat, &b->merged->dir[d].lat);
		ck_assert_int_eq(x->present, y->present);
		if (!x->present)
			continue;
		ck_assert_uint_eq(x->ios, y->ios);
		ck_assert_uint_eq(x->bytes, y->bytes);
		ck_assert(same(x->iops, y->iops));
		ck_assert(same(x->bytes_per_s, y->bytes_per_s));
		ck_assert(same(x->fio_iops, y->fio_iops));
		ck_assert(same(x->fio_bytes_per_s, y->fio_bytes_per_s));
		ck_assert(same(x->sum_iops, y->sum_iops));
		ck_assert(same(x->sum_bytes_per_s, y->sum_bytes_per_s));
		ck_assert_uint_eq(x->common_ios, y->common_ios);
		ck_assert_uint_eq(x->window_from, y->window_from);
		ck_assert_uint_eq(x->window_ns, y->window_ns);
		ck_assert_uint_eq(x->common_bytes, y->common_bytes);
		ck_assert(same(x->common_iops, y->common_iops));
		ck_assert(same(x->common_bytes_per_s, y->common_bytes_per_s));
	}
	same_tally(a->merged, b->merged);
}

static void
same_attempt(const struct attempt *a, const struct attempt *b)
{
	ck_assert_str_eq(a->case_id, b->case_id);
	ck_assert_uint_eq(a->repeat, b->repeat);
	ck_assert_uint_eq(a->attempt, b->attempt);
	ck_assert_uint_eq(a->run_id, b->run_id);
	ck_assert_uint_eq(a->seed, b->seed);
	ck_assert_int_eq(a->state, b->state);
	ck_assert_uint_eq(a->started_wall_ns, b->started_wall_ns);
	ck_assert_uint_eq(a->ended_wall_ns, b->ended_wall_ns);
	ck_assert_uint_eq(a->max_skew_ns, b->max_skew_ns);
	ck_assert_uint_eq(a->clients_expected, b->clients_expected);
	ck_assert_pstr_eq(a->error, b->error);
	ck_assert_pstr_eq(a->error_agent, b->error_agent);
	ck_assert_uint_eq(a->reasons.n, b->reasons.n);
	for (size_t i = 0; i < a->reasons.n; i++) {
		ck_assert_str_eq(a->reasons.v[i].code, b->reasons.v[i].code);
		ck_assert_pstr_eq(a->reasons.v[i].agent, b->reasons.v[i].agent);
		ck_assert_str_eq(a->reasons.v[i].text, b->reasons.v[i].text);
		ck_assert_int_eq(a->reasons.v[i].makes, b->reasons.v[i].makes);
	}
	ck_assert_uint_eq(a->events.n, b->events.n);
	for (size_t i = 0; i < a->events.n; i++) {
		ck_assert_int_eq(a->events.v[i].at_ns, b->events.v[i].at_ns);
		ck_assert_pstr_eq(a->events.v[i].agent, b->events.v[i].agent);
		ck_assert_str_eq(a->events.v[i].text, b->events.v[i].text);
	}
	ck_assert_uint_eq(a->clients.n, b->clients.n);
	for (size_t i = 0; i < a->clients.n; i++) {
		const struct attempt_client *x = &a->clients.v[i],
					    *y = &b->clients.v[i];

		ck_assert_str_eq(x->agent, y->agent);
		ck_assert_int_eq(x->outcome, y->outcome);
		ck_assert_pstr_eq(x->error, y->error);
		ck_assert_mem_eq(&x->offset, &y->offset, sizeof x->offset);
		ck_assert_int_eq(x->first_io_ns, y->first_io_ns);
		same_tally(x->tally, y->tally);
	}
	ck_assert_int_eq(a->has_total, b->has_total);
	if (a->has_total)
		same_total(&a->total, &b->total);
}

static void
round_trip(struct attempt *attempt)
{
	struct store *store = open_with_cases();
	struct attempt back;
	struct err err = ERR_INIT;

	put_attempt(store, attempt);
	store_close(store);
	store = open_ok(STORE_READ);
	ck_assert_msg(store_load_attempt(store, attempt->case_id, attempt->repeat, 0,
			  &back, &err) == 0,
	    "%s", err.msg);
	same_attempt(attempt, &back);
	attempt_free(&back);
	store_close(store);
	attempt_free(attempt);
}

START_TEST(valid_round_trip)
{
	struct attempt attempt;

	fixture_attempt(&attempt, CASE_ONE, 1, 2, DIR_READ, 1000, 1048576, 2000, false);
	round_trip(&attempt);
}
END_TEST

START_TEST(partial_round_trip)
{
	struct attempt attempt;

	fixture_attempt(&attempt, CASE_ONE, 3, 4, DIR_WRITE, 1000, 4096, 90, true);
	fixture_lose(&attempt, 2);
	round_trip(&attempt);
}
END_TEST

START_TEST(refused_round_trip)
{
	struct attempt attempt;

	fixture_attempt(&attempt, CASE_TWO, 1, 2, DIR_READ, 100, 4096, 90, true);
	fixture_refuse(&attempt);
	round_trip(&attempt);
}
END_TEST

/* Everything at its edge: mixed, size-bound, unknown, and the largest numbers. */
START_TEST(edges_round_trip)
{
	struct attempt attempt;
	struct tally *tally;

	fixture_attempt(&attempt, CASE_ONE, 1, 1, DIR_READ, 1000, 4096, 90, false);
	tally = attempt.clients.v[0].tally;
	tally->window_to = UINT64_MAX;
	tally->has_first_io = false;
	tally->first_io_ns = tally->last_first_io_ns = 0;
	attempt.clients.v[0].first_io_ns = 0;
	tally->cpu_user_ns = tally->cpu_sys_ns = tally->cpu_wall_ns = 0;
	tally->io_errors = UINT64_MAX;
	tally->dir[DIR_READ].slot_overflow = 3;
	tally->dir[DIR_WRITE].phase[METER_BEFORE].ios = 1;
	hist_add(&tally->dir[DIR_READ].response, UINT64_MAX, 1);
	hist_add(&tally->dir[DIR_WRITE].sync, 12345, 2);
	attempt.total.window_kind = TOTAL_WINDOW_COMMON;
	attempt.total.latency_in_window = false;
	attempt.total.window_ns = 0;
	attempt.total.has_skew = false;
	attempt.total.skew_ns = attempt.total.skew_bound_ns = 0;
	attempt.total.overlap = attempt.total.outstanding_share = NAN;
	attempt.total.dir[DIR_READ].iops = NAN;
	attempt.total.dir[DIR_READ].bytes_per_s = NAN;
	attempt.total.dir[DIR_READ].common_iops = NAN;
	attempt.total.merged->window_to = UINT64_MAX;
	tally->dir[DIR_READ].times = (struct dir_times){true, 1, 2, UINT64_MAX};
	attempt.total.merged->dir[DIR_READ].times =
	    (struct dir_times){true, 3, 4, 5};
	attempt.total.dir[DIR_READ].window_from = 7;
	attempt.total.dir[DIR_READ].window_ns = 100000000;
	round_trip(&attempt);
}
END_TEST

START_TEST(nothing_is_overwritten)
{
	struct store *store = open_with_cases();
	struct attempt first, again, back;
	struct store_repeats states;
	struct err err = ERR_INIT;

	fixture_attempt(&first, CASE_ONE, 1, 2, DIR_READ, 100, 4096, 90, false);
	fixture_skew(&first, 25000000);
	first.attempt = 0;
	put_attempt(store, &first);
	ck_assert_uint_eq(first.attempt, 1);
	fixture_attempt(&again, CASE_ONE, 1, 2, DIR_READ, 100, 4096, 90, false);
	/* the same number again is refused, and nothing of it stays */
	ck_assert_int_eq(store_put_attempt(store, &again, 1, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "case " CASE_ONE ", repeat 1: "));
	again.attempt = 0;
	put_attempt(store, &again);
	ck_assert_uint_eq(again.attempt, 2);

	ck_assert_int_eq(store_latest_states(store, &states, &err), 0);
	ck_assert_uint_eq(states.list.n, 1);
	ck_assert_uint_eq(states.list.v[0].attempt, 2);
	ck_assert_int_eq(states.list.v[0].state, ATTEMPT_VALID);
	ck_assert_str_eq(states.list.v[0].case_id, CASE_ONE);
	vec_free(&states.list);

	ck_assert_int_eq(store_load_attempt(store, CASE_ONE, 1, 1, &back, &err), 0);
	same_attempt(&first, &back);
	attempt_free(&back);
	ck_assert_int_eq(store_load_attempt(store, CASE_ONE, 1, 0, &back, &err), 0);
	same_attempt(&again, &back);
	attempt_free(&back);
	ck_assert_int_eq(store_load_attempt(store, CASE_ONE, 9, 0, &back, &err), -1);
	attempt_free(&first);
	attempt_free(&again);
	store_close(store);
}
END_TEST

/* All of a batch, or nothing. */
START_TEST(a_batch_is_whole)
{
	struct err err = ERR_INIT;

	for (int keep = 0; keep < 2; keep++) {
		struct store *store = open_with_cases();
		struct store_repeats repeats = {0};

		ck_assert_int_eq(store_begin_batch(store, &err), 0);
		for (unsigned repeat = 1; repeat <= 3; repeat++) {
			struct attempt attempt;

			fixture_attempt(&attempt, CASE_ONE, repeat, 1, DIR_READ, 100,
			    4096, 90, false);
			put_attempt(store, &attempt);
			attempt_free(&attempt);
		}
		ck_assert_int_eq(
		    store_end_batch(store, keep ? 0 : -1, &err), keep ? 0 : -1);
		ck_assert_int_eq(store_latest_states(store, &repeats, &err), 0);
		ck_assert_uint_eq(repeats.list.n, keep ? 3 : 0);
		vec_free(&repeats.list);
		store_close(store);
	}
}
END_TEST

START_TEST(unknown_case_is_refused)
{
	struct store *store = open_with_cases();
	struct attempt attempt;
	struct err err = ERR_INIT;

	fixture_attempt(
	    &attempt, "00000000000000ff", 1, 1, DIR_READ, 10, 4096, 90, false);
	ck_assert_int_eq(store_put_attempt(store, &attempt, 0, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "FOREIGN KEY"));
	attempt_free(&attempt);
	store_close(store);
}
END_TEST

START_TEST(cases_and_list)
{
	struct store *store = open_with_cases();
	struct attempt attempt;
	struct results_case c;
	struct results_list list;
	struct err err = ERR_INIT;

	put_case(store, CASE_ONE); /* again: stays as it is */
	for (unsigned repeat = 1; repeat <= 2; repeat++) {
		fixture_attempt(
		    &attempt, CASE_ONE, repeat, 2, DIR_READ, 100, 4096, 90, false);
		put_attempt(store, &attempt);
		attempt_free(&attempt);
	}
	fixture_attempt(&attempt, CASE_ONE, 1, 2, DIR_READ, 100, 4096, 90, false);
	fixture_lose(&attempt, 0);
	attempt.attempt = 0;
	put_attempt(store, &attempt);
	attempt_free(&attempt);

	ck_assert_int_eq(store_list(store, &list, &err), 0);
	ck_assert_uint_eq(list.items.n, 2);
	ck_assert_str_eq(list.items.v[0].id, CASE_ONE);
	ck_assert_str_eq(list.items.v[0].transport, "tcp");
	ck_assert_uint_eq(list.items.v[0].states.n, 3);
	ck_assert_int_eq(list.items.v[0].states.v[1].state, ATTEMPT_PARTIAL);
	ck_assert_uint_eq(list.items.v[0].states.v[1].attempt, 2);
	ck_assert_uint_eq(list.items.v[1].states.n, 0);
	results_list_free(&list);

	ck_assert_int_eq(
	    store_load_case(store, CASE_ONE, STORE_LATEST, false, &c, &err), 0);
	ck_assert_uint_eq(c.attempts.n, 2);
	ck_assert_int_eq(c.attempts.v[0]->attempt.state, ATTEMPT_PARTIAL);
	ck_assert_uint_eq(c.attempts.v[0]->order_position, 7);
	ck_assert_ptr_null(c.attempts.v[1]->attempt.clients.v[0].tally);
	ck_assert_uint_eq(c.attempts.v[1]->attempt.total.dir[DIR_READ].ios, 200);
	ck_assert_str_eq(c.path, "/mnt/vendor-one-tcp");
	ck_assert_str_eq(results_case_param(&c, "bs"), "1048576");
	ck_assert_str_eq(results_case_param(&c, "rw"), "read");
	ck_assert(c.params.v[2].is_number);
	ck_assert(!c.params.v[1].is_number);
	results_case_free(&c);
	ck_assert_int_eq(
	    store_load_case(store, CASE_ONE, STORE_ALL, true, &c, &err), 0);
	ck_assert_uint_eq(c.attempts.n, 3);
	ck_assert(!results_is_latest(&c, 0));
	ck_assert(results_is_latest(&c, 1));
	ck_assert_ptr_nonnull(c.attempts.v[2]->attempt.clients.v[0].tally);
	results_case_free(&c);
	ck_assert_int_eq(store_load_case(store, "nope", STORE_ALL, true, &c, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "no case nope"));
	store_close(store);
}
END_TEST

START_TEST(head_and_facts)
{
	struct store *store = open_ok(STORE_WRITE);
	struct facts facts = {.name = "gpu01",
	    .os = "Debian",
	    .cpus = 96,
	    .numa_nodes = -1,
	    .memory_bytes = 1024};
	struct facts_attr attrs[] = {{"driver", NULL, -1}, {"speed_mbps", NULL, 400000},
	    {"mtu", NULL, -1}, {"state", "up", -1}};
	struct facts_thing nic = {"nic", "eth0", {attrs, 4, 4}};
	struct results head;
	struct err err = ERR_INIT;
	size_t n;

	ck_assert_int_eq(store_load_head(store, &head, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "holds no run yet"));
	begin_run(store, "plan: old\n");
	begin_run(store, "plan: poc\n");
	vec_push(&facts.things, nic);
	vec_push(&facts.engines, "libaio");
	ck_assert_int_eq(store_put_facts(store, &facts, &err), 0);
	ck_assert_int_eq(store_put_facts(store, &facts, &err), 0); /* told again */
	ck_assert_int_eq(store_end_run(store, 5000, &err), 0);
	ck_assert_int_eq(store_load_head(store, &head, &err), 0);
	ck_assert_str_eq(head.plan, "poc");
	ck_assert_str_eq(head.plan_text, "plan: poc\n");
	ck_assert_uint_eq(head.seed, UINT64_MAX);
	ck_assert_uint_eq(head.started_wall_ns, 1000);
	ck_assert_uint_eq(head.ended_wall_ns, 5000);
	ck_assert_uint_eq(head.runs, 2);
	ck_assert_uint_eq(head.arguments.n, 4);
	ck_assert_str_eq(head.arguments.v[2], "a \"b\" c");
	ck_assert_str_eq(head.arguments.v[3], "\xef\xbf\xbd");
	ck_assert_uint_eq(head.hosts.n, 1);
	ck_assert_str_eq(head.hosts.v[0].agent, "gpu01");
	n = head.hosts.v[0].facts.n;
	ck_assert_uint_eq(n, 9 + 1 + 4);
	for (size_t i = 0; i < n; i++) {
		const struct results_fact *fact = &head.hosts.v[0].facts.v[i];

		if (strcmp(fact->name, "numa_nodes") == 0 ||
		    strcmp(fact->name, "hostname") == 0 ||
		    strcmp(fact->name, "nic.eth0.mtu") == 0)
			ck_assert_ptr_null(fact->value);
		if (strcmp(fact->name, "nic.eth0.speed_mbps") == 0) {
			ck_assert_str_eq(fact->value, "400000");
			ck_assert(fact->is_number);
		}
	}
	results_free(&head);
	vec_free(&facts.things);
	vec_free(&facts.engines);
	store_close(store);
}
END_TEST

START_TEST(commands_of_a_run)
{
	struct store *store = open_ok(STORE_WRITE);
	struct results_command setup = {"one", "rdma", "setup", "gpu01", 1000, 3500, NULL,
	    "mounted\n"};
	struct results_command down = {"one", "rdma", "teardown", "gpu02", 4000, 5000,
	    "teardown: exit status 32: busy", NULL};
	struct results head;
	struct err err = ERR_INIT;

	begin_run(store, "plan: old\n");
	ck_assert_int_eq(store_put_command(store, &down, &err), 0);
	begin_run(store, "plan: poc\n");
	ck_assert_int_eq(store_put_command(store, &setup, &err), 0);
	ck_assert_int_eq(store_put_command(store, &down, &err), 0);
	ck_assert_int_eq(store_load_head(store, &head, &err), 0);
	ck_assert_uint_eq(head.commands.n, 2); /* of the latest run, in order */
	ck_assert_str_eq(head.commands.v[0].agent, "gpu01");
	ck_assert_str_eq(head.commands.v[0].output, "mounted\n");
	ck_assert_ptr_null(head.commands.v[0].problem);
	ck_assert_uint_eq(head.commands.v[0].ended_wall_ns, 3500);
	ck_assert_str_eq(head.commands.v[1].name, "teardown");
	ck_assert_str_eq(head.commands.v[1].problem, down.problem);
	ck_assert_ptr_null(head.commands.v[1].output);
	results_free(&head);
	store_close(store);
}
END_TEST

static void
write_file(const char *text, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_eq(write(fd, text, len), (ssize_t)len);
	close(fd);
}

static void
make_database(const char *sql)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

START_TEST(strangers_are_refused)
{
	static char text[4096];

	memset(text, 'x', sizeof text);
	open_fails(STORE_READ, ERR_SYS, "No such file or directory");
	write_file("", 0);
	open_fails(STORE_READ, ERR_USAGE, "holds no results");
	write_file(text, sizeof text);
	open_fails(
	    STORE_READ, ERR_USAGE, "not a database of results (not SQLite at all)");
	open_fails(
	    STORE_WRITE, ERR_USAGE, "not a database of results (not SQLite at all)");
	unlink(path);
	make_database("CREATE TABLE bookmarks(url)");
	open_fails(
	    STORE_READ, ERR_USAGE, "a database, but not one of volley's results");
	open_fails(
	    STORE_WRITE, ERR_USAGE, "a database, but not one of volley's results");
}
END_TEST

START_TEST(other_version_is_refused)
{
	store_close(open_ok(STORE_WRITE));
	make_database("PRAGMA user_version=2");
	open_fails(STORE_READ, ERR_UNSUPPORTED,
	    "has results schema version 2, this volley knows version 1");
	open_fails(STORE_WRITE, ERR_UNSUPPORTED,
	    "has results schema version 2, this volley knows version 1");
}
END_TEST

static void
put_notes(struct store *store, const char *value)
{
	struct err err = ERR_INIT;
	struct results_case c;

	fixture_case(&c, CASE_ONE, "vendor-one", "tcp", "w", 2, "read", "4096");
	fixture_notes(&c);
	free(c.notes.v[2].value);
	c.notes.v[2].value = mem_strdup(value);
	ck_assert_int_eq(store_put_case(store, &c, &err), 0);
	results_case_free(&c);
}

/* Each once, of all runs; told again within one run, the later ones stand. */
START_TEST(notes_of_job_files)
{
	struct store *store = open_ok(STORE_WRITE);
	struct err err = ERR_INIT;
	struct results_case c;

	begin_run(store, "plan: poc\n");
	put_notes(store, "early");
	put_notes(store, "first");
	begin_run(store, "plan: poc\n");
	put_notes(store, NULL);
	ck_assert_int_eq(
	    store_load_case(store, CASE_ONE, STORE_ALL, true, &c, &err), 0);
	ck_assert_uint_eq(c.notes.n, 4);
	ck_assert_int_eq(c.notes.v[0].kind, FIO_NOTE_WARNING);
	ck_assert_ptr_null(c.notes.v[0].option);
	ck_assert_str_eq(c.notes.v[0].text, "loader.fio:4: size: 4KiB is 4000 bytes");
	ck_assert_int_eq(c.notes.v[1].kind, FIO_NOTE_TRANSLATED);
	ck_assert_str_eq(c.notes.v[1].value, "gettimeofday");
	ck_assert_int_eq(c.notes.v[2].kind, FIO_NOTE_SKIPPED);
	ck_assert_str_eq(c.notes.v[2].value, "first");
	ck_assert_str_eq(c.notes.v[3].place, "loader.fio:6");
	ck_assert_ptr_null(c.notes.v[3].value);
	results_case_free(&c);
	store_close(store);
}
END_TEST

static void
add_counter(struct counters *counters, const char *object, const char *name,
    uint64_t run, bool idle)
{
	struct counter *counter = counters_add(counters, object, name);

	counter->known[COUNTER_RUN] = true;
	counter->delta[COUNTER_RUN] = run;
	counter->known[COUNTER_IDLE] = idle;
	counter->delta[COUNTER_IDLE] = idle ? 3 : 0;
}

START_TEST(counters_and_their_proof_round_trip)
{
	struct store *store = open_with_cases();
	struct err err = ERR_INIT;
	struct attempt attempt, back;
	struct attempt_client *client;
	struct counters *counters = counters_new();
	struct results_case c;
	uint64_t delta;

	fixture_attempt(&attempt, CASE_ONE, 1, 3, DIR_READ, 1000, 4096, 90, false);
	counters->ns[COUNTER_RUN] = 10;
	counters->ns[COUNTER_IDLE] = 5;
	counters->mount_point = mem_strdup("/mnt/x");
	counters->protocols = COUNTERS_TCP | COUNTERS_RDMA;
	counters->rdma_ports = 0;
	add_counter(counters, "net/eth0", "rx_bytes", UINT64_C(1) << 63, true);
	add_counter(counters, "tcp", "TcpRetransSegs", 0, false);
	attempt.clients.v[0].counters = counters;
	attempt.clients.v[0].proof = (struct proof){.verdict = PROOF_REFUTED,
	    .cached = true,
	    .bytes = 7,
	    .declared_bytes = 1.5,
	    .other_bytes = NAN,
	    .text = mem_strdup("why")};
	attempt.clients.v[1].proof = (struct proof){.verdict = PROOF_UNKNOWN,
	    .declared_bytes = NAN,
	    .other_bytes = NAN,
	    .text = mem_strdup("the agent gave no counters")};
	put_attempt(store, &attempt);
	ck_assert_int_eq(
	    store_load_attempt(store, CASE_ONE, 1, 0, &back, &err), 0);
	client = &back.clients.v[0];
	ck_assert_int_eq(client->proof.verdict, PROOF_REFUTED);
	ck_assert(client->proof.cached);
	ck_assert_uint_eq(client->proof.bytes, 7);
	ck_assert_double_eq(client->proof.declared_bytes, 1.5);
	ck_assert_double_nan(client->proof.other_bytes);
	ck_assert_str_eq(client->proof.text, "why");
	ck_assert_uint_eq(client->counters->ns[COUNTER_IDLE], 5);
	ck_assert_uint_eq(client->counters->ns[COUNTER_TRIAL], 0);
	ck_assert_str_eq(client->counters->mount_point, "/mnt/x");
	ck_assert_ptr_null(client->counters->mount_fstype);
	ck_assert_uint_eq(client->counters->protocols, 3);
	ck_assert_int_eq(client->counters->rdma_ports, 0);
	ck_assert(counters_find(
	    client->counters, COUNTER_RUN, "net/eth0", "rx_bytes", &delta));
	ck_assert_uint_eq(delta, UINT64_C(1) << 63);
	ck_assert(counters_find(
	    client->counters, COUNTER_RUN, "tcp", "TcpRetransSegs", &delta));
	ck_assert_uint_eq(delta, 0);
	ck_assert(!counters_find(
	    client->counters, COUNTER_IDLE, "tcp", "TcpRetransSegs", &delta));
	ck_assert_int_eq(back.clients.v[1].proof.verdict, PROOF_UNKNOWN);
	ck_assert_ptr_null(back.clients.v[1].counters);
	ck_assert_int_eq(back.clients.v[2].proof.verdict, PROOF_NONE);
	ck_assert_int_eq(attempt_proof(&back), PROOF_REFUTED);
	attempt_free(&back);
	/* without the clients' figures the verdict is there, the counters are not */
	ck_assert_int_eq(
	    store_load_case(store, CASE_ONE, STORE_ALL, false, &c, &err), 0);
	ck_assert_int_eq(attempt_proof(&c.attempts.v[0]->attempt), PROOF_REFUTED);
	ck_assert_uint_eq(c.attempts.v[0]->attempt.clients.v[0].counters->list.n, 0);
	results_case_free(&c);
	store_close(store);
	attempt_free(&attempt);
}
END_TEST

START_TEST(older_file_has_no_proof)
{
	struct store *store = open_with_cases();
	struct err err = ERR_INIT;
	struct attempt attempt, back;

	fixture_attempt(&attempt, CASE_ONE, 1, 1, DIR_READ, 1000, 4096, 90, false);
	put_attempt(store, &attempt);
	store_close(store);
	make_database("DROP TABLE proof; DROP TABLE counter");
	store = open_ok(STORE_READ);
	ck_assert_int_eq(
	    store_load_attempt(store, CASE_ONE, 1, 0, &back, &err), 0);
	ck_assert_int_eq(attempt_proof(&back), PROOF_NONE);
	attempt_free(&back);
	attempt_free(&attempt);
	store_close(store);
}
END_TEST

/* A file of an earlier volley lacks the table: nothing is known, and it is added. */
START_TEST(older_file_has_no_notes)
{
	struct store *store = open_with_cases();
	struct err err = ERR_INIT;
	struct results_case c;

	store_close(store);
	make_database("DROP TABLE job_note");
	store = open_ok(STORE_READ);
	ck_assert_int_eq(
	    store_load_case(store, CASE_ONE, STORE_ALL, true, &c, &err), 0);
	ck_assert_uint_eq(c.notes.n, 0);
	results_case_free(&c);
	store_close(store);
	store = open_ok(STORE_WRITE);
	begin_run(store, "plan: poc\n");
	put_notes(store, "added");
	store_close(store);
}
END_TEST

static void
load_fails(const char *message)
{
	struct store *store = open_ok(STORE_READ);
	struct attempt back;
	struct err err = ERR_INIT;
	char expected[256];

	ck_assert_int_eq(store_load_attempt(store, CASE_ONE, 1, 0, &back, &err), -1);
	snprintf(expected, sizeof expected, "%s: %s", path, message);
	ck_assert_str_eq(err.msg, expected);
	ck_assert_uint_eq(back.clients.n, 0);
	store_close(store);
}

/* Damage inside of the file is an error, never a wrong figure. */
START_TEST(damaged_figures)
{
	static const struct {
		const char *sql, *message;
	} damages[] = {
	    {"UPDATE series SET data = x'01ff' WHERE kind = 'slots'",
		"a stored slot row is damaged"},
	    {"UPDATE series SET data = x'01ff' WHERE kind = 'heats'",
		"a stored heat map is damaged"},
	    {"UPDATE series SET data = x'01ff' WHERE kind = 'clat'",
		"a stored histogram is damaged"},
	    {"DELETE FROM series WHERE kind IN ('clat', 'slots', 'heats')",
		"a stored histogram (clat) is missing"},
	};
	struct store *store = open_with_cases();
	struct attempt attempt;

	fixture_attempt(&attempt, CASE_ONE, 1, 1, DIR_READ, 100, 4096, 90, true);
	put_attempt(store, &attempt);
	attempt_free(&attempt);
	store_close(store);
	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		make_database(damages[i].sql);
		load_fails(damages[i].message);
	}
}
END_TEST

/* A child opens the file, says so through a pipe, and waits to be killed. */
static pid_t
writer_child(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		struct err err = ERR_INIT;
		struct store *store = store_open(path, STORE_WRITE, &err);

		if (!store || write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

START_TEST(one_writer_many_readers)
{
	pid_t pid = writer_child();
	char message[128];

	snprintf(message, sizeof message,
	    "another volley (process %ld) is writing to it", (long)pid);
	open_fails(STORE_WRITE, ERR_BUSY, message);
	store_close(open_ok(STORE_READ));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	/* its lock died with it */
	store_close(open_ok(STORE_WRITE));
}
END_TEST

START_TEST(lock_file_goes_with_the_writer)
{
	char lock[160];

	snprintf(lock, sizeof lock, "%s-writer", path);
	store_close(open_ok(STORE_WRITE));
	ck_assert_int_ne(access(lock, F_OK), 0);
}
END_TEST

/* Results in a folder that the reader may not write: no -shm can be made. */
START_TEST(read_only_folder)
{
	int status;
	pid_t pid;

	store_close(open_with_cases());
	chmod(path, 0444);
	chmod(dir, 0555);
	pid = fork();
	if (pid == 0) {
		struct err err = ERR_INIT;
		struct results_list list;
		struct store *store;

		if (getuid() == 0 && setuid(65534) != 0)
			_exit(2);
		store = store_open(path, STORE_READ, &err);
		if (!store)
			fprintf(stderr, "%s\n", err.msg);
		_exit(store && store_list(store, &list, &err) == 0 && list.items.n == 2
			  ? 0
			  : 1);
	}
	waitpid(pid, &status, 0);
	ck_assert_int_eq(status, 0);
}
END_TEST

/*
 * A child stores attempts one after another, naming each in a pipe once it is
 * stored, and is killed at a moment that moves from round to round.  What it
 * named must be there, whole; at most one more may be.
 */
static unsigned
killed_writer(unsigned after)
{
	unsigned last = 0, repeat;
	int told[2];
	pid_t pid;

	ck_assert_int_eq(pipe(told), 0);
	pid = fork();
	if (pid == 0) {
		struct store *store = open_with_cases();

		close(told[0]);
		for (repeat = after + 1;; repeat++) {
			struct attempt attempt;

			fixture_attempt(&attempt, CASE_ONE, repeat, 2, DIR_READ, 100,
			    4096, 90, false);
			put_attempt(store, &attempt);
			attempt_free(&attempt);
			if (write(told[1], &repeat, sizeof repeat) != sizeof repeat)
				_exit(1);
		}
	}
	close(told[1]);
	ck_assert_int_eq(read(told[0], &last, sizeof last), sizeof last);
	/* burn a varying little while, so that the kill meets varying steps */
	for (volatile unsigned spin = 0; spin < (after * 7919u) % 3000000u; spin++)
		;
	kill(pid, SIGKILL);
	while (read(told[0], &repeat, sizeof repeat) == sizeof repeat)
		last = repeat;
	close(told[0]);
	waitpid(pid, NULL, 0);
	return last;
}

START_TEST(kill_loses_one_attempt_at_most)
{
	unsigned stored = 0, checked = 0;

	for (int round = 0; round < 25; round++) {
		unsigned told = killed_writer(stored);
		struct store *store = open_ok(STORE_READ);
		struct results_case c;
		struct err err = ERR_INIT;

		ck_assert_int_eq(
		    store_load_case(store, CASE_ONE, STORE_ALL, true, &c, &err), 0);
		stored = (unsigned)c.attempts.n;
		ck_assert_uint_ge(stored, told);
		ck_assert_uint_le(stored, told + 1);
		for (; checked < stored; checked++) {
			struct attempt whole, *got = &c.attempts.v[checked]->attempt;

			fixture_attempt(&whole, CASE_ONE, checked + 1, 2, DIR_READ, 100,
			    4096, 90, false);
			same_attempt(&whole, got);
			attempt_free(&whole);
		}
		results_case_free(&c);
		store_close(store);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("store");
	TCase *tcase = tcase_create("store");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, tcase);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, valid_round_trip);
	tcase_add_test(tcase, partial_round_trip);
	tcase_add_test(tcase, refused_round_trip);
	tcase_add_test(tcase, edges_round_trip);
	tcase_add_test(tcase, nothing_is_overwritten);
	tcase_add_test(tcase, a_batch_is_whole);
	tcase_add_test(tcase, unknown_case_is_refused);
	tcase_add_test(tcase, cases_and_list);
	tcase_add_test(tcase, notes_of_job_files);
	tcase_add_test(tcase, older_file_has_no_notes);
	tcase_add_test(tcase, counters_and_their_proof_round_trip);
	tcase_add_test(tcase, older_file_has_no_proof);
	tcase_add_test(tcase, head_and_facts);
	tcase_add_test(tcase, commands_of_a_run);
	tcase_add_test(tcase, strangers_are_refused);
	tcase_add_test(tcase, other_version_is_refused);
	tcase_add_test(tcase, damaged_figures);
	tcase_add_test(tcase, one_writer_many_readers);
	tcase_add_test(tcase, lock_file_goes_with_the_writer);
	tcase_add_test(tcase, read_only_folder);
	tcase_add_test(tcase, kill_loses_one_attempt_at_most);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
