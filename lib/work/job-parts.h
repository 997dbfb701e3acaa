/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a job beyond its core, one struct per theme, all plain values but
 * for a few texts that the job owns.  Names are fio's; a field that is 0 or NULL
 * is not set unless it says otherwise.  job-support.c knows which of them the
 * worker honours.
 */
#ifndef VOLLEY_WORK_JOB_PARTS_H
#define VOLLEY_WORK_JOB_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/stats/dir.h"

#define JOB_SPLITS_MAX 64
#define JOB_ZONES_MAX 64
#define JOB_PERCENTILES_MAX 20
#define JOB_PATTERN_MAX 512

/* Block sizes.  At most one of bsrange and bssplit is set; each hides bs. */
struct job_blocks {
	uint64_t min[DIR_COUNT], max[DIR_COUNT]; /* bsrange; multiples of min */
	struct job_splits {
		unsigned n;
		struct {
			uint64_t bs;
			unsigned percent; /* all n add up to 100 */
		} v[JOB_SPLITS_MAX];
	} split[DIR_COUNT];
	uint64_t align[DIR_COUNT]; /* of random offsets; 0: the smallest bs */
	bool unaligned;		   /* sizes of bsrange need not be multiples of min */
	bool is_seq_rand;	   /* bs=A,B: A for sequential, B for random I/Os */
};

enum job_sequencer { JOB_SEQUENTIAL, JOB_IDENTICAL };
enum job_dist { JOB_DIST_RANDOM, JOB_DIST_ZIPF, JOB_DIST_PARETO, JOB_DIST_NORMAL,
		JOB_DIST_ZONED, JOB_DIST_ZONED_ABS };
enum job_generator { JOB_TAUSWORTHE, JOB_LFSR, JOB_TAUSWORTHE64 };

/* Where I/Os go. */
struct job_access {
	uint64_t every; /* rw=randread:N: I/Os from one draw on; 0: 1 */
	uint64_t seek;	/* rw=read:N: bytes to skip after each I/O */
	enum job_sequencer sequencer; /* identical: the same offset N times */
	enum job_dist dist;
	double theta;  /* zipf theta (not 1), pareto power, normal: deviation in % */
	double center; /* of zipf, pareto, normal, 0..1; -1: fio's own place */
	struct job_zones {
		unsigned n;
		struct {
			unsigned access; /* percent of the I/Os */
			uint64_t span;	 /* percent of the file; zoned_abs: bytes */
		} v[JOB_ZONES_MAX];
	} zone[DIR_COUNT];
	enum job_generator generator;
	bool allrandrepeat, softrandommap;
	uint64_t percentage_random[DIR_COUNT]; /* default 100 */
};

enum job_fallocate { JOB_FALLOC_NATIVE, JOB_FALLOC_NONE, JOB_FALLOC_POSIX,
		     JOB_FALLOC_KEEP, JOB_FALLOC_TRUNCATE };
enum job_service { JOB_ROUNDROBIN, JOB_SERVE_SEQUENTIAL, JOB_SERVE_RANDOM,
		   JOB_SERVE_ZIPF, JOB_SERVE_PARETO, JOB_SERVE_NORMAL };
enum job_sync { JOB_SYNC_NONE, JOB_SYNC_SYNC, JOB_SYNC_DSYNC };
enum job_fadvise { JOB_FADVISE_PATTERN, JOB_FADVISE_NONE, JOB_FADVISE_RANDOM,
		   JOB_FADVISE_SEQUENTIAL };
/* sync_file_range flags, ored */
enum { JOB_SFR_WAIT_BEFORE = 1, JOB_SFR_WRITE = 2, JOB_SFR_WAIT_AFTER = 4 };

/* Which files, how they come to be and go. */
struct job_files {
	char *list;	 /* filename with several names, "a:b\\:c"; job.filename is the first */
	char *format;	 /* filename_format; NULL: $jobname.$jobnum.$filenum */
	char *opendir;	 /* add all files below */
	uint64_t filesize_min, filesize_max; /* of each file; equal: fixed */
	unsigned openfiles;		     /* 0: all */
	enum job_service service;
	double service_theta;
	unsigned service_every; /* I/Os before the next file; 0: 1 */
	bool create_serialize;	/* default 1 */
	bool create_fsync;	/* default 1 */
	bool create_on_open, create_only, allow_create; /* the last: default 1 */
	bool overwrite, file_append, pre_read, fill_device;
	bool unlink, unlink_each_loop;
	bool invalidate; /* default 1 */
	enum job_fallocate fallocate;
	enum job_fadvise fadvise;
	enum job_sync sync;
	bool fsync_on_close;
	unsigned sfr_flags, sfr_every;
};

/* Amounts, in percent of a file or device where bytes are not known yet. */
struct job_amount {
	unsigned size_percent, io_size_percent; /* 0: in bytes */
	unsigned offset_percent, offset_increment_percent;
	uint64_t offset_align, offset_increment;
	uint64_t number_ios;
	unsigned loops; /* default 1 */
};

enum job_verify_kind { JOB_VERIFY_NONE, JOB_VERIFY_MD5, JOB_VERIFY_CRC32C,
		       JOB_VERIFY_XXHASH, JOB_VERIFY_SHA256, JOB_VERIFY_META,
		       JOB_VERIFY_PATTERN, JOB_VERIFY_NULL };
/* A fill pattern as bytes; "%o" (the block's offset) has n 0 and offset true. */
struct job_pattern {
	unsigned n;
	bool offset;
	unsigned char v[JOB_PATTERN_MAX];
};

struct job_verify {
	enum job_verify_kind kind;
	bool check; /* do_verify; default 1: read it all back at the end of each loop */
	bool only, fatal, dump;
	uint64_t interval, backlog;
	unsigned backlog_batch, async;
	struct job_pattern pattern;
};

/* What is written. */
struct job_data {
	struct job_pattern pattern; /* buffer_pattern */
	bool zero, refill;
	bool scramble;		    /* default 1 */
	unsigned compress_percent, dedupe_percent; /* 0..100 */
	uint64_t compress_chunk;	   /* default 512 */
	bool dedupe_working_set, dedupe_global;
	unsigned dedupe_working_set_percent; /* default 5 */
};

enum job_process { JOB_LINEAR, JOB_POISSON };

/* How fast, beyond rate, rate_iops and thinktime. */
struct job_pacing {
	uint64_t rate_min[DIR_COUNT], rate_iops_min[DIR_COUNT];
	enum job_process process;
	uint64_t cycle_ns; /* rate_cycle; default 1 s */
	bool rate_ignore_thinktime;
	uint64_t thinktime_spin_ns, thinktime_iotime_ns;
	bool thinktime_on_issue; /* thinktime_blocks_type=issue */
	uint64_t max_latency_ns[DIR_COUNT];
	uint64_t target_ns, window_ns; /* latency_target, latency_window */
	double target_percentile;      /* default 100 */
	bool target_run;
};

enum job_mem { JOB_MALLOC, JOB_MMAP, JOB_MMAPHUGE, JOB_MMAPSHARED, JOB_SHM,
	       JOB_SHMHUGE };
enum job_cpus_policy { JOB_CPUS_SHARED, JOB_CPUS_SPLIT };
enum job_on_error { JOB_ON_READ = 1, JOB_ON_WRITE = 2, JOB_ON_VERIFY = 4 };
/* ignore_error: errors of one kind that only count; none: as continue_on_error says. */
#define JOB_ERRORS_MAX 8
enum job_error_kind { JOB_ERROR_READ, JOB_ERROR_WRITE, JOB_ERROR_VERIFY, JOB_ERROR_KINDS };
struct job_errors {
	unsigned n;
	int v[JOB_ERRORS_MAX];
};
enum job_exit_what { JOB_EXIT_GROUP, JOB_EXIT_STONEWALL, JOB_EXIT_ALL };

/* Where the threads live, and what ends them. */
struct job_process_env {
	enum job_mem mem;
	uint64_t mem_align; /* iomem_align */
	char *cpus, *numa_cpus, *numa_mem; /* lists as given */
	enum job_cpus_policy cpus_policy;
	int nice;
	bool has_prio;
	unsigned prio, prioclass;
	char *prerun, *postrun;
	uint64_t startdelay_ns, startdelay_max_ns; /* the later: a draw; 0: fixed */
	int continue_on; /* enum job_on_error, ored */
	struct job_errors ignore[JOB_ERROR_KINDS];
	bool exitall, exitall_on_error;
	enum job_exit_what exit_what;
};

/* What is asked of the engine alone. */
struct job_engine_opts {
	bool hipri, fixedbufs, registerfiles, sqthread_poll, nonvectored;
	bool has_sq_cpu;
	unsigned sq_cpu;
};

enum job_rdma_mode { JOB_RDMA_CAPSULE, JOB_RDMA_ONE_SIDED };

/* Where the target of a network engine is (net-tcp, net-rdma), and how to get there. */
struct job_net {
	char *hostname, *export;
	unsigned port;	/* default JOB_NET_PORT */
	char *key_file; /* volley-io alone; an agent is given the key itself */
	enum job_rdma_mode mode;
	char *device; /* NULL: the one that leads to the target */
	bool has_gid;
	unsigned gid_index;
	unsigned sl, traffic_class;
	unsigned mtu; /* of the path; 0: as the fabric says */
};
#define JOB_NET_PORT 7412

enum job_steady_of { JOB_STEADY_NONE, JOB_STEADY_IOPS, JOB_STEADY_IOPS_SLOPE,
		     JOB_STEADY_BW, JOB_STEADY_BW_SLOPE };

/* What is kept of the run. */
struct job_output {
	char *bw_log, *iops_log, *lat_log, *hist_log; /* prefixes; NULL: none */
	uint64_t log_avg_ns, log_hist_ns; /* 0: every I/O; no histogram log */
	unsigned log_hist_coarseness;
	bool log_max, log_offset, log_unix_epoch;
	bool per_job_logs; /* default 1 */
	unsigned npercentiles;
	double percentiles[JOB_PERCENTILES_MAX]; /* none: fio's 17 */
	bool clat_percentiles;			 /* default 1 */
	bool lat_percentiles, slat_percentiles;
	unsigned significant_figures; /* default 4 */
	enum job_steady_of steady;
	double steady_limit; /* absolute, or percent when steady_is_percent */
	bool steady_is_percent;
	uint64_t steady_ns, steady_ramp_ns;
};

#endif
