/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs of single I/Os and of averages.
 */
#include "agent/worker/iolog.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "agent/worker/logs.h"
#include "lib/base/mem.h"
#include "lib/stats/hist.h"

#define NS_PER_MS UINT64_C(1000000)
#define FIO_BUCKETS 1856u /* fio's histogram ends with 2^34 ns */
#define STREAM_BUFFER (256u * 1024)

struct stream {
	struct iolog_file to;
	struct {
		uint64_t n, sum, max; /* of the latencies in this window */
	} now[DIR_COUNT];
};

struct iolog {
	struct logs *logs; /* NULL: files */
	struct stream streams[IOLOG_KINDS];
	uint64_t from_ns, offset_ms;
	uint64_t window_ns, window_from; /* ns since from_ns; window 0: each I/O */
	uint64_t hist_ns, hist_from;
	unsigned coarseness;
	bool max, with_offset, unix_epoch;
	struct {
		uint64_t ios, bytes; /* of this window */
		uint64_t bs;	     /* of the latest I/O */
		bool hist_any;
		uint32_t hist[FIO_BUCKETS];
	} dir[DIR_COUNT];
};

const char *
iolog_kind_name(enum iolog_kind kind)
{
	static const char *const names[] = {
	    "bw", "iops", "slat", "clat", "lat", "clat_hist"};

	return names[kind];
}

static const char *
iolog_prefix(const struct job_output *output, enum iolog_kind kind)
{
	switch (kind) {
	case IOLOG_BW: return output->bw_log;
	case IOLOG_IOPS: return output->iops_log;
	case IOLOG_HIST: return output->log_hist_ns ? output->hist_log : NULL;
	default: return output->lat_log;
	}
}

int
iolog_file_open(struct iolog_file *ret, const struct job_output *output,
    enum iolog_kind kind, unsigned number, struct logs *logs, struct err *err)
{
	const char *prefix = iolog_prefix(output, kind), *name = iolog_kind_name(kind);
	bool per_job = output->per_job_logs;

	*ret = (struct iolog_file){0};
	if (!prefix)
		return 0;
	ret->path = per_job ? mem_printf("%s_%s.%u.log", prefix, name, number)
			    : mem_printf("%s_%s.log", prefix, name);
	if (logs)
		ret->file = logs_open(logs, ret->path, err);
	else if (!(ret->file = fopen(ret->path, per_job ? "we" : "ae")))
		err_sys(err, errno, "log %s", ret->path);
	if (!ret->file)
		return -1;
	/* Lines of several threads never mix: each write ends with a line. */
	setvbuf(ret->file, NULL, per_job ? _IOFBF : _IOLBF, STREAM_BUFFER);
	return 0;
}

int
iolog_file_close(struct iolog_file *file, struct logs *logs, struct err *err)
{
	int rc = 0;

	if (file->file && (ferror(file->file) | fclose(file->file)))
		rc = logs && logs_overflowed(logs, err)
			 ? -1
			 : err_sys(err, errno, "log %s", file->path);
	file->file = NULL;
	return rc;
}

int
iolog_new(struct iolog **ret, const struct job *job, unsigned number, struct logs *logs,
    struct err *err)
{
	const struct job_output *output = &job->output;
	struct iolog *log = mem_alloc(sizeof *log);

	log->logs = logs;
	log->window_ns = output->log_avg_ns;
	log->hist_ns = output->log_hist_ns;
	log->coarseness = output->log_hist_coarseness;
	log->max = output->log_max;
	log->with_offset = output->log_offset;
	log->unix_epoch = output->log_unix_epoch;
	for (int k = 0; k < IOLOG_KINDS; k++)
		if (iolog_file_open(&log->streams[k].to, output, (enum iolog_kind)k,
			number, logs, err) < 0) {
			iolog_free(log);
			return -1;
		}
	*ret = log;
	return 0;
}

void
iolog_start(struct iolog *log, uint64_t from_ns, uint64_t unix_ms)
{
	log->from_ns = from_ns;
	log->offset_ms = log->unix_epoch ? unix_ms : 0;
}

static void
put_line(const struct iolog *log, enum iolog_kind kind, uint64_t at_ns, uint64_t value,
    int dir, uint64_t bytes, uint64_t offset)
{
	FILE *file = log->streams[kind].to.file;

	if (!file)
		return;
	fprintf(file, "%" PRIu64 ", %" PRIu64 ", %d, %" PRIu64 ", ",
	    at_ns / NS_PER_MS + log->offset_ms, value, dir, bytes);
	if (log->with_offset)
		fprintf(file, "%" PRIu64 ", 0\n", offset);
	else
		fputs("0\n", file);
}

/* One line for each direction that had something in the window that ends at `to`. */
static void
close_window(struct iolog *log, uint64_t to)
{
	double s = (double)(to - log->window_from) / 1e9;

	for (int d = 0; d < DIR_COUNT; d++) {
		for (int k = IOLOG_SLAT; k <= IOLOG_LAT; k++) {
			struct stream *stream = &log->streams[k];
			uint64_t n = stream->now[d].n;

			if (n)
				put_line(log, (enum iolog_kind)k, to,
				    log->max ? stream->now[d].max
					     : (stream->now[d].sum + n / 2) / n,
				    d, 0, 0);
			stream->now[d].n = stream->now[d].sum = stream->now[d].max = 0;
		}
		if (log->dir[d].ios && s > 0) {
			put_line(log, IOLOG_BW, to,
			    (uint64_t)((double)log->dir[d].bytes / s / 1024), d, 0, 0);
			put_line(log, IOLOG_IOPS, to,
			    (uint64_t)((double)log->dir[d].ios / s + 0.5), d, 0, 0);
		}
		log->dir[d].ios = log->dir[d].bytes = 0;
	}
	log->window_from = to;
}

static void
close_hist(struct iolog *log, uint64_t at)
{
	FILE *file = log->streams[IOLOG_HIST].to.file;
	unsigned step = 1u << log->coarseness;

	for (int d = 0; file && d < DIR_COUNT; d++) {
		if (!log->dir[d].hist_any)
			continue;
		fprintf(file, "%" PRIu64 ", %d, %" PRIu64, at / NS_PER_MS + log->offset_ms,
		    d, log->dir[d].bs);
		for (unsigned i = 0; i < FIO_BUCKETS; i += step) {
			uint64_t n = 0;

			for (unsigned k = i; k < i + step && k < FIO_BUCKETS; k++) {
				n += log->dir[d].hist[k];
				log->dir[d].hist[k] = 0;
			}
			fprintf(file, ", %" PRIu64, n);
		}
		fputc('\n', file);
		log->dir[d].hist_any = false;
	}
	log->hist_from = at;
}

static void
count_latency(struct stream *stream, enum dir dir, uint64_t ns)
{
	stream->now[dir].n++;
	stream->now[dir].sum += ns;
	if (ns > stream->now[dir].max)
		stream->now[dir].max = ns;
}

static void
log_one(struct iolog *log, const struct meter_io *io, uint64_t at, uint64_t clat,
    uint64_t offset)
{
	uint64_t ns = clat ? clat : 1;

	put_line(log, IOLOG_BW, at, io->bytes * NS_PER_MS / ns, (int)io->dir, io->bytes,
	    offset);
	put_line(log, IOLOG_IOPS, at, 1, (int)io->dir, io->bytes, offset);
	if (io->has_slat)
		put_line(log, IOLOG_SLAT, at, io->accepted - io->start, (int)io->dir,
		    io->bytes, offset);
	put_line(log, IOLOG_CLAT, at, clat, (int)io->dir, io->bytes, offset);
	put_line(log, IOLOG_LAT, at, io->done - io->start, (int)io->dir, io->bytes,
	    offset);
}

static void
log_into_window(struct iolog *log, const struct meter_io *io, uint64_t at, uint64_t clat)
{
	/* Windows in which nothing came leave no line, and none is asked for. */
	if (at >= log->window_from + log->window_ns) {
		close_window(log, log->window_from + log->window_ns);
		log->window_from = at - at % log->window_ns;
	}
	log->dir[io->dir].ios++;
	log->dir[io->dir].bytes += io->bytes;
	if (io->has_slat)
		count_latency(
		    &log->streams[IOLOG_SLAT], io->dir, io->accepted - io->start);
	count_latency(&log->streams[IOLOG_CLAT], io->dir, clat);
	count_latency(&log->streams[IOLOG_LAT], io->dir, io->done - io->start);
}

void
iolog_completed(struct iolog *log, const struct meter_io *io, uint64_t offset)
{
	uint64_t at, clat = io->done - (io->has_slat ? io->accepted : io->start);
	unsigned bucket;

	if (io->done < log->from_ns)
		return;
	at = io->done - log->from_ns;
	if (log->streams[IOLOG_HIST].to.file) {
		if (at >= log->hist_from + log->hist_ns)
			close_hist(log, at);
		bucket = hist_index(clat);
		bucket = bucket < FIO_BUCKETS ? bucket : FIO_BUCKETS - 1;
		log->dir[io->dir].hist[bucket]++;
		log->dir[io->dir].hist_any = true;
		log->dir[io->dir].bs = io->bytes;
	}
	if (log->window_ns)
		log_into_window(log, io, at, clat);
	else
		log_one(log, io, at, clat, offset);
}

int
iolog_finish(struct iolog *log, uint64_t now_ns, struct err *err)
{
	uint64_t at = now_ns > log->from_ns ? now_ns - log->from_ns : 0;
	int rc = 0;

	if (log->window_ns) {
		if (at > log->window_from + log->window_ns)
			at = log->window_from + log->window_ns;
		close_window(log, at);
	}
	close_hist(log, now_ns > log->from_ns ? now_ns - log->from_ns : 0);
	for (int k = 0; k < IOLOG_KINDS; k++)
		if (iolog_file_close(
			&log->streams[k].to, log->logs, rc == 0 ? err : NULL) < 0)
			rc = -1;
	return rc;
}

void
iolog_free(struct iolog *log)
{
	for (int k = 0; log && k < IOLOG_KINDS; k++) {
		(void)iolog_file_close(&log->streams[k].to, log->logs, NULL);
		free(log->streams[k].to.path);
	}
	free(log);
}
