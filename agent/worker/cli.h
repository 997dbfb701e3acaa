/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line of volley-io: one job alone, like fio, or one of the roles
 * that volleyd starts ("worker", "probe").
 */
#ifndef VOLLEY_WORKER_CLI_H
#define VOLLEY_WORKER_CLI_H

/* The exit status: 0 ok, 1 failed, 2 usage, 130 interrupted. */
int cli_main(int argc, char **argv);

#endif
