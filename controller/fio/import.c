/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of an imported attempt is added up as fio does it; what only a common
 * window could tell stays unknown, and a reason says so.
 */
#include "controller/fio/import.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/rng.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#define DIFFERS 0.01

/* ---- the case ---- */

/* The options that tell workloads apart; where its files were does not. */
static void
set_id(struct results_case *c)
{
	struct str s = {0};

	str_addf(&s,
	    "imported from fio\nstorage=%s\ntransport=%s\nworkload=%s\n"
	    "clients=%u\n",
	    c->storage, c->transport, c->workload, c->clients);
	for (vec_each(const struct results_param *, param, &c->params))
		str_addf(&s, "%s=%s\n", param->name, param->value);
	snprintf(c->id, sizeof c->id, "%016" PRIx64, hash_fnv1a(s.s, s.len));
	str_free(&s);
}

static void
make_case(struct results_case *ret, const struct fio_as *as,
    const struct fio_options *options, unsigned clients)
{
	const char *path = fio_options_get(options, "directory");

	if (!path)
		path = fio_options_get(options, "filename");
	*ret = (struct results_case){.storage = mem_strdup(as->storage),
	    .transport = mem_strdup(as->transport),
	    .workload = mem_strdup(as->workload),
	    .path = mem_strdup(path ? path : "unknown"),
	    .clients = clients};
	fio_options_describe(options, ret);
	set_id(ret);
}

/* Files that state other options are not repeats of one another. */
static int
check_same(const struct fio_import *import, const struct fio_result *file,
    const struct fio_as *as, struct err *err)
{
	struct results_case other;
	int result = 0;

	make_case(&other, as, &file->options, import->into.clients);
	for (vec_each(const struct results_param *, param, &other.params)) {
		const char *value = results_case_param(&import->into, param->name);

		if (result == 0 && (!value || strcmp(value, param->value) != 0))
			result = err_set(err, ERR_USAGE,
			    "%s: %s is %s, but %s in %s: not one workload", file->path,
			    param->name, param->value, value ? value : "not stated",
			    import->files.v[0].path);
	}
	results_case_free(&other);
	return result;
}

static int
group_files(struct fio_import *import, const struct fio_as *as, unsigned *ret_clients,
    struct err *err)
{
	const struct fio_result *first = &import->files.v[0];
	unsigned clients = as->clients;

	for (vec_each(const struct fio_result *, file, &import->files))
		if (file->client_mode != first->client_mode)
			return err_set(err, ERR_USAGE,
			    "%s is of fio --client and %s is not: import them apart",
			    (first->client_mode ? first : file)->path,
			    (first->client_mode ? file : first)->path);
	if (clients == 0)
		clients = first->client_mode ? (unsigned)first->hosts.n : 1;
	import->per_repeat = first->client_mode ? 1 : clients;
	if (import->files.n % import->per_repeat != 0)
		return err_set(err, ERR_USAGE,
		    "%zu files of one host each are not whole repeats of %u clients",
		    import->files.n, clients);
	for (vec_each(const struct fio_result *, file, &import->files))
		if (file->hosts.n > clients)
			return err_set(err, ERR_USAGE, "%s holds %zu hosts, not %u",
			    file->path, file->hosts.n, clients);
	*ret_clients = clients;
	return 0;
}

/* The same file twice would count twice in every mean. */
static int
check_new(const struct fio_import *import, const struct fio_result *file,
    struct err *err)
{
	for (vec_each(const struct fio_result *, other, &import->files))
		if (other->hash == file->hash)
			return err_set(err, ERR_USAGE,
			    "%s holds the very same as %s: it would count twice",
			    file->path, other->path);
	return 0;
}

int
fio_import_read(struct fio_import *ret, const struct fio_as *as,
    const char *const *paths, size_t n, struct err *err)
{
	unsigned clients = 0;
	int result = 0;

	*ret = (struct fio_import){0};
	for (size_t i = 0; result == 0 && i < n; i++) {
		struct fio_result file;

		if (fio_result_read(&file, paths[i], as->job, err) < 0) {
			result = -1;
			break;
		}
		result = check_new(ret, &file, err);
		vec_push(&ret->files, file);
	}
	if (result == 0)
		result = group_files(ret, as, &clients, err);
	if (result == 0)
		make_case(&ret->into, as, &ret->files.v[0].options, clients);
	for (size_t i = 1; result == 0 && i < n; i++)
		result = check_same(ret, &ret->files.v[i], as, err);
	if (result != 0)
		fio_import_free(ret);
	return result;
}

void
fio_import_free(struct fio_import *import)
{
	for (vec_each(struct fio_result *, file, &import->files))
		fio_result_free(file);
	vec_free(&import->files);
	results_case_free(&import->into);
}

size_t
fio_import_repeats(const struct fio_import *import)
{
	return import->files.n / import->per_repeat;
}

uint64_t
fio_import_hash(const struct fio_import *import, size_t repeat)
{
	const struct fio_result *file = import->files.v + repeat * import->per_repeat;
	uint64_t hash = file->hash;

	for (size_t i = 1; i < import->per_repeat; i++) {
		const uint64_t both[] = {hash, file[i].hash};

		hash = hash_fnv1a(both, sizeof both);
	}
	return hash;
}

/* ---- an attempt ---- */

static void __attribute__((format(printf, 5, 6))) add_reason(struct attempt *attempt,
    enum attempt_state makes, const char *code, const char *agent, const char *fmt, ...)
{
	struct attempt_reason *reason = vec_add(&attempt->reasons);
	va_list ap;

	va_start(ap, fmt);
	*reason = (struct attempt_reason){.code = mem_strdup(code),
	    .agent = mem_strdup(agent),
	    .text = mem_vprintf(fmt, ap),
	    .makes = makes};
	va_end(ap);
	if (makes > attempt->state)
		attempt->state = makes;
}

/* Files of different folders may have one name; then all of the path is the host's. */
static char *
client_name(const struct attempt *attempt, const struct fio_result *file,
    const struct fio_host *host)
{
	for (vec_each(const struct attempt_client *, other, &attempt->clients))
		if (strcmp(other->agent, host->name) == 0)
			return mem_strdup(file->path);
	return mem_strdup(host->name);
}

static void
add_client(
    struct attempt *attempt, const struct fio_result *file, struct fio_host *host)
{
	char *name = client_name(attempt, file, host);
	struct attempt_client *client = vec_add(&attempt->clients);

	client->agent = name;
	client->outcome = host->error ? CLIENT_FAILED : CLIENT_OK;
	if (host->error)
		client->error = mem_printf(
		    "fio: error %d (%s)", host->error, strerror(host->error));
	client->tally = host->tally;
	host->tally = NULL;
}

/* The time that a client's own rate is over. */
static double
run_s(const struct tally *tally, enum dir dir)
{
	const struct dir_tally *d = &tally->dir[dir];

	return (double)d->phase[METER_INSIDE].ios / d->stated->iops;
}

/* What is stated of the only client holds of all. */
static void
state_alone(struct dir_tally *all, const struct dir_tally *one)
{
	if (!one->stated)
		return;
	all->stated = tally_stated_new();
	*all->stated = *one->stated;
}

/* Everything over the longest run, as fio's own sum; NAN where a run is unknown. */
static void
add_up_direction(struct total *total, enum dir dir, const struct fio_host *const *hosts,
    const struct tally *const *tallies, size_t n)
{
	const struct dir_tally *all = &total->merged->dir[dir];
	struct total_dir *ret = &total->dir[dir];
	double longest = 0; /* s */

	*ret = (struct total_dir){.present = tally_has(total->merged, dir),
	    .ios = all->phase[METER_INSIDE].ios,
	    .bytes = all->phase[METER_INSIDE].bytes,
	    .common_bytes_per_s = NAN,
	    .common_iops = NAN,
	    .slat = &all->slat,
	    .clat = &all->clat,
	    .lat = &all->lat};
	for (size_t i = 0; i < n; i++) {
		const struct tally_stated *stated = tallies[i]->dir[dir].stated;

		if (!tally_has(tallies[i], dir))
			continue;
		ret->sum_iops += stated->iops;
		ret->sum_bytes_per_s += stated->bytes_per_s;
		if (hosts[i]->runtime_ms[dir])
			longest = fmax(longest, run_s(tallies[i], dir));
	}
	ret->fio_iops = longest > 0 ? (double)ret->ios / longest : NAN;
	ret->fio_bytes_per_s = longest > 0 ? (double)ret->bytes / longest : NAN;
	if (n == 1) {
		ret->fio_iops = ret->sum_iops;
		ret->fio_bytes_per_s = ret->sum_bytes_per_s;
		state_alone(&total->merged->dir[dir], &tallies[0]->dir[dir]);
	}
	ret->iops = ret->fio_iops;
	ret->bytes_per_s = ret->fio_bytes_per_s;
}

static void
merge_tally(struct tally *into, const struct tally *from, bool first)
{
	bool cpu = (first || into->cpu_wall_ns) && from->cpu_wall_ns;
	bool threads = (first || into->threads) && from->threads;

	for (int dir = 0; dir < DIR_COUNT; dir++)
		dir_tally_merge(&into->dir[dir], &from->dir[dir]);
	into->threads = threads ? into->threads + from->threads : 0;
	into->cpu_wall_ns = cpu ? into->cpu_wall_ns + from->cpu_wall_ns : 0;
	into->cpu_user_ns = cpu ? into->cpu_user_ns + from->cpu_user_ns : 0;
	into->cpu_sys_ns = cpu ? into->cpu_sys_ns + from->cpu_sys_ns : 0;
	tally_usage_merge(&into->usage, &from->usage, first);
	if (from->latency_depth > into->latency_depth)
		into->latency_depth = from->latency_depth;
	into->io_errors += from->io_errors;
	into->direct = (first || into->direct) && from->direct;
}

static void
add_up(struct attempt *attempt, const struct fio_host *const *hosts)
{
	struct total *total = &attempt->total;
	size_t max = attempt->clients.n, n = 0;
	const struct fio_host **ok = mem_array(max, sizeof *ok);
	const struct tally **tallies = mem_array(max, sizeof *tallies);

	*total = (struct total){
	    .merged = tally_new(), .overlap = NAN, .outstanding_share = NAN};
	total->merged->imported = true;
	total->merged->window_to = UINT64_MAX;
	for (size_t i = 0; i < max; i++) {
		const struct attempt_client *client = &attempt->clients.v[i];

		if (client->outcome != CLIENT_OK)
			continue;
		merge_tally(total->merged, client->tally, n == 0);
		ok[n] = hosts[i];
		tallies[n++] = client->tally;
	}
	for (int dir = 0; dir < DIR_COUNT; dir++)
		add_up_direction(total, (enum dir)dir, ok, tallies, n);
	total->clients = n;
	attempt->has_total = n > 0;
	if (n == 0)
		total_free(total);
	free(ok);
	free(tallies);
}

/* ---- what it is worth ---- */

static void
judge_files(struct attempt *attempt, const struct fio_result *files, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct fio_result *file = &files[i];

		if (file->beyond)
			add_reason(attempt, ATTEMPT_VALID, "imported-beyond", NULL,
			    "%s: %" PRIu64 " latencies are 17.18 s or more; fio does "
			    "not say how much",
			    file->path, file->beyond);
		if (file->bins_differ)
			add_reason(attempt, ATTEMPT_VALID, "imported-bins", NULL,
			    "%s: fio's bins are not as many latencies as its N",
			    file->path);
		if (file->trims)
			add_reason(attempt, ATTEMPT_VALID, "imported-trims", NULL,
			    "%s: %" PRIu64 " trims are left out", file->path,
			    file->trims);
	}
}

static void
judge_clients(struct attempt *attempt)
{
	unsigned expected = attempt->clients_expected;
	unsigned ok = results_reported(attempt);

	for (vec_each(const struct attempt_client *, client, &attempt->clients)) {
		const struct tally *tally = client->tally;

		if (client->outcome != CLIENT_OK)
			add_reason(attempt, ATTEMPT_PARTIAL, "client-failed",
			    client->agent, "%u of %u clients: %s failed: %s", ok,
			    expected, client->agent, client->error);
		else if (!tally_has(tally, DIR_READ) && !tally_has(tally, DIR_WRITE))
			add_reason(attempt, ATTEMPT_PARTIAL, "client-idle",
			    client->agent, "%s did no I/O", client->agent);
		else if (tally->io_errors)
			add_reason(attempt, ATTEMPT_PARTIAL, "io-errors", client->agent,
			    "%s had %" PRIu64 " I/O errors", client->agent,
			    tally->io_errors);
	}
	if (attempt->clients.n < expected)
		add_reason(attempt, ATTEMPT_PARTIAL, "client-missing", NULL,
		    "%u of %u clients: %zu are not in fio's result", ok, expected,
		    expected - attempt->clients.n);
	if (ok == 0)
		add_reason(attempt, ATTEMPT_INVALID, "no-result", NULL,
		    "no client has a complete result");
	else if (!tally_has(attempt->total.merged, DIR_READ) &&
		 !tally_has(attempt->total.merged, DIR_WRITE))
		add_reason(attempt, ATTEMPT_INVALID, "no-io", NULL, "no I/O completed");
}

/* fio leaves out agents that answered late, and does not say so. */
static void
judge_all_clients(struct attempt *attempt, const struct fio_result *file)
{
	for (int dir = 0; dir < DIR_COUNT && file->has_all; dir++) {
		uint64_t ios = 0;

		for (vec_each(const struct attempt_client *, client, &attempt->clients))
			ios += client->tally->dir[dir].phase[METER_INSIDE].ios;
		if (ios != file->all_ios[dir])
			add_reason(attempt, ATTEMPT_VALID, "imported-sum-differs", NULL,
			    "%s: %s: fio's \"All clients\" has %" PRIu64
			    " I/Os, its clients together have %" PRIu64,
			    file->path, dir_name((enum dir)dir), file->all_ios[dir],
			    ios);
	}
}

/* The hosts' wall clocks may differ by more than the starts did: worth knowing only. */
static void
judge_starts(struct attempt *attempt, const struct fio_host *const *hosts)
{
	uint64_t low = UINT64_MAX, high = 0, longest = 0;
	char text[UNITS_BUF];

	for (size_t i = 0; i < attempt->clients.n; i++) {
		uint64_t at = hosts[i]->job_start_ms;

		if (at == 0)
			return;
		low = at < low ? at : low;
		high = at > high ? at : high;
		for (int dir = 0; dir < DIR_COUNT; dir++)
			if (hosts[i]->runtime_ms[dir] > longest)
				longest = hosts[i]->runtime_ms[dir];
	}
	if (attempt->clients.n < 2 || (double)(high - low) <= DIFFERS * (double)longest)
		return;
	units_ns(text, (double)(high - low) * (double)UNITS_NS_PER_MS);
	add_reason(attempt, ATTEMPT_VALID, "imported-starts", NULL,
	    "by the clients' own wall clocks they began %s apart", text);
}

static void
judge_sums(struct attempt *attempt)
{
	for (int dir = 0; dir < DIR_COUNT && attempt->has_total; dir++) {
		const struct total_dir *d = &attempt->total.dir[dir];
		double by = d->sum_bytes_per_s / d->fio_bytes_per_s - 1;
		char text[UNITS_BUF];

		if (!d->present || !(fabs(by) > DIFFERS))
			continue;
		units_bytes_per_s(text, d->sum_bytes_per_s);
		add_reason(attempt, ATTEMPT_VALID, "fio-style-differs", NULL,
		    "%s: the sum of the clients' averages would be %s (%+.1f %%)",
		    dir_name((enum dir)dir), text, by * 100);
	}
}

static void
judge(struct attempt *attempt, const struct fio_result *files, size_t n,
    const struct fio_host *const *hosts)
{
	struct str from = {0};

	for (size_t i = 0; i < n && i < 3; i++)
		str_addf(&from, "%s%s", i ? ", " : "", files[i].path);
	if (n > 3)
		str_addf(&from, " and %zu more", n - 3);
	add_reason(attempt, ATTEMPT_VALID, "imported", NULL,
	    attempt->clients_expected > 1
		? "from %s (%s): start skew and common window are unknown; the rate is "
		  "all I/O / the longest client's run"
		: "from %s (%s): fio's own figures",
	    from.s, files[0].version);
	str_free(&from);
	judge_clients(attempt);
	judge_starts(attempt, hosts);
	if (n == 1)
		judge_all_clients(attempt, &files[0]);
	judge_sums(attempt);
	judge_files(attempt, files, n);
}

/* From what fio states: the first start, or else the end less the longest run. */
static void
set_times(struct attempt *attempt, const struct fio_result *files, size_t n)
{
	uint64_t longest = 0, start = UINT64_MAX;

	for (size_t i = 0; i < n; i++) {
		if (files[i].ended_wall_ns > attempt->ended_wall_ns)
			attempt->ended_wall_ns = files[i].ended_wall_ns;
		for (vec_each(const struct fio_host *, host, &files[i].hosts)) {
			if (host->job_start_ms && host->job_start_ms < start)
				start = host->job_start_ms;
			for (int dir = 0; dir < DIR_COUNT; dir++)
				if (host->runtime_ms[dir] > longest)
					longest = host->runtime_ms[dir];
		}
	}
	attempt->started_wall_ns =
	    start != UINT64_MAX ? start * UNITS_NS_PER_MS
				: attempt->ended_wall_ns - longest * UNITS_NS_PER_MS;
	if (attempt->started_wall_ns > attempt->ended_wall_ns)
		attempt->started_wall_ns = attempt->ended_wall_ns;
}

void
fio_import_attempt(struct fio_import *import, size_t repeat, struct attempt *ret)
{
	struct fio_result *files = import->files.v + repeat * import->per_repeat;
	VEC(const struct fio_host *) hosts = {0};

	*ret = (struct attempt){.run_id = fio_import_hash(import, repeat),
	    .clients_expected = import->into.clients};
	memcpy(ret->case_id, import->into.id, sizeof ret->case_id);
	for (size_t i = 0; i < import->per_repeat; i++)
		for (vec_each(struct fio_host *, host, &files[i].hosts)) {
			add_client(ret, &files[i], host);
			vec_push(&hosts, host);
		}
	set_times(ret, files, import->per_repeat);
	add_up(ret, hosts.v);
	judge(ret, files, import->per_repeat, hosts.v);
	vec_free(&hosts);
}
