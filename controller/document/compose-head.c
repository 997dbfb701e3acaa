/* SPDX-License-Identifier: Apache-2.0 */
/* What was tested, and how. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/document/compose.h"
#include "lib/base/units.h"

/* Different words, in order of appearance. */
struct words {
	VEC(char *) list;
};

static void
words_add(struct words *words, const char *word)
{
	for (vec_each(char **, it, &words->list))
		if (strcmp(*it, word) == 0)
			return;
	vec_push(&words->list, mem_strdup(word));
}

static char *
words_join(struct words *words)
{
	struct str text = {0};

	for (vec_each(char **, it, &words->list)) {
		str_addf(&text, "%s%s", text.len ? ", " : "", *it);
		free(*it);
	}
	vec_free(&words->list);
	return str_take(&text);
}

static void
row(struct block *table, const char *what, char *text)
{
	if (text[0]) {
		table_cell(table, TONE_MUTED, "%s", what);
		table_cell(table, TONE_PLAIN, "%s", text);
	}
	free(text);
}

static int
by_number(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

static char *
scales(const struct dossier *dossier)
{
	VEC(unsigned) all = {0};
	struct words words = {0};

	for (vec_each(const struct cell *, it, &dossier->model.cells))
		vec_push(&all, it->clients);
	if (all.n)
		qsort(all.v, all.n, sizeof *all.v, by_number);
	for (vec_each(const unsigned *, it, &all)) {
		char text[16];

		snprintf(text, sizeof text, "%u", *it);
		words_add(&words, text);
	}
	vec_free(&all);
	return words_join(&words);
}

static char *
of_cells(const struct dossier *dossier, const char *(*word)(const struct cell *))
{
	struct words words = {0};

	for (vec_each(const struct cell *, it, &dossier->model.cells))
		words_add(&words, word(it));
	return words_join(&words);
}

static const char *
storage_of(const struct cell *cell)
{
	return cell->storage;
}

static const char *
transport_of(const struct cell *cell)
{
	return transport_label(cell->transport);
}

static char *
engines(const struct dossier *dossier)
{
	struct words words = {0};

	for (vec_each(const struct cell *, it, &dossier->model.cells))
		if (it->engine)
			words_add(&words, it->engine);
	return words_join(&words);
}

/* Of declared links; what each carries of payload is in the tables. */
static char *
links(const struct dossier *dossier)
{
	struct words links = {0}, named = {0};
	bool all = true;
	char *each, *every;

	for (vec_each(const struct cell *, it, &dossier->model.cells)) {
		const struct plan_links *link = &it->storage_links;
		char *text, *with_name;

		all &= link->bits_per_s > 0;
		if (link->bits_per_s == 0)
			continue;
		text = link->mtu
			   ? mem_printf("%u × %g Gbit/s, MTU %u", link->count,
				 (double)link->bits_per_s / 1e9, link->mtu)
			   : mem_printf("%u × %g Gbit/s, MTU unknown", link->count,
				 (double)link->bits_per_s / 1e9);
		with_name = mem_printf("%s: %s", it->storage, text);
		words_add(&links, text);
		words_add(&named, with_name);
		free(text);
		free(with_name);
	}
	all &= links.list.n == 1;
	each = words_join(&links);
	every = words_join(&named);
	free(all ? every : each);
	return all ? each : every;
}

static char *
when(const struct dossier *dossier)
{
	struct words words = {0};

	for (vec_each(const struct dossier_source *, it, &dossier->sources)) {
		const struct results *head = &it->head;
		char from[RESULTS_UTC_BUF], to[RESULTS_UTC_BUF];
		char *text;

		if (head->started_wall_ns == 0)
			continue;
		text = mem_printf("%s to %s",
		    results_utc(from, head->started_wall_ns),
		    head->ended_wall_ns ? results_utc(to, head->ended_wall_ns)
					: "an end that is not known");
		words_add(&words, text);
		free(text);
	}
	return words_join(&words);
}

static char *
of_sources(
    const struct dossier *dossier, const char *(*word)(const struct dossier_source *))
{
	struct words words = {0};

	for (vec_each(const struct dossier_source *, it, &dossier->sources))
		if (word(it))
			words_add(&words, word(it));
	return words_join(&words);
}

static const char *
plan_of(const struct dossier_source *source)
{
	return source->head.plan;
}

static const char *
generator_of(const struct dossier_source *source)
{
	return source->head.generator;
}

static const char *
path_of(const struct dossier_source *source)
{
	return source->path;
}

static char *
nodes(const struct dossier *dossier)
{
	double gpus = dossier_gpus(dossier);
	char buf[32];
	unsigned most = 0;

	for (vec_each(const struct cell *, it, &dossier->model.cells))
		most = it->clients > most ? it->clients : most;
	if (isnan(gpus))
		return mem_printf("%u client nodes at most; GPUs unknown", most);
	return mem_printf("%u client nodes at most, %s GPUs in all nodes", most,
	    figure_whole(buf, gpus));
}

static char *
repeats(const struct dossier *dossier)
{
	size_t least = SIZE_MAX, most = 0;

	for (vec_each(const struct cell *, it, &dossier->model.cells)) {
		if (it->samples.n == 0)
			continue;
		least = it->samples.n < least ? it->samples.n : least;
		most = it->samples.n > most ? it->samples.n : most;
	}
	if (least > most)
		return mem_strdup("");
	return least == most ? mem_printf("%zu per cell", most)
			     : mem_printf("%zu to %zu per cell", least, most);
}

static void
add_workloads(struct composer *composer)
{
	struct block *table = document_add(composer->out, BLOCK_TABLE, NULL);

	table_column(table, "workload", NULL, false);
	table_column(table, "what it does", NULL, false);
	table_column(table, "block", NULL, true);
	table_column(table, "I/O depth", NULL, true);
	table_column(table, "jobs", NULL, true);
	table_column(table, "stands for", NULL, false);
	for (vec_each(const char **, name, &composer->workloads)) {
		for (vec_each(
			 const struct cell *, it, &composer->dossier->model.cells)) {
			static const char *const kinds[] = {"reads", "writes", "mixed"};
			char buf[UNITS_BUF];
			enum use use = use_of(it);

			if (strcmp(it->workload, *name) != 0)
				continue;
			table_cell(table, TONE_PLAIN, "%s", *name);
			table_cell(table, TONE_PLAIN, "%s %s",
			    it->random ? "random" : "sequential", kinds[it->kind]);
			table_cell(table, TONE_PLAIN, "%s",
			    isnan(it->block_bytes) ? ""
			    : strstr(it->axis, "bs=")
				? "swept"
				: units_bytes(buf, it->block_bytes));
			table_cell(table, TONE_PLAIN, "%s",
			    isnan(it->iodepth)             ? ""
			    : strstr(it->axis, "iodepth=") ? "swept"
							   : figure_whole(buf, it->iodepth));
			table_cell(table, TONE_PLAIN, "%s",
			    isnan(it->numjobs)             ? ""
			    : strstr(it->axis, "numjobs=") ? "swept"
							   : figure_whole(buf, it->numjobs));
			table_cell(table, TONE_PLAIN, "%s",
			    use == USES ? "" : use_label(use));
			break;
		}
	}
	table_prune(table);
}

/* What a reader wants to know of the nodes first. */
static bool
is_main(const char *name)
{
	static const char *const names[] = {"os", "kernel", "cpu_model", "cpus",
	    "memory_bytes", "host.system.hypervisor", NULL};
	static const struct {
		const char *kind, *attribute;
	} things[] = {{"nic.", "speed_mbps"}, {"nic.", "driver"}, {"rdma.", "model"},
	    {"rdma.", "firmware"}, {"rdma.", "rate_mbps"}, {"gpu.", "model"},
	    {"mount.", "fstype"}, {"mount.", "transport"}};
	const char *dot = strrchr(name, '.');

	for (const char *const *it = names; *it; it++)
		if (strcmp(*it, name) == 0)
			return true;
	for (size_t i = 0; dot && i < sizeof things / sizeof *things; i++)
		if (str_starts(name, things[i].kind) &&
		    strcmp(dot + 1, things[i].attribute) == 0)
			return true;
	return false;
}

static void
put_value(struct block *table, const struct results_fact *fact)
{
	double value = fact->is_number ? strtod(fact->value, NULL) : NAN;
	char buf[UNITS_BUF];
	size_t len = strlen(fact->name);

	if (!isnan(value) && len > 6 && strcmp(fact->name + len - 6, "_bytes") == 0)
		table_cell(table, TONE_PLAIN, "%s", units_bytes(buf, value));
	else if (!isnan(value) && value >= 0)
		table_cell(table, TONE_PLAIN, "%s", units_count(buf, (uint64_t)value));
	else
		table_cell(table, TONE_PLAIN, "%s", fact->value);
}

void
add_hosts(struct composer *composer, const struct results *head, bool all)
{
	struct block *table;

	if (head->hosts.n == 0)
		return;
	document_heading(
	    composer->out, 3, all ? "Client nodes, every fact" : "Client nodes");
	table = document_add(composer->out, BLOCK_TABLE, NULL);
	table_column(table, "fact", NULL, false);
	table_column(table, "value", NULL, false);
	table_column(table, "nodes", NULL, true);
	for (vec_each(const struct results_host *, host, &head->hosts))
		for (vec_each(const struct results_fact *, fact, &host->facts)) {
			size_t same = 0;
			bool first = true;

			for (vec_each(
				 const struct results_host *, other, &head->hosts)) {
				for (vec_each(const struct results_fact *, it,
					 &other->facts)) {
					if (strcmp(it->name, fact->name) != 0 ||
					    !it->value != !fact->value ||
					    (it->value &&
						strcmp(it->value, fact->value) != 0))
						continue;
					same++;
					first &= other >= host;
				}
			}
			if (!first || !fact->value || (!all && !is_main(fact->name)))
				continue;
			table_cell(table, TONE_MUTED, "%s", fact->name);
			put_value(table, fact);
			table_cell(table, TONE_PLAIN, "%zu", same);
		}
}

/* What was tested, in a sentence. */
void
compose_title(struct composer *composer)
{
	const struct dossier *dossier = composer->dossier;
	char *plans = of_sources(dossier, plan_of), *clients = scales(dossier);
	char *transports = of_cells(dossier, transport_of);
	size_t storages = dossier_storages(dossier).n;

	document_heading(composer->out, 1, "Storage test report%s%s",
	    plans[0] ? ": " : "", plans);
	document_add(composer->out, BLOCK_TEXT,
	    "%zu storage%s over %s with %s client nodes and %zu workload%s: %zu cells.",
	    storages, storages == 1 ? "" : "s", transports, clients,
	    composer->workloads.n, composer->workloads.n == 1 ? "" : "s",
	    dossier->model.cells.n);
	free(plans);
	free(clients);
	free(transports);
}

void
compose_head(struct composer *composer, const char *generator)
{
	const struct dossier *dossier = composer->dossier;
	struct document *out = composer->out;
	char *plans = of_sources(dossier, plan_of);
	struct block *table;

	document_heading(out, 2, "What was tested");
	table = document_add(out, BLOCK_TABLE, NULL);
	table_column(table, "", NULL, false);
	table_column(table, "", NULL, false);
	row(table, "plan", plans);
	row(table, "storages", of_cells(dossier, storage_of));
	row(table, "transports", of_cells(dossier, transport_of));
	row(table, "clients", scales(dossier));
	row(table, "nodes and GPUs", nodes(dossier));
	row(table, "repeats", repeats(dossier));
	row(table, "links of each storage, as declared", links(dossier));
	row(table, "I/O engine", engines(dossier));
	row(table, "measured", when(dossier));
	row(table, "results from", of_sources(dossier, path_of));
	row(table, "measured or imported by", of_sources(dossier, generator_of));
	row(table, "report by", mem_strdup(generator));
	add_workloads(composer);
	for (vec_each(const struct dossier_source *, it, &dossier->sources))
		add_hosts(composer, &it->head, false);
}
