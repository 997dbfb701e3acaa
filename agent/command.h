/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a plan's command in a helper process, if this agent allows that.  The helper kills
 * it, and what it started, at its time limit.
 */
#ifndef VOLLEY_AGENT_COMMAND_H
#define VOLLEY_AGENT_COMMAND_H

#include "lib/wire/command.h"

struct agent_settings;
struct event_base;

/* The answer is borrowed. */
typedef void command_done_fn(void *arg, struct shell_answer *answer);

/* `done` is called once, at once when it is not allowed; `helper` is the volley-io
 * program; the command is copied. */
void command_run(struct event_base *base, const char *helper,
    const struct agent_settings *settings, const struct shell_command *command,
    command_done_fn *done, void *arg);

#endif
