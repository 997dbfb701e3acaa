/* SPDX-License-Identifier: Apache-2.0 */
/* A plan's setup or teardown command on its way to an agent, and what came of it. */
#ifndef VOLLEY_WIRE_COMMAND_H
#define VOLLEY_WIRE_COMMAND_H

#include <stdint.h>

#define COMMAND_TEXT_MAX 4096u
#define COMMAND_OUTPUT_MAX \
	(32u << 10) /* bytes kept of what it printed: the last ones */
#define COMMAND_TIMEOUT_MAX_NS UINT64_C(3600000000000)

struct shell_command {
	char *name; /* "setup", for messages */
	char *text; /* for /bin/sh -c */
	uint64_t timeout_ns;
};

struct shell_answer {
	char *problem; /* NULL: it ended with status 0 */
	char *output;  /* of both its streams; NULL: none */
};

void shell_command_free(struct shell_command *command);
void shell_answer_free(struct shell_answer *answer);

#endif
