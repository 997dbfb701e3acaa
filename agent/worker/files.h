/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files a job uses.  Without `filename` each thread has `nrfiles` files
 *
 *   DIRECTORY/volley-data/CLIENT/JOB.THREAD.FILE
 *
 * where CLIENT is the client's stable name, or "shared" when all clients use the
 * same files ('/' in a name becomes '_').  What stands below CLIENT is
 * filename_format, in which '/' makes folders; without $jobnum all threads use the
 * same files, without $filenum all files of a thread are one.  With `filename`
 * ("a:b", ':' separates, "\:" is a colon; relative names are below `directory`)
 * every thread uses those same files.  Each file has `filesize` bytes, of which a
 * thread uses what lies behind its offset; or is as long as its threads need for
 * their share of `size` behind their offsets.
 */
#ifndef VOLLEY_WORKER_FILES_H
#define VOLLEY_WORKER_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/worker/link.h"
#include "lib/base/err.h"
#include "lib/base/vec.h"
#include "lib/work/job.h"

struct files {
	VEC(char *) paths;   /* absolute, each once */
	char *folder;	     /* volley's own folder; NULL with `filename` */
	unsigned per_thread;
	size_t thread_step, file_step; /* from thread to thread, file to file, in paths */
	uint64_t bytes;	     /* of each file behind a thread's offset; without: */
	uint64_t length;     /* of each file, by filesize */
	uint64_t *lengths;   /* by path, where they differ; else NULL */
};

/* The names of `filename` as the user gave them, malloc'd. */
struct files_names {
	VEC(char *) v;
};
void files_names(struct files_names *ret, const struct job *job);
void files_names_free(struct files_names *names);

int files_plan(struct files *ret, const struct job *job, const struct link_spec *spec,
	       struct err *err);
void files_free(struct files *files);
const char *files_path(const struct files *files, unsigned thread, unsigned file);
/* Its place in `paths`. */
size_t files_index(const struct files *files, unsigned thread, unsigned file);
/* What the thread uses of one of its files, from its offset on. */
uint64_t files_region(const struct files *files, const struct job *job, unsigned thread,
		      unsigned file);
/* Of the file at this place: where the first thread begins, how long it must be. */
uint64_t files_from(const struct files *files, const struct job *job, size_t index);
uint64_t files_need(const struct files *files, const struct job *job, size_t index);

#endif
