/* SPDX-License-Identifier: Apache-2.0 */
/* Rule validity: figures that mean less than they say.  One finding per reason. */
#include <string.h>

#include "controller/analyze/rules.h"

#define TEXTS_MAX 5 /* of a finding's evidence */

struct meaning {
	const char *code, *means, *check;
};

static const struct meaning meanings[] = {
    {"skew", "clients did not start together",
	"load of the client nodes; SCHED_FIFO allowed for volleyd (CAP_SYS_NICE)?"},
    {"late-start", "the start came late", "load of the client nodes"},
    {"clock-unknown", "clock offsets were not measured", "the network to the clients"},
    {"overlap", "clients ran together for too small a part of the run",
	"sizes and speeds of the clients; a time-based job has one window for all"},
    {"no-window", "there is no time in which all clients ran",
	"sizes and speeds of the clients"},
    {"outstanding", "I/Os never completed",
	"the storage's and the clients' kernel logs; time-outs of the mount"},
    {"io-errors", "I/Os failed", "the storage's and the clients' kernel logs"},
    {"littles-law", "rate, latency and depth do not go together",
	"the counts of the clients; report it: this should not happen"},
    {"transport-refuted", "the bytes did not take the transport that was named",
	"proto= of the mounts; port counters over a case"},
    {"cached", "far fewer bytes on the wire than the application moved",
	"caches on the client: direct=1, size against memory"},
    {"direct-lost", "O_DIRECT was asked for and not in effect",
	"file system and mount options of the clients"},
    {"cacheable", "the data set may fit into caches",
	"sizes: clients x size over twice the memory of all clients and the storage's "
	"cache"},
    {"not-interleaved", "transports were measured one after the other, not in turn",
	"drift of the storage: measure the first transport once more at the end"},
    {"unwritten", "blocks were read that nobody had written",
	"lay the files out first; thin provisioning answers such reads by itself"},
    {"skipped-options", "options of the job were not honoured",
	"volley plan check; the list in the case's reasons"},
    {"client-missing", "clients were missing", "the agents; volley hosts"},
    {"client-lost", "clients were lost during the run",
	"the network; the agents' logs"},
    {"client-stalled", "clients hung", "the mount; the clients' kernel logs"},
};

static const char *const silent[] = {"imported", "runner", "logs", NULL};

static const struct meaning *
find_meaning(const char *code)
{
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (strcmp(meanings[i].code, code) == 0)
			return &meanings[i];
	return NULL;
}

static bool
is_silent(const char *code)
{
	for (const char *const *it = silent; *it; it++)
		if (strcmp(*it, code) == 0)
			return true;
	return false;
}

/* One code so far. */
struct group {
	const char *code;
	size_t finding; /* index */
	enum attempt_state worst;
	const struct sample *last;
	unsigned samples, invalid;
};

struct groups {
	VEC(struct group) list;
};

static struct group *
group_of(struct groups *groups, const struct rule *rule,
    const struct analysis *analysis, const char *code)
{
	const struct meaning *meaning = find_meaning(code);
	struct group *group;
	struct finding *finding;

	for (vec_each(struct group *, it, &groups->list))
		if (strcmp(it->code, code) == 0)
			return it;
	group = vec_add(&groups->list);
	*group = (struct group){.code = code, .finding = analysis->findings->list.n};
	finding =
	    finding_add(analysis->findings, rule, SEVERITY_INFO, VERDICT_OBSERVED);
	if (meaning)
		finding_check(finding, "%s", meaning->check);
	return group;
}

static void
take_reason(struct groups *groups, const struct rule *rule,
    const struct analysis *analysis, const struct cell *cell,
    const struct sample *sample, const struct sample_reason *reason)
{
	struct group *group = group_of(groups, rule, analysis, reason->code);
	struct finding *finding = &analysis->findings->list.v[group->finding];

	if (reason->makes > group->worst)
		group->worst = reason->makes;
	if (finding->cells.n == 0 ||
	    finding->cells.v[finding->cells.n - 1].cell != cell)
		finding_cell(finding, cell);
	if (group->last != sample) {
		group->samples++;
		group->invalid += sample->state == ATTEMPT_INVALID;
	}
	group->last = sample;
	if (finding->evidence.n < TEXTS_MAX) {
		bool named = !reason->agent || strstr(reason->text, reason->agent);
		char *label = cell_label(cell);

		finding_evidence(finding, "%s, repeat %u: %s%s%s", label,
		    sample->repeat, named ? "" : reason->agent, named ? "" : ": ",
		    reason->text);
		free(label);
	}
}

static void
close_group(const struct analysis *analysis, const struct group *group)
{
	static const enum severity weight[] = {[ATTEMPT_VALID] = SEVERITY_INFO,
	    [ATTEMPT_PARTIAL] = SEVERITY_WARNING,
	    [ATTEMPT_INVALID] = SEVERITY_CRITICAL};
	struct finding *finding = &analysis->findings->list.v[group->finding];
	const struct meaning *meaning = find_meaning(group->code);

	finding->severity = weight[group->worst];
	finding->depth = group->samples;
	finding_title(finding, "%s: %s (%u repeat%s of %zu cell%s)", group->code,
	    meaning ? meaning->means : "see the evidence", group->samples,
	    group->samples == 1 ? "" : "s", finding->cells.n,
	    finding->cells.n == 1 ? "" : "s");
	if (group->invalid)
		finding_scope(finding, "%u of them INVALID: no part in any comparison",
		    group->invalid);
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	struct groups groups = {0};

	for (vec_each(const struct cell *, cell, &analysis->model->cells))
		for (vec_each(const struct sample *, sample, &cell->samples))
			for (vec_each(
				 const struct sample_reason *, it, &sample->reasons))
				if (!is_silent(it->code))
					take_reason(
					    &groups, rule, analysis, cell, sample, it);
	for (vec_each(const struct group *, it, &groups.list))
		close_group(analysis, it);
	vec_free(&groups.list);
}

const struct rule rule_validity = {
    .id = "validity",
    .question = "Are the figures worth anything?",
    .formula =
	"the reasons that each attempt carries: start skew, overlap, lost clients, "
	"I/Os that failed or never ended, transport, caches, O_DIRECT; INVALID is "
	"critical, PARTIAL a warning",
    .source =
	"the states of attempts (results-schema.md); IO500 and SPC rules on validity",
    .outranks = true,
    .run = run,
};
