/* SPDX-License-Identifier: Apache-2.0 */
/* One field of a CSV line, quoted as RFC 4180 says. */
#ifndef VOLLEY_REPORT_CSV_FIELD_H
#define VOLLEY_REPORT_CSV_FIELD_H

#include <stdbool.h>

#include "lib/base/str.h"

/* A comma goes before all but the first; NULL: an empty field. */
void csv_field(struct str *out, bool first, const char *text);

#endif
