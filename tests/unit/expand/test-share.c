/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs of one workload: how many clients each takes, and the case that follows. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "controller/expand/cases.h"
#include "lib/base/mem.h"
#include "tests/unit/suite.h"

#define PLAN(clients, jobs)                                                            \
	"plan: p\nstorage: [{name: s, paths: {tcp: /s}}]\nclients: " clients           \
	"\ndefaults: {size: 1g}\nworkloads:\n  - name: w\n    jobs:\n" jobs

static struct plan *plan;
static struct cases *cases;

static void
expand(const char *text)
{
	struct err err = ERR_INIT;

	plan = plan_parse("p.yaml", text, strlen(text), &err);
	ck_assert_msg(plan != NULL, "%s", err.msg);
	cases = cases_expand(plan, &err);
	ck_assert_msg(cases != NULL, "%s", err.msg);
}

static void
done(void)
{
	cases_free(cases);
	plan_free(plan);
}

static void
refused(const char *text, const char *want)
{
	struct err err = ERR_INIT;

	plan = plan_parse("p.yaml", text, strlen(text), &err);
	ck_assert_msg(plan != NULL, "%s", err.msg);
	ck_assert_ptr_null(cases_expand(plan, &err));
	ck_assert_str_eq(err.msg, want);
	plan_free(plan);
}

/* Shares of n clients, by hand: largest remainder, of equal ones the first. */
static const struct {
	double percent[3];
	unsigned n, want[3];
} shares[] = {
    {{70, 30, 0}, 10, {7, 3, 0}},
    {{70, 30, 0}, 30, {21, 9, 0}},
    {{70, 30, 0}, 3, {2, 1, 0}},   /* 2.1 0.9: the second is cut more */
    {{50, 50, 0}, 5, {3, 2, 0}},   /* 2.5 2.5: the first */
    {{33, 33, 34}, 10, {3, 3, 4}}, /* 3.3 3.3 3.4 */
    {{60, 30, 0}, 10, {6, 3, 0}},  /* one is idle */
    {{33.3, 33.3, 33.4}, 3, {1, 1, 1}},
};

START_TEST(shares_are_rounded)
{
	struct plan_job jobs[3] = {0};
	struct plan_workload workload = {0};
	unsigned got[3] = {0};
	struct err err = ERR_INIT;
	size_t job;

	for (int i = 0; i < 3 && shares[_i].percent[i] > 0; i++) {
		jobs[i].clients.kind = PLAN_CLIENTS_SHARE;
		jobs[i].clients.percent = shares[_i].percent[i];
		workload.jobs.n++;
	}
	workload.jobs.v = jobs;
	ck_assert_msg(
	    cases_share(&workload, shares[_i].n, got, &job, &err) == 0, "%s", err.msg);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(got[i], shares[_i].want[i]);
}
END_TEST

START_TEST(clients_of_each_job)
{
	const struct plan_case *c;

	expand(PLAN("10", "      - {name: r, clients: 70%, rw: randread, bs: 4k}\n"
			  "      - {name: w, clients: 2, rw: write, bs: 1m}\n"
			  "      - {name: log, rw: write, bs: 4k, directory: logs}\n"));
	ck_assert_uint_eq(cases->cases.n, 1);
	c = cases->cases.v;
	ck_assert_uint_eq(c->parts.n, 3);
	ck_assert_str_eq(c->parts.v[0].job.name, "r");
	ck_assert_uint_eq(c->parts.v[0].first, 0);
	ck_assert_uint_eq(c->parts.v[0].clients, 7);
	ck_assert_uint_eq(c->parts.v[1].first, 7);
	ck_assert_uint_eq(c->parts.v[1].clients, 2);
	ck_assert_uint_eq(c->parts.v[2].first, 0);
	ck_assert_uint_eq(c->parts.v[2].clients, 10);
	ck_assert_str_eq(c->parts.v[0].job.directory, "/s");
	ck_assert_str_eq(c->parts.v[2].job.directory, "/s/logs");
	ck_assert(case_runs(c, 0, 6, NULL) && !case_runs(c, 0, 7, NULL));
	ck_assert(!case_runs(c, 1, 6, NULL) && case_runs(c, 1, 7, NULL) && case_runs(c, 1, 8, NULL));
	ck_assert(case_runs(c, 2, 9, NULL));
	/* 7 + 2 + 10 files of 1 GiB */
	ck_assert_double_eq(case_dataset_bytes(c), 19.0 * (1 << 30));
	ck_assert(case_writes(c));
	/* The same client draws other numbers in each job. */
	ck_assert_uint_ne(
	    case_client_seed(c, 0, 1, 0, 1), case_client_seed(c, 2, 1, 0, 1));
	done();
}
END_TEST

START_TEST(clients_by_name)
{
	const struct plan_case *c;

	expand(PLAN("10", "      - {name: r, clients: 'gpu[01-03]'}\n"
			  "      - {name: w, clients: 'gpu[04-10],spare', rw: write}\n"));
	c = cases->cases.v;
	ck_assert_uint_eq(c->parts.v[0].clients, 3);
	ck_assert_uint_eq(c->parts.v[1].clients, 8);
	ck_assert(case_runs(c, 0, 9, "gpu02") && !case_runs(c, 1, 9, "gpu02"));
	ck_assert(!case_runs(c, 0, 0, "gpu10") && case_runs(c, 1, 0, "gpu10"));
	ck_assert(!case_runs(c, 0, 0, NULL));
	done();
}
END_TEST

static const char *
param(const struct plan_case *c, const char *name)
{
	for (vec_each(const struct case_param *, p, &c->params))
		if (strcmp(p->name, name) == 0)
			return p->value;
	return NULL;
}

START_TEST(parameters_of_several_jobs)
{
	expand(PLAN("4", "      - {name: r, rw: randread, bs: 4k}\n"
			 "      - {name: w, rw: write, bs: 4k, fsync: 8}\n"));
	ck_assert_str_eq(param(cases->cases.v, "rw"), "randread+write");
	ck_assert_str_eq(param(cases->cases.v, "bs"), "4096");
	ck_assert_str_eq(param(cases->cases.v, "fsync"), "-+8");
	done();
}
END_TEST

/* Results of cases with one job stay comparable: this id is of before there were
 * several; and other shares make another case. */
START_TEST(ids)
{
	char one[CASE_ID_LEN + 1];

	expand("plan: p\nstorage: [{name: s, paths: {tcp: /s}}]\nclients: 4\n"
	       "workloads: [{name: w, rw: read, size: 1g}]\n");
	ck_assert_str_eq(cases->cases.v[0].id, "230e48f9ede5f18d");
	done();
	expand(PLAN("4", "      - {name: r, clients: 50%}\n      - {name: t, clients: 50%}\n"));
	memcpy(one, cases->cases.v[0].id, sizeof one);
	done();
	expand(PLAN("4", "      - {name: r, clients: 75%}\n      - {name: t, clients: 25%}\n"));
	ck_assert_str_ne(cases->cases.v[0].id, one);
	done();
	expand(PLAN("4", "      - {name: r, clients: 2}\n      - {name: t, clients: 2}\n"));
	ck_assert_str_eq(cases->cases.v[0].id, one);
	done();
}
END_TEST

START_TEST(shares_that_do_not_go)
{
	refused(PLAN("[10, 1]", "      - {name: r, clients: 70%}\n"
				"      - {name: w, clients: 30%}\n"),
	    "p.yaml:9:28: job 'w' gets no client: 30 % of 1 is less than a half");
	refused(PLAN("4", "      - {name: r, clients: 3}\n"
			  "      - {name: w, clients: 2}\n"),
	    "p.yaml:9:28: jobs up to 'w' take 5 clients, and the case has 4");
	refused(PLAN("4", "      - {name: r, bs: 1m, size: 4k}\n"),
	    "p.yaml:8:16: job 'r': bs (1048576) is larger than size (4096)");
}
END_TEST

/* The later entry goes over the earlier, and the name stands in every path. */
START_TEST(what_differs_from_client_to_client)
{
	static const struct {
		const char *client, *directory, *cpus;
	} want[] = {{"n1", "/s-n1/x", "0-3"}, {"n2", "/s-n2/x", "4"}, {"n3", "/s-n3", NULL}};
	struct err err = ERR_INIT;
	char id[CASE_ID_LEN + 1];

	expand("plan: p\nstorage: [{name: s, paths: {tcp: '/s-${client}'}}]\nclients: 3\n"
	       "workloads: [{name: w, size: 1g}]\nper_client:\n"
	       "  - {hosts: 'n[1-2]', directory: x, cpus_allowed: 0-3}\n"
	       "  - {hosts: n2, cpus_allowed: 4}\n");
	for (int i = 0; i < 3; i++) {
		struct job job;

		job_copy(&job, &cases->cases.v[0].parts.v[0].job);
		ck_assert_int_eq(case_client_job(plan, cases->cases.v, want[i].client,
				     &job, &err),
		    0);
		ck_assert_str_eq(job.directory, want[i].directory);
		ck_assert_pstr_eq(job.process.cpus, want[i].cpus);
		job_free(&job);
	}
	ck_assert_str_eq(plan->storages.v[0].paths[TRANSPORT_TCP].above, "/");
	memcpy(id, cases->cases.v[0].id, sizeof id);
	done();
	expand("plan: p\nstorage: [{name: s, paths: {tcp: '/s-${client}'}}]\nclients: 3\n"
	       "workloads: [{name: w, size: 1g}]\n");
	ck_assert_str_ne(cases->cases.v[0].id, id);
	done();
	refused("plan: p\nstorage: [{name: s, paths: {tcp: /dev/sdz}}]\nclients: 1\n"
		"workloads: [{name: w, size: 1g}]\nper_client:\n"
		"  - {hosts: n1, directory: x}\n",
	    "p.yaml:6:28: directory: job 'w' is on the block device /dev/sdz");
}
END_TEST

/* A target has an address on each rail, a client a device. */
START_TEST(nics_of_each_client)
{
	static const char plan_text[] =
	    "plan: p\nstorage: [{name: s, key: k, paths: {rdma: 'volley+rdma://10.1.0.9/ram'}}]\n"
	    "clients: 2\nworkloads: [{name: w, size: 1g}]\nper_client:\n"
	    "  - {hosts: n2, hostname: 10.2.0.9, rdma_device: mlx5_1}\n";
	static const struct {
		const char *client, *hostname, *device;
	} want[] = {{"n1", "10.1.0.9", NULL}, {"n2", "10.2.0.9", "mlx5_1"}};
	struct err err = ERR_INIT;

	expand(plan_text);
	for (int i = 0; i < 2; i++) {
		struct job job;

		job_copy(&job, &cases->cases.v[0].parts.v[0].job);
		ck_assert_int_eq(case_client_job(plan, cases->cases.v, want[i].client,
				     &job, &err),
		    0);
		ck_assert_str_eq(job.net.hostname, want[i].hostname);
		ck_assert_pstr_eq(job.net.device, want[i].device);
		ck_assert_str_eq(job.net.export, "ram");
		job_free(&job);
	}
	done();
	refused("plan: p\nstorage: [{name: s, paths: {tcp: /mnt}}]\nclients: 1\n"
		"workloads: [{name: w, size: 1g}]\nper_client:\n"
		"  - {hosts: n1, rdma_device: mlx5_1}\n",
	    "p.yaml:6:13: job 'w' on n1: rdma_device is an option of ioengine net-rdma, "
	    "not of psync");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("share");

	tcase_add_loop_test(tcase, shares_are_rounded, 0,
	    (int)(sizeof shares / sizeof shares[0]));
	tcase_add_test(tcase, clients_of_each_job);
	tcase_add_test(tcase, clients_by_name);
	tcase_add_test(tcase, parameters_of_several_jobs);
	tcase_add_test(tcase, ids);
	tcase_add_test(tcase, shares_that_do_not_go);
	tcase_add_test(tcase, what_differs_from_client_to_client);
	tcase_add_test(tcase, nics_of_each_client);
	return suite_run("share", tcase);
}
