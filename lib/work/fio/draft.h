/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job while its options are read.  Only lib/work/fio uses this.
 */
#ifndef VOLLEY_WORK_FIO_DRAFT_H
#define VOLLEY_WORK_FIO_DRAFT_H

#include "lib/work/fio/jobfile.h"
#include "lib/work/fio/table.h"

struct fio_draft {
	struct fio_job made;
	const struct fio_reading *reading;
	unsigned kb_base;
	uint64_t filesize_min, filesize_max; /* 0: not given */
	bool posixaio, batch_is_depth;
	bool stonewall, new_group, named;
	char *wait_for;
};

void fio_draft_init(struct fio_draft *draft, const struct fio_reading *reading);
void fio_draft_copy(struct fio_draft *ret, const struct fio_draft *draft);
void fio_draft_free(struct fio_draft *draft);
/* "file:line: text" among the job's warnings. */
void fio_draft_warn(struct fio_draft *draft, struct fio_pos pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* One entry of a section; err has its place. */
int fio_draft_apply(struct fio_draft *draft, const struct ini_entry *entry,
		    struct err *err);
/* What follows only from all options together; then the job is validated. */
int fio_draft_finish(struct fio_draft *draft, struct err *err);

/* 0: something else is done; 1: just what was asked; -1: error. */
int fio_map_engine(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_filesize(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_kb_base(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_name(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_unique(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_cpumask(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_stonewall(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_new_group(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_wait_for(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_batch(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_complete(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_epoch(struct fio_draft *draft, const char *value, struct err *err);
int fio_map_directory(struct fio_draft *draft, const char *value, struct err *err);

#endif
