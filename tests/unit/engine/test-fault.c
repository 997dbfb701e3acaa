/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fault wrapper gives what the job asks for and logs what it gave.  Times are
 * only compared with bounds that hold however slow the machine is.
 */
#include "agent/engine/fault.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "tests/contract/rig.h"

#define MS UINT64_C(1000000)
#define FILE_SIZE (UINT64_C(64) * RIG_BLOCK)

static const struct fault_log *
open_faulty(struct rig *rig, const char *name, unsigned depth)
{
	const struct fault_log *log;

	/* Bare of the checker or not makes no difference to the log. */
	rig_open(rig, name, RIG_CHECKED, depth, 1, FILE_SIZE, RIG_BLOCK);
	log = fault_log(rig->engine);
	ck_assert_ptr_nonnull(log);
	return log;
}

/* Runs n I/Os, iodepth at a time; results by submit order. */
static void
run(struct rig *rig, enum dir dir, uint32_t bytes, unsigned n, int64_t *ret_results)
{
	for (unsigned at = 0; at < n;) {
		struct io *ios[16];
		unsigned k;

		for (k = 0; k < rig->env.iodepth && at + k < n; k++)
			ios[k] = rig_io(rig, k, dir, 0, (at + k) * RIG_BLOCK, bytes);
		rig_submit(rig, ios, k);
		rig_reap(rig, k);
		for (unsigned i = 0; i < k; i++)
			ret_results[at + i] = ios[i]->result;
		at += k;
	}
}

START_TEST(a_delay_is_given_and_logged)
{
	struct rig rig = {.job.fault.delay_ns = 10 * MS};
	const struct fault_log *log = open_faulty(&rig, "null", 8);
	struct io *ios[8];
	uint64_t before, after, atmost = 0, atleast = 0;

	for (unsigned i = 0; i < 8; i++)
		ios[i] = rig_io(&rig, i, DIR_READ, 0, 0, RIG_BLOCK);
	before = clock_ns();
	rig_submit(&rig, ios, 8);
	after = clock_ns();
	ck_assert_int_eq(rig_call_reap(&rig, 0, 8, 0), 0);
	for (unsigned have = 0; have < 8;) {
		uint64_t asked = clock_ns(), given;
		int r = rig_call_reap(&rig, 1, 8 - have, UINT64_MAX);

		given = clock_ns();
		ck_assert_int_gt(r, 0);
		/* Reaped between asked and given, complete between before and after. */
		ck_assert_uint_ge(given, before + 10 * MS);
		atmost += (unsigned)r * (given - before);
		atleast += (unsigned)r * (asked > after ? asked - after : 0);
		have += (unsigned)r;
	}
	ck_assert_uint_eq(log->ios, 8);
	ck_assert_uint_ge(log->delay_sum_ns, 8 * 10 * MS);
	ck_assert_uint_ge(log->delay_sum_ns, atleast);
	ck_assert_uint_le(log->delay_sum_ns, atmost);
	ck_assert_uint_eq(log->errors + log->shorts + log->stalled, 0);
	rig_close(&rig);
}
END_TEST

/* They run side by side, first in, first out. */
START_TEST(delays_overlap)
{
	struct rig rig = {.job.fault.delay_ns = 20 * MS};
	struct io *io;

	open_faulty(&rig, "null", 4);
	for (unsigned i = 0; i < 4; i++) {
		io = rig_io(&rig, i, DIR_READ, 0, 0, RIG_BLOCK);
		rig_submit(&rig, &io, 1);
	}
	ck_assert_int_eq(rig_call_reap(&rig, 4, 4, UINT64_MAX), 4);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_eq(rig.got[i]->index, i);
	rig_close(&rig);
}
END_TEST

START_TEST(a_synchronous_engine_is_delayed_in_submit)
{
	static const char *const names[] = {"psync", "null"}; /* null: at depth 1 */

	for (int i = 0; i < 2; i++) {
		struct rig rig = {.job.fault.delay_ns = 10 * MS};
		const struct fault_log *log = open_faulty(&rig, names[i], 1);
		struct io *io = rig_io(&rig, 0, DIR_READ, 0, 0, RIG_BLOCK);
		uint64_t before = clock_ns(), mid, after;

		rig_submit(&rig, &io, 1);
		mid = clock_ns();
		ck_assert_uint_ge(mid - before, 10 * MS);
		ck_assert_int_eq(rig_call_reap(&rig, 0, 1, 0), 1);
		after = clock_ns();
		ck_assert_int_eq(io->result, RIG_BLOCK);
		ck_assert_uint_ge(log->delay_sum_ns, 10 * MS);
		ck_assert_uint_le(log->delay_sum_ns, after - before);
		rig_close(&rig);
	}
}
END_TEST

START_TEST(a_limit_and_a_wake_cut_the_wait_for_a_delay)
{
	struct rig rig = {.job.fault.delay_ns = RIG_FAR};
	struct io *io;
	uint64_t until;

	open_faulty(&rig, "null", 4);
	io = rig_io(&rig, 0, DIR_READ, 0, 0, RIG_BLOCK);
	rig_submit(&rig, &io, 1);
	until = clock_ns() + 2 * MS;
	ck_assert_int_eq(rig_call_reap(&rig, 1, 1, until), 0);
	ck_assert_uint_ge(clock_ns(), until);
	rig.engine->ops->wake(rig.engine);
	ck_assert_int_eq(rig_call_reap(&rig, 1, 1, UINT64_MAX), -EINTR);
	/* Left in flight: close copes with it. */
	rig_drop(&rig);
}
END_TEST

static const char *const engines[] = {"null", "psync", "libaio", "io_uring"};
#define ENGINES (sizeof engines / sizeof engines[0])

static bool
built(const char *name)
{
	struct err err;

	return engine_find(name, &err) != NULL;
}

START_TEST(errors_come_exactly_every_n)
{
	for (unsigned depth = 1; depth <= 5; depth += 4) {
		struct rig rig = {
		    .job.fault = {.error_every = 3, .error_errno = ETIMEDOUT}};
		const struct fault_log *log;
		int64_t results[20];

		if (!built(engines[_i]))
			return;
		log = open_faulty(&rig, engines[_i], depth);
		run(&rig, DIR_READ, RIG_BLOCK, 20, results);
		for (int i = 0; i < 20; i++)
			ck_assert_int_eq(
			    results[i], (i + 1) % 3 == 0 ? -ETIMEDOUT : (int)RIG_BLOCK);
		ck_assert_uint_eq(log->ios, 20);
		ck_assert_uint_eq(log->errors, 6);
		rig_close(&rig);
	}
}
END_TEST

START_TEST(an_error_is_eio_unless_said)
{
	struct rig rig = {.job.fault.error_every = 1};
	int64_t results[2];

	open_faulty(&rig, "null", 2);
	run(&rig, DIR_WRITE, RIG_BLOCK, 2, results);
	ck_assert_int_eq(results[0], -EIO);
	ck_assert_int_eq(results[1], -EIO);
	rig_close(&rig);
}
END_TEST

START_TEST(shorts_move_half)
{
	/* Halves in whole sectors where there are any; nothing to cut from 1. */
	static const struct {
		uint32_t bytes, half;
	} cases[] = {{4096, 2048}, {1536, 512}, {3072, 1536}, {1024, 512}, {512, 256},
	    {100, 50}, {3, 1}, {1, 1}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rig rig = {.job.fault.short_every = 4};
		const struct fault_log *log = open_faulty(&rig, "null", 3);
		int64_t results[9];

		run(&rig, DIR_READ, cases[i].bytes, 9, results);
		for (int k = 0; k < 9; k++)
			ck_assert_int_eq(results[k],
			    (k + 1) % 4 == 0 ? cases[i].half : cases[i].bytes);
		ck_assert_uint_eq(log->shorts, cases[i].bytes > 1 ? 2 : 0);
		ck_assert_uint_eq(log->errors, 0);
		rig_close(&rig);
	}
}
END_TEST

START_TEST(short_reads_of_real_files)
{
	struct rig rig = {.job.fault.short_every = 2};
	int64_t results[6];

	if (!built(engines[_i]))
		return;
	open_faulty(&rig, engines[_i], 2);
	run(&rig, DIR_READ, RIG_BLOCK, 6, results);
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(results[i], i % 2 ? RIG_BLOCK / 2 : RIG_BLOCK);
	rig_close(&rig);
}
END_TEST

START_TEST(a_stall)
{
	struct rig rig = {.job.fault.stall_after = 5};
	const struct fault_log *log;
	struct io *ios[4];
	int64_t results[5];
	unsigned n;
	uint64_t until;

	if (!built(engines[_i]))
		return;
	log = open_faulty(&rig, engines[_i], 4);
	run(&rig, DIR_READ, RIG_BLOCK, 5, results);
	ck_assert_int_eq(results[4], RIG_BLOCK);
	n = rig.env.iodepth;
	for (unsigned i = 0; i < n; i++)
		ios[i] = rig_io(&rig, i, DIR_READ, 0, 0, RIG_BLOCK);
	rig_submit(&rig, ios, n);
	until = clock_ns() + 2 * MS;
	ck_assert_int_eq(rig_call_reap(&rig, 1, n, until), 0);
	ck_assert_uint_ge(clock_ns(), until);
	rig.engine->ops->wake(rig.engine);
	ck_assert_int_eq(rig_call_reap(&rig, n, n, UINT64_MAX), -EINTR);
	ck_assert_uint_eq(log->stalled, n);
	ck_assert_uint_eq(log->ios, 5 + n);
	rig_drop(&rig);
}
END_TEST

START_TEST(space_runs_out)
{
	struct rig rig = {
	    .job.fault = {.enospc_after_set = true, .enospc_after = 3 * RIG_BLOCK + 1}};
	const struct fault_log *log;
	int64_t results[8];

	if (!built(engines[_i]))
		return;
	log = open_faulty(&rig, engines[_i], 4);
	run(&rig, DIR_READ, RIG_BLOCK, 8, results); /* reads need no space */
	run(&rig, DIR_WRITE, RIG_BLOCK, 8, results);
	for (int i = 0; i < 8; i++)
		ck_assert_int_eq(results[i], i < 3 ? (int)RIG_BLOCK : -ENOSPC);
	run(&rig, DIR_READ, RIG_BLOCK, 8, results);
	for (int i = 0; i < 8; i++)
		ck_assert_int_eq(results[i], RIG_BLOCK);
	ck_assert_uint_eq(log->errors, 5);
	ck_assert_uint_eq(log->ios, 24);
	rig_close(&rig);
}
END_TEST

START_TEST(no_space_from_the_start)
{
	struct rig rig = {.job.fault.enospc_after_set = true};
	int64_t results[2];

	open_faulty(&rig, "null", 1);
	run(&rig, DIR_WRITE, RIG_BLOCK, 2, results);
	ck_assert_int_eq(results[0], -ENOSPC);
	ck_assert_int_eq(results[1], -ENOSPC);
	rig_close(&rig);
}
END_TEST

START_TEST(faults_add_up)
{
	struct rig rig = {.job.fault = {.delay_ns = MS,
			      .error_every = 4,
			      .short_every = 3,
			      .enospc_after_set = true,
			      .enospc_after = 8 * RIG_BLOCK}};
	const struct fault_log *log = open_faulty(&rig, "null", 5);
	/* 4 and 8 fail; what is cut (3, 6, 9) counts in full; full after 8 others */
	static const int64_t want[14] = {4096, 4096, 2048, -EIO, 4096, 2048, 4096, -EIO,
	    2048, 4096, -ENOSPC, -ENOSPC, -ENOSPC, -ENOSPC};
	int64_t results[14];

	run(&rig, DIR_WRITE, RIG_BLOCK, 14, results);
	for (int i = 0; i < 14; i++)
		ck_assert_int_eq(results[i], want[i]);
	ck_assert_uint_eq(log->errors, 6);
	ck_assert_uint_eq(log->shorts, 3);
	ck_assert_uint_eq(log->ios, 14);
	ck_assert_uint_ge(log->delay_sum_ns, 14 * MS);
	rig_close(&rig);
}
END_TEST

/* An inner engine that takes few at a time, and sometimes none. */
struct shy {
	struct engine engine;
	struct io *done[16];
	unsigned ndone, calls;
};

static int
shy_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct shy *shy = (struct shy *)engine;

	if (++shy->calls % 3 == 0)
		return 0;
	for (unsigned i = 0; i < n && i < 2; i++) {
		ios[i]->result = ios[i]->bytes;
		shy->done[shy->ndone++] = ios[i];
	}
	return n < 2 ? (int)n : 2;
}

static int
shy_reap(struct engine *engine, struct io **ret, unsigned min, unsigned max,
    uint64_t until_ns)
{
	struct shy *shy = (struct shy *)engine;
	unsigned n = 0;

	(void)min;
	(void)until_ns;
	while (n < max && shy->ndone > 0)
		ret[n++] = shy->done[--shy->ndone];
	return (int)n;
}

static void
shy_close(struct engine *engine)
{
	(void)engine;
}

START_TEST(partial_takes_do_not_shift_the_count)
{
	static const struct engine_ops ops = {
	    .name = "shy", .submit = shy_submit, .reap = shy_reap, .close = shy_close};
	struct shy shy = {.engine.ops = &ops};
	struct job job = {.iodepth = 8, .fault.error_every = 5};
	struct engine_env env = {.job = &job, .iodepth = 8, .nfiles = 1};
	struct io ios[8], *list[8], *got[8];
	struct engine *engine;
	unsigned seq = 0;

	ck_assert_int_eq(fault_wrap(&engine, &shy.engine, &env, NULL), 0);
	for (int round = 0; round < 20; round++) {
		unsigned taken = 0;

		for (unsigned i = 0; i < 8; i++) {
			ios[i] = (struct io){.bytes = 512, .index = i};
			list[i] = &ios[i];
		}
		while (taken < 8) {
			int r = engine->ops->submit(engine, list + taken, 8 - taken);

			ck_assert_int_ge(r, 0);
			taken += (unsigned)r;
		}
		ck_assert_int_eq(engine->ops->reap(engine, got, 8, 8, UINT64_MAX), 8);
		for (unsigned i = 0; i < 8; i++)
			ck_assert_int_eq(ios[i].result, ++seq % 5 == 0 ? -EIO : 512);
	}
	ck_assert_uint_eq(fault_log(engine)->ios, 160);
	ck_assert_uint_eq(fault_log(engine)->errors, 32);
	engine->ops->close(engine);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("fault");
	TCase *tcase = tcase_create("fault");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, a_delay_is_given_and_logged);
	tcase_add_test(tcase, delays_overlap);
	tcase_add_test(tcase, a_synchronous_engine_is_delayed_in_submit);
	tcase_add_test(tcase, a_limit_and_a_wake_cut_the_wait_for_a_delay);
	tcase_add_loop_test(tcase, errors_come_exactly_every_n, 0, ENGINES);
	tcase_add_test(tcase, an_error_is_eio_unless_said);
	tcase_add_test(tcase, shorts_move_half);
	tcase_add_loop_test(tcase, short_reads_of_real_files, 0, ENGINES);
	tcase_add_loop_test(tcase, a_stall, 0, ENGINES);
	tcase_add_loop_test(tcase, space_runs_out, 0, ENGINES);
	tcase_add_test(tcase, no_space_from_the_start);
	tcase_add_test(tcase, faults_add_up);
	tcase_add_test(tcase, partial_takes_do_not_shift_the_count);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
