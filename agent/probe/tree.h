/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading /proc and /sys below a root folder, so that tests can put a tree of
 * their own in its place.  What is not there is NULL or −1: unknown.
 */
#ifndef VOLLEY_PROBE_TREE_H
#define VOLLEY_PROBE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/vec.h"

/* First line of ROOT/path, trimmed; NULL when missing, empty or unreadable. */
char *tree_line(const char *root, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The value after "key" and a ':' or '=', quotes removed; first such line. */
char *tree_value(const char *root, const char *path, const char *key);
int64_t tree_number(const char *root, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* A symlink's target as it is written; NULL when it is none. */
char *tree_target(const char *root, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Its last component. */
char *tree_link(const char *root, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* To read line by line; NULL when it cannot be opened. */
FILE *tree_open(const char *root, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Calls `line` for each line of the file, without its end; false from it stops.  False:
 * the file could not be read. */
typedef bool tree_line_fn(void *arg, char *line);
bool tree_lines(const char *root, const char *path, tree_line_fn *line, void *arg);

/* "\040" becomes a space, as in mountinfo and mountstats; in place. */
char *tree_unescape(char *text);

struct tree_names {
	VEC(char *) names; /* sorted */
};
/* Names in a directory, without "." and ".."; empty when it is missing.  Numbers within
 * them sort as numbers: "9" before "10". */
void tree_list(const char *root, const char *path, struct tree_names *ret);
void tree_names_free(struct tree_names *names);

#endif
