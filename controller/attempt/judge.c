/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an attempt is worth.  Adds the clients with outcome OK up, then asks one
 * question after the other; every answer that takes something away from the figures
 * becomes a reason, and the worst reason decides the state.
 */
#include "controller/attempt/attempt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/blocks.h"
#include "lib/base/units.h"

#define MAX_SKEW_MIN_NS (10 * UNITS_NS_PER_MS)
#define MAX_SKEW_SHARE 1000 /* of the runtime: 0.1 % */
#define OVERLAP_MIN 0.8
#define OUTSTANDING_MAX 0.001
#define LITTLE_TOLERANCE 0.02
#define FIO_STYLE_TOLERANCE 0.01

static void __attribute__((format(printf, 5, 6))) add_reason(struct attempt *attempt,
    enum attempt_state makes, const char *code, const char *agent, const char *fmt, ...)
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
		add_reason(attempt, ATTEMPT_PARTIAL, missing[client->outcome].code,
		    client->agent, "%zu of %u clients: %s %s%s%s", ok, expected,
		    client->agent, missing[client->outcome].word,
		    client->error ? ": " : "", client->error ? client->error : "");
	}
	if (attempt->clients.n < expected)
		add_reason(attempt, ATTEMPT_PARTIAL, "client-missing", NULL,
		    "%zu of %u clients: %zu missing from the start", ok, expected,
		    expected - attempt->clients.n);
	if (attempt->clients.n && not_started == attempt->clients.n)
		add_reason(
		    attempt, ATTEMPT_INVALID, "not-started", NULL, "no client started");
	else if (ok == 0)
		add_reason(attempt, ATTEMPT_INVALID, "no-result", NULL,
		    "no client has a complete result");
}

/* Faults of single clients whose figures count all the same. */
static void
judge_counted(struct attempt *attempt)
{
	for (vec_each(const struct attempt_client *, client, &attempt->clients)) {
		const struct tally *tally = client->tally;

		if (!is_counted(client))
			continue;
		if (!tally_has(tally, DIR_READ) && !tally_has(tally, DIR_WRITE))
			add_reason(attempt, ATTEMPT_PARTIAL, "client-idle",
			    client->agent, "%s did no I/O", client->agent);
		if (tally->io_errors)
			add_reason(attempt, ATTEMPT_PARTIAL, "io-errors", client->agent,
			    "%s had %llu I/O error%s", client->agent,
			    (unsigned long long)tally->io_errors,
			    tally->io_errors == 1 ? "" : "s");
		if (!client->offset.valid && attempt->clients.n > 1)
			add_reason(attempt, ATTEMPT_INVALID, "clock-unknown",
			    client->agent,
			    "the clock of %s could not be compared: skew unknown",
			    client->agent);
	}
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
		add_reason(attempt, ATTEMPT_VALID, "runner", NULL,
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
		add_reason(attempt, ATTEMPT_INVALID, "skew", NULL,
		    "first I/Os are %s apart, at most %s are allowed", skew, limit);
	else if (total->skew_ns + total->skew_bound_ns > attempt->max_skew_ns)
		add_reason(attempt, ATTEMPT_VALID, "skew-bound", NULL,
		    "first I/Os are %s apart, give or take %s: more than the %s "
		    "that are allowed cannot be ruled out",
		    skew, bound, limit);
}

/* Together, but late: a host that stood still over T does nothing in a part of the
 * window, and rates would be divided by time in which nobody ran. */
static void
judge_start(struct attempt *attempt)
{
	const struct total *total = &attempt->total;
	char late[UNITS_BUF], window[UNITS_BUF];
	int64_t last = 0;

	if (total->window_kind != TOTAL_WINDOW_FIXED || !total->has_skew)
		return;
	for (vec_each(const struct attempt_client *, client, &attempt->clients))
		if (is_counted(client) && client->first_io_ns > last)
			last = client->first_io_ns;
	last -= (int64_t)total->window_from;
	if (last <= (int64_t)attempt->max_skew_ns)
		return;
	add_reason(attempt, ATTEMPT_INVALID, "late-start", NULL,
	    "the last client began %s into the window of %s",
	    units_ns(late, (double)last), units_ns(window, (double)total->window_ns));
}

static void
judge_window(struct attempt *attempt)
{
	const struct total *total = &attempt->total;

	if (total->overlap < OVERLAP_MIN)
		add_reason(attempt, ATTEMPT_INVALID, "overlap", NULL,
		    "all clients ran together for only %.1f %% of the longest "
		    "run (at least %.0f %% are needed)",
		    total->overlap * 100, OVERLAP_MIN * 100);
	else if (total->window_ns == 0)
		add_reason(attempt, ATTEMPT_INVALID, "no-window", NULL,
		    "the clients have no whole 100 ms in common: the job is "
		    "too short for a rate");
	if (total->outstanding_share > OUTSTANDING_MAX)
		add_reason(attempt, ATTEMPT_PARTIAL, "outstanding", NULL,
		    "%llu I/Os never completed (%.2f %%)",
		    (unsigned long long)total->outstanding,
		    total->outstanding_share * 100);
}

/* ---- figures that cannot be ---- */

/*
 * Submission latencies that may be missing or too many.  Volley's own engines count an
 * I/O's latencies together; fio counts slat when it submits, so around the end of its
 * ramp each place of the queue may have one without the other.
 */
static uint64_t
slats_off(const struct total *total, const struct job *job)
{
	if (total->merged->runner[0] == '\0')
		return 0;
	return (uint64_t)job->iodepth * job->numjobs * total->clients;
}

static const char *
find_contradiction(const struct total *total, const struct job *job, enum dir dir)
{
	const struct dir_tally *all = &total->merged->dir[dir];
	uint64_t ios = all->phase[METER_INSIDE].ios;
	uint64_t bytes = all->phase[METER_INSIDE].bytes;
	uint64_t slats = all->slat.count;

	if (ios == 0 && bytes > 0)
		return "bytes without I/Os";
	if (ios > 0 && bytes == 0)
		return "I/Os without bytes";
	if (blocks_most(job) > 0 && bytes / blocks_most(job) > ios)
		return "more bytes than its I/Os can carry";
	if (all->lat.count != ios || all->clat.count != ios)
		return "not one latency for each I/O";
	if (slats != 0 &&
	    (slats > ios ? slats - ios : ios - slats) > slats_off(total, job))
		return "a submission latency for some I/Os only";
	return NULL;
}

static void
judge_sums(struct attempt *attempt, const struct job *job)
{
	bool any = false;

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const char *what =
		    find_contradiction(&attempt->total, job, (enum dir)dir);

		any = any || attempt->total.dir[dir].ios > 0;
		if (what)
			add_reason(attempt, ATTEMPT_INVALID, "inconsistent", NULL,
			    "%s: %s", dir_name((enum dir)dir), what);
	}
	if (!any)
		add_reason(attempt, ATTEMPT_INVALID, "no-io", NULL,
		    "no I/O completed inside the window");
}

/*
 * Little's law: the mean number of I/Os in flight is IOPS × mean lat, that is the sum
 * of all lat over the time.  An I/O that began before the window may bring up to its
 * own latency into it, one for each place in the queue; without a ramp there is none.
 */
static void
judge_little(struct attempt *attempt, const struct job *job)
{
	const struct total *total = &attempt->total;
	uint64_t time =
	    total->latency_in_window ? total->window_ns : total->last_done_ns;
	double sum = 0, longest = 0, depth = 1;

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct hist *lat = total->dir[dir].lat;

		sum += (double)lat->sum;
		if (lat->count && (double)lat->max > longest)
			longest = (double)lat->max;
		if (total->dir[dir].slat->count)
			depth = job->iodepth; /* else synchronous: one per thread */
	}
	double places = depth * job->numjobs * (double)total->clients;
	double carried = total->window_from ? longest : 0;
	double in_flight = sum / (double)time;

	if (time == 0 ||
	    in_flight <= places * (1 + LITTLE_TOLERANCE + carried / (double)time))
		return;
	add_reason(attempt, ATTEMPT_INVALID, "littles-law", NULL,
	    "IOPS x latency is %.1f I/Os in flight, but iodepth x jobs x clients "
	    "allows %.0f: the figures contradict each other",
	    in_flight, places);
}

/* ---- what others would have shown ---- */

static void
judge_fio_style(struct attempt *attempt)
{
	static const struct {
		const char *who;
		size_t offset;
	} ways[] = {
	    {"fio's sum", offsetof(struct total_dir, fio_bytes_per_s)},
	    {"the sum of the clients' averages",
		offsetof(struct total_dir, sum_bytes_per_s)},
	};

	for (int dir = 0; dir < DIR_COUNT; dir++) {
		const struct total_dir *figures = &attempt->total.dir[dir];
		char other[UNITS_BUF], ours[UNITS_BUF];

		for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
			double rate =
			    *(const double *)((const char *)figures + ways[i].offset);
			double by = rate / figures->bytes_per_s - 1;

			if (!figures->present || !(fabs(by) > FIO_STYLE_TOLERANCE))
				continue;
			units_bytes_per_s(other, rate);
			units_bytes_per_s(ours, figures->bytes_per_s);
			add_reason(attempt, ATTEMPT_VALID, "fio-style-differs", NULL,
			    "%s: %s would be %s (%+.1f %%), in the window it was %s",
			    dir_name((enum dir)dir), ways[i].who, other, by * 100,
			    ours);
		}
	}
}

/* ---- */

static void
add_up(struct attempt *attempt, size_t n)
{
	struct total_client *clients = mem_array(n, sizeof *clients);
	size_t i = 0;

	for (vec_each(const struct attempt_client *, client, &attempt->clients))
		if (is_counted(client))
			clients[i++] = (struct total_client){.tally = client->tally,
			    .first_io_skewed_ns = client->first_io_ns,
			    .bound_ns = client->offset.bound_ns +
					client->tally->first_io_bound_ns};
	total_compute(&attempt->total, clients, n);
	attempt->has_total = true;
	free(clients);
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
	if (attempt->has_total)
		total_free(&attempt->total);
	attempt->has_total = false;
}

void
attempt_judge(struct attempt *attempt, const struct job *job)
{
	size_t ok = count_ok(attempt);

	start_over(attempt);
	if (attempt->error)
		add_reason(attempt, ATTEMPT_INVALID, "not-run", attempt->error_agent,
		    "nothing was started: %s%s%s",
		    attempt->error_agent ? attempt->error_agent : "",
		    attempt->error_agent ? ": " : "", attempt->error);
	else
		judge_clients(attempt, ok);
	if (ok == 0)
		return;
	add_up(attempt, ok);
	if (job->files.create_only) {
		add_reason(attempt, ATTEMPT_VALID, "create-only", NULL,
		    "files were made ready, and no I/O was asked for");
		return;
	}
	judge_counted(attempt);
	judge_runner(attempt);
	judge_skew(attempt);
	judge_start(attempt);
	judge_window(attempt);
	judge_sums(attempt, job);
	judge_little(attempt, job);
	judge_fio_style(attempt);
}

uint64_t
attempt_default_max_skew(const struct job *job)
{
	uint64_t share = job->runtime_ns / MAX_SKEW_SHARE;

	return share > MAX_SKEW_MIN_NS ? share : MAX_SKEW_MIN_NS;
}
