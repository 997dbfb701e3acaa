/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The option table: one row per option, in the order in which results and
 * canonical texts show them.
 */
#include "lib/work/option.h"

#include <stddef.h>
#include <string.h>

#include "lib/base/units.h"

#define AT(member) offsetof(struct job, member)
#define BYTES_MAX (UINT64_C(1) << 60) /* 1 EiB */
#define BS_MAX (UINT64_C(1) << 30)
#define RATE_MAX (UINT64_C(1) << 50)
#define TIME_MAX (UINT64_C(366) * 86400 * UNITS_NS_PER_S)
#define BIG UINT32_MAX

#define TEXT(n, member, k, d) \
	{ \
		n, {NULL}, &option_##k, AT(member), 0, 0, 0, d \
	}
#define NUM(n, a, member, k, lo, hi, d) \
	{ \
		n, {a}, &option_##k, AT(member), lo, hi, 0, d \
	}
#define TIME(n, a, member, unit, d) \
	{ \
		n, {a}, &option_time, AT(member), 0, TIME_MAX, unit, d \
	}
#define DIRS(n, a, member, lo, hi, dflt, d) \
	{ \
		n, {a}, &option_per_dir, AT(member), lo, hi, dflt, d \
	}
#define FLAG(n, member, d) \
	{ \
		n, {NULL}, &option_bool, AT(member), 0, 1, 0, d \
	}

const struct option option_table[] = {
    TEXT("name", name, text, "name of the job, in messages and file names"),
    TEXT("ioengine", ioengine, engine,
	"how I/O is done: psync, pvsync2, libaio, io_uring, null"),
    {"rw", {"readwrite"}, &option_rw, AT(rw), 0, 0, 0,
	"read, write, randread, randwrite, rw (mixed, sequential), randrw"},
    NUM("rwmixread", NULL, rwmixread, mixread, 0, 100,
	"percentage of reads in rw and randrw; exact in every 100 I/Os"),
    NUM("rwmixwrite", NULL, rwmixread, mixwrite, 0, 100,
	"the same as percentage of writes; the later of the two counts"),
    DIRS("bs", "blocksize", bs, 1, BS_MAX, 4096,
	"bytes per I/O: one value, or read,write (an empty one means 4k)"),
    NUM("size", NULL, size, bytes, 1, BYTES_MAX,
	"bytes of each job over all its files; required"),
    NUM("io_size", "io_limit", io_size, bytes, 0, BYTES_MAX,
	"bytes to move per job when it is not time_based; 0: one pass over size"),
    NUM("offset", "fileoffset", offset, bytes, 0, BYTES_MAX,
	"where in each file (or device) the job begins"),
    NUM("nrfiles", "nr_files", nrfiles, count, 1, 1000000,
	"files per job; size is shared among them"),
    TEXT("directory", directory, text, "folder of the job's files"),
    TEXT("filename", filename, filename,
	"one file or block device for all jobs, instead of generated names"),
    NUM("iodepth", NULL, iodepth, count, 1, 65536, "I/Os in flight per job"),
    NUM("iodepth_batch", "iodepth_batch_submit", iodepth_batch, count, 1, 65536,
	"I/Os prepared before they are submitted together"),
    NUM("iodepth_batch_complete_min", "iodepth_batch_complete",
	iodepth_batch_complete_min, count, 1, 65536,
	"completions to wait for at a time"),
    NUM("iodepth_batch_complete_max", NULL, iodepth_batch_complete_max, count, 0, 65536,
	"completions to take at most at a time; 0: all that are there"),
    NUM("iodepth_low", NULL, iodepth_low, count, 0, 65536,
	"once iodepth is reached, drain to this depth before more is submitted; "
	"0: iodepth"),
    NUM("numjobs", NULL, numjobs, count, 1, 4096, "threads per client"),
    {"direct", {NULL}, &option_direct, AT(direct), 0, 0, 0,
	"1: O_DIRECT, an error where it is refused; auto: O_DIRECT where it is "
	"possible; 0: buffered"},
    {"buffered", {NULL}, &option_buffered, AT(direct), 0, 0, 0,
	"direct the other way round; the later of the two counts"},
    FLAG("time_based", time_based, "go on until runtime is over; needs runtime"),
    TIME("runtime", "timeout", runtime_ns, UNITS_NS_PER_S,
	"measured time (bare number: seconds)"),
    TIME("ramp_time", NULL, ramp_ns, UNITS_NS_PER_S,
	"load before the measured time (bare number: seconds)"),
    NUM("fsync", NULL, fsync, count, 0, BIG, "fsync after every N writes; 0: never"),
    NUM("fdatasync", NULL, fdatasync, count, 0, BIG,
	"fdatasync after every N writes; 0: never"),
    FLAG("end_fsync", end_fsync, "fsync each written file at the end"),
    DIRS("rate", NULL, rate, 0, RATE_MAX, 0,
	"bytes/s per job: one value, or read,write (empty or 0: unlimited)"),
    DIRS("rate_iops", NULL, rate_iops, 0, RATE_MAX, 0,
	"I/Os per second and job: one value, or read,write (empty or 0: unlimited)"),
    TIME("thinktime", NULL, thinktime_ns, UNITS_NS_PER_US,
	"pause after thinktime_blocks completions (bare number: microseconds)"),
    NUM("thinktime_blocks", NULL, thinktime_blocks, count, 1, BIG,
	"completions between pauses"),
    FLAG("norandommap", norandommap,
	"random I/O draws blocks independently, so some come twice before others"),
    FLAG("randrepeat", randrepeat,
	"1: the same random sequence in every repeat; 0 (default): one for each, "
	"repeatable from the seed"),
    NUM("randseed", NULL, randseed, count64, 0, UINT64_MAX,
	"seed of the job's random sequences; 0: derived from the plan's seed"),
    FLAG("group_reporting", group_reporting,
	"accepted: jobs of a client are always added up"),
    {"thread", {NULL}, &option_accepted, 0, 0, 1, 0,
	"accepted: jobs are always threads"},
    FLAG("shared", shared,
	"all clients use the same files; otherwise names carry the client's name"),
    {"layout", {NULL}, &option_layout, AT(layout), 0, 0, 0,
	"files: write missing or short files before the start; none: touch nothing; "
	"overwrite: fill a block device too"},
    TEXT("user", user, user, "user the I/O is done as (default: the agent's)"),
    FLAG("checked", checked, "check the engine's contract at every call (slow)"),
    TIME("fault_delay", NULL, fault.delay_ns, UNITS_NS_PER_US,
	"test: delay of every completion (bare number: microseconds)"),
    NUM("fault_error_every", NULL, fault.error_every, count64, 0, UINT64_MAX,
	"test: every Nth I/O fails with fault_errno; 0: none"),
    {"fault_errno", {NULL}, &option_errno, AT(fault), 0, 0, 0,
	"test: the error of fault_error_every, EIO unless set"},
    NUM("fault_short_every", NULL, fault.short_every, count64, 0, UINT64_MAX,
	"test: every Nth I/O moves half its bytes; 0: none"),
    NUM("fault_stall_after", NULL, fault.stall_after, count64, 0, UINT64_MAX,
	"test: nothing completes after N I/Os; 0: never"),
    NUM("fault_enospc_after", NULL, fault.enospc_after, enospc, 0, BYTES_MAX,
	"test: writes fail with ENOSPC after this many bytes"),
    {.name = NULL},
};

const struct option *
option_find(const char *name)
{
	for (const struct option *o = option_table; o->name; o++) {
		if (strcmp(name, o->name) == 0)
			return o;
		for (int i = 0; i < OPTION_ALIASES; i++)
			if (o->alias[i] && strcmp(name, o->alias[i]) == 0)
				return o;
	}
	return NULL;
}

const char *const *
job_option_names(void)
{
	/* Written out, so that it is constant; a test compares it with the table. */
	static const char *const names[] = {"name", "ioengine", "rw", "rwmixread",
	    "rwmixwrite", "bs", "size", "io_size", "offset", "nrfiles", "directory",
	    "filename", "iodepth", "iodepth_batch", "iodepth_batch_complete_min",
	    "iodepth_batch_complete_max", "iodepth_low", "numjobs", "direct",
	    "buffered", "time_based", "runtime", "ramp_time", "fsync", "fdatasync",
	    "end_fsync", "rate", "rate_iops", "thinktime", "thinktime_blocks",
	    "norandommap", "randrepeat", "randseed", "group_reporting", "thread",
	    "shared", "layout", "user", "checked", "fault_delay", "fault_error_every",
	    "fault_errno", "fault_short_every", "fault_stall_after",
	    "fault_enospc_after", NULL};

	return names;
}
