/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an attempt is worth: one good attempt of three clients, from which each test
 * takes one thing away; then the state, the reason's code, whose it is, and its text.
 */
#include "controller/attempt/attempt.h"

#include <string.h>

#include "lib/base/mem.h"
#include "tests/unit/suite.h"

#define S UINT64_C(1000000000)
#define MS UINT64_C(1000000)
#define US UINT64_C(1000)
#define CLIENTS 3

static struct attempt attempt;
static struct job job;

/* Reads of 4 KiB, each 2 ms, 16 at a time: 8,000 IOPS for 10 s after a ramp of 1 s. */
static struct tally *
good_tally(void)
{
	struct tally *tally = tally_new();
	struct dir_tally *dir = &tally->dir[DIR_READ];

	tally->window_from = S;
	tally->window_to = 11 * S;
	tally->has_first_io = true;
	tally->last_first_io_ns = 50 * (int64_t)US;
	tally->first_end_ns = 11 * S;
	tally->end_ns = 11 * S;
	tally->threads = 4;
	dir->phase[METER_BEFORE].ios = 8000;
	dir->phase[METER_BEFORE].bytes = 8000 * 4096;
	dir->phase[METER_INSIDE].ios = 80000;
	dir->phase[METER_INSIDE].bytes = UINT64_C(80000) * 4096;
	hist_add(&dir->slat, 10 * US, 80000);
	hist_add(&dir->clat, 1990 * US, 80000);
	hist_add(&dir->lat, 2 * MS, 80000);
	dir->slots.n = 110;
	dir->slots.v = mem_array(dir->slots.n, sizeof *dir->slots.v);
	for (size_t i = 0; i < dir->slots.n; i++)
		dir->slots.v[i] = (struct slot){800, 800 * 4096, 800 * 2 * MS};
	return tally;
}

static void
begin(void)
{
	attempt_free(&attempt);
	job = (struct job){.ioengine = (char *)"libaio",
	    .bs = {4096, 4096},
	    .iodepth = 4,
	    .numjobs = 4,
	    .time_based = true,
	    .runtime_ns = 10 * S,
	    .ramp_ns = S};
	attempt.clients_expected = CLIENTS;
	attempt.max_skew_ns = attempt_default_max_skew(&job);
	for (int i = 0; i < CLIENTS; i++) {
		struct attempt_client *client = vec_add(&attempt.clients);

		client->agent = mem_printf("gpu%02d", i + 1);
		client->outcome = CLIENT_OK;
		client->tally = good_tally();
		client->offset = (struct offset){.valid = true, .bound_ns = 10 * US};
		client->first_io_ns = i * 20 * (int64_t)US;
	}
}

static void
judge(void)
{
	struct attempt_part part = {.job = &job, .clients = CLIENTS};

	attempt_judge(&attempt, &part, 1);
}

static struct dir_tally *
reads(size_t client)
{
	return &attempt.clients.v[client].tally->dir[DIR_READ];
}

/* There is one reason with this code, and it reads like this. */
static void
expect(const char *code, enum attempt_state makes, const char *agent, const char *text)
{
	const struct attempt_reason *found = NULL;

	for (vec_each(const struct attempt_reason *, reason, &attempt.reasons))
		if (strcmp(reason->code, code) == 0 &&
		    (!agent || (reason->agent && strcmp(reason->agent, agent) == 0)))
			found = reason;
	ck_assert_msg(found != NULL, "no reason %s", code);
	ck_assert_int_eq(found->makes, makes);
	ck_assert_str_eq(found->text, text);
	if (!agent)
		ck_assert_ptr_null(found->agent);
}

/* fio's slat is of what it submitted, clat of what was done: a queue's worth differs. */
START_TEST(slats_of_another_program)
{
	begin();
	for (int i = 0; i < CLIENTS; i++)
		strcpy(attempt.clients.v[i].tally->runner, "fio-3.33");
	reads(0)->slat = (struct hist){0};
	hist_add(&reads(0)->slat, 10 * US, 80000 + 16 * CLIENTS);
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	hist_add(&reads(0)->slat, 10 * US, 1);
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	expect("inconsistent", ATTEMPT_INVALID, NULL,
	    "read: a submission latency for some I/Os only");
}
END_TEST

START_TEST(another_program_is_named)
{
	begin();
	for (int i = 0; i < CLIENTS; i++) {
		struct tally *tally = attempt.clients.v[i].tally;

		strcpy(tally->runner, i < 2 ? "fio-3.33" : "fio-3.28");
		tally->first_io_bound_ns = (uint64_t)(i + 1) * MS;
		tally->window_own = true;
	}
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	ck_assert_uint_eq(attempt.reasons.n, 2);
	ck_assert_str_eq(attempt.reasons.v[0].code, "runner");
	ck_assert_str_eq(attempt.reasons.v[0].text,
	    "runner=fio-3.33 did the I/O of 2 of 3 clients; its first I/Os are known "
	    "to +-2.000 ms, its window ends with its last completion");
	ck_assert_str_eq(attempt.reasons.v[1].text,
	    "runner=fio-3.28 did the I/O of 1 of 3 clients; its first I/Os are known "
	    "to +-3.000 ms, its window ends with its last completion");
	/* 40 us apart; from -1.01 ms of the first to 3.05 ms of the last. */
	ck_assert_uint_eq(attempt.total.skew_ns, 40 * US);
	ck_assert_uint_eq(attempt.total.skew_bound_ns,
	    (uint64_t)(40 + 3010 + 2970) * US - 40 * US);
}
END_TEST

START_TEST(valid)
{
	begin();
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	ck_assert_uint_eq(attempt.reasons.n, 0);
	ck_assert(attempt.has_total);
	ck_assert_uint_eq(attempt.total.clients, 3);
	ck_assert_double_eq(attempt.total.dir[DIR_READ].iops, 24000);
	ck_assert_uint_eq(attempt.total.skew_ns, 40 * US);
	ck_assert_uint_eq(attempt.total.skew_bound_ns, 20 * US);
	/* Again gives the same. */
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	ck_assert_double_eq(attempt.total.dir[DIR_READ].iops, 24000);
}
END_TEST

START_TEST(clients_missing)
{
	static const struct {
		enum client_outcome outcome;
		const char *code, *error, *text;
	} ends[] = {
	    {CLIENT_LOST, "client-lost", "connection lost",
		"2 of 3 clients: gpu02 lost: connection lost"},
	    {CLIENT_FAILED, "client-failed", "write /mnt/x: No space left on device",
		"2 of 3 clients: gpu02 failed: write /mnt/x: No space left on device"},
	    {CLIENT_STALLED, "client-stalled", "abandoned",
		"2 of 3 clients: gpu02 stalled: abandoned"},
	    {CLIENT_NOT_STARTED, "client-not-started", "no GO before the start",
		"2 of 3 clients: gpu02 not started: no GO before the start"},
	    {CLIENT_ABORTED, "client-aborted", NULL, "2 of 3 clients: gpu02 aborted"},
	    {CLIENT_PENDING, "client-lost", NULL,
		"2 of 3 clients: gpu02 never heard of"},
	};

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		begin();
		attempt.clients.v[1].outcome = ends[i].outcome;
		attempt.clients.v[1].error = mem_strdup(ends[i].error);
		judge();
		ck_assert_int_eq(attempt.state, ATTEMPT_PARTIAL);
		ck_assert_uint_eq(attempt.reasons.n, 1);
		expect(ends[i].code, ATTEMPT_PARTIAL, "gpu02", ends[i].text);
		/* Over two, and it says so: its partial figures are not added. */
		ck_assert_uint_eq(attempt.total.clients, 2);
		ck_assert_double_eq(attempt.total.dir[DIR_READ].iops, 16000);
	}
	begin();
	tally_free(attempt.clients.v[1].tally);
	attempt.clients.v[1].tally = NULL;
	judge();
	expect("client-failed", ATTEMPT_PARTIAL, "gpu02",
	    "2 of 3 clients: gpu02 without a result");
	begin();
	attempt.clients_expected = 5;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_PARTIAL);
	expect("client-missing", ATTEMPT_PARTIAL, NULL,
	    "3 of 5 clients: 2 missing from the start");
}
END_TEST

START_TEST(nobody)
{
	begin();
	for (size_t i = 0; i < CLIENTS; i++)
		attempt.clients.v[i].outcome = CLIENT_LOST;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	ck_assert(!attempt.has_total);
	expect("no-result", ATTEMPT_INVALID, NULL, "no client has a complete result");
	begin();
	for (size_t i = 0; i < CLIENTS; i++)
		attempt.clients.v[i].outcome = CLIENT_NOT_STARTED;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	expect("not-started", ATTEMPT_INVALID, NULL, "no client started");
	begin();
	for (size_t i = 0; i < CLIENTS; i++)
		attempt.clients.v[i].outcome = CLIENT_ABORTED;
	attempt.error = mem_strdup("no space left");
	attempt.error_agent = mem_strdup("gpu03");
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	ck_assert_uint_eq(attempt.reasons.n, 1);
	expect("not-run", ATTEMPT_INVALID, "gpu03",
	    "nothing was started: gpu03: no space left");
}
END_TEST

START_TEST(skew)
{
	begin();
	attempt.clients.v[2].first_io_ns = 10 * (int64_t)MS;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	expect("skew-bound", ATTEMPT_VALID, NULL,
	    "first I/Os are 10.00 ms apart, give or take 20.00 us: more than the "
	    "10.00 ms that are allowed cannot be ruled out");
	begin();
	attempt.clients.v[0].first_io_ns = -(int64_t)MS;
	attempt.clients.v[2].first_io_ns = 9 * (int64_t)MS + 1;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	expect("skew", ATTEMPT_INVALID, NULL,
	    "first I/Os are 10.00 ms apart, at most 10.00 ms are allowed");
	begin();
	attempt.max_skew_ns = 39 * US;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	begin();
	attempt.clients.v[1].offset.valid = false;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	expect("clock-unknown", ATTEMPT_INVALID, "gpu02",
	    "the clock of gpu02 could not be compared: skew unknown");
}
END_TEST

/* All of them together, but after a second in which their hosts stood still. */
START_TEST(late_start)
{
	begin();
	for (int i = 0; i < CLIENTS; i++)
		attempt.clients.v[i].first_io_ns += (int64_t)S; /* = the end of the ramp */
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	begin();
	for (int i = 0; i < CLIENTS; i++)
		attempt.clients.v[i].first_io_ns += (int64_t)(2 * S);
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	expect("late-start", ATTEMPT_INVALID, NULL,
	    "the last client began 1.000 s into the window of 10.00 s");
}
END_TEST

START_TEST(max_skew)
{
	job = (struct job){0};
	ck_assert_uint_eq(attempt_default_max_skew(&job), 10 * MS);
	job.runtime_ns = 10 * S;
	ck_assert_uint_eq(attempt_default_max_skew(&job), 10 * MS);
	job.runtime_ns = 180 * S;
	ck_assert_uint_eq(attempt_default_max_skew(&job), 180 * MS);
}
END_TEST

START_TEST(overlap)
{
	begin();
	attempt.clients.v[1].tally->end_ns = 8790 * MS;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	expect("overlap", ATTEMPT_INVALID, NULL,
	    "all clients ran together for only 79.9 % of the longest run (at least "
	    "80 % are needed)");
	begin();
	attempt.clients.v[1].tally->end_ns = 8810 * MS;
	judge();
	ck_assert_int_ne(attempt.state, ATTEMPT_INVALID);
}
END_TEST

/* The last client wrote until the others had read everything back. */
START_TEST(directions_that_never_met)
{
	begin();
	for (size_t i = 0; i < CLIENTS; i++) {
		struct tally *tally = attempt.clients.v[i].tally;
		uint64_t turn = (i + 1 < CLIENTS ? 5 : 8) * S;

		tally->window_from = 0;
		tally->window_to = UINT64_MAX;
		tally->first_end_ns = tally->end_ns = turn + 3 * S;
		tally->dir[DIR_WRITE] = (struct dir_tally){
		    .phase[METER_INSIDE] = {10, 40960}};
		hist_add(&tally->dir[DIR_WRITE].slat, 10 * US, 10);
		hist_add(&tally->dir[DIR_WRITE].clat, 1990 * US, 10);
		hist_add(&tally->dir[DIR_WRITE].lat, 2 * MS, 10);
		tally->dir[DIR_WRITE].times = (struct dir_times){true, 0, turn, turn};
		reads(i)->times = (struct dir_times){true, turn, turn + 3 * S, 3 * S};
	}
	judge();
	expect("no-window", ATTEMPT_VALID, NULL,
	    "read: the clients were not at it for a whole 100 ms together: no rate of "
	    "all of them");
	ck_assert_uint_eq(attempt.total.dir[DIR_WRITE].window_ns, 5 * S - 100 * MS);
	ck_assert_uint_eq(attempt.total.dir[DIR_READ].window_ns, 0);
}
END_TEST

START_TEST(too_short)
{
	begin();
	for (size_t i = 0; i < CLIENTS; i++) {
		struct tally *tally = attempt.clients.v[i].tally;

		tally->window_from = 0;
		tally->window_to = UINT64_MAX;
		tally->first_end_ns = tally->end_ns = 90 * MS;
		reads(i)->slots.n = 1;
	}
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	expect("no-window", ATTEMPT_INVALID, NULL,
	    "the clients have no whole 100 ms in common: the job is too short for a "
	    "rate");
}
END_TEST

START_TEST(outstanding)
{
	begin();
	attempt.clients.v[1].tally->outstanding = 240; /* of 240,240: 0.0999 % */
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	begin();
	attempt.clients.v[1].tally->outstanding = 260;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_PARTIAL);
	expect("outstanding", ATTEMPT_PARTIAL, NULL, "260 I/Os never completed (0.11 %)");
}
END_TEST

/* A job that only makes its files is right when it did nothing else. */
START_TEST(no_io_was_asked_for)
{
	begin();
	for (unsigned i = 0; i < 3; i++) {
		dir_tally_free(reads(i));
		*reads(i) = (struct dir_tally){0};
		attempt.clients.v[i].tally->has_first_io = false;
	}
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	job.files.create_only = true;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	expect("create-only", ATTEMPT_VALID, NULL,
	    "files were made ready, and no I/O was asked for");
}
END_TEST

START_TEST(errors_and_idlers)
{
	begin();
	attempt.clients.v[0].tally->io_errors = 1;
	attempt.clients.v[2].tally->io_errors = 12;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_PARTIAL);
	expect("io-errors", ATTEMPT_PARTIAL, "gpu01", "gpu01 had 1 I/O error");
	expect("io-errors", ATTEMPT_PARTIAL, "gpu03", "gpu03 had 12 I/O errors");
	begin();
	dir_tally_free(reads(1));
	*reads(1) = (struct dir_tally){0};
	attempt.clients.v[1].tally->has_first_io = false;
	judge();
	expect("client-idle", ATTEMPT_PARTIAL, "gpu02", "gpu02 did no I/O");
	begin();
	for (size_t i = 0; i < CLIENTS; i++) {
		dir_tally_free(reads(i));
		*reads(i) = (struct dir_tally){0};
	}
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	expect("no-io", ATTEMPT_INVALID, NULL, "no I/O completed inside the window");
}
END_TEST

START_TEST(contradictions)
{
	begin();
	for (size_t i = 0; i < CLIENTS; i++)
		reads(i)->phase[METER_INSIDE].ios = 0;
	judge();
	expect("inconsistent", ATTEMPT_INVALID, NULL, "read: bytes without I/Os");
	begin();
	for (size_t i = 0; i < CLIENTS; i++)
		reads(i)->phase[METER_INSIDE].bytes = 0;
	judge();
	expect("inconsistent", ATTEMPT_INVALID, NULL, "read: I/Os without bytes");
	begin();
	reads(1)->phase[METER_INSIDE].bytes += 4096;
	judge();
	expect("inconsistent", ATTEMPT_INVALID, NULL,
	    "read: more bytes than its I/Os can carry");
	begin();
	hist_add(&reads(1)->lat, MS, 1);
	judge();
	expect("inconsistent", ATTEMPT_INVALID, NULL,
	    "read: not one latency for each I/O");
	begin();
	hist_add(&reads(1)->slat, MS, 1);
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	expect("inconsistent", ATTEMPT_INVALID, NULL,
	    "read: a submission latency for some I/Os only");
}
END_TEST

/* 24,000 IOPS × 2 ms = 48 in flight; 3 clients × 4 jobs × iodepth 4 = 48 places. */
START_TEST(littles_law)
{
	begin();
	job.iodepth = 3;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	expect("littles-law", ATTEMPT_INVALID, NULL,
	    "IOPS x latency is 48.0 I/Os in flight, but iodepth x jobs x clients allows "
	    "36: the figures contradict each other");
	/* Synchronous: one per thread, whatever iodepth says. */
	begin();
	for (size_t i = 0; i < CLIENTS; i++)
		hist_reset(&reads(i)->slat);
	judge();
	expect("littles-law", ATTEMPT_INVALID, NULL,
	    "IOPS x latency is 48.0 I/Os in flight, but iodepth x jobs x clients allows "
	    "12: the figures contradict each other");
	begin();
	job.numjobs = 16;
	for (size_t i = 0; i < CLIENTS; i++)
		hist_reset(&reads(i)->slat);
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
}
END_TEST

/* Without a ramp nothing is carried into the window: 2 % and no more.  With one, 16
 * I/Os of up to 1 s each may be. */
START_TEST(littles_law_edges)
{
	for (int ramp = 0; ramp < 2; ramp++) {
		begin();
		for (size_t i = 0; i < CLIENTS; i++) {
			struct dir_tally *dir = reads(i);

			if (!ramp) {
				attempt.clients.v[i].tally->window_from = 0;
				attempt.clients.v[i].tally->window_to = 10 * S;
			}
			/* 16 of 1 s more: 176 s of latency in 10 s is 17.6. */
			hist_add(&dir->lat, S, 16);
			hist_add(&dir->clat, S, 16);
			hist_add(&dir->slat, 10 * US, 16);
			dir->phase[METER_INSIDE].ios += 16;
			dir->phase[METER_INSIDE].bytes += 16 * 4096;
		}
		judge();
		ck_assert_int_eq(
		    attempt.state, ramp ? ATTEMPT_VALID : ATTEMPT_INVALID);
	}
}
END_TEST

START_TEST(fio_style)
{
	begin();
	/* A long drain: 2 s more with 1,000 I/Os each. */
	for (size_t i = 0; i < CLIENTS; i++) {
		attempt.clients.v[i].tally->end_ns = 13 * S;
		reads(i)->phase[METER_AFTER].ios = 1000;
		reads(i)->phase[METER_AFTER].bytes = UINT64_C(1000) * 4096;
	}
	judge();
	/* 3 × 81,000 × 4 KiB / 12 s = 79.10 MiB/s against 93.75 MiB/s. */
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	ck_assert_uint_eq(attempt.reasons.n, 2);
	ck_assert_str_eq(attempt.reasons.v[0].code, "fio-style-differs");
	ck_assert_str_eq(attempt.reasons.v[0].text,
	    "read: fio's sum would be 79.10 MiB/s (-15.6 %), in the window it was "
	    "93.75 MiB/s");
	ck_assert_str_eq(attempt.reasons.v[1].text,
	    "read: the sum of the clients' averages would be 79.10 MiB/s (-15.6 %), in "
	    "the window it was 93.75 MiB/s");
}
END_TEST

START_TEST(worst_decides)
{
	begin();
	attempt.clients.v[0].tally->io_errors = 1;
	attempt.max_skew_ns = 1;
	attempt.clients.v[1].outcome = CLIENT_LOST;
	judge();
	ck_assert_int_eq(attempt.state, ATTEMPT_INVALID);
	ck_assert_uint_eq(attempt.reasons.n, 3);
}
END_TEST

START_TEST(names)
{
	enum attempt_state state;

	ck_assert_str_eq(attempt_state_name(ATTEMPT_PARTIAL), "PARTIAL");
	ck_assert(attempt_state_parse("INVALID", &state));
	ck_assert_int_eq(state, ATTEMPT_INVALID);
	ck_assert(!attempt_state_parse("valid", &state));
	for (int i = 0; i < CLIENT_OUTCOME_COUNT; i++)
		ck_assert_int_eq(
		    client_outcome_parse(client_outcome_name((enum client_outcome)i)), i);
	ck_assert_str_eq(client_outcome_name(CLIENT_NOT_STARTED), "NOT_STARTED");
	ck_assert_str_eq(client_outcome_name(CLIENT_OUTCOME_COUNT), "UNKNOWN");
	ck_assert_int_eq(client_outcome_parse("nonsense"), CLIENT_OUTCOME_COUNT);
}
END_TEST

/* ---- several jobs ---- */

static struct job jobs[2];

/* Each client reads in one job and writes in the other, `shorter` seconds less. */
static void
begin_jobs(uint64_t shorter)
{
	begin();
	for (int i = 0; i < 2; i++) {
		jobs[i] = job;
		jobs[i].name = (char *)(i == 0 ? "reader" : "writer");
		jobs[i].rw = i == 0 ? JOB_RANDREAD : JOB_WRITE;
	}
	for (vec_each(struct attempt_client *, client, &attempt.clients)) {
		struct tally *both[] = {client->tally, good_tally()};
		struct dir_tally *dir = both[1]->dir;
		uint64_t ios = 8000 * (10 - shorter);

		both[1]->job = 1;
		dir[DIR_WRITE] = dir[DIR_READ];
		dir[DIR_READ] = (struct dir_tally){0};
		both[1]->window_to -= shorter * S;
		both[1]->first_end_ns = both[1]->end_ns = both[1]->window_to;
		dir[DIR_WRITE].phase[METER_INSIDE].ios = ios;
		dir[DIR_WRITE].phase[METER_INSIDE].bytes = ios * 4096;
		dir[DIR_WRITE].slots.n -= shorter * 10;
		dir[DIR_WRITE].slat = dir[DIR_WRITE].clat = dir[DIR_WRITE].lat =
		    (struct hist){0};
		hist_add(&dir[DIR_WRITE].slat, 10 * US, ios);
		hist_add(&dir[DIR_WRITE].clat, 1990 * US, ios);
		hist_add(&dir[DIR_WRITE].lat, 2 * MS, ios);
		client->tally = tally_of_jobs(both, 2);
	}
}

static void
judge_jobs(void)
{
	struct attempt_part parts[] = {{&jobs[0], CLIENTS}, {&jobs[1], CLIENTS}};

	attempt_judge(&attempt, parts, 2);
}

START_TEST(several_jobs_are_added_up)
{
	begin_jobs(0);
	judge_jobs();
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	ck_assert_uint_eq(attempt.reasons.n, 0);
	ck_assert_int_eq(attempt.total.window_kind, TOTAL_WINDOW_FIXED);
	ck_assert_uint_eq(attempt.total.clients, CLIENTS);
	ck_assert_uint_eq(attempt.total.started, CLIENTS);
	ck_assert_double_eq(attempt.total.dir[DIR_READ].iops, 24000);
	ck_assert_double_eq(attempt.total.dir[DIR_WRITE].iops, 24000);
	ck_assert_uint_eq(attempt.total.merged->threads, 24);
	ck_assert_uint_eq(attempt.jobs.n, 2);
	for (int i = 0; i < 2; i++) {
		const struct attempt_job *one = &attempt.jobs.v[i];

		ck_assert_str_eq(one->name, i == 0 ? "reader" : "writer");
		ck_assert(one->has_total);
		ck_assert_uint_eq(one->total.clients, CLIENTS);
		ck_assert_double_eq(one->total.dir[i].iops, 24000);
		ck_assert(!one->total.dir[!i].present);
	}
	/* Judging again starts over. */
	judge_jobs();
	ck_assert_uint_eq(attempt.jobs.n, 2);
}
END_TEST

/* 10 s of reads, 4 s of writes: by plan, so neither is held against the other. */
START_TEST(jobs_of_other_lengths)
{
	begin_jobs(6);
	judge_jobs();
	ck_assert_int_eq(attempt.state, ATTEMPT_VALID);
	expect("windows-differ", ATTEMPT_VALID, NULL,
	    "the jobs do not run equally long: rates of all of them are of the 4.000 s "
	    "in common, each job's own are beside them");
	ck_assert_int_eq(attempt.total.window_kind, TOTAL_WINDOW_COMMON);
	ck_assert_uint_eq(attempt.total.window_ns, 4 * S);
	ck_assert_double_eq(attempt.total.dir[DIR_WRITE].iops, 24000);
	ck_assert_int_eq(attempt.jobs.v[0].total.window_kind, TOTAL_WINDOW_FIXED);
	ck_assert_uint_eq(attempt.jobs.v[0].total.window_ns, 10 * S);
	ck_assert_uint_eq(attempt.jobs.v[1].total.window_ns, 4 * S);
}
END_TEST

/* But a client that stops early in a job is that job's fault. */
START_TEST(a_job_that_does_not_overlap)
{
	begin_jobs(6);
	attempt.clients.v[1].tally->jobs[1]->end_ns = 2 * S;
	judge_jobs();
	expect("overlap", ATTEMPT_INVALID, NULL,
	    "job writer: all clients ran together for only 40.0 % of the longest run (at "
	    "least 80 % are needed)");
}
END_TEST

START_TEST(reasons_name_the_job)
{
	begin_jobs(0);
	attempt.clients.v[0].jobs = mem_strdup("reader, writer");
	attempt.clients.v[0].outcome = CLIENT_LOST;
	attempt.clients.v[1].tally->jobs[1]->io_errors = 2;
	hist_add(&attempt.clients.v[2].tally->jobs[0]->dir[DIR_READ].lat, MS, 1);
	judge_jobs();
	expect("client-lost", ATTEMPT_PARTIAL, "gpu01",
	    "2 of 3 clients: gpu01 (job reader, writer) lost");
	expect("io-errors", ATTEMPT_PARTIAL, "gpu02", "gpu02 had 2 I/O errors in job writer");
	expect("inconsistent", ATTEMPT_INVALID, NULL,
	    "job reader: read: not one latency for each I/O");
	ck_assert_uint_eq(attempt.jobs.v[0].total.clients, 2);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("judge", valid, clients_missing, nobody, skew, late_start, max_skew, overlap,
	    too_short, directions_that_never_met, outstanding, no_io_was_asked_for, errors_and_idlers, contradictions, littles_law,
	    littles_law_edges, fio_style, worst_decides, slats_of_another_program,
	    another_program_is_named, several_jobs_are_added_up, jobs_of_other_lengths,
	    a_job_that_does_not_overlap, reasons_name_the_job, names);
}
