/* SPDX-License-Identifier: Apache-2.0 */
/* A job file's jobs as JSON, options resolved to base units. */
#include "lib/work/fio/jobfile.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/work/option.h"

struct writer {
	struct str *out;
	const struct fio_job *job;
	bool first;
};

static void
add_string(struct str *out, const char *text)
{
	str_addc(out, '"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			str_addf(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			str_addf(out, "\\u%04x", c);
		else
			str_addc(out, (char)c);
	}
	str_addc(out, '"');
}

static void
add_key(struct writer *w, const char *key)
{
	str_addf(w->out, "%s\n        ", w->first ? "" : ",");
	w->first = false;
	add_string(w->out, key);
	str_add(w->out, ": ");
}

static bool
is_integer(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

/* A number, a time (in nanoseconds) or a text. */
static void
add_value(struct str *out, const char *text, bool is_time)
{
	uint64_t ns;

	if (is_time && units_parse_time(text, 1, &ns, NULL) == 0)
		str_addf(out, "%" PRIu64, ns);
	else if (is_integer(text))
		str_add(out, text);
	else
		add_string(out, text);
}

/* "4096,8192" and the trim part. */
static void
add_dirs(struct writer *w, const char *name, const char *value, bool is_time)
{
	static const char *const keys[] = {"read", "write", "trim"};
	const char *trim = fio_job_trim(w->job, name), *rest = value;
	char *part[3] = {0};

	option_part(&rest, ',', &part[0]);
	if (!option_part(&rest, ',', &part[1]))
		part[1] = mem_strdup(part[0]);
	part[2] = mem_strdup(trim && *trim ? trim : strcmp(name, "bs") ? "0" : "4096");
	for (int i = 0; i < 3; i++) {
		str_addf(w->out, "%s\"%s\": ", i ? ", " : "{", keys[i]);
		add_value(w->out, part[i], is_time);
		free(part[i]);
	}
	str_addc(w->out, '}');
}

static void
add_split(struct str *out, const struct job_blocks *blocks)
{
	for (int d = 0; d < DIR_COUNT; d++) {
		const struct job_splits *splits = &blocks->split[d];

		str_addf(out, "%s\"%s\": [", d ? ", " : "{", dir_name((enum dir)d));
		for (unsigned i = 0; i < splits->n; i++)
			str_addf(out, "%s{\"bs\": %" PRIu64 ", \"percent\": %u}",
			    i ? ", " : "", splits->v[i].bs, splits->v[i].percent);
		str_addc(out, ']');
	}
	str_addc(out, '}');
}

static void
add_ranges(struct str *out, const struct job_blocks *blocks)
{
	for (int d = 0; d < DIR_COUNT; d++)
		str_addf(out, "%s\"%s\": {\"min\": %" PRIu64 ", \"max\": %" PRIu64 "}",
		    d ? ", " : "{", dir_name((enum dir)d), blocks->min[d],
		    blocks->max[d]);
	str_addc(out, '}');
}

/* One name as a text, several as a list. */
static void
add_filename(struct str *out, const struct job *job)
{
	struct str name = {0};

	if (!job->files.list) {
		add_string(out, job->filename);
		return;
	}
	str_addc(out, '[');
	for (const char *s = job->files.list;; s++) {
		if (*s == ':' || *s == '\0') {
			add_string(out, name.s ? name.s : "");
			str_clear(&name);
			if (!*s)
				break;
			str_add(out, ", ");
			continue;
		}
		if (*s == '\\' && (s[1] == ':' || s[1] == '\\'))
			s++;
		str_addc(&name, *s);
	}
	str_addc(out, ']');
	str_free(&name);
}

/* "1s-2s" as a pair. */
static void
add_window(struct str *out, const char *value)
{
	const char *rest = value;
	char *from, *to;

	option_part(&rest, '-', &from);
	if (!option_part(&rest, '-', &to)) {
		add_value(out, from, true);
		free(from);
		return;
	}
	str_add(out, "{\"min\": ");
	add_value(out, from, true);
	str_add(out, ", \"max\": ");
	add_value(out, to, true);
	str_addc(out, '}');
	free(from);
	free(to);
}

static void
add_time_key(struct writer *w, const char *name)
{
	size_t len = strlen(name);
	char *key;

	if (len > 5 && strcmp(name + len - 5, "_msec") == 0)
		len -= 5;
	key = mem_printf("%.*s_ns", (int)len, name);
	add_key(w, key);
	free(key);
}

static void
add_option(
    void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	struct writer *w = arg;
	const struct option *o = option_find(name);
	bool is_time = o->kind == &option_time || o->kind == &option_window ||
		       o->kind == &option_per_dir_time;

	(void)is_number;
	(void)is_default;
	if (!fio_option_find(name) && strcmp(name, "blockalign") != 0)
		return; /* volley's own */
	if (is_time)
		add_time_key(w, name);
	else
		add_key(w, name);
	if (o->kind == &option_per_dir || o->kind == &option_per_dir_time)
		add_dirs(w, name, value, is_time);
	else if (o->kind == &option_window)
		add_window(w->out, value);
	else if (o->kind == &option_split)
		add_split(w->out, &w->job->job.blocks);
	else if (o->kind == &option_range)
		add_ranges(w->out, &w->job->job.blocks);
	else if (o->kind == &option_filename)
		add_filename(w->out, &w->job->job);
	else if (o->kind == &option_text)
		add_string(w->out, value);
	else
		add_value(w->out, value, is_time);
}

static void
add_marks(struct str *out, const struct fio_job *job)
{
	bool first = true;

	for (size_t i = 0; i < job->given.n; i++) {
		const struct fio_given *given = &job->given.v[i];
		bool again = false;

		for (size_t j = i + 1; j < job->given.n; j++)
			again |= strcmp(job->given.v[j].name, given->name) == 0;
		if (again)
			continue;
		str_addf(out, "%s\n        ", first ? "" : ",");
		add_string(out, given->name);
		str_addf(out, ": \"%s\"", fio_mark_name(given->mark));
		first = false;
	}
}

static void
add_job(struct str *out, const struct fio_job *job)
{
	struct writer w = {.out = out, .job = job, .first = true};

	str_add(out, "    {\n      \"name\": ");
	add_string(out, job->name);
	str_addf(out, ",\n      \"stage\": %u,\n      \"group\": %u,", job->stage,
	    job->group);
	str_add(out, "\n      \"options\": {");
	job_each(&job->job, add_option, &w);
	str_add(out, "\n      },\n      \"marks\": {");
	add_marks(out, job);
	str_add(out, "\n      },\n      \"warnings\": [");
	for (size_t i = 0; i < job->warnings.n; i++) {
		str_addf(out, "%s\n        ", i ? "," : "");
		add_string(out, job->warnings.v[i]);
	}
	str_add(out, "]\n    }");
}

void
fio_file_json(const struct fio_file *file, struct str *ret)
{
	str_add(ret, "{\n  \"jobs\": [\n");
	for (size_t i = 0; i < file->jobs.n; i++) {
		if (i)
			str_add(ret, ",\n");
		add_job(ret, &file->jobs.v[i]);
	}
	str_add(ret, "\n  ]\n}\n");
}
