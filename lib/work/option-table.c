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
		n, {NULL}, &option_##k, AT(member), 0, 0, 0, d, NULL, 0 \
	}
#define NUM(n, a, member, k, lo, hi, d) \
	{ \
		n, {a}, &option_##k, AT(member), lo, hi, 0, d, NULL, 0 \
	}
#define TIME(n, a, member, unit, d) \
	{ \
		n, {a}, &option_time, AT(member), 0, TIME_MAX, unit, d, NULL, 0 \
	}
#define DIRS(n, a, member, lo, hi, dflt, d) \
	{ \
		n, {a}, &option_per_dir, AT(member), lo, hi, dflt, d, NULL, 0 \
	}
#define WORD_OF(n, a, member, w, d) \
	{ \
		n, {a}, &option_word, AT(member), 0, 0, 0, d, w, 0 \
	}
#define WORD(n, member, w, d) WORD_OF(n, NULL, member, w, d)
#define FLAG(n, member, d) \
	{ \
		n, {NULL}, &option_bool, AT(member), 0, 1, 0, d, NULL, 0 \
	}

#define WORDS(n, ...) static const struct word n##_words[] = {__VA_ARGS__, {NULL, 0}}
WORDS(sequencer, {"sequential", JOB_SEQUENTIAL}, {"identical", JOB_IDENTICAL});
WORDS(generator, {"tausworthe", JOB_TAUSWORTHE}, {"lfsr", JOB_LFSR},
    {"tausworthe64", JOB_TAUSWORTHE64});
WORDS(fallocate, {"native", JOB_FALLOC_NATIVE}, {"none", JOB_FALLOC_NONE},
    {"posix", JOB_FALLOC_POSIX}, {"keep", JOB_FALLOC_KEEP},
    {"truncate", JOB_FALLOC_TRUNCATE}, {"0", JOB_FALLOC_NONE}, {"1", JOB_FALLOC_POSIX});
WORDS(fadvise, {"1", JOB_FADVISE_PATTERN}, {"0", JOB_FADVISE_NONE},
    {"random", JOB_FADVISE_RANDOM}, {"sequential", JOB_FADVISE_SEQUENTIAL});
WORDS(sync, {"none", JOB_SYNC_NONE}, {"sync", JOB_SYNC_SYNC}, {"dsync", JOB_SYNC_DSYNC},
    {"0", JOB_SYNC_NONE}, {"1", JOB_SYNC_SYNC});
WORDS(verify, {"0", JOB_VERIFY_NONE}, {"md5", JOB_VERIFY_MD5},
    {"crc32c", JOB_VERIFY_CRC32C}, {"crc32c-intel", JOB_VERIFY_CRC32C},
    {"xxhash", JOB_VERIFY_XXHASH}, {"sha256", JOB_VERIFY_SHA256},
    {"meta", JOB_VERIFY_META}, {"pattern", JOB_VERIFY_PATTERN},
    {"null", JOB_VERIFY_NULL});
WORDS(dedupe, {"repeat", 0}, {"working_set", 1});
WORDS(process, {"linear", JOB_LINEAR}, {"poisson", JOB_POISSON});
WORDS(issue, {"complete", 0}, {"issue", 1});
WORDS(mem, {"malloc", JOB_MALLOC}, {"mmap", JOB_MMAP}, {"mmaphuge", JOB_MMAPHUGE},
    {"mmapshared", JOB_MMAPSHARED}, {"shm", JOB_SHM}, {"shmhuge", JOB_SHMHUGE});
WORDS(cpus, {"shared", JOB_CPUS_SHARED}, {"split", JOB_CPUS_SPLIT});
WORDS(error, {"none", 0}, {"read", JOB_ON_READ}, {"write", JOB_ON_WRITE},
    {"io", JOB_ON_READ | JOB_ON_WRITE}, {"verify", JOB_ON_VERIFY},
    {"all", JOB_ON_READ | JOB_ON_WRITE | JOB_ON_VERIFY}, {"0", 0},
    {"1", JOB_ON_READ | JOB_ON_WRITE | JOB_ON_VERIFY});
WORDS(runner, {"native", JOB_NATIVE}, {"fio", JOB_FIO});
WORDS(rdma, {"capsule", JOB_RDMA_CAPSULE}, {"one-sided", JOB_RDMA_ONE_SIDED});
WORDS(exit, {"group", JOB_EXIT_GROUP}, {"stonewall", JOB_EXIT_STONEWALL},
    {"all", JOB_EXIT_ALL});

const struct option option_table[] = {
    TEXT("name", name, text, "name of the job, in messages and file names"),
    TEXT("ioengine", ioengine, engine,
	"how I/O is done: psync, sync, vsync, pvsync, pvsync2, mmap, libaio, io_uring, "
	"null, net-tcp, net-rdma"),
    {"rw", {"readwrite"}, &option_rw, AT(rw), 0, 0, 0,
	"read, write, randread, randwrite, rw (mixed, sequential), randrw; :N with "
	"rw_sequencer",
	NULL, 0},
    NUM("rwmixread", NULL, rwmixread, mixread, 0, 100,
	"percentage of reads in rw and randrw; exact in every 100 I/Os"),
    NUM("rwmixwrite", NULL, rwmixread, mixwrite, 0, 100,
	"the same as percentage of writes; the later of the two counts"),
    DIRS("bs", "blocksize", bs, 1, BS_MAX, 4096,
	"bytes per I/O: one value, or read,write (an empty one means 4k)"),
    {"size", {NULL}, &option_amount, AT(size), 1, BYTES_MAX, 0,
	"bytes of each job over all its files; required", NULL,
	AT(amount.size_percent)},
    {"io_size", {"io_limit"}, &option_amount, AT(io_size), 0, BYTES_MAX, 0,
	"bytes to move per job when it is not time_based; 0: one pass over size", NULL,
	AT(amount.io_size_percent)},
    {"offset", {"fileoffset"}, &option_amount, AT(offset), 0, BYTES_MAX, 0,
	"where in each file (or device) the job begins", NULL,
	AT(amount.offset_percent)},
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
	"possible; 0: buffered",
	NULL, 0},
    {"buffered", {NULL}, &option_buffered, AT(direct), 0, 0, 0,
	"direct the other way round; the later of the two counts", NULL, 0},
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
	"volley-io states the jobs as one; those of a client are always added up"),
    {"thread", {NULL}, &option_accepted, 0, 0, 1, 0,
	"accepted: jobs are always threads", NULL, 0},
    FLAG("shared", shared,
	"all clients use the same files; otherwise names carry the client's name"),
    {"layout", {NULL}, &option_layout, AT(layout), 0, 0, 0,
	"files: write missing or short files before the start; none: touch nothing; "
	"overwrite: fill a block device too; fio: as files, but what is only written is "
	"made anew",
	NULL, 0},
    TEXT("user", user, user, "user the I/O is done as (default: the agent's)"),
    WORD("runner", runner, runner_words,
	"who does the I/O: native (volley), or the fio installed on the client"),
    FLAG("checked", checked, "check the engine's contract at every call (slow)"),
    TIME("fault_delay", NULL, fault.delay_ns, UNITS_NS_PER_US,
	"test: delay of every completion (bare number: microseconds)"),
    NUM("fault_error_every", NULL, fault.error_every, count64, 0, UINT64_MAX,
	"test: every Nth I/O fails with fault_errno; 0: none"),
    {"fault_errno", {NULL}, &option_errno, AT(fault), 0, 0, 0,
	"test: the error of fault_error_every, EIO unless set", NULL, 0},
    NUM("fault_short_every", NULL, fault.short_every, count64, 0, UINT64_MAX,
	"test: every Nth I/O moves half its bytes; 0: none"),
    NUM("fault_stall_after", NULL, fault.stall_after, count64, 0, UINT64_MAX,
	"test: nothing completes after N I/Os; 0: never"),
    NUM("fault_enospc_after", NULL, fault.enospc_after, enospc, 0, BYTES_MAX,
	"test: writes fail with ENOSPC after this many bytes"),
    TEXT("description", description, text, "what the job is for"),
    NUM("bsrange", "blocksize_range", blocks, range, 0, 0,
	"block sizes drawn from a range: 4k-64k, or read,write"),
    NUM("bssplit", NULL, blocks, split, 0, 0,
	"block sizes with shares in percent: 4k/60:64k/40, or read,write"),
    DIRS("blockalign", "ba", blocks.align, 0, BS_MAX, 0,
	"offsets of random I/O are multiples of it; 0: the smallest bs"),
    {"bs_unaligned", {"blocksize_unaligned"}, &option_bool, AT(blocks.unaligned), 0, 1,
	0, "sizes of bsrange may be any number of bytes", NULL, 0},
    FLAG("bs_is_seq_rand", blocks.is_seq_rand,
	"bs=A,B is A for sequential and B for random I/O"),
    WORD("rw_sequencer", access.sequencer, sequencer_words,
	"with rw=…:N: sequential or identical offsets between draws"),
    NUM("random_distribution", NULL, access, dist, 0, 0,
	"random, zipf:T, pareto:P, normal:D, zoned:A/S:…, zoned_abs:A/S:…"),
    WORD("random_generator", access.generator, generator_words,
	"tausworthe, lfsr, tausworthe64"),
    FLAG("allrandrepeat", access.allrandrepeat,
	"randrepeat for data and file choice too"),
    FLAG("softrandommap", access.softrandommap,
	"go on without a map when there is no memory for one"),
    DIRS("percentage_random", NULL, access.percentage_random, 0, 100, 100,
	"percent of random I/Os in a random workload, or read,write"),
    TEXT("filename_format", files.format, text,
	"names of generated files; $jobname $jobnum $filenum $clientuid"),
    TEXT("opendir", files.opendir, text, "use all files below this folder"),
    NUM("filesize", NULL, files, filesize, 0, 0,
	"bytes of each file, or a range to draw from"),
    NUM("openfiles", NULL, files.openfiles, count, 0, BIG,
	"files open at a time; 0: all"),
    NUM("file_service_type", NULL, files, service, 0, 0,
	"which file is next: roundrobin, sequential, random, zipf:T … ; :N I/Os each"),
    FLAG("create_serialize", files.create_serialize,
	"accepted: files are made before the common start"),
    FLAG("create_fsync", files.create_fsync, "fsync files once they are laid out"),
    FLAG("create_on_open", files.create_on_open,
	"make files when they are opened first"),
    FLAG("create_only", files.create_only, "lay out the files and do nothing more"),
    FLAG("allow_file_create", files.allow_create,
	"0: a file that is missing is an error"),
    FLAG("overwrite", files.overwrite, "writes go to files that are laid out before"),
    FLAG("file_append", files.file_append, "begin at the end of the file"),
    FLAG("pre_read", files.pre_read, "read the files before the start"),
    {"fill_device", {"fill_fs"}, &option_bool, AT(files.fill_device), 0, 1, 0,
	"write until there is no space left", NULL, 0},
    FLAG("unlink", files.unlink, "remove the files at the end"),
    FLAG(
	"unlink_each_loop", files.unlink_each_loop, "remove the files after each loop"),
    FLAG("invalidate", files.invalidate,
	"drop the files from the page cache before the start"),
    WORD("fallocate", files.fallocate, fallocate_words,
	"how space is reserved: native, none, posix, keep, truncate"),
    WORD("fadvise_hint", files.fadvise, fadvise_words,
	"what the kernel is told: 1 (as rw says), 0, random, sequential"),
    WORD("sync", files.sync, sync_words,
	"open with O_SYNC (sync) or O_DSYNC (dsync): none, sync, dsync"),
    FLAG("fsync_on_close", files.fsync_on_close, "fsync each file when it is closed"),
    NUM("sync_file_range", NULL, files, sfr, 0, 0,
	"wait_before, write, wait_after, joined by commas; :N after N writes"),
    NUM("offset_align", NULL, amount.offset_align, bytes, 0, BYTES_MAX,
	"offset is rounded down to a multiple"),
    {"offset_increment", {NULL}, &option_amount, AT(amount.offset_increment), 0,
	BYTES_MAX, 0, "added to offset for each further job: bytes, or percent", NULL,
	AT(amount.offset_increment_percent)},
    NUM("number_ios", NULL, amount.number_ios, count64, 0, UINT64_MAX,
	"end after so many I/Os; 0: no such limit"),
    NUM("loops", NULL, amount.loops, count, 1, BIG, "passes over the job"),
    WORD("verify", verify.kind, verify_words,
	"check what was written: 0, md5, crc32c, xxhash, sha256, meta, pattern, null"),
    FLAG("do_verify", verify.check, "read back and check at the end of each loop"),
    FLAG("verify_only", verify.only, "check what an earlier run wrote, write nothing"),
    FLAG("verify_fatal", verify.fatal, "stop at the first bad block"),
    FLAG("verify_dump", verify.dump, "write good and bad blocks to files"),
    NUM("verify_interval", NULL, verify.interval, bytes, 0, BS_MAX,
	"bytes between headers; 0: bs"),
    NUM("verify_backlog", NULL, verify.backlog, count64, 0, UINT64_MAX,
	"check after so many blocks were written; 0: at the end"),
    NUM("verify_backlog_batch", NULL, verify.backlog_batch, count, 0, BIG,
	"blocks checked at a time; 0: verify_backlog"),
    NUM("verify_async", NULL, verify.async, count, 0, 4096, "threads that check"),
    TEXT("verify_pattern", verify.pattern, pattern,
	"what blocks are filled with for verify"),
    TEXT("buffer_pattern", data.pattern, pattern, "what blocks are filled with"),
    FLAG("zero_buffers", data.zero, "write zeroes"),
    FLAG(
	"refill_buffers", data.refill, "new data for each write; it is always so here"),
    FLAG("scramble_buffers", data.scramble,
	"make each write differ a little; it always does here"),
    NUM("buffer_compress_percentage", NULL, data.compress_percent, count, 0, 100,
	"how far data can be compressed"),
    NUM("buffer_compress_chunk", NULL, data.compress_chunk, bytes, 0, BS_MAX,
	"bytes that hold the random and the compressible part"),
    NUM("dedupe_percentage", NULL, data.dedupe_percent, count, 0, 100,
	"percent of blocks that are copies"),
    {"dedupe_mode", {NULL}, &option_bool_word, AT(data.dedupe_working_set), 0, 0, 0,
	"copies of the last block (repeat) or of a set (working_set)", dedupe_words, 0},
    NUM("dedupe_working_set_percentage", NULL, data.dedupe_working_set_percent, count,
	0, 100, "size of that set in percent of size"),
    FLAG("dedupe_global", data.dedupe_global, "jobs share that set"),
    DIRS("rate_min", "ratemin", pacing.rate_min, 0, RATE_MAX, 0,
	"end the job when it is slower, bytes/s"),
    DIRS("rate_iops_min", NULL, pacing.rate_iops_min, 0, RATE_MAX, 0,
	"end the job when it is slower, I/Os per second"),
    WORD("rate_process", pacing.process, process_words,
	"intervals of rate: linear (even) or poisson"),
    TIME("rate_cycle", "ratecycle", pacing.cycle_ns, UNITS_NS_PER_MS,
	"time over which rate_min is judged (bare number: milliseconds)"),
    FLAG("rate_ignore_thinktime", pacing.rate_ignore_thinktime,
	"rate does not make up for thinktime"),
    TIME("thinktime_spin", NULL, pacing.thinktime_spin_ns, UNITS_NS_PER_US,
	"part of thinktime that burns CPU (bare number: microseconds)"),
    TIME("thinktime_iotime", NULL, pacing.thinktime_iotime_ns, UNITS_NS_PER_S,
	"time of I/O between pauses (bare number: seconds)"),
    {"thinktime_blocks_type", {NULL}, &option_bool_word, AT(pacing.thinktime_on_issue),
	0, 0, 0, "thinktime_blocks counts: complete or issue", issue_words, 0},
    {"max_latency", {NULL}, &option_per_dir_time, AT(pacing.max_latency_ns), 0, 0,
	UNITS_NS_PER_US,
	"end the job when an I/O takes longer (bare number: microseconds)", NULL, 0},
    TIME("latency_target", NULL, pacing.target_ns, UNITS_NS_PER_US,
	"seek the depth that keeps this latency (bare number: microseconds)"),
    TIME("latency_window", NULL, pacing.window_ns, UNITS_NS_PER_US,
	"time over which latency_target is judged (bare number: microseconds)"),
    NUM("latency_percentile", NULL, pacing.target_percentile, double, 0, 100,
	"percent of I/Os that must keep latency_target"),
    FLAG("latency_run", pacing.target_run, "go on seeking the depth until the end"),
    WORD_OF("mem", "iomem", process.mem, mem_words,
	"memory of the buffers: malloc, mmap, mmaphuge, mmapshared, shm, shmhuge"),
    NUM("iomem_align", NULL, process.mem_align, bytes, 0, BS_MAX,
	"alignment of the buffers"),
    TEXT("cpus_allowed", process.cpus, text, "CPUs the job may use: 0-3,8"),
    WORD("cpus_allowed_policy", process.cpus_policy, cpus_words,
	"each job may use all of them (shared) or one (split)"),
    TEXT("numa_cpu_nodes", process.numa_cpus, text,
	"NUMA nodes whose CPUs the job uses"),
    TEXT("numa_mem_policy", process.numa_mem, text,
	"where memory comes from: bind:0-1, interleave:…, prefer:…, local"),
    NUM("nice", NULL, process.nice, signed, 20, 19, "CPU priority, -20 to 19"),
    {"prio", {NULL}, &option_prio, AT(process.prio), 0, 7, 0,
	"I/O priority, 0 (highest) to 7", NULL, AT(process.has_prio)},
    NUM("prioclass", NULL, process.prioclass, count, 0, 3,
	"I/O priority class: 1 real time, 2 best effort, 3 idle"),
    TEXT("exec_prerun", process.prerun, text, "command before the job"),
    TEXT("exec_postrun", process.postrun, text, "command after the job"),
    {"startdelay", {NULL}, &option_window, AT(process.startdelay_ns), 0, TIME_MAX,
	UNITS_NS_PER_S, "wait before the first I/O, or a range to draw from (seconds)",
	NULL, AT(process.startdelay_max_ns)},
    WORD("continue_on_error", process.continue_on, error_words,
	"errors that do not end the job: none, read, write, io, verify, all"),
    NUM("ignore_error", NULL, process, ignore, 0, 0,
	"the very errors of reads,writes,verify that do not end the job: EIO,ENOSPC:122"),
    FLAG("exitall", process.exitall, "the first job that ends, ends all"),
    FLAG("exitall_on_error", process.exitall_on_error,
	"the first job that fails, ends all"),
    WORD("exit_what", process.exit_what, exit_words,
	"what exitall ends: group, stonewall, all"),
    FLAG("hipri", engine.hipri, "polled completions"),
    FLAG("fixedbufs", engine.fixedbufs, "io_uring: registered buffers"),
    FLAG("registerfiles", engine.registerfiles, "io_uring: registered files"),
    FLAG("sqthread_poll", engine.sqthread_poll, "io_uring: a kernel thread submits"),
    {"sqthread_poll_cpu", {NULL}, &option_flagged, AT(engine.sq_cpu), 0, 65535, 0,
	"io_uring: CPU of that thread", NULL, AT(engine.has_sq_cpu)},
    FLAG(
	"nonvectored", engine.nonvectored, "io_uring: plain instead of vectored calls"),
    TEXT("hostname", net.hostname, text, "net-tcp, net-rdma: host of the target"),
    NUM("port", NULL, net.port, count, 1, 65535, "net-tcp, net-rdma: its port"),
    TEXT("export", net.export, text, "net-tcp, net-rdma: which of its exports"),
    TEXT("keyfile", net.key_file, text,
	"net-tcp, net-rdma: file with the target's key; for volley-io alone"),
    WORD("rdma_mode", net.mode, rdma_words,
	"net-rdma: the target moves the data (capsule) or the client (one-sided)"),
    TEXT("rdma_device", net.device, text,
	"net-rdma: device, instead of the one that leads to the target"),
    {"rdma_gid_index", {NULL}, &option_flagged, AT(net.gid_index), 0, 1023, 0,
	"net-rdma: index of the source GID, instead of the address's", NULL,
	AT(net.has_gid)},
    NUM("rdma_sl", NULL, net.sl, count, 0, 15, "net-rdma: service level"),
    NUM("rdma_traffic_class", NULL, net.traffic_class, count, 0, 255,
	"net-rdma: traffic class (DSCP << 2)"),
    NUM("rdma_mtu", NULL, net.mtu, count, 0, 4096,
	"net-rdma: path MTU, 256 to 4096; 0: as both ports have it"),
    TEXT("write_bw_log", output.bw_log, text, "prefix of a bandwidth log"),
    TEXT("write_iops_log", output.iops_log, text, "prefix of an IOPS log"),
    TEXT("write_lat_log", output.lat_log, text, "prefix of latency logs"),
    TEXT("write_hist_log", output.hist_log, text,
	"prefix of a log of latency histograms"),
    TIME("log_avg_msec", NULL, output.log_avg_ns, UNITS_NS_PER_MS,
	"time that a log line averages; 0: a line for each I/O (bare: milliseconds)"),
    TIME("log_hist_msec", NULL, output.log_hist_ns, UNITS_NS_PER_MS,
	"time between histograms in the log (bare: milliseconds)"),
    NUM("log_hist_coarseness", NULL, output.log_hist_coarseness, count, 0, 6,
	"2^N buckets of a logged histogram become one"),
    FLAG("log_max_value", output.log_max, "log the maximum instead of the average"),
    FLAG("log_offset", output.log_offset, "log offsets"),
    FLAG("log_unix_epoch", output.log_unix_epoch, "log times count from 1970"),
    FLAG("per_job_logs", output.per_job_logs, "a log of its own for each job"),
    NUM("percentile_list", NULL, output, percentiles, 0, 0,
	"percentiles to show, joined by colons"),
    FLAG("clat_percentiles", output.clat_percentiles,
	"show percentiles of completion latency"),
    FLAG("lat_percentiles", output.lat_percentiles, "show percentiles of latency"),
    FLAG("slat_percentiles", output.slat_percentiles,
	"show percentiles of submission latency"),
    NUM("significant_figures", NULL, output.significant_figures, count, 1, 10,
	"digits of figures"),
    NUM("steadystate", "ss", output, steady, 0, 0,
	"end when steady: iops:2%, iops_slope:…, bw:…, bw_slope:…"),
    TIME("steadystate_duration", "ss_dur", output.steady_ns, UNITS_NS_PER_S,
	"time over which steadystate is judged (bare number: seconds)"),
    TIME("steadystate_ramp_time", "ss_ramp", output.steady_ramp_ns, UNITS_NS_PER_S,
	"time before steadystate is judged (bare number: seconds)"),
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
	    "shared", "layout", "user", "runner", "checked", "fault_delay", "fault_error_every",
	    "fault_errno", "fault_short_every", "fault_stall_after",
	    "fault_enospc_after", "description", "bsrange", "bssplit", "blockalign",
	    "bs_unaligned", "bs_is_seq_rand", "rw_sequencer", "random_distribution",
	    "random_generator", "allrandrepeat", "softrandommap", "percentage_random",
	    "filename_format", "opendir", "filesize", "openfiles", "file_service_type",
	    "create_serialize", "create_fsync", "create_on_open", "create_only",
	    "allow_file_create", "overwrite", "file_append", "pre_read", "fill_device",
	    "unlink", "unlink_each_loop", "invalidate", "fallocate", "fadvise_hint",
	    "sync", "fsync_on_close", "sync_file_range", "offset_align",
	    "offset_increment", "number_ios", "loops", "verify", "do_verify",
	    "verify_only", "verify_fatal", "verify_dump", "verify_interval",
	    "verify_backlog", "verify_backlog_batch", "verify_async", "verify_pattern",
	    "buffer_pattern", "zero_buffers", "refill_buffers", "scramble_buffers",
	    "buffer_compress_percentage", "buffer_compress_chunk", "dedupe_percentage",
	    "dedupe_mode", "dedupe_working_set_percentage", "dedupe_global", "rate_min",
	    "rate_iops_min", "rate_process", "rate_cycle", "rate_ignore_thinktime",
	    "thinktime_spin", "thinktime_iotime", "thinktime_blocks_type",
	    "max_latency", "latency_target", "latency_window", "latency_percentile",
	    "latency_run", "mem", "iomem_align", "cpus_allowed", "cpus_allowed_policy",
	    "numa_cpu_nodes", "numa_mem_policy", "nice", "prio", "prioclass",
	    "exec_prerun", "exec_postrun", "startdelay", "continue_on_error",
	    "ignore_error", "exitall", "exitall_on_error", "exit_what", "hipri", "fixedbufs",
	    "registerfiles", "sqthread_poll", "sqthread_poll_cpu", "nonvectored", "hostname",
	    "port", "export", "keyfile", "rdma_mode", "rdma_device", "rdma_gid_index",
	    "rdma_sl", "rdma_traffic_class", "rdma_mtu", "write_bw_log",
	    "write_iops_log", "write_lat_log", "write_hist_log", "log_avg_msec",
	    "log_hist_msec", "log_hist_coarseness", "log_max_value", "log_offset",
	    "log_unix_epoch", "per_job_logs", "percentile_list", "clat_percentiles",
	    "lat_percentiles", "slat_percentiles", "significant_figures", "steadystate",
	    "steadystate_duration", "steadystate_ramp_time", NULL};

	return names;
}
