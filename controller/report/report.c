/* SPDX-License-Identifier: Apache-2.0 */
/* The table of formats, and the frame around a writer. */
#include "controller/report/report.h"

#include <stdlib.h>
#include <string.h>

static const struct report_format *const formats[] = {
    &report_text, &report_json, &report_csv, &report_fio_json, &report_fio_json_plus};

#define FORMATS (sizeof formats / sizeof *formats)

struct report {
	const struct report_format *format;
	void *writer;
};

const struct report_format *
report_format_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

const char *const *
report_format_names(void)
{
	static const char *const names[] = {
	    "text", "json", "csv", "fio-json", "fio-json+", NULL};

	return names;
}

struct report *
report_begin(
    const struct report_format *format, const struct results *head, struct str *out)
{
	struct report *report = mem_alloc(sizeof *report);

	report->format = format;
	report->writer = format->begin(head, out);
	return report;
}

void
report_case(struct report *report, const struct results_case *c)
{
	report->format->one(report->writer, c);
}

void
report_end(struct report *report)
{
	report->format->end(report->writer);
	free(report);
}
