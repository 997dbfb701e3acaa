/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What fio 3.33 makes of odd syntax, row by row, as volley takes it and with as_fio.
 * Expected values were seen with fio itself.
 */
#include <check.h>
#include <string.h>

#include "lib/base/mem.h"
#include "tests/unit/fio/read.h"
#include "tests/unit/suite.h"

static struct fio_file file;

static const struct job *
job_of(const char *line, int how)
{
	read_line(&file, line, how);
	return &file.jobs.v[0].job;
}

static void
done(void)
{
	fio_file_free(&file);
}

static void
bs_is(const char *line, int how, uint64_t r, uint64_t w, const char *t)
{
	const struct job *job = job_of(line, how);

	ck_assert_msg(job->bs[DIR_READ] == r, "%s: read", line);
	ck_assert_msg(job->bs[DIR_WRITE] == w, "%s: write", line);
	ck_assert_str_eq(fio_job_trim(&file.jobs.v[0], "bs"), t);
	done();
}

START_TEST(block_sizes)
{
	for (int how = 0; how <= AS_FIO; how++) {
		bs_is("bs=4k,8k,16k", how, 4096, 8192, "16384");
		bs_is("bs=,8k", how, 4096, 8192, "8192");
		bs_is("bs=16k\nbs=,8k", how, 16384, 8192, "8192");
		bs_is("bs=8k,", how, 8192, 4096, "4096");
		bs_is("bs=8k,16k", how, 8192, 16384, "16384");
		bs_is("bs=4KiB", how, 4000, 4000, "4000");
		bs_is("bs=4kb", how, 4096, 4096, "4096");
		bs_is("bs=4ki", how, 4096, 4096, "4096");
		bs_is("bs=4K", how, 4096, 4096, "4096");
		bs_is("blocksize=0x1000", how, 4096, 4096, "4096");
		bs_is("bs=8k # c", how, 8192, 8192, "8192");
		bs_is("bs =8k", how, 8192, 8192, "8192");
		bs_is("bs=4kib\nkb_base=1000", how, 4096, 4096, "4096");
		bs_is("bs=4k\nkb_base=1000", how, 4000, 4000, "4000");
		bs_is("bs=64k\nbs=4k", how, 4096, 4096, "4096");
	}
}
END_TEST

START_TEST(block_size_surprises)
{
	line_refused("bs=4k-64k", 0,
	    "j.fio:3: bs: '4k-64k' ends with 'k-64k', which "
	    "is no unit; fio would read '4k-64k' as 4096");
	bs_is("bs=4k-64k", AS_FIO, 4096, 65536, "65536");
	line_refused("bs=4k/8k", 0, "j.fio:3: bs: '4k/8k' ends with 'k/8k'");
	bs_is("bs=4k/8k", AS_FIO, 4096, 4096, "4096");
	line_refused("bs = 8k", 0,
	    "j.fio:3: bs: a blank follows the =, behind which "
	    "fio looks for no suffix: it would read ' 8k' as 8");
	bs_is("bs = 8k", AS_FIO, 8, 8, "8");
	bs_is("bs= 8k", AS_FIO, 8, 8, "8");
	line_refused("bs=1.5k", 0,
	    "j.fio:3: bs: '1.5k' ends with '.5k', which is no "
	    "unit; fio would read '1.5k' as 1");
	bs_is("bs=1.5k", AS_FIO, 1, 1, "1");
	line_refused("bs=4k:8k", 0, "j.fio:3: bs: '4k:8k' ends with");
	bs_is("bs=4k:8k", AS_FIO, 4096, 8192, "8192");
	line_refused("bs=4kx", 0, "j.fio:3: bs: '4kx' ends with 'kx'");
	bs_is("bs=4kx", AS_FIO, 4096, 4096, "4096");
	for (int how = 0; how <= AS_FIO; how++) {
		line_refused("bs", how, "j.fio:3: bs: a value is missing");
		line_refused("bs=", how, "j.fio:3: bs: a value is missing");
		line_refused("bs=0", how, "j.fio:3: bs: 0 is too small");
		line_refused("bs=k", how, "j.fio:3: bs: ");
		line_refused("BS=8k", how, "j.fio:3: unknown option 'BS'");
		line_refused("bs=,", how, "j.fio:3: bs: ',' holds no value");
	}
}
END_TEST

START_TEST(suffix_warning)
{
	read_line(&file, "bs=4KiB", 0);
	ck_assert_uint_eq(file.jobs.v[0].warnings.n, 1);
	ck_assert_str_eq(file.jobs.v[0].warnings.v[0],
	    "j.fio:3: bs: 4KiB is 4000 bytes: fio takes KiB as a power of 1000 and K "
	    "as "
	    "one of 1024 (unless kb_base=1000)");
	done();
	read_line(&file, "kb_base=1000\nbs=4KiB", 0);
	ck_assert_uint_eq(file.jobs.v[0].warnings.n, 0);
	done();
}
END_TEST

START_TEST(sizes)
{
	const struct {
		const char *line;
		uint64_t size;
	} rows[] = {{"size=4*$pagesize", 16384}, {"size=(2*1m)", 2097152},
	    {"size=((1m+4k)*2)", 2105344}, {"size=${SZ}", 8388608},
	    {"size=2*$mb_memory*1024", 4194304}, {"size=$pagesize", 4096},
	    {"size=1GiB", 1000000000}, {"size=1t", UINT64_C(1) << 40},
	    {"size=(7-3)k", 0}};

	for (size_t i = 0; i + 1 < sizeof rows / sizeof *rows; i++) {
		ck_assert_msg(
		    job_of(rows[i].line, 0)->size == rows[i].size, "%s", rows[i].line);
		done();
	}
	line_refused("size=(7-3)k", 0, "j.fio:3: size: '(7-3)k': 'k' is left over");
	line_refused("size=(1m", 0, "j.fio:3: size: '(1m': ) is missing");
	line_refused("size=(1m/0)", 0, "j.fio:3: size: '(1m/0)': division by 0");
	line_refused("size=(1-2)", 0, "j.fio:3: size: '(1-2)': the result is negative");
	line_refused("size=2*1m", 0,
	    "j.fio:3: size: '2*1m' ends with '*1m', which is "
	    "no unit; fio would read '2*1m' as 2");
	line_refused("size=2*1m", AS_FIO,
	    "j.fio:1: job 'j': bs (4096) is larger than "
	    "size (2)");
	line_refused("size=1m+4k", 0,
	    "j.fio:3: size: '1m+4k' ends with 'm+4k', which "
	    "is no unit; fio would read '1m+4k' as 1048576");
	ck_assert_uint_eq(job_of("size=1m+4k", AS_FIO)->size, 1 << 20);
	done();
	line_refused("size=${NOPE}", 0,
	    "j.fio:3: ${NOPE}: the variable is not set; fio "
	    "would put nothing in its place");
	line_refused("size=${NOPE}", AS_FIO, "j.fio:3: size: a value is missing");
	line_refused("size=${EMPTY}", 0, "j.fio:3: size: a value is missing");
	line_refused("size=${SZ", 0, "j.fio:3: '${SZ' is not closed with }");
	ck_assert_uint_eq(job_of("size=50%", 0)->amount.size_percent, 50);
	done();
	ck_assert_uint_eq(job_of("io_size=50%\nsize=1m", IGNORING)->size, 1 << 20);
	done();
	ck_assert_uint_eq(job_of("io_size=2m", 0)->io_size, 2 << 20);
	done();
}
END_TEST

START_TEST(times)
{
	const struct {
		const char *line;
		uint64_t ns;
	} rows[] = {{"runtime=180", UINT64_C(180000000000)},
	    {"timeout=3m", UINT64_C(180000000000)}, {"runtime=500ms", 500000000},
	    {"runtime=5S", UINT64_C(5000000000)}, {"runtime=0", 0}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ck_assert_msg(job_of(rows[i].line, 0)->runtime_ns == rows[i].ns, "%s",
		    rows[i].line);
		done();
	}
	line_refused("runtime=1m1s", 0,
	    "j.fio:3: runtime: '1m1s' ends with 'm1s', "
	    "which is none of us ms s m h d; fio would read "
	    "'1m1s' as 1 microseconds");
	ck_assert_uint_eq(job_of("runtime=1m1s", AS_FIO)->runtime_ns, 1000);
	done();
	line_refused("runtime=10sec", 0, "j.fio:3: runtime: '10sec' ends with 'sec'");
	ck_assert_uint_eq(job_of("runtime=10sec", AS_FIO)->runtime_ns, 10000);
	done();
	line_refused("runtime=7ns", 0, "j.fio:3: runtime: '7ns' ends with 'ns'");
	line_refused("runtime=0x10", 0,
	    "j.fio:3: runtime: '0x10' is no time; fio would "
	    "read '0x10' as 16 microseconds");
	ck_assert_uint_eq(job_of("runtime=0x10", AS_FIO)->runtime_ns, 16000);
	done();
	ck_assert_uint_eq(job_of("thinktime=20", 0)->thinktime_ns, 20000);
	done();
	ck_assert_uint_eq(job_of("thinktime=1s", 0)->thinktime_ns, 1000000000);
	done();
}
END_TEST

START_TEST(rest_of_the_table)
{
	ck_assert_uint_eq(job_of("rwmixread=70\nrwmixwrite=70", 0)->rwmixread, 30);
	done();
	ck_assert_uint_eq(job_of("rate=,500k", 0)->rate[DIR_WRITE], 512000);
	ck_assert_uint_eq(file.jobs.v[0].job.rate[DIR_READ], 0);
	done();
	line_refused("rw=\"read\"", 0, "j.fio:3: rw: '\"read\"' is not one of read");
	line_refused("rw=\"read\"", AS_FIO, "j.fio:3: rw: '\"read\"' is not one of");
	ck_assert_str_eq(job_of("description='x y'", 0)->description, "'x y'");
	done();
	ck_assert_str_eq(job_of("filename=/a\\:b", 0)->filename, "/a:b");
	done();
	if (honoured_line(&file, "filename=/a:/b\\:c")) {
		ck_assert_str_eq(file.jobs.v[0].job.files.list, "/a:/b\\:c");
		ck_assert_str_eq(file.jobs.v[0].job.filename, "/a");
		done();
	}
	line_refused("filename=/d/x#1", 0,
	    "j.fio:3: '#' begins a comment even inside "
	    "a word: fio would read 'filename=/d/x'");
	ck_assert_str_eq(job_of("filename=/d/x#1", AS_FIO)->filename, "/d/x");
	done();
	line_refused("filename=/d/x;1", 0, "j.fio:3: ';' begins a comment");
	ck_assert_str_eq(job_of("name=zz", 0)->name, "zz");
	ck_assert_str_eq(file.jobs.v[0].name, "zz");
	done();
	line_refused("// comment", 0, "j.fio:3: unknown option '// comment'");
	line_refused("// comment", AS_FIO, "j.fio:3: unknown option");
}
END_TEST

START_TEST(booleans)
{
	ck_assert(job_of("time_based=0\nruntime=1", 0)->time_based == false);
	done();
	ck_assert(job_of("time_based\nruntime=1", AS_FIO)->time_based);
	done();
	ck_assert(job_of("thread\ngroup_reporting", 0)->group_reporting);
	done();
	ck_assert_int_eq(job_of("direct", 0)->direct, JOB_DIRECT);
	ck_assert_uint_eq(file.jobs.v[0].warnings.n, 1);
	ck_assert_str_eq(file.jobs.v[0].warnings.v[0],
	    "j.fio:3: direct: given bare, "
	    "which is taken as 1; fio itself "
	    "wants a value here");
	done();
	line_refused("direct", AS_FIO, "j.fio:3: direct: a value is missing");
	line_refused("direct=2", AS_FIO, "j.fio:3: direct: '2' is not 0 or 1");
	line_refused("direct=1x", 0,
	    "j.fio:3: direct: '1x' is not 0 or 1; fio would "
	    "read it as 1");
	ck_assert_int_eq(job_of("direct=1x", AS_FIO)->direct, JOB_DIRECT);
	done();
	ck_assert_int_eq(job_of("buffered=0", 0)->direct, JOB_DIRECT);
	done();
}
END_TEST

static void
split_is(const char *line, enum dir dir, unsigned n, uint64_t bs, unsigned percent)
{
	const struct job_splits *splits;

	if (!honoured_line(&file, line))
		return;
	splits = &file.jobs.v[0].job.blocks.split[dir];
	ck_assert_uint_eq(splits->n, n);
	if (n) {
		ck_assert_uint_eq(splits->v[n - 1].bs, bs);
		ck_assert_uint_eq(splits->v[n - 1].percent, percent);
	}
	done();
}

START_TEST(splits)
{
	split_is("bssplit=4k/50:8k/50", DIR_READ, 2, 8192, 50);
	split_is("bssplit=4k/50:8k/50", DIR_WRITE, 2, 8192, 50);
	split_is("bssplit=4k/60:8k/", DIR_READ, 2, 8192, 40);
	split_is("bssplit=4k/60:8k/:16k/", DIR_READ, 3, 16384, 20);
	split_is("bssplit=,64k/100", DIR_READ, 0, 0, 0);
	split_is("bssplit=,64k/100", DIR_WRITE, 1, 65536, 100);
	line_refused("bssplit=4k/60:8k/60", 0, "j.fio:3: bssplit: the shares of");
	line_refused("bssplit=x/50", 0, "j.fio:3: bssplit: 'x' is not a number");
	line_refused("bssplit=4kx/50", 0, "j.fio:3: bssplit: '4kx' ends with 'kx'");
}
END_TEST

/* size=50% and the like stay percentages until the files are known. */
START_TEST(percentages)
{
	if (honoured_line(&file, "size=50%\nfilename=f")) {
		ck_assert_uint_eq(file.jobs.v[0].job.amount.size_percent, 50);
		done();
	}
	if (honoured_line(&file, "io_size=50%")) { /* half of the size of 1m */
		ck_assert_uint_eq(file.jobs.v[0].job.io_size, 512 << 10);
		done();
	}
	line_refused("size=120%", 0, "j.fio:3: size: '120%' is more than 100%; fio");
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("fio-syntax", block_sizes, block_size_surprises,
	    suffix_warning, sizes, times, rest_of_the_table, booleans, splits,
	    percentages);
}
