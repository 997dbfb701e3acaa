/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies, samples and facts: every field arrives; impossible figures are refused. */
#include "lib/wire/conv.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "proto/stats.pb-c.h"
#include "tests/unit/suite.h"
#include "tests/unit/wire/sample.h"

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
	ck_assert(a->slot_overflow == b->slot_overflow);
	ck_assert_int_eq(a->times.own, b->times.own);
	ck_assert(a->times.last_from_ns == b->times.last_from_ns);
	ck_assert(a->times.first_to_ns == b->times.first_to_ns);
	ck_assert(a->times.busy_ns == b->times.busy_ns);
}

static void
same_tally(const struct tally *a, const struct tally *b)
{
	ck_assert(a->start_ns == b->start_ns);
	ck_assert(a->window_from == b->window_from && a->window_to == b->window_to);
	ck_assert(a->has_first_io == b->has_first_io);
	ck_assert(a->first_io_ns == b->first_io_ns);
	ck_assert(a->last_first_io_ns == b->last_first_io_ns);
	ck_assert(a->first_end_ns == b->first_end_ns && a->end_ns == b->end_ns);
	ck_assert(a->threads == b->threads && a->outstanding == b->outstanding);
	ck_assert(a->oldest_outstanding_ns == b->oldest_outstanding_ns);
	ck_assert(a->io_errors == b->io_errors);
	ck_assert(a->cpu_user_ns == b->cpu_user_ns && a->cpu_sys_ns == b->cpu_sys_ns);
	ck_assert(a->cpu_wall_ns == b->cpu_wall_ns);
	ck_assert(a->usage.known == b->usage.known);
	ck_assert_uint_eq(a->usage.switches, b->usage.switches);
	ck_assert_uint_eq(a->usage.major_faults, b->usage.major_faults);
	ck_assert_uint_eq(a->usage.minor_faults, b->usage.minor_faults);
	ck_assert_uint_eq(a->latency_depth, b->latency_depth);
	ck_assert(a->fifo == b->fifo && a->direct == b->direct);
	ck_assert_uint_eq(a->first_io_bound_ns, b->first_io_bound_ns);
	ck_assert(a->window_own == b->window_own);
	ck_assert_str_eq(a->runner, b->runner);
	for (int d = 0; d < DIR_COUNT; d++)
		same_dir(&a->dir[d], &b->dir[d]);
}

START_TEST(tallies_round_trip)
{
	struct rng rng;

	rng_seed(&rng, 3);
	for (int i = 0; i < 60; i++) {
		struct tally *sent = random_tally(&rng), *got;
		struct payload payload = pack_tally(77, sent);
		struct err err = ERR_INIT;
		uint64_t run_id = 0;

		ck_assert_msg(
		    unpack_tally(&run_id, &got, payload.data, payload.len, &err) == 0,
		    "%s", err.msg);
		ck_assert(run_id == 77);
		same_tally(sent, got);
		tally_free(sent);
		tally_free(got);
		free(payload.data);
	}
}
END_TEST

/* Several jobs of one client: each arrives, and their sum is made again. */
START_TEST(jobs_travel_one_by_one)
{
	struct rng rng;
	struct tally *jobs[2], *sent, *got;
	struct payload payload;
	struct err err = ERR_INIT;
	uint64_t run_id = 0;

	rng_seed(&rng, 5);
	for (int i = 0; i < 2; i++)
		jobs[i] = random_tally(&rng);
	sent = tally_of_jobs(jobs, 2);
	payload = pack_tally(9, sent);
	ck_assert_msg(
	    unpack_tally(&run_id, &got, payload.data, payload.len, &err) == 0, "%s",
	    err.msg);
	ck_assert(run_id == 9);
	ck_assert_uint_eq(got->njobs, 2);
	for (int i = 0; i < 2; i++)
		same_tally(jobs[i], got->jobs[i]);
	same_tally(sent, got);
	tally_free(sent);
	tally_free(got);
	free(payload.data);
}
END_TEST

/* Values at the ends of the range, and counts that do not fit in 32 bits. */
START_TEST(extreme_histograms_round_trip)
{
	struct tally *sent = tally_new(), *got;
	struct hist *hist = &sent->dir[DIR_WRITE].sync;
	struct payload payload;
	struct err err = ERR_INIT;
	uint64_t run_id;

	hist_add(hist, 0, UINT64_C(1) << 40);
	hist_add(hist, UINT64_MAX, 1);
	hist_add(hist, 127, 1);
	hist_add(hist, 128, 1);
	payload = pack_tally(1, sent);
	ck_assert_int_eq(
	    unpack_tally(&run_id, &got, payload.data, payload.len, &err), 0);
	same_tally(sent, got);
	ck_assert(got->dir[DIR_WRITE].sync.bucket[0] == UINT64_C(1) << 40);
	ck_assert(got->dir[DIR_WRITE].sync.bucket[HIST_BUCKETS - 1] == 1);
	ck_assert(got->dir[DIR_WRITE].sync.max == UINT64_MAX);
	tally_free(sent);
	tally_free(got);
	free(payload.data);
}
END_TEST

/* 4 buckets of 3,776 are not empty: bytes, not kilobytes. */
START_TEST(histograms_travel_sparse)
{
	struct tally *tally = tally_new();
	struct payload payload = pack_tally(1, tally);
	size_t empty = payload.len;

	free(payload.data);
	for (uint64_t value = 1; value < 100000; value *= 30)
		hist_add(&tally->dir[DIR_READ].lat, value, 1000);
	payload = pack_tally(1, tally);
	ck_assert_uint_lt(payload.len - empty, 60);
	free(payload.data);
	tally_free(tally);
}
END_TEST

/* One valid tally with one histogram, which `spoil` spoils. */
struct spoiled {
	Volley__Tally tally;
	Volley__DirTally dir;
	Volley__Hist hist;
	Volley__Slots slots;
	Volley__Heats heats;
	uint64_t phases[METER_PHASES], times[3], ios[2];
	uint32_t steps[3], counts[HEAT_BUCKETS];
};

static void
spoiled_init(struct spoiled *s)
{
	memset(s, 0, sizeof *s);
	volley__tally__init(&s->tally);
	volley__dir_tally__init(&s->dir);
	volley__hist__init(&s->hist);
	volley__slots__init(&s->slots);
	volley__heats__init(&s->heats);
	s->steps[0] = 5;
	s->steps[1] = 10;
	s->times[0] = s->times[1] = s->times[2] = 1;
	s->hist.n_step = s->hist.n_times = 2;
	s->hist.step = s->steps;
	s->hist.times = s->times;
	s->hist.count = 2;
	s->hist.min = 5;
	s->hist.max = 15;
	s->slots.n_ios = s->slots.n_bytes = s->slots.n_lat_ns = 2;
	s->slots.ios = s->slots.bytes = s->slots.lat_ns = s->ios;
	s->heats.n_count = HEAT_BUCKETS;
	s->heats.count = s->counts;
	s->dir.n_phase_ios = s->dir.n_phase_bytes = METER_PHASES;
	s->dir.phase_ios = s->dir.phase_bytes = s->phases;
	s->dir.clat = &s->hist;
	s->dir.slots = &s->slots;
	s->dir.heats = &s->heats;
	s->tally.write = &s->dir;
}

static void
spoiled_check(struct spoiled *s, const char *message)
{
	uint8_t *bytes = mem_alloc(volley__tally__get_packed_size(&s->tally));
	size_t len = volley__tally__pack(&s->tally, bytes);
	struct tally *tally;
	struct err err = ERR_INIT;
	uint64_t run_id;
	int result = unpack_tally(&run_id, &tally, bytes, len, &err);

	ck_assert_str_eq(err.msg, message ? message : "");
	ck_assert_int_eq(result, message ? -1 : 0);
	ck_assert_int_eq(err.code, message ? ERR_PROTOCOL : ERR_NONE);
	tally_free(tally);
	free(bytes);
	spoiled_init(s);
}

START_TEST(impossible_figures_are_named)
{
	struct spoiled s;

	spoiled_init(&s);
	spoiled_check(&s, NULL); /* it is good before it is spoiled */
	s.hist.n_times = 1;
	spoiled_check(&s, "write: a histogram of 2 and 1 buckets");
	s.steps[1] = 0;
	spoiled_check(&s, "write: a histogram with a bad bucket");
	s.times[1] = 0;
	spoiled_check(&s, "write: a histogram with a bad bucket");
	s.steps[1] = HIST_BUCKETS - 5;
	spoiled_check(&s, "write: a histogram with a bad bucket");
	s.steps[1] = HIST_BUCKETS - 6;
	spoiled_check(&s, NULL);
	s.steps[1] = UINT32_MAX - 4; /* would come round to 0 in 32 bits */
	spoiled_check(&s, "write: a histogram with a bad bucket");
	s.hist.count = 0;
	spoiled_check(&s, "write: a histogram of 0 values from 5 to 15");
	s.hist.min = 16;
	spoiled_check(&s, "write: a histogram of 2 values from 16 to 15");
	s.slots.n_bytes = 1;
	spoiled_check(&s, "write: slots of 2, 1 and 2 values");
	s.slots.n_lat_ns = 0;
	spoiled_check(&s, "write: slots of 2, 2 and 0 values");
	s.heats.n_count = HEAT_BUCKETS - 1;
	spoiled_check(&s, "write: heats of 127 values");
	s.dir.has_busy_ns = true;
	spoiled_check(&s, "write: times of a direction, but not all");
	s.dir.n_phase_ios = 2;
	spoiled_check(&s, "write: a tally of 2 and 3 phases");
	s.tally.read = &s.dir;
	s.tally.write = NULL;
	s.dir.n_phase_bytes = 0;
	spoiled_check(&s, "read: a tally of 3 and 0 phases");
	s.tally.has_window_to = true;
	s.tally.window_to = 5;
	s.tally.window_from = 6;
	spoiled_check(&s, "a window from 6 to 5");
	s.tally.has_first_io_ns = s.tally.has_last_first_io_ns = true;
	s.tally.first_io_ns = -3;
	s.tally.last_first_io_ns = -4;
	spoiled_check(&s, "first I/Os from -3 to -4");
}
END_TEST

START_TEST(samples_round_trip)
{
	struct rng rng;

	rng_seed(&rng, 4);
	for (int i = 0; i < 200; i++) {
		struct sample sent, got;
		struct payload payload;
		struct err err = ERR_INIT;

		random_sample(&rng, &sent);
		payload = pack_sample(&sent);
		ck_assert_int_eq(
		    unpack_sample(&got, payload.data, payload.len, &err), 0);
		ck_assert_mem_eq(&got, &sent, sizeof got);
		free(payload.data);
	}
}
END_TEST

static void
same_text(const char *a, const char *b)
{
	ck_assert_pstr_eq(a, b);
}

static void
same_thing(const struct facts_thing *a, const struct facts_thing *b)
{
	same_text(a->kind, b->kind);
	same_text(a->name, b->name);
	ck_assert_uint_eq(a->attrs.n, b->attrs.n);
	for (size_t i = 0; i < a->attrs.n; i++) {
		same_text(a->attrs.v[i].key, b->attrs.v[i].key);
		same_text(a->attrs.v[i].text, b->attrs.v[i].text);
		ck_assert(a->attrs.v[i].number == b->attrs.v[i].number);
	}
}

START_TEST(facts_round_trip)
{
	struct rng rng;

	rng_seed(&rng, 5);
	for (int i = 0; i < 200; i++) {
		struct facts *sent = random_facts(&rng), *got;
		struct payload payload = pack_facts(sent);
		struct err err = ERR_INIT;

		ck_assert_int_eq(
		    unpack_facts(&got, payload.data, payload.len, &err), 0);
		same_text(got->name, sent->name);
		same_text(got->version, sent->version);
		same_text(got->hostname, sent->hostname);
		same_text(got->os, sent->os);
		same_text(got->kernel, sent->kernel);
		same_text(got->cpu_model, sent->cpu_model);
		same_text(got->machine_id, sent->machine_id);
		ck_assert(
		    got->cpus == sent->cpus && got->numa_nodes == sent->numa_nodes);
		ck_assert(got->memory_bytes == sent->memory_bytes);
		ck_assert_uint_eq(got->engines.n, sent->engines.n);
		for (size_t k = 0; k < got->engines.n; k++)
			same_text(got->engines.v[k], sent->engines.v[k]);
		ck_assert_uint_eq(got->things.n, sent->things.n);
		for (size_t k = 0; k < got->things.n; k++)
			same_thing(&got->things.v[k], &sent->things.v[k]);
		facts_free(sent);
		facts_free(got);
		free(payload.data);
	}
}
END_TEST

START_TEST(unknown_facts_stay_unknown)
{
	struct facts *facts;
	struct err err = ERR_INIT;

	ck_assert_int_eq(unpack_facts(&facts, NULL, 0, &err), 0);
	ck_assert_ptr_null(facts->name);
	ck_assert(facts->cpus == -1 && facts->numa_nodes == -1);
	ck_assert(facts->memory_bytes == -1);
	facts_free(facts);
	facts_free(NULL);
}
END_TEST

START_TEST(facts_are_shown_without_control_characters)
{
	struct facts *facts;
	struct err err = ERR_INIT;

	ck_assert_int_eq(unpack_facts(&facts,
			     (const uint8_t *)"\x0a\x05"
					      "a\x1b[2J",
			     7, &err),
	    0);
	ck_assert_str_eq(facts->name, "a?[2J");
	facts_free(facts);
}
END_TEST

START_TEST(questions_for_facts)
{
	static const char *const paths[] = {"/mnt/one", "/mnt/two\nwords"};
	struct facts_question question = {.paths = paths, .n = 2};
	struct payload payload = pack_facts_request(&question);
	struct err err = ERR_INIT;
	struct facts_question_msg got;

	ck_assert_int_eq(
	    unpack_facts_request(&got, payload.data, payload.len, &err), 0);
	ck_assert_uint_eq(got.question.n, 2);
	ck_assert_str_eq(got.question.paths[0], paths[0]);
	ck_assert_str_eq(got.question.paths[1], paths[1]); /* as it is: to be opened */
	ck_assert_int_eq(got.question.touch, FACTS_LOOK);
	ck_assert(!got.question.brief);
	facts_question_msg_free(&got);
	free(payload.data);
	ck_assert_int_eq(unpack_facts_request(&got, NULL, 0, &err), 0);
	ck_assert_uint_eq(got.question.n, 0);
	facts_question_msg_free(&got);
	ck_assert_int_eq(
	    unpack_facts_request(&got, (const uint8_t *)"\x0a\0", 2, &err), -1);
	ck_assert_str_eq(err.msg, "a path of 0 bytes");
}
END_TEST

/* It becomes part of a file's name on the client. */
START_TEST(tokens_are_hex_digits)
{
	static const struct {
		const char *token;
		int result;
	} cases[] = {{"0123456789abcdef", 0}, {"0123456789abcdeF", -1},
	    {"0123456789abcde", -1}, {"../../../../etc/x", -1}, {NULL, -1}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct facts_question question = {
		    .touch = FACTS_WRITE, .token = cases[i].token};
		struct payload payload = pack_facts_request(&question);
		struct err err = ERR_INIT;
		struct facts_question_msg got;

		ck_assert_int_eq(
		    unpack_facts_request(&got, payload.data, payload.len, &err),
		    cases[i].result);
		if (cases[i].result == 0) {
			ck_assert_str_eq(got.question.token, cases[i].token);
			ck_assert_int_eq(got.question.touch, FACTS_WRITE);
			facts_question_msg_free(&got);
		} else {
			ck_assert_str_eq(
			    err.msg, "a question for facts with a bad token");
		}
		free(payload.data);
	}
}
END_TEST

START_TEST(counters_round_trip)
{
	struct rng rng;
	struct err err = ERR_INIT;

	rng_seed(&rng, 61);
	for (int round = 0; round < 50; round++) {
		struct counters *sent = random_counters(&rng), *got;
		struct payload payload = pack_counters(5, sent);
		uint64_t run_id;

		ck_assert_int_eq(
		    unpack_counters(&run_id, &got, payload.data, payload.len, &err), 0);
		ck_assert_uint_eq(run_id, 5);
		ck_assert_mem_eq(got->ns, sent->ns, sizeof got->ns);
		ck_assert_uint_eq(got->trial_bytes, sent->trial_bytes);
		ck_assert_uint_eq(got->protocols, sent->protocols);
		ck_assert_int_eq(got->rdma_ports, sent->rdma_ports);
		ck_assert_pstr_eq(got->mount_point, sent->mount_point);
		ck_assert_uint_eq(got->list.n, sent->list.n);
		for (size_t i = 0; i < got->list.n; i++) {
			const struct counter *a = &got->list.v[i];
			const struct counter *b = &sent->list.v[i];

			ck_assert_str_eq(a->object, b->object);
			ck_assert_str_eq(a->name, b->name);
			ck_assert_mem_eq(a->known, b->known, sizeof a->known);
			ck_assert_mem_eq(a->delta, b->delta, sizeof a->delta);
			ck_assert(a->narrow == b->narrow);
		}
		free(payload.data);
		counters_free(sent);
		counters_free(got);
	}
}
END_TEST

START_TEST(impossible_counters_are_refused)
{
	static const struct {
		const char *first, *second, *text;
	} cases[] = {{"net/b", "net/a", "counters out of order"},
	    {"net/a", "net/a", "counters out of order"},
	    {"net/a", "net/b\n", "a counter without a proper name"}};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct counters *sent = counters_new(), *got;
		struct payload payload;
		uint64_t run_id;

		counters_add(sent, cases[i].first, "rx_bytes");
		counters_add(sent, cases[i].second, "rx_bytes");
		payload = pack_counters(5, sent);
		ck_assert_int_lt(
		    unpack_counters(&run_id, &got, payload.data, payload.len, &err), 0);
		ck_assert_ptr_null(got);
		ck_assert_str_eq(err.msg, cases[i].text);
		free(payload.data);
		counters_free(sent);
	}
}
END_TEST

START_TEST(commands_and_their_ends)
{
	const struct shell_command sent = {"setup", "mount -a; echo 'a b'", 2000000000};
	const struct shell_command bad[] = {{"setup", "", 1}, {"setup", "x", 0},
	    {"setup", "x", COMMAND_TIMEOUT_MAX_NS + 1}};
	const struct shell_answer ends[] = {
	    {NULL, NULL}, {"exit status 1", NULL}, {NULL, "line\nline"}};
	struct payload payload = pack_shell_command(&sent);
	struct shell_command got;
	struct err err = ERR_INIT;

	ck_assert_int_eq(unpack_shell_command(&got, payload.data, payload.len, &err), 0);
	ck_assert_str_eq(got.name, sent.name);
	ck_assert_str_eq(got.text, sent.text);
	ck_assert_uint_eq(got.timeout_ns, sent.timeout_ns);
	shell_command_free(&got);
	free(payload.data);
	for (size_t i = 0; i < 3; i++) {
		payload = pack_shell_command(&bad[i]);
		ck_assert_int_eq(
		    unpack_shell_command(&got, payload.data, payload.len, &err), -1);
		free(payload.data);
	}
	for (size_t i = 0; i < 3; i++) {
		struct shell_answer end;

		payload = pack_shell_answer(&ends[i]);
		ck_assert_int_eq(
		    unpack_shell_answer(&end, payload.data, payload.len, &err), 0);
		ck_assert_pstr_eq(end.problem, ends[i].problem);
		ck_assert_pstr_eq(end.output, ends[i].output);
		shell_answer_free(&end);
		free(payload.data);
	}
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("stats", counters_round_trip, impossible_counters_are_refused,
	    jobs_travel_one_by_one,
	    tallies_round_trip, extreme_histograms_round_trip,
	    histograms_travel_sparse, impossible_figures_are_named, samples_round_trip,
	    facts_round_trip, unknown_facts_stay_unknown,
	    facts_are_shown_without_control_characters, questions_for_facts,
	    tokens_are_hex_digits, commands_and_their_ends);
}
