/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clock offset from four-timestamp pings (the exchange of NTP, RFC 5905 section
 * 8): t0 sent and t3 received on our clock, t1 received and t2 answered on the
 * peer's.  The sample with the lowest round trip wins; half of it bounds the error.
 */
#ifndef VOLLEY_STATS_OFFSET_H
#define VOLLEY_STATS_OFFSET_H

#include <stdbool.h>
#include <stdint.h>

struct offset {
	bool valid;
	int64_t offset_ns; /* peer clock − our clock */
	uint64_t rtt_ns;   /* round trip without the peer's t2 − t1 */
	uint64_t bound_ns; /* rtt / 2, rounded up */
	uint64_t at_ns;	   /* our clock when it was taken */
};

/* Keeps the better of *best and this sample; nonsense (t3 < t0, t2 < t1) is dropped. */
void offset_sample(struct offset *best, uint64_t t0, uint64_t t1, uint64_t t2,
		   uint64_t t3);
/*
 * Offset at our time `at_ns`, on the line through two estimates (before, after).
 * The bound is weighed likewise, and grows outside of the two.  With one valid
 * estimate, or two of the same time, the (better) one stands for all times.
 */
struct offset offset_between(const struct offset *before, const struct offset *after,
			     uint64_t at_ns);

#endif
