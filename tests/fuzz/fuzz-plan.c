/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the plan file: whatever the text, it is a plan that expands and prints,
 * or an error that names its place.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "controller/expand/cases.h"
#include "controller/plan/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must_have_place(const struct err *err)
{
	if (strncmp(err->msg, "fuzz:", 5) != 0 || strchr(err->msg, '\n'))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = ERR_INIT;
	struct plan *plan = plan_parse("fuzz", (const char *)data, size, &err);
	struct cases *cases;
	struct str text = {0};

	if (!plan) {
		must_have_place(&err);
		return 0;
	}
	cases = cases_expand(plan, &err);
	if (cases)
		cases_describe(cases, &text);
	else
		must_have_place(&err);
	cases_free(cases);
	plan_free(plan);
	str_free(&text);
	return 0;
}
