/* SPDX-License-Identifier: Apache-2.0 */
/* The commands, one or two a file (cmd-*.c); commands.c lists them. */
#ifndef VOLLEY_COMMANDS_H
#define VOLLEY_COMMANDS_H

#include "controller/cli.h"

extern const struct command cmd_run;
extern const struct command cmd_plan_check;
extern const struct command cmd_plan_from_fio;
extern const struct command cmd_hosts;
extern const struct command cmd_show;
extern const struct command cmd_list;
extern const struct command cmd_export;
extern const struct command cmd_import_fio;
extern const struct command cmd_import_csv;
extern const struct command cmd_analyze;
extern const struct command cmd_explain;
extern const struct command cmd_compare;
extern const struct command cmd_gate;
extern const struct command cmd_rank;
extern const struct command cmd_report;
extern const struct command cmd_key_new;
extern const struct command cmd_key_show;

#endif
