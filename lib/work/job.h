/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job: what every thread of one client does, resolved and validated, in base
 * units.  Options carry fio's names and fio's value syntax; one table (job.c)
 * holds name, aliases, parser, formatter and help of each.
 */
#ifndef VOLLEY_WORK_JOB_H
#define VOLLEY_WORK_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/stats/dir.h"
#include "lib/work/job-parts.h"

enum job_rw { JOB_READ, JOB_WRITE, JOB_RANDREAD, JOB_RANDWRITE, JOB_RW, JOB_RANDRW };
enum job_direct { JOB_BUFFERED, JOB_DIRECT, JOB_DIRECT_AUTO };
/*
 * files:     write files that are missing or too short before the start (default)
 * none:      touch nothing; files must exist and hold their bytes
 * overwrite: also fill a block device (needs --allow-write DEV on the agent)
 * fio:       as fio: the files of a job that only writes are made anew, and space is
 *            only reserved as fallocate says, unless overwrite=1; else as files
 */
enum job_layout { JOB_LAYOUT_FILES, JOB_LAYOUT_NONE, JOB_LAYOUT_OVERWRITE,
		  JOB_LAYOUT_FIO };
/* Who does the I/O: volley's worker, or the fio that is installed on the client. */
enum job_runner { JOB_NATIVE, JOB_FIO };

/* Faults that the `fault` wrapper injects; all 0 = not wrapped. */
struct job_fault {
	uint64_t delay_ns;     /* added to every completion */
	uint64_t error_every;  /* every Nth I/O fails with error_errno */
	int error_errno;       /* default EIO */
	uint64_t short_every;  /* every Nth I/O moves half its bytes */
	uint64_t stall_after;  /* after N I/Os nothing completes any more */
	bool enospc_after_set;
	uint64_t enospc_after; /* bytes written until every write fails with ENOSPC */
};

struct job {
	char *name;
	char *ioengine;		/* "psync" */
	enum job_rw rw;
	unsigned rwmixread;	/* percent, 0..100 */
	uint64_t bs[DIR_COUNT];
	uint64_t size;		/* bytes per thread over all its files; 0: unset */
	uint64_t io_size;	/* bytes to move per thread and loop; 0: = size */
	uint64_t offset;
	unsigned nrfiles;
	char *directory;	/* set by the plan from the storage's path */
	char *filename;		/* NULL: generated names; "/dev/x": a device */
	unsigned iodepth;
	unsigned iodepth_batch;	/* submit batch; default 1 */
	unsigned iodepth_batch_complete_min; /* default 1 */
	unsigned iodepth_batch_complete_max; /* 0: all that are there */
	unsigned iodepth_low;	/* 0: = iodepth */
	unsigned numjobs;	/* threads */
	enum job_direct direct;
	bool time_based;
	uint64_t runtime_ns;	/* 0: size-bound only; else the most, if not time_based */
	uint64_t ramp_ns;
	unsigned fsync, fdatasync; /* every N writes; 0: never */
	bool end_fsync;
	uint64_t rate[DIR_COUNT];      /* bytes/s per thread; 0: unlimited */
	uint64_t rate_iops[DIR_COUNT]; /* I/Os per s per thread; 0: unlimited */
	uint64_t thinktime_ns;
	unsigned thinktime_blocks;     /* default 1 */
	bool norandommap;
	bool group_reporting;	/* of volley-io alone; else always added up */
	bool randrepeat;	/* each repeat of a case has the same sequence */
	uint64_t randseed;	/* of this client: case_client_seed() derives it */
	bool shared;		/* all agents use the same files */
	enum job_layout layout;
	char *user;		/* NULL: as the agent */
	enum job_runner runner;
	bool checked;		/* wrap the engine in the contract checker */
	struct job_fault fault;
	/* Beyond the core; job-support.c says what of it the worker honours. */
	char *description;
	struct job_blocks blocks;
	struct job_access access;
	struct job_files files;
	struct job_amount amount;
	struct job_verify verify;
	struct job_data data;
	struct job_pacing pacing;
	struct job_process_env process;
	struct job_engine_opts engine;
	struct job_net net;
	struct job_output output;
};

/* Defaults as fio's, but direct data is incompressible and seeds differ per agent. */
void job_init(struct job *job);
void job_free(struct job *job);
void job_copy(struct job *ret, const struct job *job);

/*
 * Sets one option from text: job_set(job, "bs", "4k"); value NULL is fio's bare
 * option ("time_based").  Unknown names are an error with a suggestion; bad values
 * name the option and what was expected; a value that the worker does not honour
 * is ERR_UNSUPPORTED and changes nothing.
 */
int job_set(struct job *job, const char *name, const char *value, struct err *err);
/* Does the worker honour what this option (canonical name) now says? */
int job_supports(const struct job *job, const char *name, struct err *err);
/* Checks what single options cannot: size is set, bs ≤ size, batch ≤ depth,
 * time_based needs runtime, direct needs bs % 512 == 0, all is supported … */
int job_validate(const struct job *job, struct err *err);

/* The options whose values differ from the defaults, "name=value\n" in table
 * order: canonical, so equal jobs give equal text (behind case ids). */
void job_format(const struct job *job, struct str *ret);
/* Calls back for each option that has a value, in table order, canonical. */
typedef void job_each_fn(void *arg, const char *name, const char *value, bool is_number,
			 bool is_default);
void job_each(const struct job *job, job_each_fn *fn, void *arg);

/* Option names (canonical), for help and completion; NULL-terminated. */
const char *const *job_option_names(void);
const char *job_option_doc(const char *name); /* NULL: unknown */
const char *job_option_name(const char *name); /* "readwrite" → "rw"; NULL: unknown */

const char *job_rw_name(enum job_rw rw); /* "randread" */
bool job_rw_random(enum job_rw rw);
bool job_is_net(const struct job *job); /* its engine talks to a target */
bool job_is_sync(const struct job *job); /* its engine does one I/O at a time */
bool job_rw_has(const struct job *job, enum dir dir);
/* Will it change its files?  Not with verify_only, whatever rw says. */
bool job_writes(const struct job *job);
/* Are its files removed and made anew between two passes?  As in fio, what the last
 * one made stays. */
bool job_renews_files(const struct job *job);
/* Does it verify what it wrote, once it has written it? */
bool job_reads_back(const struct job *job);
/*
 * Planned end of the window since T: startdelay + ramp + runtime; 0 without a runtime.  A job
 * that is not time_based may be through before.
 */
uint64_t job_duration_ns(const struct job *job);
/* Does an error of this kind only count, instead of ending the job? */
bool job_tolerates(const struct job *job, enum job_error_kind kind, int errnum);
uint64_t job_offset(const struct job *job, unsigned thread); /* of its region */
uint64_t job_file_bytes(const struct job *job); /* size of each file: size / nrfiles */
bool job_wants_logs(const struct job *job); /* write_*_log */
/* Below /dev, where devices are; /dev/shm holds files. */
bool job_is_device_path(const char *path);
bool job_on_device(const struct job *job); /* its filename is one */
/* Its files are made anew instead of being filled before the start. */
bool job_makes_files(const struct job *job);

#endif
