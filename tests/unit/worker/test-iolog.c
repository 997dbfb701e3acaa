/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs against lines worked out by hand, and their names.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/worker/iolog.h"
#include "agent/worker/link.h"
#include "agent/worker/logs.h"
#include "lib/base/mem.h"
#include "tests/unit/worker/support.h"

#define T0 UINT64_C(7000000000)
#define MS UINT64_C(1000000)

static struct err err;
static struct job job;
static struct iolog *log_;

static void
set(const char *name, const char *value)
{
	ck_assert_msg(job_set(&job, name, value, &err) == 0, "%s", err.msg);
}

static void
setup(void)
{
	err = ERR_INIT;
	scratch_make();
	job_init(&job);
	set("write_bw_log", scratch_path("l"));
	set("write_iops_log", scratch_path("l"));
	set("write_lat_log", scratch_path("l"));
}

static void
teardown(void)
{
	iolog_free(log_);
	job_free(&job);
	scratch_remove();
}

static void
begin(unsigned number)
{
	ck_assert_msg(iolog_new(&log_, &job, number, NULL, &err) == 0, "%s", err.msg);
	iolog_start(log_, T0, 1700000000000);
}

/* Done `ms` after T0, 40 us after its start and 30 after it was accepted. */
static void
done(enum dir dir, double ms, uint32_t bytes, bool has_slat, uint64_t offset)
{
	uint64_t at = T0 + (uint64_t)(int64_t)(ms * 1e6); /* ms may be negative */
	struct meter_io io = {.dir = dir,
	    .bytes = bytes,
	    .has_slat = has_slat,
	    .start = at - 40000,
	    .accepted = at - 30000,
	    .done = at};

	iolog_completed(log_, &io, offset);
}

static void
holds(const char *name, const char *text)
{
	FILE *f = fopen(scratch_path(name), "r");
	char *is = mem_alloc(65536);
	size_t n;

	ck_assert_msg(f != NULL, "%s is missing", name);
	n = fread(is, 1, 65535, f);
	is[n] = '\0';
	fclose(f);
	ck_assert_str_eq(is, text);
	free(is);
}

static void
end(double ms)
{
	ck_assert_msg(iolog_finish(log_, T0 + (uint64_t)(ms * 1e6), &err) == 0, "%s",
	    err.msg);
}

START_TEST(each_io)
{
	begin(3);
	done(DIR_READ, -1, 4096, true, 0); /* in the ramp */
	done(DIR_READ, 0.5, 4096, true, 0);
	done(DIR_WRITE, 12.7, 8192, true, 65536);
	end(20);
	/* 4096 B in 30 us: 136,533 kB/s */
	holds("l_bw.3.log", "0, 136533, 0, 4096, 0\n12, 273066, 1, 8192, 0\n");
	holds("l_iops.3.log", "0, 1, 0, 4096, 0\n12, 1, 1, 8192, 0\n");
	holds("l_slat.3.log", "0, 10000, 0, 4096, 0\n12, 10000, 1, 8192, 0\n");
	holds("l_clat.3.log", "0, 30000, 0, 4096, 0\n12, 30000, 1, 8192, 0\n");
	holds("l_lat.3.log", "0, 40000, 0, 4096, 0\n12, 40000, 1, 8192, 0\n");
}
END_TEST

START_TEST(offsets_and_the_unix_epoch)
{
	set("log_offset", "1");
	set("log_unix_epoch", "1");
	begin(1);
	done(DIR_READ, 5, 4096, false, 123456789);
	end(20);
	holds("l_lat.1.log", "1700000000005, 40000, 0, 4096, 123456789, 0\n");
	holds("l_slat.1.log", ""); /* synchronous: there is none */
	holds("l_clat.1.log", "1700000000005, 40000, 0, 4096, 123456789, 0\n");
}
END_TEST

/* Windows of 100 ms; the second has nothing, the last is not full. */
START_TEST(averages)
{
	set("log_avg_msec", "100");
	begin(1);
	done(DIR_READ, 10, 102400, true, 0);
	done(DIR_READ, 99, 102400, true, 0);
	done(DIR_WRITE, 50, 4096, true, 0);
	done(DIR_READ, 200, 1024, true, 0);
	end(250);
	holds("l_iops.1.log", "100, 20, 0, 0, 0\n100, 10, 1, 0, 0\n250, 20, 0, 0, 0\n");
	holds("l_bw.1.log", "100, 2000, 0, 0, 0\n100, 40, 1, 0, 0\n250, 20, 0, 0, 0\n");
	holds("l_clat.1.log",
	    "100, 30000, 0, 0, 0\n100, 30000, 1, 0, 0\n250, 30000, 0, 0, 0\n");
}
END_TEST

START_TEST(the_mean_or_the_most)
{
	for (int most = 0; most < 2; most++) {
		struct meter_io io = {.bytes = 4096, .start = T0, .done = T0 + 1000};

		set("log_avg_msec", "100");
		set("log_max_value", most ? "1" : "0");
		begin(1);
		iolog_completed(log_, &io, 0);
		io.done = T0 + 4000;
		iolog_completed(log_, &io, 0);
		end(100);
		holds("l_lat.1.log", most ? "100, 4000, 0, 0, 0\n" : "100, 2500, 0, 0, 0\n");
		iolog_free(log_);
		log_ = NULL;
	}
}
END_TEST

/* 1856 counts, or 29 of 64 each; 30 us is bucket 629, in the tenth of them. */
START_TEST(histograms)
{
	char *line = NULL, *at;
	size_t size = 0;
	unsigned n = 0;
	FILE *f;

	set("write_hist_log", scratch_path("h"));
	set("log_hist_msec", "100");
	set("log_hist_coarseness", "6");
	begin(2);
	for (int i = 0; i < 5; i++)
		done(DIR_READ, 10 + i, 4096, true, 0);
	done(DIR_READ, 101, 4096, true, 0);
	end(150);
	f = fopen(scratch_path("h_clat_hist.2.log"), "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_gt(getline(&line, &size, f), 0);
	for (at = line; *at; at++)
		n += *at == ',';
	ck_assert_uint_eq(n, 2 + 29);
	ck_assert_str_eq(line,
	    "101, 0, 4096, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
	    "0, 0, 0, 0, 0, 0, 0\n");
	ck_assert_int_gt(getline(&line, &size, f), 0);
	ck_assert(strncmp(line, "150, 0, 4096, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,", 43) == 0);
	fclose(f);
	free(line);
}
END_TEST

START_TEST(one_file_for_all)
{
	struct iolog *second;

	set("per_job_logs", "0");
	begin(1);
	ck_assert_int_eq(iolog_new(&second, &job, 2, NULL, &err), 0);
	iolog_start(second, T0, 0);
	done(DIR_READ, 1, 4096, true, 0);
	end(10);
	iolog_free(log_);
	log_ = second;
	done(DIR_READ, 2, 4096, true, 0);
	end(10);
	holds("l_iops.log", "1, 1, 0, 4096, 0\n2, 1, 0, 4096, 0\n");
}
END_TEST

START_TEST(a_place_that_is_not_there)
{
	set("write_bw_log", scratch_path("none/l"));
	ck_assert_int_eq(iolog_new(&log_, &job, 1, NULL, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "none/l_bw.1.log: No such file"));
}
END_TEST

START_TEST(who_wants_one)
{
	struct job plain;

	ck_assert(job_wants_logs(&job));
	job_init(&plain);
	ck_assert(!job_wants_logs(&plain));
	ck_assert_int_eq(job_set(&plain, "write_hist_log", "x", &err), 0);
	ck_assert(!job_wants_logs(&plain)); /* no log_hist_msec, no log, as in fio */
	job_free(&plain);
}
END_TEST

/* Under an agent: in memory, then to the parent under their names. */
START_TEST(handed_over)
{
	struct logs *logs = logs_new(1 << 20);
	struct link_msg msg;
	char text[64] = "", *name;
	unsigned n = 0;
	int pair[2], fd;

	ck_assert_int_eq(iolog_new(&log_, &job, 3, logs, &err), 0);
	iolog_start(log_, T0, 0);
	done(DIR_READ, 1, 4096, false, 0);
	ck_assert_int_eq(iolog_finish(log_, T0 + 2 * MS, &err), 0);
	ck_assert_int_eq(access(scratch_path("l_bw.3.log"), F_OK), -1);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	ck_assert_int_eq(logs_hand_over(logs, pair[0], &err), 0);
	close(pair[0]);
	while (link_recv_fd(pair[1], false, &msg, &name, &fd, &err) == 1) {
		ck_assert_uint_eq(msg.kind, LINK_LOG);
		if (strcmp(name, "l_bw.3.log") == 0)
			ck_assert_int_gt(pread(fd, text, sizeof text - 1, 0), 0);
		n++;
		close(fd);
		free(name);
	}
	ck_assert_uint_eq(n, 5); /* bw, iops, slat, clat, lat */
	ck_assert_str_eq(text, "1, 102400, 0, 4096, 0\n");
	close(pair[1]);
	logs_free(logs);
}
END_TEST

/* Too much is an error that says what to do, not a log that lacks its end. */
START_TEST(more_than_fits)
{
	struct logs *logs = logs_new(200);

	ck_assert_int_eq(iolog_new(&log_, &job, 1, logs, &err), 0);
	iolog_start(log_, T0, 0);
	for (int i = 1; i < 20; i++)
		done(DIR_READ, i, 4096, false, 0);
	ck_assert_int_eq(iolog_finish(log_, T0 + 30 * MS, &err), -1);
	ck_assert_str_eq(err.msg,
	    "write_*_log: the logs of this client are more than 200 B; log_avg_msec "
	    "makes them smaller");
	iolog_free(log_);
	log_ = NULL;
	logs_free(logs);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/iolog");
	TCase *tcase = tcase_create("iolog");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, each_io);
	tcase_add_test(tcase, offsets_and_the_unix_epoch);
	tcase_add_test(tcase, averages);
	tcase_add_test(tcase, the_mean_or_the_most);
	tcase_add_test(tcase, histograms);
	tcase_add_test(tcase, one_file_for_all);
	tcase_add_test(tcase, a_place_that_is_not_there);
	tcase_add_test(tcase, who_wants_one);
	tcase_add_test(tcase, handed_over);
	tcase_add_test(tcase, more_than_fits);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
