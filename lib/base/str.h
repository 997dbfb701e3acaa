/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing text buffer, and the few string helpers that libc lacks.
 */
#ifndef VOLLEY_BASE_STR_H
#define VOLLEY_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise.  `s` is NULL while empty, else NUL-terminated. */
struct str {
	char *s;
	size_t len, cap;
};

void str_add(struct str *str, const char *text);
void str_addn(struct str *str, const char *text, size_t len);
void str_addc(struct str *str, char c);
void str_addf(struct str *str, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void str_vaddf(struct str *str, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
void str_clear(struct str *str);     /* keeps the memory */
void str_free(struct str *str);	     /* releases and zeroes */
char *str_take(struct str *str);     /* caller frees; never NULL ("" when empty) */

bool str_starts(const char *s, const char *prefix);
/* Bytes of a sound UTF-8 character at `s`; 0: unsound. */
size_t str_utf8_len(const unsigned char *s);
/* Sound UTF-8 without control characters. */
bool str_is_text(const char *s);
/* Width in terminal columns of UTF-8 text (one per code point). */
size_t str_columns(const char *s);
/*
 * The entry of `words` (n of them) nearest to `word`, or NULL when none is near
 * enough to be worth suggesting (edit distance above a third of its length).
 */
const char *str_nearest(const char *word, const char *const *words, size_t n);

#endif
