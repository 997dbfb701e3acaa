/* SPDX-License-Identifier: Apache-2.0 */
/* Files of fio's, read and parsed. */
#include "controller/fio/document.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/rng.h"
#include "lib/base/str.h"

#define FILE_MAX ((size_t)1 << 30) /* 480 jobs in json+ are some 100 MB */

static size_t
count_lines(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return n;
}

/* Where the next line that begins with a brace does; len: nowhere. */
static size_t
find_brace(const char *text, size_t from, size_t len)
{
	for (size_t i = from; i < len; i++)
		if (text[i] == '{' && (i == 0 || text[i - 1] == '\n'))
			return i;
	return len;
}

json_t *
fio_document_parse(const char *path, const char *text, size_t len, struct err *err)
{
	json_t *last = NULL;

	for (size_t at = 0; (at = find_brace(text, at, len)) < len;) {
		json_error_t fault;
		json_t *json = json_loadb(text + at, len - at,
		    JSON_DISABLE_EOF_CHECK | JSON_DECODE_INT_AS_REAL, &fault);

		json_decref(last);
		last = json;
		if (!json) {
			err_set(err, ERR_USAGE, "%s:%zu: not whole JSON: %s", path,
			    count_lines(text, at) + (size_t)fault.line, fault.text);
			return NULL;
		}
		at += (size_t)fault.position;
	}
	if (!last)
		err_set(err, ERR_USAGE,
		    "%s:1: no JSON here; volley reads what fio writes with "
		    "--output-format=json or json+",
		    path);
	return last;
}

static int
read_all(const char *path, struct str *ret, struct err *err)
{
	FILE *file = fopen(path, "re");
	char part[65536];
	size_t n;
	int failed;

	if (!file)
		return err_sys(err, errno, "%s", path);
	while (ret->len <= FILE_MAX && (n = fread(part, 1, sizeof part, file)) > 0)
		str_addn(ret, part, n);
	failed = ferror(file) ? errno : 0;
	fclose(file);
	if (failed)
		return err_sys(err, failed, "%s", path);
	if (ret->len > FILE_MAX)
		return err_set(err, ERR_USAGE, "%s: larger than 1 GiB", path);
	return 0;
}

json_t *
fio_document_read(const char *path, uint64_t *ret_hash, struct err *err)
{
	struct str text = {0};
	json_t *ret = NULL;

	if (read_all(path, &text, err) == 0) {
		*ret_hash = hash_fnv1a(text.s ? text.s : "", text.len);
		ret = fio_document_parse(path, text.s ? text.s : "", text.len, err);
	}
	str_free(&text);
	return ret;
}
