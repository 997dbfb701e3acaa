/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of option value with a grammar of their own: block size ranges and mixes,
 * distributions, file service, fill patterns, steady state.
 */
#include "lib/work/option.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"

#define BS_MAX (UINT64_C(1) << 30)
#define BYTES_MAX (UINT64_C(1) << 60)

/* Calls `one` with each of up to three parts between commas; reads count for
 * writes too when only they are given. */
static int
each_dir(struct job *job, const char *value,
    int (*one)(struct job *job, enum dir dir, const char *text, struct err *err),
    struct err *err)
{
	const char *rest = value;
	unsigned n = 0;
	char *part;

	while (option_part(&rest, ',', &part)) {
		int rc = 0;

		if (n == DIR_COUNT + 1)
			rc = err_set(
			    err, ERR_USAGE, "'%s' has more than three parts", value);
		else if (*part && n < DIR_COUNT)
			rc = one(job, (enum dir)n, part, err);
		if (rc == 0 && n == 0 && !rest)
			rc = one(job, DIR_WRITE, part, err);
		n++;
		free(part);
		if (rc)
			return -1;
	}
	return 0;
}

/* Block size ranges */

static int
range_one(struct job *job, enum dir dir, const char *text, struct err *err)
{
	const char *dash = strchr(text, '-');
	uint64_t from, to;
	char *first;
	int rc;

	if (!dash)
		return err_set(err, ERR_USAGE, "'%s' is no range (4k-64k)", text);
	first = mem_strndup(text, (size_t)(dash - text));
	rc = option_number(first, 1, BS_MAX, &from, err);
	free(first);
	if (rc || option_number(dash + 1, 1, BS_MAX, &to, err))
		return -1;
	if (from > to)
		return err_set(err, ERR_USAGE, "'%s' ends before it begins", text);
	job->blocks.min[dir] = from;
	job->blocks.max[dir] = to;
	return 0;
}

static int
range_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	(void)option;
	memset(job->blocks.min, 0, sizeof job->blocks.min);
	memset(job->blocks.max, 0, sizeof job->blocks.max);
	return each_dir(job, value, range_one, err);
}

static bool
range_format(const struct job *job, const struct option *option, struct str *ret)
{
	const struct job_blocks *b = &job->blocks;
	bool any = false;

	(void)option;
	for (int d = 0; d < DIR_COUNT; d++) {
		if (d)
			str_addc(ret, ',');
		if (b->max[d])
			str_addf(ret, "%" PRIu64 "-%" PRIu64, b->min[d], b->max[d]);
		any |= b->max[d] != 0;
	}
	return any;
}

const struct option_kind option_range = {.parse = range_parse, .format = range_format};

/* Block size mixes: "4k/60:64k/40"; shares that are left out share the rest. */

static int
split_entry(
    struct job_splits *splits, const char *text, unsigned *blank, struct err *err)
{
	const char *slash = strchr(text, '/');
	char *size = mem_strndup(text, slash ? (size_t)(slash - text) : strlen(text));
	uint64_t bs = 0, percent = 0;
	int rc = option_number(size, 1, BS_MAX, &bs, err);

	free(size);
	if (rc)
		return -1;
	if (slash && slash[1]) {
		if (units_parse_u64(slash + 1, 0, 100, &percent, err))
			return -1;
	} else {
		(*blank)++;
		percent = UINT32_MAX;
	}
	if (splits->n == JOB_SPLITS_MAX)
		return err_set(err, ERR_USAGE, "more than %d sizes", JOB_SPLITS_MAX);
	splits->v[splits->n].bs = bs;
	splits->v[splits->n++].percent = (unsigned)percent;
	return 0;
}

/* Blank shares get what is left, evenly; what does not divide goes to the first. */
static int
split_share(
    struct job_splits *splits, unsigned blank, const char *text, struct err *err)
{
	unsigned given = 0, left, odd;

	for (unsigned i = 0; i < splits->n; i++)
		if (splits->v[i].percent != UINT32_MAX)
			given += splits->v[i].percent;
	if (given > 100 || (blank == 0 && given != 100))
		return err_set(
		    err, ERR_USAGE, "the shares of '%s' add up to %u%%", text, given);
	left = blank ? (100 - given) / blank : 0;
	odd = blank ? (100 - given) % blank : 0;
	for (unsigned i = 0; i < splits->n; i++) {
		if (splits->v[i].percent != UINT32_MAX)
			continue;
		splits->v[i].percent = left + odd;
		odd = 0;
	}
	return 0;
}

static int
split_one(struct job *job, enum dir dir, const char *text, struct err *err)
{
	struct job_splits *splits = &job->blocks.split[dir];
	const char *rest = text;
	unsigned blank = 0;
	char *part;

	splits->n = 0;
	while (option_part(&rest, ':', &part)) {
		int rc = split_entry(splits, part, &blank, err);

		free(part);
		if (rc)
			return -1;
	}
	return split_share(splits, blank, text, err);
}

static int
split_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	(void)option;
	for (int d = 0; d < DIR_COUNT; d++)
		job->blocks.split[d].n = 0;
	return each_dir(job, value, split_one, err);
}

static bool
split_format(const struct job *job, const struct option *option, struct str *ret)
{
	bool any = false;

	(void)option;
	for (int d = 0; d < DIR_COUNT; d++) {
		const struct job_splits *splits = &job->blocks.split[d];

		if (d)
			str_addc(ret, ',');
		for (unsigned i = 0; i < splits->n; i++)
			str_addf(ret, "%s%" PRIu64 "/%u", i ? ":" : "", splits->v[i].bs,
			    splits->v[i].percent);
		any |= splits->n > 0;
	}
	return any;
}

const struct option_kind option_split = {.parse = split_parse, .format = split_format};

/* Distributions: "zipf:1.2:0.5", "zoned:60/10:40/90" */

static const struct word dist_words[] = {{"random", JOB_DIST_RANDOM},
    {"zipf", JOB_DIST_ZIPF}, {"pareto", JOB_DIST_PARETO}, {"normal", JOB_DIST_NORMAL},
    {"zoned", JOB_DIST_ZONED}, {"zoned_abs", JOB_DIST_ZONED_ABS}, {NULL, 0}};

static int
zone_entry(struct job_zones *zones, const char *text, bool bytes, struct err *err)
{
	const char *slash = strchr(text, '/');
	uint64_t access, span;
	char *first;
	int rc;

	if (!slash)
		return err_set(err, ERR_USAGE, "'%s' is no zone (60/10)", text);
	if (zones->n == JOB_ZONES_MAX)
		return err_set(err, ERR_USAGE, "more than %d zones", JOB_ZONES_MAX);
	first = mem_strndup(text, (size_t)(slash - text));
	rc = units_parse_u64(first, 0, 100, &access, err);
	free(first);
	if (rc || option_number(slash + 1, 1, bytes ? BYTES_MAX : 100, &span, err))
		return -1;
	zones->v[zones->n].access = (unsigned)access;
	zones->v[zones->n++].span = span;
	return 0;
}

static int
zone_one(struct job *job, enum dir dir, const char *text, struct err *err)
{
	bool bytes = job->access.dist == JOB_DIST_ZONED_ABS;
	struct job_zones *zones = &job->access.zone[dir];
	uint64_t access = 0, span = 0;
	const char *rest = text;
	char *part;

	zones->n = 0;
	while (option_part(&rest, ':', &part)) {
		int rc = zone_entry(zones, part, bytes, err);

		free(part);
		if (rc)
			return -1;
	}
	for (unsigned i = 0; i < zones->n; i++) {
		access += zones->v[i].access;
		span += zones->v[i].span;
	}
	if (access != 100 || (!bytes && span != 100))
		return err_set(err, ERR_USAGE,
		    "the zones '%s' add up to %" PRIu64 "%% of the I/Os%s", text,
		    access, bytes ? "" : " or not to 100% of the file");
	return 0;
}

static int
dist_numbers(struct job *job, const char *text, struct err *err)
{
	static const struct {
		enum job_dist dist;
		double usual, min, max;
	} limits[] = {{JOB_DIST_ZIPF, 1.1, 1e-6, 100}, {JOB_DIST_PARETO, 0.2, 1e-6, 1},
	    {JOB_DIST_NORMAL, 0, 0, 100}};
	const char *colon = text ? strchr(text, ':') : NULL;
	struct job_access *a = &job->access;
	char *first;
	int rc = 0;

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		if (limits[i].dist != a->dist)
			continue;
		a->theta = limits[i].usual;
		if (!text)
			break;
		first = colon ? mem_strndup(text, (size_t)(colon - text))
			      : mem_strdup(text);
		rc = option_float(first, limits[i].min, limits[i].max, &a->theta, err);
		free(first);
	}
	if (rc == 0 && a->dist == JOB_DIST_ZIPF && a->theta == 1.0)
		rc = err_set(err, ERR_USAGE, "a zipf theta of 1.0 is not possible");
	if (rc == 0 && colon)
		rc = option_float(colon + 1, 0, 1, &a->center, err);
	return rc;
}

static int
dist_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	const char *colon = strchr(value, ':');
	char *word =
	    mem_strndup(value, colon ? (size_t)(colon - value) : strlen(value));
	struct job_access *a = &job->access;
	int v = 0, rc = option_word_parse(dist_words, word, &v, err);

	(void)option;
	free(word);
	if (rc)
		return -1;
	a->dist = (enum job_dist)v;
	a->theta = 0;
	a->center = -1;
	memset(a->zone, 0, sizeof a->zone);
	if (a->dist == JOB_DIST_RANDOM)
		return colon ? err_set(
				   err, ERR_USAGE, "'%s': random has no number", value)
			     : 0;
	if (a->dist != JOB_DIST_ZONED && a->dist != JOB_DIST_ZONED_ABS)
		return dist_numbers(job, colon ? colon + 1 : NULL, err);
	if (!colon)
		return err_set(err, ERR_USAGE, "'%s' names no zones", value);
	return each_dir(job, colon + 1, zone_one, err);
}

static bool
dist_format(const struct job *job, const struct option *option, struct str *ret)
{
	const struct job_access *a = &job->access;

	(void)option;
	str_add(ret, option_word_name(dist_words, (int)a->dist));
	if (a->dist == JOB_DIST_RANDOM)
		return true;
	str_addc(ret, ':');
	if (a->dist != JOB_DIST_ZONED && a->dist != JOB_DIST_ZONED_ABS) {
		option_add_float(ret, a->theta);
		if (a->center >= 0) {
			str_addc(ret, ':');
			option_add_float(ret, a->center);
		}
		return true;
	}
	for (int d = 0; d < DIR_COUNT; d++) {
		if (d)
			str_addc(ret, ',');
		for (unsigned i = 0; i < a->zone[d].n; i++)
			str_addf(ret, "%s%u/%" PRIu64, i ? ":" : "",
			    a->zone[d].v[i].access, a->zone[d].v[i].span);
	}
	return true;
}

const struct option_kind option_dist = {.parse = dist_parse, .format = dist_format};

/* Files */

static const struct word service_words[] = {{"roundrobin", JOB_ROUNDROBIN},
    {"sequential", JOB_SERVE_SEQUENTIAL}, {"random", JOB_SERVE_RANDOM},
    {"zipf", JOB_SERVE_ZIPF}, {"pareto", JOB_SERVE_PARETO},
    {"normal", JOB_SERVE_NORMAL}, {"gauss", JOB_SERVE_NORMAL}, {NULL, 0}};

static bool
service_has_theta(enum job_service service)
{
	return service == JOB_SERVE_ZIPF || service == JOB_SERVE_PARETO ||
	       service == JOB_SERVE_NORMAL;
}

static int
service_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	const char *colon = strchr(value, ':');
	char *word =
	    mem_strndup(value, colon ? (size_t)(colon - value) : strlen(value));
	struct job_files *files = &job->files;
	uint64_t n = 0;
	int v = 0, rc = option_word_parse(service_words, word, &v, err);

	(void)option;
	free(word);
	if (rc)
		return -1;
	files->service = (enum job_service)v;
	files->service_every = 0;
	files->service_theta = 0;
	if (service_has_theta(files->service)) {
		files->service_theta = files->service == JOB_SERVE_ZIPF ? 1.1 : 0.2;
		return colon
			   ? option_float(colon + 1, 0, 100, &files->service_theta, err)
			   : 0;
	}
	if (colon && option_number(colon + 1, 1, UINT32_MAX, &n, err))
		return -1;
	files->service_every = (unsigned)n;
	return 0;
}

static bool
service_format(const struct job *job, const struct option *option, struct str *ret)
{
	const struct job_files *files = &job->files;

	(void)option;
	str_add(ret, option_word_name(service_words, (int)files->service));
	if (service_has_theta(files->service)) {
		str_addc(ret, ':');
		option_add_float(ret, files->service_theta);
	} else if (files->service_every) {
		str_addf(ret, ":%u", files->service_every);
	}
	return true;
}

const struct option_kind option_service = {
    .parse = service_parse, .format = service_format};

static int
filesize_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	const char *dash = strchr(value, '-');
	char *first = mem_strndup(value, dash ? (size_t)(dash - value) : strlen(value));
	uint64_t from, to;
	int rc = option_number(first, 1, BYTES_MAX, &from, err);

	(void)option;
	free(first);
	to = from;
	if (rc || (dash && option_number(dash + 1, 1, BYTES_MAX, &to, err)))
		return -1;
	if (from > to)
		return err_set(err, ERR_USAGE, "'%s' ends before it begins", value);
	job->files.filesize_min = from;
	job->files.filesize_max = to;
	return 0;
}

static bool
filesize_format(const struct job *job, const struct option *option, struct str *ret)
{
	const struct job_files *files = &job->files;

	(void)option;
	if (!files->filesize_max)
		return false;
	str_addf(ret, "%" PRIu64, files->filesize_min);
	if (files->filesize_max != files->filesize_min)
		str_addf(ret, "-%" PRIu64, files->filesize_max);
	return true;
}

const struct option_kind option_filesize = {
    .parse = filesize_parse, .format = filesize_format};

/* "wait_before,write:8": every 8 writes */

static const struct word sfr_words[] = {{"wait_before", JOB_SFR_WAIT_BEFORE},
    {"write", JOB_SFR_WRITE}, {"wait_after", JOB_SFR_WAIT_AFTER}, {NULL, 0}};

static int
sfr_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	const char *colon = strchr(value, ':');
	char *words =
	    mem_strndup(value, colon ? (size_t)(colon - value) : strlen(value));
	const char *rest = words;
	unsigned flags = 0;
	uint64_t every = 1;
	char *part;
	int rc = 0;

	(void)option;
	while (rc == 0 && option_part(&rest, ',', &part)) {
		int v = 0;

		rc = option_word_parse(sfr_words, part, &v, err);
		flags |= (unsigned)v;
		free(part);
	}
	free(words);
	if (rc || (colon && option_number(colon + 1, 1, UINT32_MAX, &every, err)))
		return -1;
	job->files.sfr_flags = flags;
	job->files.sfr_every = (unsigned)every;
	return 0;
}

static bool
sfr_format(const struct job *job, const struct option *option, struct str *ret)
{
	unsigned flags = job->files.sfr_flags;
	bool first = true;

	(void)option;
	for (const struct word *w = sfr_words; w->name; w++) {
		if (!(flags & (unsigned)w->value))
			continue;
		str_addf(ret, "%s%s", first ? "" : ",", w->name);
		first = false;
	}
	if (!first)
		str_addf(ret, ":%u", job->files.sfr_every);
	return !first;
}

const struct option_kind option_sfr = {.parse = sfr_parse, .format = sfr_format};

/* "iops:2000", "bw_slope:0.1%" */

static const struct word steady_words[] = {{"iops", JOB_STEADY_IOPS},
    {"iops_slope", JOB_STEADY_IOPS_SLOPE}, {"bw", JOB_STEADY_BW},
    {"bw_slope", JOB_STEADY_BW_SLOPE}, {NULL, 0}};

static int
steady_parse(
    struct job *job, const struct option *option, const char *value, struct err *err)
{
	const char *colon = strchr(value, ':');
	char *word =
	    mem_strndup(value, colon ? (size_t)(colon - value) : strlen(value));
	struct job_output *out = &job->output;
	size_t len;
	int v = 0, rc = option_word_parse(steady_words, word, &v, err);

	(void)option;
	free(word);
	if (rc)
		return -1;
	if (!colon || !colon[1])
		return err_set(err, ERR_USAGE, "'%s' has no limit (iops:2%%)", value);
	len = strlen(colon + 1);
	out->steady = (enum job_steady_of)v;
	out->steady_is_percent = colon[len] == '%';
	word = mem_strndup(colon + 1, len - out->steady_is_percent);
	rc = option_float(word, 0, 1e18, &out->steady_limit, err);
	free(word);
	return rc;
}

static bool
steady_format(const struct job *job, const struct option *option, struct str *ret)
{
	const struct job_output *out = &job->output;

	(void)option;
	if (out->steady == JOB_STEADY_NONE)
		return false;
	str_addf(ret, "%s:", option_word_name(steady_words, (int)out->steady));
	option_add_float(ret, out->steady_limit);
	if (out->steady_is_percent)
		str_addc(ret, '%');
	return true;
}

const struct option_kind option_steady = {
    .parse = steady_parse, .format = steady_format};
