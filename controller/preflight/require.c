/* SPDX-License-Identifier: Apache-2.0 */
/* A mount beside what it must be. */
#include "controller/preflight/require.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"

bool
require_is_any(const struct plan_require *require)
{
	return !require->fstype && require->options.n == 0;
}

const struct facts_thing *
facts_mount_of(const struct facts *facts, const char *path)
{
	const char *point = facts_text(facts_find(facts, "path", path), "mount_point");

	return point ? facts_find(facts, "mount", point) : NULL;
}

static bool
has_option(const char *options, const char *wanted)
{
	size_t len = strlen(wanted);

	for (const char *p = options; *p; p += strspn(p, ",")) {
		size_t n = strcspn(p, ",");
		if (n == len && strncmp(p, wanted, n) == 0)
			return true;
		p += n;
	}
	return false;
}

/* "proto=rdma" beside "transport tcp". */
static char *
check_proto(const char *wanted, const struct facts_thing *mount)
{
	static const char proto[] = "proto=";
	const char *transport = facts_text(mount, "transport");

	if (!str_starts(wanted, proto) || !transport)
		return NULL;
	/* tcp6, rdma6: the same wire. */
	if (str_starts(wanted + strlen(proto), transport))
		return NULL;
	return mem_printf(
	    "must be mounted with %s, and its options say so, but it goes "
	    "over %s (%s)",
	    wanted, transport, facts_text(mount, "evidence"));
}

char *
require_check(
    const struct plan_require *require, const struct facts *facts, const char *path)
{
	const struct facts_thing *thing =
	    facts ? facts_find(facts, "path", path) : NULL;
	const char *problem = facts_text(thing, "problem");
	const char *fstype = facts_text(thing, "fstype");
	const char *options = facts_text(thing, "options");
	char *wrong = NULL;

	if (!thing)
		return mem_strdup("what is mounted there is unknown: no answer");
	if (problem)
		return mem_strdup(problem);
	if (!fstype || !options)
		return mem_strdup("what is mounted there is unknown");
	if (require->fstype && strcmp(require->fstype, fstype) != 0)
		return mem_printf("must be %s, but it is on %s (%s)", require->fstype,
		    fstype, facts_text(thing, "mount_point"));
	for (size_t i = 0; i < require->options.n && !wrong; i++) {
		const char *wanted = require->options.v[i];
		wrong = has_option(options, wanted)
			    ? check_proto(wanted, facts_mount_of(facts, path))
			    : mem_printf("must be mounted with %s, but it has %s",
				  wanted, options);
	}
	return wrong;
}
