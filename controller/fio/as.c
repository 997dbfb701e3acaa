/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing of --as. */
#include "controller/fio/as.h"

#include <stdlib.h>
#include <string.h>

#include "controller/plan/plan.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#define NUMBER_MAX 100000

static const char *const names[] = {
    "storage", "transport", "workload", "job", "clients", "repeat"};
enum { NAMES = sizeof names / sizeof *names, TEXTS = 4 };

static int
set_number(unsigned *ret, const char *value, struct err *err)
{
	uint64_t n;

	if (units_parse_u64(value, 1, NUMBER_MAX, &n, err) < 0)
		return -1;
	*ret = (unsigned)n;
	return 0;
}

static int
set_one(struct fio_as *as, const char *name, const char *value, struct err *err)
{
	char **const texts[TEXTS] = {
	    &as->storage, &as->transport, &as->workload, &as->job};
	unsigned *const numbers[] = {&as->clients, &as->repeat};
	const char *near;

	for (size_t i = 0; i < NAMES; i++) {
		if (strcmp(names[i], name) != 0)
			continue;
		if (*value == '\0')
			return err_set(err, ERR_USAGE, "%s is empty", name);
		if (i >= TEXTS)
			return set_number(numbers[i - TEXTS], value, err) < 0
				   ? err_prefix(err, "%s", name)
				   : 0;
		if (*texts[i])
			return err_set(err, ERR_USAGE, "%s is given twice", name);
		*texts[i] = mem_strdup(value);
		return 0;
	}
	near = str_nearest(name, names, NAMES);
	return err_set(err, ERR_USAGE, "unknown name '%s'%s%s%s", name,
	    near ? "; did you mean "
		 : "; there are storage, transport, workload, job, ",
	    near ? near : "clients, repeat", near ? "?" : "");
}

static int
check(const struct fio_as *as, struct err *err)
{
	enum transport transport;

	if (!as->storage || !as->transport || !as->workload)
		return err_set(err, ERR_USAGE,
		    "storage, transport and workload are all needed: "
		    "storage=A,transport=tcp,workload=NAME");
	if (!transport_parse(as->transport, &transport))
		return err_set(err, ERR_USAGE,
		    "transport '%s' is none of tcp, rdma, local", as->transport);
	return 0;
}

int
fio_as_parse(struct fio_as *ret, const char *text, struct err *err)
{
	char *copy = mem_strdup(text), *rest = copy, *part;
	int result = 0;

	*ret = (struct fio_as){0};
	while (result == 0 && (part = strsep(&rest, ","))) {
		char *equals = strchr(part, '=');

		if (!equals) {
			result = err_set(err, ERR_USAGE, "'%s' has no '='", part);
			break;
		}
		*equals = '\0';
		result = set_one(ret, part, equals + 1, err);
	}
	free(copy);
	if (result == 0)
		result = check(ret, err);
	if (result != 0)
		fio_as_free(ret);
	return result;
}

void
fio_as_free(struct fio_as *as)
{
	free(as->storage);
	free(as->transport);
	free(as->workload);
	free(as->job);
	*as = (struct fio_as){0};
}
