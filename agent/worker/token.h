/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A token file in a folder: made by one agent and found by another, the folder is one
 * storage for both.  On the way it is tried whether the folder takes O_DIRECT.
 */
#ifndef VOLLEY_WORKER_TOKEN_H
#define VOLLEY_WORKER_TOKEN_H

#include <jansson.h>

#include "lib/base/err.h"
#include "lib/wire/facts.h"

#define TOKEN_FILE ".volley-preflight-" /* and the digits of token and path */

struct token {
	enum facts_touch touch;
	char digits[65];
};

/* "write:0123456789abcdef"; an error unless it is a touch and 16 to 64 hex digits. */
int token_parse(struct token *ret, const char *text, struct err *err);
/*
 * Does it in the folder `fd` (O_PATH will do), found by `path`, and says in `object` what
 * came of it.  Two paths may lead to one folder: each has a file of its own there.
 *   "token": "written" "found" "removed" "missing" "other" (not our contents), or why
 *            not ("Permission denied")
 *   "direct": true or false, and "direct_error" why not; absent without a file
 * A file that is not the token's is never written or removed.
 */
void token_touch(json_t *object, int fd, const char *path, const struct token *token);
/* The file's name; caller frees. */
char *token_file(const char *path, const struct token *token);

#endif
