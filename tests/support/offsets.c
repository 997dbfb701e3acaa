/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints where a job goes, a line for each I/O: direction (0 read, 1 write), bytes,
 * offset, as fio's logs have it.
 *
 *   offsets [--name=value ...]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/work/pattern.h"

static void
print_thread(const struct job *job, unsigned thread)
{
	struct pattern *p = pattern_new(job, job->nrfiles, job_file_bytes(job),
	    rng_derive(job->randseed, "pattern", thread));
	struct pattern_io io;

	pattern_set_offset(p, job_offset(job, thread));
	while (pattern_next(p, &io))
		printf("%d %u %llu\n", (int)io.dir, io.bytes,
		    (unsigned long long)io.offset);
	pattern_free(p);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct job job;
	int rc = 0;

	job_init(&job);
	for (int i = 1; i < argc && rc == 0; i++) {
		char *name = mem_strdup(argv[i] + 2);
		char *value = strchr(name, '=');

		if (value)
			*value++ = '\0';
		rc = job_set(&job, name, value, &err);
		free(name);
	}
	if (rc < 0 || job_validate(&job, &err) < 0) {
		fprintf(stderr, "offsets: %s\n", err.msg);
		return 2;
	}
	for (unsigned t = 0; t < job.numjobs; t++)
		print_thread(&job, t);
	job_free(&job);
	return 0;
}
