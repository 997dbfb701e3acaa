/* SPDX-License-Identifier: Apache-2.0 */
/* Rule straggler: one client far behind its peers in the same run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/rules.h"

#define PEERS_MIN 4   /* clients; fewer have no middle to be far from */
#define MAD_TIMES 3.5 /* Iglewicz, Hoaglin 1993 */

/* One client behind in one sample. */
struct hit {
	const char *name;
	const struct cell *cell;
	unsigned repeat;
	double value, median, jain;
	enum metric metric;
};

struct hits {
	VEC(struct hit) list;
};

static double
figure(const struct sample_client *client, enum metric metric)
{
	return metric == METRIC_RATE ? client->rate : client->iops;
}

static void
check_sample(const struct analysis *analysis, const struct cell *cell,
    const struct sample *sample, struct hits *ret)
{
	size_t n = sample->clients.n;
	enum metric metric = cell_rate_metric(cell);
	double *values, median, mad, jain;

	if (n < PEERS_MIN || sample->state == ATTEMPT_INVALID)
		return;
	values = mem_array(n, sizeof *values);
	for (size_t i = 0; i < n; i++)
		values[i] = figure(&sample->clients.v[i], metric);
	median = sample_median(values, n);
	mad = sample_mad(values, n);
	jain = sample_jain(values, n);
	for (size_t i = 0; i < n; i++)
		if (values[i] < (1 - analysis->thresholds->straggler) * median &&
		    values[i] < median - MAD_TIMES * mad)
			vec_push(&ret->list,
			    ((struct hit){sample->clients.v[i].name, cell,
				sample->repeat, values[i], median, jain, metric}));
	free(values);
}

static int
by_client(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order == 0 && x->cell != y->cell)
		order = x->cell < y->cell ? -1 : 1;
	return order ? order : (x->repeat > y->repeat) - (x->repeat < y->repeat);
}

/* How often the client took part: behind in 7 of 8 is another story than in 7 of 700. */
static unsigned
count_part(const struct model *model, const char *name)
{
	unsigned ret = 0;

	for (vec_each(const struct cell *, cell, &model->cells))
		for (vec_each(const struct sample *, sample, &cell->samples))
			for (vec_each(
				 const struct sample_client *, it, &sample->clients))
				ret += sample->clients.n >= PEERS_MIN &&
				       strcmp(it->name, name) == 0;
	return ret;
}

#define EVIDENCE_MAX 6

static void
report(const struct rule *rule, const struct analysis *analysis, const struct hit *hits,
    size_t n)
{
	unsigned of = count_part(analysis->model, hits->name);
	enum verdict verdict = n > 1 ? VERDICT_OBSERVED : VERDICT_SUSPECT;
	struct finding *finding =
	    finding_add(analysis->findings, rule, SEVERITY_WARNING, verdict);
	const struct cell *last = NULL;
	double deepest = 0;

	for (size_t i = 0; i < n; i++) {
		const struct hit *it = &hits[i];
		double behind = 1 - it->value / it->median;
		char own[UNITS_BUF], middle[UNITS_BUF], *label;

		deepest = fmax(deepest, behind);
		if (it->cell != last)
			finding_cell(finding, it->cell);
		last = it->cell;
		if (finding->evidence.n == EVIDENCE_MAX)
			continue;
		label = cell_label(it->cell);
		finding_evidence(finding,
		    "%s, repeat %u: %s, the median of all is %s (-%.0f %%); fairness "
		    "%.3f",
		    label, it->repeat, metrics[it->metric].text(own, it->value),
		    metrics[it->metric].text(middle, it->median), 100 * behind,
		    it->jain);
		free(label);
	}
	finding->depth = deepest;
	finding_title(finding, "client %s is up to %.0f %% behind its peers",
	    hits->name, 100 * deepest);
	finding_scope(finding, "in %zu of the %u runs that it took part in", n, of);
}

/* Size-bound jobs: when the last is done against when the first is. */
static void
check_gap(const struct rule *rule, const struct analysis *analysis,
    struct finding **finding, const struct cell *cell)
{
	for (vec_each(const struct sample *, it, &cell->samples)) {
		double gap = it->last_done_s / it->first_done_s - 1;
		char *label;

		if (!(gap > analysis->thresholds->done_gap) || !isfinite(gap) ||
		    it->state == ATTEMPT_INVALID)
			continue;
		if (!*finding) {
			*finding = finding_add(analysis->findings, rule,
			    SEVERITY_WARNING, VERDICT_OBSERVED);
			finding_title(*finding, "clients end far apart");
		}
		if ((*finding)->cells.n == 0 ||
		    (*finding)->cells.v[(*finding)->cells.n - 1].cell != cell)
			finding_cell(*finding, cell);
		(*finding)->depth = fmax((*finding)->depth, gap);
		if ((*finding)->evidence.n == EVIDENCE_MAX)
			return;
		label = cell_label(cell);
		finding_evidence(*finding,
		    "%s, repeat %u: the first is done after %.1f s, the last after "
		    "%.1f s",
		    label, it->repeat, it->first_done_s, it->last_done_s);
		free(label);
	}
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	struct finding *gap = NULL;
	struct hits hits = {0};
	size_t from = 0;

	for (vec_each(const struct cell *, cell, &analysis->model->cells)) {
		for (vec_each(const struct sample *, it, &cell->samples))
			check_sample(analysis, cell, it, &hits);
		check_gap(rule, analysis, &gap, cell);
	}
	if (hits.list.n)
		qsort(hits.list.v, hits.list.n, sizeof *hits.list.v, by_client);
	for (size_t i = 1; i <= hits.list.n; i++) {
		if (i < hits.list.n &&
		    strcmp(hits.list.v[i].name, hits.list.v[from].name) == 0)
			continue;
		report(rule, analysis, &hits.list.v[from], i - from);
		from = i;
	}
	vec_free(&hits.list);
}

static const char *const thresholds[] = {"straggler", "done_gap", NULL};
static const char *const hypotheses[] = {
    "a bad cable or optic, a link at half its speed",
    "its adapter on the far socket, or fewer PCIe lanes than it should have",
    "another GID, MTU or mount option than its peers", NULL};
static const char *const next_checks[] = {
    "link speed, error counters and PCIe width of this client against a peer",
    "the line rate of this client alone, without the storage",
    "mount options and GID of this client against a peer", NULL};

const struct rule rule_straggler = {
    .id = "straggler",
    .question = "Is one client far behind its peers?",
    .formula =
	"of 4 or more clients of one run: below the median by straggler and by 3.5 "
	"median absolute deviations; Jain's fairness (sum x)^2 / (n sum x^2); for "
	"size-bound jobs the last client's end against the first's",
    .source = "Iglewicz and Hoaglin 1993; Jain, Chiu, Hawe 1984; IO500's stonewall",
    .thresholds = thresholds,
    .hypotheses = hypotheses,
    .next_checks = next_checks,
    .run = run,
};
