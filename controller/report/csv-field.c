/* SPDX-License-Identifier: Apache-2.0 */
/* Quoting, where it is needed. */
#include "controller/report/csv-field.h"

#include <string.h>

void
csv_field(struct str *out, bool first, const char *text)
{
	if (!first)
		str_addc(out, ',');
	if (!text || !strpbrk(text, ",\"\r\n")) {
		str_add(out, text ? text : "");
		return;
	}
	str_addc(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			str_addc(out, '"');
		str_addc(out, *text);
	}
	str_addc(out, '"');
}
