/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drives clients in this process, one for each job that runs at the same time: ready,
 * armed for one instant, go, done, report.
 */
#include "agent/worker/alone.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
#include "lib/work/steady.h"

#define ALONE_LEAD_NS UINT64_C(2000000)          /* from armed to T */
#define ALONE_DRAIN_NS UINT64_C(60000000000)     /* slots behind the window */
#define ALONE_PATIENCE_MS 5000                   /* for the drain after Ctrl-C */
#define ALONE_UNBOUND_NS UINT64_C(3600000000000) /* slots of a size-bound job */

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

struct part {
	struct alone *alone;
	struct board board;
	struct client *client;
	enum client_state state;
	struct err err; /* why it failed */
};

struct stage {
	struct part *parts;
	size_t n;
	struct pollfd *fds; /* of the parts, and of signals */
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
stage_open_signals(struct stage *stage, struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	stage->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return stage->signal_fd < 0 ? err_sys(err, errno, "signalfd") : 0;
}

static bool
part_goes_on(const struct part *part)
{
	return part->client &&
	       (part->state == CLIENT_PREPARING || part->state == CLIENT_READY);
}

static void
stage_stop(struct stage *stage, const struct part *but)
{
	for (size_t i = 0; i < stage->n; i++)
		if (&stage->parts[i] != but && part_goes_on(&stage->parts[i]))
			client_stop(stage->parts[i].client);
}

static void
stage_interrupt(struct stage *stage)
{
	struct signalfd_siginfo info;

	if (read(stage->signal_fd, &info, sizeof info) != (ssize_t)sizeof info)
		return;
	if (stage->interrupted) /* the second time: at once */
		_exit(EXIT_INTERRUPTED);
	stage->interrupted = true;
	stage_stop(stage, NULL);
}

/* exitall and exitall_on_error: the others of its group, or all that run, end too. */
static void
stage_part_ended(struct stage *stage, const struct part *part)
{
	const struct job_process_env *process = &part->alone->job.process;
	bool failed = part->state == CLIENT_FAILED;

	if (!(failed ? process->exitall_on_error : process->exitall))
		return;
	for (size_t i = 0; i < stage->n; i++) {
		struct part *other = &stage->parts[i];

		if (other != part && part_goes_on(other) &&
		    (process->exit_what != JOB_EXIT_GROUP ||
			other->alone->group == part->alone->group))
			client_stop(other->client);
	}
}

/* Waits for something to happen.  False: interrupted, and nothing does. */
static bool
stage_step(struct stage *stage)
{
	int n;

	for (size_t i = 0; i < stage->n; i++)
		stage->fds[i] = (struct pollfd){.events = POLLIN,
		    .fd = part_goes_on(&stage->parts[i])
			      ? client_fd(stage->parts[i].client)
			      : -1};
	stage->fds[stage->n] =
	    (struct pollfd){.fd = stage->signal_fd, .events = POLLIN};
	n = poll(stage->fds, stage->n + 1, stage->interrupted ? ALONE_PATIENCE_MS : -1);
	if (stage->fds[stage->n].revents)
		stage_interrupt(stage);
	for (size_t i = 0; i < stage->n; i++) {
		struct part *part = &stage->parts[i];

		if (!part_goes_on(part))
			continue;
		part->state = client_poll(part->client, &part->err);
		if (!part_goes_on(part))
			stage_part_ended(stage, part);
	}
	return !(n == 0 && stage->interrupted);
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

static void
alone_state(const struct alone *alone, struct report_entry *entry)
{
	if (entry->tally && alone->list)
		report_list_add(alone->list, entry);
	else if (entry->tally)
		report_text(stdout, entry);
	report_entry_free(entry);
}

/* Whether the thread is one of those to blame for its job's failure. */
static bool
part_thread_failed(const struct part *part, unsigned thread)
{
	bool any = false;

	if (part->state != CLIENT_FAILED)
		return false;
	for (unsigned i = 0; i < part->board.threads; i++)
		any = any || board_thread(&part->board, i)->errors > 0;
	return !any || board_thread(&part->board, thread)->errors > 0;
}

/* Adds the part's threads to the entry that is open, or states that and opens others. */
static void
part_report(const struct part *part, struct report_entry *entry)
{
	const struct alone *alone = part->alone;
	uint64_t now_ns = clock_ns();

	for (unsigned i = 0; i < part->board.threads; i++) {
		if (!report_entry_takes(entry, &alone->job, alone->group)) {
			alone_state(alone, entry);
			*entry = (struct report_entry){
			    .job = &alone->job, .group = alone->group};
			if (steady_wanted(&alone->job))
				entry->whole = board_tally(&part->board, now_ns);
		}
		report_entry_add(entry, board_thread_tally(&part->board, i, now_ns),
		    board_thread(&part->board, i)->in_time != 0);
		if (!entry->failure && part_thread_failed(part, i))
			entry->failure = &part->err;
	}
	alone_report_faults(&part->board);
}

static int
stage_report(struct stage *stage)
{
	struct report_entry entry = {0};
	int status = EXIT_OK;

	for (size_t i = 0; i < stage->n; i++) {
		struct part *part = &stage->parts[i];
		bool failed = part->state == CLIENT_FAILED;

		if (failed && !(stage->interrupted && part->err.code == ERR_CANCELLED))
			fprintf(stderr, "volley-io: %s%s%s\n",
			    stage->n > 1 ? part->alone->job.name : "",
			    stage->n > 1 ? ": " : "", part->err.msg);
		if (stage->started)
			part_report(part, &entry);
		if (failed)
			status = EXIT_FAILED;
	}
	alone_state(stage->parts[0].alone, &entry);
	if (fflush(stdout) != 0)
		return EXIT_FAILED;
	return stage->interrupted ? EXIT_INTERRUPTED : status;
}

static int
part_start(struct part *part, struct err *err)
{
	struct job *job = &part->alone->job;
	uint64_t duration = job_duration_ns(job);
	struct link_spec spec;
	int rc;

	duration = duration ? duration + ALONE_DRAIN_NS : ALONE_UNBOUND_NS;
	if (alone_make_spec(part->alone, &spec, err) < 0)
		return -1;
	rc = board_create(&part->board, job, duration, err);
	if (rc == 0)
		rc = client_start(&part->client, &spec, &part->board, err);
	link_spec_free(&spec);
	part->state = CLIENT_PREPARING;
	return rc;
}

/* One after the other, as fio does: they may share files.  True: all are ready. */
static bool
stage_prepare(struct stage *stage, int *status)
{
	struct err err = ERR_INIT;
	int rc = stage_open_signals(stage, &err);

	for (size_t i = 0; rc == 0 && i < stage->n; i++) {
		struct part *part = &stage->parts[i];

		rc = part_start(part, &err);
		while (rc == 0 && part->state == CLIENT_PREPARING && stage_step(stage))
			;
		if (rc == 0 && part->state != CLIENT_READY)
			return false;
	}
	if (rc == 0)
		return !stage->interrupted;
	fprintf(stderr, "volley-io: %s\n", err.msg);
	*status = err.code == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
	return false;
}

static void
stage_start(struct stage *stage)
{
	uint64_t start_ns = clock_ns() + ALONE_LEAD_NS;

	stage->started = true;
	for (size_t i = 0; i < stage->n; i++) {
		client_go(stage->parts[i].client); /* first: nobody else decides */
		client_arm(stage->parts[i].client, start_ns);
	}
}

static bool
stage_goes_on(const struct stage *stage)
{
	for (size_t i = 0; i < stage->n; i++)
		if (part_goes_on(&stage->parts[i]))
			return true;
	return false;
}

static void
stage_free(struct stage *stage)
{
	for (size_t i = 0; i < stage->n; i++) {
		client_free(stage->parts[i].client);
		board_close(&stage->parts[i].board);
	}
	if (stage->signal_fd >= 0)
		close(stage->signal_fd);
	free(stage->parts);
	free(stage->fds);
}

int
alone_run(struct alone *jobs, size_t n)
{
	struct stage stage = {.signal_fd = -1, .n = n};
	int status = EXIT_OK, reported;

	stage.parts = mem_array(n, sizeof *stage.parts);
	stage.fds = mem_array(n + 1, sizeof *stage.fds);
	for (size_t i = 0; i < n; i++)
		stage.parts[i] = (struct part){.alone = &jobs[i], .board.fd = -1};
	if (stage_prepare(&stage, &status))
		stage_start(&stage);
	else
		stage_stop(&stage, NULL);
	while (stage_goes_on(&stage) && stage.started && stage_step(&stage))
		;
	reported = stage_report(&stage);
	if (status == EXIT_OK)
		status = reported;
	if (stage.started && stage_goes_on(&stage)) {
		/* Its threads hang: nothing can be freed, and nobody else will print. */
		if (jobs->list)
			report_list_print(jobs->list, stdout);
		fflush(stdout);
		_exit(status);
	}
	stage_free(&stage);
	return status;
}
