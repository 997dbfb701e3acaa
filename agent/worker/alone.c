/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drives one client in this process: ready, armed, go, done, report.
 */
#include "agent/worker/alone.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "agent/worker/board.h"
#include "agent/worker/client.h"
#include "agent/worker/files.h"
#include "agent/worker/report.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/base/str.h"

#define ALONE_LEAD_NS UINT64_C(2000000)          /* from armed to T */
#define ALONE_DRAIN_NS UINT64_C(60000000000)     /* slots behind the window */
#define ALONE_PATIENCE_MS 5000                   /* for the drain after Ctrl-C */
#define ALONE_UNBOUND_NS UINT64_C(3600000000000) /* slots of a size-bound job */

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

struct stage {
	struct board board;
	struct client *client;
	int signal_fd;
	bool started, interrupted;
};

void
alone_init(struct alone *alone)
{
	*alone = (struct alone){0};
	job_init(&alone->job);
	alone->job.randrepeat = true; /* as fio; in plans it is 0 */
}

void
alone_free(struct alone *alone)
{
	job_free(&alone->job);
	for (vec_each(char **, path, &alone->allow_write))
		free(*path);
	vec_free(&alone->allow_write);
}

/* Relative paths are relative to the current folder. */
static int
alone_absolute(char **path, struct err *err)
{
	char *cwd, *joined;

	if (*path && (*path)[0] == '/')
		return 0;
	cwd = getcwd(NULL, 0);
	if (!cwd)
		return err_sys(err, errno, "current folder");
	joined = *path ? mem_printf("%s/%s", cwd, *path) : mem_strdup(cwd);
	free(cwd);
	free(*path);
	*path = joined;
	return 0;
}

static bool
alone_names_device(const struct alone *alone, const char *path)
{
	for (size_t i = 0; i < alone->allow_write.n; i++)
		if (strcmp(alone->allow_write.v[i], path) == 0)
			return true;
	return false;
}

/* The user may touch each file he names, and the folder it is to be made in. */
static void
alone_allow_names(const struct alone *alone, struct link_spec *spec)
{
	const struct job *job = &alone->job;
	struct files_names names;

	files_names(&names, job);
	for (size_t i = 0; i < names.v.n; i++) {
		const char *name = names.v.v[i];
		char *path = name[0] == '/' ? mem_strdup(name)
					    : mem_printf("%s/%s", job->directory, name);
		const char *slash = strrchr(path, '/');
		size_t len = slash == path ? 1 : (size_t)(slash - path);

		if (!alone_names_device(alone, path)) {
			vec_push(&spec->allow, mem_strndup(path, len));
			if (str_starts(path, "/dev/"))
				vec_push(&spec->allow, mem_strdup(path));
		}
		free(path);
	}
	files_names_free(&names);
}

static int
alone_make_spec(struct alone *alone, struct link_spec *spec, struct err *err)
{
	struct str text = {0};

	*spec = (struct link_spec){.client_count = 1};
	spec->allow_exec = true; /* the user could run it himself */
	spec->first_number = alone->first_number ? alone->first_number : 1;
	if (alone->job.files.opendir) {
		if (alone_absolute(&alone->job.files.opendir, err) < 0)
			return -1;
		vec_push(&spec->allow, mem_strdup(alone->job.files.opendir));
	}
	/* A name that is absolute has no directory (job_validate). */
	if (!(alone->job.filename && alone->job.filename[0] == '/')) {
		if (alone_absolute(&alone->job.directory, err) < 0)
			return -1;
		vec_push(&spec->allow, mem_strdup(alone->job.directory));
	}
	if (alone->job.filename)
		alone_allow_names(alone, spec);
	for (vec_each(char **, path, &alone->allow_write)) {
		if (alone_absolute(path, err) < 0)
			return -1;
		vec_push(&spec->allow_write, mem_strdup(*path));
	}
	/* In a cluster the controller chooses seeds. */
	if (!alone->job.randrepeat && !alone->job.access.allrandrepeat &&
	    alone->job.randseed == 0)
		alone->job.randseed = rng_entropy();
	job_format(&alone->job, &text);
	spec->job = str_take(&text);
	spec->client = mem_strdup("local");
	spec->case_id = mem_strdup("alone");
	return 0;
}

/* Threads inherit the mask, so Ctrl-C arrives here and nowhere else. */
static int
alone_open_signals(struct stage *stage, struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	stage->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return stage->signal_fd < 0 ? err_sys(err, errno, "signalfd") : 0;
}

static void
alone_interrupt(struct stage *stage)
{
	struct signalfd_siginfo info;

	if (read(stage->signal_fd, &info, sizeof info) != (ssize_t)sizeof info)
		return;
	if (stage->interrupted) /* the second time: at once */
		_exit(EXIT_INTERRUPTED);
	stage->interrupted = true;
	client_stop(stage->client);
}

/* Until the client is at its end; CLIENT_READY: interrupted, and it does not end. */
static enum client_state
alone_watch(struct stage *stage, struct err *err)
{
	for (;;) {
		struct pollfd fds[2] = {
		    {.fd = stage->signal_fd, .events = POLLIN},
		    {.fd = client_fd(stage->client), .events = POLLIN},
		};
		enum client_state state;
		int n = poll(fds, 2, stage->interrupted ? ALONE_PATIENCE_MS : -1);

		if (fds[0].revents)
			alone_interrupt(stage);
		state = client_poll(stage->client, err);
		if (n == 0 && stage->interrupted)
			return state;
		if (state == CLIENT_READY && !stage->started) {
			stage->started = true;
			client_go(stage->client); /* first: nobody else decides */
			client_arm(stage->client, clock_ns() + ALONE_LEAD_NS);
		} else if (state != CLIENT_PREPARING && state != CLIENT_READY) {
			return state;
		}
	}
}

/* The truth of a test, beside the figures. */
static void
alone_report_faults(const struct board *board)
{
	uint64_t ios = 0, delay_ns = 0;

	for (unsigned i = 0; i < board->threads; i++) {
		ios += board_thread(board, i)->fault_ios;
		delay_ns += board_thread(board, i)->fault_delay_ns;
	}
	if (ios > 0)
		fprintf(stderr,
		    "volley-io: fault: %llu I/Os, delayed by %.0f ns on average\n",
		    (unsigned long long)ios, (double)delay_ns / (double)ios);
}

static int
alone_report(const struct alone *alone, struct stage *stage, enum client_state state,
    const struct err *why)
{
	struct tally *tally;
	const struct err *failure = state == CLIENT_FAILED ? why : NULL;

	if (failure && !(stage->interrupted && why->code == ERR_CANCELLED))
		fprintf(stderr, "volley-io: %s\n", why->msg);
	if (stage->started) {
		tally = board_tally(&stage->board, clock_ns());
		if (alone->list)
			report_list_add(
			    alone->list, &alone->job, alone->group, tally, failure);
		else
			report_text(stdout, &alone->job, tally, failure);
		tally_free(tally);
		alone_report_faults(&stage->board);
	}
	if (fflush(stdout) != 0)
		return EXIT_FAILED;
	if (stage->interrupted)
		return EXIT_INTERRUPTED;
	return failure ? EXIT_FAILED : EXIT_OK;
}

static int
alone_stage(struct alone *alone, struct stage *stage, struct err *err)
{
	uint64_t duration = job_duration_ns(&alone->job);
	struct link_spec spec;
	int rc;

	duration = duration ? duration + ALONE_DRAIN_NS : ALONE_UNBOUND_NS;
	if (alone_make_spec(alone, &spec, err) < 0)
		return -1;
	rc = alone_open_signals(stage, err);
	if (rc == 0)
		rc = board_create(&stage->board, &alone->job, duration, err);
	if (rc == 0)
		rc = client_start(&stage->client, &spec, &stage->board, err);
	link_spec_free(&spec);
	return rc;
}

int
alone_run(struct alone *alone)
{
	struct stage stage = {.signal_fd = -1, .board.fd = -1};
	struct err err = ERR_INIT;
	int status = EXIT_FAILED;

	if (alone_stage(alone, &stage, &err) < 0) {
		fprintf(stderr, "volley-io: %s\n", err.msg);
		if (err.code == ERR_USAGE)
			status = EXIT_USAGE;
	} else {
		enum client_state state = alone_watch(&stage, &err);

		status = alone_report(alone, &stage, state, &err);
		if (state == CLIENT_PREPARING || state == CLIENT_READY)
			_exit(status); /* its threads hang: nothing can be freed */
	}
	client_free(stage.client);
	board_close(&stage.board);
	if (stage.signal_fd >= 0)
		close(stage.signal_fd);
	return status;
}
