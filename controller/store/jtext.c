/* SPDX-License-Identifier: Apache-2.0 */
/* JSON values that cannot fail to be made. */
#include "controller/store/jtext.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/str.h"

/* The text with every byte that jansson refuses replaced. */
static json_t *
repaired(const char *text)
{
	struct str clean = {0};
	json_t *ret;

	while (*text) {
		json_t *one = NULL;
		size_t len = 4 < strlen(text) ? 4 : strlen(text);

		for (; len > 0 && !one; len--)
			one = json_stringn(text, len);
		if (one) {
			str_addn(&clean, text, json_string_length(one));
			text += json_string_length(one);
			json_decref(one);
		} else {
			str_add(&clean, "\xef\xbf\xbd");
			text++;
		}
	}
	ret = json_string(clean.s);
	str_free(&clean);
	return ret;
}

json_t *
jtext(const char *text)
{
	json_t *ret;

	if (!text)
		return json_null();
	ret = json_string(text);
	return ret ? ret : repaired(text);
}

json_t *
jtext_u64(uint64_t value)
{
	char digits[24];

	if (value <= INT64_MAX)
		return json_integer((json_int_t)value);
	snprintf(digits, sizeof digits, "%" PRIu64, value);
	return json_string(digits);
}

json_t *
jtext_real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *
jtext_array(const char *const *texts, size_t n)
{
	json_t *ret = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(ret, jtext(texts[i]));
	return ret;
}
