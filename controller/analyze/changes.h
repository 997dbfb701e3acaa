/* SPDX-License-Identifier: Apache-2.0 */
/* RDMA against TCP, cell by cell: what the rule and the reports are made of. */
#ifndef VOLLEY_ANALYZE_CHANGES_H
#define VOLLEY_ANALYZE_CHANGES_H

#include "controller/analyze/contrast.h"
#include "controller/analyze/drop.h"
#include "lib/base/vec.h"

struct change {
	const struct cell *tcp, *rdma; /* tcp NULL: only the change is stated */
	struct contrast contrast;      /* known */
};

struct changes {
	VEC(struct change) list; /* in the model's order */
};

/* Of the rate where it is known, else of IOPS or the mean latency; of a paced load the
 * latency, when that is worse. */
struct contrast change_contrast(const struct model *model, const struct cell *tcp,
    const struct cell *rdma, double margin);
/* Every RDMA cell that can be compared; release with changes_free. */
void changes_find(const struct model *model, double margin, struct changes *ret);
/* Of its contrast, or the suspect that a drop beyond `anomaly` is. */
enum verdict change_verdict(const struct change *change, double anomaly);
void changes_free(struct changes *changes);

#endif
