/* SPDX-License-Identifier: Apache-2.0 */
/* Verbs of engines that need nothing there. */
#include "agent/engine/engines.h"

int
engine_check_any(const struct job *job, struct err *err)
{
	(void)job;
	(void)err;
	return 0;
}

int
engine_file_any(struct engine *engine, struct io_file *file, struct err *err)
{
	(void)engine;
	(void)file;
	(void)err;
	return 0;
}

void
engine_file_none(struct engine *engine, struct io_file *file)
{
	(void)engine;
	(void)file;
}
