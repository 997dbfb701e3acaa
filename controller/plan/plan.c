/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a plan: the file, the YAML document, the top-level keys, and the checks
 * that need the whole plan.
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
#include "lib/base/hostlist.h"
#include "lib/base/mem.h"
#include "lib/base/rng.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#define DEFAULT_PORT 7411
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
plan_err(struct err *err, const struct plan *plan, struct plan_pos pos, const char *fmt,
    ...)
{
	char msg[sizeof err->msg];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof msg, fmt, ap);
	va_end(ap);
	return err_set(err, ERR_USAGE, "%s:%u:%u: %s", plan->source, pos.line, pos.col, msg);
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

static void
free_options(plan_options *options)
{
	for (vec_each(struct plan_option *, option, options)) {
		for (vec_each(struct plan_value *, value, &option->values))
			free(value->text);
		vec_free(&option->values);
		free(option->key);
	}
	vec_free(options);
}

void
plan_free(struct plan *plan)
{
	if (!plan)
		return;
	for (vec_each(struct plan_storage *, storage, &plan->storages)) {
		for (int t = 0; t < TRANSPORT_COUNT; t++) {
			free(storage->paths[t].path);
			free_facts(&storage->paths[t].facts);
		}
		free_facts(&storage->facts);
		free(storage->name);
	}
	for (vec_each(struct plan_workload *, workload, &plan->workloads)) {
		free_options(&workload->options);
		free(workload->name);
	}
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

/* Top-level keys */

static int
read_name(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;

	return node_name(r, node, "the plan's name", &plan->name);
}

static int
one_client_count(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;
	uint64_t n;

	if (node_u64(r, node, "clients", 1, PLAN_CLIENTS_MAX, &n))
		return -1;
	for (vec_each(unsigned *, other, &plan->clients))
		if (*other == n)
			return node_err(r, node, "clients: %u is listed twice", *other);
	vec_push(&plan->clients, (unsigned)n);
	return 0;
}

static int
read_clients(struct reader *r, yaml_node_t *node, void *into)
{
	return node_list_or_one(r, node, "clients", one_client_count, into);
}

static int
one_transport(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;
	const char *text = node_text(r, node, "transports"), *near;
	enum transport transport;

	if (!text)
		return -1;
	if (!transport_parse(text, &transport)) {
		near = str_nearest(text, transport_names, TRANSPORT_COUNT);
		if (near)
			return node_err(r, node, "unknown transport '%s'; did you mean "
			    "'%s'?", text, near);
		return node_err(r, node, "unknown transport '%s' (tcp, rdma or local)",
		    text);
	}
	for (vec_each(enum transport *, other, &plan->transports))
		if (*other == transport)
			return node_err(r, node, "transport '%s' is listed twice", text);
	r->transport_pos[transport] = node_pos(node);
	vec_push(&plan->transports, transport);
	return 0;
}

static int
read_transports(struct reader *r, yaml_node_t *node, void *into)
{
	r->transports_given = true;
	return node_list_or_one(r, node, "transports", one_transport, into);
}

static int
repeat_min(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_repeat *repeat = into;
	uint64_t n;

	if (node_u64(r, node, "min", 1, PLAN_REPEAT_MAX, &n))
		return -1;
	repeat->min = (unsigned)n;
	return 0;
}

static int
repeat_max(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_repeat *repeat = into;
	uint64_t n;

	if (node_u64(r, node, "max", 1, PLAN_REPEAT_MAX, &n))
		return -1;
	repeat->max = (unsigned)n;
	return 0;
}

static int
repeat_until(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan_repeat *repeat = into;
	const char *text = node_text(r, node, "until_rsd");

	if (!text)
		return -1;
	if (units_parse_percent(text, &repeat->until_rsd, r->err)) {
		err_prefix(r->err, "until_rsd");
		return node_err_at(r, node);
	}
	if (!(repeat->until_rsd > 0))
		return node_err(r, node, "until_rsd must be more than 0");
	return 0;
}

static int
read_repeat(struct reader *r, yaml_node_t *node, void *into)
{
	static const struct node_key keys[] = {{"min", repeat_min, true},
	    {"max", repeat_max, true}, {"until_rsd", repeat_until, true},
	    {NULL, NULL, false}};
	struct plan *plan = into;
	struct plan_repeat *repeat = &plan->repeat;
	uint64_t n;

	if (node->type != YAML_MAPPING_NODE) {
		if (node_u64(r, node, "repeat", 1, PLAN_REPEAT_MAX, &n))
			return -1;
		repeat->min = repeat->max = (unsigned)n;
		return 0;
	}
	if (node_map(r, node, "repeat", keys, NULL, repeat))
		return -1;
	if (repeat->min < 2)
		return node_err(r, node, "repeat: min must be at least 2, since one value "
		    "has no spread");
	if (repeat->min > repeat->max)
		return node_err(r, node, "repeat: min (%u) is larger than max (%u)",
		    repeat->min, repeat->max);
	return 0;
}

static int
read_order(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;
	const char *text = node_text(r, node, "order");

	if (!text)
		return -1;
	if (strcmp(text, "abba") == 0)
		plan->order = PLAN_ABBA;
	else if (strcmp(text, "blocks") == 0)
		plan->order = PLAN_BLOCKS;
	else
		return node_err(r, node, "order: '%s' is not one of abba, blocks", text);
	return 0;
}

/* Entries are checked one by one, so that the error points at the right one. */
static int
one_agent(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;
	const char *text = node_text(r, node, "agents");
	struct hostlist hosts = {0};
	char *joined;
	int rc;

	if (!text)
		return -1;
	rc = hostlist_parse(&hosts, text, DEFAULT_PORT, r->err);
	hostlist_free(&hosts);
	if (rc) {
		err_prefix(r->err, "agents");
		return node_err_at(r, node);
	}
	joined = plan->agents ? mem_printf("%s,%s", plan->agents, text) : mem_strdup(text);
	free(plan->agents);
	plan->agents = joined;
	return 0;
}

static int
read_agents(struct reader *r, yaml_node_t *node, void *into)
{
	return node_list_or_one(r, node, "agents", one_agent, into);
}

static int
read_seed(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;

	plan->has_seed = true;
	return node_u64(r, node, "seed", 0, UINT64_MAX, &plan->seed);
}

static int
read_skew(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;

	return node_time(r, node, "max_skew", &plan->max_skew_ns);
}

static int
read_deadline(struct reader *r, yaml_node_t *node, void *into)
{
	struct plan *plan = into;

	return node_time(r, node, "deadline", &plan->deadline_ns);
}

static int
read_precondition(struct reader *r, yaml_node_t *node, void *into)
{
	(void)into;
	return node_err(r, node, "'precondition' is reserved for a later version");
}

static int
read_runner(struct reader *r, yaml_node_t *node, void *into)
{
	(void)into;
	return node_err(r, node, "'runner' is reserved for a later version");
}

static const struct node_key top_keys[] = {{"plan", read_name, true},
    {"storage", read_storages, true}, {"client", read_client, false},
    {"clients", read_clients, true}, {"transports", read_transports, false},
    {"repeat", read_repeat, false}, {"order", read_order, false},
    {"defaults", read_defaults, false}, {"workloads", read_workloads, true},
    {"agents", read_agents, false}, {"seed", read_seed, false},
    {"max_skew", read_skew, false}, {"deadline", read_deadline, false},
    {"precondition", read_precondition, false}, {"runner", read_runner, false},
    {NULL, NULL, false}};

/* The whole */

static bool
any_path(const struct plan *plan, enum transport transport)
{
	for (vec_each(const struct plan_storage *, storage, &plan->storages))
		if (storage->paths[transport].path)
			return true;
	return false;
}

/* Without transports: all that a storage has a path for. */
static int
check_transports(struct reader *r)
{
	struct plan *plan = r->plan;

	for (int t = 0; t < TRANSPORT_COUNT && !r->transports_given; t++)
		if (any_path(plan, (enum transport)t))
			vec_push(&plan->transports, (enum transport)t);
	for (vec_each(enum transport *, t, &plan->transports))
		if (!any_path(plan, *t))
			return plan_err(r->err, plan, r->transport_pos[*t],
			    "no storage has a path for transport '%s'",
			    transport_name(*t));
	for (vec_each(struct plan_storage *, storage, &plan->storages)) {
		bool used = false;

		for (vec_each(enum transport *, t, &plan->transports))
			used = used || storage->paths[*t].path;
		if (!used)
			return plan_err(r->err, plan, storage->pos,
			    "storage '%s' has no path for any of the plan's transports",
			    storage->name);
	}
	return 0;
}

static bool
sets(const plan_options *options, const char *name)
{
	for (vec_each(const struct plan_option *, option, options))
		if (strcmp(option->name, name) == 0)
			return true;
	return false;
}

static int
check_workloads(struct reader *r)
{
	struct plan *plan = r->plan;

	for (vec_each(struct plan_workload *, w, &plan->workloads))
		if (!sets(&w->options, "size") && !sets(&plan->defaults, "size"))
			return plan_err(r->err, plan, w->pos, "workload '%s' has no size "
			    "(set it there or in defaults)", w->name);
	return 0;
}

static int
read_document(struct reader *r)
{
	yaml_node_t *root = yaml_document_get_root_node(&r->doc);

	if (!root)
		return plan_err(r->err, r->plan, (struct plan_pos){1, 1},
		    "the plan is empty");
	if (node_map(r, root, "the plan", top_keys, NULL, r->plan))
		return -1;
	if (check_transports(r) || check_workloads(r))
		return -1;
	return 0;
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
		return plan_err(r->err, r->plan, pos, "%s, %s", problem, parser->context);
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
		return plan_err(r->err, r->plan, pos,
		    "a second document; one file holds one plan");
	if (*depth > DEPTH_MAX)
		return plan_err(r->err, r->plan, pos, "nested more than %d deep", DEPTH_MAX);
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
		rc = read_document(r);
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
	plan->repeat = (struct plan_repeat){PLAN_REPEAT_DEFAULT, PLAN_REPEAT_DEFAULT, NAN};
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
		return err_set(err, ERR_USAGE, "%s: this is a folder, not a plan", path);
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
	close(fd);
	str_free(&text);
	return plan;
}
