/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts guard, layout and crew together for one job.
 */
#include "agent/worker/client.h"

#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/worker/amount.h"
#include "agent/worker/crew.h"
#include "agent/worker/files.h"
#include "agent/worker/guard.h"
#include "agent/worker/hook.h"
#include "agent/worker/layout.h"
#include "agent/worker/logs.h"
#include "agent/worker/opendir.h"
#include "agent/worker/park.h"
#include "agent/worker/user.h"
#include "agent/engine/engine.h"
#include "lib/base/mem.h"
#include "lib/base/secret.h"

enum prepared { PREPARED_NOT_YET, PREPARED_OK, PREPARED_FAILED };

struct client {
	struct link_spec spec;
	struct job job;
	struct board *board;
	struct guard *guard;
	struct files files;
	const struct crew_ops *ops;
	struct logs *logs; /* NULL: not asked for, or files */
	void *crew; /* of ops; NULL until it is prepared */
	pthread_t preparer;
	bool has_preparer, has_files;
	uint32_t prepared; /* enum prepared; written last by the preparer */
	struct err err;    /* PREPARED_FAILED */
	int event_fd;
};

static const struct crew_ops *const runners[] = {
    [JOB_NATIVE] = &crew_native,
    [JOB_FIO] = &crew_fio,
};

/* "name=value" lines, as job_format writes them. */
static int
client_parse_job(struct job *job, const char *text, struct err *err)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = mem_strndup(text, len);
		char *value = strchr(line, '=');
		int rc;

		if (value)
			*value++ = '\0';
		rc = value ? job_set(job, line, value, err)
			   : err_set(err, ERR_PROTOCOL, "job: malformed line");
		free(line);
		if (rc < 0)
			return -1;
		text += len + (text[len] == '\n');
	}
	return job_validate(job, err);
}

/* The board was made for the same job; a thread must not write beside it. */
static int
client_check_board(const struct client *client, struct err *err)
{
	const struct board *board = client->board;

	if (board->threads == client->job.numjobs &&
	    board->iodepth == client->job.iodepth)
		return 0;
	return err_set(err, ERR_PROTOCOL, "the board is not of this job's size");
}

static struct layout_env
client_layout(struct client *client)
{
	return (struct layout_env){
	    .guard = client->guard,
	    .job = &client->job,
	    .spec = &client->spec,
	    .files = &client->files,
	    .board = client->board,
	};
}

static int
client_prepare_files(struct client *client, struct err *err)
{
	struct layout_env env = client_layout(client);
	const struct engine_ops *ops = engine_find(client->job.ioengine, err);

	if (!ops)
		return -1;
	if (ops->check(&client->job, err) < 0)
		return err_prefix(err, "ioengine %s", ops->name);
	if (ops->caps & (ENGINE_NOFILE | ENGINE_PEER)) {
		if (amount_is_relative(&client->job))
			return err_set(err, ERR_USAGE,
			    "ioengine %s has no files to take a percentage of",
			    ops->name);
		client->files.bytes = client->job.size / client->job.nrfiles;
		return 0;
	}
	client->has_files = true;
	if (client->job.files.opendir
		? opendir_plan(&client->files, &client->job, client->guard, err) < 0
		: files_plan(&client->files, &client->job, &client->spec, err) < 0)
		return -1;
	if (amount_is_relative(&client->job) &&
	    amount_resolve(&client->job, &client->files, client->guard, err) < 0)
		return -1;
	board_set_phase(client->board, BOARD_LAYOUT);
	return layout_run(&env, err);
}

/* A worker of an agent has no folder of its own to dump blocks into. */
static int
client_check_dump(const struct client *client, struct err *err)
{
	if (!client->spec.logs_to_parent || !client->job.verify.dump)
		return 0;
	return err_set(err, ERR_UNSUPPORTED,
	    "verify_dump: blocks are dumped by volley-io alone, not by agents");
}

static int
client_check_exec(const struct client *client, struct err *err)
{
	const struct job_process_env *process = &client->job.process;

	if (client->spec.allow_exec || (!process->prerun && !process->postrun))
		return 0;
	return err_set(err, ERR_POLICY,
	    "%s: this agent runs no commands (volleyd --allow-exec would let it)",
	    process->prerun ? "exec_prerun" : "exec_postrun");
}

/* volley-io alone reads the key's file; on behalf of a controller nothing is read. */
static int
client_take_key(struct client *client, struct err *err)
{
	if (!client->job.net.key_file)
		return 0;
	if (client->spec.logs_to_parent)
		return err_set(err, ERR_POLICY,
		    "keyfile: is for volley-io alone; in a plan the storage has a key");
	free(client->spec.key);
	client->spec.key = NULL;
	return secret_read(&client->spec.key, client->job.net.key_file, err);
}

static int
client_renew(void *arg, size_t first, size_t n, struct err *err)
{
	struct client *client = arg;
	struct layout_env env = client_layout(client);

	return layout_renew(&env, first, n, err);
}

static int
client_prepare(struct client *client, struct err *err)
{
	struct crew_env env = {
	    .job = &client->job,
	    .files = &client->files,
	    .board = client->board,
	    .first_number = client->spec.first_number,
	    .logs = client->logs,
	    .renew = client_renew,
	    .renew_arg = client,
	    .event_fd = client->event_fd,
	};

	if (client_check_exec(client, err) < 0 || client_check_dump(client, err) < 0 ||
	    client_take_key(client, err) < 0 ||
	    guard_new(&client->guard, &client->spec, err) < 0 ||
	    client_prepare_files(client, err) < 0)
		return -1;
	/* As in fio, when the files are there. */
	if (client->job.process.prerun &&
	    hook_run("exec_prerun", client->job.process.prerun, client->board,
		HOOK_LIMIT_NS, err) < 0)
		return -1;
	env.guard = client->guard;
	env.key = client->spec.key;
	return client->ops->make(&client->crew, &env, err);
}

static void *
client_preparer(void *arg)
{
	struct client *client = arg;
	bool ok = client_prepare(client, &client->err) == 0;

	/* No page fault between T and the first submit.  It needs a limit that many
	 * hosts do not grant, and is only a help.  Files that are mapped would be
	 * read as a whole. */
	if (ok && !(engine_find(client->job.ioengine, NULL)->caps & ENGINE_MAPPED))
		(void)mlockall(MCL_CURRENT);
	board_set_phase(client->board, ok ? BOARD_PARKED : BOARD_FAILED);
	__atomic_store_n(
	    &client->prepared, ok ? PREPARED_OK : PREPARED_FAILED, __ATOMIC_RELEASE);
	eventfd_write(client->event_fd, 1);
	return NULL;
}

static int
client_begin(struct client *client, struct err *err)
{
	int rc;

	if (client_parse_job(&client->job, client->spec.job, err) < 0 ||
	    client_check_board(client, err) < 0)
		return -1;
	client->ops = runners[client->job.runner];
	if (client->spec.logs_to_parent && job_wants_logs(&client->job))
		client->logs = logs_new(LOGS_MAX_BYTES);
	user_raise_limits();
	if (user_become(client->job.user, err) < 0)
		return -1;
	client->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (client->event_fd < 0)
		return err_sys(err, errno, "eventfd");
	rc = pthread_create(&client->preparer, NULL, client_preparer, client);
	if (rc != 0)
		return err_sys(err, rc, "thread");
	client->has_preparer = true;
	return 0;
}

int
client_start(
    struct client **ret, struct link_spec *spec, struct board *board, struct err *err)
{
	struct client *client = mem_alloc(sizeof *client);

	client->spec = *spec;
	*spec = (struct link_spec){0};
	client->board = board;
	client->event_fd = -1;
	job_init(&client->job);
	if (client_begin(client, err) < 0) {
		client_free(client);
		return -1;
	}
	*ret = client;
	return 0;
}

int
client_fd(const struct client *client)
{
	return client->event_fd;
}

static enum client_state
client_poll_crew(struct client *client, struct err *err)
{
	switch (client->ops->poll(client->crew)) {
	case CREW_RUNNING: return CLIENT_READY;
	case CREW_FAILED:
		(void)client->ops->failures(client->crew, err);
		board_set_phase(client->board, BOARD_FAILED);
		return CLIENT_FAILED;
	case CREW_NOT_STARTED:
		board_set_phase(client->board, BOARD_NOT_STARTED);
		return CLIENT_NOT_STARTED;
	case CREW_DONE: break;
	}
	board_set_phase(client->board, BOARD_DONE);
	return CLIENT_DONE;
}

enum client_state
client_poll(struct client *client, struct err *err)
{
	eventfd_t count;

	(void)eventfd_read(client->event_fd, &count);
	switch (__atomic_load_n(&client->prepared, __ATOMIC_ACQUIRE)) {
	case PREPARED_NOT_YET: return CLIENT_PREPARING;
	case PREPARED_FAILED: *err = client->err; return CLIENT_FAILED;
	default: return client_poll_crew(client, err);
	}
}

void
client_arm(struct client *client, uint64_t start_ns)
{
	if (board_phase(client->board) == BOARD_PARKED)
		board_set_phase(client->board, BOARD_ARMED);
	client->ops->arm(client->crew, start_ns);
}

void
client_go(struct client *client)
{
	client->ops->go(client->crew);
}

void
client_stop(struct client *client)
{
	park_stop(client->board);
	if (__atomic_load_n(&client->prepared, __ATOMIC_ACQUIRE) == PREPARED_OK)
		client->ops->stop(client->crew);
}

int
client_hand_logs(struct client *client, int link_fd, struct err *err)
{
	return client->logs ? logs_hand_over(client->logs, link_fd, err) : 0;
}

const struct job *
client_job(const struct client *client)
{
	return &client->job;
}

int
client_clean(struct client *client, struct err *err)
{
	struct layout_env env = client_layout(client);

	if (__atomic_load_n(&client->prepared, __ATOMIC_ACQUIRE) == PREPARED_NOT_YET ||
	    !client->has_files)
		return 0;
	return layout_clean(&env, err);
}

void
client_free(struct client *client)
{
	if (!client)
		return;
	if (client->has_preparer) {
		park_stop(client->board);
		pthread_join(client->preparer, NULL);
	}
	if (client->crew) {
		client->ops->stop(client->crew);
		client->ops->free(client->crew);
	}
	logs_free(client->logs);
	files_free(&client->files);
	guard_free(client->guard);
	job_free(&client->job);
	link_spec_free(&client->spec);
	if (client->event_fd >= 0)
		close(client->event_fd);
	free(client);
}
