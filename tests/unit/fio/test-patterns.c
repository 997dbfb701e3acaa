/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Job files in the manner of those that vendors and PoC teams use (tests/fio-jobs):
 * every option is known, and what cannot be done yet is named as just that.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/work/fio/open.h"
#include "tests/unit/suite.h"

static struct fio_file file;

static void
enter(void)
{
	const char *dir = getenv("abs_top_srcdir");
	char *path = mem_printf("%s/tests/fio-jobs", dir ? dir : ".");

	ck_assert_msg(chdir(path) == 0, "chdir %s", path);
	ck_assert_int_eq(setenv("DIR", "/mnt/vast", 1), 0);
	free(path);
}

static void
open_file(const char *name)
{
	struct err err = ERR_INIT;

	enter();
	/* As it stands: taken, or the worker does not do something in it yet. */
	if (fio_file_open(&file, name, false, false, &err) == 0)
		fio_file_free(&file);
	else
		ck_assert_msg(err.code == ERR_UNSUPPORTED, "%s", err.msg);
	err = ERR_INIT;
	ck_assert_msg(
	    fio_file_open(&file, name, false, true, &err) == 0, "%s", err.msg);
}

static const struct job *
job_named(const char *name)
{
	for (vec_each(const struct fio_job *, job, &file.jobs))
		if (strcmp(job->name, name) == 0)
			return &job->job;
	ck_abort_msg("no job '%s'", name);
	return NULL;
}

static enum fio_mark
mark_of(size_t job, const char *option)
{
	for (vec_each(const struct fio_given *, given, &file.jobs.v[job].given))
		if (strcmp(given->name, option) == 0)
			return given->mark;
	ck_abort_msg("%s has no mark", option);
	return FIO_REFUSED;
}

START_TEST(weka)
{
	const struct job *job;

	open_file("weka-default.fio");
	ck_assert_uint_eq(file.jobs.n, 2);
	ck_assert_uint_eq(fio_file_stages(&file), 2);
	job = job_named("bandwidth-read");
	ck_assert_uint_eq(job->size, 128 << 20);
	ck_assert_uint_eq(job->bs[DIR_READ], 1 << 20);
	ck_assert_uint_eq(job->numjobs, 32);
	ck_assert_uint_eq(job->runtime_ns, UINT64_C(30000000000));
	ck_assert_int_eq(job->direct, JOB_DIRECT);
	ck_assert(job->time_based && job->group_reporting);
	ck_assert_str_eq(job->directory, "/mnt/weka");
	ck_assert_str_eq(job->description, "'Read Throughput 1M, QD1'");
	ck_assert_int_eq(mark_of(1, "clocksource"), FIO_TRANSLATED);
	ck_assert_int_eq(mark_of(1, "filesize"), FIO_TRANSLATED);
	fio_file_free(&file);
	open_file("weka-latency.fio");
	job = job_named("latency-4k");
	ck_assert_uint_eq(job->numjobs, 200);
	ck_assert_uint_eq(job->ramp_ns, UINT64_C(3000000000));
	ck_assert_int_eq(mark_of(0, "fallocate"), FIO_HONOURED);
	ck_assert_int_eq(mark_of(0, "disable_clat"), FIO_TRANSLATED);
	fio_file_free(&file);
}
END_TEST

START_TEST(vast)
{
	open_file("vast-schedule.fio");
	ck_assert_uint_eq(fio_file_stages(&file), 3);
	ck_assert_str_eq(job_named("layout")->directory, "/mnt/vast");
	ck_assert_uint_eq(job_named("rand-read")->iodepth, 32);
	ck_assert(job_named("rand-read")->norandommap);
	ck_assert(!job_named("rand-read")->randrepeat);
	fio_file_free(&file);
}
END_TEST

START_TEST(kbench)
{
	open_file("kbench-rand.fio");
	ck_assert_uint_eq(fio_file_stages(&file), 2);
	ck_assert_uint_eq(
	    job_named("iops-rand-write")->runtime_ns, UINT64_C(20000000000));
	ck_assert_str_eq(job_named("iops-rand-write")->filename, "volume.test");
	ck_assert_str_eq(file.jobs.v[0].given.v[0].pos.file, "kbench-common.inc");
	fio_file_free(&file);
}
END_TEST

/* kb_base=1000 turns the suffixes round: GiB is 2^30 then, and no warning is due. */
START_TEST(benchmark_operator)
{
	open_file("benchmark-operator.fio");
	ck_assert_uint_eq(job_named("write")->size, UINT64_C(5) << 30);
	ck_assert_uint_eq(job_named("write")->bs[DIR_WRITE], 4096 << 10);
	for (vec_each(char **, warning, &file.jobs.v[0].warnings))
		ck_assert_ptr_null(strstr(*warning, "power of"));
	fio_file_free(&file);
}
END_TEST

START_TEST(parallel_file_systems)
{
	open_file("gpfs.fio");
	ck_assert_uint_eq(job_named("read")->iodepth, 1);
	ck_assert_uint_eq(job_named("read")->bs[DIR_READ], 16 << 20);
	ck_assert_int_eq(mark_of(0, "iodepth"), FIO_TRANSLATED);
	fio_file_free(&file);
	open_file("lustre.fio");
	ck_assert_uint_eq(job_file_bytes(job_named("ost-write")), 1 << 30);
	ck_assert(job_named("ost-write")->end_fsync);
	fio_file_free(&file);
	open_file("beegfs.fio");
	ck_assert_str_eq(job_named("mixed")->ioengine, "libaio");
	ck_assert_uint_eq(job_named("mixed")->rwmixread, 70);
	ck_assert_int_eq(job_named("mixed")->direct, JOB_DIRECT);
	fio_file_free(&file);
}
END_TEST

/* name= in [global] names neither job, as in fio; stonewall there puts them apart. */
START_TEST(azure_netapp)
{
	open_file("azure-netapp.fio");
	ck_assert_uint_eq(fio_file_stages(&file), 2);
	ck_assert_str_eq(file.jobs.v[1].name, "rw-64k-split");
	ck_assert_uint_eq(file.jobs.v[1].job.rwmixread, 70);
	ck_assert_uint_eq(file.jobs.v[0].job.output.npercentiles, 5);
	fio_file_free(&file);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("fio-patterns", weka, vast, kbench, benchmark_operator,
	    parallel_file_systems, azure_netapp);
}
