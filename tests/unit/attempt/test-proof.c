/* SPDX-License-Identifier: Apache-2.0 */
/* Which transport carried the bytes: a table of hosts, and what is to be said of each. */
#include "controller/attempt/proof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"

#define MB UINT64_C(1000000)
#define S UINT64_C(1000000000)
#define ZERO 1 /* byte: as good as nothing */

/* Bytes that a transport's counters rose by; 0: there is no such counter. */
struct host {
	const char *what;
	unsigned declared;
	uint64_t read, written; /* by the application */
	int64_t ports;
	uint64_t net_rx, net_tx, rdma_rx, rdma_tx, soft_rx, segments_in;
	uint64_t idle_net_rx, idle_rdma_rx; /* in a tenth of the run's time */
	unsigned protocols;
	uint64_t server_read;
	uint64_t trial, trial_net_rx, trial_rdma_rx, trial_server;
	enum proof_verdict verdict;
	bool cached;
	const char *text; /* part of it */
};

#define HOST(name) .what = name, .read = 1000 * MB
#define TCP COUNTERS_TCP
#define RDMA COUNTERS_RDMA

static const struct host hosts[] = {
    {HOST("RDMA carried it"), .declared = RDMA, .ports = 1, .net_rx = 2 * MB,
	.rdma_rx = 1010 * MB, .verdict = PROOF_PROVEN,
	.text = "101.0 % of the bytes are on RDMA"},
    {HOST("TCP carried it"), .declared = TCP, .ports = 1, .net_rx = 1020 * MB,
	.rdma_rx = ZERO, .verdict = PROOF_PROVEN, .text = "102.0 % of the bytes are on TCP"},
    {HOST("TCP on a host without RDMA"), .declared = TCP, .net_rx = 1020 * MB, .verdict = PROOF_PROVEN, .text = "on TCP"},
    {HOST("95 % is enough"), .declared = RDMA, .ports = 1, .net_rx = ZERO,
	.rdma_rx = 951 * MB, .verdict = PROOF_PROVEN, .text = "95.1 %"},
    {HOST("94 % is not, and nothing else moved"), .declared = RDMA, .ports = 1,
	.net_rx = ZERO, .rdma_rx = 940 * MB, .verdict = PROOF_UNKNOWN,
	.text = "only 94.0 % of the bytes are on any counter"},
    {HOST("fell back to TCP"), .declared = RDMA, .ports = 1, .net_rx = 1010 * MB,
	.rdma_rx = 1 * MB, .verdict = PROOF_REFUTED,
	.text = "only 0.1 % of the bytes are on RDMA by its counters, and 101.0 % are "
		"on TCP"},
    {HOST("fell back on some connections"), .declared = RDMA, .ports = 1,
	.net_rx = 400 * MB, .rdma_rx = 600 * MB, .verdict = PROOF_REFUTED,
	.text = "only 60.0 % of the bytes are on RDMA"},
    {HOST("RDMA where TCP was asked for"), .declared = TCP, .ports = 1,
	.net_rx = 1 * MB, .rdma_rx = 1010 * MB, .verdict = PROOF_REFUTED,
	.text = "101.0 % are on RDMA"},
    {HOST("RDMA without an RDMA device"), .declared = RDMA, .net_rx = 1010 * MB, .verdict = PROOF_REFUTED, .text = "only 0.0 %"},
    {HOST("a client that passes the kernel by"), .declared = RDMA, .ports = 1,
	.net_rx = 1 * MB, .rdma_rx = ZERO, .verdict = PROOF_UNKNOWN,
	.text = "a client that passes the kernel by, or a cache"},
    {HOST("a client that passes the kernel by, whose trial was not seen"),
	.declared = TCP, .ports = 1, .net_rx = 1 * MB, .rdma_rx = ZERO, .trial = 4 * MB,
	.verdict = PROOF_UNKNOWN, .text = "passes the kernel by"},
    {HOST("a cache, where the trial was seen"), .declared = TCP, .ports = 1,
	.net_rx = 30 * MB, .rdma_rx = ZERO, .trial = 4 * MB, .trial_net_rx = 4 * MB,
	.verdict = PROOF_UNKNOWN, .cached = true, .text = "only 3.0 % of the bytes"},
    {HOST("half of it from a cache is not far more"), .declared = TCP, .ports = 1,
	.net_rx = 510 * MB, .rdma_rx = ZERO, .trial = 4 * MB, .trial_net_rx = 4 * MB,
	.verdict = PROOF_UNKNOWN, .text = "only 51.0 %"},
    {HOST("the trial was seen on RDMA"), .declared = RDMA, .ports = 1,
	.net_rx = ZERO, .rdma_rx = 10 * MB, .trial = 4 * MB, .trial_rdma_rx = 4 * MB,
	.verdict = PROOF_UNKNOWN, .cached = true, .text = "a cache of this host"},
    {HOST("no counters of the RDMA device"), .declared = RDMA, .ports = 1,
	.net_rx = 1 * MB, .verdict = PROOF_UNKNOWN,
	.text = "no counter of this host tells how much went over RDMA"},
    {HOST("TCP moved, and the RDMA device tells nothing"), .declared = RDMA,
	.ports = 1, .net_rx = 1010 * MB, .verdict = PROOF_UNKNOWN,
	.text = "no counter of this host"},
    {HOST("one of two RDMA ports tells nothing"), .declared = RDMA, .ports = 2,
	.net_rx = 1 * MB, .rdma_rx = 200 * MB, .verdict = PROOF_UNKNOWN,
	.text = "no counter"},
    {HOST("one of two RDMA ports has it all"), .declared = RDMA, .ports = 2,
	.net_rx = 1 * MB, .rdma_rx = 1000 * MB, .verdict = PROOF_PROVEN,
	.text = "on RDMA"},
    {HOST("both counters moved by all of it"), .declared = RDMA, .ports = 1,
	.net_rx = 1010 * MB, .rdma_rx = 1010 * MB, .verdict = PROOF_UNKNOWN,
	.text = "both moved"},
    {HOST("others use the card"), .declared = RDMA, .ports = 1, .net_rx = 1010 * MB,
	.rdma_rx = ZERO, .idle_net_rx = 100 * MB, .verdict = PROOF_UNKNOWN,
	.text = "others moved as much"},
    {HOST("others use the card a little"), .declared = TCP, .ports = 1,
	.net_rx = 1040 * MB, .rdma_rx = ZERO, .idle_net_rx = 4 * MB,
	.verdict = PROOF_PROVEN, .text = "100.0 %"},
    {HOST("others use RDMA"), .declared = RDMA, .ports = 1, .net_rx = ZERO,
	.rdma_rx = 1010 * MB, .idle_rdma_rx = 90 * MB, .verdict = PROOF_UNKNOWN,
	.text = "others moved"},
    {HOST("the mount says TCP, whatever the card counts"), .declared = RDMA,
	.ports = 1, .net_rx = ZERO, .rdma_rx = 1010 * MB, .protocols = TCP,
	.verdict = PROOF_REFUTED, .text = "/mnt/x (nfs4) runs over TCP, not over RDMA"},
    {HOST("the mount says RDMA and has its bytes"), .declared = RDMA, .ports = 1,
	.net_rx = ZERO, .protocols = RDMA, .server_read = 1000 * MB,
	.idle_net_rx = 500 * MB, .verdict = PROOF_PROVEN,
	.text = "exchanged 100.0 % of the bytes with the server"},
    {HOST("the mount says RDMA and has few of its bytes"), .declared = RDMA,
	.ports = 1, .net_rx = ZERO, .rdma_rx = ZERO, .protocols = RDMA,
	.server_read = 10 * MB, .trial = 4 * MB, .trial_rdma_rx = 4 * MB,
	.verdict = PROOF_UNKNOWN, .cached = true, .text = "only 1.0 %"},
    {HOST("the mount's own count stands still"), .declared = RDMA, .ports = 1,
	.net_rx = ZERO, .rdma_rx = 600 * MB, .protocols = RDMA, .server_read = ZERO,
	.trial = 4 * MB, .trial_rdma_rx = 4 * MB, .verdict = PROOF_UNKNOWN,
	.text = "only 60.0 % of the bytes are on any counter"},
    {HOST("the mount's own count never moved"), .declared = RDMA, .ports = 1,
	.net_rx = ZERO, .protocols = RDMA, .server_read = ZERO,
	.trial = 4 * MB, .verdict = PROOF_UNKNOWN,
	.text = "only 0.0 % of the bytes are on any counter"},
    {HOST("the mount's own count saw the trial and no more"), .declared = RDMA,
	.ports = 1, .net_rx = ZERO, .protocols = RDMA, .server_read = 10 * MB,
	.trial = 4 * MB, .trial_server = 4 * MB, .verdict = PROOF_UNKNOWN,
	.cached = true, .text = "only 1.0 %"},
    {HOST("the mount has connections of both kinds"), .declared = RDMA, .ports = 1,
	.net_rx = ZERO, .rdma_rx = 1010 * MB, .protocols = TCP | RDMA,
	.server_read = 1000 * MB, .verdict = PROOF_PROVEN, .text = "on RDMA"},
    {HOST("RDMA in software"), .declared = RDMA, .ports = 1, .net_rx = 1040 * MB, .soft_rx = 1050 * MB, .segments_in = 20,
	.verdict = PROOF_PROVEN, .text = "on RDMA"},
    {HOST("TCP beside RDMA in software"), .declared = TCP, .ports = 1,
	.net_rx = 1020 * MB, .soft_rx = ZERO, .segments_in = 900000,
	.verdict = PROOF_PROVEN, .text = "on TCP"},
    {HOST("fell back from RDMA in software"), .declared = RDMA, .ports = 1,
	.net_rx = 1020 * MB, .soft_rx = 8192, .segments_in = 900000,
	.verdict = PROOF_REFUTED, .text = "102.0 % are on TCP"},
    {HOST("network traffic that is not TCP"), .declared = RDMA, .ports = 1,
	.net_rx = 1020 * MB, .rdma_rx = ZERO, .segments_in = 20,
	.verdict = PROOF_UNKNOWN, .text = "passes the kernel by"},
    {.what = "each direction has to be there", .declared = RDMA, .ports = 1,
	.read = 1000 * MB, .written = 1000 * MB, .net_rx = ZERO, .net_tx = ZERO,
	.rdma_rx = 2000 * MB, .rdma_tx = 10 * MB, .verdict = PROOF_UNKNOWN, .text = "only 1.0 %"},
    {.what = "writes go out", .declared = TCP, .ports = 1, .written = 1000 * MB,
	.net_rx = 1 * MB, .net_tx = 1030 * MB, .rdma_rx = ZERO, .rdma_tx = ZERO,
	.verdict = PROOF_PROVEN, .text = "103.0 %"},
    {.what = "too few bytes", .declared = TCP, .ports = 1, .read = 4096,
	.net_rx = 5000, .rdma_rx = ZERO, .verdict = PROOF_UNKNOWN,
	.text = "fewer than 1 MiB"},
};

static void
put(struct counters *counters, const char *object, const char *name, uint64_t run,
    uint64_t idle, uint64_t trial)
{
	struct counter *counter;

	if (run == 0)
		return;
	counter = counters_add(counters, object, name);
	for (int span = 0; span < COUNTER_SPANS; span++)
		counter->known[span] = true;
	counter->delta[COUNTER_RUN] = run;
	counter->delta[COUNTER_IDLE] = idle;
	counter->delta[COUNTER_TRIAL] = trial;
}

static struct counters *
counters_of(const struct host *host)
{
	struct counters *ret = counters_new();

	ret->ns[COUNTER_TRIAL] = S / 10;
	ret->ns[COUNTER_IDLE] = S;
	ret->ns[COUNTER_RUN] = 10 * S;
	ret->rdma_ports = host->ports;
	ret->protocols = host->protocols;
	ret->trial_bytes = host->trial;
	ret->mount_point = mem_strdup("/mnt/x");
	ret->mount_fstype = mem_strdup("nfs4");
	put(ret, "mount", "server_read_bytes", host->server_read, 0,
	    host->trial_server);
	put(ret, "net/eth0", "rx_bytes", host->net_rx, host->idle_net_rx,
	    host->trial_net_rx);
	put(ret, "net/eth0", "tx_bytes", host->net_tx, 0, 0);
	put(ret, "rdma/x/1", "rx_bytes", host->rdma_rx, host->idle_rdma_rx,
	    host->trial_rdma_rx);
	put(ret, "rdma/x/1", "rx_bytes_at_most", host->soft_rx, 0, 0);
	put(ret, "rdma/x/1", "tx_bytes", host->rdma_tx, 0, 0);
	put(ret, "tcp", "TcpInSegs", host->segments_in, 0, 100);
	return ret;
}

START_TEST(says_what_the_counters_allow)
{
	const struct host *host = &hosts[_i];
	struct proof_question question = {.declared = host->declared,
	    .bytes = {[DIR_READ] = host->read, [DIR_WRITE] = host->written}};
	struct counters *counters = counters_of(host);
	struct proof proof;

	question.counters = counters;
	proof_judge(&question, &proof);
	ck_assert_msg(proof.verdict == host->verdict, "%s: %s, %s", host->what,
	    proof_verdict_name(proof.verdict), proof.text);
	ck_assert_msg(
	    proof.cached == host->cached, "%s: %s", host->what, proof.text);
	ck_assert_msg(strstr(proof.text, host->text) != NULL, "%s: %s", host->what,
	    proof.text);
	proof_free(&proof);
	counters_free(counters);
}
END_TEST

START_TEST(says_nothing_without_a_question_or_counters)
{
	struct proof_question question = {
	    .declared = 0, .bytes = {[DIR_READ] = 1000 * MB}};
	struct counters *counters = counters_new();
	struct proof proof;

	proof_judge(&question, &proof);
	ck_assert_int_eq(proof.verdict, PROOF_NONE);
	ck_assert_ptr_null(proof.text);
	question.declared = RDMA;
	proof_judge(&question, &proof);
	ck_assert_int_eq(proof.verdict, PROOF_UNKNOWN);
	ck_assert_str_eq(proof.text, "the agent gave no counters");
	proof_free(&proof);
	question.counters = counters;
	proof_judge(&question, &proof);
	ck_assert_int_eq(proof.verdict, PROOF_UNKNOWN);
	proof_free(&proof);
	counters_free(counters);
}
END_TEST

/* Over 8 GiB, a counter of 32-bit words may have begun again unnoticed. */
START_TEST(a_narrow_counter_proves_but_does_not_refute)
{
	static const struct {
		uint64_t bytes, moved;
		enum proof_verdict verdict;
	} cases[] = {{20000 * MB, 20100 * MB, PROOF_PROVEN},
	    {20000 * MB, 100 * MB, PROOF_UNKNOWN}, {2000 * MB, 10 * MB, PROOF_REFUTED}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct host host = {HOST("narrow"), .ports = 1,
		    .net_rx = cases[i].bytes, .rdma_rx = cases[i].moved};
		struct proof_question question = {
		    .declared = RDMA, .bytes = {[DIR_READ] = cases[i].bytes}};
		struct counters *counters;
		struct proof proof;

		if (cases[i].verdict == PROOF_PROVEN)
			host.net_rx = ZERO;
		counters = counters_of(&host);
		for (vec_each(struct counter *, it, &counters->list))
			it->narrow = strcmp(it->object, "rdma/x/1") == 0;
		question.counters = counters;
		proof_judge(&question, &proof);
		ck_assert_msg(
		    proof.verdict == cases[i].verdict, "%zu: %s", i, proof.text);
		proof_free(&proof);
		counters_free(counters);
	}
}
END_TEST

START_TEST(verdicts_merge)
{
	ck_assert_int_eq(
	    proof_verdict_merge(PROOF_NONE, PROOF_PROVEN), PROOF_PROVEN);
	ck_assert_int_eq(
	    proof_verdict_merge(PROOF_PROVEN, PROOF_PROVEN), PROOF_PROVEN);
	ck_assert_int_eq(
	    proof_verdict_merge(PROOF_PROVEN, PROOF_UNKNOWN), PROOF_UNKNOWN);
	ck_assert_int_eq(
	    proof_verdict_merge(PROOF_UNKNOWN, PROOF_REFUTED), PROOF_REFUTED);
	ck_assert_int_eq(
	    proof_verdict_merge(PROOF_REFUTED, PROOF_PROVEN), PROOF_REFUTED);
	ck_assert_int_eq(proof_verdict_parse("refuted"), PROOF_REFUTED);
	ck_assert_int_eq(proof_verdict_parse("maybe"), PROOF_NONE);
	ck_assert_int_eq(proof_verdict_parse(NULL), PROOF_NONE);
	ck_assert_str_eq(proof_verdict_name(PROOF_PROVEN), "proven");
	ck_assert_ptr_null(proof_verdict_name(PROOF_NONE));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("proof");

	tcase_add_loop_test(tcase, says_what_the_counters_allow, 0,
	    (int)(sizeof hosts / sizeof *hosts));
	tcase_add_test(tcase, says_nothing_without_a_question_or_counters);
	tcase_add_test(tcase, a_narrow_counter_proves_but_does_not_refute);
	tcase_add_test(tcase, verdicts_merge);
	return suite_run("proof", tcase);
}
