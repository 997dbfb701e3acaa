/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that `volley run --local N` starts itself: same program, a socketpair. */
#ifndef VOLLEY_FLEET_LOCAL_H
#define VOLLEY_FLEET_LOCAL_H

#include <stddef.h>
#include <sys/types.h>

#include "lib/base/err.h"

struct local_agent {
	pid_t pid;
	int fd; /* our end; taken over by whoever uses it */
};

struct local_allow {
	char *const *paths; /* directories */
	size_t npaths;
	char *const *devices; /* block devices: --allow and --allow-write */
	size_t ndevices;
};

/* volleyd of this very build stands beside this program. */
int local_start(struct local_agent *ret, const char *name,
    const struct local_allow *allow, struct err *err);
/* Waits for an agent whose connection was closed; kills one that stays. */
void local_end(struct local_agent *agent);

#endif
