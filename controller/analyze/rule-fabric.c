/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rule fabric: counters of hosts and ports that explain other findings.  Runs last, and
 * adds its evidence to findings that are there; without counters it says nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/rules.h"

#define EVIDENCE_MAX 6 /* counters per finding */

/* By the names that mlx5 gives them; what another driver lacks is unknown, not 0. */
static const struct reading {
	const char *name, *means;
} readings[] = {
    {"out_of_sequence", "loss or reordering towards this host"},
    {"packet_seq_err", "loss on what this host sent"},
    {"implied_nak_seq_err", "loss of read responses towards this host"},
    {"local_ack_timeout_err", "time-outs: tail loss or a dead path"},
    {"rnr_nak_retry_err", "the other side had no receive buffer: its software, not the "
			  "fabric"},
    {"out_of_buffer", "this host was too slow to receive"},
    {"roce_adp_retrans", "loss, masked by adaptive retransmission"},
    {"np_ecn_marked_roce_packets", "congestion towards this host (incast on reads)"},
    {"np_cnp_sent", "this host told senders to slow down"},
    {"rp_cnp_handled", "this sender was told to slow down: congestion by writes"},
    {"rp_cnp_ignored", "told to slow down and did not: reaction point off"},
    {"rx_icrc_encapsulated", "corrupted packets"},
    {"rx_discards_phy", "this host dropped what arrived"},
    {"link_down_events_phy", "the link went down"},
    {"TcpRetransSegs", "TCP sent again: loss from this host"},
    {"TCPTimeouts", "TCP time-outs"},
    {"TCPOFOQueue", "TCP segments out of order towards this host"},
};

static const char *
reading_of(const char *name)
{
	for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
		if (strcmp(readings[i].name, name) == 0)
			return readings[i].means;
	/* rx_prio3_pause: ours; tx_prio3_pause: theirs */
	if (strstr(name, "_pause") && strncmp(name, "rx_prio", 7) == 0)
		return "the switch paused this host: the fabric cannot take what it "
		       "sends";
	if (strstr(name, "_pause") && strncmp(name, "tx_prio", 7) == 0)
		return "this host paused the switch: it cannot drain (PCIe, NUMA, "
		       "memory)";
	return NULL;
}

static void
join_cell(struct finding *finding, const struct cell *cell)
{
	size_t added = 0;

	for (vec_each(const struct sample *, sample, &cell->samples))
		for (vec_each(const struct sample_counter *, it, &sample->counters)) {
			const char *means = reading_of(it->name);

			if (!means || !(it->delta > 0) || added == EVIDENCE_MAX)
				continue;
			added++;
			finding_evidence(finding,
			    "%u client%s, repeat %u: %s on %s rose by %.0f: %s",
			    CLIENTS(cell->clients), sample->repeat, it->name, it->agent,
			    it->delta, means);
		}
}

static void
run(const struct rule *rule, const struct analysis *analysis)
{
	(void)rule;
	for (vec_each(struct finding *, it, &analysis->findings->list))
		if (it->severity != SEVERITY_INFO)
			for (vec_each(const struct finding_cell *, cell, &it->cells))
				join_cell(it, cell->cell);
}

const struct rule rule_fabric = {
    .id = "fabric",
    .question = "Which counters explain a finding?",
    .formula =
	"counters that rose over the runs of a finding's cells become its evidence, "
	"with direction and reading; a counter that a driver does not have is "
	"unknown, never 0",
    .source = "Linux: mlx5 counters.rst, sysfs-class-infiniband; /proc/net/netstat",
    .run = run,
};
