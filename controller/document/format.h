/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The forms that a report comes in, behind one interface.  Documents (html, md, text)
 * are written block by block; data (csv, json) straight from the dossier.
 */
#ifndef VOLLEY_DOCUMENT_FORMAT_H
#define VOLLEY_DOCUMENT_FORMAT_H

#include "controller/document/document.h"
#include "controller/document/dossier.h"

#define DOCUMENT_SCHEMA "volley.report"
#define DOCUMENT_SCHEMA_VERSION 1

struct publication {
	const struct dossier *dossier;
	const struct document *document;
	const char *generator;
	/* The SVG of a script for gnuplot, or NULL; only html draws.  draw NULL: charts
	 * are left out, and no_charts says why. */
	char *(*draw)(void *arg, const char *script);
	void *arg;
	const char *no_charts;
};

struct document_format {
	const char *name, *doc;
	bool draws; /* charts */
	void (*write)(const struct publication *publication, struct str *out);
};

extern const struct document_format document_html, document_md, document_csv,
    document_json, document_text;

/* Ends with a NULL. */
extern const struct document_format *const document_formats[];
/* NULL: no such format. */
const struct document_format *document_format_find(const char *name);

/* The style sheet of html. */
extern const char document_style[];

#endif
