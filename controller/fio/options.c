/* SPDX-License-Identifier: Apache-2.0 */
/* Options, their other names, and their values in base units. */
#include "controller/fio/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/str.h"
#include "lib/base/units.h"

enum option_kind { OPTION_TEXT, OPTION_NUMBER, OPTION_BYTES, OPTION_TIME };

/* What tells workloads apart, in the order in which tables show it. */
static const struct {
	const char *name, *other;
	enum option_kind kind;
	uint64_t bare_ns; /* of a time without unit */
} known[] = {
    {"ioengine", NULL, OPTION_TEXT, 0},
    {"rw", "readwrite", OPTION_TEXT, 0},
    {"rwmixread", NULL, OPTION_NUMBER, 0},
    {"bs", "blocksize", OPTION_BYTES, 0},
    {"bssplit", NULL, OPTION_TEXT, 0},
    {"size", NULL, OPTION_BYTES, 0},
    {"iodepth", NULL, OPTION_NUMBER, 0},
    {"numjobs", NULL, OPTION_NUMBER, 0},
    {"direct", NULL, OPTION_NUMBER, 0},
    {"sync", NULL, OPTION_TEXT, 0},
    {"fsync", NULL, OPTION_NUMBER, 0},
    {"time_based", NULL, OPTION_NUMBER, 0},
    {"runtime", "timeout", OPTION_TIME, UNITS_NS_PER_S},
    {"ramp_time", NULL, OPTION_TIME, UNITS_NS_PER_S},
    {"rate", NULL, OPTION_TEXT, 0},
    {"rate_iops", NULL, OPTION_TEXT, 0},
    {"thinktime", NULL, OPTION_TIME, UNITS_NS_PER_US},
    {"random_distribution", NULL, OPTION_TEXT, 0},
};

void
fio_options_add(struct fio_options *options, const json_t *object)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)object, name, value)
	{
		const char *text = json_string_value(value);
		struct fio_option *option = NULL;

		if (!text)
			continue;
		for (vec_each(struct fio_option *, it, &options->list))
			if (strcmp(it->name, name) == 0)
				option = it;
		if (!option) {
			option = vec_add(&options->list);
			option->name = mem_strdup(name);
		}
		free(option->value);
		option->value = mem_strdup(text);
	}
}

const char *
fio_options_get(const struct fio_options *options, const char *name)
{
	for (vec_each(const struct fio_option *, option, &options->list))
		if (strcmp(option->name, name) == 0)
			return option->value;
	return NULL;
}

void
fio_options_free(struct fio_options *options)
{
	for (vec_each(struct fio_option *, option, &options->list)) {
		free(option->name);
		free(option->value);
	}
	vec_free(&options->list);
}

unsigned
fio_options_numjobs(const struct fio_options *options)
{
	const char *text = fio_options_get(options, "numjobs");
	uint64_t n;

	if (options->list.n == 0)
		return 0;
	if (!text)
		return 1;
	return units_parse_u64(text, 1, 1000000, &n, NULL) == 0 ? (unsigned)n : 0;
}

static char *
time_text(uint64_t ns)
{
	if (ns % UNITS_NS_PER_S == 0)
		return mem_printf("%" PRIu64 "s", ns / UNITS_NS_PER_S);
	if (ns % UNITS_NS_PER_MS == 0)
		return mem_printf("%" PRIu64 "ms", ns / UNITS_NS_PER_MS);
	return mem_printf("%" PRIu64 "us", ns / UNITS_NS_PER_US);
}

/* What cannot be read as its kind (4k,8k) stays as it is. */
static void
add_param(struct results_case *ret, size_t i, const char *text)
{
	struct results_param *param = vec_add(&ret->params);
	uint64_t value = 0;
	bool number = false;

	if (known[i].kind == OPTION_NUMBER)
		number = units_parse_u64(text, 0, INT64_MAX, &value, NULL) == 0;
	else if (known[i].kind == OPTION_BYTES)
		number = units_parse_bytes(text, &value, NULL) == 0;
	param->name = mem_strdup(known[i].name);
	param->is_number = number;
	if (number)
		param->value = mem_printf("%" PRIu64, value);
	else if (known[i].kind == OPTION_TIME &&
		 units_parse_time(text, known[i].bare_ns, &value, NULL) == 0)
		param->value = time_text(value);
	else
		param->value = mem_strdup(text);
}

void
fio_options_describe(const struct fio_options *options, struct results_case *ret)
{
	struct str text = {0};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const char *value = fio_options_get(options, known[i].name);

		if (!value && known[i].other)
			value = fio_options_get(options, known[i].other);
		if (value)
			add_param(ret, i, value);
	}
	for (vec_each(const struct fio_option *, option, &options->list))
		str_addf(&text, "%s=%s\n", option->name, option->value);
	ret->job_text = str_take(&text);
}
