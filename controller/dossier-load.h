/* SPDX-License-Identifier: Apache-2.0 */
/* From results files to what a report is made of. */
#ifndef VOLLEY_DOSSIER_LOAD_H
#define VOLLEY_DOSSIER_LOAD_H

#include "controller/document/dossier.h"
#include "controller/model-load.h"
#include "controller/store/store.h"
#include "lib/base/err.h"

/* All cases of an open file and the cells of the model, as the next source, `name`d so
 * in the report; dossier_analyze comes after the last one.  *ret_file: what decides
 * about the file as a whole, also on error; model_file_free(). */
int dossier_load(struct dossier *dossier, struct store *store, const char *name,
    struct model_file *ret_file, struct err *err);
/* The courses of at most `max` runs (exhibits_choose), after dossier_analyze; of the
 * files in the order in which they were loaded. */
int dossier_load_exhibits(
    struct dossier *dossier, struct store *const *stores, size_t max, struct err *err);

#endif
