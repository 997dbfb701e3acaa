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

size_t
from_fio_stage_jobs(const struct fio_file *file, size_t job)
{
	size_t n = 1;

	while (job + n < file->jobs.n &&
	       file->jobs.v[job + n].stage == file->jobs.v[job].stage)
		n++;
	return n;
}

char *
from_fio_stage_name(const struct fio_file *file, size_t job)
{
	size_t n = from_fio_stage_jobs(file, job);
	struct str name = {0};

	for (size_t i = 0; i < n; i++) {
		char *one = from_fio_name(file, job + i);

		str_addf(&name, "%s%s", i ? "-" : "", one);
		free(one);
	}
	if (name.len < NAME_CHARS_MAX)
		return str_take(&name);
	str_free(&name);
	char *first = from_fio_name(file, job);
	char *ret = mem_printf("%.40s-and-%zu-more", first, n - 1);
	free(first);
	return ret;
}

char *
from_fio_root(const char *const *folders, size_t n)
{
	char *root = mem_strdup(folders[0]);

	for (size_t i = 1; i < n; i++)
		while (strcmp(root, "/") != 0 && strcmp(root, folders[i]) != 0 &&
		       !from_fio_below(root, folders[i])) {
			char *slash = strrchr(root, '/');

			slash[slash == root] = '\0';
		}
	return root;
}

const char *
from_fio_below(const char *root, const char *folder)
{
	size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);

	return strncmp(folder, root, len) == 0 && folder[len] == '/' &&
		       folder[len + 1]
		   ? folder + len + 1
		   : NULL;
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
	static const char *const elsewhere[] = {
	    "name", "directory", "filename", "verify_dump", NULL};
	struct options_sink *sink = arg;

	(void)is_number;
	for (int i = 0; elsewhere[i]; i++)
		if (strcmp(name, elsewhere[i]) == 0)
			return;
	if (!is_default || has_option(sink->under, name))
		push_option(sink->ret, name, value, sink->pos);
}

void
from_fio_notes(const struct fio_job *job, fio_notes *ret)
{
	char *line;

	fio_notes_of(job, ret);
	if (!job->job.verify.dump)
		return;
	line = mem_printf("%s:%u: job '%s': verify_dump: clients dump no blocks; the "
			  "first wrong one is described in the client's error",
	    job->pos.file, job->pos.line, job->name);
	fio_notes_warn(ret, job->name, line);
	free(line);
}

/* What a job only writes is made anew, as fio does; other files are laid out. */
static bool
is_made_anew(const struct job *job, const plan_options *under)
{
	return !job_rw_has(job, DIR_READ) && job->layout == JOB_LAYOUT_FILES &&
	       !job_on_device(job) && !has_option(under, "layout");
}

void
from_fio_options(const struct fio_job *job, const char *directory,
    const char *filename, const plan_options *under, struct plan_pos pos, plan_options *ret)
{
	struct options_sink sink = {.under = under, .pos = pos, .ret = ret};

	job_each(&job->job, sink_option, &sink);
	if (directory)
		push_option(ret, "directory", directory, pos);
	if (is_made_anew(&job->job, under))
		push_option(ret, "layout", "fio", pos);
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

/* The options of one job, each on a line of its own. */
static void
add_options(const struct fio_job *job, const struct place *place, const char *path,
    const char *indent, struct str *ret)
{
	plan_options options = {0};

	from_fio_options(job, from_fio_below(path, place->path), place->filename, NULL,
	    (struct plan_pos){0}, &options);
	for (vec_each(struct plan_option *, option, &options)) {
		str_addf(ret, "%s%s: ", indent, option->name);
		add_scalar(ret, option->values.v[0].text);
		str_addc(ret, '\n');
		free(option->values.v[0].text);
		vec_free(&option->values);
		free(option->key);
	}
	vec_free(&options);
}

/* "- name: NAME" */
static void
add_name(const char *indent, char *name, struct str *ret)
{
	str_addf(ret, "%s- name: ", indent);
	add_scalar(ret, name);
	str_addc(ret, '\n');
	free(name);
}

/* What was not just honoured in the n jobs of a stage, as read-notes.c reads it. */
static void
add_notes(const struct fio_job *jobs, size_t n, struct str *ret)
{
	fio_notes notes = {0};

	for (size_t i = 0; i < n; i++)
		from_fio_notes(&jobs[i], &notes);
	if (notes.n)
		str_add(ret, "    notes:\n");
	for (vec_each(const struct fio_note *, note, &notes)) {
		const struct {
			const char *key, *text;
		} parts[] = {{"job", note->job}, {"option", note->option},
		    {"value", note->value}, {"place", note->place},
		    {"text", note->text}};

		str_addf(ret, "      - {kind: %s", fio_note_kind_name(note->kind));
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			if (parts[i].text && *parts[i].text) {
				str_addf(ret, ", %s: ", parts[i].key);
				add_scalar(ret, parts[i].text);
			}
		str_add(ret, "}\n");
	}
	fio_notes_free(&notes);
}

/* The n jobs of a stage: one is the workload itself, several are its jobs. */
static void
add_workload(const struct fio_file *file, size_t first, size_t n,
    const struct place *places, const char *path, struct str *ret)
{
	add_name("  ", from_fio_stage_name(file, first), ret);
	if (n == 1)
		add_options(
		    &file->jobs.v[first], &places[first], path, "    ", ret);
	else
		str_add(ret, "    jobs:\n");
	for (size_t i = first; n > 1 && i < first + n; i++) {
		add_name("      ", from_fio_name(file, i), ret);
		add_options(&file->jobs.v[i], &places[i], path, "        ", ret);
	}
	add_notes(&file->jobs.v[first], n, ret);
}

/* The path that all jobs are below; a device among others is a name below /dev. */
static char *
common_path(struct place *places, size_t n)
{
	const char **folders = mem_array(n, sizeof *folders);
	bool same = true;
	char *root;

	for (size_t i = 1; i < n; i++)
		same = same && strcmp(places[i].path, places[0].path) == 0;
	for (size_t i = 0; i < n; i++) {
		if (!same && job_is_device_path(places[i].path) && !places[i].filename) {
			char *slash = strrchr(places[i].path, '/');

			places[i].filename = escape(slash + 1);
			*slash = '\0';
		}
		folders[i] = places[i].path;
	}
	root = from_fio_root(folders, n);
	free(folders);
	return root;
}

static int
check_places(const struct fio_file *file, const struct place *places, const char *path,
    struct err *err)
{
	for (size_t i = 0; i < file->jobs.n; i++) {
		const struct fio_job *job = &file->jobs.v[i];

		if (places[i].elsewhere)
			return fio_err(err, ERR_UNSUPPORTED, job->pos,
			    "job '%s' has a list of devices, or of files in several "
			    "folders; a plan has one path",
			    job->name);
		if (strcmp(path, "/") == 0 && strcmp(places[i].path, "/") != 0)
			return fio_err(err, ERR_UNSUPPORTED, job->pos,
			    "job '%s' uses %s and others %s; they have no folder in "
			    "common but /, and a plan has one path for all its "
			    "workloads",
			    job->name, places[i].path, places[i ? 0 : 1].path);
	}
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
	size_t n = file->jobs.n;
	struct place *places = mem_array(n, sizeof *places);
	char *path;
	int rc;

	for (size_t i = 0; i < n; i++)
		places[i] = place_of(&file->jobs.v[i].job, how);
	path = common_path(places, n);
	rc = check_places(file, places, path, err);
	if (rc == 0)
		add_head(how, path, ret);
	for (size_t i = 0; rc == 0 && i < n; i += from_fio_stage_jobs(file, i))
		add_workload(
		    file, i, from_fio_stage_jobs(file, i), places, path, ret);
	free(path);
	for (size_t i = 0; i < n; i++) {
		free(places[i].path);
		free(places[i].filename);
	}
	free(places);
	return rc;
}
