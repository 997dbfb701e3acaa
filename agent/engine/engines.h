/* SPDX-License-Identifier: Apache-2.0 */
/* The engines themselves, for the registry and the tests; callers use engine_find. */
#ifndef VOLLEY_ENGINE_ENGINES_H
#define VOLLEY_ENGINE_ENGINES_H

#include "agent/engine/engine.h"

extern const struct engine_ops null_ops;
extern const struct engine_ops psync_ops;
extern const struct engine_ops pvsync_ops;
extern const struct engine_ops pvsync2_ops;
extern const struct engine_ops sync_ops;
extern const struct engine_ops vsync_ops;
extern const struct engine_ops mmap_ops;
extern const struct engine_ops net_tcp_ops;
extern const struct engine_ops net_rdma_ops; /* HAVE_RDMA */
extern const struct engine_ops libaio_ops;   /* HAVE_LIBAIO */
extern const struct engine_ops io_uring_ops; /* HAVE_LIBURING */

/* What an engine without needs of its own puts into check and file_open/_close. */
int engine_check_any(const struct job *job, struct err *err);
int engine_file_any(struct engine *engine, struct io_file *file, struct err *err);
void engine_file_none(struct engine *engine, struct io_file *file);

#endif
