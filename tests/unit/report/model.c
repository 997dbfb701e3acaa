/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cases: 0 three VALID repeats; 1 VALID, PARTIAL and, run twice, VALID again;
 * 2 INVALID and refused; 3 small blocks, synchronous, a long name; 4 and 5 mixed
 * and swept, of which 5 was never run; 6 one client, figures unknown.
 */
#include "tests/unit/report/model.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/store/fixture.h"

static struct attempt *
add(struct results_case *c, unsigned repeat, uint64_t ios, uint64_t bs, uint64_t lat_us,
    bool sync)
{
	struct results_attempt *one = mem_alloc(sizeof *one);

	one->order_position = repeat;
	fixture_attempt(
	    &one->attempt, c->id, repeat, c->clients, DIR_READ, ios, bs, lat_us, sync);
	vec_push(&c->attempts, one);
	return &one->attempt;
}

static void
note(struct attempt *attempt, const char *code, const char *text)
{
	vec_push(&attempt->reasons, ((struct attempt_reason){mem_strdup(code), NULL,
					mem_strdup(text), ATTEMPT_VALID}));
}

static void
make_mixed(struct results_case *c)
{
	struct attempt reads, writes, *attempt = add(c, 1, 700, 131072, 700, false);
	struct tally *tally = attempt->clients.v[0].tally;

	fixture_attempt(&reads, c->id, 1, 1, DIR_READ, 700, 131072, 700, false);
	fixture_attempt(&writes, c->id, 1, 1, DIR_WRITE, 300, 131072, 900, false);
	dir_tally_merge(
	    &tally->dir[DIR_WRITE], &writes.clients.v[0].tally->dir[DIR_WRITE]);
	dir_tally_merge(&attempt->total.merged->dir[DIR_WRITE],
	    &writes.clients.v[0].tally->dir[DIR_WRITE]);
	attempt->total.dir[DIR_WRITE] = writes.total.dir[DIR_WRITE];
	attempt->total.dir[DIR_WRITE].slat =
	    &attempt->total.merged->dir[DIR_WRITE].slat;
	attempt->total.dir[DIR_WRITE].clat =
	    &attempt->total.merged->dir[DIR_WRITE].clat;
	attempt->total.dir[DIR_WRITE].lat = &attempt->total.merged->dir[DIR_WRITE].lat;
	attempt_free(&reads);
	attempt_free(&writes);
}

static void
make_unknown(struct attempt *attempt)
{
	struct attempt_client *client = &attempt->clients.v[0];
	struct total_dir *d = &attempt->total.dir[DIR_READ];

	client->offset.valid = false;
	client->tally->cpu_wall_ns = 0;
	client->tally->has_first_io = false;
	client->tally->outstanding = 2;
	client->tally->oldest_outstanding_ns = 3000000000;
	client->tally->io_errors = 1;
	client->tally->fifo = false;
	client->tally->window_to = UINT64_MAX;
	attempt->total.window_kind = TOTAL_WINDOW_COMMON;
	attempt->total.latency_in_window = false;
	attempt->total.window_ns = attempt->total.common_ns = 0;
	attempt->total.dir[DIR_READ].window_from = attempt->total.window_from;
	attempt->total.dir[DIR_READ].window_ns = 0;
	attempt->total.has_skew = false;
	attempt->total.overlap = attempt->total.outstanding_share = NAN;
	d->iops = d->bytes_per_s = d->common_iops = d->common_bytes_per_s = NAN;
}

void
model_make(struct model *ret)
{
	struct results_case *c = ret->cases;
	struct attempt *attempt;

	*ret = (struct model){0};
	fixture_head(&ret->head);

	fixture_case(&c[0], "0123456789abcdef", "vendor-one", "tcp", "seq-read-1m", 4,
	    "read", "1048576");
	add(&c[0], 1, 1000, 1048576, 2000, false);
	attempt = add(&c[0], 2, 1020, 1048576, 1960, false);
	note(attempt, "fio-style-differs",
	    "read: fio's sum would be 395.9 MiB/s (-3.0 %), in the window it was 408 "
	    "MiB/s");
	attempt = add(&c[0], 3, 980, 1048576, 2040, false);
	note(attempt, "fio-style-differs",
	    "read: fio's sum would be 380.2 MiB/s (-3.0 %), in the window it was 392 "
	    "MiB/s");

	fixture_case(&c[1], "0123456789abcdf0", "vendor-one", "rdma", "seq-read-1m", 4,
	    "read", "1048576");
	add(&c[1], 1, 1500, 1048576, 1400, false);
	fixture_lose(add(&c[1], 2, 1500, 1048576, 1400, false), 2);
	add(&c[1], 3, 1500, 1048576, 1400, false)->attempt = 2;

	fixture_case(&c[2], "0aaaaaaaaaaaaaaa", "vendor-two", "tcp", "seq-read-1m", 2,
	    "read", "1048576");
	fixture_notes(&c[2]);
	fixture_skew(add(&c[2], 1, 900, 1048576, 2200, false), 25000000);
	fixture_refuse(add(&c[2], 2, 900, 1048576, 2200, false));

	fixture_case(&c[3], "0bbbbbbbbbbbbbbb",
	    "Speicher mit \"großem\" Namen, und Komma", "tcp", "rand-read-4k", 8,
	    "randread", "4096");
	note(add(&c[3], 1, 20000, 4096, 90, true), "cacheable",
	    "the data set of 20 GiB may have come from caches");

	fixture_case(&c[4], "0ccccccccccccccc", "vendor-one", "tcp", "mixed-128k", 1,
	    "randrw", "131072");
	c[4].params.v[4].is_axis = true;
	make_mixed(&c[4]);
	fixture_case(&c[5], "0ddddddddddddddd", "vendor-one", "tcp", "mixed-128k", 1,
	    "randrw", "131072");
	c[5].params.v[4].is_axis = true;
	c[5].params.v[4].value[0] = '3';

	fixture_case(&c[6], "0eeeeeeeeeeeeeee", "vendor-two", "rdma", "rand-read-4k", 1,
	    "randread", "4096");
	make_unknown(add(&c[6], 1, 50, 4096, 90, true));
}

void
model_free(struct model *model)
{
	results_free(&model->head);
	for (size_t i = 0; i < MODEL_CASES; i++)
		results_case_free(&model->cases[i]);
}
