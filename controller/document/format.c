/* SPDX-License-Identifier: Apache-2.0 */
/* The table of forms. */
#include "controller/document/format.h"

#include <string.h>

const struct document_format *const document_formats[] = {&document_html, &document_md,
    &document_csv, &document_json, &document_text, NULL};

const struct document_format *
document_format_find(const char *name)
{
	for (const struct document_format *const *it = document_formats; *it; it++)
		if (strcmp((*it)->name, name) == 0)
			return *it;
	return NULL;
}
