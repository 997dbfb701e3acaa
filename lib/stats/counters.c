/* SPDX-License-Identifier: Apache-2.0 */
/* The names of counters with their readings, and differences between moments. */
#include "lib/stats/counters.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

/*
 * The common names are those of mlx5 and of /proc/net, since most texts use them.
 * Readings: Linux, Documentation/networking/device_drivers/ethernet/mellanox/mlx5/
 * counters.rst and Documentation/ABI/stable/sysfs-class-infiniband; RFC 1213 and
 * net/ipv4/proc.c for TCP.
 */
static const struct counter_kind kinds[] = {
    {"rx_bytes", "bytes", COUNTER_IN, NULL},
    {"tx_bytes", "bytes", COUNTER_OUT, NULL},
    {"rx_bytes_at_most", "bytes", COUNTER_IN, NULL},
    {"tx_bytes_at_most", "bytes", COUNTER_OUT, NULL},
    {"rx_packets", "packets", COUNTER_IN, NULL},
    {"tx_packets", "packets", COUNTER_OUT, NULL},
    {"server_read_bytes", "bytes", COUNTER_IN, NULL},
    {"server_write_bytes", "bytes", COUNTER_OUT, NULL},
    {"TcpInSegs", "segments", COUNTER_IN, NULL},
    {"TcpOutSegs", "segments", COUNTER_OUT, NULL},
    {"net_rx_softirqs", "events", COUNTER_IN, NULL},
    {"net_tx_softirqs", "events", COUNTER_OUT, NULL},
    {"softirq_ms", "ms", COUNTER_NO_WAY, NULL},

    {"out_of_sequence", "packets", COUNTER_IN,
	"loss or reordering towards this host"},
    {"packet_seq_err", "events", COUNTER_OUT, "loss on what this host sent"},
    {"implied_nak_seq_err", "events", COUNTER_IN,
	"loss of read responses towards this host"},
    {"local_ack_timeout_err", "events", COUNTER_OUT,
	"time-outs: tail loss or a dead path"},
    {"retransmits", "events", COUNTER_OUT,
	"requests were sent again: loss on either way, or an answer out of order"},
    {"rnr_nak_retry_err", "events", COUNTER_OUT,
	"the other side had no receive buffer: its software, not the fabric"},
    {"rnr_nak_sent", "events", COUNTER_IN,
	"this host had no receive buffer: its software, not the fabric"},
    {"out_of_buffer", "packets", COUNTER_IN, "this host was too slow to receive"},
    {"roce_adp_retrans", "events", COUNTER_OUT,
	"loss, masked by adaptive retransmission"},
    {"roce_adp_retrans_to", "events", COUNTER_OUT,
	"time-outs of adaptive retransmission"},
    {"roce_slow_restart", "events", COUNTER_OUT, "rate recovery after congestion"},
    {"np_ecn_marked_roce_packets", "packets", COUNTER_IN,
	"congestion towards this host (incast on reads)"},
    {"np_cnp_sent", "packets", COUNTER_IN, "this host told senders to slow down"},
    {"rp_cnp_handled", "packets", COUNTER_OUT,
	"this sender was told to slow down: congestion by writes"},
    {"rp_cnp_ignored", "packets", COUNTER_OUT,
	"told to slow down and did not: reaction point off"},
    {"rx_icrc_encapsulated", "packets", COUNTER_IN, "corrupted packets"},
    {"duplicate_request", "packets", COUNTER_IN,
	"requests came twice: answers of this host were lost"},
    {"req_cqe_error", "events", COUNTER_OUT, "requests of this host failed"},
    {"resp_cqe_error", "events", COUNTER_IN, "answers of this host failed"},
    {"req_transport_retries_exceeded", "events", COUNTER_OUT,
	"connections broke: retries used up"},
    {"roce_discards_rx", "packets", COUNTER_IN, "this host dropped RoCE packets"},
    {"roce_discards_tx", "packets", COUNTER_OUT,
	"RoCE packets were dropped before they were sent"},

    {"rx_prio#_pause", "events", COUNTER_OUT,
	"the switch paused this host: the fabric cannot take what it sends"},
    {"rx_prio#_pause_duration", "us", COUNTER_OUT,
	"time for which the switch paused this host"},
    {"rx_prio#_pause_transition", "events", COUNTER_OUT,
	"the switch began to pause this host"},
    {"tx_prio#_pause", "events", COUNTER_IN,
	"this host paused the switch: it cannot drain (PCIe, NUMA, memory)"},
    {"tx_prio#_pause_duration", "us", COUNTER_IN,
	"time for which this host paused the switch"},
    {"rx_pause", "events", COUNTER_OUT,
	"the switch paused all that this host sends: global pause"},
    {"tx_pause", "events", COUNTER_IN,
	"this host paused all that the switch sends: it cannot drain"},
    {"rx_prio#_discards", "packets", COUNTER_IN,
	"a class that should lose nothing dropped packets: PFC is not set as it "
	"should be"},
    {"rx_prio#_buf_discard", "packets", COUNTER_IN,
	"a class that should lose nothing had no buffer: PFC is not set as it should "
	"be"},
    {"rx_prio#_cong_discard", "packets", COUNTER_IN,
	"packets were dropped for congestion"},
    {"tx_pause_storm_warning_events", "events", COUNTER_IN, "this host paused long"},
    {"tx_pause_storm_error_events", "events", COUNTER_IN,
	"a storm of pause frames from this host"},
    {"rx_discards_phy", "packets", COUNTER_IN, "this host dropped what arrived"},
    {"rx_out_of_buffer", "packets", COUNTER_IN, "this host was too slow to receive"},
    {"outbound_pci_stalled_wr", "percent", COUNTER_IN,
	"PCIe could not take what arrived"},
    {"link_down_events_phy", "events", COUNTER_NO_WAY, "the link went down"},
    {"rx_pcs_symbol_err_phy", "events", COUNTER_IN, "symbol errors: cable or optic"},
    {"rx_errors", "packets", COUNTER_IN, "packets arrived broken"},
    {"rx_dropped", "packets", COUNTER_IN, "this host dropped what arrived"},
    {"tx_errors", "packets", COUNTER_OUT, "packets could not be sent"},
    {"tx_dropped", "packets", COUNTER_OUT,
	"packets were dropped before they were sent"},

    {"TcpRetransSegs", "segments", COUNTER_OUT,
	"TCP sent again: loss of what this host sent"},
    {"TCPLostRetransmit", "segments", COUNTER_OUT,
	"what TCP sent again was lost too"},
    {"TCPTimeouts", "events", COUNTER_OUT, "TCP time-outs"},
    {"TCPOFOQueue", "segments", COUNTER_IN,
	"TCP segments out of order towards this host: loss or reordering"},
    {"bad_xids", "events", COUNTER_NO_WAY,
	"answers of the NFS server to nothing that was asked"},
};

static bool
name_matches(const char *pattern, const char *name)
{
	for (; *pattern && *name; pattern++, name++)
		if (*pattern == '#' ? !isdigit((unsigned char)*name)
				    : *pattern != *name)
			return false;
	return *pattern == *name;
}

const struct counter_kind *
counter_kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (name_matches(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

const char *
counter_way_text(enum counter_way way)
{
	static const char *const texts[] = {[COUNTER_NO_WAY] = "",
	    [COUNTER_IN] = "towards this host",
	    [COUNTER_OUT] = "from this host"};

	return texts[way];
}

/* ---- moments ---- */

void
counter_snapshot_add(struct counter_snapshot *snapshot, const char *object,
    const char *name, uint64_t value, bool narrow)
{
	for (size_t i = snapshot->values.n; i > 0; i--) {
		struct counter_value *it = &snapshot->values.v[i - 1];

		if (strcmp(it->object, object) != 0)
			break;
		if (strcmp(it->name, name) != 0)
			continue;
		it->value += value;
		it->narrow |= narrow;
		return;
	}
	if (snapshot->values.n < COUNTERS_MAX)
		*vec_add(&snapshot->values) = (struct counter_value){
		    mem_strdup(object), mem_strdup(name), value, narrow};
}

void
counter_snapshot_free(struct counter_snapshot *snapshot)
{
	for (vec_each(struct counter_value *, it, &snapshot->values)) {
		free(it->object);
		free(it->name);
	}
	vec_free(&snapshot->values);
	*snapshot = (struct counter_snapshot){0};
}

/* Of values and of counters: both begin with object and name. */
static int
by_key(const void *a, const void *b)
{
	const struct counter_value *x = a, *y = b;
	int by_object = strcmp(x->object, y->object);

	return by_object ? by_object : strcmp(x->name, y->name);
}

_Static_assert(offsetof(struct counter, object) == offsetof(struct counter_value, object) &&
		   offsetof(struct counter, name) == offsetof(struct counter_value, name),
    "by_key compares either");

void
counter_snapshot_close(struct counter_snapshot *snapshot, uint64_t at_ns)
{
	if (snapshot->values.n)
		qsort(snapshot->values.v, snapshot->values.n,
		    sizeof *snapshot->values.v, by_key);
	snapshot->at_ns = at_ns;
}

/* ---- a run ---- */

struct counters *
counters_new(void)
{
	struct counters *counters = mem_alloc(sizeof *counters);

	counters->rdma_ports = -1;
	return counters;
}

void
counters_free(struct counters *counters)
{
	if (!counters)
		return;
	for (vec_each(struct counter *, it, &counters->list)) {
		free(it->object);
		free(it->name);
	}
	vec_free(&counters->list);
	free(counters->mount_point);
	free(counters->mount_fstype);
	free(counters);
}

struct counter *
counters_add(struct counters *counters, const char *object, const char *name)
{
	struct counter *counter = vec_add(&counters->list);

	counter->object = mem_strdup(object);
	counter->name = mem_strdup(name);
	return counter;
}

#define NARROW_END UINT32_MAX

/* False: unknown. */
static bool
rise(uint64_t before, uint64_t after, bool narrow, uint64_t *ret)
{
	narrow = narrow && before <= NARROW_END && after <= NARROW_END;
	if (narrow && after == NARROW_END)
		return false; /* it sticks there */
	*ret = after - before;
	if (after >= before)
		return true;
	*ret += (uint64_t)NARROW_END + 1;
	return narrow && before > NARROW_END / 2 && after <= NARROW_END / 2;
}

static void *
find(const void *list, size_t n, size_t size, const char *object, const char *name)
{
	struct counter_value key = {
	    .object = (char *)(uintptr_t)object, .name = (char *)(uintptr_t)name};

	return n ? bsearch(&key, list, n, size, by_key) : NULL;
}

static const struct counter_value *
value_of(const struct counter_snapshot *snapshot, const struct counter *counter)
{
	return find(snapshot->values.v, snapshot->values.n, sizeof *snapshot->values.v,
	    counter->object, counter->name);
}

void
counters_between(
    struct counters *ret, const struct counter_snapshot moments[COUNTER_MOMENTS])
{
	static const struct {
		enum counter_moment from, to;
	} spans[COUNTER_SPANS] = {
	    [COUNTER_TRIAL] = {COUNTER_TRIAL_FROM, COUNTER_TRIAL_TO},
	    [COUNTER_IDLE] = {COUNTER_IDLE_FROM, COUNTER_RUN_FROM},
	    [COUNTER_RUN] = {COUNTER_RUN_FROM, COUNTER_RUN_TO}};

	for (vec_each(const struct counter_value *, it, &moments[COUNTER_RUN_TO].values))
		counters_add(ret, it->object, it->name)->narrow = it->narrow;
	for (int span = 0; span < COUNTER_SPANS; span++) {
		const struct counter_snapshot *from = &moments[spans[span].from];
		const struct counter_snapshot *to = &moments[spans[span].to];

		if (!from->at_ns || to->at_ns <= from->at_ns)
			continue;
		ret->ns[span] = to->at_ns - from->at_ns;
		for (vec_each(struct counter *, it, &ret->list)) {
			const struct counter_value *a = value_of(from, it);
			const struct counter_value *b = value_of(to, it);

			it->known[span] = a && b &&
					  rise(a->value, b->value, it->narrow,
					      &it->delta[span]);
		}
	}
}

bool
counters_find(const struct counters *counters, enum counter_span span,
    const char *object, const char *name, uint64_t *ret)
{
	const struct counter *counter = find(counters->list.v, counters->list.n,
	    sizeof *counters->list.v, object, name);

	if (!counter || !counter->known[span])
		return false;
	*ret = counter->delta[span];
	return true;
}
