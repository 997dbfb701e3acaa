/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of clock offsets; 128 bits where clocks of any value meet. */
#include "lib/stats/offset.h"

#include <math.h>

typedef __int128 i128;

/* Half of x, rounded down whatever its sign. */
static i128
half(i128 x)
{
	return (x - (x & 1)) / 2;
}

void
offset_sample(struct offset *best, uint64_t t0, uint64_t t1, uint64_t t2, uint64_t t3)
{
	uint64_t rtt;

	/* A peer that held a ping for longer than the ping took is nonsense, too. */
	if (t3 < t0 || t2 < t1 || t2 - t1 > t3 - t0)
		return;
	rtt = t3 - t0 - (t2 - t1);
	if (best->valid && best->rtt_ns <= rtt)
		return;
	best->valid = true;
	best->offset_ns = (int64_t)half((i128)t1 - t0 + (i128)t2 - t3);
	best->rtt_ns = rtt;
	best->bound_ns = rtt / 2 + rtt % 2;
	best->at_ns = t0 + (t3 - t0) / 2;
}

struct offset
offset_between(const struct offset *before, const struct offset *after, uint64_t at_ns)
{
	struct offset ret = before->valid ? *before : *after;
	long double share, bound;

	if (before->valid && after->valid && after->at_ns <= before->at_ns)
		ret = after->rtt_ns < before->rtt_ns ? *after : *before;
	if (!before->valid || !after->valid || after->at_ns <= before->at_ns) {
		ret.at_ns = at_ns;
		return ret;
	}
	share = ((long double)at_ns - before->at_ns) / (after->at_ns - before->at_ns);
	bound = fabsl(1 - share) * before->bound_ns + fabsl(share) * after->bound_ns;
	ret.offset_ns = before->offset_ns +
			(int64_t)llroundl(share * ((long double)after->offset_ns -
						      before->offset_ns));
	ret.rtt_ns = before->rtt_ns > after->rtt_ns ? before->rtt_ns : after->rtt_ns;
	ret.bound_ns = (uint64_t)ceill(bound);
	ret.at_ns = at_ns;
	return ret;
}
