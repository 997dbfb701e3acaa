/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports: results as text for people, JSON for programs, CSV for spreadsheets.
 * Pure: everything comes as an argument, the text is the caller's to print.
 *
 *   report = report_begin(format, &head, &out);
 *   for each case: report_case(report, &c);      (the case may be freed then)
 *   report_end(report);                          out is complete
 */
#ifndef VOLLEY_REPORT_REPORT_H
#define VOLLEY_REPORT_REPORT_H

#include <stdbool.h>

#include "controller/store/results.h"
#include "lib/base/str.h"

#define REPORT_COLUMNS 100 /* of the text forms */
#define REPORT_SCHEMA "volley.results"
#define REPORT_SCHEMA_VERSION 1

struct report;

/* A writer.  One file each; the table is in report.c. */
struct report_format {
	const char *name, *doc;
	bool wants_clients; /* load the cases with their clients' own figures */
	void *(*begin)(const struct results *head, struct str *out);
	void (*one)(void *writer, const struct results_case *c);
	void (*end)(void *writer); /* completes `out`, frees the writer */
};

extern const struct report_format report_text, report_json, report_csv,
    report_fio_json, report_fio_json_plus;

/* NULL: no such format. */
const struct report_format *report_format_find(const char *name);
/* "text", "json" …; NULL-terminated, for help and completion. */
const char *const *report_format_names(void);

/* `head` must stay until report_end. */
struct report *report_begin(const struct report_format *format,
			    const struct results *head, struct str *out);
void report_case(struct report *report, const struct results_case *c);
void report_end(struct report *report);

/* `volley show DB CASE`: everything known of one case, with its clients. */
void report_detail(const struct results_case *c, struct str *out);
/* `volley list DB`: one line per case with the states of its attempts. */
void report_list(const struct results_list *list, struct str *out);

#endif
