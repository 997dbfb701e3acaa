/* SPDX-License-Identifier: Apache-2.0 */
/* Telling whoever started the daemon that it is ready. */
#ifndef VOLLEY_AGENT_NOTIFY_H
#define VOLLEY_AGENT_NOTIFY_H

#include "lib/base/err.h"

/*
 * Sends READY=1 to systemd when $NOTIFY_SOCKET is set, and writes
 * "READY <where>\n" to `ready_fd` (−1: none), which is then closed.
 */
int notify_ready(int ready_fd, const char *where, struct err *err);

#endif
