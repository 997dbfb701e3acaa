/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the store only: the table job_note. */
#ifndef VOLLEY_STORE_NOTE_H
#define VOLLEY_STORE_NOTE_H

#include "controller/store/db.h"

/* Of the run begun last; those of the same run and case are replaced. */
int notes_save(struct store *store, const struct results_case *c, struct err *err);
/* Of all runs, each once, in the order of their first appearance. */
int notes_load(struct store *store, struct results_case *ret, struct err *err);

#endif
