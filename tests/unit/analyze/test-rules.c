/* SPDX-License-Identifier: Apache-2.0 */
/* Each rule on what it is for, and on a near miss that must stay silent. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/ceiling.h"
#include "tests/unit/analyze/build.h"
#include "tests/unit/suite.h"

#define GIB 0x1p30

static struct model model;
static struct findings findings;

static void
run(void)
{
	build_analyze(&model, &findings);
}

static void
reset(void)
{
	findings_free(&findings);
	model_free(&model);
}

#define CELL(transport, clients, ...) \
	build_cell(&model, "S", "seq-read-1m", transport, clients, \
	    (const double[]){__VA_ARGS__}, \
	    sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* ---- rdma-inversion with repeats ---- */

/* Deterministic repeats with exactly this relative deviation and place. */
static const double shape[5] = {-1.2649, 0.6325, 0, 1.2649, -0.6325}; /* sd 1 */
static const double other[5] = {0.6325, -1.2649, 1.2649, -0.6325, 0};

static void
pair(double change, double rsd)
{
	double tcp[5], rdma[5];

	for (int i = 0; i < 5; i++) {
		tcp[i] = 100 * exp(rsd * shape[i]);
		rdma[i] = 100 * (1 + change) * exp(rsd * other[i]);
	}
	build_cell(&model, "S", "seq-read-1m", "tcp", 8, tcp, 5);
	build_cell(&model, "S", "seq-read-1m", "rdma", 8, rdma, 5);
}

START_TEST(test_repeats)
{
	const struct finding *it;

	pair(-0.15, 0.03);
	run();
	it = found_at(&findings, "rdma-inversion", 0);
	ck_assert(it && it->severity == SEVERITY_CRITICAL);
	ck_assert_int_eq(it->verdict, VERDICT_WORSE);
	ck_assert_double_eq_tol(it->cells.v[0].effect, -0.15, 1e-3);
	ck_assert(it->cells.v[0].low < -0.15 && it->cells.v[0].high < -0.05);
	ck_assert_uint_eq(it->cells.v[0].n, 5);
	ck_assert(says(&it->evidence, "paired"));
	reset();
	/* -6 % and 0 in a spread of 8 %: nobody can tell */
	pair(-0.06, 0.08);
	run();
	ck_assert_uint_eq(found(&findings, "rdma-inversion"), 0);
	reset();
	pair(0, 0.08);
	run();
	ck_assert_uint_eq(found(&findings, "rdma-inversion"), 0);
	reset();
	/* -12 % in it: said, but inconclusive */
	pair(-0.12, 0.10);
	run();
	it = found_at(&findings, "rdma-inversion", 0);
	ck_assert(it && it->severity == SEVERITY_INFO);
	ck_assert_int_eq(it->verdict, VERDICT_INCONCLUSIVE);
	reset();
}
END_TEST

START_TEST(test_verdicts)
{
	struct contrast c;

	pair(-0.06, 0.08);
	model_close(&model);
	contrast_cells(&model, family_find(model.families.v, "tcp", 8),
	    family_find(model.families.v, "rdma", 8), METRIC_RATE, 0.95, 0.05, &c);
	ck_assert_int_eq(c.verdict, VERDICT_INCONCLUSIVE);
	ck_assert(c.paired && c.n == 5 && contrast_detectable(&c) > 0.1);
	reset();
	pair(0, 0.01);
	model_close(&model);
	contrast_cells(&model, family_find(model.families.v, "tcp", 8),
	    family_find(model.families.v, "rdma", 8), METRIC_RATE, 0.95, 0.05, &c);
	ck_assert_int_eq(c.verdict, VERDICT_EQUIVALENT);
	reset();
	pair(0.20, 0.01);
	model_close(&model);
	contrast_cells(&model, family_find(model.families.v, "tcp", 8),
	    family_find(model.families.v, "rdma", 8), METRIC_RATE, 0.95, 0.05, &c);
	ck_assert_int_eq(c.verdict, VERDICT_BETTER);
	ck_assert_double_eq_tol(c.hl, c.effect, 0.02);
	reset();
}
END_TEST

/* One run on each side: a suspect, unless this storage's repeats differ as much. */
START_TEST(test_single)
{
	struct rng rng;
	const struct finding *it;

	CELL("tcp", 8, 100);
	CELL("rdma", 8, 88);
	run();
	it = found_at(&findings, "rdma-inversion", 0);
	ck_assert(it && it->severity == SEVERITY_WARNING);
	ck_assert_int_eq(it->verdict, VERDICT_SUSPECT);
	ck_assert(says(&it->evidence, "noise unknown"));
	reset();
	rng_seed(&rng, 3);
	CELL("tcp", 8, 100);
	CELL("rdma", 8, 88);
	for (unsigned clients = 1; clients < 6; clients++)
		build_noisy(&model, &rng, "S", "other", "tcp", clients, 100, 0.08, 5);
	run();
	it = found_for(&findings, "rdma-inversion", "S", "seq-read-1m");
	ck_assert(it && it->severity == SEVERITY_INFO);
	ck_assert_int_eq(it->verdict, VERDICT_INCONCLUSIVE);
	reset();
	CELL("tcp", 8, 100);
	CELL("rdma", 8, 91); /* not beyond the threshold */
	run();
	ck_assert_uint_eq(found(&findings, "rdma-inversion"), 0);
	reset();
}
END_TEST

/* Two runs a side that agree by luck: never critical, and noise of others counts. */
START_TEST(test_two)
{
	const struct finding *it;
	struct rng rng;

	CELL("tcp", 8, 100, 100.1);
	CELL("rdma", 8, 85, 85.1);
	run();
	it = found_at(&findings, "rdma-inversion", 0);
	ck_assert(it && it->severity == SEVERITY_WARNING);
	ck_assert_int_eq(it->verdict, VERDICT_SUSPECT);
	reset();
	rng_seed(&rng, 3);
	CELL("tcp", 8, 100, 100.1);
	CELL("rdma", 8, 85, 85.1);
	for (unsigned clients = 1; clients < 6; clients++)
		build_noisy(&model, &rng, "S", "other", "tcp", clients, 100, 0.12, 5);
	run();
	it = found_for(&findings, "rdma-inversion", "S", "seq-read-1m");
	ck_assert(it && it->severity == SEVERITY_INFO);
	ck_assert(says(&it->evidence, "may be noise"));
	reset();
}
END_TEST

/* ---- validity ---- */

static void
add_reason(struct cell *cell, size_t i, const char *code, enum attempt_state makes)
{
	*vec_add(&cell->samples.v[i].reasons) = (struct sample_reason){
	    mem_strdup(code), NULL, mem_strdup("because"), makes};
	cell->samples.v[i].state = makes;
}

START_TEST(test_invalid_takes_no_part)
{
	struct cell *rdma;
	const struct finding *first;

	CELL("tcp", 8, 100, 101, 99);
	rdma = CELL("rdma", 8, 50, 51, 49);
	for (size_t i = 0; i < 3; i++)
		add_reason(rdma, i, "skew", ATTEMPT_INVALID);
	run();
	ck_assert_uint_eq(found(&findings, "rdma-inversion"), 0);
	ck_assert_uint_eq(found(&findings, "validity"), 1);
	first = findings.list.v;
	ck_assert_str_eq(first->rule->id, "validity");
	ck_assert_int_eq(first->severity, SEVERITY_CRITICAL);
	ck_assert_uint_eq(first->cells.n, 1);
	ck_assert(strstr(first->scope, "3 of them INVALID"));
	reset();
}
END_TEST

/* Figures in doubt come first, even before what is critical. */
START_TEST(test_validity_outranks)
{
	struct cell *cell;

	pair(-0.3, 0.01);
	cell = CELL("tcp", 16, 100, 101);
	add_reason(cell, 0, "client-lost", ATTEMPT_PARTIAL);
	cell = CELL("tcp", 30, 100);
	*vec_add(&cell->samples.v[0].reasons) = (struct sample_reason){
	    mem_strdup("imported"), NULL, mem_strdup("x"), ATTEMPT_VALID};
	run();
	ck_assert_uint_eq(found(&findings, "validity"), 1);
	ck_assert_str_eq(findings.list.v[0].rule->id, "validity");
	ck_assert_int_eq(findings.list.v[0].severity, SEVERITY_WARNING);
	ck_assert_str_eq(findings.list.v[1].rule->id, "rdma-inversion");
	reset();
}
END_TEST

/* ---- scale ---- */

START_TEST(test_scale_inversion)
{
	const struct finding *it;

	CELL("tcp", 1, 10, 10.1, 9.9);
	CELL("tcp", 8, 80, 80.8, 79.2);
	CELL("tcp", 16, 60, 60.6, 59.4);
	CELL("tcp", 30, 50, 50.5, 49.5);
	run();
	it = found_at(&findings, "scale-inversion", 0);
	ck_assert(it && it->severity == SEVERITY_CRITICAL && it->onset == 16);
	ck_assert_uint_eq(it->cells.n, 2);
	ck_assert(strstr(it->title, "falls by 37.5 % from 8 to 30"));
	reset();
	CELL("tcp", 1, 10);
	CELL("tcp", 8, 80);
	CELL("tcp", 16, 74); /* -7.5 % */
	run();
	ck_assert_uint_eq(found(&findings, "scale-inversion"), 0);
	reset();
}
END_TEST

START_TEST(test_scale_efficiency)
{
	const struct finding *it;

	CELL("tcp", 1, 10);
	CELL("tcp", 2, 20);
	CELL("tcp", 4, 40);
	CELL("tcp", 8, 48);
	CELL("tcp", 16, 48);
	run();
	it = found_at(&findings, "scale-efficiency", 0);
	ck_assert(says(&it->evidence, "100 % at 2, 100 % at 4, 60 % at 8, 30 % at 16"));
	ck_assert(says(&it->evidence, "saturates at about 4.8 clients"));
	ck_assert(says(&it->evidence, "sigma"));
	reset();
	/* three scales: the law is not fitted; a line that only grows has no plateau */
	CELL("tcp", 2, 10);
	CELL("tcp", 4, 20);
	CELL("tcp", 8, 40);
	run();
	it = found_at(&findings, "scale-efficiency", 0);
	ck_assert(says(&it->evidence, "not fitted, 3 scales"));
	ck_assert(says(&it->evidence, "grows up to the largest scale measured (8)"));
	ck_assert(says(&it->evidence, "against 2 clients"));
	reset();
	/* flat from the first scale on: where it began is not in the data */
	CELL("tcp", 8, 100);
	CELL("tcp", 16, 100);
	CELL("tcp", 32, 101);
	run();
	it = found_at(&findings, "scale-efficiency", 0);
	ck_assert(says(&it->evidence,
	    "saturated at the smallest scale measured already (8), at 100.5 B/s"));
	reset();
}
END_TEST

START_TEST(test_late_rise)
{
	const struct finding *it;

	CELL("tcp", 8, 22.5, 22.4, 22.6);
	CELL("tcp", 16, 23, 23.1, 22.9);
	CELL("tcp", 30, 46, 46.1, 45.9);
	run();
	it = found_at(&findings, "late-rise", 0);
	ck_assert(it && it->onset == 30 && it->verdict == VERDICT_BETTER);
	reset();
	CELL("tcp", 8, 20);
	CELL("tcp", 16, 25); /* still rising */
	CELL("tcp", 30, 46);
	run();
	ck_assert_uint_eq(found(&findings, "late-rise"), 0);
	reset();
}
END_TEST

/* ---- ceiling ---- */

START_TEST(test_payload)
{
	const struct plan_links jumbo = {1, 9000, 400000000000};
	const struct plan_links small = {1, 1500, 100000000000};
	const struct plan_links none = {0};

	ck_assert_double_eq_tol(ceiling_payload("tcp", &jumbo) / GIB, 46.10, 0.005);
	ck_assert_double_eq_tol(ceiling_payload("rdma", &jumbo) / GIB, 45.65, 0.005);
	ck_assert_double_eq_tol(ceiling_payload("tcp", &small) / GIB, 10.96, 0.005);
	ck_assert_double_eq_tol(ceiling_payload("rdma", &small) / GIB, 10.78, 0.005);
	ck_assert(isnan(ceiling_payload("tcp", &none)));
	ck_assert(isnan(ceiling_payload("local", &jumbo)));
}
END_TEST

START_TEST(test_ceiling)
{
	const struct plan_links link = {1, 9000, 400000000000};
	const struct plan_links four = {4, 9000, 400000000000};
	static const double rates[] = {0.89, 0.91, 1.01, 1.03};
	static const char *const rules[] = {
	    NULL, "ceiling", "ceiling", "above-ceiling"};

	for (size_t i = 0; i < 4; i++) {
		struct cell *cell = CELL("tcp", 2, rates[i] * 46.1 * 2 * GIB);

		/* two clients with a link each, a storage with four: the clients limit */
		cell->client_links = link;
		cell->storage_links = four;
		run();
		ck_assert_uint_eq(found(&findings, "ceiling"),
		    rules[i] && strcmp(rules[i], "ceiling") == 0);
		ck_assert_uint_eq(found(&findings, "above-ceiling"),
		    rules[i] && strcmp(rules[i], "above-ceiling") == 0);
		reset();
	}
}
END_TEST

/* ---- latency ---- */

/* A cell above its ceiling stays, and its counters are told. */
START_TEST(test_ceiling_and_wire)
{
	const struct plan_links link = {1, 9000, 400000000000};
	struct cell *cell = CELL("tcp", 1, 60 * GIB);

	cell->client_links = link;
	cell->samples.v[0].wire_share = 0.31;
	run();
	ck_assert(says(&found_at(&findings, "above-ceiling", 0)->evidence,
	    "by the counters of its clients 31.0 % of the bytes crossed the network"));
	reset();
	cell = CELL("tcp", 1, 60 * GIB);
	cell->client_links = link;
	run();
	ck_assert(!says(
	    &found_at(&findings, "above-ceiling", 0)->evidence, "by the counters"));
	reset();
}
END_TEST

START_TEST(test_little)
{
	struct cell *cell = CELL("tcp", 2, 100);

	cell->in_flight = asked_in_flight("libaio", 2, 16, 4);
	cell->samples.v[0].value[METRIC_IOPS] = 64000;
	cell->samples.v[0].value[METRIC_LAT] = 2e6; /* 128 in flight: as asked */
	run();
	ck_assert_uint_eq(found(&findings, "latency"), 0);
	reset();
	cell = CELL("tcp", 2, 100);
	cell->in_flight = 128;
	cell->samples.v[0].value[METRIC_IOPS] = 64000;
	cell->samples.v[0].value[METRIC_LAT] = 1e6;
	run();
	ck_assert(says(&found_at(&findings, "latency", 0)->evidence,
	    "64.0 I/Os in flight, the job asks for 128"));
	ck_assert_int_eq(found_at(&findings, "latency", 0)->severity, SEVERITY_INFO);
	reset();
	cell = CELL("tcp", 2, 100);
	cell->in_flight = 128;
	cell->samples.v[0].value[METRIC_IOPS] = 64000;
	cell->samples.v[0].value[METRIC_LAT] = 4e6; /* more than the job allows */
	run();
	ck_assert_int_eq(found_at(&findings, "latency", 0)->severity, SEVERITY_WARNING);
	reset();
	ck_assert_double_eq(asked_in_flight("psync", 2, 16, 4), 8);
	ck_assert(isnan(asked_in_flight("libaio", 2, NAN, 4)));
}
END_TEST

START_TEST(test_tail)
{
	struct cell *tcp = CELL("tcp", 2, 100), *rdma;

	tcp->samples.v[0].value[METRIC_P50] = 1e6;
	tcp->samples.v[0].value[METRIC_P999] = 4e6;
	rdma = CELL("rdma", 2, 100);
	rdma->samples.v[0].value[METRIC_P50] = 0.9e6;
	rdma->samples.v[0].value[METRIC_P999] = 9e6;
	run();
	ck_assert_uint_eq(found(&findings, "latency"), 1);
	ck_assert(
	    strstr(found_at(&findings, "latency", 0)->title, "RDMA has the longer"));
	reset();
	tcp = CELL("tcp", 2, 100);
	tcp->samples.v[0].value[METRIC_P50] = 1e6;
	tcp->samples.v[0].value[METRIC_P999] = 25e6;
	tcp->samples.v[0].modes = (struct sample_modes){true, 1e5, 1e7, 0.3};
	run();
	ck_assert_uint_eq(found(&findings, "latency"), 2); /* tail and humps */
	reset();
}
END_TEST

/* ---- straggler ---- */

static void
add_clients(struct cell *cell, size_t i, const double *rates, size_t n)
{
	for (size_t k = 0; k < n; k++)
		*vec_add(&cell->samples.v[i].clients) = (struct sample_client){
		    mem_printf("gpu%02zu", k + 1), rates[k], NAN};
}

START_TEST(test_straggler)
{
	const double slow[] = {10, 10.1, 5, 9.9, 10.05},
		     fine[] = {10, 10.1, 8.5, 9.9, 10};
	const struct finding *it;
	struct cell *cell;

	cell = CELL("tcp", 5, 45, 45);
	add_clients(cell, 0, slow, 5);
	add_clients(cell, 1, slow, 5);
	run();
	it = found_at(&findings, "straggler", 0);
	ck_assert(it && found(&findings, "straggler") == 1);
	ck_assert_str_eq(it->title, "client gpu03 is up to 50 % behind its peers");
	ck_assert_str_eq(it->scope, "in 2 of the 2 runs that it took part in");
	reset();
	cell = CELL("tcp", 5, 45); /* 15 % behind is not 20 */
	add_clients(cell, 0, fine, 5);
	run();
	ck_assert_uint_eq(found(&findings, "straggler"), 0);
	reset();
	cell = CELL("tcp", 3, 45); /* three have no middle */
	add_clients(cell, 0, slow, 3);
	cell->samples.v[0].first_done_s = 10;
	cell->samples.v[0].last_done_s = 12;
	run();
	it = found_at(&findings, "straggler", 0);
	ck_assert(it && strcmp(it->title, "clients end far apart") == 0);
	reset();
}
END_TEST

/* ---- noise ---- */

START_TEST(test_noise)
{
	struct cell *cell;

	CELL("tcp", 8, 100, 112, 90, 104);
	run();
	ck_assert(strstr(found_at(&findings, "noise", 0)->title, "repeats differ"));
	reset();
	CELL("tcp", 8, 100, 103, 98, 101);
	run();
	ck_assert_uint_eq(found(&findings, "noise"), 0);
	reset();
	CELL("tcp", 8, 100, 98.1, 96, 93.9, 92, 90.1); /* each a little slower */
	run();
	ck_assert_uint_eq(found(&findings, "noise"), 1);
	ck_assert(strstr(found_at(&findings, "noise", 0)->title, "drift"));
	reset();
	cell = CELL("tcp", 8, 100, 100, 100);
	for (size_t i = 0; i < 3; i++)
		cell->samples.v[i].course = (struct sample_course){0.25, 0.2, 10, 0.9};
	run();
	ck_assert_uint_eq(found(&findings, "noise"), 3); /* unsteady, period, warm-up */
	reset();
}
END_TEST

/* ---- balance, sweep, fabric ---- */

START_TEST(test_balance)
{
	const struct finding *it;

	build_cell(&model, "X", "seq-read", "tcp", 8, (const double[]){10 * GIB}, 1);
	build_cell(&model, "Y", "seq-read", "tcp", 8, (const double[]){5 * GIB}, 1);
	build_cell(&model, "X", "seq-write", "tcp", 8, (const double[]){5 * GIB}, 1);
	build_cell(&model, "Y", "seq-write", "rdma", 8, (const double[]){9 * GIB}, 1);
	run();
	it = found_at(&findings, "balance", 0);
	ck_assert_str_eq(it->title, "no storage is best at all reads and all writes");
	ck_assert(
	    says(&it->evidence, "1. X 10.00 GiB/s (tcp), 2. Y 5.000 GiB/s (tcp)"));
	reset();
	build_cell(&model, "X", "seq-read", "tcp", 8, (const double[]){10 * GIB}, 1);
	build_cell(&model, "Y", "seq-read", "tcp", 8, (const double[]){9.8 * GIB}, 1);
	run();
	it = found_at(&findings, "balance", 0);
	ck_assert(
	    says(&it->evidence, "1. X 10.00 GiB/s (tcp), 1. Y 9.800 GiB/s (tcp)"));
	reset();
}
END_TEST

static void
add_point(double depth, double rate, double lat)
{
	char *axis = mem_printf("iodepth=%g", depth);
	struct cell *cell = model_add(&model, "S", "rand-read", axis, "tcp", 4);
	struct sample *sample = cell_add(cell, 0, 1);

	cell->iodepth = depth;
	cell->numjobs = 2;
	cell->block_bytes = 4096;
	sample->value[METRIC_RATE] = rate;
	sample->value[METRIC_LAT] = lat;
	free(axis);
}

START_TEST(test_sweep)
{
	const struct finding *it;

	add_point(1, 50, 1e5);
	add_point(2, 99, 1.01e5);
	add_point(4, 100, 2e5);
	add_point(8, 98, 4e5);
	run();
	it = found_at(&findings, "sweep-peak", 0);
	ck_assert(says(&it->evidence, "tcp, 4 clients: saturates at qd2 x 2 (99.00 B/s "
				      "at 101.0 us); best qd4 x 2"));
	ck_assert(says(&it->evidence, "only latency is bought by qd4 x 2"));
	reset();
	add_point(1, 50, 1e5);
	add_point(2, 99, 1e5);
	add_point(4, 180, 1e5);
	run();
	ck_assert(says(&found_at(&findings, "sweep-peak", 0)->evidence,
	    "still grows at the deepest point, qd4 x 2"));
	reset();
	add_point(1, 50, 1e5); /* two points are no sweep */
	add_point(2, 99, 1e5);
	run();
	ck_assert_uint_eq(found(&findings, "sweep-peak"), 0);
	reset();
}
END_TEST

static void
add_counter(struct cell *cell, const char *object, const char *name, double delta)
{
	*vec_add(&cell->samples.v[0].counters) = (struct sample_counter){
	    mem_strdup("gpu01"), mem_strdup(object), mem_strdup(name), delta, delta / 2};
}

START_TEST(test_fabric)
{
	const struct finding *it;
	struct cell *cell;

	CELL("tcp", 8, 100);
	cell = CELL("rdma", 8, 50);
	/* more of others' than there is room for must not hide the transport's own */
	for (int i = 0; i < 6; i++)
		add_counter(cell, "tcp", "TCPOFOQueue", 5000 + i);
	add_counter(cell, "rdma/mlx5_0/1", "out_of_sequence", 1234);
	add_counter(cell, "rdma/mlx5_0/1", "local_ack_timeout_err", 3);
	add_counter(cell, "net/eth0", "rx_prio3_pause", 0); /* did not rise */
	add_counter(cell, "net/eth0", "unheard_of", 7);
	run();
	it = found_at(&findings, "rdma-inversion", 0);
	ck_assert(says(&it->evidence,
	    "out_of_sequence on gpu01 (rdma/mlx5_0/1) rose by 1234 packets, 617/s: loss "
	    "or reordering towards this host"));
	ck_assert(says(&it->evidence,
	    "local_ack_timeout_err on gpu01 (rdma/mlx5_0/1) rose by 3 events, 1.5/s, "
	    "from this host: time-outs"));
	ck_assert(says(&it->evidence, "TCPOFOQueue on gpu01 (tcp) rose by 5005"));
	ck_assert(!says(&it->evidence, "rose by 5000"));
	ck_assert(!says(&it->evidence, "prio3") && !says(&it->evidence, "unheard"));
	reset();
	/* a drop that noise might explain too */
	pair(-0.12, 0.10);
	for (vec_each(struct cell *, one, &model.cells))
		if (strcmp(one->transport, "rdma") == 0)
			add_counter(one, "rdma/mlx5_0/1", "out_of_sequence", 7);
	run();
	it = found_at(&findings, "rdma-inversion", 0);
	ck_assert(it && it->verdict == VERDICT_INCONCLUSIVE);
	ck_assert(says(&it->evidence, "rose by 7 packets"));
	reset();
}
END_TEST

START_TEST(test_thresholds)
{
	struct thresholds t;
	struct err err = ERR_INIT;

	thresholds_default(&t);
	ck_assert_double_eq(t.anomaly, 0.10);
	ck_assert(thresholds_set(&t, "anomaly=20%", &err) == 0 && t.anomaly == 0.20);
	ck_assert(
	    thresholds_set(&t, "tail_spread=50", &err) == 0 && t.tail_spread == 50);
	ck_assert(thresholds_set(&t, "anomaly=-3", &err) < 0);
	ck_assert_str_eq(
	    err.msg, "threshold 'anomaly': '-3' is not a percentage above 0");
	ck_assert(thresholds_set(&t, "anomaly", &err) < 0);
	ck_assert(thresholds_set(&t, "anomal=3", &err) < 0);
	ck_assert(strstr(err.msg, "no threshold 'anomal'; there are margin, anomaly"));
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("rules", test_repeats, test_verdicts, test_single, test_two,
	    test_invalid_takes_no_part, test_validity_outranks, test_scale_inversion,
	    test_scale_efficiency, test_late_rise, test_payload, test_ceiling,
	    test_ceiling_and_wire,
	    test_little, test_tail, test_straggler, test_noise, test_balance,
	    test_sweep, test_fabric, test_thresholds);
}
