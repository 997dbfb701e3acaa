/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs: life, setting options by name, the canonical text, and what follows from the
 * options.  The options themselves are rows of option-table.c.
 */
#include "lib/work/job.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/work/option.h"

#define COMPRESS_CHUNK 512 /* as in fio */

void
job_init(struct job *job)
{
	*job = (struct job){
	    .name = mem_strdup("job"),
	    .ioengine = mem_strdup("psync"),
	    .rw = JOB_READ,
	    .rwmixread = 50,
	    .bs = {4096, 4096},
	    .nrfiles = 1,
	    .iodepth = 1,
	    .iodepth_batch = 1,
	    .iodepth_batch_complete_min = 1,
	    .numjobs = 1,
	    .direct = JOB_BUFFERED,
	    .thinktime_blocks = 1,
	    .layout = JOB_LAYOUT_FILES,
	    .fault = {.error_errno = EIO},
	    .access = {.center = -1, .percentage_random = {100, 100}},
	    .files = {.create_serialize = true,
		.create_fsync = true,
		.allow_create = true,
		.invalidate = true},
	    .amount = {.loops = 1},
	    .verify = {.check = true},
	    .data = {.scramble = true,
		.compress_chunk = COMPRESS_CHUNK,
		.dedupe_working_set_percent = 5},
	    .pacing = {.cycle_ns = UNITS_NS_PER_S, .target_percentile = 100},
	    .net = {.port = JOB_NET_PORT},
	    .output = {.per_job_logs = true,
		.clat_percentiles = true,
		.significant_figures = 4},
	};
}

/* The texts a job owns. */
static char **
text_of(struct job *job, size_t i)
{
	char **const texts[] = {&job->name, &job->ioengine, &job->directory,
	    &job->filename, &job->user, &job->description, &job->files.list,
	    &job->files.format, &job->files.opendir, &job->process.cpus,
	    &job->process.numa_cpus, &job->process.numa_mem, &job->process.prerun,
	    &job->process.postrun, &job->output.bw_log, &job->output.iops_log,
	    &job->output.lat_log, &job->output.hist_log, &job->net.hostname,
	    &job->net.export, &job->net.key_file, &job->net.device};

	return i < sizeof texts / sizeof *texts ? texts[i] : NULL;
}

void
job_free(struct job *job)
{
	for (size_t i = 0; text_of(job, i); i++)
		free(*text_of(job, i));
	memset(job, 0, sizeof *job);
}

void
job_copy(struct job *ret, const struct job *job)
{
	*ret = *job;
	for (size_t i = 0; text_of(ret, i); i++)
		*text_of(ret, i) = mem_strdup(*text_of(ret, i));
}

static int
unknown_option(const char *name, struct err *err)
{
	char *lower;
	const char *near;
	size_t n = 0;

	if (fio_knows_option(name))
		return err_set(err, ERR_UNSUPPORTED,
		    "option '%s' of fio is not supported; docs/fio-options.md says why",
		    name);
	while (job_option_names()[n])
		n++;
	lower = mem_strdup(name);
	for (char *c = lower; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	near = str_nearest(lower, job_option_names(), n);
	if (near)
		err_set(err, ERR_USAGE, "unknown option '%s'; did you mean '%s'?", name,
		    near);
	else
		err_set(err, ERR_USAGE, "unknown option '%s'", name);
	free(lower);
	return -1;
}

static int
check_text(const char *value, struct err *err)
{
	if (*value == '\0')
		return err_set(err, ERR_USAGE, "the value is empty");
	if (isblank((unsigned char)*value))
		return err_set(err, ERR_USAGE, "blank before the value '%s'", value);
	if (isblank((unsigned char)value[strlen(value) - 1]))
		return err_set(err, ERR_USAGE, "blank after the value '%s'", value);
	for (const char *c = value; *c; c++)
		if (iscntrl((unsigned char)*c))
			return err_set(err, ERR_USAGE,
			    "control character 0x%02x in the value",
			    (unsigned)(unsigned char)*c);
	return 0;
}

/* Nothing changes unless the worker honours the new value. */
static int
set_supported(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	struct job after;

	job_copy(&after, job);
	if (option->kind->parse(&after, option, value, err) ||
	    job_supports(&after, option->name, err)) {
		job_free(&after);
		return -1;
	}
	job_free(job);
	*job = after;
	return 0;
}

int
job_set(struct job *job, const char *name, const char *value, struct err *err)
{
	const struct option *option = option_find(name);

	if (!option)
		return unknown_option(name, err);
	if (!value && option->kind->bare)
		value = "1";
	if (!value)
		return err_set(err, ERR_USAGE, "%s: a value is missing", name);
	if (check_text(value, err) || set_supported(job, option, value, err))
		return err_prefix(err, "%s", name);
	return 0;
}

bool
job_is_sync(const struct job *job)
{
	static const char *const engines[] = {
	    "psync", "sync", "vsync", "pvsync", "pvsync2", "mmap", NULL};

	for (int i = 0; engines[i]; i++)
		if (strcmp(job->ioengine, engines[i]) == 0)
			return true;
	return false;
}

void
job_each(const struct job *job, job_each_fn *fn, void *arg)
{
	struct job plain;
	struct str value = {0}, usual = {0};

	job_init(&plain);
	for (const struct option *o = option_table; o->name; o++) {
		bool has_usual;

		str_clear(&value);
		str_clear(&usual);
		if (!o->kind->format || !o->kind->format(job, o, &value))
			continue;
		has_usual = o->kind->format(&plain, o, &usual);
		fn(arg, o->name, value.s, o->kind->number && !strchr(value.s, ','),
		    has_usual && strcmp(value.s, usual.s) == 0);
	}
	str_free(&value);
	str_free(&usual);
	job_free(&plain);
}

static void
format_one(
    void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	(void)is_number;
	if (!is_default)
		str_addf(arg, "%s=%s\n", name, value);
}

void
job_format(const struct job *job, struct str *ret)
{
	job_each(job, format_one, ret);
}

const char *
job_option_doc(const char *name)
{
	const struct option *option = option_find(name);

	return option ? option->doc : NULL;
}

const char *
job_option_name(const char *name)
{
	const struct option *option = option_find(name);

	return option ? option->name : NULL;
}

const char *
job_rw_name(enum job_rw rw)
{
	static const char *const names[] = {
	    "read", "write", "randread", "randwrite", "rw", "randrw"};

	return (unsigned)rw < sizeof names / sizeof *names ? names[rw] : "unknown";
}

bool
job_rw_random(enum job_rw rw)
{
	return rw == JOB_RANDREAD || rw == JOB_RANDWRITE || rw == JOB_RANDRW;
}

bool
job_rw_has(const struct job *job, enum dir dir)
{
	switch (job->rw) {
	case JOB_READ:
	case JOB_RANDREAD: return dir == DIR_READ;
	case JOB_WRITE:
	case JOB_RANDWRITE: return dir == DIR_WRITE;
	case JOB_RW:
	case JOB_RANDRW: return true;
	}
	return false;
}

bool
job_writes(const struct job *job)
{
	bool only = job->verify.kind != JOB_VERIFY_NONE && job->verify.only;

	return job_rw_has(job, DIR_WRITE) && !only;
}

bool
job_renews_files(const struct job *job)
{
	return job->files.unlink_each_loop && job->amount.loops > 1;
}

bool
job_reads_back(const struct job *job)
{
	return job->verify.kind != JOB_VERIFY_NONE && job->verify.check &&
	       job_writes(job);
}

uint64_t
job_duration_ns(const struct job *job)
{
	uint64_t delay = job->process.startdelay_max_ns > job->process.startdelay_ns
			     ? job->process.startdelay_max_ns
			     : job->process.startdelay_ns;

	return job->runtime_ns ? delay + job->ramp_ns + job->runtime_ns : 0;
}

/* As in fio: its usual errors say that the storage failed, not that the job is wrong. */
bool
job_tolerates(const struct job *job, enum job_error_kind kind, int errnum)
{
	static const int flags[] = {[JOB_ERROR_READ] = JOB_ON_READ,
	    [JOB_ERROR_WRITE] = JOB_ON_WRITE,
	    [JOB_ERROR_VERIFY] = JOB_ON_VERIFY};
	const struct job_errors *list = &job->process.ignore[kind];

	if (list->n == 0)
		return (job->process.continue_on & flags[kind]) &&
		       (errnum == EIO || errnum == EILSEQ);
	for (unsigned i = 0; i < list->n; i++)
		if (list->v[i] == errnum)
			return true;
	return false;
}

uint64_t
job_offset(const struct job *job, unsigned thread)
{
	return job->offset + job->amount.offset_increment * thread;
}

uint64_t
job_file_bytes(const struct job *job)
{
	return job->nrfiles ? job->size / job->nrfiles : job->size;
}

bool
job_is_device_path(const char *path)
{
	return str_starts(path, "/dev/") && !str_starts(path, "/dev/shm/");
}

bool
job_on_device(const struct job *job)
{
	return job->filename && job_is_device_path(job->filename);
}

bool
job_makes_files(const struct job *job)
{
	const struct job_files *files = &job->files;

	return !job_rw_has(job, DIR_READ) && !files->overwrite &&
	       job->layout != JOB_LAYOUT_NONE && !job_on_device(job) &&
	       strcmp(job->ioengine, "mmap") != 0 && /* cannot make a file longer */
	       (job->layout == JOB_LAYOUT_FIO || files->create_on_open ||
		   files->fill_device || files->file_append);
}

bool
job_wants_logs(const struct job *job)
{
	const struct job_output *output = &job->output;

	return output->bw_log || output->iops_log || output->lat_log ||
	       (output->hist_log && output->log_hist_ns);
}
