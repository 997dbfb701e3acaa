/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tidy CSV: one row per cell, direction and metric (docs/report-schema.md).  The value
 * stands in the column of its unit, the other columns are empty; unknown has no row.
 */
#include <math.h>
#include <stdio.h>

#include "controller/document/format.h"
#include "controller/report/csv-field.h"

enum unit { UNIT_BYTES, UNIT_IOS, UNIT_NS, UNIT_FRACTION, UNITS };

static const char *const names[] = {"schema_version", "source", "case_id", "storage",
    "workload", "axis", "transport", "clients", "direction", "state", "repeats",
    "clients_reported", "clients_expected", "metric", "value_bytes_per_s",
    "value_ios_per_s", "value_ns", "value_fraction"};

static const struct {
	const char *name;
	enum unit unit;
	size_t at; /* in struct summary */
} metric_table[] = {
    {"throughput_mean", UNIT_BYTES, offsetof(struct summary, bytes_per_s)},
    {"throughput_lowest", UNIT_BYTES, offsetof(struct summary, bytes_low)},
    {"throughput_highest", UNIT_BYTES, offsetof(struct summary, bytes_high)},
    {"throughput_rsd", UNIT_FRACTION, offsetof(struct summary, rsd)},
    {"iops_mean", UNIT_IOS, offsetof(struct summary, iops)},
    {"iops_lowest", UNIT_IOS, offsetof(struct summary, iops_low)},
    {"iops_highest", UNIT_IOS, offsetof(struct summary, iops_high)},
    {"slat_mean", UNIT_NS, offsetof(struct summary, slat.mean)},
    {"clat_mean", UNIT_NS, offsetof(struct summary, clat.mean)},
    {"lat_mean", UNIT_NS, offsetof(struct summary, lat.mean)},
    {"lat_p99", UNIT_NS, offsetof(struct summary, lat.p99)},
    {"lat_p99_9", UNIT_NS, offsetof(struct summary, lat.p99_9)},
    {"skew", UNIT_NS, offsetof(struct summary, skew_ns)},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void
number(struct str *out, double value)
{
	char text[32];

	snprintf(text, sizeof text, "%.15g", value);
	csv_field(out, false, text);
}

static void
put_cell(struct str *out, const struct dossier_case *c, const struct summary *line)
{
	csv_field(out, true, "1");
	number(out, c->source + 1);
	csv_field(out, false, c->c.id);
	csv_field(out, false, c->c.storage);
	csv_field(out, false, c->c.workload);
	csv_field(out, false, c->axis);
	csv_field(out, false, c->c.transport);
	number(out, c->c.clients);
	csv_field(out, false, line->has_figures ? dir_name(line->dir) : "");
	csv_field(
	    out, false, line->repeats ? attempt_state_name(line->state) : "NOT_RUN");
	number(out, line->repeats);
	number(out, line->clients);
	number(out, line->of);
}

static void
put_value(struct str *out, const char *metric, enum unit unit, double value)
{
	csv_field(out, false, metric);
	for (int i = 0; i < UNITS; i++)
		if (i == (int)unit)
			number(out, value);
		else
			csv_field(out, false, "");
	str_addc(out, '\n');
}

/* A cell without any figure still has a row: it must not vanish. */
static void
put_line(struct str *out, const struct dossier_case *c, const struct summary *line)
{
	bool any = false;

	for (size_t i = 0; i < COUNT(metric_table); i++) {
		double value = *(const double *)((const char *)line + metric_table[i].at);

		if (!isfinite(value) || !line->has_figures)
			continue;
		any = true;
		put_cell(out, c, line);
		put_value(out, metric_table[i].name, metric_table[i].unit, value);
	}
	if (any)
		return;
	put_cell(out, c, line);
	csv_field(out, false, "");
	for (int i = 0; i < UNITS; i++)
		csv_field(out, false, "");
	str_addc(out, '\n');
}

static void
write_csv(const struct publication *publication, struct str *out)
{
	for (size_t i = 0; i < COUNT(names); i++)
		csv_field(out, i == 0, names[i]);
	str_addc(out, '\n');
	for (vec_each(const struct dossier_case *, c, &publication->dossier->cases))
		for (vec_each(const struct summary *, line, &c->lines.lines))
			put_line(out, c, line);
	for (vec_each(
		 const struct change *, it, &publication->dossier->changes.list)) {
		const struct cell *cell = it->rdma;

		csv_field(out, true, "1");
		csv_field(out, false, "");
		csv_field(out, false, "");
		csv_field(out, false, cell->storage);
		csv_field(out, false, cell->workload);
		csv_field(out, false, cell->axis);
		csv_field(out, false, cell->transport);
		number(out, cell->clients);
		csv_field(out, false, "");
		csv_field(out, false,
		    verdict_name(change_verdict(
			it, publication->dossier->thresholds.anomaly)));
		number(out, it->contrast.n);
		csv_field(out, false, "");
		csv_field(out, false, "");
		put_value(
		    out, "rdma_against_tcp", UNIT_FRACTION, it->contrast.effect);
	}
}

const struct document_format document_csv = {
    "csv", "one row per cell and metric, for programs", false, write_csv};
