/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole files: sections, globals, includes, stages and groups, marks, and what the
 * options mean together.
 */
#include <check.h>
#include <string.h>

#include "lib/base/mem.h"
#include "tests/unit/fio/read.h"
#include "tests/unit/suite.h"

static struct fio_file file;

static const struct job *
job_at(size_t i)
{
	ck_assert_uint_lt(i, file.jobs.n);
	return &file.jobs.v[i].job;
}

static enum fio_mark
mark_of(size_t job, const char *option)
{
	const struct fio_given *last = NULL;

	for (vec_each(const struct fio_given *, given, &file.jobs.v[job].given))
		if (strcmp(given->option->name, option) == 0)
			last = given;
	ck_assert_msg(last != NULL, "%s has no mark", option);
	if (last->mark != FIO_HONOURED)
		ck_assert_msg(last->why && *last->why, "%s has no reason", option);
	return last->mark;
}

/* As in fio: a name that [global] gives is no section's. */
START_TEST(names)
{
	taken(&file, "[global]\nname=all\nsize=1m\n[a]\n[b]\nname=own\n[c]\n", 0);
	ck_assert_str_eq(file.jobs.v[0].name, "a");
	ck_assert_str_eq(file.jobs.v[0].job.name, "a");
	ck_assert_str_eq(file.jobs.v[1].name, "own");
	ck_assert_str_eq(file.jobs.v[2].name, "c");
	fio_file_free(&file);
}
END_TEST

/* In fio b reads what a wrote; another file of that name must not be read instead. */
START_TEST(generated_names)
{
	refused("[global]\nsize=1m\n[a]\nrw=write\n[b]\nstonewall\nfilename=x:a.0.0\n",
	    0, "j.fio:7: filename=a.0.0 is a file that job 'a' generates");
	taken(&file, "[global]\nsize=1m\n[a]\nrw=write\n[b]\nfilename=a.1.0\n", 0);
	fio_file_free(&file);
	taken(&file,
	    "[global]\nsize=1m\n[a]\ndirectory=/mnt\n[b]\ndirectory=/"
	    "tmp\nfilename=a.0.0\n",
	    0);
	fio_file_free(&file);
}
END_TEST

START_TEST(globals)
{
	taken(&file,
	    "[global]\nsize=1m\nbs=8k\n[a]\n[global]\nbs=16k\n[b]\nbs=32k\n[c]\n", 0);
	ck_assert_uint_eq(file.jobs.n, 3);
	ck_assert_uint_eq(job_at(0)->bs[DIR_READ], 8192);
	ck_assert_uint_eq(job_at(1)->bs[DIR_READ], 32768);
	ck_assert_uint_eq(job_at(2)->bs[DIR_READ], 16384);
	ck_assert_uint_eq(job_at(2)->size, 1 << 20);
	ck_assert_str_eq(job_at(2)->name, "c");
	fio_file_free(&file);
	/* What a section says does not reach the next. */
	taken(&file, "[a]\nsize=1m\niodepth=1\nnumjobs=4\n[b]\nsize=2m\n", 0);
	ck_assert_uint_eq(job_at(1)->numjobs, 1);
	fio_file_free(&file);
}
END_TEST

START_TEST(section_names)
{
	taken(
	    &file, "[]\nsize=1m\n[my job 1]\nsize=1m\n[x]\nsize=1m\n[x]\nsize=1m\n", 0);
	ck_assert_uint_eq(file.jobs.n, 4);
	ck_assert_str_eq(job_at(0)->name, "job");
	ck_assert_str_eq(job_at(1)->name, "my job 1");
	ck_assert_str_eq(job_at(3)->name, "x");
	fio_file_free(&file);
	refused("[globalx]\nsize=1m\n[a]\n", 0,
	    "j.fio:1: [globalx] would be a [global] section to fio");
	taken(&file, "[globalx]\nsize=1m\n[a]\n", AS_FIO);
	ck_assert_uint_eq(file.jobs.n, 1);
	ck_assert_uint_eq(job_at(0)->size, 1 << 20);
	fio_file_free(&file);
	refused("[ab\nsize=1m\n", 0, "j.fio:1: '[ab' does not end with ]");
	taken(&file, "[ab\nsize=1m\n", AS_FIO);
	ck_assert_str_eq(job_at(0)->name, "a");
	fio_file_free(&file);
	refused("[a] x\nsize=1m\n", 0, "j.fio:1: '[a] x' does not end with ]");
	taken(&file, "[a] # x\nsize=1m\n", 0);
	ck_assert_str_eq(job_at(0)->name, "a");
	fio_file_free(&file);
}
END_TEST

START_TEST(lines)
{
	refused("size=1m\n[a]\n", 0, "j.fio:1: option <size=1m> outside of a [job]");
	refused("\xef\xbb\xbf[a]\nsize=1m\n", 0, "j.fio:1: option <\xef\xbb\xbf[a]>");
	refused("", 0, "j.fio: holds no job");
	refused("[global]\nbs=4k\n", 0, "j.fio: holds no job");
	taken(&file, "# c\n; c\n\n  [a]  \r\n\tsize=1m \r\n  # size=2m\n;\n", 0);
	ck_assert_uint_eq(job_at(0)->size, 1 << 20);
	ck_assert_uint_eq(file.jobs.v[0].given.v[0].pos.line, 5);
	fio_file_free(&file);
	taken(&file, "[a]\nsize=1m", 0); /* no newline at the end */
	fio_file_free(&file);
	refused("[a]\nsize=1m\nunknwon=1\n", 0, "j.fio:3: unknown option 'unknwon'");
	refused("[a]\nsize=1m\niodepht=1\n", 0,
	    "j.fio:3: unknown option 'iodepht'; did you mean 'iodepth'?");
	refused("[a]\n=1\n", 0, "j.fio:2: unknown option ''");
}
END_TEST

START_TEST(includes)
{
	taken(
	    &file, "[global]\ninclude common.inc\n[a]\nsize=1m\nioengine=libaio\n", 0);
	ck_assert_uint_eq(job_at(0)->bs[DIR_READ], 16384);
	ck_assert_uint_eq(job_at(0)->iodepth, 4);
	ck_assert_str_eq(file.jobs.v[0].given.v[0].pos.file, "common.inc");
	fio_file_free(&file);
	taken(&file, "[a]\nsize=1m\nioengine=libaio\ninclude=common.inc\nbs=4k\n", 0);
	ck_assert_uint_eq(job_at(0)->bs[DIR_READ], 4096);
	ck_assert_uint_eq(job_at(0)->iodepth, 4);
	fio_file_free(&file);
	/* A path beside the file that includes, and the place of the fault. */
	refused("[a]\nsize=1m\ninclude dir/deep.inc\n", 0,
	    "dir/more.inc:2: rwmixread: 101 is too large");
	refused(
	    "[a]\nsize=1m\ninclude nope\n", 0, "j.fio:3: include nope: no such file");
	refused("[a]\ninclude section.inc\n", 0,
	    "section.inc:2: an included file may hold no sections");
	refused("[a]\ninclude loop.inc\n", 0,
	    "loop.inc:1: files include each other more than 8 deep");
	refused("include common.inc\n", 0, "j.fio:1: option <include common.inc>");
}
END_TEST

static void
placed(size_t i, unsigned stage, unsigned group)
{
	ck_assert_uint_lt(i, file.jobs.n);
	ck_assert_msg(file.jobs.v[i].stage == stage, "stage of job %zu", i);
	ck_assert_msg(file.jobs.v[i].group == group, "group of job %zu", i);
}

START_TEST(stages)
{
	taken(&file,
	    "[global]\nsize=1m\n[a]\nstonewall\n[b]\n[c]\nnew_group\n[d]\nstonewall\n"
	    "[e]\nwait_for_previous=0\n[f]\nwait_for=a\n",
	    0);
	placed(0, 0, 0);
	placed(1, 0, 0);
	placed(2, 0, 1);
	placed(3, 1, 2);
	placed(4, 1, 2);
	placed(5, 1, 2);
	ck_assert_uint_eq(fio_file_stages(&file), 2);
	fio_file_free(&file);
	taken(&file, "[global]\nsize=1m\n[a]\n[b]\nwait_for=a\n", 0);
	placed(1, 1, 0);
	ck_assert_int_eq(mark_of(1, "wait_for"), FIO_TRANSLATED);
	fio_file_free(&file);
	refused("[global]\nsize=1m\n[a]\n[b]\n[c]\nwait_for=a\n", 0,
	    "j.fio:6: wait_for: other jobs than 'a' run before this one");
	refused("[a]\nsize=1m\nwait_for=z\n", 0,
	    "j.fio:3: wait_for: there is no job 'z' before this one");
}
END_TEST

START_TEST(marks)
{
	taken(&file,
	    "[a]\nsize=1m\nclocksource=cpu\nthread\nioengine=sync\nkb_base=1000\n"
	    "unique_filename=0\ngtod_reduce=1\nzonemode=none\niodepth=8\n",
	    0);
	ck_assert_int_eq(mark_of(0, "size"), FIO_HONOURED);
	ck_assert_int_eq(mark_of(0, "clocksource"), FIO_TRANSLATED);
	ck_assert_int_eq(mark_of(0, "thread"), FIO_HONOURED);
	ck_assert_int_eq(mark_of(0, "ioengine"), FIO_HONOURED);
	ck_assert_int_eq(mark_of(0, "kb_base"), FIO_TRANSLATED);
	ck_assert_int_eq(mark_of(0, "zonemode"), FIO_HONOURED);
	ck_assert_int_eq(mark_of(0, "iodepth"), FIO_TRANSLATED);
	ck_assert_uint_eq(job_at(0)->size, 1000000);
	ck_assert_str_eq(job_at(0)->ioengine, "sync");
	ck_assert(job_at(0)->shared);
	ck_assert(job_at(0)->randrepeat);
	ck_assert_uint_eq(job_at(0)->iodepth, 1);
	ck_assert_str_eq(file.jobs.v[0].warnings.v[0],
	    "j.fio:10: iodepth: ioengine sync does one I/O at a time, so 8 is 1, as "
	    "in "
	    "fio");
	fio_file_free(&file);
}
END_TEST

START_TEST(refused_options)
{
	const char *text = "[a]\nsize=1m\nzonemode=zbd\nread_iolog=x\nrbdname=y\n"
			   "rw=randtrim\nioengine=rbd\n";

	refused(text, 0, "j.fio:3: zonemode: zones are not followed: take a device or file without them");
	line_refused("rbdname=y", 0, "j.fio:3: rbdname: belongs to an engine that is");
	line_refused("rw=randtrim", 0, "j.fio:3: rw: 'randtrim': volley discards no blocks: what a device or file holds may be all there is of it");
	line_refused(
	    "ioengine=rbd", 0, "j.fio:3: ioengine: volley has not fio's engine 'rbd'");
	line_refused(
	    "verify=crc64", 0, "j.fio:3: verify: 'crc64': crc32c, xxhash and sha256 find the same faults");
	line_refused("hipri", IGNORING,
	    "j.fio:3: hipri: ioengine psync has no such option (it belongs to: ");
	line_refused("clocksource=sun", 0, "j.fio:3: clocksource: 'sun' is not one of");
	taken(&file, text, IGNORING);
	ck_assert_uint_eq(file.jobs.v[0].warnings.n, 5);
	ck_assert_str_eq(file.jobs.v[0].warnings.v[1],
	    "j.fio:4: read_iolog is ignored: traces are neither recorded nor replayed");
	ck_assert_int_eq(mark_of(0, "read_iolog"), FIO_REFUSED);
	ck_assert_int_eq(job_at(0)->rw, JOB_READ);
	fio_file_free(&file);
	/* A bad value stays an error. */
	line_refused("bs=x", IGNORING, "j.fio:3: bs: 'x' is not a number");
}
END_TEST

START_TEST(sizes_of_files)
{
	taken(&file, "[a]\nfilesize=4m\nnrfiles=8\n", 0);
	ck_assert_uint_eq(job_at(0)->size, 32 << 20);
	ck_assert_uint_eq(job_file_bytes(job_at(0)), 4 << 20);
	ck_assert_int_eq(mark_of(0, "filesize"), FIO_TRANSLATED);
	fio_file_free(&file);
	refused("[a]\nbs=4k\n", 0, "j.fio:1: job 'a' has no size (nor filesize)");
	refused("[a]\nfilesize=0\n", 0, "j.fio:2: filesize: 0 is too small");
	taken(&file, "[a]\nsize=1m\nio_size=512k\n", 0);
	ck_assert_uint_eq(job_at(0)->io_size, 512 << 10);
	fio_file_free(&file);
}
END_TEST

START_TEST(forgiven)
{
	taken(&file,
	    "[a]\nsize=1m\nioengine=libaio\niodepth=4\niodepth_batch=8\n"
	    "iodepth_batch_complete_min=0\niodepth_low=9\ntime_based\nnrfiles=3\n"
	    "filename=x\n",
	    0);
	ck_assert_uint_eq(job_at(0)->iodepth_batch, 4);
	ck_assert_uint_eq(job_at(0)->iodepth_batch_complete_min, 1);
	ck_assert_uint_eq(job_at(0)->iodepth_low, 4);
	ck_assert(!job_at(0)->time_based);
	ck_assert_uint_eq(job_at(0)->nrfiles, 1);
	ck_assert_uint_eq(file.jobs.v[0].warnings.n, 4);
	ck_assert_str_eq(file.jobs.v[0].warnings.v[2],
	    "j.fio:8: time_based: without runtime it has no effect, as in fio");
	fio_file_free(&file);
	taken(&file, "[a]\nsize=1m\nss=iops:2%\n", 0);
	ck_assert_int_eq(job_at(0)->output.steady, JOB_STEADY_NONE);
	ck_assert_str_eq(file.jobs.v[0].warnings.v[0],
	    "j.fio:3: steadystate: without steadystate_duration it has no effect, as "
	    "in fio");
	fio_file_free(&file);
	taken(&file, "[a]\nsize=1m\nss_dur=30\n", 0); /* fio's usual criterion */
	ck_assert_uint_eq(file.jobs.v[0].warnings.n, 0);
	ck_assert_uint_eq(job_at(0)->output.steady_ns, UINT64_C(30000000000));
	fio_file_free(&file);
	taken(&file, "[a]\nsize=1m\niodepth_batch=0\nioengine=libaio\niodepth=7\n", 0);
	ck_assert_uint_eq(job_at(0)->iodepth_batch, 7);
	fio_file_free(&file);
	refused("[a]\nsize=1m\ndirectory=/mnt\nfilename=/x\n", 0,
	    "j.fio:4: filename '/x' is absolute; below directory '/mnt' fio would take "
	    "it as '/mnt//x'");
	taken(&file, "[a]\nsize=1m\ndirectory=/mnt\nfilename=/x\n", AS_FIO);
	ck_assert_str_eq(job_at(0)->filename, "x");
	fio_file_free(&file);
	refused("[a]\nsize=1m\ndirectory=/a:/b\n", 0,
	    "j.fio:3: directory: several folders are not supported yet");
}
END_TEST

START_TEST(engines)
{
	taken(&file,
	    "[global]\nsize=1m\nioengine=posixaio\niodepth=4\n[a]\ndirect=1\n[b]\n", 0);
	ck_assert_str_eq(job_at(0)->ioengine, "libaio");
	ck_assert_int_eq(mark_of(0, "ioengine"), FIO_TRANSLATED);
	ck_assert_str_eq(job_at(1)->ioengine, "io_uring");
	fio_file_free(&file);
	line_refused("nowait=0", 0,
	    "j.fio:3: nowait: ioengine psync has no such option (it belongs to: ");
	taken(&file, "[a]\nsize=1m\nnowait=0\nioengine=libaio\n", 0);
	fio_file_free(&file);
	line_refused("ioengine=libaoi", 0,
	    "j.fio:3: ioengine: unknown engine 'libaoi'; did you mean 'libaio'?");
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("fio-jobs", generated_names, globals, section_names, lines,
	    includes, stages, marks, refused_options, sizes_of_files, forgiven,
	    engines, names);
}
