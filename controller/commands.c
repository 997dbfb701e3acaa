/* SPDX-License-Identifier: Apache-2.0 */
/* The list of commands, in the order that help shows them. */
#include "controller/commands.h"

#include <stddef.h>

const struct command *const cli_commands[] = {
    &cmd_run,
    &cmd_plan_check,
    &cmd_plan_from_fio,
    &cmd_hosts,
    &cmd_show,
    &cmd_list,
    &cmd_export,
    &cmd_import_fio, &cmd_import_csv, &cmd_analyze, &cmd_explain, &cmd_compare, &cmd_gate, &cmd_rank, &cmd_report,
    &cmd_key_new,
    &cmd_key_show,
    NULL,
};
