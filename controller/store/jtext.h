/* SPDX-License-Identifier: Apache-2.0 */
/* JSON values from our own: text of unknown origin, 64-bit numbers, NAN. */
#ifndef VOLLEY_STORE_JTEXT_H
#define VOLLEY_STORE_JTEXT_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* NULL: null.  Bytes that are not UTF-8 become U+FFFD: paths and messages of
 * other systems can hold any. */
json_t *jtext(const char *text);
/* Above INT64_MAX, where JSON readers stop: a string of its digits. */
json_t *jtext_u64(uint64_t value);
json_t *jtext_real(double value); /* NAN and infinities: null */
json_t *jtext_array(const char *const *texts, size_t n);

#endif
