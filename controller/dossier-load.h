/* SPDX-License-Identifier: Apache-2.0 */
/* From results files to what a report is made of. */
#ifndef VOLLEY_DOSSIER_LOAD_H
#define VOLLEY_DOSSIER_LOAD_H

#include "controller/document/dossier.h"
#include "lib/base/err.h"

/* All cases of `path` and the cells of the model, as the next source.  Names are those
 * of the file; dossier_analyze comes after the last one. */
int dossier_load(struct dossier *dossier, const char *path, struct err *err);
/* The courses of at most `max` runs (exhibits_choose), after dossier_analyze; `paths`
 * are the files as they were loaded. */
int dossier_load_exhibits(
    struct dossier *dossier, const char *const *paths, size_t max, struct err *err);

#endif
