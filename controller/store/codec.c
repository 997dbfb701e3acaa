/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The encodings behind the BLOB columns.  Each starts with a version, so that an
 * old file stays readable when one of them changes.
 */
#include "controller/store/codec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

#define CODEC_VERSION 1
/* More slots than this (11 days) cannot come from us: refuse before allocating. */
#define CODEC_SLOTS_MAX 10000000u
#define CODEC_HEATS_MAX 1000000u

struct reader {
	const unsigned char *p, *end;
	bool bad;
};

void
blob_free(struct blob *blob)
{
	free(blob->data);
	*blob = (struct blob){0};
}

void
blob_put(struct blob *blob, uint64_t value)
{
	if (blob->cap - blob->len < 10) {
		blob->cap = blob->cap ? blob->cap * 2 : 256;
		blob->data = mem_grow(blob->data, blob->cap, 1);
	}
	while (value >= 0x80) {
		blob->data[blob->len++] = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	blob->data[blob->len++] = (unsigned char)value;
}

static uint64_t
reader_get(struct reader *reader)
{
	uint64_t value = 0;

	for (unsigned shift = 0; reader->p < reader->end; shift += 7) {
		uint64_t byte = *reader->p++;

		/* the tenth byte holds one bit only */
		if (shift == 63 && byte > 1)
			break;
		value |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
		if (shift == 63)
			break;
	}
	reader->bad = true;
	return 0;
}

static struct reader
reader_open(const void *data, size_t len)
{
	struct reader reader = {.p = data, .end = (const unsigned char *)data + len};

	if (len == 0 || reader_get(&reader) != CODEC_VERSION)
		reader.bad = true;
	return reader;
}

static int
reader_close(const struct reader *reader, const char *what, struct err *err)
{
	if (!reader->bad && reader->p == reader->end)
		return 0;
	return err_set(err, ERR_PROTOCOL, "a stored %s is damaged", what);
}

/* n pairs of (index − previous index, count), the counts never 0; the pair (0, 0)
 * alone: no buckets are known. */
void
codec_put_hist(struct blob *ret, const struct hist *hist)
{
	unsigned last = 0;

	blob_put(ret, CODEC_VERSION);
	blob_put(ret, hist->count);
	blob_put(ret, hist->sum);
	blob_put(ret, hist->sumsq_lo);
	blob_put(ret, hist->sumsq_hi);
	blob_put(ret, hist->min);
	blob_put(ret, hist->max);
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		if (hist->bucket[i] == 0)
			continue;
		blob_put(ret, i - last);
		blob_put(ret, hist->bucket[i]);
		last = i;
	}
	if (hist->count && !hist_has_buckets(hist)) {
		blob_put(ret, 0);
		blob_put(ret, 0);
	}
}

int
codec_get_hist(const void *data, size_t len, struct hist *ret, struct err *err)
{
	struct reader reader = reader_open(data, len);
	uint64_t index = 0, total = 0;
	bool unknown = false;

	memset(ret, 0, sizeof *ret);
	ret->count = reader_get(&reader);
	ret->sum = reader_get(&reader);
	ret->sumsq_lo = reader_get(&reader);
	ret->sumsq_hi = reader_get(&reader);
	ret->min = reader_get(&reader);
	ret->max = reader_get(&reader);
	while (!reader.bad && reader.p < reader.end) {
		uint64_t step = reader_get(&reader);
		uint64_t times = reader_get(&reader);

		if (step == 0 && times == 0 && reader.p == reader.end) {
			unknown = ret->count > 0;
			break;
		}
		if (step >= HIST_BUCKETS - index || times == 0 ||
		    (step == 0 && total > 0))
			reader.bad = true;
		if (reader.bad)
			break;
		index += step;
		ret->bucket[index] += times;
		total += times;
	}
	if (total != (unknown ? 0 : ret->count))
		reader.bad = true;
	if (reader_close(&reader, "histogram", err) == 0)
		return 0;
	memset(ret, 0, sizeof *ret);
	return -1;
}

void
codec_put_slots(struct blob *ret, const struct slots *slots)
{
	blob_put(ret, CODEC_VERSION);
	blob_put(ret, slots->n);
	for (size_t i = 0; i < slots->n; i++) {
		blob_put(ret, slots->v[i].ios);
		blob_put(ret, slots->v[i].bytes);
		blob_put(ret, slots->v[i].lat_ns);
	}
}

int
codec_get_slots(const void *data, size_t len, struct slots *ret, struct err *err)
{
	struct reader reader = reader_open(data, len);
	uint64_t n = reader_get(&reader);

	*ret = (struct slots){0};
	/* every slot takes three bytes at least */
	if (n > CODEC_SLOTS_MAX || n > len / 3)
		reader.bad = true;
	if (!reader.bad && n > 0) {
		ret->v = mem_array(n, sizeof *ret->v);
		ret->n = n;
	}
	for (size_t i = 0; i < ret->n; i++) {
		ret->v[i].ios = reader_get(&reader);
		ret->v[i].bytes = reader_get(&reader);
		ret->v[i].lat_ns = reader_get(&reader);
	}
	if (reader_close(&reader, "slot row", err) == 0)
		return 0;
	slots_free(ret);
	return -1;
}

/* Per second: how many buckets are not 0, then pairs as in a histogram. */
void
codec_put_heats(struct blob *ret, const struct heats *heats)
{
	blob_put(ret, CODEC_VERSION);
	blob_put(ret, heats->n);
	for (size_t i = 0; i < heats->n; i++) {
		const uint32_t *count = heats->v[i].count;
		unsigned used = 0, last = 0;

		for (unsigned b = 0; b < HEAT_BUCKETS; b++)
			used += count[b] != 0;
		blob_put(ret, used);
		for (unsigned b = 0; b < HEAT_BUCKETS; b++) {
			if (count[b] == 0)
				continue;
			blob_put(ret, b - last);
			blob_put(ret, count[b]);
			last = b;
		}
	}
}

static void
get_heat(struct reader *reader, struct heat *ret)
{
	uint64_t used = reader_get(reader), index = 0;

	for (uint64_t i = 0; i < used && !reader->bad; i++) {
		uint64_t step = reader_get(reader), count = reader_get(reader);

		if (step >= HEAT_BUCKETS - index || count == 0 || count > UINT32_MAX ||
		    (i > 0 && step == 0)) {
			reader->bad = true;
			return;
		}
		index += step;
		ret->count[index] = (uint32_t)count;
	}
}

int
codec_get_heats(const void *data, size_t len, struct heats *ret, struct err *err)
{
	struct reader reader = reader_open(data, len);
	uint64_t n = reader_get(&reader);

	*ret = (struct heats){0};
	if (n > CODEC_HEATS_MAX || n > len)
		reader.bad = true;
	if (!reader.bad && n > 0) {
		ret->v = mem_array(n, sizeof *ret->v);
		ret->n = n;
	}
	for (size_t i = 0; i < ret->n && !reader.bad; i++)
		get_heat(&reader, &ret->v[i]);
	if (reader_close(&reader, "heat map", err) == 0)
		return 0;
	heats_free(ret);
	return -1;
}

void
codec_put_times(struct blob *ret, const struct direction_times *times)
{
	blob_put(ret, CODEC_VERSION);
	blob_put(ret, times->times.own);
	blob_put(ret, times->times.last_from_ns);
	blob_put(ret, times->times.first_to_ns);
	blob_put(ret, times->times.busy_ns);
	blob_put(ret, times->window_from);
	blob_put(ret, times->window_ns);
}

int
codec_get_times(
    const void *data, size_t len, struct direction_times *ret, struct err *err)
{
	struct reader reader = reader_open(data, len);
	uint64_t own = reader_get(&reader);

	ret->times.own = own != 0;
	ret->times.last_from_ns = reader_get(&reader);
	ret->times.first_to_ns = reader_get(&reader);
	ret->times.busy_ns = reader_get(&reader);
	ret->window_from = reader_get(&reader);
	ret->window_ns = reader_get(&reader);
	if (own > 1)
		reader.bad = true;
	if (reader_close(&reader, "time of a direction", err) == 0)
		return 0;
	*ret = (struct direction_times){0};
	return -1;
}
