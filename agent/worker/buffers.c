/* SPDX-License-Identifier: Apache-2.0 */
/*
 * I/O buffers and the generator of what is written.
 */
#include "agent/worker/buffers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/base/mem.h"

#define BUFFERS_PAGE 4096u
/* Small enough to stay in the second-level cache while buffers stream by. */
#define DATA_POOL 65536u

typedef uint64_t data_vec __attribute__((vector_size(32), aligned(8), may_alias));

int
buffers_map(struct buffers *buffers, unsigned n, size_t size, struct err *err)
{
	size_t stride = (size + BUFFERS_PAGE - 1) / BUFFERS_PAGE * BUFFERS_PAGE;
	void *base;

	if (stride == 0 || n > SIZE_MAX / stride)
		return err_set(err, ERR_USAGE, "buffers: %u of %zu bytes", n, size);
	base = mmap(NULL, n * stride, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (base == MAP_FAILED)
		return err_sys(err, errno, "buffers: %u of %zu bytes", n, size);
	*buffers = (struct buffers){.base = base, .len = n * stride, .stride = stride};
	return 0;
}

void *
buffers_at(const struct buffers *buffers, unsigned i)
{
	return (char *)buffers->base + i * buffers->stride;
}

void
buffers_unmap(struct buffers *buffers)
{
	if (buffers->base)
		munmap(buffers->base, buffers->len);
	*buffers = (struct buffers){0};
}

void
data_init(struct data *data, uint64_t seed)
{
	struct rng rng;

	data->pool = mem_alloc(DATA_POOL);
	rng_seed(&rng, rng_derive(seed, "pool", 0));
	rng_fill(&rng, data->pool, DATA_POOL);
	rng_seed(&data->keys, rng_derive(seed, "keys", 0));
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

void
data_fill(struct data *data, void *buf, size_t len)
{
	unsigned char *at = buf;

	while (len > 0) {
		size_t n = len < DATA_POOL ? len : DATA_POOL;

		data_fill_chunk(data, at, n);
		at += n;
		len -= n;
	}
}

void
data_free(struct data *data)
{
	free(data->pool);
	data->pool = NULL;
}
