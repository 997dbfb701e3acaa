/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checker against a toy engine that can break each rule of the contract, and
 * against callers that do: each must end the process with its own line.
 */
#include "agent/engine/checked.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/clock.h"

enum { DEPTH = 4, FILES = 2 };

/* An engine whose misdeeds are set from outside.  Completes in submit, FIFO. */
struct toy {
	struct engine engine;
	struct io *done[64];
	unsigned ndone;
	int submit_returns; /* 0: the truth */
	int reap_returns;   /* 0: the truth */
	struct io *deliver; /* instead of what is done */
	bool twice, forget, touch;
	int64_t result; /* 0: all bytes */
};

static int
toy_file_open(struct engine *engine, struct io_file *file, struct err *err)
{
	(void)engine;
	return strcmp(file->name, "absent") == 0 ? err_sys(err, ENOENT, "toy") : 0;
}

static void
toy_file_close(struct engine *engine, struct io_file *file)
{
	(void)engine;
	(void)file;
}

static int
toy_submit(struct engine *engine, struct io *const *ios, unsigned n)
{
	struct toy *toy = (struct toy *)engine;

	for (unsigned i = 0; i < n && !toy->forget; i++) {
		ios[i]->result = toy->result ? toy->result : ios[i]->bytes;
		ios[i]->offset += toy->touch;
		toy->done[toy->ndone++] = ios[i];
		if (toy->twice)
			toy->done[toy->ndone++] = ios[i];
	}
	return toy->submit_returns ? toy->submit_returns : (int)n;
}

static int
toy_reap(struct engine *engine, struct io **ret, unsigned min, unsigned max,
    uint64_t until_ns)
{
	struct toy *toy = (struct toy *)engine;
	unsigned n = 0;

	(void)min;
	(void)until_ns;
	while (n < max && n < toy->ndone) {
		ret[n] = toy->deliver ? toy->deliver : toy->done[n];
		n++;
	}
	toy->ndone -= n;
	memmove(toy->done, toy->done + n, toy->ndone * sizeof(struct io *));
	return toy->reap_returns ? toy->reap_returns : (int)n;
}

static void
toy_close(struct engine *engine)
{
	(void)engine;
}

static const struct engine_ops toy_ops = {
    .name = "toy",
    .file_open = toy_file_open,
    .file_close = toy_file_close,
    .submit = toy_submit,
    .reap = toy_reap,
    .close = toy_close,
};

/* One wrapped toy, one open file, I/Os ready to go. */
struct scene {
	struct toy toy;
	struct engine *engine;
	struct io_file files[FILES];
	struct io ios[DEPTH + 1], *got[64];
	char buf[8];
};

static void
set_scene(struct scene *scene)
{
	static const struct job job = {.iodepth = DEPTH};
	struct engine_env env = {.job = &job, .iodepth = DEPTH, .nfiles = FILES};
	struct err err;

	memset(scene, 0, sizeof *scene);
	scene->toy.engine.ops = &toy_ops;
	ck_assert_int_eq(
	    checked_wrap(&scene->engine, &scene->toy.engine, &env, &err), 0);
	for (unsigned i = 0; i < FILES; i++)
		scene->files[i] = (struct io_file){.index = i, .name = "toy"};
	scene->engine->ops->file_open(scene->engine, &scene->files[0], &err);
	for (unsigned i = 0; i <= DEPTH; i++)
		scene->ios[i] = (struct io){.file = &scene->files[0],
		    .bytes = 8,
		    .buf = scene->buf,
		    .index = i};
}

static int
submit(struct scene *scene, unsigned first, unsigned n)
{
	struct io *ios[DEPTH + 1] = {NULL};

	for (unsigned i = 0; i < n; i++)
		ios[i] = &scene->ios[first + i];
	return scene->engine->ops->submit(scene->engine, ios, n);
}

static int
reap(struct scene *scene, unsigned min, unsigned max, uint64_t until_ns)
{
	return scene->engine->ops->reap(scene->engine, scene->got, min, max, until_ns);
}

START_TEST(good_behaviour_passes)
{
	struct scene scene;
	struct err err;

	set_scene(&scene);
	ck_assert_int_eq(submit(&scene, 0, DEPTH), DEPTH);
	ck_assert_int_eq(reap(&scene, 1, 3, UINT64_MAX), 3);
	ck_assert_ptr_eq(scene.got[2], &scene.ios[2]);
	ck_assert_int_eq(submit(&scene, 0, 3), 3);
	ck_assert_int_eq(reap(&scene, 4, 4, UINT64_MAX), 4);
	scene.toy.reap_returns = -EINTR;
	ck_assert_int_eq(reap(&scene, 1, 1, clock_ns() + 60000000000), -EINTR);
	scene.toy.reap_returns = 0;
	ck_assert_int_eq(reap(&scene, 1, 1, 0), 0);
	scene.toy.result = -EIO;
	ck_assert_int_eq(submit(&scene, 0, 1), 1);
	ck_assert_int_eq(reap(&scene, 1, 1, 0), 1);
	ck_assert_int_eq(scene.ios[0].result, -EIO);

	/* What was not taken, or not opened, may be offered again. */
	scene.toy.forget = true;
	scene.toy.submit_returns = -EAGAIN;
	ck_assert_int_eq(submit(&scene, 0, 2), -EAGAIN);
	scene.toy.forget = false;
	scene.toy.submit_returns = 0;
	ck_assert_int_eq(submit(&scene, 0, 2), 2);
	ck_assert_int_eq(reap(&scene, 2, 2, UINT64_MAX), 2);
	scene.files[1].name = "absent";
	ck_assert_int_eq(
	    scene.engine->ops->file_open(scene.engine, &scene.files[1], &err), -1);
	scene.files[1].name = "toy";
	ck_assert_int_eq(
	    scene.engine->ops->file_open(scene.engine, &scene.files[1], &err), 0);
	scene.engine->ops->file_close(scene.engine, &scene.files[1]);
	scene.engine->ops->file_close(scene.engine, &scene.files[0]);
	scene.engine->ops->close(scene.engine);
}
END_TEST

/* The misdeeds; each runs in a process of its own. */

static void
engine_delivers_twice(struct scene *scene)
{
	scene->toy.twice = true;
	submit(scene, 0, 1);
	reap(scene, 1, 2, 0);
}

static void
engine_delivers_a_stranger(struct scene *scene)
{
	struct io stranger = scene->ios[0];

	scene->toy.deliver = &stranger;
	submit(scene, 0, 1);
	reap(scene, 1, 1, 0);
}

static void
engine_delivers_nonsense(struct scene *scene)
{
	scene->toy.deliver = (struct io *)0x10;
	submit(scene, 0, 1);
	reap(scene, 1, 1, 0);
}

static void
engine_delivers_what_it_did_not_take(struct scene *scene)
{
	scene->toy.submit_returns = 1;
	submit(scene, 0, 2);
	reap(scene, 0, 2, 0);
}

static void
engine_moves_too_much(struct scene *scene)
{
	scene->toy.result = 9;
	submit(scene, 0, 1);
	reap(scene, 1, 1, 0);
}

static void
engine_invents_an_errno(struct scene *scene)
{
	scene->toy.result = -4096;
	submit(scene, 0, 1);
	reap(scene, 1, 1, 0);
}

static void
engine_changes_an_io(struct scene *scene)
{
	scene->toy.touch = true;
	submit(scene, 0, 1);
	reap(scene, 1, 1, 0);
}

static void
engine_takes_more_than_offered(struct scene *scene)
{
	scene->toy.submit_returns = 3;
	submit(scene, 0, 2);
}

static void
engine_delivers_more_than_max(struct scene *scene)
{
	submit(scene, 0, 2);
	scene->toy.reap_returns = 2;
	reap(scene, 1, 1, 0);
}

static void
engine_returns_early(struct scene *scene)
{
	scene->toy.forget = true;
	submit(scene, 0, 1);
	reap(scene, 1, 1, UINT64_MAX);
}

static void
caller_submits_in_flight(struct scene *scene)
{
	submit(scene, 1, 1);
	submit(scene, 1, 1);
}

static void
caller_submits_twins(struct scene *scene)
{
	struct io *ios[2] = {&scene->ios[2], &scene->ios[2]};

	scene->engine->ops->submit(scene->engine, ios, 2);
}

static void
caller_submits_nothing(struct scene *scene)
{
	submit(scene, 0, 0);
}

static void
caller_submits_null(struct scene *scene)
{
	struct io *none = NULL;

	scene->engine->ops->submit(scene->engine, &none, 1);
}

static void
caller_exceeds_the_depth(struct scene *scene)
{
	submit(scene, 0, 3);
	submit(scene, 3, 2);
}

static void
caller_exceeds_the_index(struct scene *scene)
{
	submit(scene, DEPTH, 1);
}

static void
caller_submits_no_bytes(struct scene *scene)
{
	scene->ios[0].bytes = 0;
	submit(scene, 0, 1);
}

static void
caller_submits_no_direction(struct scene *scene)
{
	scene->ios[0].dir = DIR_COUNT;
	submit(scene, 0, 1);
}

static void
caller_uses_a_closed_file(struct scene *scene)
{
	scene->ios[0].file = &scene->files[1];
	submit(scene, 0, 1);
}

static void
caller_uses_no_file(struct scene *scene)
{
	scene->ios[0].file = NULL;
	submit(scene, 0, 1);
}

static void
caller_closes_a_busy_file(struct scene *scene)
{
	submit(scene, 0, 1);
	scene->engine->ops->file_close(scene->engine, &scene->files[0]);
}

static void
caller_closes_twice(struct scene *scene)
{
	scene->engine->ops->file_close(scene->engine, &scene->files[0]);
	scene->engine->ops->file_close(scene->engine, &scene->files[0]);
}

static void
caller_opens_twice(struct scene *scene)
{
	scene->engine->ops->file_open(scene->engine, &scene->files[0], NULL);
}

static void
caller_opens_too_many(struct scene *scene)
{
	scene->files[1].index = FILES;
	scene->engine->ops->file_open(scene->engine, &scene->files[1], NULL);
}

static void
caller_waits_for_ever(struct scene *scene)
{
	submit(scene, 0, 1);
	reap(scene, 2, 2, UINT64_MAX);
}

static void
caller_wants_min_above_max(struct scene *scene)
{
	reap(scene, 2, 1, 0);
}

static void
caller_wants_none(struct scene *scene)
{
	reap(scene, 0, 0, 0);
}

static void *
reap_elsewhere(void *arg)
{
	reap(arg, 0, 1, 0);
	return NULL;
}

static void
caller_is_another_thread(struct scene *scene)
{
	pthread_t thread;

	pthread_create(&thread, NULL, reap_elsewhere, scene);
	pthread_join(thread, NULL);
}

static const struct {
	void (*run)(struct scene *);
	const char *line;
} misdeeds[] = {
    {engine_delivers_twice, "reap: delivered what is not in flight"},
    {engine_delivers_a_stranger, "reap: delivered what is not in flight"},
    {engine_delivers_nonsense, "reap: delivered what is not in flight"},
    {engine_delivers_what_it_did_not_take, "reap: delivered what is not in flight"},
    {engine_moves_too_much, "reap: I/O 0 of 8 bytes has result 9"},
    {engine_invents_an_errno, "reap: I/O 0 of 8 bytes has result -4096"},
    {engine_changes_an_io, "reap: I/O 0 came back changed"},
    {engine_takes_more_than_offered, "submit: returned 3 for 2"},
    {engine_delivers_more_than_max, "reap: returned 2 for at most 1"},
    {engine_returns_early, "reap: returned nothing before its time"},
    {caller_submits_in_flight, "submit: I/O 1 is in flight already"},
    {caller_submits_twins, "submit: I/O 2 is in flight already"},
    {caller_submits_nothing, "submit: called with nothing"},
    {caller_submits_null, "submit: a null I/O"},
    {caller_exceeds_the_depth, "submit: 2 more than 3 in flight exceed iodepth 4"},
    {caller_exceeds_the_index, "submit: index 4 is not below the iodepth 4"},
    {caller_submits_no_bytes, "submit: I/O 0 has no bytes or buffer"},
    {caller_submits_no_direction, "submit: I/O 0 has no direction"},
    {caller_uses_a_closed_file, "submit: file 1 is not open"},
    {caller_uses_no_file, "submit: an I/O without a file"},
    {caller_closes_a_busy_file, "file_close: file 0 has I/O in flight"},
    {caller_closes_twice, "file_close: file 0 is not open"},
    {caller_opens_twice, "file_open: file 0 is open already"},
    {caller_opens_too_many, "file_open: index 2 of 2 files"},
    {caller_waits_for_ever, "reap: waits for 2 of 1 in flight without a limit"},
    {caller_wants_min_above_max, "reap: at least 2, at most 1"},
    {caller_wants_none, "reap: at least 0, at most 0"},
    {caller_is_another_thread, "reap: called by another thread than the owner"},
};
#define MISDEEDS (sizeof misdeeds / sizeof misdeeds[0])

START_TEST(a_breach_ends_the_process)
{
	char said[512] = "", want[512];
	struct scene scene;
	int fds[2], status;
	size_t len = 0;
	ssize_t r;
	pid_t child;

	ck_assert_int_eq(pipe(fds), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		dup2(fds[1], STDERR_FILENO);
		set_scene(&scene);
		misdeeds[_i].run(&scene);
		_exit(0);
	}
	close(fds[1]);
	while ((r = read(fds[0], said + len, sizeof said - 1 - len)) > 0)
		len += (size_t)r;
	close(fds[0]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	snprintf(
	    want, sizeof want, "engine contract broken: toy: %s\n", misdeeds[_i].line);
	ck_assert_str_eq(said, want);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGABRT);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("checked");
	TCase *tcase = tcase_create("checked");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, good_behaviour_passes);
	tcase_add_loop_test(tcase, a_breach_ends_the_process, 0, MISDEEDS);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
