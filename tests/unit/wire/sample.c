/* SPDX-License-Identifier: Apache-2.0 */
/* Random but valid structs, from a seed. */
#include "tests/unit/wire/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

uint64_t
random_u64(struct rng *rng)
{
	switch (rng_below(rng, 8)) {
	case 0: return 0;
	case 1: return UINT64_MAX;
	default: return rng_u64(rng) >> rng_below(rng, 64);
	}
}

static int64_t
random_known(struct rng *rng)
{
	return rng_below(rng, 4) ? (int64_t)(rng_u64(rng) >> (1 + rng_below(rng, 60)))
				 : -1;
}

static char *
random_text(struct rng *rng)
{
	static const char alphabet[] = "abcXYZ019 .,:-_%()[]\xc3\xa4";
	size_t len = rng_below(rng, 20);
	char *text = mem_alloc(len + 1);

	for (size_t i = 0; i < len; i++)
		text[i] = alphabet[rng_below(rng, sizeof alphabet - 1)];
	return text;
}

static char *
maybe_text(struct rng *rng)
{
	return rng_below(rng, 4) ? random_text(rng) : NULL;
}

static void
set(struct job *job, const char *name, const char *value)
{
	struct err err = ERR_INIT;

	if (job_set(job, name, value, &err)) {
		fprintf(stderr, "job_set %s=%s: %s\n", name, value, err.msg);
		abort();
	}
}

static void
random_job(struct rng *rng, struct job *job)
{
	static const struct {
		const char *name, *values[4];
	} options[] = {
	    {"rw", {"read", "randwrite", "randrw", "write"}},
	    {"bs", {"4k", "1M", "4k,8k", "512"}},
	    {"size", {"1G", "20G", "8M", "16T"}},
	    {"iodepth", {"1", "4", "32", "128"}},
	    {"numjobs", {"1", "2", "8", "64"}},
	    {"direct", {"0", "1", "1", "0"}},
	    {"runtime", {"1", "180s", "1h", "500ms"}},
	    {"rwmixread", {"0", "30", "70", "100"}},
	    {"randseed", {"1", "2", "18446744073709551615", "77"}},
	    {"directory", {"/mnt/one", "/mnt/two words", "/a", "/b"}},
	    {"ioengine", {"psync", "libaio", "io_uring", "null"}},
	};

	job_init(job);
	set(job, "size", "1G");
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (rng_below(rng, 2))
			set(job, options[i].name, options[i].values[rng_below(rng, 4)]);
	if (job->ioengine && strcmp(job->ioengine, "psync") == 0)
		set(job, "iodepth", "1");
}

void
random_order(struct rng *rng, struct order_msg *ret)
{
	struct order *order = &ret->order;
	struct order_job *job;

	memset(ret, 0, sizeof *ret);
	order->kind = (enum order_kind)rng_below(rng, ORDER_KIND_COUNT);
	order->run_id = random_u64(rng) | 1;
	if (order->kind == ORDER_ARM)
		order->start_ns = random_u64(rng) | 1;
	job = vec_add(&ret->jobs);
	random_job(rng, &job->job);
	job->client_count = 1 + (unsigned)rng_below(rng, 1000);
	job->client_index = (unsigned)rng_below(rng, job->client_count);
	job->first_number = 1 + (unsigned)rng_below(rng, 1000);
	ret->case_id = mem_printf("c%08x", (unsigned)rng_u64(rng));
	ret->client = mem_printf("gpu%02u", (unsigned)rng_below(rng, 99));
	if (order->kind != ORDER_PREPARE)
		return;
	order->jobs = ret->jobs.v;
	order->njobs = ret->jobs.n;
	order->case_id = ret->case_id;
	order->client = ret->client;
	order->prepare_timeout_ns = random_u64(rng);
	order->finish_timeout_ns = random_u64(rng);
	order->lease_ns = random_u64(rng);
}

void
random_report(struct rng *rng, struct report *ret)
{
	memset(ret, 0, sizeof *ret);
	ret->run_id = random_u64(rng);
	ret->state = (enum report_state)rng_below(rng, REPORT_STATE_COUNT);
	ret->start_ns = random_u64(rng);
	ret->has_result = rng_below(rng, 2);
	if (rng_below(rng, 2)) {
		char *text = random_text(rng);

		err_set(&ret->err,
		    (enum err_code)(1 + rng_below(rng, ERR_CODE_COUNT - 1)), "%s",
		    text);
		ret->err.errnum = (int)rng_below(rng, 130);
		free(text);
	}
	if (rng_below(rng, 2)) {
		ret->layout_total = 1 + rng_below(rng, 1u << 30);
		ret->layout_done = rng_below(rng, ret->layout_total + 1);
	}
}

void
random_sample(struct rng *rng, struct sample *ret)
{
	memset(ret, 0, sizeof *ret);
	ret->run_id = random_u64(rng);
	ret->at_ns = random_u64(rng);
	ret->outstanding = random_u64(rng);
	for (int d = 0; d < DIR_COUNT; d++) {
		ret->dir[d].ios = random_u64(rng);
		ret->dir[d].bytes = random_u64(rng);
		ret->dir[d].lat_sum_ns = random_u64(rng);
		ret->dir[d].lat_count = random_u64(rng);
	}
}

static void
random_hist(struct rng *rng, struct hist *hist)
{
	for (uint64_t n = rng_below(rng, 60); n; n--)
		hist_add(hist, random_u64(rng),
		    1 + (rng_u64(rng) >> (24 + rng_below(rng, 40))));
}

static void
random_dir(struct rng *rng, struct dir_tally *dir)
{
	for (int p = 0; p < METER_PHASES; p++) {
		dir->phase[p].ios = random_u64(rng);
		dir->phase[p].bytes = random_u64(rng);
	}
	random_hist(rng, &dir->slat);
	random_hist(rng, &dir->clat);
	random_hist(rng, &dir->lat);
	random_hist(rng, &dir->drain);
	random_hist(rng, &dir->response);
	random_hist(rng, &dir->sync);
	dir->slot_overflow = random_u64(rng);
	if (rng_below(rng, 2))
		dir->times = (struct dir_times){
		    true, random_u64(rng), random_u64(rng), random_u64(rng)};
	dir->slots.n = rng_below(rng, 20);
	dir->slots.v = mem_array(dir->slots.n + 1, sizeof *dir->slots.v);
	for (size_t i = 0; i < dir->slots.n; i++)
		dir->slots.v[i] =
		    (struct slot){random_u64(rng), random_u64(rng), random_u64(rng)};
	dir->heats.n = rng_below(rng, 4);
	dir->heats.v = mem_array(dir->heats.n + 1, sizeof *dir->heats.v);
	for (size_t i = 0; i < dir->heats.n; i++)
		for (unsigned b = 0; b < HEAT_BUCKETS; b++)
			dir->heats.v[i].count[b] = (uint32_t)random_u64(rng);
}

struct tally *
random_tally(struct rng *rng)
{
	struct tally *tally = tally_new();

	tally->start_ns = random_u64(rng);
	tally->window_to = random_u64(rng);
	tally->window_from = random_u64(rng) & tally->window_to;
	tally->has_first_io = rng_below(rng, 2);
	if (tally->has_first_io) {
		tally->first_io_ns = (int64_t)rng_below(rng, 100000) - 50000;
		tally->last_first_io_ns =
		    tally->first_io_ns + (int64_t)rng_below(rng, 99);
	}
	tally->first_end_ns = random_u64(rng);
	tally->end_ns = random_u64(rng);
	tally->threads = random_u64(rng);
	tally->outstanding = random_u64(rng);
	tally->oldest_outstanding_ns = random_u64(rng);
	tally->io_errors = random_u64(rng);
	tally->cpu_user_ns = random_u64(rng);
	tally->cpu_sys_ns = random_u64(rng);
	tally->cpu_wall_ns = random_u64(rng);
	tally->latency_depth = rng_below(rng, 3);
	if (rng_below(rng, 2))
		tally->usage = (struct tally_usage){
		    true, random_u64(rng), random_u64(rng), random_u64(rng)};
	tally->fifo = rng_below(rng, 2);
	if (rng_below(rng, 2)) {
		tally->first_io_bound_ns = rng_below(rng, 1000000);
		tally->window_own = rng_below(rng, 2);
		snprintf(tally->runner, sizeof tally->runner, "fio-3.%u",
		    (unsigned)rng_below(rng, 40));
	}
	tally->direct = rng_below(rng, 2);
	random_dir(rng, &tally->dir[DIR_READ]);
	if (rng_below(rng, 2))
		random_dir(rng, &tally->dir[DIR_WRITE]);
	return tally;
}

struct facts *
random_facts(struct rng *rng)
{
	struct facts *facts = mem_alloc(sizeof *facts);

	facts->name = maybe_text(rng);
	facts->version = maybe_text(rng);
	facts->hostname = maybe_text(rng);
	facts->os = maybe_text(rng);
	facts->kernel = maybe_text(rng);
	facts->cpu_model = maybe_text(rng);
	facts->machine_id = maybe_text(rng);
	facts->cpus = random_known(rng);
	facts->numa_nodes = random_known(rng);
	facts->memory_bytes = random_known(rng);
	for (uint64_t n = rng_below(rng, 8); n; n--)
		vec_push(&facts->engines, random_text(rng));
	for (uint64_t n = rng_below(rng, 20); n; n--) {
		struct facts_thing *thing = vec_add(&facts->things);

		thing->kind = random_text(rng);
		thing->name = random_text(rng);
		for (uint64_t k = rng_below(rng, 8); k; k--) {
			char *text = maybe_text(rng);

			vec_push(&thing->attrs,
			    ((struct facts_attr){random_text(rng), text,
				text ? -1 : random_known(rng)}));
		}
	}
	return facts;
}

struct counters *
random_counters(struct rng *rng)
{
	struct counters *counters = counters_new();
	char object[32];

	for (int span = 0; span < COUNTER_SPANS; span++)
		counters->ns[span] = random_u64(rng);
	counters->trial_bytes = random_u64(rng);
	counters->mount_point = maybe_text(rng);
	counters->mount_fstype = maybe_text(rng);
	counters->protocols = (unsigned)rng_below(rng, 4);
	counters->rdma_ports = random_known(rng);
	for (uint64_t i = rng_below(rng, 20); i; i--) {
		struct counter *counter;

		snprintf(object, sizeof object, "net/eth%02u", 20 - (unsigned)i);
		counter = counters_add(counters, object, "rx_bytes");
		counter->narrow = rng_below(rng, 2);
		for (int span = 0; span < COUNTER_SPANS; span++)
			if (rng_below(rng, 2)) {
				counter->known[span] = true;
				counter->delta[span] = random_u64(rng);
			}
	}
	return counters;
}

struct payload
random_payload(struct rng *rng, enum try_kind kind)
{
	static const char *const paths[] = {"/mnt/one", "/mnt/two", "/x"};
	struct order_msg order;
	struct report report;
	struct sample sample;
	struct tally *tally;
	struct facts *facts;
	struct counters *counters;
	struct facts_question question = {.paths = paths};
	struct payload payload = {0};

	switch (kind) {
	case TRY_ORDER:
		random_order(rng, &order);
		payload = pack_order(&order.order);
		order_msg_free(&order);
		break;
	case TRY_REPORT:
		random_report(rng, &report);
		payload = pack_report(&report);
		break;
	case TRY_SAMPLE:
		random_sample(rng, &sample);
		payload = pack_sample(&sample);
		break;
	case TRY_RUN_ID: payload = pack_run_id(random_u64(rng) | 1); break;
	case TRY_TALLY:
		tally = random_tally(rng);
		payload = pack_tally(random_u64(rng), tally);
		tally_free(tally);
		break;
	case TRY_FACTS_REQUEST:
		question.n = rng_below(rng, 4);
		question.brief = rng_below(rng, 2);
		question.touch = (enum facts_touch)rng_below(rng, FACTS_TOUCH_COUNT);
		if (question.touch != FACTS_LOOK)
			question.token = "00112233445566778899aabbccddeeff";
		payload = pack_facts_request(&question);
		break;
	case TRY_FACTS:
		facts = random_facts(rng);
		payload = pack_facts(facts);
		facts_free(facts);
		break;
	case TRY_LOG_REQUEST:
		payload = pack_log_request(&(struct log_request){random_u64(rng) | 1,
		    (uint32_t)random_u64(rng), random_u64(rng)});
		break;
	case TRY_LOG_PART:
		payload = pack_log_part(&(struct log_part){.run_id = random_u64(rng) | 1,
		    .count = 3,
		    .name = "x_bw.1.log",
		    .bytes = UINT64_MAX,
		    .data = (const uint8_t *)"1, 2, 0, 4096, 0",
		    .len = 16});
		break;
	case TRY_COUNTERS:
		counters = random_counters(rng);
		payload = pack_counters(random_u64(rng), counters);
		counters_free(counters);
		break;
	case TRY_KINDS: break;
	}
	return payload;
}
