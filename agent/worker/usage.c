/* SPDX-License-Identifier: Apache-2.0 */
/* See usage.h. */
#include "agent/worker/usage.h"

#include "lib/base/clock.h"

void
usage_begin(struct usage *usage)
{
	usage->ns = clock_ns();
	getrusage(RUSAGE_THREAD, &usage->at);
}

uint64_t
usage_span_ns(const struct timeval *from, const struct timeval *to)
{
	struct timeval span;

	timersub(to, from, &span);
	return (uint64_t)span.tv_sec * UINT64_C(1000000000) +
	       (uint64_t)span.tv_usec * UINT64_C(1000);
}

static void
post(uint64_t *where, uint64_t value)
{
	__atomic_store_n(where, value, __ATOMIC_RELAXED);
}

void
usage_post(const struct usage *begun, struct board_thread *counts)
{
	const struct rusage *from = &begun->at;
	struct rusage to;

	getrusage(RUSAGE_THREAD, &to);
	post(&counts->cpu_user_ns, usage_span_ns(&from->ru_utime, &to.ru_utime));
	post(&counts->cpu_sys_ns, usage_span_ns(&from->ru_stime, &to.ru_stime));
	post(&counts->switches, (uint64_t)(to.ru_nvcsw - from->ru_nvcsw +
					   to.ru_nivcsw - from->ru_nivcsw));
	post(&counts->major_faults, (uint64_t)(to.ru_majflt - from->ru_majflt));
	post(&counts->minor_faults, (uint64_t)(to.ru_minflt - from->ru_minflt));
	post(&counts->cpu_wall_ns, clock_ns() - begun->ns); /* last: now they are known */
}
