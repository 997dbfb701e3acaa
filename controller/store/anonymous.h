/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy of results in memory in which nobody is named, for anonymised reports: what
 * reads the copy cannot show what the copy does not hold.  Every column of the schema
 * has a rule in anonymous-rules.c, and a column without one is an error, never copied.
 */
#ifndef VOLLEY_STORE_ANONYMOUS_H
#define VOLLEY_STORE_ANONYMOUS_H

#include "controller/anonymise/cover.h"
#include "controller/anonymise/secrets.h"
#include "controller/store/store.h"

/* Adds the storages, clients and workloads (those that need an alias) of the file. */
int store_names(struct store *store, const struct alias_names *redact,
    struct alias_names ret[ALIAS_COUNT], struct err *err);
/* Adds every text of the file, and its times. */
int store_secrets(struct store *store, struct secrets *secrets, struct err *err);
/*
 * The copy, read only; NULL on error.  Cases are numbered from *next_case on, which
 * moves past them, so that several files together have each number once.
 */
struct store *store_anonymous(struct store *store, const struct cover *cover,
    unsigned *next_case, struct err *err);

#endif
