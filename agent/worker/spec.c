/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What PREPARE carries, as lines of "key value": the job's options one a line,
 * the client's name and number, and what the agent's policy lets it touch.
 * Backslash and newline inside a value are escaped, so a value is always a line.
 */
#include "agent/worker/link.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

static void
spec_add(struct str *out, const char *key, const char *value)
{
	str_add(out, key);
	str_addc(out, ' ');
	for (const char *p = value; *p; p++) {
		if (*p == '\n')
			str_add(out, "\\n");
		else if (*p == '\\')
			str_add(out, "\\\\");
		else
			str_addc(out, *p);
	}
	str_addc(out, '\n');
}

char *
link_spec_encode(const struct link_spec *spec)
{
	struct str out = {0};

	spec_add(&out, "client", spec->client ? spec->client : "");
	spec_add(&out, "case", spec->case_id ? spec->case_id : "");
	str_addf(&out, "index %u\n", spec->client_index);
	str_addf(&out, "count %u\n", spec->client_count);
	str_addf(&out, "allow-exec %d\n", spec->allow_exec);
	str_addf(&out, "first-number %u\n", spec->first_number);
	str_addf(&out, "logs-to-parent %d\n", spec->logs_to_parent);
	if (spec->key)
		spec_add(&out, "key", spec->key);
	for (vec_each(char **, path, &spec->allow))
		spec_add(&out, "allow", *path);
	for (vec_each(char **, path, &spec->allow_write))
		spec_add(&out, "allow-write", *path);
	spec_add(&out, "job", spec->job ? spec->job : "");
	return str_take(&out);
}

static char *
spec_unescape(const char *text, size_t len)
{
	struct str out = {0};

	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\\' || i + 1 == len) {
			str_addc(&out, text[i]);
			continue;
		}
		i++;
		str_addc(&out, text[i] == 'n' ? '\n' : text[i]);
	}
	return str_take(&out);
}

static int
spec_number(const char *value, unsigned *ret, struct err *err)
{
	uint64_t n;

	if (units_parse_u64(value, 0, UINT32_MAX, &n, err) < 0)
		return -1;
	*ret = (unsigned)n;
	return 0;
}

static void
spec_replace(char **field, char *value)
{
	free(*field);
	*field = value;
}

/* Takes `value` over. */
static int
spec_take(struct link_spec *spec, const char *key, char *value, struct err *err)
{
	int rc = 0;

	if (strcmp(key, "client") == 0)
		spec_replace(&spec->client, value);
	else if (strcmp(key, "case") == 0)
		spec_replace(&spec->case_id, value);
	else if (strcmp(key, "key") == 0)
		spec_replace(&spec->key, value);
	else if (strcmp(key, "job") == 0)
		spec_replace(&spec->job, value);
	else if (strcmp(key, "allow") == 0)
		vec_push(&spec->allow, value);
	else if (strcmp(key, "allow-write") == 0)
		vec_push(&spec->allow_write, value);
	else {
		if (strcmp(key, "index") == 0)
			rc = spec_number(value, &spec->client_index, err);
		else if (strcmp(key, "count") == 0)
			rc = spec_number(value, &spec->client_count, err);
		else if (strcmp(key, "allow-exec") == 0)
			spec->allow_exec = strcmp(value, "1") == 0;
		else if (strcmp(key, "logs-to-parent") == 0)
			spec->logs_to_parent = strcmp(value, "1") == 0;
		else if (strcmp(key, "first-number") == 0)
			rc = spec_number(value, &spec->first_number, err);
		else
			rc = err_set(err, ERR_PROTOCOL, "unknown word \"%s\"", key);
		free(value);
	}
	return rc;
}

static int
spec_line(struct link_spec *spec, const char *line, size_t len, struct err *err)
{
	const char *space = memchr(line, ' ', len);
	size_t key_len = space ? (size_t)(space - line) : len;
	char key[16];

	if (!space || key_len >= sizeof key)
		return err_set(err, ERR_PROTOCOL, "malformed line");
	memcpy(key, line, key_len);
	key[key_len] = '\0';
	return spec_take(spec, key, spec_unescape(space + 1, len - key_len - 1), err);
}

int
link_spec_decode(struct link_spec *ret, const char *text, struct err *err)
{
	*ret = (struct link_spec){0};
	while (*text) {
		size_t len = strcspn(text, "\n");

		if (spec_line(ret, text, len, err) < 0) {
			link_spec_free(ret);
			return err_prefix(err, "job for the worker");
		}
		text += len + (text[len] == '\n');
	}
	if (ret->job && ret->client && ret->client_count > 0 &&
	    ret->client_index < ret->client_count)
		return 0;
	link_spec_free(ret);
	return err_set(err, ERR_PROTOCOL, "job for the worker: incomplete");
}

void
link_spec_free(struct link_spec *spec)
{
	free(spec->job);
	free(spec->client);
	free(spec->case_id);
	free(spec->key);
	for (vec_each(char **, path, &spec->allow))
		free(*path);
	for (vec_each(char **, path, &spec->allow_write))
		free(*path);
	vec_free(&spec->allow);
	vec_free(&spec->allow_write);
	*spec = (struct link_spec){0};
}
