/* SPDX-License-Identifier: Apache-2.0 */
/* The pairs of TCP and RDMA. */
#include "controller/analyze/changes.h"

#include <math.h>
#include <string.h>

#define LEVEL 0.95

struct contrast
change_contrast(const struct model *model, const struct cell *tcp,
    const struct cell *rdma, double margin)
{
	struct contrast ret, latency;

	if (!isnan(rdma->change) || !tcp) {
		contrast_stated(model, rdma, margin, &ret);
		return ret;
	}
	for (int metric = METRIC_RATE; metric <= METRIC_LAT; metric++) {
		contrast_cells(
		    model, tcp, rdma, (enum metric)metric, LEVEL, margin, &ret);
		if (ret.known)
			break;
	}
	/* a paced load keeps its rate however slow the storage is */
	if (!rdma->paced || ret.metric == METRIC_LAT)
		return ret;
	contrast_cells(model, tcp, rdma, METRIC_LAT, LEVEL, margin, &latency);
	return latency.known && latency.effect < ret.effect ? latency : ret;
}

void
changes_find(const struct model *model, double margin, struct changes *ret)
{
	*ret = (struct changes){0};
	for (vec_each(const struct family *, family, &model->families))
		for (size_t i = 0; i < family->n; i++) {
			const struct cell *rdma = &family->cells[i];
			const struct cell *tcp;
			struct contrast contrast;

			if (strcmp(rdma->transport, "rdma") != 0)
				continue;
			tcp = family_find(family, "tcp", rdma->clients);
			contrast = change_contrast(model, tcp, rdma, margin);
			if (contrast.known)
				vec_push(
				    &ret->list, ((struct change){tcp, rdma, contrast}));
		}
}

enum verdict
change_verdict(const struct change *change, double anomaly)
{
	struct drop drop = drop_judge(&change->contrast, anomaly);

	return drop.found ? drop.verdict : change->contrast.verdict;
}

void
changes_free(struct changes *changes)
{
	vec_free(&changes->list);
}
