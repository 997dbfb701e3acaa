/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an attempt is worth.  Adds the clients with outcome OK up, then asks one
 * question after the other; every answer that takes something away from the figures
 * becomes a reason, and the worst reason decides the state.
 */
#include "controller/attempt/judge-impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"

#define MAX_SKEW_MIN_NS (10 * UNITS_NS_PER_MS)
#define MAX_SKEW_SHARE 1000 /* of the runtime: 0.1 % */
#define OVERLAP_MIN 0.8
#define OUTSTANDING_MAX 0.001

void
judge_reason(struct attempt *attempt, enum attempt_state makes, const char *code,
    const char *agent, const char *fmt, ...)
{
	struct attempt_reason *reason = vec_add(&attempt->reasons);
	char text[1280];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	*reason = (struct attempt_reason){.code = mem_strdup(code),
	    .agent = mem_strdup(agent),
	    .text = mem_strdup(text),
	    .makes = makes};
	if (makes > attempt->state)
		attempt->state = makes;
}

static bool
is_counted(const struct attempt_client *client)
{
	return client->outcome == CLIENT_OK && client->tally;
}

static size_t
count_ok(const struct attempt *attempt)
{
	size_t n = 0;

	for (vec_each(const struct attempt_client *, client, &attempt->clients))
		n += is_counted(client);
	return n;
}

/* ---- who took part ---- */

static const struct {
	const char *code, *word;
} missing[CLIENT_OUTCOME_COUNT] = {
    [CLIENT_PENDING] = {"client-lost", "never heard of"},
    [CLIENT_OK] = {"client-failed", "without a result"},
    [CLIENT_FAILED] = {"client-failed", "failed"},
    [CLIENT_STALLED] = {"client-stalled", "stalled"},
    [CLIENT_NOT_STARTED] = {"client-not-started", "not started"},
    [CLIENT_LOST] = {"client-lost", "lost"},
    [CLIENT_ABORTED] = {"client-aborted", "aborted"},
};

static void
judge_clients(struct attempt *attempt, size_t ok)
{
	unsigned expected = attempt->clients_expected;
	size_t not_started = 0;

	for (vec_each(const struct attempt_client *, client, &attempt->clients)) {
		if (is_counted(client))
			continue;
		not_started += client->outcome == CLIENT_NOT_STARTED;
		judge_reason(attempt, ATTEMPT_PARTIAL, missing[client->outcome].code,
		    client->agent, "%zu of %u clients: %s%s%s%s %s%s%s", ok, expected,
		    client->agent, client->jobs ? " (job " : "",
		    client->jobs ? client->jobs : "", client->jobs ? ")" : "",
		    missing[client->outcome].word, client->error ? ": " : "",
		    client->error ? client->error : "");
	}
	if (attempt->clients.n < expected)
		judge_reason(attempt, ATTEMPT_PARTIAL, "client-missing", NULL,
		    "%zu of %u clients: %zu missing from the start", ok, expected,
		    expected - attempt->clients.n);
	if (attempt->clients.n && not_started == attempt->clients.n)
		judge_reason(
		    attempt, ATTEMPT_INVALID, "not-started", NULL, "no client started");
	else if (ok == 0)
		judge_reason(attempt, ATTEMPT_INVALID, "no-result", NULL,
		    "no client has a complete result");
}

/* Which job it is about: "" when there is only one. */
struct which {
	char text[192];
};

static struct which
which_job(const struct judging *judging, unsigned job, const char *before)
{
	struct which ret = {""};

	if (judging->nparts > 1 && job < judging->nparts)
		snprintf(ret.text, sizeof ret.text, "%sjob %s", before,
		    judging->parts[job].job->name);
	return ret;
}

/* Faults of single clients whose figures count all the same. */
static void
judge_counted(struct judging *judging)
{
	struct attempt *attempt = judging->attempt;

	for (vec_each(const struct entry *, entry, &judging->entries.v)) {
		const struct tally *tally = entry->tally;
		const char *agent = entry->client->agent;
		struct which in = which_job(judging, tally->job, " in ");

		if (!tally_has(tally, DIR_READ) && !tally_has(tally, DIR_WRITE))
			judge_reason(attempt, ATTEMPT_PARTIAL, "client-idle", agent,
			    "%s did no I/O%s", agent, in.text);
		if (tally->io_errors)
			judge_reason(attempt, ATTEMPT_PARTIAL, "io-errors", agent,
			    "%s had %llu I/O error%s%s", agent,
			    (unsigned long long)tally->io_errors,
			    tally->io_errors == 1 ? "" : "s", in.text);
	}
	for (vec_each(const struct attempt_client *, client, &attempt->clients))
		if (is_counted(client) && !client->offset.valid &&
		    attempt->clients.n > 1)
			judge_reason(attempt, ATTEMPT_INVALID, "clock-unknown",
			    client->agent,
			    "the clock of %s could not be compared: skew unknown",
			    client->agent);
}

/* Who did the I/O, when it was not volley: each kind, and on how many clients. */
static void
judge_runner(struct attempt *attempt)
{
	char bound[UNITS_BUF];

	for (vec_each(const struct attempt_client *, client, &attempt->clients)) {
		uint64_t worst = 0;
		size_t n = 0;
		bool first = true;

		if (!is_counted(client) || !client->tally->runner[0])
			continue;
		for (vec_each(
			 const struct attempt_client *, other, &attempt->clients)) {
			if (!is_counted(other) ||
			    strcmp(other->tally->runner, client->tally->runner) != 0)
				continue;
			first = first && other >= client;
			if (other->tally->first_io_bound_ns > worst)
				worst = other->tally->first_io_bound_ns;
			n++;
		}
		if (!first)
			continue;
		units_ns(bound, (double)worst);
		judge_reason(attempt, ATTEMPT_VALID, "runner", NULL,
		    "runner=%s did the I/O of %zu of %u clients; its first I/Os are "
		    "known to +-%s, its window ends with its last completion",
		    client->tally->runner, n, attempt->clients_expected, bound);
	}
}

/* ---- one instant, one window ---- */

static void
judge_skew(struct attempt *attempt)
{
	const struct total *total = &attempt->total;
	char skew[UNITS_BUF], bound[UNITS_BUF], limit[UNITS_BUF];

	if (!total->has_skew)
		return;
	units_ns(skew, (double)total->skew_ns);
	units_ns(bound, (double)total->skew_bound_ns);
	units_ns(limit, (double)attempt->max_skew_ns);
	if (total->skew_ns > attempt->max_skew_ns)
		judge_reason(attempt, ATTEMPT_INVALID, "skew", NULL,
		    "first I/Os are %s apart, at most %s are allowed", skew, limit);
	else if (total->skew_ns + total->skew_bound_ns > attempt->max_skew_ns)
		judge_reason(attempt, ATTEMPT_VALID, "skew-bound", NULL,
		    "first I/Os are %s apart, give or take %s: more than the %s "
		    "that are allowed cannot be ruled out",
		    skew, bound, limit);
}

/* Together, but late: a host that stood still over T does nothing in a part of the
 * window, and rates would be divided by time in which nobody ran. */
static int64_t
first_io(const struct entry *entry)
{
	/* The client's is the earliest of its jobs'. */
	return entry->client->first_io_ns + entry->tally->first_io_ns -
	       entry->client->tally->first_io_ns;
}

static void
judge_start(struct judging *judging)
{
	struct attempt *attempt = judging->attempt;
	const struct total *total = &attempt->total;
	char late[UNITS_BUF], window[UNITS_BUF];
	int64_t last = 0;

	if (total->window_kind != TOTAL_WINDOW_FIXED || !total->has_skew)
		return;
	for (vec_each(const struct entry *, entry, &judging->entries.v))
		if (first_io(entry) > last)
			last = first_io(entry);
	last -= (int64_t)total->window_from;
	if (last <= (int64_t)attempt->max_skew_ns)
		return;
	judge_reason(attempt, ATTEMPT_INVALID, "late-start", NULL,
	    "the last client began %s into the window of %s",
	    units_ns(late, (double)last), units_ns(window, (double)total->window_ns));
}

/* Of a job, or of all when there is one. */
static void
judge_together(struct judging *judging, const struct total *total, const char *job)
{
	struct attempt *attempt = judging->attempt;

	if (total->overlap < OVERLAP_MIN)
		judge_reason(attempt, ATTEMPT_INVALID, "overlap", NULL,
		    "%sall clients ran together for only %.1f %% of the longest "
		    "run (at least %.0f %% are needed)",
		    job, total->overlap * 100, OVERLAP_MIN * 100);
	else if (total->window_ns == 0)
		judge_reason(attempt, ATTEMPT_INVALID, "no-window", NULL,
		    "%sthe clients have no whole 100 ms in common: the job is "
		    "too short for a rate",
		    job);
}

/* Clients that read back what they wrote need not be in a direction together. */
static void
judge_directions(struct attempt *attempt)
{
	const struct total *total = &attempt->total;

	for (int dir = 0; dir < DIR_COUNT; dir++)
		if (total->window_ns && total->dir[dir].present &&
		    total->dir[dir].window_ns == 0)
			judge_reason(attempt, ATTEMPT_VALID, "no-window", NULL,
			    "%s: the clients were not at it for a whole 100 ms "
			    "together: no rate of all of them",
			    dir_name((enum dir)dir));
}

/*
 * Jobs that are not to run equally long do not overlap by plan: each is held against
 * itself, and the sum is of what they have in common.
 */
static void
judge_apart(struct judging *judging)
{
	struct attempt *attempt = judging->attempt;
	char window[UNITS_BUF];

	for (vec_each(const struct attempt_job *, job, &attempt->jobs)) {
		char *name = mem_printf("job %s: ", job->name);

		if (job->has_total)
			judge_together(judging, &job->total, name);
		free(name);
	}
	if (attempt->total.window_ns == 0)
		judge_reason(attempt, ATTEMPT_VALID, "windows-differ", NULL,
		    "the jobs have no whole 100 ms in common: there are only figures "
		    "of each job");
	else
		judge_reason(attempt, ATTEMPT_VALID, "windows-differ", NULL,
		    "the jobs do not run equally long: rates of all of them are of the "
		    "%s in common, each job's own are beside them",
		    units_ns(window, (double)attempt->total.window_ns));
}

static void
judge_window(struct judging *judging)
{
	struct attempt *attempt = judging->attempt;
	const struct total *total = &attempt->total;

	if (judging->nparts > 1 && total->window_kind == TOTAL_WINDOW_COMMON)
		judge_apart(judging);
	else
		judge_together(judging, total, "");
	judge_directions(attempt);
	if (total->outstanding_share > OUTSTANDING_MAX)
		judge_reason(attempt, ATTEMPT_PARTIAL, "outstanding", NULL,
		    "%llu I/Os never completed (%.2f %%)",
		    (unsigned long long)total->outstanding,
		    total->outstanding_share * 100);
}

/* ---- the transport ---- */

/* Everything that it moved between the two looks at the counters. */
static uint64_t
bytes_of(const struct tally *tally, enum dir dir)
{
	uint64_t sum = 0;

	for (int phase = 0; phase < METER_PHASES; phase++)
		sum += tally->dir[dir].phase[phase].bytes;
	return sum;
}

static void
judge_transport(struct attempt *attempt, struct attempt_client *client)
{
	const struct tally *tally = client->tally;
	struct proof *proof = &client->proof;
	struct proof_question question = {.declared = attempt->declared,
	    .bytes = {[DIR_READ] = bytes_of(tally, DIR_READ),
		[DIR_WRITE] = bytes_of(tally, DIR_WRITE)},
	    .counters = client->counters};

	proof_judge(&question, proof);
	if (proof->verdict == PROOF_REFUTED)
		judge_reason(attempt, ATTEMPT_INVALID, "transport-refuted",
		    client->agent, "%s: %s", client->agent, proof->text);
	if (proof->cached)
		judge_reason(attempt, tally->direct ? ATTEMPT_INVALID : ATTEMPT_VALID,
		    "cached", client->agent, "%s: %s", client->agent, proof->text);
}

static void
judge_transports(struct attempt *attempt)
{
	for (vec_each(struct attempt_client *, client, &attempt->clients))
		if (is_counted(client))
			judge_transport(attempt, client);
}

/* ---- */

static void
find_entries(struct judging *judging)
{
	for (vec_each(
		 const struct attempt_client *, client, &judging->attempt->clients))
		for (size_t i = 0;
		     is_counted(client) && i < tally_job_count(client->tally); i++)
			*vec_add(&judging->entries.v) =
			    (struct entry){client, tally_job(client->tally, i)};
}

/* Entries of this job, or of all (nparts). */
static bool
add_entries(const struct judging *judging, size_t job, struct total *ret)
{
	struct total_client *clients = mem_array(judging->entries.v.n, sizeof *clients);
	size_t n = 0;

	for (vec_each(const struct entry *, entry, &judging->entries.v))
		if (job == judging->nparts || entry->tally->job == job)
			clients[n++] = (struct total_client){.tally = entry->tally,
			    .first_io_skewed_ns = first_io(entry),
			    .bound_ns = entry->client->offset.bound_ns +
					entry->tally->first_io_bound_ns};
	if (n)
		total_compute(ret, clients, n);
	free(clients);
	return n > 0;
}

/* All jobs of all clients; a client counts once however many jobs it ran. */
static void
add_up(struct judging *judging)
{
	struct attempt *attempt = judging->attempt;
	struct total *total = &attempt->total;

	attempt->has_total = add_entries(judging, judging->nparts, total);
	if (judging->nparts == 1)
		return;
	total->clients = total->started = 0;
	for (vec_each(const struct attempt_client *, client, &attempt->clients)) {
		total->clients += is_counted(client);
		total->started += is_counted(client) && client->tally->has_first_io;
	}
	for (size_t i = 0; i < judging->nparts; i++) {
		struct attempt_job *job = vec_add(&attempt->jobs);

		job->name = mem_strdup(judging->parts[i].job->name);
		job->clients_expected = judging->parts[i].clients;
		job->has_total = add_entries(judging, i, &job->total);
	}
}

static void
start_over(struct attempt *attempt)
{
	for (vec_each(struct attempt_reason *, reason, &attempt->reasons)) {
		free(reason->code);
		free(reason->agent);
		free(reason->text);
	}
	attempt->reasons.n = 0;
	attempt->state = ATTEMPT_VALID;
	for (vec_each(struct attempt_job *, job, &attempt->jobs)) {
		free(job->name);
		if (job->has_total)
			total_free(&job->total);
	}
	attempt->jobs.n = 0;
	for (vec_each(struct attempt_client *, client, &attempt->clients)) {
		proof_free(&client->proof);
		client->proof = (struct proof){0};
	}
	if (attempt->has_total)
		total_free(&attempt->total);
	attempt->has_total = false;
}

static bool
only_creates(const struct judging *judging)
{
	for (size_t i = 0; i < judging->nparts; i++)
		if (!judging->parts[i].job->files.create_only)
			return false;
	return true;
}

static void
judge_all(struct judging *judging)
{
	struct attempt *attempt = judging->attempt;

	add_up(judging);
	if (only_creates(judging)) {
		judge_reason(attempt, ATTEMPT_VALID, "create-only", NULL,
		    "files were made ready, and no I/O was asked for");
		return;
	}
	judge_counted(judging);
	judge_runner(attempt);
	judge_skew(attempt);
	judge_start(judging);
	judge_window(judging);
	judge_figures(judging);
	judge_transports(attempt);
	judge_fio_style(attempt);
}

void
attempt_judge(struct attempt *attempt, const struct attempt_part *parts, size_t nparts)
{
	struct judging judging = {.attempt = attempt, .parts = parts, .nparts = nparts};
	size_t ok = count_ok(attempt);

	start_over(attempt);
	if (attempt->error)
		judge_reason(attempt, ATTEMPT_INVALID, "not-run", attempt->error_agent,
		    "nothing was started: %s%s%s",
		    attempt->error_agent ? attempt->error_agent : "",
		    attempt->error_agent ? ": " : "", attempt->error);
	else
		judge_clients(attempt, ok);
	if (ok == 0)
		return;
	find_entries(&judging);
	judge_all(&judging);
	vec_free(&judging.entries.v);
}

uint64_t
attempt_default_max_skew(const struct job *job)
{
	uint64_t share = job->runtime_ns / MAX_SKEW_SHARE;

	return share > MAX_SKEW_MIN_NS ? share : MAX_SKEW_MIN_NS;
}
