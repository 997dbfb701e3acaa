/* SPDX-License-Identifier: Apache-2.0 */
/* From a job file to a plan.  See from-fio.h. */
#include "controller/plan/from-fio.h"

#include <ctype.h>
#include <string.h>

#include "lib/base/mem.h"

#define NAME_CHARS_MAX 64

/* Where the files of a job are, and what is left of its filename. */
struct place {
	char *path, *filename; /* the latter as the option has it: "a:b\\:c", or NULL */
	bool elsewhere;        /* the files are in several folders, or are devices */
};

static char *
clean_name(const char *text)
{
	struct str name = {0};

	for (; *text && name.len < NAME_CHARS_MAX - 5; text++) {
		bool ok = isalnum((unsigned char)*text) || strchr("._-", *text);

		if (ok || (name.len && name.s[name.len - 1] != '-'))
			str_addc(&name, ok ? *text : '-');
	}
	return name.len ? str_take(&name) : mem_strdup("job");
}

char *
from_fio_name(const struct fio_file *file, size_t job)
{
	char *name = clean_name(file->jobs.v[job].name);
	unsigned same = 1;

	for (size_t i = 0; i < job; i++) {
		char *other = clean_name(file->jobs.v[i].name);

		same += strcmp(other, name) == 0;
		free(other);
	}
	if (same > 1) {
		char *numbered = mem_printf("%s-%u", name, same);

		free(name);
		name = numbered;
	}
	return name;
}

static char *
below(const char *folder, const char *path)
{
	if (!path)
		return mem_strdup(folder);
	return path[0] == '/' ? mem_strdup(path) : mem_printf("%s/%s", folder, path);
}

static char *
escape(const char *name)
{
	struct str text = {0};

	for (; *name; name++) {
		if (*name == ':' || *name == '\\')
			str_addc(&text, '\\');
		str_addc(&text, *name);
	}
	return str_take(&text);
}

void
from_fio_names(const struct fio_job *job, struct str *ret)
{
	char *one;

	if (job->job.files.list) {
		str_add(ret, job->job.files.list);
	} else if (job->job.filename) {
		one = escape(job->job.filename);
		str_add(ret, one);
		free(one);
	}
}

/* "/d/a:/d/b" below "/d" is "a:b"; NULL: a name is elsewhere. */
static char *
list_below(const char *list, const char *folder)
{
	size_t len = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
	struct str names = {0};

	for (const char *s = list; *s;) {
		const char *name = s + len + 1;

		while (*s && *s != ':')
			s += *s == '\\' && s[1] ? 2 : 1;
		if (name >= s || strncmp(name - len - 1, folder, len) != 0 ||
		    name[-1] != '/' || memchr(name, '/', (size_t)(s - name))) {
			str_free(&names);
			return NULL;
		}
		str_addn(&names, name, (size_t)(s - name));
		if (*s)
			str_addc(&names, *s++);
	}
	return str_take(&names);
}

static struct place
place_of(const struct job *job, const struct from_fio *how)
{
	struct place place = {0};
	const char *slash;

	if (!job->filename || job->filename[0] != '/') {
		place.path = below(how->folder, job->directory);
		if (job->files.list)
			place.filename = mem_strdup(job->files.list);
		else if (job->filename)
			place.filename = escape(job->filename);
		return place;
	}
	if (job_is_device_path(job->filename) && !job->files.list) {
		place.path = mem_strdup(job->filename);
		return place;
	}
	slash = strrchr(job->filename, '/');
	place.path = slash == job->filename
			 ? mem_strdup("/")
			 : mem_strndup(job->filename, (size_t)(slash - job->filename));
	if (job->files.list) {
		place.filename = list_below(job->files.list, place.path);
		place.elsewhere = !place.filename || job_is_device_path(job->filename);
	} else {
		place.filename = escape(slash + 1);
	}
	return place;
}

struct options_sink {
	const plan_options *under;
	struct plan_pos pos;
	plan_options *ret;
};

static bool
has_option(const plan_options *options, const char *name)
{
	for (size_t i = 0; options && i < options->n; i++)
		if (strcmp(options->v[i].name, name) == 0)
			return true;
	return false;
}

static void
push_option(plan_options *to, const char *name, const char *value, struct plan_pos pos)
{
	struct plan_option *option = vec_add(to);
	struct plan_value *v;

	option->name = name;
	option->key = mem_strdup(name);
	option->pos = pos;
	v = vec_add(&option->values);
	v->text = mem_strdup(value);
	v->pos = pos;
}

static void
sink_option(
    void *arg, const char *name, const char *value, bool is_number, bool is_default)
{
	static const char *const elsewhere[] = {"name", "directory", "filename", NULL};
	struct options_sink *sink = arg;

	(void)is_number;
	for (int i = 0; elsewhere[i]; i++)
		if (strcmp(name, elsewhere[i]) == 0)
			return;
	if (!is_default || has_option(sink->under, name))
		push_option(sink->ret, name, value, sink->pos);
}

void
from_fio_options(const struct fio_job *job, const char *filename,
    const plan_options *under, struct plan_pos pos, plan_options *ret)
{
	struct options_sink sink = {.under = under, .pos = pos, .ret = ret};

	job_each(&job->job, sink_option, &sink);
	if (!filename)
		return;
	push_option(ret, "filename", filename, pos);
	/* A name is the same on every host, with fio as here. */
	if (!job->job.shared)
		push_option(ret, "shared", "1", pos);
}

static void
add_scalar(struct str *ret, const char *text)
{
	bool plain = *text != '\0';

	for (const char *s = text; *s; s++)
		plain = plain && (isalnum((unsigned char)*s) || strchr("._-/%", *s));
	if (plain && strchr("%-", text[0]) == NULL) {
		str_add(ret, text);
		return;
	}
	str_addc(ret, '"');
	for (const char *s = text; *s; s++) {
		if (*s == '"' || *s == '\\')
			str_addc(ret, '\\');
		str_addc(ret, *s);
	}
	str_addc(ret, '"');
}

static void
add_workload(
    const struct fio_file *file, size_t i, const char *filename, struct str *ret)
{
	const struct fio_job *job = &file->jobs.v[i];
	char *name = from_fio_name(file, i);
	plan_options options = {0};

	str_add(ret, "  - name: ");
	add_scalar(ret, name);
	str_addc(ret, '\n');
	from_fio_options(job, filename, NULL, (struct plan_pos){0}, &options);
	for (vec_each(struct plan_option *, option, &options)) {
		str_addf(ret, "    %s: ", option->name);
		add_scalar(ret, option->values.v[0].text);
		str_addc(ret, '\n');
		free(option->values.v[0].text);
		vec_free(&option->values);
		free(option->key);
	}
	for (vec_each(const struct fio_given *, given, &job->given))
		if (given->mark != FIO_HONOURED)
			str_addf(ret, "    # %s%s%s is %s: %s\n", given->name,
			    given->value ? "=" : "", given->value ? given->value : "",
			    fio_mark_name(given->mark), given->why);
	vec_free(&options);
	free(name);
}

static int
check_job(const struct fio_file *file, size_t i, const struct place *place,
    const char *path, struct err *err)
{
	const struct fio_job *job = &file->jobs.v[i];

	if (i && job->stage == job[-1].stage)
		return fio_err(err, ERR_UNSUPPORTED, job->pos,
		    "jobs '%s' and '%s' run at the same time, which is not supported "
		    "yet "
		    "(stonewall puts one after the other)",
		    job[-1].name, job->name);
	if (place->elsewhere)
		return fio_err(err, ERR_UNSUPPORTED, job->pos,
		    "job '%s' has a list of devices, or of files in several folders; a "
		    "plan has one path",
		    job->name);
	if (strcmp(path, place->path) != 0)
		return fio_err(err, ERR_UNSUPPORTED, job->pos,
		    "job '%s' uses %s and others %s; a plan has one path for all its "
		    "workloads",
		    job->name, place->path, path);
	return 0;
}

static void
add_head(const struct from_fio *how, const char *path, struct str *ret)
{
	const char *slash = strrchr(how->source, '/');
	char *name = clean_name(slash ? slash + 1 : how->source);

	str_addf(ret, "# From %s\nplan: ", how->source);
	add_scalar(ret, name);
	str_add(ret, "\nstorage:\n  - name: storage\n    paths: {local: ");
	add_scalar(ret, path);
	str_addf(ret, "}\nclients: %u\nrepeat: 1\nworkloads:\n", how->clients);
	free(name);
}

int
from_fio_yaml(const struct fio_file *file, const struct from_fio *how, struct str *ret,
    struct err *err)
{
	char *path = NULL;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < file->jobs.n; i++) {
		struct place place = place_of(&file->jobs.v[i].job, how);

		if (!path) {
			path = mem_strdup(place.path);
			add_head(how, path, ret);
		}
		rc = check_job(file, i, &place, path, err);
		if (rc == 0)
			add_workload(file, i, place.filename, ret);
		free(place.path);
		free(place.filename);
	}
	free(path);
	return rc;
}
