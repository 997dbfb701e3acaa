/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of judge only. */
#ifndef VOLLEY_ATTEMPT_JUDGE_IMPL_H
#define VOLLEY_ATTEMPT_JUDGE_IMPL_H

#include "controller/attempt/attempt.h"

/* The figures of one job of one client that counts. */
struct entry {
	const struct attempt_client *client;
	const struct tally *tally;
};

struct entries {
	VEC(struct entry) v;
};

/* What is judged: the jobs, and all that counts. */
struct judging {
	struct attempt *attempt;
	const struct attempt_part *parts;
	size_t nparts;
	struct entries entries;
};

/* The attempt's state becomes no better than what the reason makes of it. */
void judge_reason(struct attempt *attempt, enum attempt_state makes, const char *code,
    const char *agent, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* Each job's figures against themselves: do they contradict each other? */
void judge_figures(struct judging *judging);
/* fio's way of adding up, where it differs. */
void judge_fio_style(struct attempt *attempt);

#endif
