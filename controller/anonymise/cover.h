/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of each kind of value in an anonymised copy of results.  Whatever is
 * not known to be harmless goes: options and facts by a list of those that stay, free
 * text only when every word of it is in the stop list once names are aliases.
 */
#ifndef VOLLEY_ANONYMISE_COVER_H
#define VOLLEY_ANONYMISE_COVER_H

#include <stdbool.h>

#include "controller/anonymise/aliases.h"

#define COVER_WITHHELD "details withheld"

struct cover {
	const struct aliases *aliases;
	const struct alias_names *redact; /* words that never may appear */
};

/* All return text that the caller frees; NULL stays NULL. */

/* A name's alias; one that has none is withheld. */
char *cover_name(const struct cover *cover, enum alias_kind kind, const char *name);
/* A workload that needs no alias (cover_plain) keeps its name. */
char *cover_workload(const struct cover *cover, const char *name);
char *cover_text(const struct cover *cover, const char *text);
/* A JSON object of options or a list of their names: those that stay. */
char *cover_options(const struct cover *cover, const char *json);
/* Lines "option=value". */
char *cover_job(const struct cover *cover, const char *job);
/* A plan with what the analysis needs of this one: links, memory, cache. */
char *cover_plan(const struct cover *cover, const char *plan_text);

/* Nothing in the name that could tell whose it is. */
bool cover_plain(const struct alias_names *redact, const char *name);
bool cover_keeps_option(const char *name);
bool cover_keeps_fact(const char *name);

#endif
