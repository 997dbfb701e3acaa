/* SPDX-License-Identifier: Apache-2.0 */
/* volley gate: the regression check for CI. */
#include <stdio.h>
#include <string.h>

#include "controller/analyze/gate.h"
#include "controller/commands.h"
#include "controller/two-sides.h"

#include "config.h"

static void
write_json(const struct gate *gate, struct str *out)
{
	gate_json(gate, "volley " PACKAGE_VERSION, out);
}

static const struct {
	const char *name;
	void (*write)(const struct gate *, struct str *);
} formats[] = {{"text", gate_text}, {"json", write_json}, {"junit", gate_junit},
    {"github", gate_github}};

#define FORMATS (sizeof formats / sizeof *formats)

static int
read_limits(struct cli *cli, struct gate_limits *ret, struct err *err)
{
	if (two_sides_percent(cli, "max-drop", 0.05, &ret->max_drop, err) != 0 ||
	    two_sides_rise(cli, "max-rise", 0.10, &ret->max_rise, err) != 0 ||
	    two_sides_rise(cli, "max-tail-rise", 0.20, &ret->max_tail_rise, err) != 0)
		return -1;
	return two_sides_percent(
	    cli, "efficiency-drop", 0.10, &ret->efficiency_drop, err);
}

static int
find_format(const char *name, size_t *ret, struct err *err)
{
	*ret = 0;
	while (*ret < FORMATS && strcmp(formats[*ret].name, name) != 0)
		++*ret;
	if (*ret < FORMATS)
		return 0;
	return err_set(err, ERR_USAGE,
	    "unknown format '%s'; there are text, json, junit, github", name);
}

static int
gate_files(struct cli *cli)
{
	static const int status[] = {[GATE_PASS] = EXIT_OK,
	    [GATE_SKIPPED] = EXIT_DOUBT,
	    [GATE_INCONCLUSIVE] = EXIT_DOUBT,
	    [GATE_REGRESSION] = EXIT_FINDINGS};
	struct gate_limits limits;
	struct two_sides sides = {0};
	struct err err = ERR_INIT;
	struct str out = {0};
	struct gate gate = {0};
	size_t format;
	int ret;

	if (find_format(cli_text(cli, "output", "text"), &format, &err) != 0 ||
	    read_limits(cli, &limits, &err) != 0 ||
	    two_sides_load(&sides, cli, limits.max_drop, &err) != 0) {
		ret = two_sides_fail(&err);
	} else {
		gate_run(&sides.comparisons, &limits, &gate);
		formats[format].write(&gate, &out);
		fputs(out.s, stdout);
		ret = status[gate_verdict(&gate)];
	}
	str_free(&out);
	gate_free(&gate);
	two_sides_free(&sides);
	return ret;
}

static const struct cli_option options[] = {
    {"output", "FORMAT", "text, json, junit or github; also -o FORMAT", false},
    {"max-drop", "PERCENT", "of throughput or IOPS (default 5%)", false},
    {"max-rise", "PERCENT", "of the mean latency (default 10%)", false},
    {"max-tail-rise", "PERCENT", "of the p99.9 latency (default 20%)", false},
    {"efficiency-drop", "POINTS", "of scale efficiency (default 10)", false},
    TWO_SIDES_OPTIONS,
    {0},
};

const struct command cmd_gate = {
    .name = "gate",
    .synopsis = "BASE NEW",
    .doc =
	"Check for regressions: exit 0 when the data shows that there is none, 5 when "
	"there is one, 4 when it cannot be told.",
    .options = options,
    .min_args = 2,
    .max_args = 2,
    .exec = gate_files,
};
