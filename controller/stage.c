/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of all agents, and the mounts of a case's clients. */
#include "controller/stage.h"

#include <stdlib.h>
#include <string.h>

#include "controller/preflight/require.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"

static const struct plan_storage *
storage_of(const struct plan *plan, const struct plan_case *c)
{
	for (vec_each(const struct plan_storage *, it, &plan->storages))
		if (strcmp(it->name, c->storage) == 0)
			return it;
	return NULL;
}

/* ---- commands ---- */

/* Keeps what each agent said, and remembers the first that failed. */
static int
keep_answers(struct stage *stage, const char *name, uint64_t started_wall_ns,
    struct shell_answer *answers, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < fleet_count(stage->fleet); i++) {
		struct results_command command = {.storage = stage->storage->name,
		    .transport = (char *)transport_name(stage->transport),
		    .name = (char *)name,
		    .agent = (char *)fleet_name(stage->fleet, i),
		    .started_wall_ns = started_wall_ns,
		    .ended_wall_ns = clock_wall_ns(),
		    .problem = answers[i].problem,
		    .output = answers[i].output};

		if (rc == 0)
			rc = store_put_command(stage->store, &command, err);
		if (answers[i].problem) {
			char *line = mem_printf("    %s: %s/%s: %s", command.agent,
			    command.storage, command.transport, answers[i].problem);
			live_note(stage->live, line);
			free(line);
		}
		if (answers[i].problem && !stage->failed) {
			stage->failed = mem_strdup(answers[i].problem);
			stage->failed_agent = mem_strdup(command.agent);
		}
	}
	return rc;
}

static int
run_everywhere(struct stage *stage, const char *name, const char *text, struct err *err)
{
	size_t n = fleet_count(stage->fleet);
	struct shell_answer *answers = mem_array(n, sizeof *answers);
	uint64_t limit = stage->storage->paths[stage->transport].command_timeout_ns;
	uint64_t started_wall_ns = clock_wall_ns();
	const struct shell_command command = {
	    (char *)name, (char *)text, limit ? limit : PLAN_COMMAND_TIMEOUT_NS};

	fleet_command(stage->fleet, n, &command, answers);
	int rc = keep_answers(stage, name, started_wall_ns, answers, err);
	for (size_t i = 0; i < n; i++)
		shell_answer_free(&answers[i]);
	free(answers);
	return rc;
}

static int
run_teardown(struct stage *stage, struct err *err)
{
	const char *text = stage->storage->paths[stage->transport].teardown;

	return text ? run_everywhere(stage, "teardown", text, err) : 0;
}

static void
forget_failure(struct stage *stage)
{
	free(stage->failed);
	free(stage->failed_agent);
	stage->failed = stage->failed_agent = NULL;
}

int
stage_leave(struct stage *stage, struct err *err)
{
	bool torn_down = stage->failed != NULL;
	int rc = stage->storage && !torn_down ? run_teardown(stage, err) : 0;

	stage->storage = NULL;
	forget_failure(stage);
	return rc;
}

/* What a half-done setup left is torn down at once; its cases cannot run. */
static int
set_up(struct stage *stage, const struct plan_storage *storage,
    enum transport transport, struct err *err)
{
	const char *text = storage->paths[transport].setup;
	int rc;

	stage->storage = storage;
	stage->transport = transport;
	rc = text ? run_everywhere(stage, "setup", text, err) : 0;
	if (rc == 0 && stage->failed)
		rc = run_teardown(stage, err);
	return rc;
}

/* ---- the mount ---- */

static int
look_at_mounts(struct stage *stage, const struct plan_case *c,
    const struct plan_require *require, size_t clients, struct stage_refusal *ret)
{
	const char *const paths[] = {c->path};
	const struct facts_question question = {.paths = paths, .n = 1, .brief = true};
	struct facts **before = mem_array(clients, sizeof *before);

	/* What the agents told about their hosts is worth more than this. */
	for (size_t i = 0; i < clients; i++)
		before[i] = fleet_take_facts(stage->fleet, i);
	fleet_ask(stage->fleet, 0, clients, &question);
	for (size_t i = 0; i < clients; i++) {
		char *wrong =
		    require_check(require, fleet_facts(stage->fleet, i), c->path);
		if (wrong && !ret->text) {
			ret->text = mem_printf("%s %s", c->path, wrong);
			ret->agent = mem_strdup(fleet_name(stage->fleet, i));
		}
		free(wrong);
		fleet_give_facts(stage->fleet, i, before[i]);
	}
	free(before);
	return ret->text ? 0 : 1;
}

int
stage_enter(struct stage *stage, const struct plan_case *c, size_t clients,
    struct stage_refusal *ret, struct err *err)
{
	const struct plan_storage *storage = storage_of(stage->plan, c);
	const struct plan_require *require = &storage->paths[c->transport].require;

	*ret = (struct stage_refusal){0};
	if (stage->storage != storage || stage->transport != c->transport) {
		if (stage_leave(stage, err) < 0)
			return -1;
		if (plan_storage_is_staged(storage) &&
		    set_up(stage, storage, c->transport, err) < 0)
			return -1;
	}
	if (fleet_interrupted(stage->fleet))
		return err_set(err, ERR_CANCELLED, "interrupted");
	if (stage->failed) {
		*ret = (struct stage_refusal){
		    mem_strdup(stage->failed), mem_strdup(stage->failed_agent)};
		return 0;
	}
	if (require_is_any(require))
		return 1;
	return look_at_mounts(stage, c, require, clients, ret);
}
