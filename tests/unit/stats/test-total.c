/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All clients added up: fixed and common windows, clients that come late or
 * leave early, the figures others would give, skew, overlap, what is unknown.
 * Clients are driven through real meters on paper clocks.
 */
#include "lib/stats/total.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/mem.h"
#include "tests/unit/suite.h"

#define MS UINT64_C(1000000)
#define S (1000 * MS)
#define START (UINT64_C(5000) * S) /* T on every client's clock */
#define BLOCK 4096

/* I/Os one after the other, each `step` long, from `from` to `to` since T. */
static void
drive_dir(struct meter *meter, enum dir dir, uint64_t from, uint64_t to, uint64_t step)
{
	for (uint64_t at = from + step; at <= to; at += step) {
		struct meter_io io = {.dir = dir,
		    .bytes = BLOCK,
		    .start = START + at - step,
		    .done = START + at};

		meter_record(meter, &io);
	}
}

static void
drive(struct meter *meter, uint64_t from, uint64_t to, uint64_t step)
{
	drive_dir(meter, DIR_READ, from, to, step);
}

static struct meter *
meter_made(uint64_t window_from, uint64_t window_to)
{
	struct meter *meter = malloc(meter_size(30 * S));

	meter_init(meter, 30 * S);
	meter_window(meter, START, window_from, window_to);
	return meter;
}

/* The tally of a one-thread client that ran [from, to); releases the meter. */
static struct tally *
tally_made(struct meter *meter, uint64_t from, uint64_t to)
{
	struct tally *tally = tally_new();

	tally->start_ns = START;
	tally->window_from = meter->window_from;
	tally->window_to = meter->window_to;
	tally->has_first_io = true;
	tally->first_io_ns = tally->last_first_io_ns = (int64_t)from;
	tally->first_end_ns = tally->end_ns = to;
	tally->threads = 1;
	tally->fifo = tally->direct = true;
	for (int dir = 0; dir < DIR_COUNT; dir++)
		meter_collect(meter, (enum dir)dir, &tally->dir[dir]);
	free(meter);
	return tally;
}

/* One rate from start to end. */
static struct tally *
steady(
    uint64_t window_from, uint64_t window_to, uint64_t from, uint64_t to, uint64_t step)
{
	struct meter *meter = meter_made(window_from, window_to);

	drive(meter, from, to, step);
	return tally_made(meter, from, to);
}

/* As the controller sees it without any offset error. */
static struct total_client
seen(const struct tally *tally)
{
	return (struct total_client){tally, tally->first_io_ns, 0};
}

static void
clients_free(struct total_client *clients, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tally_free((struct tally *)(uintptr_t)clients[i].tally);
}

static void
near(double got, double want, double within)
{
	ck_assert_msg(
	    fabs(got - want) <= within * fabs(want), "%.6g is not %.6g", got, want);
}

START_TEST(one_client)
{
	struct total_client client = seen(steady(0, 10 * S, 0, 10 * S, MS));
	struct total total;

	total_compute(&total, &client, 1);
	ck_assert_int_eq(total.window_kind, TOTAL_WINDOW_FIXED);
	ck_assert_uint_eq(total.clients, 1);
	ck_assert_uint_eq(total.started, 1);
	ck_assert_uint_eq(total.window_from, 0);
	ck_assert_uint_eq(total.window_ns, 10 * S);
	ck_assert(total.latency_in_window);
	ck_assert(total.has_skew);
	ck_assert_uint_eq(total.skew_ns, 0);
	ck_assert_uint_eq(total.skew_bound_ns, 0);
	ck_assert_double_eq(total.overlap, 1);
	ck_assert(total.dir[DIR_READ].present);
	ck_assert(!total.dir[DIR_WRITE].present);
	/* The I/O that was done at the end itself is drain. */
	ck_assert_uint_eq(total.dir[DIR_READ].ios, 9999);
	ck_assert_uint_eq(total.dir[DIR_READ].bytes, 9999 * BLOCK);
	ck_assert_double_eq(total.dir[DIR_READ].iops, 999.9);
	ck_assert_double_eq(total.dir[DIR_READ].bytes_per_s, 999.9 * BLOCK);
	ck_assert_double_eq(total.dir[DIR_READ].fio_iops, 1000);
	ck_assert_double_eq(total.dir[DIR_READ].sum_iops, 1000);
	ck_assert_uint_eq(total.dir[DIR_READ].lat->count, 9999);
	ck_assert_double_eq(hist_mean(total.dir[DIR_READ].lat), MS);
	ck_assert_uint_eq(total.dir[DIR_READ].slat->count, 0);
	ck_assert_double_eq(total.outstanding_share, 0);
	total_free(&total);
	ck_assert_ptr_null(total.merged);
	clients_free(&client, 1);
}
END_TEST

/* Four clients of different rates: the sum, to the last I/O. */
START_TEST(sum_over_clients)
{
	struct total_client clients[4];
	struct total total;
	uint64_t want = 0;

	for (unsigned i = 0; i < 4; i++) {
		clients[i] = seen(steady(2 * S, 12 * S, 0, 12 * S, (1 + i) * MS));
		want += clients[i].tally->dir[DIR_READ].phase[METER_INSIDE].ios;
	}
	total_compute(&total, clients, 4);
	ck_assert_uint_eq(total.dir[DIR_READ].ios, want);
	/* 10 s of 1000 + 500 + 333.3 + 250: the ramp's I/Os are not in it. */
	near(total.dir[DIR_READ].iops, 1000 + 500 + 1000 / 3.0 + 250, 0.001);
	ck_assert_uint_eq(total.window_from, 2 * S);
	ck_assert_uint_eq(total.window_ns, 10 * S);
	ck_assert_double_eq(total.overlap, 1);
	/* Neither are they in the other two figures, nor is the ramp in their time. */
	near(total.dir[DIR_READ].fio_iops, 1000 + 500 + 1000 / 3.0 + 250, 0.001);
	near(total.dir[DIR_READ].sum_iops, 1000 + 500 + 1000 / 3.0 + 250, 0.001);
	ck_assert_uint_eq(total.merged->threads, 4);
	total_free(&total);
	clients_free(clients, 4);
}
END_TEST

/*
 * Three throttled clients, 1000 IOPS each; one starts 3 s late, one stops 3 s
 * early.  True rate while all ran: 3000.
 */
START_TEST(late_and_early_under_a_throttle)
{
	struct total_client clients[3] = {
	    seen(steady(0, 10 * S, 0, 10 * S, MS)),
	    seen(steady(0, 10 * S, 3 * S, 10 * S, MS)),
	    seen(steady(0, 10 * S, 0, 7 * S, MS)),
	};
	struct total total;
	const struct total_dir *dir = &total.dir[DIR_READ];

	total_compute(&total, clients, 3);
	ck_assert_uint_eq(total.common_from_ns, 3 * S);
	ck_assert_uint_eq(total.common_ns, 4 * S);
	/* At 3.000 the late one has nothing done yet, the others one I/O each. */
	ck_assert_uint_eq(dir->common_ios, 4000 + 3999 + 4000);
	near(dir->common_iops, 3000, 0.01);
	near(dir->common_bytes_per_s, 3000.0 * BLOCK, 0.01);
	ck_assert_double_eq_tol(total.overlap, 0.4, 1e-12);
	/* The fixed window and fio's figure spread them over all of 10 s. */
	near(dir->iops, 2400, 0.001);
	near(dir->fio_iops, 2400, 0.001);
	ck_assert(fabs(dir->fio_iops - dir->common_iops) > 0.1 * dir->common_iops);
	near(dir->sum_iops, 3000, 0.001);
	ck_assert_uint_eq(total.skew_ns, 3 * S);
	ck_assert_uint_eq(total.first_done_ns, 7 * S);
	ck_assert_uint_eq(total.last_done_ns, 10 * S);
	total_free(&total);
	clients_free(clients, 3);
}
END_TEST

/* They share one storage of 3000 IOPS: now the sum of averages is what is wrong. */
START_TEST(late_and_early_on_shared_storage)
{
	uint64_t two = S / 1500, three = S / 1000;
	struct meter *meters[3];
	struct total_client clients[3];
	struct total total;
	const struct total_dir *dir = &total.dir[DIR_READ];

	for (int i = 0; i < 3; i++)
		meters[i] = meter_made(0, 10 * S);
	drive(meters[0], 0, 3 * S, two);
	drive(meters[2], 0, 3 * S, two);
	for (int i = 0; i < 3; i++)
		drive(meters[i], 3 * S, 7 * S, three);
	drive(meters[0], 7 * S, 10 * S, two);
	drive(meters[1], 7 * S, 10 * S, two);
	clients[0] = seen(tally_made(meters[0], 0, 10 * S));
	clients[1] = seen(tally_made(meters[1], 3 * S, 10 * S));
	clients[2] = seen(tally_made(meters[2], 0, 7 * S));
	total_compute(&total, clients, 3);
	near(dir->common_iops, 3000, 0.01);
	near(dir->iops, 3000, 0.01);
	/* 13,000 in 10 s + 8,500 in 7 s twice. */
	near(dir->sum_iops, 1300 + 2 * 8500 / 7.0, 0.001);
	ck_assert(dir->sum_iops > 1.2 * dir->iops);
	total_free(&total);
	clients_free(clients, 3);
}
END_TEST

/* A size-bound job: no window before, the common one after, of whole slots. */
START_TEST(size_bound_gets_a_common_window)
{
	struct total_client clients[2] = {
	    seen(steady(0, UINT64_MAX, 30 * MS, 8030 * MS, MS)),
	    seen(steady(0, UINT64_MAX, 1250 * MS, 17270 * MS, 2 * MS)),
	};
	struct total total;
	const struct total_dir *dir = &total.dir[DIR_READ];

	total_compute(&total, clients, 2);
	ck_assert_int_eq(total.window_kind, TOTAL_WINDOW_COMMON);
	ck_assert(!total.latency_in_window);
	/* [1.25, 8.03) inward: [1.3, 8.0). */
	ck_assert_uint_eq(total.window_from, 1300 * MS);
	ck_assert_uint_eq(total.window_ns, 6700 * MS);
	ck_assert_uint_eq(total.common_from_ns, total.window_from);
	ck_assert_uint_eq(total.common_ns, total.window_ns);
	ck_assert_uint_eq(total.window_bound_ns, SLOT_NS);
	ck_assert_uint_eq(dir->ios, 6700 + 3350);
	ck_assert_uint_eq(dir->bytes, (6700 + 3350) * BLOCK);
	ck_assert_double_eq_tol(dir->iops, 1500, 1e-9);
	ck_assert_double_eq(dir->iops, dir->common_iops);
	/* 16,010 in all, longest run 16.02 s; 1000 + 500 by own runs. */
	ck_assert_double_eq_tol(dir->fio_iops, 16010 / 16.02, 1e-9);
	ck_assert_double_eq_tol(dir->sum_iops, 1500, 1e-9);
	ck_assert_double_eq_tol(total.overlap, (8.03 - 1.25) / 16.02, 1e-12);
	/* Latency is of the whole run. */
	ck_assert_uint_eq(dir->lat->count, 8000 + 8010);
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

/* Writes [from, turn), then after half a second reads them back until `to`. */
static struct tally *
reads_back(uint64_t window_to, uint64_t from, uint64_t turn, uint64_t to, uint64_t step)
{
	struct meter *meter = meter_made(0, window_to);

	drive_dir(meter, DIR_WRITE, from, turn, step);
	meter_record_stage(meter, DIR_WRITE, START + from, START + turn);
	drive_dir(meter, DIR_READ, turn + 500 * MS, to, step);
	meter_record_stage(meter, DIR_READ, START + turn + 500 * MS, START + to);
	return tally_made(meter, from, to);
}

START_TEST(directions_that_follow_each_other)
{
	struct total_client clients[2] = {
	    seen(reads_back(UINT64_MAX, 30 * MS, 4030 * MS, 8030 * MS, MS)),
	    seen(reads_back(UINT64_MAX, 30 * MS, 5030 * MS, 7030 * MS, 2 * MS)),
	};
	struct total total;
	const struct total_dir *reads = &total.dir[DIR_READ];
	const struct total_dir *writes = &total.dir[DIR_WRITE];

	total_compute(&total, clients, 2);
	ck_assert_int_eq(total.window_kind, TOTAL_WINDOW_COMMON);
	ck_assert_uint_eq(total.window_from, 100 * MS);
	ck_assert_uint_eq(total.window_ns, 6900 * MS);
	/* Both wrote in [0.03, 4.03), both read in [5.53, 7.03). */
	ck_assert_uint_eq(writes->window_from, 100 * MS);
	ck_assert_uint_eq(writes->window_ns, 3900 * MS);
	ck_assert_uint_eq(reads->window_from, 5600 * MS);
	ck_assert_uint_eq(reads->window_ns, 1400 * MS);
	ck_assert_uint_eq(writes->ios, 3900 + 1950);
	ck_assert_uint_eq(reads->ios, 1400 + 700);
	ck_assert_double_eq_tol(writes->iops, 1500, 1e-9);
	ck_assert_double_eq_tol(reads->bytes_per_s, 1500.0 * BLOCK, 1e-6);
	ck_assert_double_eq(reads->iops, reads->common_iops);
	/* Each over its own time: 4 and 5 s of writing, 3.5 and 1.5 s of reading. */
	ck_assert_double_eq_tol(writes->fio_iops, (4000 + 2500) / 5.0, 1e-9);
	ck_assert_double_eq_tol(reads->fio_iops, (3500 + 750) / 3.5, 1e-9);
	ck_assert_double_eq_tol(writes->sum_iops, 1500, 1e-9);
	ck_assert_double_eq_tol(reads->sum_iops, 1500, 1e-9);
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

/* The first was through with reading before the second began to. */
START_TEST(directions_that_never_met)
{
	struct total_client clients[2] = {
	    seen(reads_back(UINT64_MAX, 0, 4000 * MS, 4800 * MS, MS)),
	    seen(reads_back(UINT64_MAX, 0, 4400 * MS, 5400 * MS, MS)),
	};
	struct total total;

	total_compute(&total, clients, 2);
	ck_assert_uint_eq(total.window_ns, 4800 * MS);
	ck_assert_uint_eq(total.dir[DIR_WRITE].window_ns, 4000 * MS);
	ck_assert_uint_eq(total.dir[DIR_READ].window_ns, 0);
	ck_assert(total.dir[DIR_READ].present);
	ck_assert(isnan(total.dir[DIR_READ].iops));
	ck_assert(isnan(total.dir[DIR_READ].common_bytes_per_s));
	ck_assert_double_eq_tol(total.dir[DIR_READ].sum_iops, 2000, 1e-9);
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

/* A fixed window is that of both; what a direction was busy for lies inside it. */
START_TEST(directions_in_a_fixed_window)
{
	struct total_client client =
	    seen(reads_back(5 * S, 0, 4000 * MS, 6000 * MS, MS));
	struct total total;

	total_compute(&total, &client, 1);
	ck_assert_int_eq(total.window_kind, TOTAL_WINDOW_FIXED);
	ck_assert_uint_eq(total.dir[DIR_WRITE].window_ns, 5 * S);
	ck_assert_uint_eq(total.dir[DIR_READ].window_ns, 5 * S);
	ck_assert_double_eq_tol(total.dir[DIR_WRITE].iops, 4000 / 5.0, 1e-9);
	ck_assert_double_eq_tol(total.dir[DIR_WRITE].fio_iops, 1000, 1e-9);
	ck_assert_uint_eq(client.tally->dir[DIR_READ].times.busy_ns, 500 * MS);
	ck_assert_double_eq_tol(total.dir[DIR_READ].sum_iops, 499 / 0.5, 1e-9);
	total_free(&total);
	clients_free(&client, 1);
}
END_TEST

START_TEST(edges_on_slots_are_kept)
{
	struct total_client clients[2] = {
	    seen(steady(0, UINT64_MAX, 0, 2000 * MS, MS)),
	    seen(steady(0, UINT64_MAX, 1000 * MS, 2000 * MS, MS)),
	};
	struct total total;

	total_compute(&total, clients, 2);
	ck_assert_uint_eq(total.common_from_ns, 1000 * MS);
	ck_assert_uint_eq(total.common_ns, 1000 * MS);
	total_free(&total);
	/* One nanosecond off at either end costs a slot there. */
	clients[1].first_io_skewed_ns += 1;
	total_compute(&total, clients, 2);
	ck_assert_uint_eq(total.common_from_ns, 1100 * MS);
	total_free(&total);
	clients[1].first_io_skewed_ns -= 2;
	total_compute(&total, clients, 2);
	ck_assert_uint_eq(total.common_from_ns, 1000 * MS);
	ck_assert_uint_eq(total.common_ns, 900 * MS);
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

/* The window ends with the first thread out of work, not with the client. */
START_TEST(common_window_ends_with_the_first_thread)
{
	struct total_client client = seen(steady(0, UINT64_MAX, 0, 5 * S, MS));
	struct tally *tally = (struct tally *)(uintptr_t)client.tally;
	struct total total;

	tally->first_end_ns = 3456 * MS;
	total_compute(&total, &client, 1);
	ck_assert_uint_eq(total.window_ns, 3400 * MS);
	ck_assert_uint_eq(total.dir[DIR_READ].ios, 3399); /* done at 1 .. 3399 ms */
	ck_assert_double_eq(total.overlap, 1);
	total_free(&total);
	clients_free(&client, 1);
}
END_TEST

START_TEST(ramp_is_outside_of_a_common_window)
{
	struct total_client client = seen(steady(2 * S, UINT64_MAX, 0, 5 * S, MS));
	struct total total;

	total_compute(&total, &client, 1);
	ck_assert_int_eq(total.window_kind, TOTAL_WINDOW_COMMON);
	ck_assert_uint_eq(total.window_from, 2 * S);
	ck_assert_uint_eq(total.window_ns, 3 * S);
	ck_assert_uint_eq(total.dir[DIR_READ].ios, 3000);
	near(total.dir[DIR_READ].fio_iops, 1000, 0.001);
	total_free(&total);
	clients_free(&client, 1);
}
END_TEST

START_TEST(no_slot_in_common)
{
	struct total_client clients[2] = {
	    seen(steady(0, UINT64_MAX, 0, 1050 * MS, MS)),
	    seen(steady(0, UINT64_MAX, 1010 * MS, 4 * S, MS)),
	};
	struct total total;

	total_compute(&total, clients, 2);
	ck_assert_uint_eq(total.window_ns, 0);
	ck_assert_double_nan(total.dir[DIR_READ].iops);
	ck_assert_double_nan(total.dir[DIR_READ].bytes_per_s);
	ck_assert_double_nan(total.dir[DIR_READ].common_iops);
	ck_assert_uint_eq(total.dir[DIR_READ].ios, 0);
	ck_assert_double_eq_tol(total.overlap, 0.04 / 2.99, 1e-12);
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

START_TEST(clients_that_never_met)
{
	struct total_client clients[2] = {
	    seen(steady(0, UINT64_MAX, 0, 2 * S, MS)),
	    seen(steady(0, UINT64_MAX, 3 * S, 4 * S, MS)),
	};
	struct total total;

	total_compute(&total, clients, 2);
	ck_assert_double_eq(total.overlap, 0);
	ck_assert_uint_eq(total.common_ns, 0);
	ck_assert_double_nan(total.dir[DIR_READ].iops);
	ck_assert_uint_eq(total.first_done_ns, 2 * S);
	ck_assert_uint_eq(total.last_done_ns, 4 * S);
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

START_TEST(a_client_that_never_started)
{
	struct total_client clients[2] = {
	    seen(steady(0, 10 * S, 0, 10 * S, MS)),
	    seen(tally_made(meter_made(0, 10 * S), 0, 10 * S)),
	};
	struct tally *idle = (struct tally *)(uintptr_t)clients[1].tally;
	struct total total;

	idle->has_first_io = false;
	idle->outstanding = 32;
	idle->oldest_outstanding_ns = 9 * S;
	total_compute(&total, clients, 2);
	ck_assert_uint_eq(total.clients, 2);
	ck_assert_uint_eq(total.started, 1);
	ck_assert_double_eq(total.overlap, 0);
	ck_assert_uint_eq(total.common_ns, 0);
	ck_assert_double_nan(total.dir[DIR_READ].common_iops);
	ck_assert_uint_eq(total.dir[DIR_READ].ios, 9999);
	ck_assert_uint_eq(total.first_done_ns, 10 * S);
	ck_assert_uint_eq(total.outstanding, 32);
	ck_assert_double_eq_tol(total.outstanding_share, 32.0 / (9999 + 32), 1e-15);
	ck_assert_uint_eq(total.merged->oldest_outstanding_ns, 9 * S);
	ck_assert_uint_eq(total.merged->first_end_ns, 10 * S);
	total_free(&total);
	/* Nobody started: nothing is known, and nothing is 1. */
	total_compute(&total, clients + 1, 1);
	ck_assert(!total.has_skew);
	ck_assert_double_eq(total.overlap, 0);
	ck_assert_double_eq(total.outstanding_share, 1);
	ck_assert(!total.dir[DIR_READ].present);
	total_free(&total);
	idle->outstanding = 0;
	total_compute(&total, clients + 1, 1);
	ck_assert_double_nan(total.outstanding_share);
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

START_TEST(skew_and_its_bound)
{
	struct total_client clients[3];
	struct total total;

	for (int i = 0; i < 3; i++)
		clients[i] = seen(steady(0, S, 0, S, MS));
	clients[0].first_io_skewed_ns = 1000;
	clients[0].bound_ns = 50;
	clients[1].first_io_skewed_ns = 42000;
	clients[1].bound_ns = 70;
	clients[2].first_io_skewed_ns = -500; /* in front of T, as far as one knows */
	clients[2].bound_ns = 900;
	total_compute(&total, clients, 3);
	ck_assert(total.has_skew);
	ck_assert_uint_eq(total.skew_ns, 42500);
	ck_assert_uint_eq(total.skew_bound_ns, 970);
	ck_assert_uint_eq(total.window_bound_ns, 900);
	total_free(&total);
	/* A third in the middle with a wide bound may be the real extreme. */
	clients[0].bound_ns = 50000;
	total_compute(&total, clients, 3);
	ck_assert_uint_eq(total.skew_ns, 42500);
	ck_assert_uint_eq(total.skew_bound_ns, (51000 + 49000) - 42500);
	total_free(&total);
	clients_free(clients, 3);
}
END_TEST

/* A client whose T was 40 ms late on its clock ends 40 ms late, too. */
START_TEST(own_times_move_to_the_common_timebase)
{
	struct total_client clients[2] = {
	    seen(steady(0, UINT64_MAX, 0, 4 * S, MS)),
	    seen(steady(0, UINT64_MAX, 0, 4 * S, MS)),
	};
	struct total total;

	clients[1].first_io_skewed_ns = 40 * (int64_t)MS;
	total_compute(&total, clients, 2);
	ck_assert_uint_eq(total.first_done_ns, 4000 * MS);
	ck_assert_uint_eq(total.last_done_ns, 4040 * MS);
	ck_assert_double_eq_tol(total.overlap, 3.96 / 4, 1e-12);
	ck_assert_uint_eq(total.common_from_ns, 100 * MS);
	ck_assert_uint_eq(total.common_ns, 3900 * MS);
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

START_TEST(bounds_of_a_common_window)
{
	struct total_client clients[3] = {
	    seen(steady(0, UINT64_MAX, 0, 4 * S, MS)),
	    seen(steady(0, UINT64_MAX, 500 * MS, 4 * S, MS)),
	    seen(steady(0, UINT64_MAX, 0, 3 * S, MS)),
	};
	struct total total;

	clients[0].bound_ns = 9999;
	clients[1].bound_ns = 30; /* starts last */
	clients[2].bound_ns = 4;  /* ends first */
	total_compute(&total, clients, 3);
	ck_assert_uint_eq(total.window_bound_ns, SLOT_NS + 34);
	total_free(&total);
	clients_free(clients, 3);
}
END_TEST

/* Slots that ran out end the common window: no rate over what was not counted. */
START_TEST(common_window_ends_with_the_slots)
{
	struct meter *meter = malloc(meter_size(2 * S));
	struct total_client client;
	struct total total;

	meter_init(meter, 2 * S);
	meter_window(meter, START, 0, UINT64_MAX);
	drive(meter, 0, 5 * S, MS);
	client = seen(tally_made(meter, 0, 5 * S));
	ck_assert_uint_eq(client.tally->dir[DIR_READ].slot_overflow, 3001);
	total_compute(&total, &client, 1);
	ck_assert_uint_eq(total.window_ns, 2 * S);
	ck_assert_double_eq(total.dir[DIR_READ].iops, 999.5);
	ck_assert_double_eq(total.dir[DIR_READ].fio_iops, 1000);
	total_free(&total);
	clients_free(&client, 1);
}
END_TEST

/* Drain and its time count in the figures like fio's, and nowhere else. */
START_TEST(drain)
{
	struct total_client client = seen(steady(0, 2 * S, 0, 4 * S, MS));
	struct total total;

	total_compute(&total, &client, 1);
	ck_assert_uint_eq(total.dir[DIR_READ].ios, 1999);
	ck_assert_uint_eq(total.dir[DIR_READ].lat->count, 1999);
	ck_assert_double_eq(total.dir[DIR_READ].iops, 999.5);
	ck_assert_double_eq(total.dir[DIR_READ].fio_iops, 1000);
	ck_assert_uint_eq(total.merged->dir[DIR_READ].drain.count, 2001);
	/* The common window of a fixed one does not reach into the drain. */
	ck_assert_uint_eq(total.common_ns, 2 * S);
	total_free(&total);
	clients_free(&client, 1);
}
END_TEST

START_TEST(windows_that_differ_are_not_fixed)
{
	struct total_client clients[2] = {
	    seen(steady(0, 10 * S, 0, 10 * S, MS)),
	    seen(steady(0, 5 * S, 0, 5 * S, MS)),
	};
	struct total total;

	total_compute(&total, clients, 2);
	ck_assert_int_eq(total.window_kind, TOTAL_WINDOW_COMMON);
	ck_assert_uint_eq(total.window_ns, 5 * S);
	near(total.dir[DIR_READ].iops, 2000, 0.001);
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

/* Another program ends its window by itself, one client's a bit later than the other's. */
START_TEST(windows_of_their_own)
{
	struct tally *a = steady(S, 5 * S, 0, 5 * S, MS);
	struct tally *b = steady(S, 5 * S + 40 * MS, 0, 5 * S + 40 * MS, MS);
	struct total_client clients[] = {seen(a), seen(b)};
	struct total total;

	a->window_own = b->window_own = true;
	total_compute(&total, clients, 2);
	ck_assert_int_eq(total.window_kind, TOTAL_WINDOW_FIXED);
	ck_assert(total.latency_in_window);
	ck_assert_uint_eq(total.window_from, S);
	ck_assert_uint_eq(total.window_ns, 4040 * MS);
	ck_assert_uint_eq(total.dir[DIR_READ].ios, 4000 + 4040);
	near(total.dir[DIR_READ].iops, 8040 / 4.04, 1e-9);
	total_free(&total);
	b->window_own = false;
	total_compute(&total, clients, 2);
	ck_assert_int_eq(total.window_kind, TOTAL_WINDOW_COMMON);
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

/* Whoever does not say when its I/Os were done has no rate in a common window. */
START_TEST(unknown_slots_are_not_0)
{
	struct tally *a = steady(0, 5 * S, 0, 5 * S, MS);
	struct tally *b = steady(0, 5 * S, 0, 5 * S, MS);
	struct total_client clients[] = {seen(a), seen(b)};
	struct total total;

	slots_free(&b->dir[DIR_READ].slots);
	b->dir[DIR_READ].slots = (struct slots){0};
	total_compute(&total, clients, 2);
	near(total.dir[DIR_READ].iops, 2000, 1e-3);
	ck_assert(isnan(total.dir[DIR_READ].common_iops));
	ck_assert(isnan(total.dir[DIR_READ].common_bytes_per_s));
	total_free(&total);
	a->window_to = b->window_to = UINT64_MAX;
	total_compute(&total, clients, 2);
	ck_assert_int_eq(total.window_kind, TOTAL_WINDOW_COMMON);
	ck_assert(isnan(total.dir[DIR_READ].iops));
	ck_assert(isnan(total.dir[DIR_READ].bytes_per_s));
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

START_TEST(merged_facts)
{
	struct total_client clients[2] = {
	    seen(steady(0, S, 0, S, MS)),
	    seen(steady(0, S, 10 * MS, S, MS)),
	};
	struct tally *a = (struct tally *)(uintptr_t)clients[0].tally;
	struct tally *b = (struct tally *)(uintptr_t)clients[1].tally;
	struct total total;

	a->cpu_user_ns = 100;
	a->cpu_sys_ns = 200;
	a->cpu_wall_ns = b->cpu_wall_ns = S;
	b->cpu_user_ns = 7;
	b->fifo = false;
	b->io_errors = 3;
	b->threads = 4;
	b->last_first_io_ns = 12 * (int64_t)MS;
	total_compute(&total, clients, 2);
	ck_assert_uint_eq(total.merged->cpu_user_ns, 107);
	ck_assert_uint_eq(total.merged->cpu_sys_ns, 200);
	ck_assert_uint_eq(total.merged->cpu_wall_ns, 2 * S);
	ck_assert(!total.merged->fifo && total.merged->direct);
	ck_assert_uint_eq(total.merged->io_errors, 3);
	ck_assert_uint_eq(total.merged->threads, 5);
	ck_assert_int_eq(total.merged->first_io_ns, 0);
	ck_assert_int_eq(total.merged->last_first_io_ns, 12 * (int64_t)MS);
	total_free(&total);
	/* One unknown makes the sum unknown. */
	b->cpu_wall_ns = 0;
	total_compute(&total, clients, 2);
	ck_assert_uint_eq(total.merged->cpu_wall_ns, 0);
	ck_assert_uint_eq(total.merged->cpu_user_ns, 0);
	total_free(&total);
	clients_free(clients, 2);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("total", one_client, sum_over_clients,
	    late_and_early_under_a_throttle, late_and_early_on_shared_storage,
	    size_bound_gets_a_common_window, directions_that_follow_each_other,
	    directions_that_never_met, directions_in_a_fixed_window, edges_on_slots_are_kept,
	    common_window_ends_with_the_first_thread,
	    ramp_is_outside_of_a_common_window, no_slot_in_common,
	    clients_that_never_met, a_client_that_never_started, skew_and_its_bound,
	    own_times_move_to_the_common_timebase, bounds_of_a_common_window,
	    common_window_ends_with_the_slots, drain, windows_that_differ_are_not_fixed,
	    windows_of_their_own, unknown_slots_are_not_0,
	    merged_facts);
}
