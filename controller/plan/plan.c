/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans: life, places of errors, and the way from a file to a YAML document whose
 * shape is bounded.
 */
#include "controller/plan/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "controller/plan/node.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/base/str.h"

#define DEPTH_MAX 32 /* of nested lists and mappings; a plan has 6 */

static const char *const transport_names[TRANSPORT_COUNT] = {"tcp", "rdma", "local"};

const char *
transport_name(enum transport transport)
{
	return (unsigned)transport < TRANSPORT_COUNT ? transport_names[transport]
						     : "unknown";
}

bool
transport_parse(const char *name, enum transport *ret)
{
	for (int t = 0; t < TRANSPORT_COUNT; t++) {
		if (strcmp(name, transport_names[t]) == 0) {
			*ret = (enum transport)t;
			return true;
		}
	}
	return false;
}

int
plan_err(
    struct err *err, const struct plan *plan, struct plan_pos pos, const char *fmt, ...)
{
	char msg[sizeof err->msg];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof msg, fmt, ap);
	va_end(ap);
	return err_set(
	    err, ERR_USAGE, "%s:%u:%u: %s", plan->source, pos.line, pos.col, msg);
}

int
plan_err_at(struct err *err, const struct plan *plan, struct plan_pos pos)
{
	char msg[sizeof err->msg];

	memcpy(msg, err->msg, sizeof msg);
	return plan_err(err, plan, pos, "%s", msg);
}

static void
free_facts(plan_facts *facts)
{
	for (vec_each(struct plan_fact *, fact, facts)) {
		free(fact->name);
		free(fact->value);
	}
	vec_free(facts);
}

void
plan_option_free(struct plan_option *option)
{
	for (vec_each(struct plan_value *, value, &option->values))
		free(value->text);
	vec_free(&option->values);
	free(option->key);
}

static void
free_options(plan_options *options)
{
	for (vec_each(struct plan_option *, option, options))
		plan_option_free(option);
	vec_free(options);
}

static void
free_mount(struct plan_path *path)
{
	for (vec_each(char **, option, &path->require.options))
		free(*option);
	vec_free(&path->require.options);
	free(path->require.fstype);
	free(path->setup);
	free(path->teardown);
}

bool
plan_storage_is_staged(const struct plan_storage *storage)
{
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		if (storage->paths[t].setup || storage->paths[t].teardown)
			return true;
	return false;
}

void
plan_workload_free(struct plan_workload *workload)
{
	free(workload->name);
	free(workload->jobfile);
	free_options(&workload->options);
	for (vec_each(struct plan_job *, job, &workload->jobs)) {
		free(job->name);
		hostlist_free(&job->clients.hosts);
		free_options(&job->options);
	}
	vec_free(&workload->jobs);
	fio_notes_free(&workload->notes);
}

void
plan_free(struct plan *plan)
{
	if (!plan)
		return;
	for (vec_each(struct plan_storage *, storage, &plan->storages)) {
		for (int t = 0; t < TRANSPORT_COUNT; t++) {
			free(storage->paths[t].path);
			free(storage->paths[t].above);
			free_facts(&storage->paths[t].facts);
			free_mount(&storage->paths[t]);
		}
		free_facts(&storage->facts);
		free(storage->name);
		free(storage->key_file);
	}
	for (vec_each(struct plan_workload *, workload, &plan->workloads))
		plan_workload_free(workload);
	free_facts(&plan->fabric.addresses);
	for (vec_each(struct plan_threshold *, it, &plan->thresholds))
		free(it->text);
	vec_free(&plan->thresholds);
	for (vec_each(struct plan_per_client *, it, &plan->per_client)) {
		hostlist_free(&it->hosts);
		free_options(&it->options);
	}
	vec_free(&plan->per_client);
	for (vec_each(char **, warning, &plan->warnings))
		free(*warning);
	vec_free(&plan->warnings);
	vec_free(&plan->storages);
	vec_free(&plan->workloads);
	vec_free(&plan->clients);
	vec_free(&plan->transports);
	free_facts(&plan->client_facts);
	free_options(&plan->defaults);
	free(plan->name);
	free(plan->source);
	free(plan->text);
	free(plan->agents);
	free(plan);
}

/* The reader's own errors (bad UTF-8) come with a byte offset only. */
static struct plan_pos
pos_at(const char *text, size_t len, size_t offset)
{
	struct plan_pos pos = {1, 1};

	for (size_t i = 0; i < len && i < offset; i++) {
		pos.line += text[i] == '\n';
		pos.col = text[i] == '\n' ? 1 : pos.col + 1;
	}
	return pos;
}

static struct plan_pos
mark_pos(yaml_mark_t mark)
{
	return (struct plan_pos){(unsigned)mark.line + 1, (unsigned)mark.column + 1};
}

static int
yaml_err(struct reader *r, const yaml_parser_t *parser, const char *text, size_t len)
{
	const char *problem = parser->problem ? parser->problem : "not valid YAML";
	struct plan_pos pos = mark_pos(parser->problem_mark);

	if (parser->error == YAML_READER_ERROR)
		pos = pos_at(text, len, parser->problem_offset);
	if (parser->context)
		return plan_err(
		    r->err, r->plan, pos, "%s, %s", problem, parser->context);
	return plan_err(r->err, r->plan, pos, "%s", problem);
}

static int
check_event(struct reader *r, const yaml_event_t *event, int *depth, int *documents)
{
	struct plan_pos pos = mark_pos(event->start_mark);

	*documents += event->type == YAML_DOCUMENT_START_EVENT;
	*depth += event->type == YAML_SEQUENCE_START_EVENT ||
		  event->type == YAML_MAPPING_START_EVENT;
	*depth -= event->type == YAML_SEQUENCE_END_EVENT ||
		  event->type == YAML_MAPPING_END_EVENT;
	if (*documents > 1)
		return plan_err(
		    r->err, r->plan, pos, "a second document; one file holds one plan");
	if (*depth > DEPTH_MAX)
		return plan_err(
		    r->err, r->plan, pos, "nested more than %d deep", DEPTH_MAX);
	return 0;
}

/*
 * A first pass over the events: is it YAML, one document, and not too deep?
 * libyaml's time grows with the square of the depth, so nothing is built before
 * this is known.
 */
static int
check_shape(struct reader *r, const char *text, size_t len)
{
	yaml_parser_t parser;
	int depth = 0, documents = 0, rc = 0;
	bool end = false;

	yaml_parser_initialize(&parser);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
	while (rc == 0 && !end) {
		yaml_event_t event;

		if (!yaml_parser_parse(&parser, &event)) {
			rc = yaml_err(r, &parser, text, len);
			break;
		}
		end = event.type == YAML_STREAM_END_EVENT;
		rc = check_event(r, &event, &depth, &documents);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return rc;
}

static int
parse_text(struct reader *r, const char *text, size_t len)
{
	yaml_parser_t parser;
	int rc;

	if (check_shape(r, text, len))
		return -1;
	yaml_parser_initialize(&parser);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
	if (yaml_parser_load(&parser, &r->doc)) {
		rc = read_plan(r);
		yaml_document_delete(&r->doc);
	} else {
		rc = yaml_err(r, &parser, text, len);
	}
	yaml_parser_delete(&parser);
	return rc;
}

struct plan *
plan_parse(const char *source, const char *text, size_t len, struct err *err)
{
	struct plan *plan = mem_alloc(sizeof *plan);
	struct err own = ERR_INIT;
	struct reader r = {.plan = plan, .err = err ? err : &own};

	plan->source = mem_strdup(source);
	plan->repeat =
	    (struct plan_repeat){PLAN_REPEAT_DEFAULT, PLAN_REPEAT_DEFAULT, NAN};
	if (len > PLAN_TEXT_MAX) {
		err_set(err, ERR_USAGE, "%s: the plan is larger than %u bytes", source,
		    PLAN_TEXT_MAX);
		plan_free(plan);
		return NULL;
	}
	plan->text = mem_strndup(text, len);
	plan->hash = hash_fnv1a(text, len);
	if (parse_text(&r, text, len)) {
		plan_free(plan);
		return NULL;
	}
	return plan;
}

static int
read_all(int fd, const char *path, struct str *ret, struct err *err)
{
	char buf[65536];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		return err_set(
		    err, ERR_USAGE, "%s: this is a folder, not a plan", path);
	while ((n = read(fd, buf, sizeof buf)) > 0) {
		str_addn(ret, buf, (size_t)n);
		if (ret->len > PLAN_TEXT_MAX)
			break; /* plan_parse says so */
	}
	return n < 0 ? err_sys(err, errno, "read %s", path) : 0;
}

struct plan *
plan_read(const char *path, struct err *err)
{
	struct plan *plan = NULL;
	struct str text = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		err_sys(err, errno, "open %s", path);
		return NULL;
	}
	if (read_all(fd, path, &text, err) == 0)
		plan = plan_parse(path, text.s ? text.s : "", text.len, err);
	if (plan && plan_read_jobfiles(plan, err)) {
		plan_free(plan);
		plan = NULL;
	}
	close(fd);
	str_free(&text);
	return plan;
}

bool
plan_names(const struct hostlist *hosts, const char *client)
{
	for (vec_each(const struct host *, host, &hosts->hosts))
		if (strcmp(host->name, client) == 0)
			return true;
	return false;
}
