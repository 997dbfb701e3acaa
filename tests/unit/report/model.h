/* SPDX-License-Identifier: Apache-2.0 */
/* One plan's results, made by hand: something of everything a report can meet. */
#ifndef VOLLEY_TEST_MODEL_H
#define VOLLEY_TEST_MODEL_H

#include "controller/store/results.h"

#define MODEL_CASES 7

struct model {
	struct results head;
	struct results_case cases[MODEL_CASES];
};

void model_make(struct model *ret);
void model_free(struct model *model);

#endif
