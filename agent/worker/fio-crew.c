/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The minder: the thread that starts fio, lets it go and listens to it.  fio dies with
 * this thread (a parent's death signal), so it lives until fio has ended.
 */
#include "agent/worker/fio-crew.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/worker/fio-gate.h"
#include "agent/worker/park.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

#define LOOK_MS 50                   /* for a stop, while fio is prepared */
#define LIVE_NS UINT64_C(1000000000) /* between two looks at a running fio */
#define LIVE_SHARE 50                /* and that many times what one costs it */
#define LIVE_BEFORE_END_NS UINT64_C(1500000000)
#define KILL_NS UINT64_C(3000000000) /* SIGTERM → SIGKILL; the agent waits 5 s */

/* ---- listening ---- */

static void
hear_report(struct fiocrew *crew)
{
	struct fiogate_word word;

	while (read(crew->report_fd[0], &word, sizeof word) == (ssize_t)sizeof word) {
		struct fiocrew_thread *thread;

		if (word.thread >= crew->env.job->numjobs)
			continue;
		thread = &crew->threads[word.thread];
		if (word.what == FIOGATE_HERE)
			thread->here_ns = word.at_ns;
		else if (word.what == FIOGATE_LET_GO)
			thread->let_go_ns = word.at_ns;
		else if (word.what == FIOGATE_AFTER)
			thread->after_ns = word.at_ns;
	}
}

static void
keep_chatter(struct fiocrew *crew, const char *text, size_t len)
{
	static const char noise[] = " : Saving output of ";
	char *copy = mem_strndup(text, len), *rest = NULL;

	for (char *line = strtok_r(copy, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		if (!strstr(line, noise))
			str_addf(&crew->chatter, "%s\n", line);
	free(copy);
}

/* True: fio has said how far it is. */
static bool
hear_documents(struct fiocrew *crew)
{
	struct err ignored = ERR_INIT;
	size_t from, to;
	bool any = false;

	while (
	    crew->out.len > 0 && fioout_next(crew->out.s, crew->out.len, &from, &to)) {
		keep_chatter(crew, crew->out.s, from);
		fioout_free(&crew->last);
		if (fioout_parse(
			&crew->last, crew->out.s + from, to - from, &ignored) == 0)
			fiocrew_post_counts(crew, &crew->last);
		memmove(crew->out.s, crew->out.s + to, crew->out.len - to + 1);
		crew->out.len -= to;
		any = true;
	}
	return any;
}

static bool
hear(struct fiocrew *crew)
{
	fioproc_read(&crew->proc.out_fd, &crew->out);
	fioproc_read(&crew->proc.err_fd, &crew->errors);
	hear_report(crew);
	return hear_documents(crew);
}

/* Waits for anything to be heard.  True: fio has ended. */
static bool
wait_for_fio(const struct fiocrew *crew, bool stops, int timeout_ms)
{
	struct pollfd fds[] = {
	    {.fd = crew->proc.pidfd, .events = POLLIN},
	    {.fd = crew->proc.out_fd, .events = POLLIN},
	    {.fd = crew->proc.err_fd, .events = POLLIN},
	    {.fd = crew->report_fd[0], .events = POLLIN},
	    {.fd = stops ? crew->stop_fd : -1, .events = POLLIN},
	};

	(void)poll(fds, sizeof fds / sizeof *fds, timeout_ms);
	return fds[0].revents != 0;
}

/* ---- what went wrong ---- */

/* Many lines as one. */
static void
add_line(struct str *ret, const char *text)
{
	char *copy = mem_strdup(text), *rest = NULL;
	const char *between = ": ";

	for (char *line = strtok_r(copy, "\r\n", &rest); line;
	     line = strtok_r(NULL, "\r\n", &rest)) {
		str_addf(ret, "%s%s", between, line);
		between = "; ";
	}
	free(copy);
}

static int
first_error(const struct fiocrew *crew)
{
	for (size_t t = 0; t < crew->last.n; t++)
		if (crew->last.threads[t].error)
			return crew->last.threads[t].error;
	return 0;
}

static int
fail(struct fiocrew *crew, int status, struct err *err)
{
	struct str text = {0};
	int error = first_error(crew);

	if (crew->out.len > 0)
		keep_chatter(crew, crew->out.s, crew->out.len);
	const char *said = crew->errors.len ? crew->errors.s : crew->chatter.s;
	char *names = fiocrew_translate(crew, said ? said : "");
	str_addf(&text, "%s ", crew->name);
	if (crew->killed)
		str_add(&text, "did not end when told to, and was killed");
	else
		fioproc_describe(status, &text);
	add_line(&text, names);
	err_set(err, error ? ERR_IO : ERR_UNSUPPORTED, "%s", text.s);
	err->errnum = error;
	str_free(&text);
	free(names);
	return -1;
}

/* A thread whose gate broke does nothing, and fio calls that a success. */
static int
check_gates(const struct fiocrew *crew, struct err *err)
{
	for (unsigned t = 0; t < crew->env.job->numjobs; t++)
		if (crew->threads[t].let_go_ns == 0)
			return err_set(err, ERR_INTERNAL,
			    "%s: the gate of thread %u broke: it did nothing",
			    crew->name, t);
	return 0;
}

/* ---- the life of one run ---- */

static bool
all_here(const struct fiocrew *crew)
{
	for (unsigned t = 0; t < crew->env.job->numjobs; t++)
		if (crew->threads[t].here_ns == 0)
			return false;
	return true;
}

static int
minder_prepare(struct fiocrew *crew, struct err *err)
{
	if (fiocrew_prepare(crew, err) < 0)
		return -1;
	while (!all_here(crew)) {
		bool gone = wait_for_fio(crew, false, LOOK_MS);

		hear(crew);
		if (gone)
			return fail(crew,
			    fioproc_end(&crew->proc, &crew->out, &crew->errors), err);
		if (park_stopped(crew->env.board))
			return err_set(err, ERR_CANCELLED, "stopped");
	}
	return 0;
}

/* Sleeps until T, which may still be moved.  False: stopped before. */
static bool
await_start(struct fiocrew *crew)
{
	const struct board_head *head = crew->env.board->head;
	uint64_t window = 0;

	for (;;) {
		uint32_t seen = __atomic_load_n(&crew->word, __ATOMIC_ACQUIRE);
		uint64_t start_ns = __atomic_load_n(&head->start_ns, __ATOMIC_RELAXED);

		if (park_stopped(crew->env.board))
			return false;
		if (start_ns == 0) {
			park_wait(&crew->word, seen, UINT64_MAX);
			continue;
		}
		if (window == 0)
			crew->fifo = park_fifo_take();
		if (window != start_ns)
			fiocrew_post_window(crew, start_ns);
		window = start_ns;
		if (clock_ns() >= start_ns)
			return true;
		park_wait(&crew->word, seen, start_ns);
	}
}

/* One byte a gate. */
static int
let_go(struct fiocrew *crew, struct err *err)
{
	size_t n = crew->env.job->numjobs;
	char *bytes = mem_alloc(n);
	ssize_t written;

	board_set_phase(crew->env.board, BOARD_RUNNING);
	crew->released_ns = clock_ns();
	written = write(crew->gate_fd[1], bytes, n);
	free(bytes);
	return written == (ssize_t)n ? 0 : err_sys(err, errno, "fio's gates");
}

/* Asks a running fio now and then, but not while it is about to end by itself. */
struct live {
	uint64_t ask_ns, asked_ns, last_ns; /* asked: 0, nothing is open */
};

static void
live_look(struct fiocrew *crew, struct live *live, bool heard)
{
	uint64_t now = clock_ns();

	if (heard && live->asked_ns) {
		uint64_t pause = (now - live->asked_ns) * LIVE_SHARE;

		live->ask_ns = now + (pause > LIVE_NS ? pause : LIVE_NS);
		live->asked_ns = 0;
	}
	if (live->asked_ns || now < live->ask_ns || now > live->last_ns ||
	    crew->stopping)
		return;
	live->asked_ns = now;
	kill(crew->proc.pid, SIGUSR1);
}

static struct live
live_begin(const struct fiocrew *crew)
{
	const struct job *job = crew->env.job;
	uint64_t start = crew->env.board->head->start_ns;
	uint64_t end = job_duration_ns(job);

	/* In its ramp fio counts nothing that would mean anything. */
	return (struct live){
	    .ask_ns = start + job->ramp_ns + LIVE_NS,
	    .last_ns = end ? start + end - LIVE_BEFORE_END_NS : UINT64_MAX,
	};
}

static int
minder_timeout(const struct fiocrew *crew, const struct live *live, uint64_t kill_ns)
{
	uint64_t now = clock_ns(), until = UINT64_MAX;

	if (!live->asked_ns && live->ask_ns <= live->last_ns && !crew->stopping)
		until = live->ask_ns;
	if (kill_ns < until)
		until = kill_ns;
	if (until == UINT64_MAX)
		return -1;
	return until > now ? (int)((until - now) / UNITS_NS_PER_MS) + 1 : 0;
}

/* Until fio has ended; its status. */
static int
mind(struct fiocrew *crew)
{
	struct live live = live_begin(crew);
	uint64_t kill_ns = UINT64_MAX;

	for (;;) {
		int timeout = minder_timeout(crew, &live, kill_ns);
		bool gone = wait_for_fio(crew, !crew->stopping, timeout);
		bool heard = hear(crew);

		if (gone)
			break;
		live_look(crew, &live, heard);
		/* SIGINT would be lost: system() ignores it, and gates are run so. */
		if (park_stopped(crew->env.board) && !crew->stopping) {
			crew->stopping = true;
			kill_ns = clock_ns() + KILL_NS;
			kill(crew->proc.pid, SIGTERM);
		}
		if (clock_ns() >= kill_ns) {
			crew->killed = true;
			kill(-crew->proc.pid, SIGKILL);
			kill_ns = UINT64_MAX;
		}
	}
	crew->ended_ns = clock_ns();
	int status = fioproc_end(&crew->proc, &crew->out, &crew->errors);
	hear(crew);
	return status;
}

static enum crew_end
minder_run(struct fiocrew *crew, struct err *err)
{
	bool go = await_start(crew);
	int status, rc = 0;

	for (unsigned t = 0; t < crew->env.job->numjobs; t++)
		board_thread(crew->env.board, t)->fifo = crew->fifo;
	if (!go || !__atomic_load_n(&crew->env.board->head->go, __ATOMIC_ACQUIRE)) {
		if (crew->fifo)
			park_fifo_drop();
		return go ? CREW_NOT_STARTED : CREW_DONE;
	}
	rc = let_go(crew, err);
	if (crew->fifo)
		park_fifo_drop();
	if (rc < 0)
		return CREW_FAILED;
	status = mind(crew);
	if (crew->killed ||
	    (!crew->stopping && (status != 0 || first_error(crew) != 0)))
		rc = fail(crew, status, err);
	else if (crew->last.n != crew->env.job->numjobs && !crew->stopping)
		rc = err_set(err, ERR_PROTOCOL,
		    "%s ended without its result: %zu of %u threads", crew->name,
		    crew->last.n, crew->env.job->numjobs);
	else if (!crew->stopping)
		rc = check_gates(crew, err);
	if (rc == 0)
		rc = fiocrew_keep_logs(crew, err);
	if (crew->last.n > 0)
		fiocrew_post_end(crew, &crew->last);
	return rc < 0 ? CREW_FAILED : CREW_DONE;
}

static void *
minder_main(void *arg)
{
	struct fiocrew *crew = arg;
	struct err err = ERR_INIT;
	enum crew_end end = CREW_FAILED;
	bool ready = minder_prepare(crew, &err) == 0;

	if (!ready)
		fiocrew_release(crew);
	pthread_mutex_lock(&crew->lock);
	crew->prepared = true;
	crew->err = err;
	pthread_cond_signal(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
	if (!ready)
		return NULL;
	end = minder_run(crew, &err);
	fiocrew_release(crew);
	pthread_mutex_lock(&crew->lock);
	crew->end = end;
	crew->err = err;
	pthread_mutex_unlock(&crew->lock);
	eventfd_write(crew->env.event_fd, 1);
	return NULL;
}

/* ---- the calls of crew.h ---- */

static void
fiocrew_stop(void *self)
{
	struct fiocrew *crew = self;

	park_stop(crew->env.board);
	park_set(&crew->word, crew->word + 1);
	eventfd_write(crew->stop_fd, 1);
}

static void
fiocrew_free(void *self)
{
	struct fiocrew *crew = self;

	if (crew->has_minder)
		pthread_join(crew->minder, NULL);
	close(crew->stop_fd);
	free(crew->threads);
	pthread_mutex_destroy(&crew->lock);
	pthread_cond_destroy(&crew->changed);
	free(crew);
}

static int
fiocrew_begin(struct fiocrew *crew, struct err *err)
{
	int rc;

	if (crew->stop_fd < 0)
		return err_sys(err, errno, "eventfd");
	rc = pthread_create(&crew->minder, NULL, minder_main, crew);
	if (rc != 0)
		return err_sys(err, rc, "thread");
	crew->has_minder = true;
	pthread_mutex_lock(&crew->lock);
	while (!crew->prepared)
		pthread_cond_wait(&crew->changed, &crew->lock);
	*err = crew->err;
	pthread_mutex_unlock(&crew->lock);
	return err->code == ERR_NONE ? 0 : -1;
}

static int
fiocrew_make(void **ret, const struct crew_env *env, struct err *err)
{
	struct fiocrew *crew = mem_alloc(sizeof *crew);

	crew->env = *env;
	crew->end = CREW_RUNNING;
	crew->threads = mem_array(env->job->numjobs, sizeof *crew->threads);
	crew->folder_fd = crew->exe_fd = crew->job_fd = -1;
	crew->gate_fd[0] = crew->gate_fd[1] = -1;
	crew->report_fd[0] = crew->report_fd[1] = -1;
	crew->proc = FIOPROC_INIT;
	crew->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->changed, NULL);
	if (fiocrew_begin(crew, err) < 0) {
		fiocrew_free(crew);
		return -1;
	}
	*ret = crew;
	return 0;
}

static void
fiocrew_arm(void *self, uint64_t start_ns)
{
	struct fiocrew *crew = self;

	__atomic_store_n(&crew->env.board->head->start_ns, start_ns, __ATOMIC_RELAXED);
	park_set(&crew->word, crew->word + 1);
}

static void
fiocrew_go(void *self)
{
	struct fiocrew *crew = self;

	__atomic_store_n(&crew->env.board->head->go, 1, __ATOMIC_RELEASE);
}

static enum crew_end
fiocrew_poll(void *self)
{
	struct fiocrew *crew = self;
	enum crew_end end;

	pthread_mutex_lock(&crew->lock);
	end = crew->end;
	pthread_mutex_unlock(&crew->lock);
	return end;
}

static unsigned
fiocrew_failures(void *self, struct err *ret_first)
{
	struct fiocrew *crew = self;
	unsigned n;

	pthread_mutex_lock(&crew->lock);
	n = crew->end == CREW_FAILED;
	*ret_first = crew->err;
	pthread_mutex_unlock(&crew->lock);
	return n;
}

const struct crew_ops crew_fio = {
    .make = fiocrew_make,
    .arm = fiocrew_arm,
    .go = fiocrew_go,
    .stop = fiocrew_stop,
    .poll = fiocrew_poll,
    .failures = fiocrew_failures,
    .free = fiocrew_free,
};
