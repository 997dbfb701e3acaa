/* SPDX-License-Identifier: Apache-2.0 */
/* What differs from client to client. */
#include "controller/expand/cases.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

/* "/mnt/${client}/x" → "/mnt/gpu01/x" */
static void
put_name(char **text, const char *client)
{
	struct str out = {0};

	if (!*text || !strstr(*text, PLAN_CLIENT))
		return;
	for (const char *s = *text; *s;) {
		if (strncmp(s, PLAN_CLIENT, strlen(PLAN_CLIENT)) == 0) {
			str_add(&out, client);
			s += strlen(PLAN_CLIENT);
		} else {
			str_addc(&out, *s++);
		}
	}
	free(*text);
	*text = str_take(&out);
}

static int
set_option(const struct plan *plan, const struct plan_case *c,
    const struct plan_option *option, struct job *job, struct err *err)
{
	const struct plan_value *value = &option->values.v[0];
	bool places = strcmp(option->name, "directory") == 0 ||
		      strcmp(option->name, "filename") == 0;

	if (places && job_on_device(job))
		return plan_err(err, plan, value->pos,
		    "%s: job '%s' is on the block device %s", option->key, job->name,
		    job->filename);
	if (strcmp(option->name, "directory") == 0) {
		free(job->directory);
		job->directory = mem_printf("%s/%s", c->path, value->text);
		return 0;
	}
	return job_set(job, option->key, value->text, err)
		   ? plan_err_at(err, plan, value->pos)
		   : 0;
}

int
case_client_job(const struct plan *plan, const struct plan_case *c, const char *client,
    struct job *job, struct err *err)
{
	for (vec_each(const struct plan_per_client *, entry, &plan->per_client)) {
		if (!plan_names(&entry->hosts, client))
			continue;
		for (vec_each(const struct plan_option *, option, &entry->options))
			if (set_option(plan, c, option, job, err))
				return -1;
		if (job_validate(job, err)) {
			err_prefix(err, "job '%s' on %s", job->name, client);
			return plan_err_at(err, plan, entry->pos);
		}
	}
	put_name(&job->directory, client);
	put_name(&job->filename, client);
	return 0;
}
