/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where threads live: lists of CPUs, and what the kernel then says of the thread.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/worker/cpulist.h"
#include "agent/worker/place.h"
#include "tests/unit/worker/support.h"

static struct job job;
static struct err err;

static void
set(const char *name, const char *value)
{
	ck_assert_msg(job_set(&job, name, value, &err) == 0, "%s", err.msg);
}

static void
setup(void)
{
	err = ERR_INIT;
	job_init(&job);
	scratch_make();
}

static void
teardown(void)
{
	job_free(&job);
	scratch_remove();
}

START_TEST(lists)
{
	struct cpulist list, more;

	ck_assert_int_eq(cpulist_parse(&list, "0-3,8,2,10-11", &err), 0);
	ck_assert_uint_eq(list.n, 7);
	ck_assert(list.has[0] && list.has[3] && list.has[8] && list.has[11]);
	ck_assert(!list.has[4] && !list.has[9] && !list.has[12]);
	ck_assert_uint_eq(cpulist_nth(&list, 0), 0);
	ck_assert_uint_eq(cpulist_nth(&list, 4), 8);
	ck_assert_uint_eq(cpulist_nth(&list, 6), 11);
	ck_assert_uint_eq(cpulist_nth(&list, 7), 0);
	ck_assert_uint_eq(cpulist_nth(&list, 700006), 11);
	ck_assert_int_eq(cpulist_parse(&more, "11-12", &err), 0);
	cpulist_add(&list, &more);
	ck_assert_uint_eq(list.n, 8);
	ck_assert_uint_eq(cpulist_nth(&list, 7), 12);
}
END_TEST

static const struct {
	const char *text, *says;
} bad[] = {{"", "is no list"}, {"a", "is no list"}, {"1,", "is no list"},
    {"1-", "is no list"}, {"3-1", "3-1 ends before it begins"}, {"1 2", "is no list"},
    {"1024", "below 1024"}, {"-1", "is no list"}, {"0-99999999999999999999", "below"}};

START_TEST(bad_lists)
{
	struct cpulist list;

	ck_assert_int_eq(cpulist_parse(&list, bad[_i].text, &err), -1);
	ck_assert_msg(strstr(err.msg, bad[_i].says) != NULL, "%s", err.msg);
}
END_TEST

static cpu_set_t
mask(void)
{
	cpu_set_t set;

	ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
	return set;
}

/* The CPUs that this process may use, as a list. */
static void
allowed(char *text, size_t size, int first)
{
	cpu_set_t set = mask();
	size_t len = 0;

	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set) && first-- > 0)
			len += (size_t)snprintf(
			    text + len, size - len, "%s%d", len ? "," : "", i);
}

START_TEST(all_or_one_cpu)
{
	cpu_set_t before = mask(), now;
	char text[8192];
	int n = CPU_COUNT(&before);

	allowed(text, sizeof text, n);
	set("cpus_allowed", text);
	ck_assert_msg(place_thread(&job, 1, "/sys", &err) == 0, "%s", err.msg);
	now = mask();
	ck_assert(CPU_EQUAL(&now, &before));
	set("cpus_allowed_policy", "split");
	for (int i = 0; i < 2 * n; i++) {
		ck_assert_int_eq(place_thread(&job, (unsigned)i, "/sys", &err), 0);
		now = mask();
		ck_assert_int_eq(CPU_COUNT(&now), 1);
		ck_assert_int_eq(sched_setaffinity(0, sizeof before, &before), 0);
	}
	/* Neighbours live apart. */
	if (n > 1) {
		cpu_set_t one;

		ck_assert_int_eq(place_thread(&job, 0, "/sys", &err), 0);
		one = mask();
		ck_assert_int_eq(place_thread(&job, 1, "/sys", &err), 0);
		now = mask();
		ck_assert(!CPU_EQUAL(&one, &now));
	}
}
END_TEST

START_TEST(a_cpu_that_is_not_there)
{
	set("cpus_allowed", "1023");
	ck_assert_int_eq(place_thread(&job, 0, "/sys", &err), -1);
	ck_assert_str_eq(
	    err.msg, "cpus_allowed: none of these CPUs may be used on this host");
}
END_TEST

static void
put(const char *name, const char *text)
{
	FILE *f = fopen(scratch_path(name), "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

START_TEST(cpus_of_a_node)
{
	cpu_set_t before = mask(), now;
	char text[8192], first[16];

	allowed(text, sizeof text - 1, CPU_COUNT(&before));
	strcat(text, "\n");
	allowed(first, sizeof first, 1);
	mkdir(scratch_path("devices"), 0755);
	mkdir(scratch_path("devices/system"), 0755);
	mkdir(scratch_path("devices/system/node"), 0755);
	mkdir(scratch_path("devices/system/node/node0"), 0755);
	mkdir(scratch_path("devices/system/node/node2"), 0755);
	put("devices/system/node/online", "0,2\n");
	put("devices/system/node/node0/cpulist", "\n");
	put("devices/system/node/node2/cpulist", first);
	set("numa_cpu_nodes", "2");
	ck_assert_msg(place_thread(&job, 0, scratch, &err) == 0, "%s", err.msg);
	now = mask();
	ck_assert_int_eq(CPU_COUNT(&now), 1);
	ck_assert_int_eq(sched_setaffinity(0, sizeof before, &before), 0);

	put("devices/system/node/node2/cpulist", text);
	set("numa_cpu_nodes", "all");
	ck_assert_int_eq(place_thread(&job, 0, scratch, &err), 0);
	now = mask();
	ck_assert(CPU_EQUAL(&now, &before));

	set("numa_cpu_nodes", "0");
	ck_assert_int_eq(place_thread(&job, 0, scratch, &err), -1);
	ck_assert_str_eq(err.msg, "numa_cpu_nodes: node 0 has no CPU");
	set("numa_cpu_nodes", "0-1");
	ck_assert_int_eq(place_thread(&job, 0, scratch, &err), -1);
	ck_assert_str_eq(err.msg, "numa_cpu_nodes: this host has no NUMA node 1");
}
END_TEST

START_TEST(memory_policies)
{
	static const char *const fine[] = {"default", "local"};

	for (size_t i = 0; i < 2; i++) {
		set("numa_mem_policy", fine[i]);
		if (place_thread(&job, 0, "/sys", &err) < 0) /* a kernel without NUMA */
			ck_assert_ptr_nonnull(strstr(err.msg, "set_mempolicy"));
	}
	set("numa_mem_policy", "bind");
	ck_assert_int_eq(place_thread(&job, 0, "/sys", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "'bind' is not bind:NODES"));
}
END_TEST

START_TEST(priorities)
{
	int prio;

	set("nice", "7");
	set("prio", "5");
	ck_assert_msg(place_thread(&job, 0, "/sys", &err) == 0, "%s", err.msg);
	ck_assert_int_eq(getpriority(PRIO_PROCESS, (id_t)gettid()), 7);
	prio = (int)syscall(SYS_ioprio_get, 1, 0);
	ck_assert_int_eq(prio, 2 << 13 | 5); /* best effort unless said otherwise */
	set("prioclass", "3");
	set("prio", "0");
	ck_assert_int_eq(place_thread(&job, 0, "/sys", &err), 0);
	ck_assert_int_eq((int)syscall(SYS_ioprio_get, 1, 0) >> 13, 3);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/place");
	TCase *tcase = tcase_create("place");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, lists);
	tcase_add_loop_test(tcase, bad_lists, 0, sizeof bad / sizeof bad[0]);
	tcase_add_test(tcase, all_or_one_cpu);
	tcase_add_test(tcase, a_cpu_that_is_not_there);
	tcase_add_test(tcase, cpus_of_a_node);
	tcase_add_test(tcase, memory_policies);
	tcase_add_test(tcase, priorities);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
