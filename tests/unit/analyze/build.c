/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/analyze/build.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/table-csv.h"

static enum cell_kind
kind_of(const char *workload)
{
	return strstr(workload, "write") ? CELL_WRITES : CELL_READS;
}

struct cell *
build_cell(struct model *model, const char *storage, const char *workload,
    const char *transport, unsigned clients, const double *rates, size_t n)
{
	struct cell *cell = model_add(model, storage, workload, "", transport, clients);
	unsigned arm = strcmp(transport, "rdma") == 0;

	cell->kind = kind_of(workload);
	for (size_t i = 0; i < n; i++) {
		struct sample *sample = cell_add(cell, 0, (unsigned)i + 1);

		sample->value[METRIC_RATE] = rates[i];
		sample->order = 2 * (unsigned)i + 1 + arm;
	}
	return cell;
}

double
build_normal(struct rng *rng)
{
	double u = 1 - rng_unit(rng), v = rng_unit(rng);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

struct cell *
build_noisy(struct model *model, struct rng *rng, const char *storage,
    const char *workload, const char *transport, unsigned clients, double rate,
    double rsd, size_t n)
{
	double *rates = mem_array(n, sizeof *rates);
	struct cell *cell;

	for (size_t i = 0; i < n; i++)
		rates[i] = rate * exp(rsd * build_normal(rng));
	cell = build_cell(model, storage, workload, transport, clients, rates, n);
	free(rates);
	return cell;
}

static char *
read_all(const char *path, size_t *ret_len)
{
	FILE *file = fopen(path, "rb");
	struct str text = {0};
	char buf[4096];
	size_t n;

	ck_assert_msg(file != NULL, "cannot open %s", path);
	while ((n = fread(buf, 1, sizeof buf, file)) > 0)
		str_addn(&text, buf, n);
	fclose(file);
	*ret_len = text.len;
	return str_take(&text);
}

void
build_table(struct model *model, const char *path)
{
	const struct plan_links link = {
	    .count = 1, .mtu = 9000, .bits_per_s = 400000000000};
	struct table_rows table;
	struct err err = ERR_INIT;
	size_t len;
	char *text = read_all(path, &len);

	ck_assert_msg(
	    table_csv_parse(path, text, len, &table, &err) == 0, "%s", err.msg);
	for (vec_each(const struct table_row *, row, &table.rows)) {
		struct cell *cell = model_add(model, row->storage, row->workload, "",
		    row->transport, row->clients);
		struct sample *sample = cell_add(cell, 0, 1);

		cell->kind = kind_of(row->workload);
		cell->imported = true;
		cell->change = row->change_pct / 100;
		cell->client_links = cell->storage_links = link;
		sample->value[METRIC_RATE] = row->bytes_per_s;
		sample->value[METRIC_IOPS] = row->iops;
		sample->value[METRIC_LAT] = row->latency_ns;
	}
	table_rows_free(&table);
	free(text);
}

void
build_analyze(struct model *model, struct findings *ret)
{
	struct thresholds thresholds;

	thresholds_default(&thresholds);
	model_close(model);
	analyze(model, &thresholds, ret);
}

const struct finding *
found_at(const struct findings *findings, const char *rule, size_t i)
{
	for (vec_each(const struct finding *, it, &findings->list))
		if (strcmp(it->rule->id, rule) == 0 && i-- == 0)
			return it;
	return NULL;
}

size_t
found(const struct findings *findings, const char *rule)
{
	size_t n = 0;

	for (vec_each(const struct finding *, it, &findings->list))
		n += strcmp(it->rule->id, rule) == 0;
	return n;
}

const struct finding *
found_for(const struct findings *findings, const char *rule, const char *storage,
    const char *workload)
{
	for (vec_each(const struct finding *, it, &findings->list)) {
		if (strcmp(it->rule->id, rule) != 0)
			continue;
		for (vec_each(const struct finding_cell *, cell, &it->cells))
			if (strcmp(cell->cell->storage, storage) == 0 &&
			    strcmp(cell->cell->workload, workload) == 0)
				return it;
	}
	return NULL;
}

bool
says(const finding_lines *lines, const char *text)
{
	for (vec_each(char *const *, it, lines))
		if (strstr(*it, text))
			return true;
	return false;
}
