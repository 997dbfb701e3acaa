/* SPDX-License-Identifier: Apache-2.0 */
/* Wall time, for printing only. */
#include "lib/base/clock.h"

#include <stdio.h>

uint64_t
clock_wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * UINT64_C(1000000000) + (uint64_t)ts.tv_nsec;
}

const char *
clock_utc(char buf[CLOCK_UTC_BUF], uint64_t wall_ns)
{
	time_t seconds = (time_t)(wall_ns / UINT64_C(1000000000));
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(buf, CLOCK_UTC_BUF, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return buf;
}
