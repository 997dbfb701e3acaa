/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The logs of one job thread in fio's format: write_bw_log, write_iops_log,
 * write_lat_log (slat, clat, lat) and write_hist_log.
 *
 *   PREFIX_bw.N.log            ms, KiB/s, direction, bytes[, offset], priority
 *   PREFIX_iops.N.log          ms, I/Os per s, …
 *   PREFIX_{slat,clat,lat}.N.log   ms, ns, …
 *   PREFIX_clat_hist.N.log     ms, direction, bytes, 1856 / 2^coarseness counts
 *
 * N is the thread's number among all of the client, from 1 on.  A line is an
 * I/O, or with log_avg_msec what came in that time: then bytes, offset and priority
 * are 0.  Of single I/Os the bandwidth is in kB/s of 1000, and IOPS is 1, as in fio.
 * Times count from the measured time on, or from 1970.
 */
#ifndef VOLLEY_WORKER_IOLOG_H
#define VOLLEY_WORKER_IOLOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/err.h"
#include "lib/stats/meter.h"
#include "lib/work/job.h"

struct iolog;
struct logs;

enum iolog_kind { IOLOG_BW, IOLOG_IOPS, IOLOG_SLAT, IOLOG_CLAT, IOLOG_LAT, IOLOG_HIST,
		  IOLOG_KINDS };

/* One log, whoever writes its lines. */
struct iolog_file {
	FILE *file; /* NULL: not wanted, or closed */
	char *path; /* to be freed */
};

/* "clat_hist" of PREFIX_clat_hist.N.log */
const char *iolog_kind_name(enum iolog_kind kind);
/* Creates it, if the job wants it, as a file, or in `logs` (NULL: files). */
int iolog_file_open(struct iolog_file *ret, const struct job_output *output,
		    enum iolog_kind kind, unsigned number, struct logs *logs,
		    struct err *err);
/* What could not be written is an error that names the file. */
int iolog_file_close(struct iolog_file *file, struct logs *logs, struct err *err);

/* Creates the files, or streams of `logs` (NULL: files).  `number`: N; all threads of
 * per_job_logs=0 append to one. */
int iolog_new(struct iolog **ret, const struct job *job, unsigned number,
	      struct logs *logs, struct err *err);
/* Time 0 of the lines; `unix_ms`: what it is since 1970. */
void iolog_start(struct iolog *log, uint64_t from_ns, uint64_t unix_ms);
/* An I/O came home.  Those before time 0 (ramp_time) leave no line. */
void iolog_completed(struct iolog *log, const struct meter_io *io, uint64_t offset);
/* The end: what is left is written.  An error names the file. */
int iolog_finish(struct iolog *log, uint64_t now_ns, struct err *err);
void iolog_free(struct iolog *log);

#endif
