/* SPDX-License-Identifier: Apache-2.0 */
/* See resolve.h. */
#include "controller/expand/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/job-net.h"

/* Block devices have no files of ours, so the device itself is the file. */
static int
set_device(struct job *job, const struct plan *plan, const struct scope *scope,
    const char *path, struct err *err)
{
	const char *what = job->filename ? "filename" : "directory";

	if (job->filename || job->directory)
		return plan_err(err, plan, scope->variant->workload->pos,
		    "workload '%s' "
		    "sets %s, but storage '%s' is the block device %s",
		    scope->variant->workload->name, what, scope->storage->name, path);
	job->filename = mem_strdup(path);
	return 0;
}

/* A target has no files, and its URL says which engine. */
static int
set_target(struct job *job, const struct plan *plan, const struct scope *scope,
    const char *path, struct err *err)
{
	struct net_url url;

	if (job->filename || job->directory)
		return plan_err(err, plan, scope->variant->workload->pos,
		    "workload '%s' sets %s, but storage '%s' is the target %s",
		    scope->variant->workload->name,
		    job->filename ? "filename" : "directory", scope->storage->name, path);
	if (net_url_parse(&url, path, err)) /* cannot be: the plan has read it */
		return -1;
	job_net_aim(job, &url);
	net_url_free(&url);
	return 0;
}

/* Folder and names of a job are below the storage's path. */
static int
set_path(struct job *job, const struct plan *plan, const struct scope *scope,
    const char *path, struct err *err)
{
	char *folder, *name;

	if (net_url_is(path))
		return set_target(job, plan, scope, path, err);
	if (job_is_net(job))
		return plan_err(err, plan, scope->variant->workload->pos,
		    "workload '%s': ioengine %s needs a storage whose path is "
		    "volley://HOST:PORT/EXPORT and that has a key; '%s' is %s",
		    scope->variant->workload->name, job->ioengine, scope->storage->name,
		    path);
	if (job_is_device_path(path))
		return set_device(job, plan, scope, path, err);
	folder = job->directory ? mem_printf("%s/%s", path, job->directory)
				: mem_strdup(path);
	free(job->directory);
	job->directory = folder;
	if (!job->filename || job->files.list)
		return 0;
	name = mem_printf("%s/%s", folder, job->filename);
	if (!job_is_device_path(name)) {
		free(name);
		return 0;
	}
	free(job->filename);
	job->filename = name;
	free(job->directory);
	job->directory = NULL;
	return 0;
}

static unsigned
most_clients(const struct plan *plan)
{
	unsigned most = 0;

	for (vec_each(const unsigned *, n, &plan->clients))
		most = *n > most ? *n : most;
	return most;
}

static bool
job_sets(const struct plan_job *own, const char *name)
{
	for (size_t i = 0; own && i < own->options.n; i++)
		if (strcmp(own->options.v[i].name, name) == 0)
			return true;
	return false;
}

static int
set_option(struct job *job, const struct plan *plan, const struct plan_option *option,
    size_t at, struct err *err)
{
	const struct plan_value *value = &option->values.v[at];

	if (job_set(job, option->key, value->text, err))
		return plan_err_at(err, plan, value->pos);
	if (job->verify.dump)
		return plan_err(err, plan, value->pos,
		    "%s: blocks are dumped by volley-io alone, not by agents",
		    option->key);
	if (job->net.key_file)
		return plan_err(err, plan, value->pos,
		    "%s: is for volley-io alone; in a plan the storage has a key",
		    option->key);
	return 0;
}

/* The workload's options, then the job's own (NULL: the workload is one job). */
static int
set_options(struct job *job, const struct plan *plan, const struct variant *v,
    const struct plan_job *own, struct err *err)
{
	for (size_t i = 0; i < v->n; i++)
		if (!job_sets(own, v->options[i]->name) &&
		    set_option(job, plan, v->options[i], v->at[i], err))
			return -1;
	for (size_t i = 0; own && i < own->options.n; i++)
		if (set_option(job, plan, &own->options.v[i], 0, err))
			return -1;
	return 0;
}

int
job_resolve(struct job *job, const struct plan *plan, const struct scope *scope,
    const struct plan_job *own, const char *path, struct err *err)
{
	const struct variant *v = scope->variant;
	struct plan_pos pos = own ? own->pos : v->workload->pos;
	const char *what = own ? "job" : "workload";

	free(job->name);
	job->name = mem_strdup(own ? own->name : v->workload->name);
	if (set_options(job, plan, v, own, err))
		return -1;
	if (scope->storage->has_layout && !variant_sets(v, "layout") &&
	    !job_sets(own, "layout"))
		job->layout = scope->storage->layout;
	if (set_path(job, plan, scope, path, err))
		return -1;
	if (job->filename && !job_on_device(job) && !job->shared && most_clients(plan) > 1)
		return plan_err(err, plan, pos,
		    "%s '%s': filename names the same file for every client; say "
		    "shared: true, or leave it out for a file each",
		    what, job->name);
	if (job_validate(job, err)) {
		err_prefix(err, "%s '%s'", what, job->name);
		return plan_err_at(err, plan, pos);
	}
	return 0;
}
