/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fio's json+ as it arrives, document by document, into what each thread counted.
 */
#include "agent/worker/fio-out.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/mem.h"
#include "lib/fiojson/figures.h"

/* ---- finding documents ---- */

/* The end of the object that begins at `from`; 0: not there yet. */
static size_t
object_end(const char *text, size_t from, size_t len)
{
	bool quoted = false;
	unsigned depth = 0;

	for (size_t i = from; i < len; i++) {
		char c = text[i];

		if (quoted) {
			i += c == '\\';
			quoted = c != '"';
		} else if (c == '"') {
			quoted = true;
		} else if (c == '{') {
			depth++;
		} else if (c == '}' && --depth == 0) {
			return i + 1;
		}
	}
	return 0;
}

bool
fioout_next(const char *text, size_t len, size_t *ret_from, size_t *ret_to)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '{' || (i > 0 && text[i - 1] != '\n'))
			continue;
		*ret_from = i;
		*ret_to = object_end(text, i, len);
		return *ret_to != 0;
	}
	*ret_from = len;
	return false;
}

/* ---- one document ---- */

static int
take_dir(
    struct fioout_thread *thread, enum dir dir, const json_t *object, struct err *err)
{
	struct dir_tally *ret = &thread->dir[dir];
	struct fio_direction one;

	if (fio_direction_read(&one, object, err) < 0)
		return err_prefix(err, "%s", dir_name(dir));
	if (one.ios == 0)
		return 0;
	ret->slat = one.tally->slat;
	ret->clat = one.tally->clat;
	ret->lat = one.tally->lat;
	/* total_ios counts what was begun; with a ramp that is not what was done. */
	ret->phase[METER_INSIDE].ios = ret->clat.count ? ret->clat.count : one.ios;
	ret->phase[METER_INSIDE].bytes = one.bytes;
	thread->runtime_ms[dir] = one.runtime_ms;
	dir_tally_free(one.tally);
	free(one.tally);
	return 0;
}

static double
share(const json_t *job, const char *name)
{
	double value;

	return fio_number(job, name, &value) ? value / 100 : NAN;
}

static int
take_thread(struct fioout_thread *ret, const json_t *job, struct err *err)
{
	const json_t *sync = json_object_get(job, "sync");
	struct fio_direction notes = {0};

	ret->error = (int)fio_count(job, "error");
	ret->errors = fio_count(job, "total_err");
	ret->job_runtime_ms = fio_count(job, "job_runtime");
	ret->user = share(job, "usr_cpu");
	ret->sys = share(job, "sys_cpu");
	ret->usage = fio_usage_read(job);
	ret->latency_depth = fio_depth_read(job);
	for (int dir = 0; dir < DIR_COUNT; dir++)
		if (take_dir(ret, (enum dir)dir,
			json_object_get(job, dir_name((enum dir)dir)), err) < 0)
			return -1;
	return fio_latency_read(&ret->dir[DIR_WRITE].sync,
	    json_object_get(sync, "lat_ns"), fio_count(sync, "total_ios"), &notes, err);
}

int
fioout_parse(struct fioout *ret, const char *text, size_t len, struct err *err)
{
	json_error_t where;
	json_t *root = json_loadb(text, len, JSON_DECODE_INT_AS_REAL, &where);
	const json_t *jobs = json_object_get(root, "jobs");
	int rc = 0;

	*ret = (struct fioout){0};
	if (!json_is_array(jobs)) {
		err_set(err, ERR_PROTOCOL, "fio's output: %s",
		    root ? "no list \"jobs\"" : where.text);
		json_decref(root);
		return -1;
	}
	ret->n = json_array_size(jobs);
	ret->threads = mem_array(ret->n, sizeof *ret->threads);
	for (size_t i = 0; rc == 0 && i < ret->n; i++)
		rc = take_thread(&ret->threads[i], json_array_get(jobs, i), err);
	json_decref(root);
	if (rc < 0) {
		fioout_free(ret);
		return err_prefix(err, "fio's output");
	}
	return 0;
}

void
fioout_free(struct fioout *out)
{
	free(out->threads);
	*out = (struct fioout){0};
}
