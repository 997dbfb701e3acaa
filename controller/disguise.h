/* SPDX-License-Identifier: Apache-2.0 */
/* Anonymised reports: the options of `volley report` that hide who is who. */
#ifndef VOLLEY_DISGUISE_H
#define VOLLEY_DISGUISE_H

#include <stdbool.h>

#include "controller/anonymise/aliases.h"
#include "controller/anonymise/secrets.h"
#include "controller/cli.h"
#include "controller/store/store.h"

struct disguise {
	bool wanted;     /* --anonymise */
	bool of_figures; /* --level figures */
	const char *map; /* --map; NULL: the map is not kept */
	struct aliases aliases;
	struct alias_names redact;
	struct secrets *secrets;
};

#define DISGUISE_OPTIONS \
	{"anonymise", NULL, \
	    "storages become A, B, C ..., clients node-01 ...; nothing" \
	    " names anybody", \
	    false}, \
	    {"level", "names|figures", \
		"with --anonymise: names (the default), or figures" \
		" as well, rounded to 2 digits", \
		false}, \
	    {"map", "FILE", \
		"with --anonymise: keep who is who in this file (0600), or use" \
		" what it says", \
		false}, \
	{ \
		"redact", "FILE", \
		    "with --anonymise: words, one a line, that must not appear" \
		    " either", \
		    false \
	}

/* From the options; an error when they do not go together. */
int disguise_read(struct disguise *ret, const struct cli *cli, struct err *err);
/* Replaces each of the n open files by its anonymised copy. */
int disguise_stores(
    struct disguise *disguise, struct store **stores, size_t n, struct err *err);
#define DISGUISE_DIGITS 2 /* of --level figures */
/* What is hidden, for the report itself; NULL: nothing. */
const char *disguise_sentence(const struct disguise *disguise);
/* Is the finished document clean?  An error names what leaks, and where. */
int disguise_check(
    const struct disguise *disguise, const struct str *document, struct err *err);
/* Writes the map, if one is to be kept. */
int disguise_keep(const struct disguise *disguise, struct err *err);
void disguise_free(struct disguise *disguise);

#endif
