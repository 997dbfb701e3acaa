/* SPDX-License-Identifier: Apache-2.0 */
/* Loading a base and what is new, and refusing to compare what is not alike. */
#include "controller/two-sides.h"

#include <stdlib.h>
#include <string.h>

#include "controller/model-load.h"
#include "lib/base/units.h"

struct side {
	const char *path;
	unsigned source;
	struct model_choice choice;
	struct model_file file;
};

static int
load(struct side *side, struct model *model, struct err *err)
{
	int result = model_load(
	    model, side->path, side->source, &side->choice, &side->file, err);

	model_close(model);
	return result;
}

static int
check(const struct comparisons *all, bool anyway, struct err *err)
{
	if (all->list.n == 0 && all->twice)
		return err_set(err, ERR_POLICY,
		    "cells are more than one of a name: choose one storage and one "
		    "transport for each side");
	if (all->list.n == 0)
		return err_set(err, ERR_POLICY,
		    "no cell in common: %zu of the base and %zu of the new have no "
		    "partner",
		    all->only_base, all->only_fresh);
	if (anyway)
		return 0;
	if (all->other_plan)
		return err_set(err, ERR_POLICY,
		    "the two were run by different plans; --anyway compares them");
	if (comparisons_mixed_engines(all))
		return err_set(err, ERR_POLICY,
		    "some cells were run with different engines; --anyway compares "
		    "them");
	return 0;
}

static bool
differ(const char *x, const char *y)
{
	return x && y && strcmp(x, y) != 0;
}

int
two_sides_load(
    struct two_sides *ret, const struct cli *cli, double margin, struct err *err)
{
	const char *cells = cli_text(cli, "cells", NULL);
	const char *one = cli->args.v[0], *other = cli->args.v[1];
	struct side base = {one, 0,
	    {cli_text(cli, "base-storage", NULL), cli_text(cli, "base-transport", NULL),
		cells},
	    {0}};
	struct side fresh = {other, strcmp(one, other) != 0,
	    {cli_text(cli, "new-storage", NULL), cli_text(cli, "new-transport", NULL),
		cells},
	    {0}};
	struct compare_options options = {
	    .across_storages = differ(base.choice.storage, fresh.choice.storage),
	    .across_transports = differ(base.choice.transport, fresh.choice.transport),
	    .margin = margin};
	int result;

	*ret = (struct two_sides){0};
	result = load(&base, &ret->base, err);
	if (result == 0)
		result = load(&fresh, &ret->fresh, err);
	if (result == 0) {
		compare_models(&ret->base, &ret->fresh, &options, &ret->comparisons);
		ret->comparisons.other_plan =
		    base.file.plan_hash != fresh.file.plan_hash;
		result = check(&ret->comparisons, cli_flag(cli, "anyway"), err);
	}
	model_file_free(&base.file);
	model_file_free(&fresh.file);
	return result;
}

void
two_sides_free(struct two_sides *sides)
{
	comparisons_free(&sides->comparisons);
	model_free(&sides->base);
	model_free(&sides->fresh);
}

int
two_sides_fail(const struct err *err)
{
	int status = cli_fail(err);

	return err->code == ERR_POLICY ? EXIT_DOUBT : status;
}

int
two_sides_percent(const struct cli *cli, const char *name, double fallback, double *ret,
    struct err *err)
{
	const char *text = cli_text(cli, name, NULL);

	*ret = fallback;
	if (!text || units_parse_percent(text, ret, err) == 0)
		return 0;
	return err_prefix(err, "--%s", name);
}

#define RISE_MAX 10000 /* per cent */

int
two_sides_rise(const struct cli *cli, const char *name, double fallback, double *ret,
    struct err *err)
{
	const char *text = cli_text(cli, name, NULL);
	char *end;
	double value;

	*ret = fallback;
	if (!text)
		return 0;
	value = strtod(text, &end);
	if (end == text || (*end && strcmp(end, "%") != 0) ||
	    !(value >= 0 && value <= RISE_MAX))
		return err_set(err, ERR_USAGE, "--%s: '%s' is not 0 to %d%%", name,
		    text, RISE_MAX);
	*ret = value / 100;
	return 0;
}
