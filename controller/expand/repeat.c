/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rule behind `repeat:`.  A fixed number is a rule with min = max.  With
 * until_rsd, repeats go on from min to max until the relative standard deviation
 * is small enough; the reason is kept with the result.
 */
#include "controller/expand/repeat.h"

#include <math.h>
#include <stdio.h>

double
repeat_rsd(const double *values, size_t n)
{
	double mean = 0, squares = 0;

	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++)
		mean += values[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return mean != 0 ? sqrt(squares / (double)(n - 1)) / mean : NAN;
}

static void
say_rsd(char *buf, size_t size, double rsd)
{
	if (isnan(rsd))
		snprintf(buf, size, "rsd unknown");
	else
		snprintf(buf, size, "rsd %.3g %%", rsd * 100);
}

struct repeat_verdict
repeat_decide(const struct plan_repeat *rule, const double *values, size_t n_valid,
    size_t attempted)
{
	struct repeat_verdict v = {.rsd = repeat_rsd(values, n_valid)};
	bool by_spread = !isnan(rule->until_rsd);
	char rsd[32];

	say_rsd(rsd, sizeof rsd, v.rsd);
	if (attempted < rule->min) {
		v.more = true;
		snprintf(
		    v.why, sizeof v.why, "%zu of at least %u", attempted, rule->min);
	} else if (by_spread && n_valid >= rule->min && v.rsd <= rule->until_rsd) {
		snprintf(v.why, sizeof v.why, "%s <= %.3g %% after %zu", rsd,
		    rule->until_rsd * 100, n_valid);
	} else if (attempted < rule->max) {
		v.more = true;
		if (n_valid < rule->min)
			snprintf(v.why, sizeof v.why, "only %zu of %zu valid", n_valid,
			    attempted);
		else
			snprintf(v.why, sizeof v.why, "%s > %.3g %% after %zu", rsd,
			    rule->until_rsd * 100, n_valid);
	} else if (by_spread) {
		snprintf(v.why, sizeof v.why, "max %u reached, %s", rule->max, rsd);
	} else {
		snprintf(v.why, sizeof v.why, "%u as planned, %s", rule->max, rsd);
	}
	return v;
}
