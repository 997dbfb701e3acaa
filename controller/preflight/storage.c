/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the plan's paths: the mount, O_DIRECT, one storage for all, free space. */
#include <stdlib.h>
#include <string.h>

#include "controller/preflight/check.h"
#include "controller/preflight/require.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

static const struct facts_thing *
path_of(
    const struct preflight_input *input, size_t node, const struct plan_place *place)
{
	return facts_find(input->nodes[node].facts, "path", place->path->path);
}

/* ---- the mount ---- */

/* Does it go over the wire that the plan says? */
static void
judge_transport(const struct plan_place *place, const struct facts_thing *path,
    const struct facts_thing *mount, struct preflight_line *line)
{
	const char *wanted = transport_name(place->transport), *name = path->name;
	const char *seen = facts_text(mount, "transport");
	const char *fstype = facts_text(path, "fstype");

	if (place->transport == TRANSPORT_LOCAL)
		line_say(
		    line, PREFLIGHT_PASS, "%s: %s", name, fstype ? fstype : "a device");
	else if (!seen)
		line_say(line, PREFLIGHT_UNKNOWN,
		    "%s: %s does not tell whether it is %s", name,
		    fstype ? fstype : "a device", wanted);
	else if (strcmp(seen, wanted) != 0)
		line_say(line, PREFLIGHT_FAIL, "%s goes over %s (%s), the plan says %s",
		    name, seen, facts_text(mount, "evidence"), wanted);
	else
		line_say(line, PREFLIGHT_PASS, "%s: %s over %s", name, fstype, seen);
}

void
check_mount(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	const struct facts *facts = input->nodes[node].facts;
	struct plan_place place = {0};

	while (place_next(input->plan, &place)) {
		const struct facts_thing *path = path_of(input, node, &place);
		const char *problem = facts_text(path, "problem");

		if (plan_storage_is_staged(place.storage)) {
			line_say(line, PREFLIGHT_UNKNOWN,
			    "%s is mounted by the plan itself", place.path->path);
			continue;
		}
		if (!path || problem) {
			line_say(line, PREFLIGHT_FAIL, "%s: %s", place.path->path,
			    problem ? problem : "no answer");
			continue;
		}
		char *wrong =
		    require_is_any(&place.path->require)
			? NULL
			: require_check(&place.path->require, facts, place.path->path);
		if (wrong)
			line_say(line, PREFLIGHT_FAIL, "%s: %s", path->name, wrong);
		free(wrong);
		judge_transport(&place, path, facts_mount_of(facts, path->name), line);
	}
}

/* Options without what each client has of its own, and each server its own address. */
static char *
get_options(const struct facts *facts, const void *arg)
{
	static const char *const own[] = {"clientaddr=", "addr=", "mountaddr="};
	const struct facts_thing *path = facts_find(facts, "path", arg);
	const char *options = facts_text(path, "options");
	struct str text = {0};

	for (const char *p = options; p && *p; p += strspn(p, ",")) {
		size_t n = strcspn(p, ",");
		bool skip = false;

		for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
			skip = skip || str_starts(p, own[i]);
		if (!skip) {
			str_add(&text, text.len ? "," : "");
			str_addn(&text, p, n);
		}
		p += n;
	}
	return options ? str_take(&text) : NULL;
}

void
check_mount_same(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	static const struct same_rule mounts[] = {{"transport", PREFLIGHT_FAIL},
	    {"connections", PREFLIGHT_FAIL}, {"version", PREFLIGHT_FAIL}, {0}};
	static const struct same_rule paths[] = {
	    {"fstype", PREFLIGHT_FAIL}, {"source", PREFLIGHT_WARN}, {0}};
	struct plan_place place = {0};

	while (place_next(input->plan, &place)) {
		char *what = mem_printf("options of %s", place.path->path);
		same_check(input, node, line, PREFLIGHT_FAIL, what, get_options,
		    place.path->path);
		free(what);
	}
	same_things(input, node, line, "path", paths, NULL);
	same_things(input, node, line, "mount", mounts, NULL);
	if (!line->text)
		line_say(line, PREFLIGHT_UNKNOWN, "nothing is known of the mounts");
}

/* ---- what the token tells ---- */

static bool
wants_direct(const struct preflight_input *input, const struct plan_place *place)
{
	for (vec_each(const struct plan_case *, c, &input->cases->cases)) {
		if (c->storage != place->storage->name ||
		    c->transport != place->transport)
			continue;
		for (vec_each(const struct case_part *, part, &c->parts))
			if (part->job.direct == JOB_DIRECT)
				return true;
	}
	return false;
}

void
check_direct(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	struct plan_place place = {0};

	while (place_next(input->plan, &place)) {
		const struct facts_thing *path = path_of(input, node, &place);
		const char *name = place.path->path;
		int64_t direct = facts_number(path, "direct");

		if (!wants_direct(input, &place))
			line_say(line, PREFLIGHT_PASS, "%s is not wanted", name);
		else if (direct == 1)
			line_say(line, PREFLIGHT_PASS, "%s takes it", name);
		else if (direct == 0)
			line_say(line, PREFLIGHT_FAIL, "%s refuses it: %s", name,
			    facts_text(path, "direct_error"));
		else
			line_say(
			    line, PREFLIGHT_UNKNOWN, "%s could not be tried", name);
	}
}

/* Of the node that made the token: it found it too before it removed it. */
static void
judge_writer(
    const struct facts_thing *path, const char *name, struct preflight_line *line)
{
	const char *token = facts_text(path, "token");

	if (!token)
		line_say(line, PREFLIGHT_UNKNOWN, "%s could not be tried", name);
	else if (strcmp(token, "removed") == 0)
		line_say(line, PREFLIGHT_PASS, "%s: wrote the token", name);
	else
		line_say(line, PREFLIGHT_WARN, "%s: the token was not written: %s",
		    name, token);
}

static void
judge_reader(const struct preflight_input *input, const struct facts_thing *path,
    const struct facts_thing *writers, const char *name, struct preflight_line *line)
{
	const char *token = facts_text(path, "token"), *writer = input->nodes[0].name;
	const char *written = facts_text(writers, "token");

	if (!token || !written || strcmp(written, "removed") != 0)
		line_say(line, PREFLIGHT_UNKNOWN, "%s: there was no token", name);
	else if (strcmp(token, "found") == 0)
		line_say(
		    line, PREFLIGHT_PASS, "%s: found the token of %s", name, writer);
	else if (strcmp(token, "missing") == 0)
		line_say(line, PREFLIGHT_FAIL,
		    "%s is not the storage that %s sees: its token is not there", name,
		    writer);
	else
		line_say(line, PREFLIGHT_FAIL, "%s: the token of %s: %s", name, writer,
		    token);
}

void
check_shared(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	struct plan_place place = {0};

	while (place_next(input->plan, &place)) {
		const struct facts_thing *path = path_of(input, node, &place);
		const char *kind = facts_text(path, "kind"), *name = place.path->path;

		if (place_is_own(place.path, place.transport))
			line_say(line, PREFLIGHT_PASS, "%s is each client's own", name);
		else if (kind && strcmp(kind, "folder") != 0)
			line_say(line, PREFLIGHT_UNKNOWN, "%s is a %s", name, kind);
		else if (node == 0)
			judge_writer(path, name, line);
		else if (input->nodes[0].facts)
			judge_reader(
			    input, path, path_of(input, 0, &place), name, line);
	}
}

/* ---- space ---- */

void
check_space(
    const struct preflight_input *input, size_t node, struct preflight_line *line)
{
	struct plan_place place = {0};
	char have[UNITS_BUF], need[UNITS_BUF];

	while (place_next(input->plan, &place)) {
		int64_t bytes =
		    facts_number(path_of(input, node, &place), "free_bytes");
		double wanted = cases_files_bytes(input->cases, place.storage);
		const char *name = place.path->path;

		if (!(wanted > 0))
			line_say(line, PREFLIGHT_PASS, "%s needs no files", name);
		else if (bytes < 0)
			line_say(
			    line, PREFLIGHT_UNKNOWN, "%s: free space is unknown", name);
		else
			line_say(line,
			    (double)bytes < wanted ? PREFLIGHT_FAIL : PREFLIGHT_PASS,
			    "%s: %s free, files of %s", name,
			    units_bytes(have, (double)bytes),
			    units_bytes(need, wanted));
	}
}
