/* SPDX-License-Identifier: Apache-2.0 */
/* Attempts as data: names of their states, and their release. */
#include "controller/attempt/attempt.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [ATTEMPT_VALID] = "VALID",
    [ATTEMPT_PARTIAL] = "PARTIAL",
    [ATTEMPT_INVALID] = "INVALID",
};

const char *
attempt_state_name(enum attempt_state state)
{
	return names[state];
}

bool
attempt_state_parse(const char *name, enum attempt_state *ret)
{
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(names[i], name) != 0)
			continue;
		*ret = (enum attempt_state)i;
		return true;
	}
	return false;
}

enum proof_verdict
attempt_proof(const struct attempt *attempt)
{
	enum proof_verdict ret = PROOF_NONE;

	for (vec_each(const struct attempt_client *, client, &attempt->clients))
		if (client->outcome == CLIENT_OK)
			ret = proof_verdict_merge(ret, client->proof.verdict);
	return ret;
}

void
attempt_free(struct attempt *attempt)
{
	for (vec_each(struct attempt_reason *, reason, &attempt->reasons)) {
		free(reason->code);
		free(reason->agent);
		free(reason->text);
	}
	for (vec_each(struct attempt_client *, client, &attempt->clients)) {
		free(client->agent);
		free(client->error);
		free(client->jobs);
		tally_free(client->tally);
		counters_free(client->counters);
		proof_free(&client->proof);
	}
	for (vec_each(struct attempt_event *, event, &attempt->events)) {
		free(event->agent);
		free(event->text);
	}
	vec_free(&attempt->reasons);
	vec_free(&attempt->clients);
	vec_free(&attempt->events);
	free(attempt->error);
	free(attempt->error_agent);
	for (vec_each(struct attempt_job *, job, &attempt->jobs)) {
		free(job->name);
		if (job->has_total)
			total_free(&job->total);
	}
	vec_free(&attempt->jobs);
	if (attempt->has_total)
		total_free(&attempt->total);
	*attempt = (struct attempt){0};
}
