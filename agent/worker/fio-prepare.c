/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything until fio runs.  Files are opened here, beneath what is allowed, and fio
 * gets them as /proc/self/fd/N: it opens the very file that was checked, and no path
 * is walked again.  The job file is in memory, and so is the gate's program, so the
 * folder holds nothing but fio's logs at its end.
 */
#include "agent/worker/fio-crew.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/engine/engine.h"
#include "lib/base/mem.h"

static int
check_program(struct fiocrew *crew, struct err *err)
{
	char *text;
	int rc;

	crew->program = fioproc_find("fio", err);
	if (!crew->program)
		return -1;
	text = fioproc_version(crew->program, err);
	if (!text)
		return -1;
	rc = runner_fio_version(text, &crew->version, err);
	snprintf(
	    crew->name, sizeof crew->name, "%.*s", (int)strcspn(text, "\r\n "), text);
	free(text);
	return rc < 0 ? err_prefix(err, "%s", crew->program) : 0;
}

/*
 * fio would write what is missing, or make the file anew, and it cannot unlink what it
 * has as a descriptor.  Where it should write into a new file (layout=fio), it gets
 * one that has its size already, and its space as far as fallocate reserved it.
 */
static int
check_size(struct fiocrew *crew, const char *path, size_t index,
    const struct guard_file *file, struct err *err)
{
	const struct job *job = crew->env.job;
	uint64_t need = files_need(crew->env.files, job, index);

	if (file->size >= need)
		return 0;
	if (!file->is_device && job_makes_files(job))
		return ftruncate(file->fd, (off_t)need) == 0
			   ? 0
			   : err_sys(err, errno, "%s: set its size", path);
	return err_set(err, ERR_USAGE,
	    "%s: the job wants bytes up to %llu, but it has %llu", path,
	    (unsigned long long)need, (unsigned long long)file->size);
}

static int
open_file(struct fiocrew *crew, size_t index, struct err *err)
{
	const struct job *job = crew->env.job;
	const char *path = crew->env.files->paths.v[index];
	struct guard_file file;

	if (guard_open(crew->env.guard, path, job_rw_has(job, DIR_WRITE), false,
		(int)job->direct, &file, err) < 0)
		return -1;
	vec_push(&crew->files, file.fd);
	crew->direct = crew->direct && file.direct;
	/* Else fio does it after T, when it opens the file. */
	(void)posix_fadvise(file.fd, 0, 0, POSIX_FADV_DONTNEED);
	return check_size(crew, path, index, &file, err);
}

static int
open_files(struct fiocrew *crew, struct err *err)
{
	const struct engine_ops *ops = engine_find(crew->env.job->ioengine, err);
	bool real = !(ops && (ops->caps & ENGINE_NOFILE));

	crew->direct = true;
	for (size_t i = 0; real && i < crew->env.files->paths.n; i++)
		if (open_file(crew, i, err) < 0)
			return -1;
	if (crew->files.n == 0)
		crew->direct = crew->env.job->direct == JOB_DIRECT;
	crew->env.board->head->direct = crew->files.n > 0 && crew->direct;
	return 0;
}

static int
open_pipes(struct fiocrew *crew, struct err *err)
{
	crew->exe_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (crew->exe_fd < 0)
		return err_sys(err, errno, "/proc/self/exe");
	if (pipe2(crew->gate_fd, O_CLOEXEC) < 0 ||
	    pipe2(crew->report_fd, O_CLOEXEC) < 0)
		return err_sys(err, errno, "pipe");
	fcntl(crew->report_fd[0], F_SETFL, O_NONBLOCK);
	return fioproc_folder(&crew->folder, &crew->folder_fd, err);
}

/*
 * fio appends "> NAME.prerun.txt 2>&1" to the commands.  After `exec` nothing is left
 * that would do so, but for `||:`, which takes it: no such file is ever made, and the
 * gate's end is what fio waits for, with no shell in between.
 */
static char *
gate_command(const struct fiocrew *crew, const char *when)
{
	return mem_printf("exec /proc/self/fd/%d fio-gate %s %%u %d %d ||:",
	    crew->exe_fd, when, crew->gate_fd[0], crew->report_fd[1]);
}

static void
format_job(const struct fiocrew *crew, struct str *ret)
{
	struct runner_fio_env env = {
	    .job = crew->env.job,
	    .version = crew->version,
	    .direct = crew->direct,
	    .log_prefix = FIOCREW_LOG_PREFIX,
	    .bytes = crew->env.files->bytes,
	};
	char *before = gate_command(crew, "before");
	char *after = gate_command(crew, "after");

	env.before = before;
	env.after = after;
	env.per_thread = crew->files.n ? crew->env.files->per_thread : 0;
	for (unsigned t = 0; t < env.job->numjobs; t++)
		for (unsigned f = 0; f < env.per_thread; f++)
			vec_push(&env.paths,
			    mem_printf("/proc/self/fd/%d",
				crew->files.v[files_index(crew->env.files, t, f)]));
	runner_fio_format(&env, ret);
	for (vec_each(const char **, path, &env.paths))
		free((void *)(uintptr_t)*path);
	vec_free(&env.paths);
	free(before);
	free(after);
}

static int
write_job(struct fiocrew *crew, struct err *err)
{
	struct str text = {0};
	size_t done = 0;

	crew->job_fd = memfd_create("volley-fio-job", MFD_CLOEXEC);
	if (crew->job_fd < 0)
		return err_sys(err, errno, "fio's job file");
	format_job(crew, &text);
	while (done < text.len) {
		ssize_t n = write(crew->job_fd, text.s + done, text.len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			str_free(&text);
			return err_sys(err, errno, "fio's job file");
		}
		done += (size_t)n;
	}
	str_free(&text);
	return 0;
}

static int
start(struct fiocrew *crew, struct err *err)
{
	char job[64];
	char *argv[] = {crew->program, (char *)(uintptr_t) "--output-format=json+",
	    (char *)(uintptr_t) "--eta=never", job, NULL};
	VEC(int) keep = {0};
	int rc;

	snprintf(job, sizeof job, "/proc/self/fd/%d", crew->job_fd);
	vec_push(&keep, crew->job_fd);
	vec_push(&keep, crew->exe_fd);
	vec_push(&keep, crew->gate_fd[0]);
	vec_push(&keep, crew->report_fd[1]);
	for (vec_each(const int *, fd, &crew->files))
		vec_push(&keep, *fd);
	rc = fioproc_start(&crew->proc, argv, crew->folder_fd, keep.v, keep.n, err);
	vec_free(&keep);
	close(crew->gate_fd[0]);
	close(crew->report_fd[1]);
	crew->gate_fd[0] = crew->report_fd[1] = -1;
	return rc;
}

int
fiocrew_prepare(struct fiocrew *crew, struct err *err)
{
	struct board_head *head = crew->env.board->head;

	if (check_program(crew, err) < 0 || open_files(crew, err) < 0 ||
	    open_pipes(crew, err) < 0 || write_job(crew, err) < 0)
		return -1;
	memcpy(head->runner, crew->name, sizeof head->runner);
	head->window_own = crew->env.job->time_based;
	for (unsigned t = 0; t < crew->env.job->numjobs; t++)
		meter_init(
		    board_meter(crew->env.board, t), crew->env.board->duration_ns);
	return start(crew, err);
}

static void
close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void
fiocrew_release(struct fiocrew *crew)
{
	if (crew->proc.pid > 0)
		(void)fioproc_end(&crew->proc, NULL, NULL);
	for (int end = 0; end < 2; end++) {
		close_one(&crew->gate_fd[end]);
		close_one(&crew->report_fd[end]);
	}
	close_one(&crew->exe_fd);
	close_one(&crew->job_fd);
	for (vec_each(int *, fd, &crew->files))
		close(*fd);
	vec_free(&crew->files);
	if (crew->folder)
		fioproc_remove_folder(crew->folder);
	close_one(&crew->folder_fd);
	free(crew->folder);
	crew->folder = NULL;
	free(crew->program);
	crew->program = NULL;
	str_free(&crew->out);
	str_free(&crew->chatter);
	str_free(&crew->errors);
	fioout_free(&crew->last);
}

/* "…/proc/self/fd/17…" */
char *
fiocrew_translate(const struct fiocrew *crew, const char *text)
{
	static const char mark[] = "/proc/self/fd/";
	struct str ret = {0};

	while (*text) {
		const char *at = strstr(text, mark);
		char *end;
		size_t i = 0;

		if (!at)
			break;
		long fd = strtol(at + strlen(mark), &end, 10);
		while (i < crew->files.n && crew->files.v[i] != fd)
			i++;
		str_addn(&ret, text, (size_t)(at - text));
		if (i < crew->files.n)
			str_add(&ret, crew->env.files->paths.v[i]);
		else
			str_addn(&ret, at, (size_t)(end - at));
		text = end;
	}
	str_add(&ret, text);
	return str_take(&ret);
}
