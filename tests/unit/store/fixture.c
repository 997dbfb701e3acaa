/* SPDX-License-Identifier: Apache-2.0 */
/* See fixture.h. */
#include "tests/unit/store/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RAMP_NS UINT64_C(1000000000)
#define RUNTIME_NS UINT64_C(10000000000)
#define WALL_NS (UINT64_C(1796068500) * 1000000000) /* 2026-11-30T19:55:00Z */

/* `ios` values from half of `ns` to one and a half, evenly. */
static void
spread(struct hist *hist, uint64_t ios, uint64_t ns)
{
	for (uint64_t i = 0; i < ios; i++)
		hist_add(hist, ns / 2 + i * ns / ios, 1);
}

static void
fill_slots(struct dir_tally *d, uint64_t ios, uint64_t bs, uint64_t ns)
{
	size_t n = (RAMP_NS + RUNTIME_NS) / SLOT_NS;

	d->slots = (struct slots){mem_array(n, sizeof(struct slot)), n};
	for (size_t i = RAMP_NS / SLOT_NS; i < n; i++)
		d->slots.v[i] =
		    (struct slot){ios / 100, ios / 100 * bs, ios / 100 * ns};
	d->heats = (struct heats){mem_array(11, sizeof(struct heat)), 11};
	for (size_t i = 1; i < 11; i++)
		d->heats.v[i].count[heat_index(ns)] = (uint32_t)(ios / 10);
}

static void
fill_dir(struct dir_tally *d, uint64_t ios, uint64_t bs, uint64_t lat_us, bool sync)
{
	uint64_t ns = lat_us * 1000;

	d->phase[METER_BEFORE].ios = ios / 10;
	d->phase[METER_BEFORE].bytes = ios / 10 * bs;
	d->phase[METER_INSIDE].ios = ios;
	d->phase[METER_INSIDE].bytes = ios * bs;
	d->phase[METER_AFTER].ios = 4;
	d->phase[METER_AFTER].bytes = 4 * bs;
	spread(&d->lat, ios, ns);
	if (sync) {
		spread(&d->clat, ios, ns);
	} else {
		spread(&d->slat, ios, ns / 10);
		spread(&d->clat, ios, ns / 10 * 9);
	}
	spread(&d->drain, 4, ns);
	fill_slots(d, ios, bs, ns);
}

static struct tally *
make_tally(
    size_t i, enum dir dir, uint64_t ios, uint64_t bs, uint64_t lat_us, bool sync)
{
	struct tally *t = tally_new();

	t->start_ns = 5000000000 + 1000000 * i;
	t->window_from = RAMP_NS;
	t->window_to = RAMP_NS + RUNTIME_NS;
	t->has_first_io = true;
	t->first_io_ns = 20000 + 10000 * (int64_t)i;
	t->last_first_io_ns = t->first_io_ns + 5000;
	t->first_end_ns = t->window_to + 1000000;
	t->end_ns = t->window_to + 2000000 + 1000 * i;
	t->threads = 8;
	t->cpu_user_ns = 2500000000;
	t->cpu_sys_ns = 5000000000;
	t->cpu_wall_ns = 10000000000;
	t->usage = (struct tally_usage){true, 1000 + i, 3, 40};
	t->fifo = t->direct = true;
	fill_dir(&t->dir[dir], ios, bs, lat_us, sync);
	return t;
}

static void
add_up(struct attempt *attempt)
{
	struct total *total = &attempt->total;
	size_t n = 0;

	*total = (struct total){.merged = tally_new(), .latency_in_window = true};
	*total->merged = (struct tally){.window_from = RAMP_NS,
	    .window_to = RAMP_NS + RUNTIME_NS,
	    .fifo = true,
	    .direct = true};
	for (vec_each(struct attempt_client *, client, &attempt->clients)) {
		if (client->outcome != CLIENT_OK)
			continue;
		n++;
		total->merged->threads += client->tally->threads;
		for (int dir = 0; dir < DIR_COUNT; dir++)
			dir_tally_merge(
			    &total->merged->dir[dir], &client->tally->dir[dir]);
	}
	total->clients = total->started = n;
	total->window_from = RAMP_NS;
	total->window_ns = RUNTIME_NS;
	total->window_bound_ns = 9000;
	total->common_from_ns = RAMP_NS;
	total->common_ns = RUNTIME_NS;
	total->overlap = 0.9995;
	total->has_skew = true;
	total->skew_ns = 10000 * (attempt->clients.n - 1);
	total->skew_bound_ns = 9000;
	total->first_done_ns = RAMP_NS + RUNTIME_NS + 2000000;
	total->last_done_ns = total->first_done_ns + 1000 * n;
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		struct total_dir *d = &total->dir[dir];
		struct dir_tally *all = &total->merged->dir[dir];

		d->present = tally_has(total->merged, dir);
		d->window_from = total->window_from;
		d->window_ns = total->window_ns;
		d->ios = d->common_ios = all->phase[METER_INSIDE].ios;
		d->bytes = d->common_bytes = all->phase[METER_INSIDE].bytes;
		d->iops = d->common_iops = (double)d->ios / 10;
		d->bytes_per_s = d->common_bytes_per_s = (double)d->bytes / 10;
		d->fio_iops = d->iops * 0.995;
		d->fio_bytes_per_s = d->bytes_per_s * 0.995;
		d->sum_iops = d->iops * 1.001;
		d->sum_bytes_per_s = d->bytes_per_s * 1.001;
		d->slat = &all->slat;
		d->clat = &all->clat;
		d->lat = &all->lat;
	}
	attempt->has_total = n > 0;
}

void
fixture_attempt(struct attempt *ret, const char *case_id, unsigned repeat, unsigned n,
    enum dir dir, uint64_t ios, uint64_t bs, uint64_t lat_us, bool sync)
{
	*ret = (struct attempt){.repeat = repeat,
	    .attempt = 1,
	    .run_id = 0x1122334455667788,
	    .seed = (UINT64_C(1) << 63) + 5,
	    .state = ATTEMPT_VALID,
	    .started_wall_ns = WALL_NS,
	    .ended_wall_ns = WALL_NS + 12000000001,
	    .max_skew_ns = 10000000,
	    .clients_expected = n};
	snprintf(ret->case_id, sizeof ret->case_id, "%s", case_id);
	for (size_t i = 0; i < n; i++) {
		struct attempt_client *client = vec_add(&ret->clients);

		client->agent = mem_printf("gpu%02zu", i + 1);
		client->outcome = CLIENT_OK;
		client->tally = make_tally(i, dir, ios, bs, lat_us, sync);
		client->offset = (struct offset){
		    true, -1000000 * (int64_t)i, 17999, 9000, 4000000000};
		client->first_io_ns = client->tally->first_io_ns;
	}
	add_up(ret);
}

static void
add_reason(
    struct attempt *attempt, const char *code, const char *agent, const char *text)
{
	vec_push(&attempt->reasons,
	    ((struct attempt_reason){mem_strdup(code), mem_strdup(agent),
		mem_strdup(text), attempt->state}));
}

void
fixture_lose(struct attempt *attempt, size_t i)
{
	struct attempt_client *client = &attempt->clients.v[i];
	char *text = mem_printf("%zu of %zu clients: %s lost: no word for 60 s",
	    attempt->clients.n - 1, attempt->clients.n, client->agent);

	client->outcome = CLIENT_LOST;
	client->error = mem_strdup("no word for 60 s");
	tally_free(client->tally);
	client->tally = NULL;
	client->first_io_ns = 0;
	attempt->state = ATTEMPT_PARTIAL;
	add_reason(attempt, "client-lost", client->agent, text);
	vec_push(&attempt->events,
	    ((struct attempt_event){
		4200000000, mem_strdup(client->agent), mem_strdup("connection lost")}));
	free(text);
	total_free(&attempt->total);
	add_up(attempt);
}

void
fixture_skew(struct attempt *attempt, uint64_t skew_ns)
{
	attempt->state = ATTEMPT_INVALID;
	attempt->total.skew_ns = skew_ns;
	add_reason(attempt, "skew", NULL,
	    "the clients started 25 ms apart, the limit is 10 ms");
}

void
fixture_refuse(struct attempt *attempt)
{
	attempt->state = ATTEMPT_INVALID;
	total_free(&attempt->total);
	attempt->has_total = false;
	for (vec_each(struct attempt_client *, client, &attempt->clients)) {
		tally_free(client->tally);
		client->tally = NULL;
		client->outcome = CLIENT_ABORTED;
		client->offset = (struct offset){0};
		client->first_io_ns = 0;
	}
	attempt->clients.v[0].outcome = CLIENT_FAILED;
	attempt->clients.v[0].error = mem_strdup("open /mnt/one: Permission denied");
	attempt->error = mem_strdup("open /mnt/one: Permission denied");
	attempt->error_agent = mem_strdup("gpu01");
	add_reason(attempt, "not-run", "gpu01",
	    "nothing was started: gpu01: open /mnt/one: Permission denied");
}

static void
add_param(struct results_case *c, const char *name, const char *value, bool is_number)
{
	vec_push(&c->params, ((struct results_param){mem_strdup(name),
				 mem_strdup(value), is_number, false}));
}

void
fixture_case(struct results_case *ret, const char *id, const char *storage,
    const char *transport, const char *workload, unsigned clients, const char *rw,
    const char *bs)
{
	*ret = (struct results_case){.clients = clients};
	snprintf(ret->id, sizeof ret->id, "%s", id);
	ret->storage = mem_strdup(storage);
	ret->transport = mem_strdup(transport);
	ret->path = mem_printf("/mnt/%s-%s", storage, transport);
	ret->workload = mem_strdup(workload);
	add_param(ret, "ioengine", "libaio", false);
	add_param(ret, "rw", rw, false);
	add_param(ret, "bs", bs, true);
	add_param(ret, "size", "21474836480", true);
	add_param(ret, "iodepth", "16", true);
	add_param(ret, "numjobs", "8", true);
	add_param(ret, "direct", "1", true);
	ret->job_text = mem_printf("rw=%s\nbs=%s\n", rw, bs);
}

void
fixture_notes(struct results_case *c)
{
	static const struct fio_note notes[] = {
	    {FIO_NOTE_WARNING, "load", NULL, NULL, NULL,
		"loader.fio:4: size: 4KiB is 4000 bytes"},
	    {FIO_NOTE_TRANSLATED, "load", "clocksource", "gettimeofday", "loader.fio:5",
		"the monotonic clock is used"},
	    {FIO_NOTE_SKIPPED, "load", "unified_rw_reporting", NULL, "loader.fio:6",
		"directions are always apart"},
	};

	for (size_t i = 0; i < FIO_NOTE_KINDS; i++) {
		fio_notes one = {.v = (struct fio_note *)&notes[i], .n = 1};

		fio_notes_copy(&c->notes, &one);
	}
}

void
fixture_head(struct results *ret)
{
	struct results_host *host;

	*ret = (struct results){.plan = mem_strdup("parallel-storage-poc"),
	    .plan_text = mem_strdup("plan: parallel-storage-poc\n"),
	    .generator = mem_strdup("volley 0.1.0"),
	    .started_wall_ns = WALL_NS,
	    .ended_wall_ns = WALL_NS + 3600000000000,
	    .seed = 1,
	    .runs = 1};
	vec_push(&ret->arguments, mem_strdup("volley"));
	vec_push(&ret->arguments, mem_strdup("run"));
	vec_push(&ret->arguments, mem_strdup("poc.yaml"));
	host = vec_add(&ret->hosts);
	host->agent = mem_strdup("gpu01");
	vec_push(&host->facts, ((struct results_fact){mem_strdup("os"),
				   mem_strdup("Debian GNU/Linux 12"), false}));
	vec_push(&host->facts, ((struct results_fact){mem_strdup("memory_bytes"),
				   mem_strdup("2199023255552"), true}));
	vec_push(&host->facts,
	    ((struct results_fact){mem_strdup("numa_nodes"), NULL, false}));
}
