/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of rules and thresholds. */
#include "controller/analyze/rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERCENT(member, value, text) \
	{ \
#member, text, offsetof(struct thresholds, member), value, true \
	}
#define NUMBER(member, value, text) \
	{ \
#member, text, offsetof(struct thresholds, member), value, false \
	}

const struct threshold threshold_table[] = {
    PERCENT(margin, 0.05, "differences up to this are none"),
    PERCENT(anomaly, 0.10, "a drop of this is one that somebody should look at"),
    PERCENT(scale_drop, 0.10, "more clients, and the total falls by this"),
    PERCENT(plateau, 0.10, "growth up to this from one scale to the next is a plateau"),
    PERCENT(late_rise, 0.20, "growth of this after a plateau is unusual"),
    PERCENT(near_low, 0.90, "from this share of the payload ceiling on it is near"),
    PERCENT(near_high, 1.02, "above this share of it something is not as declared"),
    PERCENT(little, 0.10, "IOPS x latency may differ by this from the I/Os in flight"),
    NUMBER(tail_spread, 20, "p99.9 is this many times the median"),
    NUMBER(tail_transport, 2, "p99.9 is this many times the other transport's"),
    PERCENT(straggler, 0.20, "a client is this far below the median of its peers"),
    PERCENT(done_gap, 0.10, "the last client ends this much later than the first"),
    PERCENT(noise, 0.05, "deviation of repeats above this is noisy"),
    PERCENT(drift, 0.05, "change from the first to the last repeat"),
    PERCENT(within_run, 0.20, "deviation of the seconds within a run"),
    PERCENT(warm_up, 0.10, "change from the first to the last third of a run"),
    PERCENT(tie, 0.05, "without repeats, figures this close share their rank"),
    PERCENT(sweep_near, 0.02, "a point of a sweep this close to the best is as good"),
    {0},
};

void
thresholds_default(struct thresholds *ret)
{
	for (const struct threshold *it = threshold_table; it->name; it++)
		*(double *)((char *)ret + it->at) = it->fallback;
}

double
thresholds_get(const struct thresholds *thresholds, const struct threshold *it)
{
	return *(const double *)((const char *)thresholds + it->at);
}

static int
unknown_threshold(const char *text, size_t len, struct err *err)
{
	struct str names = {0};

	for (const struct threshold *it = threshold_table; it->name; it++)
		str_addf(&names, "%s%s", names.len ? ", " : "", it->name);
	err_set(err, ERR_USAGE, "no threshold '%.*s'; there are %s", (int)len, text,
	    names.s);
	str_free(&names);
	return -1;
}

int
thresholds_set(struct thresholds *ret, const char *text, struct err *err)
{
	size_t len = strcspn(text, "=");
	char *end;

	if (text[len] == '\0')
		return err_set(
		    err, ERR_USAGE, "threshold '%s': write it as NAME=VALUE", text);
	for (const struct threshold *it = threshold_table; it->name; it++) {
		double value;

		if (strlen(it->name) != len || memcmp(it->name, text, len) != 0)
			continue;
		value = strtod(text + len + 1, &end);
		if (*end == '%' && it->is_percent)
			end++;
		if (end == text + len + 1 || *end || !(value > 0 && value < 1e6))
			return err_set(err, ERR_USAGE,
			    "threshold '%s': '%s' is not a %s above 0", it->name,
			    text + len + 1, it->is_percent ? "percentage" : "number");
		*(double *)((char *)ret + it->at) =
		    it->is_percent ? value / 100 : value;
		return 0;
	}
	return unknown_threshold(text, len, err);
}

const struct rule *const rule_table[] = {&rule_validity, &rule_rdma_inversion,
    &rule_scale_inversion, &rule_scale_efficiency, &rule_late_rise, &rule_ceiling,
    &rule_above_ceiling, &rule_latency, &rule_straggler, &rule_noise, &rule_balance,
    &rule_sweep_peak, &rule_fabric, NULL};

const struct rule *
rule_find(const char *id)
{
	for (const struct rule *const *it = rule_table; *it; it++)
		if (strcmp((*it)->id, id) == 0)
			return *it;
	return NULL;
}

void
analyze(const struct model *model, const struct thresholds *thresholds,
    struct findings *ret)
{
	struct analysis analysis = {model, thresholds, ret};

	for (const struct rule *const *it = rule_table; *it; it++)
		(*it)->run(*it, &analysis);
	findings_sort(ret);
}
