/* SPDX-License-Identifier: Apache-2.0 */
/* A case of the plan as the model of results has it. */
#include "controller/store/results.h"

#include <stdio.h>

#include "lib/base/str.h"

void
results_case_from(
    struct results_case *ret, const struct plan_case *c, enum cacheable cacheable)
{
	struct str text = {0};

	*ret = (struct results_case){.clients = c->clients};
	snprintf(ret->id, sizeof ret->id, "%s", c->id);
	ret->storage = mem_strdup(c->storage);
	ret->transport = mem_strdup(transport_name(c->transport));
	ret->path = mem_strdup(c->path);
	ret->workload = mem_strdup(c->workload);
	ret->cacheable = mem_strdup(cacheable_name(cacheable));
	job_format(&c->job, &text);
	ret->job_text = str_take(&text);
	for (vec_each(const struct case_param *, param, &c->params))
		vec_push(&ret->params,
		    ((struct results_param){mem_strdup(param->name),
			mem_strdup(param->value), param->is_number, param->is_axis}));
}
