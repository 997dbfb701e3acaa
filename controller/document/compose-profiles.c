/* SPDX-License-Identifier: Apache-2.0 */
/* Each storage by itself: strengths, weaknesses, what to check before production. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "controller/document/compose.h"

#define NEAR_BEST 0.95 /* of the best: a strength */
#define FAR_OFF 0.7    /* a weakness */
#define CHECKS_MAX 6

static void
add_scores(struct document *out, const struct dossier *dossier, const char *storage)
{
	struct block *table = document_add(out, BLOCK_TABLE, NULL);

	table_column(table, "transport", NULL, false);
	for (int use = 0; use < USES; use++)
		table_column(table, use_label((enum use)use), "% of the best", true);
	for (vec_each(const struct ranked *, it, &dossier->ranking.list)) {
		if (strcmp(it->storage, storage) != 0)
			continue;
		table_cell(table, TONE_PLAIN, "%s", transport_label(it->transport));
		for (int use = 0; use < USES; use++)
			if (isnan(it->score[use]))
				table_cell(table, TONE_MUTED, "%s", "");
			else
				table_cell(table,
				    it->score[use] >= NEAR_BEST ? TONE_GOOD
				    : it->score[use] < FAR_OFF  ? TONE_WARN
								: TONE_PLAIN,
				    "%.0f", 100 * it->score[use]);
	}
	table_prune(table);
}

static bool
is_of(const struct finding *finding, const char *storage)
{
	return finding->cells.n &&
	       strcmp(finding->cells.v[0].cell->storage, storage) == 0;
}

static void
add_by_score(struct block *list, const struct dossier *dossier, const char *storage,
    bool strong)
{
	for (vec_each(const struct ranked *, it, &dossier->ranking.list)) {
		if (strcmp(it->storage, storage) != 0)
			continue;
		for (int use = 0; use < USES; use++) {
			double score = it->score[use];

			if (isnan(score) ||
			    (strong ? score < NEAR_BEST : score >= FAR_OFF))
				continue;
			if (strong)
				block_item(list,
				    "%s over %s: best, or within %.0f %% of it",
				    use_label((enum use)use),
				    transport_label(it->transport),
				    100 * (1 - NEAR_BEST));
			else
				block_item(list, "%s over %s: %.0f %% of the best",
				    use_label((enum use)use),
				    transport_label(it->transport), 100 * score);
		}
	}
}

static bool
has_item(const struct block *list, const char *text)
{
	for (vec_each(char *const *, it, &list->items))
		if (strcmp(*it, text) == 0)
			return true;
	return false;
}

static void
add_checks(struct document *out, const struct dossier *dossier, const char *storage)
{
	struct block *list = document_add(out, BLOCK_LIST, "Check before production");

	for (vec_each(const struct finding *, it, &dossier->findings.list)) {
		if (it->severity == SEVERITY_INFO || !is_of(it, storage))
			continue;
		for (vec_each(char *const *, check, &it->next_checks))
			if (list->items.n < CHECKS_MAX && !has_item(list, *check))
				block_item(list, "%s", *check);
	}
	if (list->items.n == 0)
		block_item(list, "the same load at the scale of production, repeated; "
				 "mixed with what else will run");
}

void
compose_profiles(struct composer *composer)
{
	const struct dossier *dossier = composer->dossier;
	struct document *out = composer->out;

	document_heading(out, 2, "Storage by storage");
	if (dossier_storages(dossier).n > 1)
		document_add(out, BLOCK_NOTE,
		    "Shares of the best storage and transport in the same workloads, at "
		    "the scale that most were measured at; geometric means.");
	for (vec_each(const struct storage_noise *, it, &dossier_storages(dossier))) {
		struct block *list;

		document_heading(out, 3, "%s", it->storage);
		add_scores(out, dossier, it->storage);
		list = document_add(out, BLOCK_LIST, "Strengths");
		add_by_score(list, dossier, it->storage, true);
		if (list->items.n == 0)
			block_item(list, "none that these figures show");
		list = document_add(out, BLOCK_LIST, "Weaknesses");
		add_by_score(list, dossier, it->storage, false);
		for (vec_each(const struct finding *, found, &dossier->findings.list))
			if (found->severity > SEVERITY_INFO &&
			    is_of(found, it->storage))
				block_item(list, "%s", found->title);
		if (list->items.n == 0)
			block_item(list, "none that these figures show");
		add_checks(out, dossier, it->storage);
	}
}
