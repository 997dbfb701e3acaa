/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From plans to cases: which, in what order, with which options and ids.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/expand/cases.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "tests/unit/suite.h"

#define HEAD \
	"plan: p\n" \
	"storage:\n" \
	"  - {name: a, paths: {tcp: /a-tcp, rdma: /a-rdma}, facts: {cache: 1g}}\n" \
	"  - {name: b, paths: {tcp: /b-tcp}}\n" \
	"clients: [1, 4]\n" \
	"defaults: {size: 1g, ioengine: libaio}\n" \
	"workloads:\n"

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
	ck_assert_int_eq(err.code, ERR_USAGE);
	plan_free(plan);
}

/* "a tcp w 4" */
static void
check_case(size_t i, const char *want)
{
	const struct plan_case *c = &cases->cases.v[i];
	char *got = mem_printf("%s %s %s %u", c->storage, transport_name(c->transport),
	    c->workload, c->clients);

	ck_assert_str_eq(got, want);
	ck_assert_uint_eq(c->position, i);
	free(got);
}

START_TEST(order)
{
	static const char *const want[] = {"a tcp w 1", "a rdma w 1", "a tcp x 1",
	    "a rdma x 1", "a tcp w 4", "a rdma w 4", "a tcp x 4", "a rdma x 4",
	    "b tcp w 1", "b tcp x 1", "b tcp w 4", "b tcp x 4"};

	expand(HEAD "  - {name: w, rw: read}\n  - {name: x, rw: write}\n");
	ck_assert_uint_eq(cases->cases.n, 12);
	for (size_t i = 0; i < 12; i++)
		check_case(i, want[i]);
	ck_assert_uint_eq(cases->blocks.n, 8);
	ck_assert_uint_eq(cases->blocks.v[1].first, 2);
	ck_assert_uint_eq(cases->blocks.v[1].n, 2);
	ck_assert_uint_eq(cases->blocks.v[7].n, 1);
	ck_assert_uint_eq(cases->cases.v[11].block, 7);
	ck_assert(cases->interleaved);
	ck_assert_uint_eq(cases_most_clients(cases), 4);
	done();
}
END_TEST

/* A B, B A, A B: odd repeats forward, even ones back. */
START_TEST(arms)
{
	const struct case_block block = {.first = 10, .n = 3};

	ck_assert_uint_eq(cases_arm(&block, 1, 0), 10);
	ck_assert_uint_eq(cases_arm(&block, 1, 2), 12);
	ck_assert_uint_eq(cases_arm(&block, 2, 0), 12);
	ck_assert_uint_eq(cases_arm(&block, 2, 1), 11);
	ck_assert_uint_eq(cases_arm(&block, 2, 2), 10);
	ck_assert_uint_eq(cases_arm(&block, 3, 0), 10);
}
END_TEST

START_TEST(blocks_per_transport)
{
	static const char *const want[] = {"a tcp w 1", "a tcp w 4", "a rdma w 1",
	    "a rdma w 4", "b tcp w 1", "b tcp w 4"};

	expand(HEAD "  - {name: w, rw: read}\norder: blocks\n");
	ck_assert_uint_eq(cases->cases.n, 6);
	for (size_t i = 0; i < 6; i++)
		check_case(i, want[i]);
	ck_assert_uint_eq(cases->blocks.n, 6);
	ck_assert(!cases->interleaved);
	done();
}
END_TEST

/* Changing the transport of the first storage takes commands, of the second not. */
START_TEST(blocks_where_there_are_commands)
{
	static const char *const want[] = {"one tcp w 1", "one tcp x 1", "one rdma w 1",
	    "one rdma x 1", "two tcp w 1", "two rdma w 1", "two tcp x 1", "two rdma x 1"};

	expand("plan: p\nstorage:\n"
	       "  - name: one\n    paths: {tcp: {path: /o, setup: x}, rdma: /o}\n"
	       "  - {name: two, paths: {tcp: /t, rdma: /r}}\n"
	       "clients: 1\ndefaults: {size: 1g}\nworkloads:\n"
	       "  - {name: w, rw: read}\n  - {name: x, rw: write}\n");
	ck_assert_uint_eq(cases->cases.n, 8);
	for (size_t i = 0; i < 8; i++)
		check_case(i, want[i]);
	ck_assert(!cases->interleaved);
	done();
}
END_TEST

static const struct case_param *
param(const struct plan_case *c, const char *name)
{
	for (vec_each(const struct case_param *, p, &c->params))
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

START_TEST(axes)
{
	static const char *const want[][3] = {{"1", "1", "4096"}, {"1", "1", "8192"},
	    {"1", "8", "4096"}, {"1", "8", "8192"}, {"32", "1", "4096"},
	    {"32", "1", "8192"}, {"32", "8", "4096"}, {"32", "8", "8192"}};

	expand("plan: p\nstorage: [{name: a, paths: {tcp: /a}}]\nclients: 1\n"
	       "defaults: {size: 1g, ioengine: libaio, iodepth: [1, 32], bs: 1m}\n"
	       "workloads:\n  - {name: w, numjobs: [1, 8], blocksize: [4k, 8k]}\n");
	ck_assert_uint_eq(cases->cases.n, 8);
	for (size_t i = 0; i < 8; i++) {
		const struct plan_case *c = &cases->cases.v[i];

		ck_assert_str_eq(param(c, "iodepth")->value, want[i][0]);
		ck_assert_str_eq(param(c, "numjobs")->value, want[i][1]);
		ck_assert_str_eq(param(c, "bs")->value, want[i][2]);
		ck_assert(param(c, "iodepth")->is_axis);
		ck_assert(param(c, "bs")->is_axis);
		ck_assert(param(c, "bs")->is_number);
		ck_assert(!param(c, "rw")->is_axis);
		ck_assert(!param(c, "rw")->is_number);
		ck_assert_str_eq(param(c, "rw")->value, "read");
	}
	ck_assert_ptr_null(param(&cases->cases.v[0], "directory"));
	ck_assert_ptr_null(param(&cases->cases.v[0], "name"));
	ck_assert_ptr_null(param(&cases->cases.v[0], "fsync"));
	done();
}
END_TEST

/* An axis shows its value even where it is the default. */
static bool
has_param(size_t i, const char *name)
{
	for (vec_each(const struct case_param *, p, &cases->cases.v[i].params))
		if (strcmp(p->name, name) == 0)
			return true;
	return false;
}

/* A bs that is not used is not shown as one that is. */
START_TEST(sizes_that_vary)
{
	expand(HEAD "  - {name: w, bssplit: '4k/60:64k/40'}\n"
		    "  - {name: x, bsrange: 4k-64k}\n  - {name: y, bs: 8k}\n");
	for (size_t i = 0; i < cases->cases.n; i++) {
		const char *name = cases->cases.v[i].workload;

		ck_assert(has_param(i, "bs") == (*name == 'y'));
		ck_assert(has_param(i, "bssplit") == (*name == 'w'));
		ck_assert(has_param(i, "bsrange") == (*name == 'x'));
	}
	done();
}
END_TEST

START_TEST(axis_at_default)
{
	expand(HEAD "  - {name: w, fsync: [0, 8]}\n");
	ck_assert_str_eq(param(&cases->cases.v[0], "fsync")->value, "0");
	ck_assert(param(&cases->cases.v[0], "fsync")->is_axis);
	done();
}
END_TEST

START_TEST(jobs)
{
	const struct plan_case *c;

	expand(HEAD "  - {name: w, readwrite: randrw, bs: '4k,8k', size: 2g}\n");
	c = &cases->cases.v[3];
	ck_assert_str_eq(c->parts.v[0].job.name, "w");
	ck_assert_str_eq(c->parts.v[0].job.directory, "/a-rdma");
	ck_assert_ptr_null(c->parts.v[0].job.filename);
	ck_assert_str_eq(c->parts.v[0].job.ioengine, "libaio");
	ck_assert_int_eq(c->parts.v[0].job.rw, JOB_RANDRW);
	ck_assert_uint_eq(c->parts.v[0].job.bs[DIR_WRITE], 8192);
	ck_assert_uint_eq(c->parts.v[0].job.size, UINT64_C(2) << 30);
	ck_assert_str_eq(c->path, "/a-rdma");
	ck_assert_str_eq(param(c, "bs")->value, "4096,8192");
	ck_assert(!param(c, "bs")->is_number);
	done();
}
END_TEST

START_TEST(devices_and_layout)
{
	expand("plan: p\nstorage:\n"
	       "  - {name: d, paths: {local: /dev/nvme0n1}, layout: overwrite}\n"
	       "clients: 1\nworkloads:\n"
	       "  - {name: w, size: 1g}\n  - {name: x, size: 1g, layout: none}\n");
	ck_assert_str_eq(cases->cases.v[0].parts.v[0].job.filename, "/dev/nvme0n1");
	ck_assert_ptr_null(cases->cases.v[0].parts.v[0].job.directory);
	ck_assert_int_eq(cases->cases.v[0].parts.v[0].job.layout, JOB_LAYOUT_OVERWRITE);
	ck_assert_int_eq(cases->cases.v[1].parts.v[0].job.layout, JOB_LAYOUT_NONE);
	done();
}
END_TEST

START_TEST(faults)
{
	refused(HEAD "  - {name: w, time_based: 1}\n",
	    "p.yaml:8:12: workload 'w': time_based needs runtime");
	refused(HEAD "  - {name: v}\n  - {name: w, size: 2m, bs: [4k, 3m]}\n",
	    "p.yaml:9:12: workload 'w': bs (3145728) is larger than size (2097152)");
	refused(HEAD "  - {name: w, ioengine: psync, iodepth: [1, 2]}\n",
	    "p.yaml:8:12: workload 'w': ioengine psync does one I/O at a time: iodepth "
	    "2 is "
	    "not possible (use numjobs, or libaio or io_uring)");
	refused(HEAD "  - {name: w, verify: md5, verify_dump: 1}\n",
	    "p.yaml:8:41: verify_dump: blocks are dumped by volley-io alone, not by "
	    "agents");
	refused(HEAD "  - {name: w, ioengine: net-tcp, keyfile: k}\n",
	    "p.yaml:8:43: keyfile: is for volley-io alone; in a plan the storage has a "
	    "key");
	refused(HEAD "  - {name: w, bs: [4k, 4096]}\n",
	    "p.yaml:8:12: workload 'w' has the same case twice: two values of an axis "
	    "mean "
	    "the same");
	refused(HEAD "  - {name: w, filename: x}\n",
	    "p.yaml:8:12: workload 'w': filename names the same file for every client; "
	    "say shared: true, or leave it out for a file each");
	refused("plan: p\nstorage: [{name: d, paths: {local: /dev/sda}}]\nclients: 1\n"
		"workloads: [{name: w, size: 1g, filename: x}]\n",
	    "p.yaml:4:20: workload 'w' sets filename, but storage 'd' is the block "
	    "device "
	    "/dev/sda");
}
END_TEST

START_TEST(too_many)
{
	struct str s = {0};

	str_add(&s, HEAD "  - {name: w, bs: [");
	for (int i = 1; i <= 400; i++)
		str_addf(&s, "%d,", 512 * i);
	str_add(&s, "], iodepth: [");
	for (int i = 1; i <= 400; i++)
		str_addf(&s, "%d,", i);
	str_add(&s, "]}\n");
	refused(s.s, "p.yaml:8:12: the plan has more than 100000 cases");
	str_free(&s);
}
END_TEST

/*
 * Ids are kept in databases: these must never change.  (fnv1a64 over the lines
 * storage= transport= path= workload= clients= and the job's canonical text.)
 */
START_TEST(golden_ids)
{
	static const char text[] =
	    "storage=a\ntransport=tcp\npath=/a-tcp\nworkload=w\nclients=1\n"
	    "name=w\nioengine=libaio\nrw=randread\nsize=1073741824\ndirectory=/a-tcp\n"
	    "iodepth=32\n";
	char id[CASE_ID_LEN + 1];

	expand(HEAD "  - {name: w, rw: randread, iodepth: 32}\n");
	snprintf(
	    id, sizeof id, "%016lx", (unsigned long)hash_fnv1a(text, sizeof text - 1));
	ck_assert_str_eq(cases->cases.v[0].id, id);
	ck_assert_str_eq(cases->cases.v[0].id, "338d13aeb937b481");
	ck_assert_str_eq(cases->cases.v[1].id, "990791bdf6212c2e");
	ck_assert_ptr_eq(cases_find(cases, id), &cases->cases.v[0]);
	ck_assert_ptr_null(cases_find(cases, "0000000000000000"));
	done();
}
END_TEST

/* The same case in another plan: other order, spelling, repeats, neighbours. */
START_TEST(ids_are_stable)
{
	char id[CASE_ID_LEN + 1];

	expand(HEAD "  - {name: w, rw: randread, iodepth: 32}\n");
	memcpy(id, cases->cases.v[2].id, sizeof id); /* a tcp, 4 clients */
	done();
	expand("plan: other\nrepeat: 2\nseed: 7\norder: blocks\nclients: [8, 4]\n"
	       "storage: [{name: a, paths: {tcp: /a-tcp/}}]\n"
	       "workloads:\n  - {name: z, size: 1m}\n"
	       "  - {name: w, iodepth: [1, 0x20], readwrite: randread, size: 1024m, "
	       "ioengine: libaio, bs: 4k}\n");
	ck_assert_ptr_nonnull(cases_find(cases, id));
	ck_assert_uint_eq(cases_find(cases, id)->clients, 4);
	done();
}
END_TEST

START_TEST(seeds)
{
	struct case_part part = {.clients = 1};
	struct plan_case c = {.id = "0123456789abcdef", .parts = {.v = &part, .n = 1}},
			 other = {.id = "0123456789abcdee", .parts = {.v = &part, .n = 1}};
	uint64_t one = case_client_seed(&c, 0, 1, 0, 1);

	ck_assert_uint_eq(one, case_client_seed(&c, 0, 1, 0, 1));
	ck_assert_uint_ne(one, case_client_seed(&c, 0, 2, 0, 1)); /* plan seed */
	ck_assert_uint_ne(one, case_client_seed(&c, 0, 1, 1, 1)); /* client */
	ck_assert_uint_ne(one, case_client_seed(&c, 0, 1, 0, 2)); /* repeat */
	ck_assert_uint_ne(one, case_client_seed(&other, 0, 1, 0, 1));
	part.job.randrepeat = true;
	ck_assert_uint_eq(case_client_seed(&c, 0, 1, 0, 1), case_client_seed(&c, 0, 1, 0, 2));
	ck_assert_uint_ne(case_client_seed(&c, 0, 1, 0, 1), case_client_seed(&c, 0, 1, 1, 1));
	part.job.randseed = 99;
	ck_assert_uint_eq(case_client_seed(&c, 0, 1, 0, 1), case_client_seed(&c, 0, 2, 0, 1));
}
END_TEST

START_TEST(limits)
{
	struct plan p = {0};
	struct case_part part = {.clients = 1};
	struct plan_case c = {.parts = {.v = &part, .n = 1}};

	ck_assert_uint_eq(case_max_skew_ns(&p, &c), 10000000);
	ck_assert_uint_eq(case_deadline_ns(&p, &c), UINT64_C(3600000000000));
	part.job.runtime_ns = UINT64_C(180000000000);
	part.job.ramp_ns = UINT64_C(5000000000);
	ck_assert_uint_eq(case_max_skew_ns(&p, &c), 180000000);
	ck_assert_uint_eq(case_deadline_ns(&p, &c), UINT64_C(245000000000));
	p.max_skew_ns = 5;
	p.deadline_ns = 6;
	ck_assert_uint_eq(case_max_skew_ns(&p, &c), 5);
	ck_assert_uint_eq(case_deadline_ns(&p, &c), 6);
}
END_TEST

START_TEST(data_sets)
{
	struct case_part part = {.clients = 30};
	struct plan_case c = {.clients = 30,
	    .cache_bytes = NAN,
	    .memory_bytes = NAN,
	    .parts = {.v = &part, .n = 1}};

	job_init(&part.job);
	part.job.size = UINT64_C(20) << 30;
	part.job.numjobs = 8;
	ck_assert_double_eq(case_dataset_bytes(&c), 4800.0 * (1 << 30));
	ck_assert_double_eq(case_files_bytes(&c), 4800.0 * (1 << 30));
	part.job.shared = true;
	ck_assert_double_eq(case_dataset_bytes(&c), 160.0 * (1 << 30));
	part.job.filename = mem_strdup("x"); /* all jobs use one file */
	ck_assert_double_eq(case_dataset_bytes(&c), 20.0 * (1 << 30));
	part.job.shared = false;
	ck_assert_double_eq(case_dataset_bytes(&c), 600.0 * (1 << 30));
	free(part.job.filename);
	part.job.filename = mem_strdup("/dev/sda");
	ck_assert_double_eq(case_dataset_bytes(&c), 20.0 * (1 << 30));
	ck_assert_double_eq(case_files_bytes(&c), 0);
	free(part.job.filename);
	part.job.filename = NULL;
	free(part.job.ioengine);
	part.job.ioengine = mem_strdup("null");
	ck_assert_double_eq(case_files_bytes(&c), 0);
	job_free(&part.job);
}
END_TEST

/* A data set of 100 bytes: too large for caches of less than 50 in all. */
START_TEST(cacheable)
{
	struct case_part part = {.clients = 1};
	struct plan_case c = {
	    .clients = 1, .cache_bytes = 20, .parts = {.v = &part, .n = 1}};

	job_init(&part.job);
	part.job.size = 100;
	ck_assert_int_eq(case_cacheable(&c, 29), CACHEABLE_NO);
	ck_assert_int_eq(case_cacheable(&c, 30), CACHEABLE_YES);
	ck_assert_int_eq(case_cacheable(&c, NAN), CACHEABLE_UNKNOWN);
	c.cache_bytes = 50;
	ck_assert_int_eq(case_cacheable(&c, NAN), CACHEABLE_YES); /* enough is known */
	c.cache_bytes = NAN;
	ck_assert_int_eq(case_cacheable(&c, 49), CACHEABLE_UNKNOWN);
	ck_assert_int_eq(case_cacheable(&c, 50), CACHEABLE_YES);
	ck_assert_int_eq(case_cacheable(&c, NAN), CACHEABLE_UNKNOWN);
	c.cache_bytes = 0;
	ck_assert_int_eq(case_cacheable(&c, 0), CACHEABLE_NO);
	ck_assert_str_eq(cacheable_name(CACHEABLE_UNKNOWN), "unknown");
	ck_assert_str_eq(cacheable_name(CACHEABLE_YES), "yes");
	job_free(&part.job);
}
END_TEST

START_TEST(declared_caches)
{
	expand(HEAD "  - {name: w}\nclient: {memory: 3g}\n");
	ck_assert_double_eq(cases->cases.v[0].cache_bytes, 1 << 30);
	ck_assert(isnan(cases->cases.v[4].cache_bytes));
	ck_assert_double_eq(cases->cases.v[0].memory_bytes, 3.0 * (1 << 30));
	done();
	expand(HEAD "  - {name: w}\n");
	ck_assert(isnan(cases->cases.v[0].memory_bytes));
	done();
}
END_TEST

/* As fio counts threads over a job file; of a swept workload, the most. */
START_TEST(numbers_of_threads)
{
	expand("plan: p\nstorage: [{name: s, paths: {local: /s}}]\nclients: 1\n"
	       "defaults: {size: 1g, ioengine: libaio}\nworkloads:\n"
	       "  - {name: a, numjobs: [2, 4]}\n"
	       "  - name: b\n    jobs: [{name: x, numjobs: 3}, {name: y}]\n"
	       "  - {name: c}\n");
	ck_assert_uint_eq(cases->cases.n, 4);
	ck_assert_uint_eq(cases->cases.v[0].first_number, 1);
	ck_assert_uint_eq(cases->cases.v[1].first_number, 1);
	ck_assert_uint_eq(cases->cases.v[2].first_number, 5);
	ck_assert_uint_eq(cases->cases.v[3].first_number, 9);
	done();
}
END_TEST

/* A key comes with a target's path only, so without one no client could get in. */
START_TEST(network_engines)
{
	refused("plan: p\nstorage: [{name: s, paths: {tcp: /mnt}}]\nclients: 1\n"
		"defaults: {size: 1m}\nworkloads:\n"
		"  - {name: w, ioengine: net-tcp, hostname: h, export: e}\n",
	    "p.yaml:6:12: workload 'w': ioengine net-tcp needs a storage whose path is "
	    "volley://HOST:PORT/EXPORT and that has a key; 's' is /mnt");
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("expand", order, arms, blocks_per_transport,
	    blocks_where_there_are_commands, axes,
	    sizes_that_vary, axis_at_default, jobs, devices_and_layout, faults, too_many, golden_ids,
	    ids_are_stable, seeds, limits, data_sets, cacheable, declared_caches, numbers_of_threads,
	    network_engines);
}
