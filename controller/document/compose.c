/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the sections, and what they share. */
#include "controller/document/compose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
transport_label(const char *transport)
{
	static const struct {
		const char *name, *label;
	} labels[] = {{"tcp", "TCP"}, {"rdma", "RDMA"}};

	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
		if (strcmp(labels[i].name, transport) == 0)
			return labels[i].label;
	return transport;
}

enum tone
state_tone(enum attempt_state state)
{
	static const enum tone tones[] = {[ATTEMPT_VALID] = TONE_GOOD,
	    [ATTEMPT_PARTIAL] = TONE_WARN,
	    [ATTEMPT_INVALID] = TONE_BAD};

	return tones[state];
}

enum tone
verdict_tone(enum verdict verdict)
{
	static const enum tone tones[] = {[VERDICT_BETTER] = TONE_GOOD,
	    [VERDICT_WORSE] = TONE_BAD,
	    [VERDICT_EQUIVALENT] = TONE_GOOD,
	    [VERDICT_INCONCLUSIVE] = TONE_MUTED,
	    [VERDICT_SUSPECT] = TONE_WARN,
	    [VERDICT_OBSERVED] = TONE_MUTED};

	return tones[verdict];
}

enum tone
severity_tone(enum severity severity)
{
	static const enum tone tones[] = {[SEVERITY_INFO] = TONE_MUTED,
	    [SEVERITY_WARNING] = TONE_WARN,
	    [SEVERITY_CRITICAL] = TONE_BAD};

	return tones[severity];
}

unsigned
storage_colour(const struct dossier *dossier, const char *storage)
{
	for (size_t i = 0; i < dossier_storages(dossier).n; i++)
		if (strcmp(dossier_storages(dossier).v[i].storage, storage) == 0)
			return (unsigned)i;
	return 0;
}

const char *
use_label(enum use use)
{
	static const char *const labels[USES] = {[USE_RESTORE] = "checkpoint restore",
	    [USE_SAVE] = "checkpoint save",
	    [USE_LOADER] = "data loader",
	    [USE_LOGS] = "logs and metadata-like writes"};

	return labels[use];
}

char *
workload_label(const char *workload, const char *axis)
{
	return mem_printf("%s%s%s", workload, axis[0] ? " " : "", axis);
}

const char *
value_text(char buf[VALUE_BUF], enum metric metric, double value)
{
	char text[UNITS_BUF];

	snprintf(buf, VALUE_BUF, "%s%s", metrics[metric].text(text, value),
	    metric == METRIC_IOPS ? " IOPS" : "");
	return buf;
}

/* gpu.0000:3b:00.0.model: one of them for each GPU */
static bool
is_gpu(const char *name)
{
	const char *dot = strrchr(name, '.');

	return str_starts(name, "gpu.") && dot && strcmp(dot, ".model") == 0;
}

double
dossier_gpus(const struct dossier *dossier)
{
	const struct results *head;
	double sum = NAN;

	if (dossier->sources.n != 1)
		return NAN;
	head = &dossier->sources.v[0].head;
	for (vec_each(const struct results_host *, host, &head->hosts)) {
		double here = NAN;

		for (vec_each(const struct results_fact *, it, &host->facts))
			if (is_gpu(it->name))
				here = isnan(here) ? 1 : here + 1;
		if (isnan(here))
			return NAN;
		sum = isnan(sum) ? here : sum + here;
	}
	return sum;
}

void
add_chart(struct composer *composer, struct chart *chart)
{
	if (chart)
		document_add(composer->out, BLOCK_CHART, NULL)->chart = chart;
}

static void
find_workloads(struct composer *composer)
{
	for (vec_each(const struct dossier_case *, it, &composer->dossier->cases)) {
		bool known = false;

		for (vec_each(const char **, name, &composer->workloads))
			known |= strcmp(*name, it->c.workload) == 0;
		if (!known)
			vec_push(&composer->workloads, it->c.workload);
	}
}

void
compose(const struct dossier *dossier, const char *generator, struct document *ret)
{
	struct composer composer = {.dossier = dossier,
	    .out = ret,
	    .several_sources = dossier->sources.n > 1};

	*ret = (struct document){0};
	find_workloads(&composer);
	compose_title(&composer);
	compose_verdict(&composer);
	compose_head(&composer, generator);
	compose_workloads(&composer);
	compose_changes(&composer);
	compose_findings(&composer);
	compose_scales(&composer);
	compose_runs(&composer);
	compose_profiles(&composer);
	compose_uses(&composer);
	compose_method(&composer);
	compose_appendix(&composer);
	vec_free(&composer.workloads);
}
