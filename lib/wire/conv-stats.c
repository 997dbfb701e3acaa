/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tallies and samples.  Histograms travel as the buckets that are not empty; slots
 * and heats as they are, so that nothing a peer claims is larger here than there.
 */
#include "lib/wire/conv-impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "proto/stats.pb-c.h"

static Volley__Hist *
hist_msg_new(const struct hist *hist)
{
	Volley__Hist *msg;
	unsigned last = 0;

	if (!hist->count)
		return NULL;
	msg = mem_alloc(sizeof *msg);
	volley__hist__init(msg);
	msg->count = hist->count;
	msg->sum = hist->sum;
	msg->sumsq_lo = hist->sumsq_lo;
	msg->has_sumsq_hi = hist->sumsq_hi != 0;
	msg->sumsq_hi = hist->sumsq_hi;
	msg->min = hist->min;
	msg->max = hist->max;
	msg->step = mem_array(HIST_BUCKETS, sizeof *msg->step);
	msg->times = mem_array(HIST_BUCKETS, sizeof *msg->times);
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		if (!hist->bucket[i])
			continue;
		msg->step[msg->n_step++] = i - last;
		msg->times[msg->n_times++] = hist->bucket[i];
		last = i;
	}
	return msg;
}

static void
hist_msg_free(Volley__Hist *msg)
{
	if (!msg)
		return;
	free(msg->step);
	free(msg->times);
	free(msg);
}

/*
 * The sum of the buckets may differ from `count` by what was recorded while a
 * stalled worker was being read, so it is not asked to be equal.
 */
static int
hist_take(struct hist *ret, const Volley__Hist *msg, struct err *err)
{
	uint64_t index = 0;

	if (!msg)
		return 0;
	if (msg->n_step != msg->n_times)
		return err_set(err, ERR_PROTOCOL, "a histogram of %zu and %zu buckets",
		    msg->n_step, msg->n_times);
	if (!msg->count || msg->min > msg->max)
		return err_set(err, ERR_PROTOCOL,
		    "a histogram of %" PRIu64 " values from %" PRIu64 " to %" PRIu64,
		    msg->count, msg->min, msg->max);
	for (size_t i = 0; i < msg->n_step; i++) {
		index += msg->step[i];
		if (index >= HIST_BUCKETS || (i && !msg->step[i]) || !msg->times[i])
			return err_set(
			    err, ERR_PROTOCOL, "a histogram with a bad bucket");
		ret->bucket[index] = msg->times[i];
	}
	ret->count = msg->count;
	ret->sum = msg->sum;
	ret->sumsq_lo = msg->sumsq_lo;
	ret->sumsq_hi = msg->sumsq_hi;
	ret->min = msg->min;
	ret->max = msg->max;
	return 0;
}

static Volley__Slots *
slots_msg_new(const struct slots *slots)
{
	Volley__Slots *msg;

	if (!slots->n)
		return NULL;
	msg = mem_alloc(sizeof *msg);
	volley__slots__init(msg);
	msg->n_ios = msg->n_bytes = msg->n_lat_ns = slots->n;
	msg->ios = mem_array(slots->n, sizeof *msg->ios);
	msg->bytes = mem_array(slots->n, sizeof *msg->bytes);
	msg->lat_ns = mem_array(slots->n, sizeof *msg->lat_ns);
	for (size_t i = 0; i < slots->n; i++) {
		msg->ios[i] = slots->v[i].ios;
		msg->bytes[i] = slots->v[i].bytes;
		msg->lat_ns[i] = slots->v[i].lat_ns;
	}
	return msg;
}

static void
slots_msg_free(Volley__Slots *msg)
{
	if (!msg)
		return;
	free(msg->ios);
	free(msg->bytes);
	free(msg->lat_ns);
	free(msg);
}

static int
slots_take(struct slots *ret, const Volley__Slots *msg, struct err *err)
{
	if (!msg)
		return 0;
	if (msg->n_bytes != msg->n_ios || msg->n_lat_ns != msg->n_ios)
		return err_set(err, ERR_PROTOCOL, "slots of %zu, %zu and %zu values",
		    msg->n_ios, msg->n_bytes, msg->n_lat_ns);
	ret->n = msg->n_ios;
	ret->v = ret->n ? mem_array(ret->n, sizeof *ret->v) : NULL;
	for (size_t i = 0; i < ret->n; i++)
		ret->v[i] = (struct slot){msg->ios[i], msg->bytes[i], msg->lat_ns[i]};
	return 0;
}

/* Borrows the counts. */
static Volley__Heats *
heats_msg_new(const struct heats *heats)
{
	Volley__Heats *msg;

	if (!heats->n)
		return NULL;
	msg = mem_alloc(sizeof *msg);
	volley__heats__init(msg);
	msg->n_count = heats->n * HEAT_BUCKETS;
	msg->count = heats->v->count;
	return msg;
}

static int
heats_take(struct heats *ret, const Volley__Heats *msg, struct err *err)
{
	_Static_assert(sizeof(struct heat) == HEAT_BUCKETS * sizeof(uint32_t),
	    "a heat is nothing but its counts");

	if (!msg)
		return 0;
	if (msg->n_count % HEAT_BUCKETS)
		return err_set(err, ERR_PROTOCOL, "heats of %zu values", msg->n_count);
	ret->n = msg->n_count / HEAT_BUCKETS;
	ret->v = ret->n ? mem_copy(msg->count, ret->n * sizeof *ret->v) : NULL;
	return 0;
}

static void
dir_msg_free(Volley__DirTally *msg)
{
	free(msg->phase_ios);
	free(msg->phase_bytes);
	hist_msg_free(msg->slat);
	hist_msg_free(msg->clat);
	hist_msg_free(msg->lat);
	hist_msg_free(msg->drain);
	hist_msg_free(msg->response);
	hist_msg_free(msg->sync);
	slots_msg_free(msg->slots);
	free(msg->heats);
	free(msg);
}

static Volley__DirTally *
dir_msg_new(const struct dir_tally *dir)
{
	Volley__DirTally *msg = mem_alloc(sizeof *msg);

	volley__dir_tally__init(msg);
	msg->n_phase_ios = msg->n_phase_bytes = METER_PHASES;
	msg->phase_ios = mem_array(METER_PHASES, sizeof *msg->phase_ios);
	msg->phase_bytes = mem_array(METER_PHASES, sizeof *msg->phase_bytes);
	for (int p = 0; p < METER_PHASES; p++) {
		msg->phase_ios[p] = dir->phase[p].ios;
		msg->phase_bytes[p] = dir->phase[p].bytes;
	}
	msg->slat = hist_msg_new(&dir->slat);
	msg->clat = hist_msg_new(&dir->clat);
	msg->lat = hist_msg_new(&dir->lat);
	msg->drain = hist_msg_new(&dir->drain);
	msg->response = hist_msg_new(&dir->response);
	msg->sync = hist_msg_new(&dir->sync);
	msg->slots = slots_msg_new(&dir->slots);
	msg->heats = heats_msg_new(&dir->heats);
	msg->has_slot_overflow = dir->slot_overflow != 0;
	msg->slot_overflow = dir->slot_overflow;
	msg->has_last_from_ns = msg->has_first_to_ns = dir->times.own;
	msg->has_busy_ns = dir->times.own;
	msg->last_from_ns = dir->times.last_from_ns;
	msg->first_to_ns = dir->times.first_to_ns;
	msg->busy_ns = dir->times.busy_ns;
	return msg;
}

static int
dir_take(struct dir_tally *ret, const Volley__DirTally *msg, struct err *err)
{
	if (!msg)
		return 0;
	if (msg->n_phase_ios != METER_PHASES || msg->n_phase_bytes != METER_PHASES)
		return err_set(err, ERR_PROTOCOL, "a tally of %zu and %zu phases",
		    msg->n_phase_ios, msg->n_phase_bytes);
	for (int p = 0; p < METER_PHASES; p++) {
		ret->phase[p].ios = msg->phase_ios[p];
		ret->phase[p].bytes = msg->phase_bytes[p];
	}
	ret->slot_overflow = msg->slot_overflow;
	if (msg->has_last_from_ns != msg->has_first_to_ns ||
	    msg->has_first_to_ns != msg->has_busy_ns)
		return err_set(err, ERR_PROTOCOL, "times of a direction, but not all");
	ret->times = (struct dir_times){.own = msg->has_busy_ns,
	    .last_from_ns = msg->last_from_ns,
	    .first_to_ns = msg->first_to_ns,
	    .busy_ns = msg->busy_ns};
	if (hist_take(&ret->slat, msg->slat, err) ||
	    hist_take(&ret->clat, msg->clat, err) ||
	    hist_take(&ret->lat, msg->lat, err) ||
	    hist_take(&ret->drain, msg->drain, err) ||
	    hist_take(&ret->response, msg->response, err) ||
	    hist_take(&ret->sync, msg->sync, err) ||
	    slots_take(&ret->slots, msg->slots, err) ||
	    heats_take(&ret->heats, msg->heats, err))
		return -1;
	return 0;
}

static void
usage_put(Volley__Tally *msg, const struct tally *tally)
{
	const struct tally_usage *usage = &tally->usage;

	msg->has_context_switches = usage->known;
	msg->has_major_faults = msg->has_minor_faults = usage->known;
	msg->context_switches = usage->switches;
	msg->major_faults = usage->major_faults;
	msg->minor_faults = usage->minor_faults;
	msg->has_latency_depth = tally->latency_depth != 0;
	msg->latency_depth = tally->latency_depth;
}

static struct payload
pack_one(uint64_t run_id, const struct tally *tally)
{
	Volley__Tally msg = VOLLEY__TALLY__INIT;
	struct payload payload;

	msg.run_id = run_id;
	msg.start_ns = tally->start_ns;
	msg.window_from = tally->window_from;
	msg.has_window_to = tally->window_to != UINT64_MAX;
	msg.window_to = tally->window_to;
	msg.has_first_io_ns = msg.has_last_first_io_ns = tally->has_first_io;
	msg.first_io_ns = tally->first_io_ns;
	msg.last_first_io_ns = tally->last_first_io_ns;
	msg.has_first_end_ns = msg.has_end_ns = msg.has_threads = true;
	msg.first_end_ns = tally->first_end_ns;
	msg.end_ns = tally->end_ns;
	msg.threads = tally->threads;
	msg.has_outstanding = msg.has_oldest_outstanding_ns = true;
	msg.outstanding = tally->outstanding;
	msg.oldest_outstanding_ns = tally->oldest_outstanding_ns;
	msg.has_io_errors = true;
	msg.io_errors = tally->io_errors;
	msg.has_cpu_user_ns = msg.has_cpu_sys_ns = msg.has_cpu_wall_ns = true;
	msg.cpu_user_ns = tally->cpu_user_ns;
	msg.cpu_sys_ns = tally->cpu_sys_ns;
	msg.cpu_wall_ns = tally->cpu_wall_ns;
	usage_put(&msg, tally);
	msg.has_fifo = msg.has_direct = true;
	msg.fifo = tally->fifo;
	msg.direct = tally->direct;
	msg.has_first_io_bound_ns = tally->first_io_bound_ns != 0;
	msg.first_io_bound_ns = tally->first_io_bound_ns;
	msg.has_window_own = msg.window_own = tally->window_own;
	msg.runner = tally->runner[0] ? (char *)(uintptr_t)tally->runner : NULL;
	msg.read = dir_msg_new(&tally->dir[DIR_READ]);
	msg.write = dir_msg_new(&tally->dir[DIR_WRITE]);
	payload = conv_pack(&msg.base);
	dir_msg_free(msg.read);
	dir_msg_free(msg.write);
	return payload;
}

/* The sum is left out: whoever reads the jobs can add them up. */
static struct payload
pack_jobs(uint64_t run_id, const struct tally *tally)
{
	Volley__Tally msg = VOLLEY__TALLY__INIT;
	ProtobufCBinaryData *jobs = mem_array(tally->njobs, sizeof *jobs);
	struct payload payload;

	for (size_t i = 0; i < tally->njobs; i++) {
		struct payload job = pack_one(run_id, tally->jobs[i]);

		jobs[i] = (ProtobufCBinaryData){.data = job.data, .len = job.len};
	}
	msg.run_id = run_id;
	msg.start_ns = tally->start_ns;
	msg.window_from = tally->window_from;
	msg.n_job = tally->njobs;
	msg.job = jobs;
	payload = conv_pack(&msg.base);
	for (size_t i = 0; i < tally->njobs; i++)
		free(jobs[i].data);
	free(jobs);
	return payload;
}

struct payload
pack_tally(uint64_t run_id, const struct tally *tally)
{
	return tally->njobs ? pack_jobs(run_id, tally) : pack_one(run_id, tally);
}

static void
usage_take(struct tally *ret, const Volley__Tally *msg)
{
	ret->latency_depth = msg->latency_depth;
	if (!msg->has_context_switches || !msg->has_major_faults || !msg->has_minor_faults)
		return;
	ret->usage = (struct tally_usage){.known = true,
	    .switches = msg->context_switches,
	    .major_faults = msg->major_faults,
	    .minor_faults = msg->minor_faults};
}

static int
tally_take(struct tally *ret, const Volley__Tally *msg, struct err *err)
{
	ret->start_ns = msg->start_ns;
	ret->window_from = msg->window_from;
	ret->window_to = msg->has_window_to ? msg->window_to : UINT64_MAX;
	if (ret->window_from > ret->window_to)
		return err_set(err, ERR_PROTOCOL,
		    "a window from %" PRIu64 " to %" PRIu64, ret->window_from,
		    ret->window_to);
	if (msg->has_first_io_ns != msg->has_last_first_io_ns ||
	    msg->first_io_ns > msg->last_first_io_ns)
		return err_set(err, ERR_PROTOCOL,
		    "first I/Os from %" PRId64 " to %" PRId64, msg->first_io_ns,
		    msg->last_first_io_ns);
	ret->has_first_io = msg->has_first_io_ns;
	ret->first_io_ns = msg->first_io_ns;
	ret->last_first_io_ns = msg->last_first_io_ns;
	ret->first_end_ns = msg->first_end_ns;
	ret->end_ns = msg->end_ns;
	ret->threads = msg->threads;
	ret->outstanding = msg->outstanding;
	ret->oldest_outstanding_ns = msg->oldest_outstanding_ns;
	ret->io_errors = msg->io_errors;
	ret->cpu_user_ns = msg->cpu_user_ns;
	ret->cpu_sys_ns = msg->cpu_sys_ns;
	ret->cpu_wall_ns = msg->cpu_wall_ns;
	usage_take(ret, msg);
	ret->fifo = msg->fifo;
	ret->direct = msg->direct;
	ret->first_io_bound_ns = msg->first_io_bound_ns;
	ret->window_own = msg->window_own;
	if (msg->runner)
		snprintf(ret->runner, sizeof ret->runner, "%s", msg->runner);
	if (dir_take(&ret->dir[DIR_READ], msg->read, err))
		return err_prefix(err, "read");
	if (dir_take(&ret->dir[DIR_WRITE], msg->write, err))
		return err_prefix(err, "write");
	return 0;
}

static struct tally *
one_take(const Volley__Tally *msg, struct err *err)
{
	struct tally *tally = tally_new();

	if (tally_take(tally, msg, err) == 0)
		return tally;
	tally_free(tally);
	return NULL;
}

/* One level deep: a job has no jobs. */
static struct tally *
job_of_bytes(const ProtobufCBinaryData *bytes, uint64_t run_id, struct err *err)
{
	Volley__Tally *msg = conv_unpack(&volley__tally__descriptor, bytes->data,
	    bytes->len, "a job's tally", err);
	struct tally *tally = NULL;

	if (!msg)
		return NULL;
	if (msg->n_job || msg->run_id != run_id)
		err_set(err, ERR_PROTOCOL, "a job's tally that is not one");
	else
		tally = one_take(msg, err);
	proto_free(msg);
	return tally;
}

static struct tally *
jobs_take(const Volley__Tally *msg, struct err *err)
{
	struct tally **jobs, *ret = NULL;
	size_t n = 0;

	if (msg->n_job == 1 || msg->n_job > CONV_JOBS_MAX) {
		err_set(err, ERR_PROTOCOL, "a tally of %zu jobs", msg->n_job);
		return NULL;
	}
	jobs = mem_array(msg->n_job, sizeof *jobs);
	while (n < msg->n_job && (jobs[n] = job_of_bytes(&msg->job[n], msg->run_id, err)))
		n++;
	if (n == msg->n_job)
		ret = tally_of_jobs(jobs, n);
	for (size_t i = 0; !ret && i < n; i++)
		tally_free(jobs[i]);
	free(jobs);
	return ret;
}

int
unpack_tally(uint64_t *ret_run_id, struct tally **ret, const uint8_t *data, size_t len,
    struct err *err)
{
	Volley__Tally *msg =
	    conv_unpack(&volley__tally__descriptor, data, len, "a tally", err);

	*ret = NULL;
	*ret_run_id = 0;
	if (!msg)
		return -1;
	*ret = msg->n_job ? jobs_take(msg, err) : one_take(msg, err);
	if (*ret)
		*ret_run_id = msg->run_id;
	proto_free(msg);
	return *ret ? 0 : -1;
}

struct payload
pack_sample(const struct sample *sample)
{
	Volley__Sample msg = VOLLEY__SAMPLE__INIT;
	Volley__SampleDir dirs[DIR_COUNT];

	msg.run_id = sample->run_id;
	msg.at_ns = sample->at_ns;
	msg.has_outstanding = true;
	msg.outstanding = sample->outstanding;
	for (int d = 0; d < DIR_COUNT; d++) {
		volley__sample_dir__init(&dirs[d]);
		dirs[d].has_ios = dirs[d].has_bytes = true;
		dirs[d].has_lat_sum_ns = dirs[d].has_lat_count = true;
		dirs[d].ios = sample->dir[d].ios;
		dirs[d].bytes = sample->dir[d].bytes;
		dirs[d].lat_sum_ns = sample->dir[d].lat_sum_ns;
		dirs[d].lat_count = sample->dir[d].lat_count;
	}
	msg.read = &dirs[DIR_READ];
	msg.write = &dirs[DIR_WRITE];
	return conv_pack(&msg.base);
}

static void
sample_dir_take(struct sample *ret, enum dir dir, const Volley__SampleDir *msg)
{
	if (!msg)
		return;
	ret->dir[dir].ios = msg->ios;
	ret->dir[dir].bytes = msg->bytes;
	ret->dir[dir].lat_sum_ns = msg->lat_sum_ns;
	ret->dir[dir].lat_count = msg->lat_count;
}

int
unpack_sample(struct sample *ret, const uint8_t *data, size_t len, struct err *err)
{
	Volley__Sample *msg =
	    conv_unpack(&volley__sample__descriptor, data, len, "a sample", err);

	memset(ret, 0, sizeof *ret);
	if (!msg)
		return -1;
	ret->run_id = msg->run_id;
	ret->at_ns = msg->at_ns;
	ret->outstanding = msg->outstanding;
	sample_dir_take(ret, DIR_READ, msg->read);
	sample_dir_take(ret, DIR_WRITE, msg->write);
	proto_free(msg);
	return 0;
}
