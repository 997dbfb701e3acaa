/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a dossier to a document: which sections there are, in the order in which a
 * reader needs them.  One file a section.  Nothing is computed here that analysis
 * could have found; what is counted is counted for sentences.
 */
#ifndef VOLLEY_DOCUMENT_COMPOSE_H
#define VOLLEY_DOCUMENT_COMPOSE_H

#include "controller/document/document.h"
#include "controller/document/dossier.h"

struct composer {
	const struct dossier *dossier;
	struct document *out;
	VEC(const char *) workloads; /* in the order of the files */
	bool several_sources;
};

/* All sections. */
void compose(const struct dossier *dossier, const char *generator,
    struct document *ret);

void compose_title(struct composer *composer);
void compose_head(struct composer *composer, const char *generator);
void compose_verdict(struct composer *composer);
void compose_workloads(struct composer *composer);
void compose_changes(struct composer *composer);
void compose_findings(struct composer *composer);
void compose_scales(struct composer *composer);
void compose_runs(struct composer *composer);
void compose_profiles(struct composer *composer);
void compose_uses(struct composer *composer);
void compose_method(struct composer *composer);
void compose_appendix(struct composer *composer);

/* ---- shared by the sections ---- */

/* "TCP", "RDMA", "local" */
const char *transport_label(const char *transport);
enum tone state_tone(enum attempt_state state);
enum tone verdict_tone(enum verdict verdict);
enum tone severity_tone(enum severity severity);
/* The same storage has the same colour everywhere. */
unsigned storage_colour(const struct dossier *dossier, const char *storage);
/* One of the model's storages. */
#define dossier_storages(dossier) ((dossier)->model.noise)
/* What a use of a storage is called: "checkpoint restore". */
const char *use_label(enum use use);
/* "seq-read-1m", "seq-read-1m bs=4096"; caller frees. */
char *workload_label(const char *workload, const char *axis);
/* With its unit: "45.90 GiB/s", "1,336 k IOPS". */
#define VALUE_BUF (UNITS_BUF + 8)
const char *value_text(char buf[VALUE_BUF], enum metric metric, double value);
/* GPUs of all nodes, as the facts say; NAN unknown. */
double dossier_gpus(const struct dossier *dossier);
/* Facts of nodes: each value once, with how many have it. */
void add_hosts(struct composer *composer, const struct results *head, bool all);
void add_chart(struct composer *composer, struct chart *chart); /* NULL: none */

/* ---- charts (chart-*.c); NULL: there is nothing to draw ---- */

struct chart *chart_scale(const struct dossier *dossier, const char *workload);
struct chart *chart_changes(const struct dossier *dossier, const char *workload);
struct chart *chart_trade(const struct dossier *dossier, const char *workload);
struct chart *chart_tail(const struct dossier *dossier, const char *workload);
struct chart *chart_sweep(const struct dossier *dossier, const struct cell *cell);
struct chart *chart_heat(const struct dossier *dossier, const struct exhibit *it);
struct chart *chart_stack(const struct dossier *dossier, const struct exhibit *it);
struct chart *chart_strip(const struct dossier *dossier, const char *workload);

#endif
