/* SPDX-License-Identifier: Apache-2.0 */
/* Adding repeats up. */
#include "controller/report/summary.h"

#include <math.h>
#include <stdlib.h>

#include "controller/expand/repeat.h"

/* The attempts of one line, and what is gathered over them. */
struct gather {
	const struct attempt **attempts;
	size_t n;
	double *rates;
	struct hist *hist;
};

static struct summary_latency
pool(struct gather *g, enum dir dir, size_t at)
{
	struct summary_latency ret;

	hist_reset(g->hist);
	for (size_t i = 0; i < g->n; i++) {
		const struct total_dir *d = &g->attempts[i]->total.dir[dir];
		const struct hist *const *of =
		    (const struct hist *const *)((const char *)d + at);

		if (g->attempts[i]->has_total && d->present)
			hist_merge(g->hist, *of);
	}
	ret.mean = hist_mean(g->hist);
	ret.p99 = hist_percentile(g->hist, 99);
	ret.p99_9 = hist_percentile(g->hist, 99.9);
	ret.counted = g->hist->count > 0;
	return ret;
}

static const char *
worst_reason(const struct attempt *attempt)
{
	const struct attempt_reason *worst = NULL;

	for (vec_each(const struct attempt_reason *, reason, &attempt->reasons))
		if (!worst || reason->makes > worst->makes)
			worst = reason;
	return worst ? worst->code : NULL;
}

static double
mean(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return n ? sum / (double)n : NAN;
}

static void
range(const double *values, size_t n, double *ret_low, double *ret_high)
{
	*ret_low = *ret_high = NAN;
	for (size_t i = 0; i < n; i++) {
		*ret_low = fmin(*ret_low, values[i]);
		*ret_high = fmax(*ret_high, values[i]);
	}
}

static void
fill_rates(struct gather *g, struct summary *line)
{
	double iops_rsd;
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->attempts[i]->has_total)
			g->rates[n++] = g->attempts[i]->total.dir[line->dir].iops;
	line->iops = mean(g->rates, n);
	range(g->rates, n, &line->iops_low, &line->iops_high);
	iops_rsd = repeat_rsd(g->rates, n); /* all that is known of some tables */
	for (size_t i = n = 0; i < g->n; i++)
		if (g->attempts[i]->has_total)
			g->rates[n++] =
			    g->attempts[i]->total.dir[line->dir].bytes_per_s;
	line->bytes_per_s = mean(g->rates, n);
	range(g->rates, n, &line->bytes_low, &line->bytes_high);
	if (isnan(line->rsd = repeat_rsd(g->rates, n)))
		line->rsd = iops_rsd;
}

static void
add_line(struct summaries *ret, struct gather *g, enum dir dir)
{
	struct summary *line = vec_add(&ret->lines);

	line->dir = dir;
	line->state = g->attempts[0]->state;
	line->repeats = (unsigned)g->n;
	line->clients = line->of = g->attempts[0]->clients_expected;
	line->why = worst_reason(g->attempts[0]);
	line->skew_ns = NAN;
	for (size_t i = 0; i < g->n; i++) {
		const struct attempt *attempt = g->attempts[i];

		if (results_reported(attempt) < line->clients)
			line->clients = results_reported(attempt);
		line->has_figures = line->has_figures || attempt->has_total;
		if (attempt->has_total && attempt->total.has_skew)
			line->skew_ns =
			    fmax(line->skew_ns, (double)attempt->total.skew_ns);
	}
	fill_rates(g, line);
	line->slat = pool(g, dir, offsetof(struct total_dir, slat));
	line->clat = pool(g, dir, offsetof(struct total_dir, clat));
	line->lat = pool(g, dir, offsetof(struct total_dir, lat));
}

/* A line for each direction that any of the attempts has; one at least. */
static void
add_lines(struct summaries *ret, struct gather *g)
{
	bool any = false;

	if (g->n == 0)
		return;
	for (int dir = 0; dir < DIR_COUNT; dir++) {
		bool present = false;

		for (size_t i = 0; i < g->n; i++)
			present =
			    present || (g->attempts[i]->has_total &&
					   g->attempts[i]->total.dir[dir].present);
		if (present)
			add_line(ret, g, dir);
		any = any || present;
	}
	if (!any)
		add_line(ret, g, DIR_READ);
	g->n = 0;
}

void
summary_make(const struct results_case *c, struct summaries *ret)
{
	struct gather g = {
	    .attempts = mem_array(c->attempts.n + 1, sizeof *g.attempts),
	    .rates = mem_array(c->attempts.n + 1, sizeof *g.rates),
	    .hist = mem_alloc(sizeof *g.hist),
	};

	*ret = (struct summaries){0};
	for (int state = ATTEMPT_VALID; state <= ATTEMPT_INVALID; state++) {
		for (size_t i = 0; i < c->attempts.n; i++) {
			const struct attempt *attempt = &c->attempts.v[i]->attempt;

			if ((int)attempt->state != state || !results_is_latest(c, i))
				continue;
			g.attempts[g.n++] = attempt;
			/* what different clients are missing from cannot be added */
			if (state == ATTEMPT_PARTIAL)
				add_lines(ret, &g);
		}
		add_lines(ret, &g);
	}
	if (ret->lines.n == 0)
		*vec_add(&ret->lines) = (struct summary){.of = c->clients,
		    .bytes_per_s = NAN,
		    .iops = NAN,
		    .rsd = NAN,
		    .bytes_low = NAN,
		    .bytes_high = NAN,
		    .iops_low = NAN,
		    .iops_high = NAN,
		    .slat = {NAN, NAN, NAN, false},
		    .clat = {NAN, NAN, NAN, false},
		    .lat = {NAN, NAN, NAN, false},
		    .skew_ns = NAN};
	free(g.attempts);
	free(g.rates);
	free(g.hist);
}
