/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the store only: counters of a client's host, and what they prove. */
#ifndef VOLLEY_STORE_PROOF_H
#define VOLLEY_STORE_PROOF_H

#include "controller/store/db.h"

/* `client`: its row.  Nothing is written where there is neither. */
int proof_save(struct store *store, int64_t client, const struct attempt_client *from,
	       struct err *err);
/* The proof always; the counters only if wanted. */
int proof_load(struct store *store, int64_t client, bool counters,
	       struct attempt_client *ret, struct err *err);

#endif
