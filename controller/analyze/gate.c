/* SPDX-License-Identifier: Apache-2.0 */
/* Limits against intervals. */
#include "controller/analyze/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/finding.h"
#include "lib/stats/dist.h"

#define ALPHA 0.05

const char *
gate_result_name(enum gate_result result)
{
	static const char *const names[] = {[GATE_PASS] = "pass",
	    [GATE_SKIPPED] = "not evaluated",
	    [GATE_INCONCLUSIVE] = "inconclusive",
	    [GATE_REGRESSION] = "regression"};

	return names[result];
}

static struct gate_check *
add(struct gate *gate, const struct cell *cell, const char *what,
    enum gate_result result)
{
	struct gate_check *check = vec_add(&gate->checks);

	*check = (struct gate_check){cell, what, result, NULL};
	return check;
}

/* `limit` is the worst effect allowed: −0.05.  A regression is beyond it as a whole, and
 * among all cells not by chance (p adjusted); a pass is as a whole on this side. */
static enum gate_result
judge(const struct contrast *c, double p, double limit)
{
	if (isnan(c->low))
		return GATE_SKIPPED;
	if (c->high < limit && p <= ALPHA)
		return GATE_REGRESSION;
	return c->low > limit ? GATE_PASS : GATE_INCONCLUSIVE;
}

/* A latency's effect is that of its inverse; people want to read how it rose. */
static double
shown(const struct metric_info *info, double effect)
{
	return info->less_is_better ? 1 / (1 + effect) - 1 : effect;
}

static void
check_contrast(struct gate *gate, const struct comparison *it, const struct contrast *c,
    double p, double limit)
{
	const struct metric_info *info = &metrics[c->metric];
	double low = shown(info, info->less_is_better ? c->high : c->low);
	double high = shown(info, info->less_is_better ? c->low : c->high);
	char base[UNITS_BUF], value[UNITS_BUF], effect[PERCENT_BUF], most[PERCENT_BUF];
	struct gate_check *check;

	if (!c->known)
		return;
	check = add(gate, it->fresh, info->name, judge(c, p, limit));
	check->text = mem_printf("%s to %s, %s; limit %s%s", info->text(base, c->base),
	    info->text(value, c->value),
	    effect_text(effect, shown(info, c->effect), low, high),
	    percent_text(most, shown(info, limit)),
	    check->result == GATE_SKIPPED ? "; n = 1 takes no part in a gate" : "");
}

/* The base has figures and the new none: it did not run, or not one repeat is VALID. */
static void
check_lost(struct gate *gate, const struct cell *base, const struct cell *shown,
    bool other_plan)
{
	enum metric metric = cell_rate_metric(base);
	char value[UNITS_BUF];

	if (!cell_has(base, metric))
		return;
	add(gate, shown, metrics[metric].name,
	    other_plan ? GATE_SKIPPED : GATE_INCONCLUSIVE)
	    ->text = mem_printf("%s in the base, and nothing VALID in the new",
	    metrics[metric].text(value, cell_middle(base, metric)));
}

/* ---- scale efficiency ---- */

/* Mean and its squared error of log rates. */
struct level {
	double mean, error, df;
};

static bool
level_of(const struct cell *cell, enum metric metric, struct level *ret)
{
	double values[CELL_SAMPLES_MAX];
	size_t n = cell_values(cell, metric, values, CELL_SAMPLES_MAX);

	for (size_t i = 0; i < n; i++)
		values[i] = log(values[i]);
	if (n < 2)
		return false;
	ret->mean = sample_mean(values, n);
	ret->df = (double)(n - 1);
	ret->error = pow(sample_sd(values, n), 2) / (double)n;
	return true;
}

/* The same line, at its smallest scale that both sides have.  Scales of a workload are
 * next to each other, smaller ones first. */
static const struct comparison *
smallest(const struct comparisons *all, const struct comparison *of)
{
	const struct comparison *ret = of;

	for (const struct comparison *it = of; it-- > all->list.v;) {
		if (strcmp(it->fresh->storage, of->fresh->storage) != 0 ||
		    strcmp(it->fresh->workload, of->fresh->workload) != 0 ||
		    strcmp(it->fresh->axis, of->fresh->axis) != 0)
			break;
		if (it->fresh->clients < ret->fresh->clients &&
		    strcmp(it->fresh->transport, of->fresh->transport) == 0)
			ret = it;
	}
	return ret;
}

static void
check_efficiency(struct gate *gate, const struct comparison *it,
    const struct comparison *first, double limit)
{
	struct level at[4];
	double change, error = 0, satterthwaite = 0, half, before, after, worst, best;
	double scale = (double)first->fresh->clients / it->fresh->clients;
	enum metric metric = it->c.metric;
	struct gate_check *check;
	enum gate_result result = GATE_INCONCLUSIVE;

	if (first == it || first->c.metric != metric)
		return;
	if (!level_of(it->fresh, metric, &at[0]) ||
	    !level_of(first->fresh, metric, &at[1]) ||
	    !level_of(it->base, metric, &at[2]) ||
	    !level_of(first->base, metric, &at[3]))
		return;
	change = at[0].mean - at[1].mean - (at[2].mean - at[3].mean);
	for (int i = 0; i < 4; i++) {
		error += at[i].error;
		satterthwaite += at[i].error * at[i].error / at[i].df;
	}
	half = error > 0
		   ? sqrt(error) * dist_t_quantile(0.975, error * error / satterthwaite)
		   : 0;
	before = scale * exp(at[2].mean - at[3].mean);
	after = before * exp(change);
	best = before * exp(change + half);
	worst = before * exp(change - half);
	if (best < before - limit)
		result = GATE_REGRESSION;
	else if (worst > before - limit)
		result = GATE_PASS;
	check = add(gate, it->fresh, "efficiency", result);
	check->text = mem_printf("%.1f %% to %.1f %% (95 %%: %.1f to %.1f) against %u "
				 "client%s; limit %.1f points less",
	    100 * before, 100 * after, 100 * worst, 100 * best, first->fresh->clients,
	    first->fresh->clients == 1 ? "" : "s", 100 * limit);
}

void
gate_run(
    const struct comparisons *all, const struct gate_limits *limits, struct gate *ret)
{
	*ret = (struct gate){0};
	for (vec_each(const struct comparison *, it, &all->list)) {
		if (!it->c.known)
			check_lost(ret, it->base, it->fresh, all->other_plan);
		check_contrast(ret, it, &it->c, it->p_holm, -limits->max_drop);
		check_contrast(
		    ret, it, &it->lat, it->lat.p, 1 / (1 + limits->max_rise) - 1);
		check_contrast(ret, it, &it->tail, it->tail.p,
		    1 / (1 + limits->max_tail_rise) - 1);
		check_efficiency(ret, it, smallest(all, it), limits->efficiency_drop);
	}
	for (vec_each(const struct cell *const *, it, &all->lost))
		check_lost(ret, *it, *it, all->other_plan);
}

void
gate_free(struct gate *gate)
{
	for (vec_each(struct gate_check *, it, &gate->checks))
		free(it->text);
	vec_free(&gate->checks);
}

enum gate_result
gate_verdict(const struct gate *gate)
{
	enum gate_result worst = GATE_PASS;
	size_t evaluated = 0;

	for (vec_each(const struct gate_check *, it, &gate->checks)) {
		if (it->result == GATE_SKIPPED)
			continue;
		evaluated++;
		if (it->result > worst)
			worst = it->result;
	}
	return evaluated ? worst : GATE_INCONCLUSIVE;
}
