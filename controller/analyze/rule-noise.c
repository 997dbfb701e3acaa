/* SPDX-License-Identifier: Apache-2.0 */
/* Rule noise: repeats that differ, drift, and runs that are not steady. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/rules.h"

#define REPEATS_MIN 3
#define DRIFT_REPEATS_MIN 5
#define DRIFT_P 0.01 /* many cells are asked */
#define EVIDENCE_MAX 6

enum kind {
	NOISE_REPEATS,
	NOISE_DRIFT,
	NOISE_WITHIN,
	NOISE_PERIOD,
	NOISE_WARM_UP,
	NOISE_KINDS
};

static const struct {
	const char *title, *hypothesis, *check;
	enum severity severity;
} kinds[NOISE_KINDS] = {
    [NOISE_REPEATS] = {"repeats differ",
	"another tenant, or a storage that has not settled",
	"more repeats (repeat: until_rsd); what else runs on storage and network",
	SEVERITY_WARNING},
    [NOISE_DRIFT] = {"repeats drift",
	"the storage fills, warms its caches or is rebuilding",
	"precondition it; run the first repeats again", SEVERITY_WARNING},
    [NOISE_WITHIN] = {"the rate within runs is unsteady",
	"garbage collection, destaging of a write buffer, other load",
	"the rate in time (volley show, v_slots); a longer run", SEVERITY_INFO},
    [NOISE_PERIOD] = {"the rate comes and goes with a period",
	"garbage collection or destaging in turns",
	"the storage's own counters at that period", SEVERITY_INFO},
    [NOISE_WARM_UP] = {"the rate changes from the beginning to the end of runs",
	"warm-up is not over, or a buffer fills up", "a longer ramp_time; a longer run",
	SEVERITY_WARNING},
};

/* One finding per storage and kind. */
struct open {
	const char *storage;
	size_t finding[NOISE_KINDS]; /* index + 1 */
};

static struct finding *
take(const struct rule *rule, const struct analysis *analysis, struct open *open,
    enum kind kind, const struct cell *cell, double depth)
{
	struct finding *finding;

	if (!open->storage || strcmp(open->storage, cell->storage) != 0)
		*open = (struct open){.storage = cell->storage};
	if (open->finding[kind] == 0) {
		finding = finding_add(
		    analysis->findings, rule, kinds[kind].severity, VERDICT_OBSERVED);
		finding_title(finding, "%s: %s", cell->storage, kinds[kind].title);
		finding_suppose(finding, "%s", kinds[kind].hypothesis);
		finding_check(finding, "%s", kinds[kind].check);
		open->finding[kind] = analysis->findings->list.n;
	}
	finding = &analysis->findings->list.v[open->finding[kind] - 1];
	finding_cell(finding, cell);
	finding->depth = fmax(finding->depth, depth);
	return finding;
}

static void
say(struct finding *finding, const struct cell *cell, const char *text)
{
	char *label;

	if (finding->evidence.n >= EVIDENCE_MAX)
		return;
	label = cell_label(cell);
	finding_evidence(finding, "%s: %s", label, text);
	free(label);
}

static void
check_repeats(const struct rule *rule, const struct analysis *analysis,
    struct open *open, const struct cell *cell)
{
	double values[CELL_SAMPLES_MAX], rsd, drift, p;
	size_t n = cell_values(cell, cell_rate_metric(cell), values, CELL_SAMPLES_MAX);
	char *text;

	if (n < REPEATS_MIN)
		return;
	rsd = sample_rsd(values, n);
	if (rsd > analysis->thresholds->noise) {
		text = mem_printf("%zu repeats deviate by %.1f %%", n, 100 * rsd);
		say(take(rule, analysis, open, NOISE_REPEATS, cell, rsd), cell, text);
		free(text);
	}
	drift = sample_slope(values, n, &p) * (double)(n - 1) / sample_mean(values, n);
	if (n >= DRIFT_REPEATS_MIN && fabs(drift) > analysis->thresholds->drift &&
	    p < DRIFT_P) {
		text = mem_printf("%+.1f %% from the first to the last of %zu repeats "
				  "(p = %.4f)",
		    100 * drift, n, p);
		say(take(rule, analysis, open, NOISE_DRIFT, cell, fabs(drift)), cell,
		    text);
		free(text);
	}
}

/* The median over the runs of a cell, of what its course says. */
static double
median_course(const struct cell *cell, size_t at)
{
	VEC(double) values = {0};
	double ret;

	for (vec_each(const struct sample *, it, &cell->samples)) {
		double value = *(const double *)((const char *)&it->course + at);

		if (it->state == ATTEMPT_VALID && !isnan(value))
			vec_push(&values, value);
	}
	/* in half of the runs at least */
	ret = values.n * 2 >= cell->samples.n ? sample_median(values.v, values.n) : NAN;
	vec_free(&values);
	return ret;
}

#define COURSE(cell, member) median_course(cell, offsetof(struct sample_course, member))

static void
check_course(const struct rule *rule, const struct analysis *analysis,
    struct open *open, const struct cell *cell)
{
	const struct thresholds *t = analysis->thresholds;
	double rsd = COURSE(cell, rsd), rise = COURSE(cell, rise);
	double period = COURSE(cell, period_s);
	char text[128];

	if (rsd > t->within_run) {
		snprintf(
		    text, sizeof text, "its seconds deviate by %.0f %%", 100 * rsd);
		say(take(rule, analysis, open, NOISE_WITHIN, cell, rsd), cell, text);
	}
	if (period > 0 && rsd > t->noise) {
		snprintf(text, sizeof text, "every %.0f s", period);
		say(take(rule, analysis, open, NOISE_PERIOD, cell, rsd), cell, text);
	}
	if (fabs(rise) > t->warm_up) {
		snprintf(text, sizeof text, "%+.0f %% from the first to the last third",
		    100 * rise);
		say(take(rule, analysis, open, NOISE_WARM_UP, cell, fabs(rise)), cell,
		    text);
	}
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	struct open open = {0};

	for (vec_each(const struct cell *, cell, &analysis->model->cells)) {
		check_repeats(rule, analysis, &open, cell);
		if (!cell->paced)
			check_course(rule, analysis, &open, cell);
	}
}

static const char *const thresholds[] = {
    "noise", "drift", "within_run", "warm_up", NULL};

const struct rule rule_noise = {
    .id = "noise",
    .question = "Do repeats agree, and is a run steady?",
    .formula =
	"relative standard deviation of 3 or more repeats; slope over 5 or more "
	"repeats with p < 0.01; of the seconds of each run their deviation, the last "
	"third against the first, and a repetition with a correlation of 0.5 or more "
	"that happened three times",
    .source = "MLPerf Storage and pbench (5 %); SNIA PTS on steady state",
    .thresholds = thresholds,
    .run = run,
};
