/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that say nothing about whose storage it was: the reviewed stop list of the
 * leak scan, which also decides what of a free text may stay in an anonymised report.
 */
#ifndef VOLLEY_ANONYMISE_WORDS_H
#define VOLLEY_ANONYMISE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* words-list.c: lower case, sorted. */
extern const char *const words_list[];
extern const size_t words_list_n;

/* Bytes of the letter or digit at `p`; 0: something else, or the end. */
size_t words_letter(const char *p);
/* Does a letter or digit end right before `at`, in a text that begins at `text`? */
bool words_letter_before(const char *text, const char *at);
/*
 * The next run of letters and digits in *rest, moving it past; NULL at the end.  Not
 * NUL-terminated.
 */
const char *words_next(const char **rest, size_t *ret_len);
/* In the list (any case), a number, or a number with a unit ("4k", "10ms"). */
bool words_is_plain(const char *word, size_t len);
/* Is every word of the text plain? */
bool words_all_plain(const char *text);

#endif
