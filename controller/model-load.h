/* SPDX-License-Identifier: Apache-2.0 */
/* From results files to the model that is analysed. */
#ifndef VOLLEY_MODEL_LOAD_H
#define VOLLEY_MODEL_LOAD_H

#include "controller/analyze/model.h"
#include "controller/store/store.h"
#include "lib/base/err.h"

/* Stated by an import from a table (cmd-import-csv.c), as parameters of the case. */
#define STATED_CHANGE "stated_change_pct"
#define STATED_LINKS "stated_links"
#define STATED_LINK "stated_link_bits_per_s"
#define STATED_MTU "stated_link_mtu"

struct model_choice {
	const char *storage, *transport; /* only these; NULL: any */
	const char *selector;            /* as results_select; NULL: every case */
};

/* Facts of one file that decide whether it may be compared with another. */
struct model_file {
	uint64_t plan_hash; /* of the latest run's plan */
	char *name;	    /* of that plan */
	struct plan *plan;  /* NULL: an import, or a plan that says more than we know */
};

/* Adds the cases of an open file as source number `source`. */
int model_load_store(struct model *model, struct store *store, unsigned source,
    const struct model_choice *choice, struct model_file *ret_file, struct err *err);
/* Same, of the file `path`. */
int model_load(struct model *model, const char *path, unsigned source,
    const struct model_choice *choice, struct model_file *ret_file, struct err *err);
void model_file_free(struct model_file *file);

#endif
