/* SPDX-License-Identifier: Apache-2.0 */
/* A file's entries, sorted by host and added up. */
#include "controller/fio/result.h"

#include <stdlib.h>
#include <string.h>

#include "controller/fio/document.h"
#include "lib/base/str.h"
#include "lib/base/units.h"
#include "lib/fiojson/figures.h"

#define ALL_CLIENTS "All clients"
/* Beyond these a figure is no measurement. */
#define JOB_RUNTIME_MAX_MS 1e12
#define JOB_THREADS_MAX 1e4

static const char *
text_of(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

/* ---- hosts ---- */

/* "run1/gpu01.json" → "gpu01" */
static char *
name_of_file(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t len = strlen(name);

	if (len > 5 && strcmp(name + len - 5, ".json") == 0)
		len -= 5;
	return mem_strndup(name, len);
}

/* Two agents on one address differ in their port. */
static bool
is_shared(const json_t *entries, const char *hostname, double port)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(entries, i, entry)
	{
		const char *other = text_of(entry, "hostname");
		double its;

		if (other && strcmp(other, hostname) == 0 &&
		    strcmp(text_of(entry, "jobname"), ALL_CLIENTS) != 0 &&
		    fio_number(entry, "port", &its) && its != port)
			return true;
	}
	return false;
}

static char *
host_name(const struct fio_result *result, const json_t *entries, const json_t *entry)
{
	const char *hostname = text_of(entry, "hostname");
	double port;

	if (!result->client_mode)
		return name_of_file(result->path);
	if (!hostname)
		return mem_strdup("unknown");
	if (fio_number(entry, "port", &port) && is_shared(entries, hostname, port))
		return mem_printf("%s:%.0f", hostname, port);
	return mem_strdup(hostname);
}

/* Takes the name. */
static struct fio_host *
find_host(struct fio_result *result, char *name)
{
	struct fio_host *host;

	for (vec_each(struct fio_host *, it, &result->hosts))
		if (strcmp(it->name, name) == 0) {
			free(name);
			return it;
		}
	host = vec_add(&result->hosts);
	host->name = name;
	host->tally = tally_new();
	host->tally->imported = true;
	host->tally->window_to = UINT64_MAX;
	return host;
}

/* ---- adding one entry ---- */

/* What is stated holds for one job alone; rates are made anew from the counts. */
static void
add_stated(struct fio_host *host, enum dir dir, struct fio_direction *one)
{
	struct dir_tally *into = &host->tally->dir[dir];
	uint64_t *runtime = &host->runtime_ms[dir];

	if (one->runtime_ms > *runtime)
		*runtime = one->runtime_ms;
	if (!into->stated) {
		into->stated = one->tally->stated;
		one->tally->stated = NULL;
		return;
	}
	free(into->stated);
	into->stated = tally_stated_new();
	if (*runtime == 0)
		return;
	into->stated->iops =
	    1000.0 * (double)into->phase[METER_INSIDE].ios / (double)*runtime;
	into->stated->bytes_per_s =
	    1000.0 * (double)into->phase[METER_INSIDE].bytes / (double)*runtime;
}

static int
add_direction(struct fio_result *result, struct fio_host *host, enum dir dir,
    const json_t *object, struct err *err)
{
	struct fio_direction one;

	if (fio_direction_read(&one, object, err) != 0)
		return err_prefix(err, "%s", dir_name(dir));
	if (one.ios == 0)
		return 0;
	dir_tally_merge(&host->tally->dir[dir], one.tally);
	add_stated(host, dir, &one);
	result->beyond += one.beyond;
	result->bins_differ = result->bins_differ || one.bins_differ;
	dir_tally_free(one.tally);
	free(one.tally);
	return 0;
}

static int
add_sync(struct fio_host *host, const json_t *entry, struct err *err)
{
	const json_t *sync = json_object_get(entry, "sync");
	struct fio_direction notes = {0};
	struct hist *hist = mem_alloc(sizeof *hist);
	int result = fio_latency_read(hist, json_object_get(sync, "lat_ns"),
	    fio_count(sync, "total_ios"), &notes, err);

	if (result == 0)
		hist_merge(&host->tally->dir[DIR_WRITE].sync, hist);
	free(hist);
	return result == 0 ? 0 : err_prefix(err, "sync");
}

/* numjobs clones without group_reporting are entries of one name. */
static unsigned
new_threads(struct fio_host *host, const struct fio_options *options, const char *job)
{
	for (vec_each(char *const *, it, &host->jobs))
		if (strcmp(*it, job) == 0)
			return 0;
	vec_push(&host->jobs, mem_strdup(job));
	return fio_options_numjobs(options);
}

/* fio's shares are of the time that all threads together ran; the wall time of the
 * host follows when all of it is there (finish_host). */
static void
add_cpu(struct fio_host *host, const json_t *entry)
{
	double ms, user, sys;

	if (!fio_number(entry, "job_runtime", &ms) ||
	    !fio_number(entry, "usr_cpu", &user) ||
	    !fio_number(entry, "sys_cpu", &sys) || ms > JOB_RUNTIME_MAX_MS ||
	    user > 100 * JOB_THREADS_MAX || sys > 100 * JOB_THREADS_MAX)
		return;
	ms *= (double)UNITS_NS_PER_MS;
	host->tally->cpu_wall_ns += (uint64_t)ms;
	host->tally->cpu_user_ns += (uint64_t)(ms * user / 100 + 0.5);
	host->tally->cpu_sys_ns += (uint64_t)(ms * sys / 100 + 0.5);
}

static void
add_usage(struct fio_host *host, const json_t *entry)
{
	struct tally_usage usage = fio_usage_read(entry);
	uint64_t depth = fio_depth_read(entry);

	tally_usage_merge(&host->tally->usage, &usage, host->entries == 1);
	if (depth > host->tally->latency_depth)
		host->tally->latency_depth = depth;
}

static void
read_options(
    struct fio_options *ret, const json_t *global, size_t host, const json_t *entry)
{
	/* since fio 3.39 a list, one for each agent, when there are several */
	if (json_is_array(global)) {
		const json_t *own = json_array_get(global, host);

		global = own ? own : json_array_get(global, 0);
	}
	fio_options_add(ret, global);
	fio_options_add(ret, json_object_get(entry, "job options"));
}

/* Of a job that only reads or only writes; -1: of another, or nobody knows. */
static int
only_direction(const struct fio_options *options)
{
	static const char *const only[] = {"read", "randread", "write", "randwrite"};
	const char *rw = fio_options_get(options, "rw");

	rw = rw ? rw : fio_options_get(options, "readwrite");
	for (int i = 0; rw && i < 4; i++) {
		size_t len = strlen(only[i]);

		if (strcspn(rw, ":") == len && strncmp(rw, only[i], len) == 0)
			return i < 2 ? DIR_READ : DIR_WRITE;
	}
	return -1;
}

/* unified_rw_reporting=mixed has one object for all directions. */
static int
add_directions(struct fio_result *result, struct fio_host *host, int only,
    const json_t *entry, struct err *err)
{
	const json_t *mixed = json_object_get(entry, "mixed");

	if (mixed && !json_object_get(entry, "read")) {
		if (only < 0)
			return err_set(err, ERR_UNSUPPORTED,
			    "unified_rw_reporting=mixed: reads and writes cannot be "
			    "told apart");
		return add_direction(result, host, (enum dir)only, mixed, err);
	}
	for (int dir = 0; dir < DIR_COUNT; dir++)
		if (add_direction(result, host, (enum dir)dir,
			json_object_get(entry, dir_name((enum dir)dir)), err) != 0)
			return -1;
	return 0;
}

static int
add_entry(struct fio_result *result, const json_t *root, const json_t *entries,
    const json_t *entry, struct err *err)
{
	struct fio_host *host = find_host(result, host_name(result, entries, entry));
	struct fio_options options = {0};
	const char *direct;
	uint64_t start = fio_count(entry, "job_start");
	uint64_t group = fio_count(entry, "groupid");
	int error = (int)fio_count(entry, "error"), only;

	if (host->entries && host->group != group && !result->any_group)
		return err_set(err, ERR_USAGE,
		    "%s has results of several groups of jobs, which need not have run "
		    "together: keep one of them, or add all up with job=*",
		    host->name);
	host->group = group;

	read_options(&options, json_object_get(root, "global options"),
	    (size_t)(host - result->hosts.v), entry);
	only = only_direction(&options);
	host->tally->threads += new_threads(host, &options, text_of(entry, "jobname"));
	direct = fio_options_get(&options, "direct");
	host->tally->direct = direct && strcmp(direct, "0") != 0;
	if (result->options.list.n == 0)
		result->options = options;
	else
		fio_options_free(&options);
	host->entries++;
	host->error = host->error ? host->error : error;
	host->tally->io_errors += fio_count(entry, "total_err");
	if (start && (host->job_start_ms == 0 || start < host->job_start_ms))
		host->job_start_ms = start;
	result->trims += fio_count(json_object_get(entry, "trim"), "total_ios");
	add_cpu(host, entry);
	add_usage(host, entry);
	if (add_directions(result, host, only, entry, err) != 0)
		return -1;
	return add_sync(host, entry, err);
}

/* ---- which entries ---- */

static bool
is_wanted(const char *jobname, const char *job)
{
	return strcmp(jobname, ALL_CLIENTS) != 0 &&
	       (!job || strcmp(job, "*") == 0 || strcmp(job, jobname) == 0);
}

struct names {
	VEC(const char *) list; /* borrowed */
};

/* The names of all jobs, each once. */
static int
collect_names(struct names *ret, const json_t *entries, struct err *err)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(entries, i, entry)
	{
		const char *name = text_of(entry, "jobname");
		bool known = name && strcmp(name, ALL_CLIENTS) == 0;

		if (!name)
			return err_set(
			    err, ERR_USAGE, "entry %zu has no jobname", i + 1);
		for (size_t k = 0; k < ret->list.n; k++)
			known = known || strcmp(ret->list.v[k], name) == 0;
		if (!known)
			vec_push(&ret->list, name);
	}
	return 0;
}

static int
check_names(const struct names *names, const char *job, struct err *err)
{
	struct str all = {0};
	bool wanted = false;
	int result = 0;

	for (vec_each(const char *const *, name, &names->list)) {
		str_addf(&all, "%s%s", all.len ? ", " : "", *name);
		wanted = wanted || is_wanted(*name, job);
	}
	if (names->list.n == 0)
		result = err_set(err, ERR_USAGE,
		    "fio wrote no result of any job (it does so when it rejected the "
		    "job file)");
	else if (names->list.n > 1 && !job)
		result = err_set(err, ERR_USAGE,
		    "holds several jobs (%s): choose one with job=NAME, or add all up "
		    "with job=*",
		    all.s);
	else if (!wanted)
		result = err_set(
		    err, ERR_USAGE, "no job is called '%s'; there are %s", job, all.s);
	str_free(&all);
	return result;
}

static void
read_all_clients(struct fio_result *result, const json_t *entry)
{
	result->has_all = true;
	for (int dir = 0; dir < DIR_COUNT; dir++)
		result->all_ios[dir] = fio_count(
		    json_object_get(entry, dir_name((enum dir)dir)), "total_ios");
}

static int
read_entries(
    struct fio_result *result, const json_t *root, const char *job, struct err *err)
{
	const json_t *jobs = json_object_get(root, "jobs"), *entry;
	const json_t *entries = jobs ? jobs : json_object_get(root, "client_stats");
	struct names names = {0};
	bool all = true;
	size_t i;
	int known;

	if (!json_is_array(entries))
		return err_set(err, ERR_USAGE,
		    "neither \"jobs\" nor \"client_stats\": no result of fio's");
	result->client_mode = !jobs;
	known = collect_names(&names, entries, err);
	if (known == 0)
		known = check_names(&names, job, err);
	vec_free(&names.list);
	if (known != 0)
		return -1;
	json_array_foreach(entries, i, entry)
	{
		const char *name = text_of(entry, "jobname");

		if (strcmp(name, ALL_CLIENTS) == 0)
			read_all_clients(result, entry);
		else if (!is_wanted(name, job))
			all = false;
		else if (add_entry(result, root, entries, entry, err) != 0)
			return err_prefix(
			    err, "%s[%zu]", jobs ? "jobs" : "client_stats", i);
	}
	result->has_all = result->has_all && all;
	return 0;
}

/* Time of all threads → of the host; unknown where the threads are. */
static void
finish_host(struct fio_host *host)
{
	struct tally *tally = host->tally;

	if (tally->threads) {
		tally->cpu_wall_ns /= tally->threads;
		return;
	}
	tally->cpu_wall_ns = tally->cpu_user_ns = tally->cpu_sys_ns = 0;
}

int
fio_result_read(
    struct fio_result *ret, const char *path, const char *job, struct err *err)
{
	json_t *root;
	const char *version;
	uint64_t ms;

	*ret = (struct fio_result){
	    .path = mem_strdup(path), .any_group = job && strcmp(job, "*") == 0};
	root = fio_document_read(path, &ret->hash, err);
	if (!root) {
		fio_result_free(ret);
		return -1;
	}
	version = text_of(root, "fio version");
	ret->version = mem_strdup(version ? version : "fio of unknown version");
	ms = fio_count(root, "timestamp_ms");
	ret->ended_wall_ns =
	    ms ? ms * UNITS_NS_PER_MS : fio_count(root, "timestamp") * UNITS_NS_PER_S;
	if (read_entries(ret, root, job, err) != 0) {
		json_decref(root);
		fio_result_free(ret);
		return err_prefix(err, "%s", path);
	}
	json_decref(root);
	for (vec_each(struct fio_host *, host, &ret->hosts))
		finish_host(host);
	return 0;
}

void
fio_result_free(struct fio_result *result)
{
	for (vec_each(struct fio_host *, host, &result->hosts)) {
		for (vec_each(char **, job, &host->jobs))
			free(*job);
		vec_free(&host->jobs);
		free(host->name);
		tally_free(host->tally);
	}
	vec_free(&result->hosts);
	fio_options_free(&result->options);
	free(result->path);
	free(result->version);
	*result = (struct fio_result){0};
}
