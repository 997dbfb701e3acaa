/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of `volley plan check`: every case with its id, options, data set and
 * whether a cache could serve it, then how long the plan takes.
 */
#include "controller/expand/cases.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/work/blocks.h"

enum column {
	COL_CASE,
	COL_STORAGE,
	COL_TRANSPORT,
	COL_WORKLOAD,
	COL_CLIENTS,
	COL_RW,
	COL_BS,
	COL_IODEPTH,
	COL_NUMJOBS,
	COL_AXES,
	COL_DATASET,
	COL_CACHEABLE,
	COL_RUN,
	COL_COUNT
};

static const struct {
	const char *title;
	bool right; /* numbers line up on the right */
} columns[COL_COUNT] = {{"case", false}, {"storage", false}, {"transport", false},
    {"workload", false}, {"clients", true}, {"rw", false}, {"bs", true},
    {"iodepth", true}, {"numjobs", true}, {"swept", false}, {"data set", true},
    {"cacheable", false}, {"one run", true}};

struct row {
	char *cell[COL_COUNT];
};

struct table {
	VEC(struct row) rows;
	size_t width[COL_COUNT];
};

static const struct case_param *
find_param(const struct plan_case *c, const char *name)
{
	for (vec_each(const struct case_param *, p, &c->params))
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

static char *
block_size(const struct job *job)
{
	uint64_t least = blocks_least(job), most = blocks_most(job);
	char buf[UNITS_BUF], other[UNITS_BUF];

	if (job->blocks.max[DIR_READ] || job->blocks.max[DIR_WRITE] ||
	    job->blocks.split[DIR_READ].n || job->blocks.split[DIR_WRITE].n)
		return mem_printf("%s-%s", units_bytes(buf, (double)least),
		    units_bytes(other, (double)most));
	if (job->bs[DIR_READ] == job->bs[DIR_WRITE])
		return mem_strdup(units_bytes(buf, (double)job->bs[DIR_READ]));
	return mem_printf("%s,%s", units_bytes(buf, (double)job->bs[DIR_READ]),
	    units_bytes(other, (double)job->bs[DIR_WRITE]));
}

/* "4 KiB", or of jobs that differ "4 KiB+1 MiB". */
static char *
block_sizes(const struct plan_case *c)
{
	struct str all = {0};
	bool same = true;
	char *first = block_size(&c->parts.v[0].job);

	for (vec_each(const struct case_part *, part, &c->parts)) {
		char *one = block_size(&part->job);

		same = same && strcmp(one, first) == 0;
		str_addf(&all, "%s%s", all.len ? "+" : "", one);
		free(one);
	}
	if (same) {
		str_free(&all);
		return first;
	}
	free(first);
	return str_take(&all);
}

/* Axes that have no column of their own: "thinktime=1ms fsync=8". */
static char *
other_axes(const struct plan_case *c)
{
	static const char *const own[] = {"rw", "bs", "iodepth", "numjobs", NULL};
	struct str s = {0};

	for (vec_each(const struct case_param *, p, &c->params)) {
		bool has_column = false;

		for (int i = 0; own[i]; i++)
			has_column = has_column || strcmp(p->name, own[i]) == 0;
		if (p->is_axis && !has_column)
			str_addf(&s, "%s%s=%s", s.len ? " " : "", p->name, p->value);
	}
	return str_take(&s);
}

static char *
run_time(const struct plan_case *c)
{
	char buf[UNITS_BUF];
	uint64_t ns = case_duration_ns(c);
	bool time_based = true;

	if (!ns)
		return mem_strdup("size-bound");
	for (vec_each(const struct case_part *, part, &c->parts))
		time_based = time_based && part->job.time_based;
	return mem_printf("%s%s",
	    time_based ? "" : "<= ", units_seconds(buf, (double)ns / 1e9));
}

static double
all_memory(const struct plan_case *c)
{
	return c->memory_bytes * c->clients; /* NAN stays NAN */
}

static void
add_row(struct table *table, const struct plan_case *c)
{
	char buf[UNITS_BUF];
	struct row *row = vec_add(&table->rows);

	row->cell[COL_CASE] = mem_strdup(c->id);
	row->cell[COL_STORAGE] = mem_strdup(c->storage);
	row->cell[COL_TRANSPORT] = mem_strdup(transport_name(c->transport));
	row->cell[COL_WORKLOAD] = mem_strdup(c->workload);
	row->cell[COL_CLIENTS] = mem_printf("%u", c->clients);
	row->cell[COL_RW] = mem_strdup(find_param(c, "rw")->value);
	row->cell[COL_BS] = block_sizes(c);
	row->cell[COL_IODEPTH] = mem_strdup(find_param(c, "iodepth")->value);
	row->cell[COL_NUMJOBS] = mem_strdup(find_param(c, "numjobs")->value);
	row->cell[COL_AXES] = other_axes(c);
	row->cell[COL_DATASET] =
	    isnan(case_dataset_bytes(c))
		? mem_strdup("unknown")
		: mem_strdup(units_bytes(buf, case_dataset_bytes(c)));
	row->cell[COL_CACHEABLE] =
	    mem_strdup(cacheable_name(case_cacheable(c, all_memory(c))));
	row->cell[COL_RUN] = run_time(c);
}

static void
measure(struct table *table)
{
	for (int i = 0; i < COL_COUNT; i++) {
		bool used = false;

		for (vec_each(const struct row *, row, &table->rows)) {
			size_t n = str_columns(row->cell[i]);

			used = used || n;
			table->width[i] = n > table->width[i] ? n : table->width[i];
		}
		if (used && strlen(columns[i].title) > table->width[i])
			table->width[i] = strlen(columns[i].title);
	}
}

static void
print_row(const struct table *table, const struct row *row, struct str *ret)
{
	bool first = true;

	for (int i = 0; i < COL_COUNT; i++) {
		const char *text = row ? row->cell[i] : columns[i].title;
		size_t pad;

		if (!table->width[i]) /* a column without any value */
			continue;
		pad = table->width[i] - str_columns(text);
		str_addf(ret, "%s", first ? "" : "  ");
		if (columns[i].right)
			str_addf(ret, "%*s", (int)pad, "");
		str_add(ret, text);
		if (!columns[i].right && i + 1 < COL_COUNT)
			str_addf(ret, "%*s", (int)pad, "");
		first = false;
	}
	str_addc(ret, '\n');
}

static const char *
job_rw_text(const struct case_part *part)
{
	for (vec_each(const struct case_param *, p, &part->params))
		if (strcmp(p->name, "rw") == 0)
			return p->value;
	return "";
}

/* Of a case with several jobs: which clients run which. */
static void
print_jobs(const struct plan_case *c, struct str *ret)
{
	for (vec_each(const struct case_part *, part, &c->parts)) {
		char *bs = block_size(&part->job);

		if (c->parts.n > 1)
			str_addf(ret, "  job %s: %s %s, iodepth %u, numjobs %u, ",
			    part->job.name, job_rw_text(part), bs, part->job.iodepth,
			    part->job.numjobs);
		if (c->parts.n > 1 && part->hosts)
			str_addf(ret, "%u clients by name, of %u\n", part->clients,
			    c->clients);
		else if (c->parts.n > 1)
			str_addf(ret, "clients %u to %u of %u\n", part->first + 1,
			    part->first + part->clients, c->clients);
		free(bs);
	}
}

static void
print_table(const struct cases *cases, struct str *ret)
{
	struct table table = {0};
	size_t i = 0;

	for (vec_each(const struct plan_case *, c, &cases->cases))
		add_row(&table, c);
	measure(&table);
	print_row(&table, NULL, ret);
	for (vec_each(struct row *, row, &table.rows)) {
		print_row(&table, row, ret);
		print_jobs(&cases->cases.v[i++], ret);
		for (int k = 0; k < COL_COUNT; k++)
			free(row->cell[k]);
	}
	vec_free(&table.rows);
}

/* "5", "5 to 8" */
static char *
range(size_t least, size_t most)
{
	return least == most ? mem_printf("%zu", least)
			     : mem_printf("%zu to %zu", least, most);
}

/* Of all that say how long they run; none does: unknown. */
static char *
load_time(const struct plan_repeat *repeat, double seconds)
{
	char least[UNITS_BUF], most[UNITS_BUF];

	if (isnan(seconds))
		return mem_strdup("an unknown time");
	units_seconds(least, seconds * repeat->min);
	units_seconds(most, seconds * repeat->max);
	return repeat->min == repeat->max ? mem_strdup(least)
					  : mem_printf("%s to %s", least, most);
}

/* Load only: layout and preparing take what they take. */
static void
print_duration(const struct cases *cases, struct str *ret)
{
	const struct plan_repeat *repeat = &cases->plan->repeat;
	size_t n = cases->cases.n, unbound = 0;
	double s = 0;

	for (vec_each(const struct plan_case *, c, &cases->cases)) {
		s += (double)case_duration_ns(c) / 1e9;
		unbound += case_duration_ns(c) == 0;
	}
	char *repeats = range(repeat->min, repeat->max);
	char *runs = range(n * repeat->min, n * repeat->max);
	char *load = load_time(repeat, unbound == n ? NAN : s);
	str_addf(ret, "cases %zu x repeats %s = runs %s, %s of load", n, repeats, runs,
	    load);
	if (repeat->min != repeat->max)
		str_addf(ret, " (until rsd <= %.3g %%)", repeat->until_rsd * 100);
	str_add(ret, "; writing files and preparing come on top\n");
	if (unbound)
		str_addf(ret,
		    "cases without a runtime: %zu; how long they take is unknown\n",
		    unbound);
	free(repeats);
	free(runs);
	free(load);
}

/* Workloads have files of their own, so a storage must hold the largest of each. */
double
cases_files_bytes(const struct cases *cases, const struct plan_storage *storage)
{
	double total = 0;

	for (vec_each(const struct plan_workload *, w, &cases->plan->workloads)) {
		double most = 0;

		for (vec_each(const struct plan_case *, c, &cases->cases))
			if (c->storage == storage->name && c->workload == w->name)
				most = fmax(most, case_files_bytes(c));
		total += most;
	}
	return total;
}

static void
print_space(const struct cases *cases, struct str *ret)
{
	char buf[UNITS_BUF];

	for (vec_each(const struct plan_storage *, storage, &cases->plan->storages)) {
		double bytes = cases_files_bytes(cases, storage);

		if (bytes > 0)
			str_addf(ret, "storage %s: up to %s of files\n", storage->name,
			    units_bytes(buf, bytes));
	}
}

static void
print_caches(const struct cases *cases, struct str *ret)
{
	const struct plan *plan = cases->plan;
	size_t count[3] = {0}, undeclared = 0;

	for (vec_each(const struct plan_case *, c, &cases->cases))
		count[case_cacheable(c, all_memory(c))]++;
	str_addf(ret,
	    "cacheable: %zu yes, %zu no, %zu unknown; a data set must exceed %g x "
	    "(DRAM of the clients + cache of the storage)\n",
	    count[CACHEABLE_YES], count[CACHEABLE_NO], count[CACHEABLE_UNKNOWN],
	    CACHEABLE_FACTOR);
	if (!plan->has_client_memory)
		str_add(ret,
		    "the clients' DRAM is not in the plan (client: {memory: ...}); "
		    "a run learns it from the agents\n");
	for (vec_each(const struct plan_storage *, storage, &plan->storages)) {
		if (storage->has_cache)
			continue;
		str_addf(ret, "%s%s",
		    undeclared++ ? ", "
				 : "cache not declared (facts: "
				   "{cache: ...}): ",
		    storage->name);
	}
	if (undeclared)
		str_addc(ret, '\n');
}

void
cases_describe(const struct cases *cases, struct str *ret)
{
	const struct plan *plan = cases->plan;

	str_addf(ret,
	    "plan %s (%s): storages %zu, workloads %zu, scales %zu, clients up "
	    "to %u\n\n",
	    plan->name, plan->source, plan->storages.n, plan->workloads.n,
	    plan->clients.n, cases_most_clients(cases));
	print_table(cases, ret);
	str_addc(ret, '\n');
	print_duration(cases, ret);
	if (plan->transports.n > 1)
		str_add(ret,
		    cases->interleaved
			? "transports alternate A B, B A over the repeats of a "
			  "workload\n"
			: "transports follow each other in blocks: not interleaved\n");
	print_space(cases, ret);
	print_caches(cases, ret);
}
