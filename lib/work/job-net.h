/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs against a target: what such a job must say and may not, and the target's URL. */
#ifndef VOLLEY_WORK_JOB_NET_H
#define VOLLEY_WORK_JOB_NET_H

#include "lib/work/job.h"

int job_net_check(const struct job *job, struct err *err);

/* "volley://HOST:PORT/EXPORT", "volley+rdma://[::1]/EXPORT": */
struct net_url {
	bool rdma;
	char *host, *export;
	unsigned port;
};
bool net_url_is(const char *text);
int net_url_parse(struct net_url *ret, const char *text, struct err *err);
void net_url_free(struct net_url *url);
/* Sets engine, hostname, port and export of `job`, which has no files any more. */
void job_net_aim(struct job *job, const struct net_url *url);

#endif
