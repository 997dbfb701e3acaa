/* SPDX-License-Identifier: Apache-2.0 */
/* From fabric: to its cases. */
#include "controller/expand/fabric.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/rng.h"

#define REGION_LEAST (UINT64_C(64) << 20)

static const char *const names[FABRIC_PATTERNS] = {
    [FABRIC_PAIRWISE] = "pairwise",
    [FABRIC_N_TO_1] = "n-to-1",
    [FABRIC_N_TO_N] = "n-to-n"};

/* Workloads as results show them. */
static const char *const workloads[FABRIC_PATTERNS][DIR_COUNT] = {
    [FABRIC_PAIRWISE] = {"pairwise-read", "pairwise-write"},
    [FABRIC_N_TO_1] = {"n-to-1-read", "n-to-1-write"},
    [FABRIC_N_TO_N] = {"n-to-n-read", "n-to-n-write"}};

const char *
fabric_pattern_name(enum fabric_pattern pattern)
{
	return names[pattern];
}

unsigned
fabric_clients(enum fabric_pattern pattern, unsigned agents)
{
	switch (pattern) {
	case FABRIC_PAIRWISE: return agents / 2;
	case FABRIC_N_TO_1: return agents - 1;
	default: return agents;
	}
}

unsigned
fabric_target(enum fabric_pattern pattern, unsigned agents, unsigned client)
{
	switch (pattern) {
	case FABRIC_PAIRWISE: return agents / 2 + client;
	case FABRIC_N_TO_1: return agents - 1;
	default: return (client + 1) % agents;
	}
}

uint64_t
fabric_bytes(const struct plan_fabric *fabric)
{
	uint64_t want = fabric->bs * fabric->iodepth;

	want = (want + fabric->bs - 1) / fabric->bs * fabric->bs;
	return want > REGION_LEAST ? want : REGION_LEAST / fabric->bs * fabric->bs;
}

static void
set_text(char **text, const char *value)
{
	free(*text);
	*text = mem_strdup(value);
}

static void
fill_job(struct job *job, const struct plan_fabric *fabric, const char *name,
    enum transport transport, enum dir dir)
{
	set_text(&job->name, name);
	set_text(&job->ioengine, transport == TRANSPORT_RDMA ? "net-rdma" : "net-tcp");
	set_text(&job->net.hostname, FABRIC_STORAGE);
	set_text(&job->net.export, FABRIC_EXPORT);
	job->rw = dir == DIR_READ ? JOB_READ : JOB_WRITE;
	job->bs[DIR_READ] = job->bs[DIR_WRITE] = fabric->bs;
	job->size = fabric_bytes(fabric);
	job->iodepth = fabric->iodepth;
	job->numjobs = fabric->numjobs;
	job->time_based = true;
	job->runtime_ns = fabric->runtime_ns;
}

static void
take_param(
    void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	static const char *const shown[] = {
	    "ioengine", "rw", "bs", "size", "iodepth", "numjobs", "runtime", NULL};
	struct plan_case *c = arg;

	(void)is_default;
	for (const char *const *it = shown; *it; it++)
		if (strcmp(name, *it) == 0)
			*vec_add(&c->params) =
			    (struct case_param){.name = mem_strdup(name),
				.value = mem_strdup(value),
				.is_number = is_number};
}

void
fabric_case(struct plan_case *ret, const struct plan_fabric *fabric,
    enum fabric_pattern pattern, enum transport transport, enum dir dir,
    unsigned agents)
{
	static const fio_notes no_notes;
	struct case_part *part;
	struct str text = {0};

	*ret = (struct plan_case){.storage = FABRIC_STORAGE,
	    .path = FABRIC_STORAGE,
	    .workload = workloads[pattern][dir],
	    .transport = transport,
	    .clients = fabric_clients(pattern, agents),
	    .first_number = 1,
	    .cache_bytes = NAN,
	    .memory_bytes = NAN,
	    .notes = &no_notes};
	part = vec_add(&ret->parts);
	part->clients = ret->clients;
	job_init(&part->job);
	fill_job(&part->job, fabric, ret->workload, transport, dir);
	job_each(&part->job, take_param, ret);
	str_addf(&text, "fabric=%s\nagents=%u\n", transport_name(transport), agents);
	job_format(&part->job, &text);
	snprintf(ret->id, sizeof ret->id, "%016" PRIx64, hash_fnv1a(text.s, text.len));
	str_free(&text);
}

void
fabric_case_free(struct plan_case *c)
{
	for (vec_each(struct case_part *, part, &c->parts))
		job_free(&part->job);
	vec_free(&c->parts);
	for (vec_each(struct case_param *, param, &c->params)) {
		free(param->name);
		free(param->value);
	}
	vec_free(&c->params);
}
