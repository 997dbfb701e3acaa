/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The job that a variant comes to on a storage: its options, and where its files are.
 * Inside of expand only.
 */
#ifndef VOLLEY_EXPAND_RESOLVE_H
#define VOLLEY_EXPAND_RESOLVE_H

#include "controller/expand/variant.h"
#include "lib/work/job.h"

/* What a block is about: everything but the transport. */
struct scope {
	const struct plan_storage *storage;
	unsigned clients;
	const struct variant *variant;
};

/* `own`: one of several jobs of the workload, or NULL; `path`: the storage's over the
 * transport.  -1: an error at its place in the plan. */
int job_resolve(struct job *job, const struct plan *plan, const struct scope *scope,
    const struct plan_job *own, const char *path, struct err *err);

#endif
