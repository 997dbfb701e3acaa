/* SPDX-License-Identifier: Apache-2.0 */
/* volley analyze: what is wrong in results, and how sure that is. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "controller/analyze/rules.h"
#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/model-load.h"
#include "controller/plan-thresholds.h"

#include "config.h"

static const struct {
	const char *name;
	void (*write)(const struct findings *, const struct analysis_head *,
	    const struct thresholds *, struct str *);
} formats[] = {
    {"text", findings_text}, {"json", findings_json}, {"md", findings_markdown}};

#define FORMATS (sizeof formats / sizeof *formats)

struct request {
	struct cli *cli;
	struct thresholds thresholds;
	struct threshold_origins origins;
	struct model_choice choice;
	size_t format;
	bool fails;
	enum severity fail_on;
};

static int
read_request(struct request *ret, struct err *err)
{
	const char *format = cli_text(ret->cli, "output", "text");
	const char *fail_on = cli_text(ret->cli, "fail-on", NULL);

	if (thresholds_read(&ret->thresholds, &ret->origins, ret->cli, err) != 0)
		return -1;
	while (ret->format < FORMATS && strcmp(formats[ret->format].name, format) != 0)
		ret->format++;
	if (ret->format == FORMATS)
		return err_set(err, ERR_USAGE,
		    "unknown format '%s'; there are text, json, md", format);
	ret->fails = fail_on != NULL;
	if (fail_on && !severity_parse(fail_on, &ret->fail_on))
		return err_set(err, ERR_USAGE,
		    "--fail-on '%s': there are info, warning, critical", fail_on);
	ret->choice.selector = cli_text(ret->cli, "cells", NULL);
	return 0;
}

static int
load(struct model *model, struct request *request, struct err *err)
{
	for (size_t i = 0; i < request->cli->args.n; i++) {
		const char *path = request->cli->args.v[i];
		struct model_file file;
		int result =
		    model_load(model, path, (unsigned)i, &request->choice, &file, err);

		if (result == 0)
			result = thresholds_add_plan(&request->thresholds,
			    &request->origins, file.plan, path, err);
		model_file_free(&file);
		if (result != 0)
			return -1;
	}
	model_close(model);
	return 0;
}

static int
analyze_files(struct cli *cli)
{
	struct request request = {.cli = cli};
	struct findings findings = {0};
	struct model model = {0};
	struct err err = ERR_INIT;
	struct str out = {0};
	enum severity worst;
	int status = EXIT_OK;

	if (read_request(&request, &err) != 0 || load(&model, &request, &err) != 0) {
		status = cli_fail(&err);
	} else {
		struct analysis_head head = {
		    "volley " PACKAGE_VERSION, cli->args.v, cli->args.n, model.cells.n};

		analyze(&model, &request.thresholds, &findings);
		formats[request.format].write(
		    &findings, &head, &request.thresholds, &out);
		fputs(out.s, stdout);
		if (request.fails && findings_worst(&findings, &worst) &&
		    worst >= request.fail_on)
			status = EXIT_FINDINGS;
	}
	str_free(&out);
	findings_free(&findings);
	model_free(&model);
	threshold_origins_free(&request.origins);
	return status;
}

static const struct cli_option options[] = {
    {"output", "FORMAT", "text, json or md; also -o FORMAT", false},
    {"fail-on", "SEVERITY",
	"exit with 5 when a finding is info, warning or critical, or worse", false},
    THRESHOLD_OPTION,
    {"cells", "CASE",
	"only these: an id, or storage/transport/workload/clients with * for any",
	false},
    {0},
};

const struct command cmd_analyze = {
    .name = "analyze",
    .synopsis = "DB...",
    .doc = "Say what is wrong in results and how sure that is: transports, scale, "
	   "ceilings, stragglers, noise.",
    .options = options,
    .min_args = 1,
    .max_args = UINT_MAX,
    .exec = analyze_files,
};
