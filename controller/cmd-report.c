/* SPDX-License-Identifier: Apache-2.0 */
/* volley report: results as a document to send on. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/disguise.h"
#include "controller/document/compose.h"
#include "controller/document/format.h"
#include "controller/dossier-load.h"
#include "controller/gnuplot.h"
#include "controller/plan-thresholds.h"

#include "config.h"

#define GENERATOR "volley " PACKAGE_VERSION
#define EXHIBITS_MAX 12
#define NO_GNUPLOT \
	"Charts are left out: gnuplot is not installed where this report was made. " \
	"Every figure is in the tables."

static const struct document_format *
format_of(const char *name, struct err *err)
{
	const struct document_format *format = document_format_find(name);

	if (!format)
		err_set(err, ERR_USAGE,
		    "unknown format '%s'; there are html, md, csv, json, text", name);
	return format;
}

/* One that hangs is asked twice, not once for each chart. */
#define FAILURES_MAX 2

static char *
draw(void *arg, const char *script)
{
	unsigned *failures = arg;
	char *svg = *failures < FAILURES_MAX ? gnuplot_run(script) : NULL;

	*failures += svg == NULL;
	return svg;
}

/* Whole or not at all: what a failed command leaves must not look like a report. */
static int
write_file(const char *path, const struct str *text, struct err *err)
{
	char *part = mem_printf("%s.part", path);
	FILE *file = fopen(part, "we");
	int result = 0;

	if (!file) {
		result = err_sys(err, errno, "open %s", part);
	} else {
		size_t n = fwrite(text->s, 1, text->len, file);

		if (fclose(file) != 0 || n != text->len)
			result = err_sys(err, errno, "write %s", part);
		else if (rename(part, path) != 0)
			result = err_sys(err, errno, "rename %s to %s", part, path);
		if (result != 0)
			unlink(part);
	}
	free(part);
	return result;
}

/* The files, opened, and in disguise where that is wanted. */
struct sources {
	struct store **stores;
	size_t n;
};

static int
open_sources(struct sources *ret, const struct cli *cli, struct disguise *disguise,
    struct err *err)
{
	*ret = (struct sources){mem_array(cli->args.n, sizeof *ret->stores), 0};
	for (; ret->n < cli->args.n; ret->n++) {
		ret->stores[ret->n] = store_open(cli->args.v[ret->n], STORE_READ, err);
		if (!ret->stores[ret->n])
			return -1;
	}
	return disguise->wanted ? disguise_stores(disguise, ret->stores, ret->n, err)
				: 0;
}

static void
close_sources(struct sources *sources)
{
	for (size_t i = 0; i < sources->n; i++)
		store_close(sources->stores[i]);
	free(sources->stores);
}

static int
load_one(struct dossier *dossier, struct store *store, const char *path,
    const char *name, struct threshold_origins *origins, struct err *err)
{
	struct model_file file;
	int result = dossier_load(dossier, store, name, &file, err);

	if (result == 0)
		result = thresholds_add_plan(
		    &dossier->thresholds, origins, file.plan, path, err);
	model_file_free(&file);
	return result;
}

static int
load_all(struct dossier *dossier, const struct cli *cli, const struct sources *sources,
    bool disguised, struct err *err)
{
	struct threshold_origins origins = {0};
	int result = thresholds_read(&dossier->thresholds, &origins, cli, err);

	for (size_t i = 0; result == 0 && i < sources->n; i++) {
		const char *path = cli->args.v[i];
		char *name =
		    disguised ? mem_printf("results %zu", i + 1) : mem_strdup(path);

		result =
		    load_one(dossier, sources->stores[i], path, name, &origins, err);
		free(name);
	}
	threshold_origins_free(&origins);
	return result;
}

static int
load(struct dossier *dossier, const struct cli *cli, const struct sources *sources,
    const struct disguise *disguise, struct err *err)
{
	int result = load_all(dossier, cli, sources, disguise->wanted, err);

	if (result != 0)
		return -1;
	dossier->disguise = disguise_sentence(disguise);
	if (disguise->of_figures)
		dossier_round(dossier, DISGUISE_DIGITS);
	dossier_analyze(dossier);
	result = dossier_load_exhibits(dossier, sources->stores, EXHIBITS_MAX, err);
	if (disguise->of_figures)
		dossier_round(dossier, DISGUISE_DIGITS);
	return result;
}

static void
publish(const struct dossier *dossier, const struct document_format *format,
    struct str *out)
{
	unsigned failures = 0;
	struct publication publication = {.dossier = dossier,
	    .generator = GENERATOR,
	    .arg = &failures,
	    .draw = format->draws && gnuplot_exists() ? draw : NULL,
	    .no_charts = NO_GNUPLOT};
	struct document document;

	compose(dossier, GENERATOR, &document);
	publication.document = &document;
	format->write(&publication, out);
	document_free(&document);
}

static int
put_out(const char *path, const struct str *out, struct err *err)
{
	if (path)
		return write_file(path, out, err);
	if (fwrite(out->s, 1, out->len, stdout) != out->len || fflush(stdout) != 0)
		return err_sys(err, errno, "write the report");
	return 0;
}

static int
report(struct cli *cli)
{
	struct disguise disguise = {0};
	struct sources sources = {0};
	struct dossier dossier = {0};
	struct err err = ERR_INIT;
	struct str out = {0};
	const struct document_format *format =
	    format_of(cli_text(cli, "output", "text"), &err);
	bool leaks = false;
	int result = format ? disguise_read(&disguise, cli, &err) : -1;

	if (result == 0)
		result = open_sources(&sources, cli, &disguise, &err);
	if (result == 0)
		result = load(&dossier, cli, &sources, &disguise, &err);
	if (result == 0) {
		publish(&dossier, format, &out);
		leaks = disguise.wanted && disguise_check(&disguise, &out, &err) != 0;
		result = leaks ? -1 : disguise_keep(&disguise, &err);
	}
	if (result == 0)
		result = put_out(cli_text(cli, "out", NULL), &out, &err);
	str_free(&out);
	dossier_free(&dossier);
	close_sources(&sources);
	disguise_free(&disguise);
	if (result == 0)
		return EXIT_OK;
	result = cli_fail(&err);
	return leaks ? EXIT_FINDINGS : result;
}

static const struct cli_option options[] = {
    {"output", "FORMAT", "text, html, md, csv or json; also -o FORMAT", false},
    {"out", "FILE", "write to this file, whole or not at all (default: stdout)", false},
    THRESHOLD_OPTION,
    DISGUISE_OPTIONS,
    {0},
};

const struct command cmd_report = {
    .name = "report",
    .synopsis = "DB...",
    .doc = "Make a document of results: verdict, tables, findings, charts, method.",
    .options = options,
    .min_args = 1,
    .max_args = UINT_MAX,
    .exec = report,
};
