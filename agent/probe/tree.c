/* SPDX-License-Identifier: Apache-2.0 */
/* Small reads below a root folder. */
#include "agent/probe/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"

static char *join(const char *root, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

static char *
join(const char *root, const char *fmt, va_list ap)
{
	struct str path = {0};

	str_add(&path, root);
	str_vaddf(&path, fmt, ap);
	return str_take(&path);
}

static char *
trimmed(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	size_t len = strlen(s);
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	return len ? mem_strndup(s, len) : NULL;
}

static char *
first_line(const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL, *ret = NULL;
	size_t cap = 0;

	if (!file)
		return NULL;
	if (getline(&line, &cap, file) > 0)
		ret = trimmed(line);
	free(line);
	fclose(file);
	return ret;
}

char *
tree_line(const char *root, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *path = join(root, fmt, ap);
	va_end(ap);
	char *ret = first_line(path);
	free(path);
	return ret;
}

FILE *
tree_open(const char *root, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *path = join(root, fmt, ap);
	va_end(ap);
	FILE *file = fopen(path, "re");
	free(path);
	return file;
}

static int64_t
to_number(char *text)
{
	char *end;

	if (!text)
		return -1;
	errno = 0;
	long long n = strtoll(text, &end, 10);
	bool bad = errno || end == text || n < 0;
	free(text);
	return bad ? -1 : n;
}

int64_t
tree_number(const char *root, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *path = join(root, fmt, ap);
	va_end(ap);
	int64_t ret = to_number(first_line(path));
	free(path);
	return ret;
}

static char *
value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	if (strncmp(line, key, len) != 0)
		return NULL;
	const char *p = line + len + strspn(line + len, " \t");
	if (*p != ':' && *p != '=')
		return NULL;
	p++;
	char *value = trimmed(p);
	size_t n = value ? strlen(value) : 0;
	if (n >= 2 && value[0] == '"' && value[n - 1] == '"') {
		memmove(value, value + 1, n - 2);
		value[n - 2] = '\0';
	}
	return value;
}

char *
tree_value(const char *root, const char *path, const char *key)
{
	char *full = mem_printf("%s%s", root, path), *line = NULL, *ret = NULL;
	FILE *file = fopen(full, "re");
	size_t cap = 0;

	free(full);
	if (!file)
		return NULL;
	while (!ret && getline(&line, &cap, file) > 0)
		ret = value_of(line, key);
	free(line);
	fclose(file);
	return ret;
}

static char *
target_of(const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof target - 1);

	return n > 0 ? mem_strndup(target, (size_t)n) : NULL;
}

char *
tree_target(const char *root, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *path = join(root, fmt, ap);
	va_end(ap);
	char *ret = target_of(path);
	free(path);
	return ret;
}

char *
tree_link(const char *root, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *path = join(root, fmt, ap);
	va_end(ap);
	char *target = target_of(path);
	free(path);
	if (!target)
		return NULL;
	const char *slash = strrchr(target, '/');
	char *ret = mem_strdup(slash ? slash + 1 : target);
	free(target);
	return ret;
}

bool
tree_lines(const char *root, const char *path, tree_line_fn *line, void *arg)
{
	FILE *file = tree_open(root, "%s", path);
	char *text = NULL;
	size_t cap = 0;
	ssize_t n;

	if (!file)
		return false;
	while ((n = getline(&text, &cap, file)) > 0) {
		if (text[n - 1] == '\n')
			text[n - 1] = '\0';
		if (!line(arg, text))
			break;
	}
	free(text);
	fclose(file);
	return true;
}

static int
by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

void
tree_list(const char *root, const char *path, struct tree_names *ret)
{
	char *full = mem_printf("%s%s", root, path);
	DIR *dir = opendir(full);
	const struct dirent *entry;

	*ret = (struct tree_names){0};
	free(full);
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			vec_push(&ret->names, mem_strdup(entry->d_name));
	closedir(dir);
	if (ret->names.n)
		qsort(ret->names.v, ret->names.n, sizeof *ret->names.v, by_name);
}

void
tree_names_free(struct tree_names *names)
{
	for (size_t i = 0; i < names->names.n; i++)
		free(names->names.v[i]);
	vec_free(&names->names);
}

char *
tree_unescape(char *text)
{
	char *to = text;

	for (const char *p = text; *p; to++) {
		unsigned code;

		if (p[0] == '\\' && isdigit((unsigned char)p[1]) &&
		    sscanf(p + 1, "%3o", &code) == 1) {
			*to = (char)code;
			p += 4;
		} else {
			*to = *p++;
		}
	}
	*to = '\0';
	return text;
}
