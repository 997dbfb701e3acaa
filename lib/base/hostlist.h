/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host lists: "gpu[01-30],10.1.0.[1-4]:7500,[::1]:7411", or one entry per line
 * of a file with '#' comments.  A bracket at the start of an entry that holds a
 * colon is an IPv6 address; any other bracket is a list of numbers and ranges
 * whose width is kept (01-30).  An entry may hold several lists.  Two or more
 * colons without brackets are an IPv6 address on the default port.  Duplicates
 * (same name in either case, same port) are dropped, first one wins.
 */
#ifndef VOLLEY_BASE_HOSTLIST_H
#define VOLLEY_BASE_HOSTLIST_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/vec.h"

#define HOSTLIST_MAX 65536 /* entries; more is an error */

struct host {
	char *name; /* host name or address, without brackets */
	uint16_t port;
};

struct hostlist {
	VEC(struct host) hosts;
};

/* Adds the entries of `text`.  Errors name the entry and what is wrong with it,
 * and leave the list as it was.  An empty entry or text is an error. */
int hostlist_parse(struct hostlist *list, const char *text, uint16_t default_port,
		   struct err *err);
/* Same from a file; errors are file:line:col. */
int hostlist_read(struct hostlist *list, const char *path, uint16_t default_port,
		  struct err *err);
void hostlist_free(struct hostlist *list);

/* "host:port", with brackets around an IPv6 address.  Caller frees. */
char *host_format(const struct host *host);

#endif
