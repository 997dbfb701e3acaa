/* SPDX-License-Identifier: Apache-2.0 */
/* The tables and views of results.db; docs/results-schema.md describes them. */
#ifndef VOLLEY_STORE_SCHEMA_H
#define VOLLEY_STORE_SCHEMA_H

#define SCHEMA_VERSION 1
#define SCHEMA_APPLICATION_ID 0x564c4c59 /* "VLLY", in the file's header */

extern const char *const schema_sql[]; /* statements; NULL-terminated */
/* What later versions added: carried out at every opening for writing. */
extern const char *const schema_later_sql[];

#endif
