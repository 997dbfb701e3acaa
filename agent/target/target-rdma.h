/* SPDX-License-Identifier: Apache-2.0 */
/* What a target's RDMA listener and its connections share. */
#ifndef VOLLEY_TARGET_TARGET_RDMA_H
#define VOLLEY_TARGET_TARGET_RDMA_H

#include "agent/engine/rdma-link.h"
#include "agent/target/target-impl.h"

struct rdma_region {
	struct ibv_context *verbs;
	const struct target_export *export;
	struct ibv_pd *pd;
	struct ibv_mr *mr; /* NULL: a file */
};

/* Lives as long as the target. */
const struct rdma_region *region_get(struct target *target, struct ibv_context *verbs,
				     const struct target_export *export,
				     struct err *err);
/* Takes the id of a connection request over. */
struct target_conn *rdma_conn_new(struct target *target, struct rdma_cm_id *id,
				  const struct rdma_offer *offer);

#endif
