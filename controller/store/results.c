/* SPDX-License-Identifier: Apache-2.0 */
/* The model behind reports: releasing it, and the few questions asked of it. */
#include "controller/store/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "controller/store/kinds.h"
#include "lib/base/str.h"

void
results_free(struct results *results)
{
	free(results->plan);
	free(results->plan_text);
	free(results->generator);
	for (vec_each(char **, arg, &results->arguments))
		free(*arg);
	vec_free(&results->arguments);
	for (vec_each(struct results_host *, host, &results->hosts)) {
		for (vec_each(struct results_fact *, fact, &host->facts)) {
			free(fact->name);
			free(fact->value);
		}
		vec_free(&host->facts);
		free(host->agent);
	}
	vec_free(&results->hosts);
	for (vec_each(struct results_command *, command, &results->commands)) {
		free(command->storage);
		free(command->transport);
		free(command->name);
		free(command->agent);
		free(command->problem);
		free(command->output);
	}
	vec_free(&results->commands);
	*results = (struct results){0};
}

static void
free_params(results_params *params)
{
	for (vec_each(struct results_param *, param, params)) {
		free(param->name);
		free(param->value);
	}
	vec_free(params);
}

void
results_case_free(struct results_case *c)
{
	free(c->storage);
	free(c->transport);
	free(c->path);
	free(c->workload);
	free(c->job_text);
	free_params(&c->params);
	for (vec_each(struct results_job *, job, &c->jobs)) {
		free(job->name);
		free_params(&job->params);
	}
	vec_free(&c->jobs);
	fio_notes_free(&c->notes);
	for (vec_each(struct results_attempt **, one, &c->attempts)) {
		attempt_free(&(*one)->attempt);
		free(*one);
	}
	vec_free(&c->attempts);
	*c = (struct results_case){0};
}

void
results_list_free(struct results_list *list)
{
	for (vec_each(struct results_item *, item, &list->items)) {
		free(item->storage);
		free(item->transport);
		free(item->workload);
		vec_free(&item->states);
	}
	vec_free(&list->items);
}

const char *
results_case_param(const struct results_case *c, const char *name)
{
	for (vec_each(const struct results_param *, param, &c->params))
		if (strcmp(param->name, name) == 0)
			return param->value;
	return NULL;
}

char *
results_case_axis(const struct results_case *c)
{
	struct str text = {0};

	for (vec_each(const struct results_param *, it, &c->params))
		if (it->is_axis)
			str_addf(
			    &text, "%s%s=%s", text.len ? " " : "", it->name, it->value);
	return str_take(&text);
}

unsigned
results_reported(const struct attempt *attempt)
{
	return attempt->has_total ? (unsigned)attempt->total.clients : 0;
}

bool
results_is_imported(const struct attempt *attempt)
{
	return attempt->has_total && attempt->total.merged->imported;
}

bool
results_is_counted(const struct total *total)
{
	for (int dir = 0; total->merged->imported && dir < DIR_COUNT; dir++)
		if (total->dir[dir].present && total->dir[dir].ios == 0)
			return false;
	return true;
}

/* As stated by the other program, under the same rule as our own. */
static double
stated_percentile(const struct dir_tally *d, const struct latency_kind *kind, size_t i)
{
	const uint64_t count = latency_hist(d, kind)->count;
	double p = tally_percentiles[i];
	double beyond = (double)count - ceil(p / 100 * (double)count);

	if (!d->stated || kind->stated == TALLY_LATENCIES ||
	    (p > 50 && beyond < HIST_TAIL_MIN))
		return NAN;
	return d->stated->percentile[kind->stated][i];
}

double
results_percentile(
    const struct dir_tally *d, const struct latency_kind *kind, double p)
{
	const struct hist *hist = latency_hist(d, kind);

	if (hist->count == 0 || hist_has_buckets(hist))
		return hist_percentile(hist, p);
	for (size_t i = 0; i < TALLY_PERCENTILES; i++)
		if (tally_percentiles[i] == p)
			return stated_percentile(d, kind, i);
	return NAN;
}

bool
results_is_latest(const struct results_case *c, size_t i)
{
	return i + 1 == c->attempts.n ||
	       c->attempts.v[i + 1]->attempt.repeat != c->attempts.v[i]->attempt.repeat;
}

/* Does "a/b" mean this item?  "*" and missing parts mean any. */
static bool
item_matches(const struct results_item *item, const char *selector)
{
	char clients[16];
	const char *const parts[] = {
	    item->storage, item->transport, item->workload, clients};

	snprintf(clients, sizeof clients, "%u", item->clients);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		size_t len = strcspn(selector, "/");
		bool any = len == 1 && *selector == '*';

		if (!any &&
		    (strlen(parts[i]) != len || strncmp(parts[i], selector, len) != 0))
			return false;
		if (selector[len] == '\0')
			return true;
		selector += len + 1;
	}
	return false; /* more parts than a case has */
}

static void
select_ids(
    const struct results_list *list, const char *prefix, struct results_selection *ret)
{
	for (size_t i = 0; i < list->items.n; i++)
		if (strncmp(list->items.v[i].id, prefix, strlen(prefix)) == 0)
			vec_push(&ret->indexes, i);
}

static int
ambiguous(const struct results_list *list, const char *prefix,
    struct results_selection *ret, struct err *err)
{
	char text[256] = "";
	size_t n = ret->indexes.n, shown = n < 8 ? n : 8;

	for (size_t i = 0; i < shown; i++) {
		strcat(text, i ? ", " : "");
		strcat(text, list->items.v[ret->indexes.v[i]].id);
	}
	vec_free(&ret->indexes);
	return err_set(err, ERR_USAGE, "\"%s\" begins %zu case ids: %s%s", prefix, n,
	    text, shown < n ? ", …" : "");
}

int
results_select(const struct results_list *list, const char *selector,
    struct results_selection *ret, struct err *err)
{
	*ret = (struct results_selection){0};
	if (*selector == '\0')
		return err_set(err, ERR_USAGE, "the name of a case is empty");
	select_ids(list, selector, ret);
	if (ret->indexes.n > 1)
		return ambiguous(list, selector, ret, err);
	if (ret->indexes.n == 1)
		return 0;
	for (size_t i = 0; i < list->items.n; i++) {
		const struct results_item *item = &list->items.v[i];

		if (item_matches(item, selector) ||
		    strcmp(item->workload, selector) == 0)
			vec_push(&ret->indexes, i);
	}
	if (ret->indexes.n > 0)
		return 0;
	return err_set(err, ERR_USAGE,
	    "no case is called \"%s\" (an id or its beginning, or "
	    "storage/transport/workload/clients; `volley list` shows all %zu)",
	    selector, list->items.n);
}

const char *
results_utc(char buf[RESULTS_UTC_BUF], uint64_t wall_ns)
{
	time_t seconds = (time_t)(wall_ns / UINT64_C(1000000000));
	struct tm tm;

	if (wall_ns == 0 || !gmtime_r(&seconds, &tm) ||
	    strftime(buf, RESULTS_UTC_BUF, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		snprintf(buf, RESULTS_UTC_BUF, "unknown");
	return buf;
}
