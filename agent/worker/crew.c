/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of one client, together.
 */
#include "agent/worker/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "agent/worker/cache.h"
#include "agent/worker/hook.h"
#include "agent/worker/park.h"
#include "agent/worker/thread.h"
#include "agent/worker/usage.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"

#define CREW_STACK (256u * 1024)

enum verdict { VERDICT_OPEN, VERDICT_GO, VERDICT_NO_GO };

struct crew {
	struct crew_env env;
	struct thread *threads;
	unsigned made;        /* threads that were created */
	unsigned ending;      /* threads that are through with their I/O; atomic */
	uint32_t word;        /* counts commands; threads wait for it to change */
	uint32_t verdict;     /* enum verdict; decided by the first thread at T */
	struct rusage usage;  /* when it was armed */
	pthread_mutex_t renewing; /* files are made anew by one thread at a time */
	pthread_mutex_t lock; /* everything below, and thread.running */
	pthread_cond_t changed;
	unsigned prepared, ended, failed, not_started;
	struct err first;
};

const struct crew_env *
crew_env(const struct crew *crew)
{
	return &crew->env;
}

uint32_t *
crew_word(struct crew *crew)
{
	return &crew->word;
}

static bool
crew_has_files(const struct crew *crew, struct err *err)
{
	const struct engine_ops *ops = engine_find(crew->env.job->ioengine, err);

	return !(ops && (ops->caps & (ENGINE_NOFILE | ENGINE_PEER)));
}

static int
crew_check_size(const struct crew *crew, unsigned thread, const char *path,
    uint64_t bytes, const struct guard_file *file, struct err *err)
{
	const struct job *job = crew->env.job;
	uint64_t to = job_offset(job, thread) + bytes;

	if (file->size >= to ||
	    (!file->is_device && !job_rw_has(job, DIR_READ) && job_writes(job)))
		return 0;
	return err_set(err, ERR_USAGE,
	    "%s: the job wants bytes up to %llu, but it has %llu", path,
	    (unsigned long long)to, (unsigned long long)file->size);
}

int
crew_open_file(struct crew *crew, struct thread *thread, unsigned f, struct err *err)
{
	const struct job *job = crew->env.job;
	const char *path = files_path(crew->env.files, thread->index, f);
	uint64_t bytes = files_region(crew->env.files, job, thread->index, f);
	static const int sync_flags[] = {
	    [JOB_SYNC_NONE] = 0, [JOB_SYNC_SYNC] = O_SYNC, [JOB_SYNC_DSYNC] = O_DSYNC};
	struct guard_file file;

	if (guard_open_as(crew->env.guard, path, job_writes(job), false,
		(int)job->direct, sync_flags[job->files.sync], &file, err) < 0)
		return -1;
	thread->files[f].fd = file.fd;
	thread->files[f].name = path;
	thread->files[f].direct = file.direct;
	if (!file.direct)
		crew->env.board->head->direct = 0;
	if (crew_check_size(crew, thread->index, path, bytes, &file, err) < 0)
		return -1;
	if (job->files.file_append && f == 0)
		thread->append = file.size;
	else if (job->files.file_append && thread->append != file.size)
		return err_set(err, ERR_USAGE,
		    "%s: file_append needs files that end at the same place, not at %llu "
		    "and %llu",
		    path, (unsigned long long)thread->append,
		    (unsigned long long)file.size);
	if (cache_prepare(job, &file, job_offset(job, thread->index),
		bytes, crew->env.board, err) < 0)
		return err_prefix(err, "%s", path);
	return 0;
}

int
crew_renew_files(struct crew *crew, struct thread *thread, struct err *err)
{
	const struct crew_env *env = &crew->env;
	size_t first = files_index(env->files, thread->index, 0);
	int rc;

	if (env->job->numjobs > 1 && env->files->thread_step == 0)
		return err_set(err, ERR_USAGE,
		    "unlink_each_loop with loops needs files that no other thread uses");
	for (unsigned f = 0; f < thread->nfiles; f++) {
		close(thread->files[f].fd);
		thread->files[f].fd = -1;
	}
	pthread_mutex_lock(&crew->renewing);
	rc = env->renew(env->renew_arg, first, thread->nfiles, err);
	pthread_mutex_unlock(&crew->renewing);
	for (unsigned f = 0; rc == 0 && f < thread->nfiles; f++)
		rc = crew_open_file(crew, thread, f, err);
	return rc;
}

static int
crew_open_files(struct crew *crew, struct err *err)
{
	const struct job *job = crew->env.job;
	bool real = crew_has_files(crew, err);
	unsigned n = real ? crew->env.files->per_thread : job->nrfiles;

	crew->env.board->head->direct = real;
	for (unsigned t = 0; t < job->numjobs; t++) {
		struct thread *thread = &crew->threads[t];

		thread->crew = crew;
		thread->index = t;
		thread->nfiles = n;
		thread->files = mem_array(n, sizeof *thread->files);
		for (unsigned f = 0; f < n; f++) {
			thread->files[f] = (struct io_file){.fd = -1, .index = f};
		}
	}
	for (unsigned t = 0; real && t < job->numjobs; t++)
		for (unsigned f = 0; f < n && !thread_opens_late(&crew->threads[t]); f++)
			if (crew_open_file(crew, &crew->threads[t], f, err) < 0)
				return -1;
	return 0;
}

static int
crew_make_threads(struct crew *crew, struct err *err)
{
	unsigned n = crew->env.job->numjobs;
	pthread_attr_t attr;
	int rc = 0;

	/* Small stacks, because they are locked in memory. */
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, CREW_STACK);
	while (rc == 0 && crew->made < n) {
		struct thread *thread = &crew->threads[crew->made];

		rc = pthread_create(&thread->id, &attr, thread_main, thread);
		crew->made += rc == 0;
	}
	pthread_attr_destroy(&attr);
	pthread_mutex_lock(&crew->lock);
	while (crew->prepared < crew->made)
		pthread_cond_wait(&crew->changed, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
	if (rc != 0)
		return err_sys(err, rc, "thread %u of %u", crew->made + 1, n);
	if (crew->failed == 0)
		return 0;
	*err = crew->first;
	return -1;
}

int
crew_new(struct crew **ret, const struct crew_env *env, struct err *err)
{
	struct crew *crew = mem_alloc(sizeof *crew);

	crew->env = *env;
	crew->threads = mem_array(env->job->numjobs, sizeof *crew->threads);
	pthread_mutex_init(&crew->lock, NULL);
	pthread_mutex_init(&crew->renewing, NULL);
	pthread_cond_init(&crew->changed, NULL);
	if (crew_open_files(crew, err) < 0 || crew_make_threads(crew, err) < 0) {
		crew_stop(crew);
		crew_free(crew);
		return -1;
	}
	*ret = crew;
	return 0;
}

/* Every command changes the word, so a thread that is about to wait looks again. */
static void
crew_command(struct crew *crew)
{
	/* Threads command too, when exitall ends the others. */
	park_set(&crew->word, __atomic_add_fetch(&crew->word, 1, __ATOMIC_SEQ_CST));
}

void
crew_arm(struct crew *crew, uint64_t start_ns)
{
	getrusage(RUSAGE_SELF, &crew->usage);
	__atomic_store_n(&crew->env.board->head->start_ns, start_ns, __ATOMIC_RELAXED);
	crew_command(crew);
}

void
crew_go(struct crew *crew)
{
	__atomic_store_n(&crew->env.board->head->go, 1, __ATOMIC_RELEASE);
}

void
crew_stop(struct crew *crew)
{
	park_stop(crew->env.board);
	crew_command(crew);
	pthread_mutex_lock(&crew->lock);
	for (unsigned i = 0; i < crew->made; i++) {
		struct thread *thread = &crew->threads[i];

		if (thread->running && thread->turn.engine->ops->wake)
			thread->turn.engine->ops->wake(thread->turn.engine);
	}
	pthread_mutex_unlock(&crew->lock);
}

void
crew_prepared(struct crew *crew, const struct err *failure)
{
	pthread_mutex_lock(&crew->lock);
	crew->prepared++;
	if (failure && crew->failed++ == 0)
		crew->first = *failure;
	pthread_cond_signal(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
}

bool
crew_may_start(struct crew *crew)
{
	uint32_t seen = VERDICT_OPEN;
	bool go = __atomic_load_n(&crew->env.board->head->go, __ATOMIC_ACQUIRE) != 0;
	uint32_t mine = go ? VERDICT_GO : VERDICT_NO_GO;

	if (__atomic_compare_exchange_n(
		&crew->verdict, &seen, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		seen = mine;
	if (seen == VERDICT_GO)
		board_set_phase(crew->env.board, BOARD_RUNNING);
	return seen == VERDICT_GO;
}

void
crew_set_running(struct crew *crew, struct thread *thread, bool running)
{
	pthread_mutex_lock(&crew->lock);
	thread->running = running;
	pthread_mutex_unlock(&crew->lock);
}

/* CPU of the whole process since it was armed, over the time since T. */
static void
crew_post_cpu(const struct crew *crew)
{
	struct board_head *head = crew->env.board->head;
	uint64_t now = clock_ns();
	struct rusage usage;

	if (head->start_ns == 0 || now <= head->start_ns)
		return;
	getrusage(RUSAGE_SELF, &usage);
	__atomic_store_n(&head->cpu_user_ns,
	    usage_span_ns(&crew->usage.ru_utime, &usage.ru_utime), __ATOMIC_RELAXED);
	__atomic_store_n(&head->cpu_sys_ns,
	    usage_span_ns(&crew->usage.ru_stime, &usage.ru_stime), __ATOMIC_RELAXED);
	__atomic_store_n(&head->cpu_wall_ns, now - head->start_ns, __ATOMIC_RELAXED);
}

/* unlink: what volley made; what it did not stays. */
static int
crew_unlink_files(struct crew *crew, struct err *err)
{
	const struct files *files = crew->env.files;

	for (size_t k = 0; crew_has_files(crew, err) && k < files->paths.n; k++)
		if (guard_unlink(crew->env.guard, files->paths.v[k], err) < 0 &&
		    err->code != ERR_POLICY)
			return err_prefix(err, "unlink");
	return 0;
}

/* What the last thread does for all, when no I/O is left. */
static int
crew_clear_up(struct crew *crew, struct err *err)
{
	const struct job *job = crew->env.job;

	if (job->files.unlink && crew_unlink_files(crew, err) < 0)
		return -1;
	if (job->process.postrun)
		return hook_run(
		    "exec_postrun", job->process.postrun, NULL, HOOK_LIMIT_NS, err);
	return 0;
}

void
crew_ended(struct crew *crew, enum thread_end end, const struct err *failure)
{
	const struct job_process_env *process = &crew->env.job->process;
	bool failed = end == THREAD_FAILED;
	struct err late = ERR_INIT;

	if ((process->exitall && end == THREAD_DONE) ||
	    (process->exitall_on_error && failed))
		crew_stop(crew);
	if (__atomic_add_fetch(&crew->ending, 1, __ATOMIC_ACQ_REL) == crew->made &&
	    end != THREAD_NOT_STARTED && crew_clear_up(crew, &late) < 0 && !failed) {
		failed = true;
		failure = &late;
	}
	pthread_mutex_lock(&crew->lock);
	crew->ended++;
	crew->not_started += end == THREAD_NOT_STARTED;
	if (failed && crew->failed++ == 0)
		crew->first = *failure;
	if (crew->ended == crew->made) {
		crew_post_cpu(crew);
		eventfd_write(crew->env.event_fd, 1);
	}
	pthread_mutex_unlock(&crew->lock);
}

enum crew_end
crew_poll(struct crew *crew)
{
	enum crew_end end = CREW_DONE;

	pthread_mutex_lock(&crew->lock);
	if (crew->ended < crew->made)
		end = CREW_RUNNING;
	else if (crew->failed > 0)
		end = CREW_FAILED;
	else if (crew->not_started > 0)
		end = CREW_NOT_STARTED;
	pthread_mutex_unlock(&crew->lock);
	return end;
}

unsigned
crew_failures(struct crew *crew, struct err *ret_first)
{
	unsigned n;

	pthread_mutex_lock(&crew->lock);
	n = crew->failed;
	*ret_first = crew->first;
	pthread_mutex_unlock(&crew->lock);
	return n;
}

void
crew_free(struct crew *crew)
{
	if (!crew)
		return;
	for (unsigned i = 0; i < crew->made; i++)
		pthread_join(crew->threads[i].id, NULL);
	for (unsigned t = 0; t < crew->env.job->numjobs; t++) {
		struct thread *thread = &crew->threads[t];

		for (unsigned f = 0; thread->files && f < thread->nfiles; f++)
			if (thread->files[f].fd >= 0)
				close(thread->files[f].fd);
		free(thread->files);
	}
	free(crew->threads);
	pthread_mutex_destroy(&crew->lock);
	pthread_mutex_destroy(&crew->renewing);
	pthread_cond_destroy(&crew->changed);
	free(crew);
}

static int
native_make(void **ret, const struct crew_env *env, struct err *err)
{
	struct crew *crew;

	if (crew_new(&crew, env, err) < 0)
		return -1;
	*ret = crew;
	return 0;
}

static void
native_arm(void *self, uint64_t start_ns)
{
	crew_arm(self, start_ns);
}

static void
native_go(void *self)
{
	crew_go(self);
}

static void
native_stop(void *self)
{
	crew_stop(self);
}

static enum crew_end
native_poll(void *self)
{
	return crew_poll(self);
}

static unsigned
native_failures(void *self, struct err *ret_first)
{
	return crew_failures(self, ret_first);
}

static void
native_free(void *self)
{
	crew_free(self);
}

const struct crew_ops crew_native = {
    .make = native_make,
    .arm = native_arm,
    .go = native_go,
    .stop = native_stop,
    .poll = native_poll,
    .failures = native_failures,
    .free = native_free,
};
