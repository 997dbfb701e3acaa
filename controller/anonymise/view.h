/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways to read a document: what a secret may be hidden behind.  Each view is a text
 * in lower case in which every byte knows its place in the document.
 */
#ifndef VOLLEY_ANONYMISE_VIEW_H
#define VOLLEY_ANONYMISE_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/str.h"
#include "lib/base/vec.h"

struct view {
	const char *name;
	struct str text;
	VEC(size_t) at; /* place of each byte of text in the document */
};

/* Appends a byte that stands at `at`. */
void view_put(struct view *view, char c, size_t at);
void view_free(struct view *view);

/* As it is. */
void view_plain(struct view *ret, const char *document, size_t len);
/* %41, &amp; &#65; &#x41; and \u0041 as the characters that they stand for. */
void view_decoded(struct view *ret, const struct view *from);
/* What base64 texts of 8 or more characters hold, one a line. */
void view_base64(struct view *ret, const char *document, size_t len);
/* Without - _ . : and soft hyphens. */
void view_squeezed(struct view *ret, const struct view *from);

/* Is the character dropped by view_squeezed()? */
bool view_is_glue(char c);

#endif
