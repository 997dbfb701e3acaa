/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The logs of the latest run, as its workers handed them over, until the controller has
 * them.  Their bytes are in memory that nothing else reaches (memfds).
 */
#ifndef VOLLEY_AGENT_LOGS_H
#define VOLLEY_AGENT_LOGS_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/vec.h"
#include "lib/wire/log.h"

struct agent_log {
	char *name;
	int fd;
	uint64_t bytes;
};

struct agent_logs {
	uint64_t run_id; /* 0: none */
	VEC(struct agent_log) list;
};

/* Takes `fd` over.  What has a name that is there already (jobs that log into one file)
 * goes behind it. */
int agent_logs_add(struct agent_logs *logs, const char *name, int fd, struct err *err);
/* Part of a log, with data of at most WIRE_LOG_PART bytes in `buf`; beyond the last
 * log only how many there are. */
int agent_logs_read(const struct agent_logs *logs, const struct log_request *request,
		    struct log_part *ret, uint8_t *buf, struct err *err);
void agent_logs_drop(struct agent_logs *logs);

#endif
