/* SPDX-License-Identifier: Apache-2.0 */
/* Everything there is, for those who check: runs, reasons, job files, plans. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "controller/document/compose.h"
#include "lib/stats/counters.h"

static void
add_run(struct block *table, const struct dossier_case *c,
    const struct results_attempt *one)
{
	const struct attempt *attempt = &one->attempt;
	const struct total *total = &attempt->total;
	bool has = attempt->has_total;
	double bytes = NAN, iops = NAN;
	char buf[32], utc[RESULTS_UTC_BUF];
	char *workload = workload_label(c->c.workload, c->axis);

	if (has)
		results_rate_both(total, &bytes, &iops);
	table_cell(table, TONE_MUTED, "%s", c->c.id);
	table_cell(table, TONE_PLAIN, "%s", c->c.storage);
	table_cell(table, TONE_PLAIN, "%s", workload);
	table_cell(table, TONE_PLAIN, "%s", transport_label(c->c.transport));
	table_cell(table, TONE_PLAIN, "%u", c->c.clients);
	table_cell(table, TONE_PLAIN, "%u", attempt->repeat);
	table_cell(table, TONE_PLAIN, "%u", attempt->attempt);
	table_cell(table, state_tone(attempt->state), "%s",
	    attempt_state_name(attempt->state));
	table_cell(table, TONE_PLAIN, "%u/%u", results_reported(attempt),
	    attempt->clients_expected);
	table_cell(table, TONE_PLAIN, "%s", isnan(bytes) ? "" : figure(buf, bytes / GIB));
	table_cell(table, TONE_PLAIN, "%s", isnan(iops) ? "" : figure_whole(buf, iops));
	table_cell(table, TONE_PLAIN, "%s",
	    has && total->has_skew ? figure(buf, (double)total->skew_ns / 1e6) : "");
	table_cell(table, TONE_PLAIN, "%s",
	    has && total->window_ns ? figure(buf, (double)total->window_ns / 1e9) : "");
	table_cell(table, TONE_PLAIN, "%s",
	    has && !isnan(total->overlap) ? figure(buf, total->overlap) : "");
	table_cell(table, TONE_MUTED, "%s", results_utc(utc, attempt->started_wall_ns));
	free(workload);
}

static void
add_runs(struct composer *composer)
{
	struct block *table;

	document_heading(composer->out, 3, "Every run");
	table = document_add(composer->out, BLOCK_TABLE, NULL);
	table_column(table, "case", NULL, false);
	table_column(table, "storage", NULL, false);
	table_column(table, "workload", NULL, false);
	table_column(table, "transport", NULL, false);
	table_column(table, "clients", NULL, true);
	table_column(table, "repeat", NULL, true);
	table_column(table, "attempt", NULL, true);
	table_column(table, "state", NULL, false);
	table_column(table, "reported", NULL, true);
	table_column(table, "throughput", "GiB/s", true);
	table_column(table, "IOPS", "1/s", true);
	table_column(table, "skew", "ms", true);
	table_column(table, "window", "s", true);
	table_column(table, "overlap", NULL, true);
	table_column(table, "started", "UTC", false);
	for (vec_each(const struct dossier_case *, c, &composer->dossier->cases))
		for (vec_each(struct results_attempt *const *, it, &c->c.attempts))
			add_run(table, c, *it);
	table_prune(table);
}

/* "vendor-one seq-read-1m RDMA 16" */
static void
add_cell(struct block *table, const struct dossier_case *c)
{
	table_cell(table, TONE_PLAIN, "%s %s%s%s %s %u", c->c.storage, c->c.workload,
	    c->axis[0] ? " " : "", c->axis, transport_label(c->c.transport),
	    c->c.clients);
}

static void
add_reasons(struct composer *composer)
{
	struct block *table;

	document_heading(composer->out, 3, "Why a run is not VALID, and other remarks");
	table = document_add(composer->out, BLOCK_TABLE, NULL);
	table_column(table, "cell", NULL, false);
	table_column(table, "repeat", NULL, true);
	table_column(table, "makes", NULL, false);
	table_column(table, "code", NULL, false);
	table_column(table, "client", NULL, false);
	table_column(table, "reason", NULL, false);
	for (vec_each(const struct dossier_case *, c, &composer->dossier->cases))
		for (vec_each(struct results_attempt *const *, one, &c->c.attempts))
			for (vec_each(const struct attempt_reason *, it,
				 &(*one)->attempt.reasons)) {
				add_cell(table, c);
				table_cell(table, TONE_PLAIN, "%u",
				    (*one)->attempt.repeat);
				table_cell(table, state_tone(it->makes), "%s",
				    it->makes == ATTEMPT_VALID
					? "remark"
					: attempt_state_name(it->makes));
				table_cell(table, TONE_MUTED, "%s", it->code);
				table_cell(table, TONE_PLAIN, "%s",
				    it->agent ? it->agent : "");
				table_cell(table, TONE_PLAIN, "%s", it->text);
			}
	table_prune(table);
	if (table_rows(&table->table) == 0)
		document_add(composer->out, BLOCK_TEXT, "There is nothing to remark.");
}

/* Cases of several jobs: what each of them came to. */
static void
add_parts(struct composer *composer)
{
	struct block *table = document_add(composer->out, BLOCK_TABLE, NULL);

	table_column(table, "cell", NULL, false);
	table_column(table, "repeat", NULL, true);
	table_column(table, "job", NULL, false);
	table_column(table, "clients", NULL, true);
	table_column(table, "direction", NULL, false);
	table_column(table, "throughput", "GiB/s", true);
	table_column(table, "IOPS", "1/s", true);
	for (vec_each(const struct dossier_case *, c, &composer->dossier->cases))
		for (vec_each(struct results_attempt *const *, one, &c->c.attempts))
			for (vec_each(const struct attempt_job *, it,
				 &(*one)->attempt.jobs))
				for (int dir = 0; dir < DIR_COUNT; dir++) {
					const struct total_dir *d = &it->total.dir[dir];
					char buf[32];

					if (!it->has_total || !d->present)
						continue;
					add_cell(table, c);
					table_cell(table, TONE_PLAIN, "%u",
					    (*one)->attempt.repeat);
					table_cell(table, TONE_PLAIN, "%s", it->name);
					table_cell(table, TONE_PLAIN, "%zu",
					    it->total.clients);
					table_cell(table, TONE_PLAIN, "%s",
					    dir_name((enum dir)dir));
					table_cell(table, TONE_PLAIN, "%s",
					    figure(buf, d->bytes_per_s / GIB));
					table_cell(table, TONE_PLAIN, "%s",
					    figure_whole(buf, d->iops));
				}
	if (table_rows(&table->table))
		document_add(composer->out, BLOCK_NOTE,
		    "Jobs of cells that ran several at once.");
}

#define COUNTERS_SHOWN 400 /* rows; JSON of `volley show` has all of them */

static void
add_counter(struct block *table, const struct cell *cell, const struct sample *sample,
    const struct sample_counter *it, const struct counter_kind *kind)
{
	char buf[32];

	table_cell(table, TONE_PLAIN, "%s %s%s%s %s %u", cell->storage, cell->workload,
	    cell->axis[0] ? " " : "", cell->axis, transport_label(cell->transport),
	    cell->clients);
	table_cell(table, TONE_PLAIN, "%u", sample->repeat);
	table_cell(table, TONE_PLAIN, "%s", it->agent);
	table_cell(table, TONE_PLAIN, "%s", it->object);
	table_cell(table, TONE_PLAIN, "%s", it->name);
	table_cell(table, TONE_PLAIN, "%s %s", figure_whole(buf, it->delta), kind->unit);
	table_cell(table, TONE_MUTED, "%s", kind->reading);
}

/* Counters that mean something by having risen; traffic alone is left out. */
static void
add_counters(struct composer *composer)
{
	struct block *table;
	size_t more = 0;

	document_heading(composer->out, 3, "Counters of hosts that rose");
	table = document_add(composer->out, BLOCK_TABLE, NULL);
	table_column(table, "cell", NULL, false);
	table_column(table, "repeat", NULL, true);
	table_column(table, "client", NULL, false);
	table_column(table, "of", NULL, false);
	table_column(table, "counter", NULL, false);
	table_column(table, "rose by", NULL, true);
	table_column(table, "what that means", NULL, false);
	for (vec_each(const struct cell *, cell, &composer->dossier->model.cells))
		for (vec_each(const struct sample *, sample, &cell->samples))
			for (vec_each(
				 const struct sample_counter *, it, &sample->counters)) {
				const struct counter_kind *kind =
				    counter_kind_find(it->name);

				if (!kind || !kind->reading || !(it->delta > 0))
					continue;
				if (table_rows(&table->table) < COUNTERS_SHOWN)
					add_counter(table, cell, sample, it, kind);
				else
					more++;
			}
	if (table_rows(&table->table) == 0)
		document_add(composer->out, BLOCK_TEXT,
		    "None is known to have: nothing that counts trouble rose, or no "
		    "counters were read.");
	else if (more)
		document_add(
		    composer->out, BLOCK_NOTE, "And %zu more of the kind.", more);
}

/* What of job files was skipped, translated or worth a warning: each line once. */
static void
add_notes(struct composer *composer)
{
	struct block *list = NULL;

	for (vec_each(const struct dossier_case *, c, &composer->dossier->cases))
		for (vec_each(const struct fio_note *, it, &c->c.notes)) {
			char *line = fio_note_line(it);
			bool known = false;

			for (size_t i = 0; list && i < list->items.n; i++)
				known |= strcmp(list->items.v[i], line) == 0;
			if (!list) {
				document_heading(composer->out, 3,
				    "Options of job files: skipped, translated, "
				    "doubtful");
				list = document_add(composer->out, BLOCK_LIST, NULL);
			}
			if (!known)
				block_item(list, "%s", line);
			free(line);
		}
}

static void
add_lines(struct block *code, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		block_item(code, "%.*s", (int)len, text);
		text += len + (text[len] == '\n');
	}
}

/* A job's text once, with the cases that ran it. */
static void
add_jobs(struct composer *composer)
{
	const struct dossier *dossier = composer->dossier;
	bool any = false;

	for (size_t i = 0; i < dossier->cases.n; i++) {
		const struct dossier_case *c = &dossier->cases.v[i];
		struct block *code;
		size_t same = 0;
		bool first = true;

		for (size_t k = 0; k < dossier->cases.n && c->c.job_text[0]; k++) {
			if (strcmp(dossier->cases.v[k].c.job_text, c->c.job_text) != 0)
				continue;
			same++;
			first &= k >= i;
		}
		if (same == 0 || !first)
			continue;
		if (!any)
			document_heading(composer->out, 3, "Jobs");
		any = true;
		code = document_add(composer->out, BLOCK_CODE, "%s%s%s, %zu case%s",
		    c->c.workload, c->axis[0] ? " " : "", c->axis, same,
		    same == 1 ? "" : "s");
		add_lines(code, c->c.job_text);
	}
}

static void
add_sources(struct composer *composer)
{
	for (vec_each(const struct dossier_source *, it, &composer->dossier->sources)) {
		const struct results *head = &it->head;
		struct block *code;

		if (head->arguments.n) {
			struct str text = {0};

			for (vec_each(char *const *, word, &head->arguments))
				str_addf(&text, "%s%s", text.len ? " " : "", *word);
			code = document_add(composer->out, BLOCK_CODE,
			    "Command line of %s, seed %" PRIu64, it->path, head->seed);
			block_item(code, "%s", text.s);
			str_free(&text);
		}
		if (head->plan_text && head->plan_text[0]) {
			code = document_add(
			    composer->out, BLOCK_CODE, "Plan of %s", it->path);
			add_lines(code, head->plan_text);
		}
	}
}

static void
add_scaling(struct composer *composer)
{
	bool any = false;

	for (vec_each(
		 const struct finding *, it, &composer->dossier->findings.list)) {
		struct block *list;

		if (it->rule != &rule_scale_efficiency)
			continue;
		if (!any)
			document_heading(composer->out, 3, "Scale in detail");
		any = true;
		list = document_add(composer->out, BLOCK_LIST, "%s", it->title);
		for (vec_each(char *const *, line, &it->evidence))
			block_item(list, "%s", *line);
	}
}

void
compose_appendix(struct composer *composer)
{
	document_heading(composer->out, 2, "Appendix");
	add_runs(composer);
	add_parts(composer);
	add_reasons(composer);
	add_notes(composer);
	add_counters(composer);
	add_scaling(composer);
	add_jobs(composer);
	for (vec_each(const struct dossier_source *, it, &composer->dossier->sources))
		add_hosts(composer, &it->head, true);
	document_heading(composer->out, 3, "Plans and command lines");
	add_sources(composer);
}
