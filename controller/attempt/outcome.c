/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the outcomes, as they are shown and stored. */
#include "controller/attempt/outcome.h"

#include <string.h>

static const char *const names[CLIENT_OUTCOME_COUNT] = {
    [CLIENT_PENDING] = "PENDING",
    [CLIENT_OK] = "OK",
    [CLIENT_FAILED] = "FAILED",
    [CLIENT_STALLED] = "STALLED",
    [CLIENT_NOT_STARTED] = "NOT_STARTED",
    [CLIENT_LOST] = "LOST",
    [CLIENT_ABORTED] = "ABORTED",
};

const char *
client_outcome_name(enum client_outcome outcome)
{
	return (unsigned)outcome < CLIENT_OUTCOME_COUNT ? names[outcome] : "UNKNOWN";
}

enum client_outcome
client_outcome_parse(const char *name)
{
	unsigned outcome = 0;

	while (outcome < CLIENT_OUTCOME_COUNT && strcmp(names[outcome], name) != 0)
		outcome++;
	return (enum client_outcome)outcome;
}
