/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading host lists.  An entry is first expanded (its number lists become
 * plain names), then every result is split into name and port and checked, and
 * added unless it is there already.
 */
#include "lib/base/hostlist.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/rng.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#define NAME_MAX_LEN 253                 /* of a host name in DNS */
#define NUMBER_MAX_LEN 9                 /* digits in a range: fits 32 bits */
#define EXPANDED_MAX (2 * HOSTLIST_MAX) /* duplicates in one list */
#define BLANKS " \t\r\n"

/* Places in the list, found by hash of "name:port"; open addressing. */
struct seen {
	size_t *slot; /* index + 1 into the list, 0 free */
	size_t cap;   /* power of two, at least twice the number of hosts */
};

struct reader {
	struct hostlist *list;
	struct seen seen;
	uint16_t default_port;
	size_t expanded;
	const char *text; /* start of the line, for columns */
	const char *at;   /* where a fault was seen */
	struct err *err;
};

static uint64_t
host_hash(const struct host *host)
{
	char low[NAME_MAX_LEN + 1];
	size_t len = strlen(host->name);

	for (size_t i = 0; i < len; i++)
		low[i] = (char)tolower((unsigned char)host->name[i]);
	return rng_derive(hash_fnv1a(low, len), "port", host->port);
}

/* The slot of this host, or the free one where it belongs. */
static size_t *
seen_find(const struct seen *seen, const struct hostlist *list, const struct host *host)
{
	size_t i = (size_t)host_hash(host) & (seen->cap - 1);

	for (; seen->slot[i]; i = (i + 1) & (seen->cap - 1)) {
		const struct host *other = &list->hosts.v[seen->slot[i] - 1];

		if (other->port == host->port &&
		    strcasecmp(other->name, host->name) == 0)
			break;
	}
	return &seen->slot[i];
}

static void
seen_fill(struct seen *seen, const struct hostlist *list, size_t cap)
{
	free(seen->slot);
	seen->cap = cap;
	seen->slot = mem_array(cap, sizeof *seen->slot);
	for (size_t i = 0; i < list->hosts.n; i++)
		*seen_find(seen, list, &list->hosts.v[i]) = i + 1;
}

static int
add_host(struct reader *r, const char *name, size_t len, uint16_t port)
{
	struct host host = {mem_strndup(name, len), port};
	size_t *slot = seen_find(&r->seen, r->list, &host);

	/* "[1,1][1,1]..." is short and has no end: duplicates count, too. */
	if (*slot && r->expanded++ < EXPANDED_MAX) {
		free(host.name);
		return 0;
	}
	if (*slot || r->list->hosts.n == HOSTLIST_MAX) {
		free(host.name);
		return err_set(r->err, ERR_USAGE, "more than %d hosts", HOSTLIST_MAX);
	}
	vec_push(&r->list->hosts, host);
	*slot = r->list->hosts.n;
	if (r->list->hosts.n * 2 > r->seen.cap)
		seen_fill(&r->seen, r->list, r->seen.cap * 2);
	return 0;
}

static int
parse_port(struct reader *r, const char *text, uint16_t *ret_port)
{
	uint64_t port = 0;
	size_t len = strlen(text);

	if (len == 0 || len > 5 || strspn(text, "0123456789") != len ||
	    units_parse_u64(text[0] == '0' ? "0" : text, 1, 65535, &port, NULL) < 0)
		return err_set(r->err, ERR_USAGE,
		    "port \"%.32s\" is not a number from 1 to 65535", text);
	*ret_port = (uint16_t)port;
	return 0;
}

/* An IPv6 address, perhaps with %zone. */
static int
check_ipv6(struct reader *r, const char *name, size_t len)
{
	const char *zone = memchr(name, '%', len);
	size_t addr_len = zone ? (size_t)(zone - name) : len;
	struct in6_addr addr;
	char text[INET6_ADDRSTRLEN];

	if (addr_len < sizeof text) {
		memcpy(text, name, addr_len);
		text[addr_len] = '\0';
	}
	if (addr_len >= sizeof text || inet_pton(AF_INET6, text, &addr) != 1)
		return err_set(r->err, ERR_USAGE, "\"%.*s\" is no IPv6 address",
		    (int)(len < 64 ? len : 64), name);
	if (zone && len - addr_len == 1)
		return err_set(r->err, ERR_USAGE, "the zone after %% is empty");
	for (size_t i = addr_len + 1; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i]))
			return err_set(r->err, ERR_USAGE,
			    "character '%c' in the zone of an IPv6 address", name[i]);
	return 0;
}

static int
check_name(struct reader *r, const char *name, size_t len)
{
	char text[INET_ADDRSTRLEN];
	struct in_addr addr;

	if (len == 0)
		return err_set(r->err, ERR_USAGE, "the host name is missing");
	if (len > NAME_MAX_LEN)
		return err_set(r->err, ERR_USAGE,
		    "the host name is longer than %d characters", NAME_MAX_LEN);
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i]))
			return err_set(r->err, ERR_USAGE,
			    isprint((unsigned char)name[i])
				? "character '%c' in a host name"
				: "byte 0x%02x in a host name",
			    (unsigned char)name[i]);
	if (name[0] == '-' || name[0] == '.')
		return err_set(
		    r->err, ERR_USAGE, "a host name does not start with '%c'", name[0]);
	/* Resolvers take "12" or "10.1" for an address nobody meant. */
	if (strspn(name, "0123456789.") < len)
		return 0;
	snprintf(text, sizeof text, "%.*s", (int)(len < 20 ? len : 20), name);
	if (len >= sizeof text || inet_pton(AF_INET, text, &addr) != 1)
		return err_set(r->err, ERR_USAGE, "\"%.*s\" is no IPv4 address",
		    (int)(len < 64 ? len : 64), name);
	return 0;
}

/* One expanded entry: name, name:port, ipv6, [ipv6] or [ipv6]:port. */
static int
add_entry(struct reader *r, const char *entry)
{
	const char *colon = strchr(entry, ':'), *name = entry, *tail;
	uint16_t port = r->default_port;
	size_t len = strlen(entry);
	bool ipv6 = colon && strchr(colon + 1, ':');

	if (entry[0] == '[') {
		name = entry + 1;
		len = strcspn(name, "]");
		tail = name + len + 1;
		ipv6 = true;
		if (*tail && *tail != ':')
			return err_set(r->err, ERR_USAGE,
			    "only :port may follow an address in brackets");
		if (*tail && parse_port(r, tail + 1, &port) < 0)
			return -1;
	} else if (colon && !ipv6) {
		len = (size_t)(colon - entry);
		if (parse_port(r, colon + 1, &port) < 0)
			return -1;
	}
	if ((ipv6 ? check_ipv6 : check_name)(r, name, len) < 0)
		return -1;
	return add_host(r, name, len, port);
}

/* Reads the digits at *p; the value, and how many there were. */
static int
read_number(struct reader *r, const char **p, uint64_t *ret_value, int *ret_len)
{
	uint64_t value = 0;
	const char *start = *p;

	for (; isdigit((unsigned char)**p); (*p)++)
		if (*p - start < NUMBER_MAX_LEN)
			value = value * 10 + (uint64_t)(**p - '0');
	r->at = start;
	if (*p == start)
		return err_set(
		    r->err, ERR_USAGE, "a number is missing in the brackets");
	if (*p - start > NUMBER_MAX_LEN)
		return err_set(r->err, ERR_USAGE,
		    "a number of more than %d digits in the brackets", NUMBER_MAX_LEN);
	*ret_value = value;
	*ret_len = (int)(*p - start);
	return 0;
}

static int expand(struct reader *r, struct str *done, const char *rest);

/* One "7" or "01-30" of a list; `after` is what follows the list's bracket. */
static int
expand_range(struct reader *r, struct str *done, const char **p, const char *after)
{
	const char *start = *p;
	uint64_t low, high;
	int width, high_len;

	if (read_number(r, p, &low, &width) < 0)
		return -1;
	high = low;
	if (start[0] != '0')
		width = 1;
	if (**p == '-') {
		(*p)++;
		if (read_number(r, p, &high, &high_len) < 0)
			return -1;
	}
	r->at = start;
	if (high < low)
		return err_set(r->err, ERR_USAGE, "range %.*s runs backwards",
		    (int)(*p - start), start);
	if (high - low >= HOSTLIST_MAX)
		return err_set(r->err, ERR_USAGE, "range %.*s has more than %d hosts",
		    (int)(*p - start), start, HOSTLIST_MAX);
	for (uint64_t n = low; n <= high; n++) {
		size_t len = done->len;

		str_addf(done, "%0*" PRIu64, width, n);
		if (expand(r, done, after) < 0)
			return -1;
		done->len = len;
	}
	return 0;
}

/* `done` is the part before `rest` with its numbers chosen. */
static int
expand(struct reader *r, struct str *done, const char *rest)
{
	size_t plain = strcspn(rest, "["), len = done->len;
	const char *p, *close;

	str_addn(done, rest, plain);
	if (!rest[plain]) {
		if (add_entry(r, done->s) < 0)
			return -1;
		done->len = len;
		return 0;
	}
	p = rest + plain + 1;
	close = strchr(p, ']'); /* there is one: check_brackets */
	do {
		if (expand_range(r, done, &p, close + 1) < 0)
			return -1;
	} while (*p == ',' && p++);
	if (p != close) {
		r->at = p;
		return err_set(r->err, ERR_USAGE,
		    "'%c' between brackets, where only numbers, ranges and "
		    "commas may stand",
		    *p);
	}
	done->len = len;
	return 0;
}

/* Brackets pair up and do not nest. */
static int
check_brackets(struct reader *r, const char *entry)
{
	const char *open = NULL;

	for (const char *p = entry; *p; p++) {
		r->at = p;
		if (*p == '[' && open)
			return err_set(r->err, ERR_USAGE, "'[' inside brackets");
		if (*p == ']' && !open)
			return err_set(r->err, ERR_USAGE, "']' without '['");
		if (*p == '[')
			open = p;
		if (*p == ']')
			open = NULL;
	}
	r->at = open;
	return open ? err_set(r->err, ERR_USAGE, "'[' without ']'") : 0;
}

/* "fe80::[1-4]:7411" could be an address of one group more: refused. */
static int
check_ambiguous(struct reader *r, const char *entry)
{
	const char *last = strrchr(entry, ']'), *colon = strchr(entry, ':');

	if (!last || colon > last || !colon || !strchr(last, ':'))
		return 0;
	r->at = strchr(last, ':');
	return err_set(r->err, ERR_USAGE,
	    "is the last number a port? Numbers in brackets cannot stand in an "
	    "IPv6 address with a port");
}

static int
parse_entry(struct reader *r, const char *entry, const char *where)
{
	size_t inner = entry[0] == '[' ? strcspn(entry, "]") : 0;
	bool ipv6 = memchr(entry, ':', inner) != NULL;
	struct str done = {0};
	int rc;

	r->at = entry;
	if (!*entry)
		rc = err_set(r->err, ERR_USAGE, "an entry is empty");
	else if (check_brackets(r, entry) < 0)
		rc = -1;
	else if (ipv6) {
		r->at = entry;
		rc = add_entry(r, entry);
	} else if (check_ambiguous(r, entry) < 0)
		rc = -1;
	else {
		r->at = entry;
		rc = expand(r, &done, entry);
	}
	str_free(&done);
	if (rc < 0) {
		r->at = where + (r->at - entry);
		if (*entry)
			err_prefix(r->err, "host \"%.80s\"", entry);
	}
	return rc;
}

/* The end of the entry at p: a comma outside brackets, or the line's end. */
static const char *
entry_end(const char *p, const char *end)
{
	bool inside = false;

	for (; p < end && (inside || *p != ','); p++)
		if (*p == '[' || *p == ']')
			inside = *p == '[';
	return p;
}

/* Entries of one line, separated by commas, blanks around them ignored. */
static int
parse_line(struct reader *r, const char *line, size_t len)
{
	const char *p = line, *end = line + len;

	r->text = line;
	for (;;) {
		const char *stop = entry_end(p, end), *last = stop;
		char *entry;
		int rc;

		while (p < stop && strchr(BLANKS, *p))
			p++;
		while (last > p && strchr(BLANKS, last[-1]))
			last--;
		entry = mem_strndup(p, (size_t)(last - p));
		rc = parse_entry(r, entry, p);
		free(entry);
		if (rc < 0)
			return -1;
		if (stop == end)
			return 0;
		p = stop + 1;
	}
}

static void
reader_open(struct reader *r, struct hostlist *list, uint16_t port, struct err *err)
{
	size_t cap = 64;

	*r = (struct reader){.list = list, .default_port = port, .err = err};
	while (cap < list->hosts.n * 2 + 2)
		cap *= 2;
	seen_fill(&r->seen, list, cap);
}

/* After a fault the list is what it was before. */
static int
reader_close(struct reader *r, int rc, size_t keep)
{
	free(r->seen.slot);
	if (rc < 0)
		for (; r->list->hosts.n > keep; r->list->hosts.n--)
			free(r->list->hosts.v[r->list->hosts.n - 1].name);
	return rc;
}

int
hostlist_parse(
    struct hostlist *list, const char *text, uint16_t default_port, struct err *err)
{
	size_t keep = list->hosts.n;
	struct reader r;

	if (text[strspn(text, BLANKS)] == '\0')
		return err_set(err, ERR_USAGE, "the host list is empty");
	reader_open(&r, list, default_port, err);
	return reader_close(&r, parse_line(&r, text, strlen(text)), keep);
}

static int
read_lines(struct reader *r, FILE *file, const char *path)
{
	char *line = NULL;
	size_t cap = 0, number = 0;
	ssize_t got;
	int rc = 0;

	while (rc == 0 && (got = getline(&line, &cap, file)) >= 0) {
		size_t len = strcspn(line, "#");

		number++;
		if (strlen(line) != (size_t)got) {
			rc = err_set(r->err, ERR_USAGE, "%s:%zu:%zu: a NUL byte", path,
			    number, strlen(line) + 1);
			break;
		}
		if (strspn(line, BLANKS) >= len)
			continue;
		rc = parse_line(r, line, len);
		if (rc < 0)
			err_prefix(r->err, "%s:%zu:%zu", path, number,
			    (size_t)(r->at - r->text) + 1);
	}
	if (rc == 0 && ferror(file))
		rc = err_sys(r->err, errno, "read %s", path);
	free(line);
	return rc;
}

int
hostlist_read(
    struct hostlist *list, const char *path, uint16_t default_port, struct err *err)
{
	size_t keep = list->hosts.n;
	FILE *file = fopen(path, "re");
	struct reader r;
	int rc;

	if (!file) {
		err_sys(err, errno, "open %s", path);
		if (err)
			err->code = ERR_USAGE; /* the path is what was given */
		return -1;
	}
	reader_open(&r, list, default_port, err);
	rc = read_lines(&r, file, path);
	fclose(file);
	if (rc == 0 && list->hosts.n == 0)
		rc = err_set(err, ERR_USAGE, "%s: no host in this file", path);
	return reader_close(&r, rc, keep);
}

void
hostlist_free(struct hostlist *list)
{
	for (vec_each(struct host *, host, &list->hosts))
		free(host->name);
	vec_free(&list->hosts);
}

char *
host_format(const struct host *host)
{
	return mem_printf(
	    strchr(host->name, ':') ? "[%s]:%u" : "%s:%u", host->name, host->port);
}
