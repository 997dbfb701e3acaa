/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds the counters up into bytes on each transport, takes away what others do on an
 * idle host, and compares.
 */
#include "controller/attempt/proof.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#define ENOUGH 0.95  /* of the bytes, to be accounted for */
#define LITTLE 0.05  /* of the bytes, to be nothing */
#define PART 0.10    /* of the bytes, to be more than chance on the other transport */
#define CACHED 0.50  /* less than this on the wire: a cache */
#define BYTES_MIN (UINT64_C(1) << 20) /* fewer drown in what else a host sends */
#define SEGMENT_MAX 65536	      /* bytes of a TCP segment, with any offload */
#define IDLE_MIN_NS (50 * UNITS_NS_PER_MS)
#define NARROW_BYTES (UINT64_C(1) << 33) /* half of what 32 bits of words hold */

static const char *const verdict_names[PROOF_VERDICTS] = {
    [PROOF_UNKNOWN] = "unknown",
    [PROOF_PROVEN] = "proven",
    [PROOF_REFUTED] = "refuted",
};

/* ---- bytes on each transport, one direction ---- */

/* NAN: unknown. */
struct wire {
	double tcp, rdma, server;
};

struct sum {
	double value;  /* NAN: no such counter */
	size_t n;      /* of objects that have it */
	bool at_least; /* there may be more */
};

/* Over all objects of a kind ("net/"). */
static struct sum
sum_of(const struct proof_question *question, enum counter_span span, const char *kind,
    const char *name)
{
	struct sum ret = {.value = NAN};

	for (vec_each(const struct counter *, it, &question->counters->list)) {
		if (!str_starts(it->object, kind) || strcmp(it->name, name) != 0)
			continue;
		if (!it->known[span]) {
			ret.at_least = true;
			continue;
		}
		ret.n++;
		ret.value = (isnan(ret.value) ? 0 : ret.value) + (double)it->delta[span];
		ret.at_least |= it->narrow &&
				question->bytes[DIR_READ] + question->bytes[DIR_WRITE] >
				    NARROW_BYTES;
	}
	return ret;
}

static const struct names {
	const char *bytes, *at_most, *segments, *server;
} names[DIR_COUNT] = {
    [DIR_READ] = {"rx_bytes", "rx_bytes_at_most", "TcpInSegs", "server_read_bytes"},
    [DIR_WRITE] = {"tx_bytes", "tx_bytes_at_most", "TcpOutSegs", "server_write_bytes"},
};

/*
 * RDMA in software (rxe) counts packets only, and the network device below it counts
 * its bytes too: they are told from TCP's by TCP's own segments, where one of the two
 * is as good as nothing.
 */
static double
soft_rdma(double at_most, double net, double tcp, double little)
{
	if (at_most <= little)
		return at_most;
	return tcp <= little ? fmin(at_most, net - tcp) : NAN;
}

static void
wire_of(const struct proof_question *question, enum counter_span span, enum dir dir,
    double little, struct wire *ret)
{
	const struct names *name = &names[dir];
	struct sum net = sum_of(question, span, "net/", name->bytes);
	struct sum rdma = sum_of(question, span, "rdma/", name->bytes);
	struct sum soft = sum_of(question, span, "rdma/", name->at_most);
	struct sum segments = sum_of(question, span, "tcp", name->segments);
	struct sum server = sum_of(question, span, "mount", name->server);
	int64_t ports = question->counters->rdma_ports;

	/* fmin prefers what is known */
	ret->tcp = isnan(net.value)
		       ? NAN
		       : fmin(net.value, segments.value * SEGMENT_MAX);
	ret->server = server.value;
	ret->rdma = rdma.value;
	if (soft.n) {
		double carried = soft_rdma(soft.value, net.value, ret->tcp, little);

		ret->rdma = rdma.n ? rdma.value + carried : carried;
		if (soft.value > little && ret->tcp > little)
			ret->tcp = NAN;
	}
	if (ports == 0)
		ret->rdma = 0;
	else if (rdma.at_least || ports < 0 || rdma.n + soft.n < (size_t)ports)
		ret->rdma = ret->rdma >= (double)question->bytes[dir] * ENOUGH
				? ret->rdma
				: NAN; /* what is missing may be on that port */
}

/* What the idle host would have moved in the time of the run. */
static double
background(double idle, const struct counters *counters, enum counter_span span)
{
	if (counters->ns[COUNTER_IDLE] < IDLE_MIN_NS || isnan(idle))
		return 0;
	return idle * (double)counters->ns[span] / (double)counters->ns[COUNTER_IDLE];
}

static double
without(double value, double background)
{
	return isnan(value) ? NAN : fmax(value - background, 0);
}

static void
without_background(struct wire *wire, const struct wire *idle,
    const struct counters *counters, enum counter_span span)
{
	wire->tcp = without(wire->tcp, background(idle->tcp, counters, span));
	wire->rdma = without(wire->rdma, background(idle->rdma, counters, span));
}

/* ---- the sum of what is to be explained ---- */

struct evidence {
	double bytes;		   /* of the application */
	double declared, other;	   /* shares, of the worse direction; NAN unknown */
	double server;		   /* the mount's own share; NAN unknown */
	double declared_bytes, other_bytes;
	bool disturbed;		   /* others do as much on these counters */
	bool wire_saw, server_saw; /* the calibrating read was there */
};

/* fmax and fmin would hide what is unknown. */
static double
least(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmin(a, b);
}

static void
weigh_direction(
    const struct proof_question *question, enum dir dir, struct evidence *evidence)
{
	const struct counters *counters = question->counters;
	double bytes = (double)question->bytes[dir];
	struct wire run, idle;
	bool tcp = question->declared == COUNTERS_TCP;
	double declared, other;

	wire_of(question, COUNTER_RUN, dir, bytes * LITTLE, &run);
	wire_of(question, COUNTER_IDLE, dir, bytes * LITTLE, &idle);
	without_background(&run, &idle, counters, COUNTER_RUN);
	declared = tcp ? run.tcp : run.rdma;
	other = tcp ? run.rdma : run.tcp;
	evidence->declared = least(evidence->declared, declared / bytes);
	evidence->other = least(evidence->other, other / bytes);
	evidence->server = least(evidence->server, run.server / bytes);
	evidence->declared_bytes += declared;
	evidence->other_bytes += other;
	evidence->disturbed |=
	    background(idle.tcp, counters, COUNTER_RUN) > bytes * LITTLE ||
	    background(idle.rdma, counters, COUNTER_RUN) > bytes * LITTLE;
}

/* Were the bytes of the calibrating read on the wire, with the mount's servers? */
static void
weigh_trial(const struct proof_question *question, struct evidence *evidence)
{
	const struct counters *counters = question->counters;
	double bytes = (double)counters->trial_bytes;
	struct wire trial, idle;

	if (counters->trial_bytes == 0)
		return;
	wire_of(question, COUNTER_TRIAL, DIR_READ, bytes * LITTLE, &trial);
	wire_of(question, COUNTER_IDLE, DIR_READ, bytes * LITTLE, &idle);
	without_background(&trial, &idle, counters, COUNTER_TRIAL);
	evidence->server_saw = trial.server >= bytes * ENOUGH;
	evidence->wire_saw = trial.tcp + trial.rdma >= bytes * ENOUGH;
}

static struct evidence
weigh(const struct proof_question *question)
{
	struct evidence ret = {
	    .declared = INFINITY, .other = INFINITY, .server = INFINITY};

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		ret.bytes += (double)question->bytes[dir];
		if (question->bytes[dir])
			weigh_direction(question, dir, &ret);
	}
	weigh_trial(question, &ret);
	return ret;
}

/* ---- verdicts ---- */

static const char *
transport_word(unsigned transport)
{
	return transport == COUNTERS_TCP ? "TCP" : "RDMA";
}

static const char *
share_text(char buf[UNITS_BUF], double share)
{
	snprintf(buf, UNITS_BUF, "%.1f %%", share * 100);
	return buf;
}

static void __attribute__((format(printf, 3, 4)))
conclude(struct proof *ret, enum proof_verdict verdict, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	ret->text = mem_vprintf(fmt, ap);
	va_end(ap);
	ret->verdict = verdict;
}

/* By what the mount's own client says.  False: it does not tell. */
static bool
judge_mount(const struct proof_question *question, const struct evidence *evidence,
    struct proof *ret)
{
	const struct counters *counters = question->counters;
	unsigned said = counters->protocols;
	const char *what = transport_word(question->declared);
	char server[UNITS_BUF];

	if (said && !(said & question->declared)) {
		conclude(ret, PROOF_REFUTED, "%s (%s) runs over %s, not over %s",
		    counters->mount_point, counters->mount_fstype,
		    transport_word(said), what);
		return true;
	}
	if (said != question->declared || !isfinite(evidence->server) ||
	    evidence->server < ENOUGH)
		return false;
	conclude(ret, PROOF_PROVEN,
	    "%s (%s) runs over %s, and its client exchanged %s of the bytes with the "
	    "server",
	    counters->mount_point, counters->mount_fstype, what,
	    share_text(server, evidence->server));
	return true;
}

static bool
judge_counters(const struct proof_question *question, const struct evidence *evidence,
    struct proof *ret)
{
	const char *what = transport_word(question->declared);
	const char *that =
	    transport_word(question->declared ^ (COUNTERS_TCP | COUNTERS_RDMA));
	double declared = evidence->declared, other = evidence->other;
	bool said = question->counters->protocols == question->declared;
	char one[UNITS_BUF], two[UNITS_BUF];

	share_text(one, declared);
	share_text(two, other);
	if (declared >= ENOUGH && other >= ENOUGH && !said)
		conclude(ret, PROOF_UNKNOWN,
		    "the counters of %s and of %s both moved by the bytes and more",
		    what, that);
	else if (declared >= ENOUGH)
		conclude(ret, PROOF_PROVEN, "%s of the bytes are on %s by its counters",
		    one, what);
	else if (declared + other >= ENOUGH && other >= PART && !said)
		conclude(ret, PROOF_REFUTED,
		    "only %s of the bytes are on %s by its counters, and %s are on %s",
		    one, what, two, that);
	else
		return false;
	return true;
}

/* Who had seen the calibrating read saw little of it, and nobody saw more. */
static bool
is_cached(const struct evidence *evidence, double wire)
{
	if (wire >= CACHED || evidence->server >= CACHED)
		return false;
	return (!isnan(wire) && evidence->wire_saw) ||
	       (!isnan(evidence->server) && evidence->server_saw);
}

/* Neither counter accounts for the bytes. */
static void
judge_missing(const struct proof_question *question, const struct evidence *evidence,
    struct proof *ret)
{
	double wire = evidence->declared + evidence->other;
	double most = fmax(wire, evidence->server); /* prefers what is known */
	char one[UNITS_BUF];

	if (isnan(most)) {
		conclude(ret, PROOF_UNKNOWN,
		    "no counter of this host tells how much went over %s",
		    transport_word(question->declared));
		return;
	}
	share_text(one, most);
	ret->cached = is_cached(evidence, wire);
	conclude(ret, PROOF_UNKNOWN,
	    ret->cached
		? "only %s of the bytes crossed the network, where a read of known size "
		  "was seen before: a cache of this host served the rest"
		: "only %s of the bytes are on any counter: a client that passes the "
		  "kernel by, or a cache",
	    one);
}

void
proof_judge(const struct proof_question *question, struct proof *ret)
{
	struct evidence evidence;

	*ret = (struct proof){.declared_bytes = NAN,
	    .other_bytes = NAN,
	    .bytes = question->bytes[DIR_READ] + question->bytes[DIR_WRITE]};
	if (question->declared == 0)
		return;
	if (!question->counters || question->counters->ns[COUNTER_RUN] == 0) {
		conclude(ret, PROOF_UNKNOWN, "the agent gave no counters");
		return;
	}
	evidence = weigh(question);
	ret->declared_bytes = evidence.declared_bytes;
	ret->other_bytes = evidence.other_bytes;
	if (judge_mount(question, &evidence, ret))
		return;
	if (ret->bytes < BYTES_MIN)
		conclude(ret, PROOF_UNKNOWN, "fewer than 1 MiB were moved");
	else if (evidence.disturbed)
		conclude(ret, PROOF_UNKNOWN,
		    "others moved as much over this host's network before the run");
	else if (!judge_counters(question, &evidence, ret))
		judge_missing(question, &evidence, ret);
}

void
proof_free(struct proof *proof)
{
	free(proof->text);
	proof->text = NULL;
}

const char *
proof_verdict_name(enum proof_verdict verdict)
{
	return verdict_names[verdict];
}

enum proof_verdict
proof_verdict_parse(const char *name)
{
	for (int i = PROOF_UNKNOWN; name && i < PROOF_VERDICTS; i++)
		if (strcmp(verdict_names[i], name) == 0)
			return (enum proof_verdict)i;
	return PROOF_NONE;
}

enum proof_verdict
proof_verdict_merge(enum proof_verdict a, enum proof_verdict b)
{
	if (a == PROOF_NONE || b == PROOF_NONE)
		return a == PROOF_NONE ? b : a;
	if (a == PROOF_REFUTED || b == PROOF_REFUTED)
		return PROOF_REFUTED;
	return a == b ? a : PROOF_UNKNOWN;
}
