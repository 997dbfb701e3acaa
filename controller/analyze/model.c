/* SPDX-License-Identifier: Apache-2.0 */
/* The cells in order, and the plain questions asked of them. */
#include "controller/analyze/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct metric_info metrics[METRIC_COUNT] = {
    [METRIC_RATE] = {"throughput", false, units_bytes_per_s},
    [METRIC_IOPS] = {"IOPS", false, units_iops},
    [METRIC_LAT] = {"mean latency", true, units_ns},
    [METRIC_P50] = {"p50 latency", true, units_ns},
    [METRIC_P99] = {"p99 latency", true, units_ns},
    [METRIC_P999] = {"p99.9 latency", true, units_ns},
};

struct cell *
model_add(struct model *model, const char *storage, const char *workload,
    const char *axis, const char *transport, unsigned clients)
{
	struct cell *cell = vec_add(&model->cells);

	*cell = (struct cell){.storage = mem_strdup(storage),
	    .workload = mem_strdup(workload),
	    .axis = mem_strdup(axis),
	    .transport = mem_strdup(transport),
	    .clients = clients,
	    .kind = CELL_MIXED,
	    .block_bytes = NAN,
	    .iodepth = NAN,
	    .numjobs = NAN,
	    .in_flight = NAN,
	    .change = NAN,
	    .baseline = NAN};
	return cell;
}

struct sample *
cell_add(struct cell *cell, unsigned source, unsigned repeat)
{
	struct sample *sample = vec_add(&cell->samples);

	*sample = (struct sample){.repeat = repeat,
	    .source = source,
	    .first_done_s = NAN,
	    .last_done_s = NAN,
	    .wire_share = NAN,
	    .course = {NAN, NAN, NAN, NAN}};
	for (int i = 0; i < METRIC_COUNT; i++)
		sample->value[i] = NAN;
	return sample;
}

static int
by_name(const struct cell *x, const struct cell *y)
{
	int order = strcmp(x->storage, y->storage);

	if (order == 0)
		order = strcmp(x->workload, y->workload);
	return order ? order : strcmp(x->axis, y->axis);
}

static int
by_cell(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;
	int order = by_name(x, y);

	if (order == 0)
		order = (x->clients > y->clients) - (x->clients < y->clients);
	return order ? order : strcmp(x->transport, y->transport);
}

static int
by_repeat(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return (x->repeat > y->repeat) - (x->repeat < y->repeat);
}

static void
free_sample(struct sample *sample)
{
	for (vec_each(struct sample_client *, it, &sample->clients))
		free(it->name);
	for (vec_each(struct sample_reason *, it, &sample->reasons)) {
		free(it->code);
		free(it->agent);
		free(it->text);
	}
	for (vec_each(struct sample_counter *, it, &sample->counters)) {
		free(it->agent);
		free(it->object);
		free(it->name);
	}
	vec_free(&sample->clients);
	vec_free(&sample->reasons);
	vec_free(&sample->counters);
}

static void
free_names(struct cell *cell)
{
	free(cell->storage);
	free(cell->workload);
	free(cell->axis);
	free(cell->transport);
	free(cell->engine);
}

static double
known(double value, double other)
{
	return isnan(value) ? other : value;
}

/* What `from` knows moves into `into`; the names are the same. */
static void
join(struct cell *into, struct cell *from)
{
	into->block_bytes = known(into->block_bytes, from->block_bytes);
	into->iodepth = known(into->iodepth, from->iodepth);
	into->numjobs = known(into->numjobs, from->numjobs);
	into->in_flight = known(into->in_flight, from->in_flight);
	into->change = known(into->change, from->change);
	into->baseline = known(into->baseline, from->baseline);
	into->imported |= from->imported;
	if (into->client_links.count == 0)
		into->client_links = from->client_links;
	if (into->storage_links.count == 0)
		into->storage_links = from->storage_links;
	for (vec_each(struct sample *, it, &from->samples))
		vec_push(&into->samples, *it);
	vec_free(&from->samples);
	free_names(from);
}

static void
join_same(struct model *model)
{
	size_t kept = 0;

	for (size_t i = 0; i < model->cells.n; i++) {
		struct cell *cell = &model->cells.v[i];

		if (kept && by_cell(&model->cells.v[kept - 1], cell) == 0)
			join(&model->cells.v[kept - 1], cell);
		else
			model->cells.v[kept++] = *cell;
	}
	model->cells.n = kept;
}

static void
add_noise(struct model *model, const struct cell *cell)
{
	struct storage_noise *noise;
	double values[CELL_SAMPLES_MAX];
	size_t n = cell_values(cell, cell_rate_metric(cell), values, CELL_SAMPLES_MAX);

	noise = model->noise.n ? &model->noise.v[model->noise.n - 1] : NULL;
	if (!noise || strcmp(noise->storage, cell->storage) != 0) {
		noise = vec_add(&model->noise);
		noise->storage = cell->storage;
	}
	for (size_t i = 0; i < n; i++)
		values[i] = log(values[i]);
	sample_pool_add(&noise->logs, values, n);
}

void
model_close(struct model *model)
{
	if (model->cells.n)
		qsort(model->cells.v, model->cells.n, sizeof *model->cells.v, by_cell);
	join_same(model);
	for (size_t i = 0; i < model->cells.n; i++) {
		struct cell *cell = &model->cells.v[i];

		if (cell->samples.n > 1)
			qsort(cell->samples.v, cell->samples.n, sizeof *cell->samples.v,
			    by_repeat);
		if (i == 0 || by_name(cell - 1, cell) != 0)
			*vec_add(&model->families) = (struct family){.cells = cell};
		model->families.v[model->families.n - 1].n++;
		add_noise(model, cell);
	}
}

void
model_free(struct model *model)
{
	for (vec_each(struct cell *, cell, &model->cells)) {
		for (vec_each(struct sample *, it, &cell->samples))
			free_sample(it);
		vec_free(&cell->samples);
		free_names(cell);
	}
	vec_free(&model->cells);
	vec_free(&model->families);
	vec_free(&model->noise);
}

const struct cell *
family_find(const struct family *family, const char *transport, unsigned clients)
{
	for (size_t i = 0; i < family->n; i++)
		if (family->cells[i].clients == clients &&
		    strcmp(family->cells[i].transport, transport) == 0)
			return &family->cells[i];
	return NULL;
}

size_t
cell_values(const struct cell *cell, enum metric metric, double *ret, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < cell->samples.n && n < max; i++) {
		const struct sample *it = &cell->samples.v[i];

		/* ratios need something to divide by */
		if (it->state == ATTEMPT_VALID && it->value[metric] > 0)
			ret[n++] = it->value[metric];
	}
	return n;
}

double
cell_middle(const struct cell *cell, enum metric metric)
{
	double sum = 0;
	size_t n = 0;

	for (vec_each(const struct sample *, it, &cell->samples))
		if (it->state == ATTEMPT_VALID && it->value[metric] > 0) {
			sum += log(it->value[metric]);
			n++;
		}
	return n ? exp(sum / (double)n) : NAN;
}

bool
cell_has(const struct cell *cell, enum metric metric)
{
	for (vec_each(const struct sample *, it, &cell->samples))
		if (it->state == ATTEMPT_VALID && it->value[metric] > 0)
			return true;
	return false;
}

double
asked_in_flight(const char *engine, unsigned clients, double iodepth, double numjobs)
{
	static const char *const sync[] = {
	    "psync", "sync", "vsync", "pvsync", "pvsync2", "mmap", NULL};

	for (const char *const *it = sync; *it; it++)
		if (engine && strcmp(*it, engine) == 0)
			iodepth = 1;
	return clients * numjobs * iodepth;
}

enum metric
cell_rate_metric(const struct cell *cell)
{
	return cell_has(cell, METRIC_RATE) ? METRIC_RATE : METRIC_IOPS;
}

double
model_noise(const struct model *model, const char *storage, double *ret_df)
{
	size_t low = 0, high = model->noise.n;

	*ret_df = NAN;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct storage_noise *it = &model->noise.v[middle];
		int order = strcmp(it->storage, storage);

		if (order == 0) {
			*ret_df = it->logs.df;
			return sample_pool_sd(&it->logs);
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NAN;
}
