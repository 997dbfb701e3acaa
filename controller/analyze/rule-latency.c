/* SPDX-License-Identifier: Apache-2.0 */
/* Rule latency: does it follow from the load, and what does its tail do? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/drop.h"

#define JUMP 2.0           /* times the latency of the scale before */
#define EXPLAINED 0.25     /* how far queueing may miss it */
#define BIMODAL_SHARE_OF 2 /* one in so many samples must show two humps */

/* Findings of one kind on one storage. */
struct kind {
	const char *title;
	enum severity severity;
	size_t finding; /* index + 1; 0 none yet */
	const char *storage;
};

static struct finding *
open_kind(const struct rule *rule, const struct analysis *analysis, struct kind *kind,
    const struct cell *cell)
{
	struct finding *finding;

	if (kind->finding && strcmp(kind->storage, cell->storage) == 0) {
		finding = &analysis->findings->list.v[kind->finding - 1];
	} else {
		finding = finding_add(
		    analysis->findings, rule, kind->severity, VERDICT_OBSERVED);
		finding_title(finding, "%s: %s", cell->storage, kind->title);
		kind->finding = analysis->findings->list.n;
		kind->storage = cell->storage;
	}
	finding_cell(finding, cell);
	return finding;
}

/* Fewer in flight than asked for and more than that are two stories. */
struct little {
	struct kind less, more;
};

static void
check_little(const struct rule *rule, const struct analysis *analysis,
    struct little *little, const struct cell *cell)
{
	double asked = cell->in_flight;
	double real =
	    cell_middle(cell, METRIC_IOPS) * cell_middle(cell, METRIC_LAT) / 1e9;
	double off = real / asked - 1;
	struct finding *finding;
	char *label;

	if (!(asked > 0) || !(fabs(off) > analysis->thresholds->little) ||
	    cell->paced || cell->latency_apart)
		return;
	finding =
	    open_kind(rule, analysis, off < 0 ? &little->less : &little->more, cell);
	finding->depth = fmax(finding->depth, fabs(off));
	label = cell_label(cell);
	finding_evidence(finding,
	    "%s: IOPS x latency is %.1f I/Os in flight, the job asks for %.0f",
	    label, real, asked);
	free(label);
	if (finding->hypotheses.n == 0)
		finding_suppose(finding,
		    off < 0
			? "the clients' CPUs are the limit, or an engine whose"
			  " submission waits"
			: "merged or split I/Os, or depths that differ between jobs");
}

static void
check_tail(const struct rule *rule, const struct analysis *analysis, struct kind *kind,
    const struct cell *cell)
{
	double p50 = cell_middle(cell, METRIC_P50),
	       p999 = cell_middle(cell, METRIC_P999);
	char median[UNITS_BUF], tail[UNITS_BUF], *label;
	struct finding *finding;

	if (!(p999 > analysis->thresholds->tail_spread * p50))
		return;
	finding = open_kind(rule, analysis, kind, cell);
	finding->depth = fmax(finding->depth, log10(p999 / p50));
	label = cell_label(cell);
	finding_evidence(finding, "%s: p50 %s, p99.9 %s (%.0f times)", label,
	    units_ns(median, p50), units_ns(tail, p999), p999 / p50);
	free(label);
}

static void
check_modes(const struct rule *rule, const struct analysis *analysis, struct kind *kind,
    const struct cell *cell)
{
	const struct sample_modes *shown = NULL;
	char low[UNITS_BUF], high[UNITS_BUF], *label;
	struct finding *finding;
	size_t n = 0;

	for (vec_each(const struct sample *, it, &cell->samples))
		if (it->state == ATTEMPT_VALID && it->modes.two) {
			shown = &it->modes;
			n++;
		}
	if (!shown || n * BIMODAL_SHARE_OF < cell->samples.n)
		return;
	finding = open_kind(rule, analysis, kind, cell);
	label = cell_label(cell);
	finding_evidence(finding, "%s: around %s and around %s (%.0f %% of all)", label,
	    units_ns(low, shown->low_ns), units_ns(high, shown->high_ns),
	    100 * shown->high_share);
	free(label);
	if (finding->hypotheses.n == 0)
		finding_suppose(finding, "cache hits and misses, two tiers of media, or"
					 " clients behind different paths");
}

/* RDMA's tail against TCP's, where its median is no worse. */
static void
check_transports(const struct rule *rule, const struct analysis *analysis,
    struct kind *kind, const struct family *family, const struct cell *rdma)
{
	const struct cell *tcp = family_find(family, "tcp", rdma->clients);
	char one[UNITS_BUF], other[UNITS_BUF], *label;
	struct finding *finding;
	double times;

	if (!tcp || strcmp(rdma->transport, "rdma") != 0)
		return;
	times = cell_middle(rdma, METRIC_P999) / cell_middle(tcp, METRIC_P999);
	if (!(times > analysis->thresholds->tail_transport) ||
	    !(cell_middle(rdma, METRIC_P50) <= cell_middle(tcp, METRIC_P50)))
		return;
	finding = open_kind(rule, analysis, kind, rdma);
	finding->depth = fmax(finding->depth, log10(times));
	label = cell_label(rdma);
	finding_evidence(finding, "%s: p99.9 %s, over TCP %s; its median is not worse",
	    label, units_ns(one, cell_middle(rdma, METRIC_P999)),
	    units_ns(other, cell_middle(tcp, METRIC_P999)));
	free(label);
	if (finding->hypotheses.n == 0)
		finding_suppose(finding,
		    "time-outs after loss, or pause: look at"
		    " local_ack_timeout_err and prio pause duration");
}

/* ---- jumps from one scale to the next ---- */

struct jumps {
	struct kind queueing, other;
};

static void
check_jump(const struct rule *rule, const struct analysis *analysis,
    struct jumps *jumps, const struct cell *from, const struct cell *to)
{
	enum metric metric = cell_rate_metric(to);
	double before = cell_middle(from, METRIC_LAT),
	       after = cell_middle(to, METRIC_LAT);
	double queueing = (double)to->clients / from->clients *
			  cell_middle(from, metric) / cell_middle(to, metric);
	char a[UNITS_BUF], b[UNITS_BUF], *label;
	struct finding *finding;
	bool explained;

	if (!(after / before >= JUMP) || isnan(queueing) || to->paced)
		return;
	explained = fabs(after / before / queueing - 1) <= EXPLAINED;
	/* queueing of a load that grows as it should needs no words */
	if (explained && cell_middle(to, metric) > 0.9 * cell_middle(from, metric))
		return;
	finding =
	    open_kind(rule, analysis, explained ? &jumps->queueing : &jumps->other, to);
	finding->depth = fmax(finding->depth, log10(after / before));
	finding->onset = to->clients;
	label = cell_label(to);
	finding_evidence(finding,
	    "%s: %s with %u client%s, %s with %u: x %.1f; queueing alone makes x %.1f",
	    label, units_ns(a, before), CLIENTS(from->clients), units_ns(b, after),
	    to->clients, after / before, queueing);
	free(label);
}

static void
check_lines(const struct rule *rule, const struct analysis *analysis,
    struct jumps *jumps, const struct family *family)
{
	struct lines lines;

	lines_find(family, &lines);
	for (vec_each(const struct line *, line, &lines.list))
		for (size_t i = 1; i < line->cells.n; i++)
			check_jump(rule, analysis, jumps, line->cells.v[i - 1],
			    line->cells.v[i]);
	lines_free(&lines);
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	struct little little = {
	    .less = {.title = "fewer I/Os in flight than the job asks for",
		.severity = SEVERITY_INFO},
	    .more = {.title = "rate, latency and depth do not go together",
		.severity = SEVERITY_WARNING}};
	struct kind tail = {
	    .title = "a long tail of latencies", .severity = SEVERITY_INFO};
	struct kind modes = {
	    .title = "latencies of two kinds", .severity = SEVERITY_INFO};
	struct kind transports = {
	    .title = "RDMA has the longer tail", .severity = SEVERITY_WARNING};
	struct jumps jumps = {
	    .queueing =
		{.title = "latency jumps because the total falls: queueing explains it",
		    .severity = SEVERITY_INFO},
	    .other = {.title = "latency jumps by more or less than queueing explains",
		.severity = SEVERITY_WARNING}};

	for (vec_each(const struct family *, family, &analysis->model->families)) {
		for (size_t i = 0; i < family->n; i++) {
			const struct cell *cell = &family->cells[i];

			check_little(rule, analysis, &little, cell);
			check_tail(rule, analysis, &tail, cell);
			check_modes(rule, analysis, &modes, cell);
			check_transports(rule, analysis, &transports, family, cell);
		}
		check_lines(rule, analysis, &jumps, family);
	}
}

static const char *const thresholds[] = {
    "little", "tail_spread", "tail_transport", NULL};
static const char *const next_checks[] = {
    "the latency heat map in time: steady, in bursts, or at the start only",
    "the same load at a smaller depth", NULL};

const struct rule rule_latency = {
    .id = "latency",
    .question = "Does the latency follow from the load, and what does its tail do?",
    .formula =
	"Little: IOPS x mean latency = I/Os in flight (clients x numjobs x iodepth); a "
	"latency that doubles from one scale to the next against (n2 / n1) x (rate1 / "
	"rate2); p99.9 against p50 and against the other transport; two humps a "
	"factor of two apart with a tenth of all I/Os each",
    .source = "Little 1961; the RDMA tail rule is this project's",
    .thresholds = thresholds,
    .next_checks = next_checks,
    .run = run,
};
