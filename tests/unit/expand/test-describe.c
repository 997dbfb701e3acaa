/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of plan check, and that the plans that come with volley pass it.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/expand/cases.h"
#include "lib/base/mem.h"
#include "tests/unit/suite.h"

static char *
describe(struct plan *plan, size_t *ret_cases)
{
	struct err err = ERR_INIT;
	struct cases *cases = cases_expand(plan, &err);
	struct str s = {0};

	ck_assert_msg(cases != NULL, "%s", err.msg);
	*ret_cases = cases->cases.n;
	cases_describe(cases, &s);
	cases_free(cases);
	plan_free(plan);
	return str_take(&s);
}

static struct plan *
shipped(const char *name)
{
	const char *dir = getenv("abs_top_srcdir");
	char *path = mem_printf("%s/plans/%s", dir ? dir : ".", name);
	struct err err = ERR_INIT;
	struct plan *plan = plan_read(path, &err);

	ck_assert_msg(plan != NULL, "%s", err.msg);
	free(path);
	return plan;
}

static void
has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "\"%s\" is not in\n%s", part, text);
}

START_TEST(whole_text)
{
	static const char yaml[] =
	    "plan: p\n"
	    "storage: [{name: a, paths: {tcp: /t, rdma: /r}, facts: {cache: 1g}}]\n"
	    "client: {memory: 1g}\n"
	    "clients: 2\n"
	    "repeat: {min: 2, max: 3, until_rsd: 5%}\n"
	    "workloads:\n"
	    "  - {name: long-name, rw: randrw, bs: '4k,8k', size: 4g, runtime: 60, "
	    "ramp_time: 5, time_based: 1}\n"
	    "  - {name: x, size: 3g, fsync: [0, 8]}\n";
	static const char want[] =
	    "plan p (p.yaml): storages 1, workloads 2, scales 1, clients up to 2\n"
	    "\n"
	    "case              storage  transport  workload   clients  rw  "
	    "             bs  iodepth  numjobs  swept    data set  cacheabl"
	    "e     one run\n"
	    "5bc64eef52aad299  a        tcp        long-name        2  rand"
	    "rw  4 KiB,8 KiB        1        1              8 GiB  no      "
	    "       1m 05s\n"
	    "1c50d7dc7bd722b4  a        rdma       long-name        2  rand"
	    "rw  4 KiB,8 KiB        1        1              8 GiB  no      "
	    "       1m 05s\n"
	    "e9967521c04922ce  a        tcp        x                2  read"
	    "          4 KiB        1        1  fsync=0     6 GiB  yes     "
	    "   size-bound\n"
	    "2ab3abade7bc2241  a        rdma       x                2  read"
	    "          4 KiB        1        1  fsync=0     6 GiB  yes     "
	    "   size-bound\n"
	    "d3418770248b3a14  a        tcp        x                2  read"
	    "          4 KiB        1        1  fsync=8     6 GiB  yes     "
	    "   size-bound\n"
	    "693269415cd53ff7  a        rdma       x                2  read"
	    "          4 KiB        1        1  fsync=8     6 GiB  yes     "
	    "   size-bound\n"
	    "\n"
	    "cases 6 x repeats 2 to 3 = runs 12 to 18, 4m 20s to 6m 30s of "
	    "load (until rsd <= 5 %); writing files and preparing come on t"
	    "op\n"
	    "cases without a runtime: 4; how long they take is unknown\n"
	    "transports alternate A B, B A over the repeats of a workload\n"
	    "storage a: up to 14 GiB of files\n"
	    "cacheable: 4 yes, 2 no, 0 unknown; a data set must exceed 2 x "
	    "(DRAM of the clients + cache of the storage)\n";
	struct err err = ERR_INIT;
	size_t n;
	char *text = describe(plan_parse("p.yaml", yaml, sizeof yaml - 1, &err), &n);

	ck_assert_uint_eq(n, 6);
	ck_assert_str_eq(text, want);
	free(text);
}
END_TEST

START_TEST(quickstart)
{
	size_t n;
	char *text = describe(shipped("quickstart.yaml"), &n);

	ck_assert_uint_eq(n, 15);
	has(text, "cases 15 x repeats 1 = runs 15, 53s of load;");
	has(text, "storage scratch: up to 1.5 GiB of files\n");
	has(text, "cacheable: 0 yes, 0 no, 15 unknown;");
	free(text);
}
END_TEST

START_TEST(poc)
{
	size_t n;
	char *text = describe(shipped("parallel-storage-poc.yaml"), &n);

	/* 5 storages × 2 transports × 4 scales × 5 workloads */
	ck_assert_uint_eq(n, 200);
	has(text, "cases 200 x repeats 5 to 8 = runs 1000 to 1600, ");
	has(text, "2d 02h 00m to 3d 08h 00m of load");
	has(text, "transports alternate A B, B A over the repeats of a workload\n");
	free(text);
}
END_TEST

/* Outstanding I/Os per client as the publication's figures give them. */
START_TEST(poc_depths)
{
	static const struct {
		const char *workload;
		uint64_t bs, outstanding;
		enum job_rw rw;
	} want[] = {{"seq-read-1m", 1 << 20, 128, JOB_READ},
	    {"seq-write-1m", 1 << 20, 128, JOB_WRITE},
	    {"rand-read-4k", 4096, 256, JOB_RANDREAD},
	    {"rand-write-4k", 4096, 256, JOB_RANDWRITE},
	    {"multi-file-rand-read-128k", 128 << 10, 512, JOB_RANDREAD}};
	struct plan *plan = shipped("parallel-storage-poc.yaml");
	struct cases *cases = cases_expand(plan, NULL);

	for (vec_each(const struct plan_case *, c, &cases->cases)) {
		size_t i = c->block % 5;

		ck_assert_str_eq(c->workload, want[i].workload);
		ck_assert_uint_eq(c->parts.v[0].job.bs[DIR_READ], want[i].bs);
		ck_assert_uint_eq(c->parts.v[0].job.iodepth * c->parts.v[0].job.numjobs, want[i].outstanding);
		ck_assert_int_eq(c->parts.v[0].job.rw, want[i].rw);
		ck_assert_str_eq(c->parts.v[0].job.ioengine, "libaio");
		ck_assert_int_eq(c->parts.v[0].job.direct, JOB_DIRECT);
		ck_assert(c->parts.v[0].job.time_based && c->parts.v[0].job.group_reporting);
		ck_assert_uint_eq(c->parts.v[0].job.runtime_ns, UINT64_C(180000000000));
	}
	cases_free(cases);
	plan_free(plan);
}
END_TEST

START_TEST(size_bound)
{
	static const char yaml[] =
	    "plan: p\nstorage: [{name: d, paths: {local: /dev/x}}]\n"
	    "clients: 1\nrepeat: 1\norder: blocks\n"
	    "workloads: [{name: w, size: 1g}]\n";
	size_t n;
	char *text = describe(plan_parse("p", yaml, sizeof yaml - 1, NULL), &n);

	has(text, "size-bound\n");
	has(text, "cases 1 x repeats 1 = runs 1, an unknown time of load; writing");
	has(text, "cases without a runtime: 1; how long they take is unknown\n");
	ck_assert_ptr_null(strstr(text, "of files")); /* a device */
	ck_assert_ptr_null(strstr(text, "transports"));
	free(text);
}
END_TEST

int
main(void)
{
	return SUITE_MAIN(
	    "describe", whole_text, quickstart, poc, poc_depths, size_bound);
}
