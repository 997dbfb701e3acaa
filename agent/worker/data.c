/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generator of what is written.
 */
#include "agent/worker/data.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/blocks.h"

/* Small enough to stay in the second-level cache while buffers stream by. */
#define DATA_POOL 65536u
#define PERCENT 100

typedef uint64_t data_vec __attribute__((vector_size(32), aligned(8), may_alias));

void
data_init(struct data *data, uint64_t seed)
{
	struct rng rng;

	*data = (struct data){.pool = mem_alloc(DATA_POOL)};
	rng_seed(&rng, rng_derive(seed, "pool", 0));
	rng_fill(&rng, data->pool, DATA_POOL);
	rng_seed(&data->keys, rng_derive(seed, "keys", 0));
}

/* How many blocks a working set has. */
static uint64_t
data_working_set(const struct job *job, size_t unit)
{
	uint64_t n = job->size / unit * job->data.dedupe_working_set_percent / PERCENT;

	return n > 0 ? n : 1;
}

static void
data_set_shape(struct data *data, const struct job *job, uint64_t seed)
{
	const struct job_data *how = &job->data;
	bool fixed;

	data->pattern = how->pattern.n || how->pattern.offset ? &how->pattern : NULL;
	if (job->verify.kind != JOB_VERIFY_NONE &&
	    (job->verify.pattern.n || job->verify.pattern.offset))
		data->pattern = &job->verify.pattern;
	fixed = (data->pattern || how->zero) && how->compress_percent == 0;
	data->unit = blocks_least(job);
	data->chunk = how->compress_chunk;
	if (data->chunk == 0 || data->chunk > data->unit)
		data->chunk = data->unit;
	data->fixed = fixed ? data->chunk
			    : data->chunk * how->compress_percent / PERCENT;
	data->dedupe = how->dedupe_percent;
	if (how->dedupe_working_set)
		data->set = data_working_set(job, data->unit);
	data->set_seed = rng_derive(seed, "set", 0);
	rng_seed(&data->fresh, rng_derive(seed, "fresh", 0));
	data->last = rng_u64(&data->fresh);
	data->shaped = data->fixed > 0 || data->dedupe > 0;
	data->by_offset = data->fixed > 0 && data->pattern && data->pattern->offset;
	data->once = fixed && !data->by_offset && !job_rw_has(job, DIR_READ) &&
		     job->verify.kind == JOB_VERIFY_NONE;
}

void
data_init_job(struct data *data, const struct job *job, uint64_t seed)
{
	bool shared = job->data.dedupe_working_set && job->data.dedupe_global;
	uint64_t common = rng_derive(job->randseed, "dedupe", 0);

	/* A set that all threads share needs the same pool; their keys differ. */
	data_init(data, shared ? common : seed);
	rng_seed(&data->keys, rng_derive(seed, "keys", 0));
	data_set_shape(data, job, seed);
	if (shared)
		data->set_seed = common;
}

static void
data_fill_chunk(struct data *data, unsigned char *buf, size_t len)
{
	const unsigned char *pool = data->pool;
	data_vec key = {rng_u64(&data->keys), rng_u64(&data->keys),
	    rng_u64(&data->keys), rng_u64(&data->keys)};
	unsigned char key_bytes[sizeof key];
	size_t i;

	for (i = 0; i + sizeof key <= len; i += sizeof key)
		*(data_vec *)(void *)(buf + i) =
		    *(const data_vec *)(const void *)(pool + i) ^ key;
	memcpy(key_bytes, &key, sizeof key);
	for (size_t k = 0; i < len; i++, k++)
		buf[i] = pool[i] ^ key_bytes[k];
}

static void
data_fill_random(struct data *data, unsigned char *buf, size_t len)
{
	while (len > 0) {
		size_t n = len < DATA_POOL ? len : DATA_POOL;

		data_fill_chunk(data, buf, n);
		buf += n;
		len -= n;
	}
}

void
data_tile(const struct job_pattern *pattern, void *buf, size_t len, size_t phase,
    uint64_t offset)
{
	uint64_t where = htole64(offset);
	const unsigned char *from =
	    pattern->offset ? (const unsigned char *)&where : pattern->v;
	size_t n = pattern->offset ? sizeof where : pattern->n;
	unsigned char *to = buf;
	size_t done = 0;

	while (done < len && done < n) {
		to[done] = from[(phase + done) % n];
		done++;
	}
	/* From here on it repeats what is there: twice as much each time. */
	for (size_t have = done; done < len; done += have) {
		have = done / n * n;
		if (have > len - done)
			have = len - done;
		memcpy(to + done, to, have);
	}
}

static void
data_put_fixed(const struct data *data, unsigned char *buf, size_t len, size_t phase,
    uint64_t offset)
{
	if (data->pattern)
		data_tile(data->pattern, buf, len, phase, offset);
	else
		memset(buf, 0, len);
}

/* The fixed part of each chunk of a block, which lies behind its random one. */
static void
data_fix(const struct data *data, unsigned char *buf, size_t len, uint64_t offset)
{
	size_t random = data->chunk - data->fixed;

	if (random == 0) {
		data_put_fixed(data, buf, len, 0, offset);
		return;
	}
	for (size_t at = 0; at + random < len; at += data->chunk) {
		size_t n = len - at < data->chunk ? len - at : data->chunk;

		data_put_fixed(data, buf + at + random, n - random, random, offset);
	}
}

/* Is this block one that was written before?  Then its keys are, too. */
static void
data_choose_keys(struct data *data)
{
	uint64_t seed;

	if (rng_below(&data->fresh, PERCENT) >= data->dedupe)
		seed = data->last = rng_u64(&data->fresh);
	else if (data->set == 0)
		seed = data->last;
	else
		seed = rng_derive(
		    data->set_seed, "block", rng_below(&data->fresh, data->set));
	rng_seed(&data->keys, seed);
}

static void
data_fill_shaped(struct data *data, unsigned char *buf, size_t len, uint64_t offset)
{
	size_t unit = data->dedupe ? data->unit : len;

	while (len > 0) {
		size_t n = len < unit ? len : unit;

		if (data->dedupe)
			data_choose_keys(data);
		if (data->fixed < data->chunk)
			data_fill_random(data, buf, n);
		if (data->fixed > 0)
			data_fix(data, buf, n, offset);
		buf += n;
		len -= n;
	}
}

void
data_fill(struct data *data, void *buf, size_t len, uint64_t offset)
{
	if (data->shaped)
		data_fill_shaped(data, buf, len, offset);
	else
		data_fill_random(data, buf, len);
}

void
data_free(struct data *data)
{
	free(data->pool);
	data->pool = NULL;
}
