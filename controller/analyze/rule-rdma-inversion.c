/* SPDX-License-Identifier: Apache-2.0 */
/* Rule rdma-inversion: RDMA that is slower than TCP in the same cell. */
#include <math.h>
#include <string.h>

#include "controller/analyze/changes.h"
#include "controller/analyze/drop.h"

/* RDMA against TCP at one scale. */
struct point {
	const struct cell *rdma;
	struct contrast contrast;
	struct drop drop;
};

/* One family with everything that was compared. */
struct compared {
	const struct family *family;
	VEC(struct point) points;
	bool inverted; /* a suspect or worse */
	bool noted;    /* anything to report */
};

static void
compare_family(
    const struct analysis *analysis, const struct family *family, struct compared *ret)
{
	*ret = (struct compared){.family = family};
	for (size_t i = 0; i < family->n; i++) {
		const struct cell *rdma = &family->cells[i];
		struct contrast contrast;
		struct point *point;

		if (strcmp(rdma->transport, "rdma") != 0)
			continue;
		contrast = change_contrast(analysis->model,
		    family_find(family, "tcp", rdma->clients), rdma,
		    analysis->thresholds->margin);
		if (!contrast.known)
			continue;
		point = vec_add(&ret->points);
		*point = (struct point){rdma, contrast,
		    drop_judge(&contrast, analysis->thresholds->anomaly)};
		ret->inverted |=
		    point->drop.found && point->drop.severity > SEVERITY_INFO;
		ret->noted |= point->drop.found;
	}
}

/* ---- scope: where else on this storage ---- */

struct storage_group {
	VEC(struct compared) list;
};

static void
count_kind(const struct storage_group *group, enum cell_kind kind, size_t *ret_compared,
    size_t *ret_inverted)
{
	*ret_compared = *ret_inverted = 0;
	for (vec_each(const struct compared *, it, &group->list))
		if (it->points.n && it->family->cells->kind == kind) {
			*ret_compared += 1;
			*ret_inverted += it->inverted;
		}
}

#define NAMES_MAX 6 /* of workloads in a sentence */

static char *
names_of(const struct storage_group *group, bool inverted, const struct compared *but)
{
	struct str names = {0};
	size_t n = 0;

	for (vec_each(const struct compared *, it, &group->list)) {
		if (!it->points.n || it->inverted != inverted || it == but)
			continue;
		if (n++ < NAMES_MAX)
			str_addf(&names, "%s%s%s%s", names.len ? ", " : "",
			    it->family->cells->workload,
			    it->family->cells->axis[0] ? " " : "",
			    it->family->cells->axis);
	}
	if (n > NAMES_MAX)
		str_addf(&names, " and %zu more", n - NAMES_MAX);
	return str_take(&names);
}

static void
set_scope(struct finding *finding, const struct storage_group *group,
    const struct compared *one)
{
	size_t reads, writes, bad_reads, bad_writes;
	char *with, *without;

	count_kind(group, CELL_READS, &reads, &bad_reads);
	count_kind(group, CELL_WRITES, &writes, &bad_writes);
	if (bad_writes && reads && !bad_reads) {
		finding_scope(
		    finding, "write path only: reads of the same storage are normal");
		finding_suppose(finding,
		    "the storage's write path over RDMA (it fetches"
		    " the data with RDMA READ), or pause frames"
		    " against the clients' transmit");
		return;
	}
	if (bad_reads && writes && !bad_writes) {
		finding_scope(
		    finding, "read path only: writes of the same storage are normal");
		finding_suppose(
		    finding, "incast: many storage ports answer one client");
		return;
	}
	with = names_of(group, true, one);
	without = names_of(group, false, one);
	if (with[0] && !without[0])
		finding_scope(finding, "every workload compared on this storage");
	else if (with[0])
		finding_scope(finding, "also %s; normal: %s", with, without);
	else if (without[0])
		finding_scope(finding, "this workload only; normal: %s", without);
	free(with);
	free(without);
}

/* ---- the finding ---- */

static const struct point *
last_normal(const struct compared *one, unsigned below)
{
	const struct point *ret = NULL;

	for (vec_each(const struct point *, it, &one->points))
		if (!it->drop.found && it->rdma->clients < below)
			ret = it;
	return ret;
}

static void
add_latency(struct finding *finding, const struct cell *cell)
{
	char buf[UNITS_BUF];

	if (cell_has(cell, METRIC_LAT))
		finding_evidence(finding, "%u client%s over RDMA: mean latency %s",
		    CLIENTS(cell->clients),
		    units_ns(buf, cell_middle(cell, METRIC_LAT)));
}

static void
set_onset(struct finding *finding, const struct compared *one)
{
	const struct point *normal = last_normal(one, finding->onset);
	char buf[PERCENT_BUF];

	if (!normal) {
		finding_evidence(finding, "from the smallest scale compared on (%u)",
		    finding->onset);
		return;
	}
	finding_evidence(finding, "normal up to %u client%s (%s), %s at %u",
	    CLIENTS(normal->rdma->clients), percent_text(buf, normal->contrast.effect),
	    finding->depth >= 0.5 ? "collapses" : "falls back", finding->onset);
	finding_suppose(finding,
	    "something that grows with the clients: congestion marks"
	    " or pause at the storage's ports, number of connections");
}

static void
report(const struct rule *rule, const struct analysis *analysis,
    const struct storage_group *group, const struct compared *one)
{
	const struct cell *cell = one->family->cells;
	struct drop worst = {0};
	struct finding *finding;
	bool single = false;
	const struct point *deepest = NULL;
	char buf[PERCENT_BUF];

	for (vec_each(const struct point *, it, &one->points))
		drop_merge(&worst, &it->drop);
	finding = finding_add(analysis->findings, rule, worst.severity, worst.verdict);
	for (vec_each(const struct point *, it, &one->points)) {
		if (!it->drop.found)
			continue;
		finding_contrast(finding, it->rdma, &it->contrast);
		drop_explain(finding, it->rdma, &it->contrast);
		add_latency(finding, it->rdma);
		if (finding->onset == 0)
			finding->onset = it->rdma->clients;
		if (!deepest || it->contrast.effect < deepest->contrast.effect)
			deepest = it;
		single |= contrast_is_few(&it->contrast);
	}
	finding_title(finding, "%s %s%s%s: RDMA %s against TCP in %s at %u client%s",
	    cell->storage, cell->workload, cell->axis[0] ? " " : "", cell->axis,
	    percent_text(buf, deepest->contrast.effect),
	    metrics[deepest->contrast.metric].name, CLIENTS(deepest->rdma->clients));
	set_onset(finding, one);
	set_scope(finding, group, one);
	if (single)
		finding_check(finding,
		    "repeat the pair at least 5 times, alternating"
		    " (volley's default order): one run proves nothing");
}

static void
close_storage(const struct rule *rule, const struct analysis *analysis,
    struct storage_group *group)
{
	for (vec_each(const struct compared *, it, &group->list))
		if (it->noted)
			report(rule, analysis, group, it);
	for (vec_each(struct compared *, it, &group->list))
		vec_free(&it->points);
	group->list.n = 0;
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	struct storage_group group = {0};
	const char *storage = NULL;

	for (vec_each(const struct family *, it, &analysis->model->families)) {
		if (storage && strcmp(storage, it->cells->storage) != 0)
			close_storage(rule, analysis, &group);
		storage = it->cells->storage;
		compare_family(analysis, it, vec_add(&group.list));
	}
	close_storage(rule, analysis, &group);
	vec_free(&group.list);
}

static const char *const thresholds[] = {"margin", "anomaly", NULL};
static const char *const hypotheses[] = {
    "loss or reordering on a path that should lose nothing: PFC or ECN not end to end, "
    "or RoCE traffic outside of its priority",
    "path MTU 1024 instead of 4096 on one hop",
    "fewer connections or paths over RDMA than over TCP (nconnect, multipath)", NULL};
static const char *const next_checks[] = {
    "counters over the case: out_of_sequence, packet_seq_err, implied_nak_seq_err, "
    "local_ack_timeout_err, np_cnp_sent, rp_cnp_handled, prio pause",
    "the line rate over RDMA without the storage, from the same clients at once",
    "mount options, MTU and GID of both transports on every client", NULL};

const struct rule rule_rdma_inversion = {
    .id = "rdma-inversion",
    .question = "Is RDMA slower than TCP in the same cell?",
    .formula =
	"mean log ratio of RDMA to TCP over the pairs of one block with Student's t "
	"interval, Welch's when unpaired, Hodges-Lehmann beside it; critical when "
	"the whole interval is below -margin and the estimate below -anomaly; one "
	"or two runs on a side are a suspect at most",
    .source =
	"pairing after BenchmarkDotNet and SNIA practice; intervals: Student 1908, "
	"Welch 1947; a 95 % bootstrap covers 80 % at n = 3",
    .thresholds = thresholds,
    .hypotheses = hypotheses,
    .next_checks = next_checks,
    .run = run,
};
