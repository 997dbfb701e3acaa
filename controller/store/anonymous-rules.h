/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of each column of the schema in an anonymised copy.  Inside of the store
 * only.
 */
#ifndef VOLLEY_STORE_ANONYMOUS_RULES_H
#define VOLLEY_STORE_ANONYMOUS_RULES_H

#include <stdbool.h>

/* It is copied as it is. */
bool rule_keeps(const char *table, const char *column);
/* The SQL expression over the original's row that takes its place; NULL: none.
 * cover_*() in it are those of controller/anonymise/cover.h, as functions of SQL. */
const char *rule_covers(const char *table, const char *column);
/* Which rows of the table stay; NULL: all. */
const char *rule_filters(const char *table);
/* Plain numbers in it are secrets too: seeds, serials. */
bool rule_is_id(const char *table, const char *column);

#endif
