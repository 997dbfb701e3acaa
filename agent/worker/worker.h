/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker role of volley-io: a client's job, told what to do over the link
 * (link.h), counting on the board (board.h).  It ends when told to, or when the
 * other end of the link is gone.
 */
#ifndef VOLLEY_WORKER_WORKER_H
#define VOLLEY_WORKER_WORKER_H

#include "lib/base/err.h"

/* Takes both descriptors over.  0: told to exit; -1: *err.  The caller ends the
 * process at once (_exit): threads of the job may still be there. */
int worker_serve(int link_fd, int board_fd, struct err *err);

#endif
