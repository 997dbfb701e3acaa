/* SPDX-License-Identifier: Apache-2.0 */
/* Payload ceilings of Ethernet links for TCP and RoCEv2. */
#include "controller/analyze/ceiling.h"

#include <math.h>
#include <string.h>

#define FRAME 38       /* preamble, header, FCS, gap */
#define TCP_HEADERS 52 /* IPv4 20, TCP 20, time stamps 12 */
#define ROCE_AROUND 82 /* FRAME, IPv4 20, UDP 8, BTH 12, ICRC 4 */
#define ROCE_INSIDE 44 /* of these, what the MTU must hold */
#define MTU_ASSUMED 9000

static double
efficiency(const char *transport, unsigned mtu)
{
	unsigned path = 4096;

	if (mtu == 0)
		mtu = MTU_ASSUMED;
	if (strcmp(transport, "tcp") == 0)
		return (double)(mtu - TCP_HEADERS) / (mtu + FRAME);
	if (strcmp(transport, "rdma") != 0)
		return NAN;
	while (path > 256 && path + ROCE_INSIDE > mtu)
		path /= 2;
	return (double)path / (path + ROCE_AROUND);
}

double
ceiling_payload(const char *transport, const struct plan_links *links)
{
	if (links->bits_per_s == 0)
		return NAN;
	return (links->count ? links->count : 1) * (double)links->bits_per_s / 8 *
	       efficiency(transport, links->mtu);
}

/* fmin prefers what is known. */
double
ceiling_of(const struct cell *cell)
{
	double clients =
	    cell->clients * ceiling_payload(cell->transport, &cell->client_links);
	double storage = ceiling_payload(cell->transport, &cell->storage_links);

	return fmin(fmin(clients, storage), cell->clients * cell->baseline);
}

bool
ceiling_is_measured(const struct cell *cell)
{
	return cell->clients * cell->baseline == ceiling_of(cell);
}

double
ceiling_share(const struct cell *cell)
{
	return cell_middle(cell, METRIC_RATE) / ceiling_of(cell);
}
