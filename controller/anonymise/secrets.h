/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The leak scan: does a finished document hold anything that the databases know and
 * that is not everybody's word?
 *
 * Tokens are words of 4 or more characters, names put together with - _ . : / and the
 * like, and addresses.  Words of the stop list (words.h) and plain quantities are none.
 * A token counts as found where it stands as a word of its own, or, from 6 characters
 * on, anywhere.  The document is looked at as it is, with percent signs, entities and
 * escapes decoded (twice), and with every base64 text decoded; in each case in any
 * case, and with - _ . : left out on both sides.
 */
#ifndef VOLLEY_ANONYMISE_SECRETS_H
#define VOLLEY_ANONYMISE_SECRETS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/str.h"
#include "lib/base/vec.h"

#define SECRET_MIN 4    /* characters of a token */
#define SECRET_INSIDE 6 /* and of one that is found inside of a word */

enum secret_kind {
	SECRET_TEXT, /* plain quantities and known words are no tokens */
	/* Names, seeds, serials: numbers from 6 digits on are tokens too, and names of
	 * several parts even when each is a known word ("gpu-01"). */
	SECRET_ID,
};

struct secrets;

struct leak {
	size_t line, column; /* in the document, from 1; column in bytes */
	char *token;
	const char *view; /* how it was read: "as it is", "decoded", "base64" */
};

struct secrets *secrets_new(void);
void secrets_add(struct secrets *secrets, const char *text, enum secret_kind kind);
/* A word that must not appear, whatever it is. */
void secrets_add_word(struct secrets *secrets, const char *word);
/* Is `token` among them, as it was added?  For tests, and to say what is looked for. */
bool secrets_has(const struct secrets *secrets, const char *token);
size_t secrets_count(const struct secrets *secrets);
/* The first token found; false: the document is clean.  *ret: leak_free(). */
bool secrets_find(
    const struct secrets *secrets, const char *document, size_t len, struct leak *ret);
void secrets_free(struct secrets *secrets);
void leak_free(struct leak *leak);

#endif
