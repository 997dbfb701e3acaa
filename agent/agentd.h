/* SPDX-License-Identifier: Apache-2.0 */
/* The daemon as a function, so that tests and main share it. */
#ifndef VOLLEY_AGENT_AGENTD_H
#define VOLLEY_AGENT_AGENTD_H

/* Exit status: 0 ended on request, 1 failed, 2 usage. */
int agentd_main(int argc, char **argv);

#endif
