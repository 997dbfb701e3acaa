/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Affinity, memory policy, nice and I/O priority of a job thread.
 */
#include "agent/worker/place.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/worker/cpulist.h"
#include "lib/base/mem.h"

#define PRIO_CLASS_SHIFT 13 /* of ioprio_set's value */
#define PRIO_BEST_EFFORT 2u
#define PRIO_WHO_PROCESS 1
#define LONG_BITS (8 * sizeof(unsigned long))

/* The first line of a file of /sys as a list. */
static int
place_read_list(const char *path, struct cpulist *ret, struct err *err)
{
	char line[4096];
	FILE *f = fopen(path, "r");
	bool got;

	if (!f)
		return err_sys(err, errno, "%s", path);
	got = fgets(line, sizeof line, f) != NULL;
	fclose(f);
	if (!got)
		return err_set(err, ERR_IO, "%s is empty", path);
	line[strcspn(line, "\n")] = '\0';
	*ret = (struct cpulist){0};
	if (*line == '\0') /* a node with memory alone */
		return 0;
	return cpulist_parse(ret, line, err);
}

/* "0,1" or "all" as nodes that this host has. */
static int
place_nodes(const char *text, const char *sys, struct cpulist *ret, struct err *err)
{
	char *path = mem_printf("%s/devices/system/node/online", sys);
	struct cpulist online;
	int rc = place_read_list(path, &online, err);

	free(path);
	if (rc)
		return -1;
	if (strcmp(text, "all") == 0) {
		*ret = online;
		return 0;
	}
	if (cpulist_parse(ret, text, err))
		return -1;
	for (unsigned i = 0; i < CPULIST_MAX; i++)
		if (ret->has[i] && !online.has[i])
			return err_set(err, ERR_USAGE, "this host has no NUMA node %u", i);
	return 0;
}

static int
place_node_cpus(const char *text, const char *sys, struct cpulist *ret, struct err *err)
{
	struct cpulist nodes, cpus;

	if (place_nodes(text, sys, &nodes, err))
		return -1;
	*ret = (struct cpulist){0};
	for (unsigned i = 0; i < CPULIST_MAX; i++) {
		char *path;
		int rc;

		if (!nodes.has[i])
			continue;
		path = mem_printf("%s/devices/system/node/node%u/cpulist", sys, i);
		rc = place_read_list(path, &cpus, err);
		free(path);
		if (rc)
			return -1;
		cpulist_add(ret, &cpus);
	}
	return ret->n ? 0 : err_set(err, ERR_USAGE, "node %s has no CPU", text);
}

static int
place_on(const struct job *job, unsigned thread, const struct cpulist *cpus,
    struct err *err)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	if (job->process.cpus_policy == JOB_CPUS_SPLIT)
		CPU_SET(cpulist_nth(cpus, thread), &set);
	else
		for (unsigned i = 0; i < CPULIST_MAX; i++)
			if (cpus->has[i])
				CPU_SET(i, &set);
	if (sched_setaffinity(0, sizeof set, &set) < 0)
		return errno == EINVAL
			   ? err_set(err, ERR_USAGE,
				 "none of these CPUs may be used on this host")
			   : err_sys(err, errno, "sched_setaffinity");
	return 0;
}

static int
place_cpus(const struct job *job, unsigned thread, const char *sys, struct err *err)
{
	struct cpulist cpus;

	if (job->process.cpus &&
	    (cpulist_parse(&cpus, job->process.cpus, err) ||
		place_on(job, thread, &cpus, err)))
		return err_prefix(err, "cpus_allowed");
	if (job->process.numa_cpus &&
	    (place_node_cpus(job->process.numa_cpus, sys, &cpus, err) ||
		place_on(job, thread, &cpus, err)))
		return err_prefix(err, "numa_cpu_nodes");
	return 0;
}

/* "bind:0-1", "interleave:all", "prefer:1", "local", "default". */
static int
place_memory(const char *policy, const char *sys, struct err *err)
{
	static const struct {
		const char *name;
		int mode;
		bool nodes;
	} modes[] = {{"default", MPOL_DEFAULT, false}, {"local", MPOL_LOCAL, false},
	    {"bind", MPOL_BIND, true}, {"interleave", MPOL_INTERLEAVE, true},
	    {"prefer", MPOL_PREFERRED, true}};
	unsigned long mask[CPULIST_MAX / LONG_BITS] = {0};
	size_t len = strcspn(policy, ":");
	struct cpulist nodes = {0};

	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		if (strlen(modes[i].name) != len ||
		    strncmp(policy, modes[i].name, len) != 0 ||
		    modes[i].nodes != (policy[len] == ':'))
			continue;
		if (modes[i].nodes && place_nodes(policy + len + 1, sys, &nodes, err))
			return -1;
		for (unsigned k = 0; k < CPULIST_MAX; k++)
			if (nodes.has[k])
				mask[k / LONG_BITS] |= 1ul << k % LONG_BITS;
		if (syscall(SYS_set_mempolicy, modes[i].mode, nodes.n ? mask : NULL,
			nodes.n ? (unsigned long)CPULIST_MAX : 0ul) < 0)
			return err_sys(err, errno, "set_mempolicy");
		return 0;
	}
	return err_set(err, ERR_USAGE,
	    "'%s' is not bind:NODES, interleave:NODES, prefer:NODE, local or default",
	    policy);
}

static int
place_priorities(const struct job *job, struct err *err)
{
	const struct job_process_env *env = &job->process;
	unsigned class = env->prioclass ? env->prioclass : PRIO_BEST_EFFORT;

	if (env->nice && setpriority(PRIO_PROCESS, (id_t)gettid(), env->nice) < 0)
		return err_sys(err, errno, "nice %d", env->nice);
	if ((env->has_prio || env->prioclass) &&
	    syscall(SYS_ioprio_set, PRIO_WHO_PROCESS, 0,
		class << PRIO_CLASS_SHIFT | env->prio) < 0)
		return err_sys(
		    err, errno, "I/O priority %u of class %u", env->prio, class);
	return 0;
}

int
place_thread(const struct job *job, unsigned thread, const char *sys, struct err *err)
{
	if (place_cpus(job, thread, sys, err))
		return -1;
	if (job->process.numa_mem && place_memory(job->process.numa_mem, sys, err))
		return err_prefix(err, "numa_mem_policy");
	return place_priorities(job, err);
}
