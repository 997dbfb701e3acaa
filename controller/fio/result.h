/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One file of fio's: its hosts with their figures.  Client mode: one host for each
 * hostname and port.  Else the file is of one host, whose name is the file's.  The
 * jobs of a host are added up; "All clients" is kept apart, to compare with.
 */
#ifndef VOLLEY_FIO_RESULT_H
#define VOLLEY_FIO_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "controller/fio/options.h"
#include "lib/base/err.h"
#include "lib/base/vec.h"
#include "lib/stats/tally.h"

struct fio_host {
	char *name;
	unsigned entries; /* jobs added up */
	uint64_t group;	  /* reporting group of the first */
	int error;	  /* errno of the first job that failed */
	uint64_t runtime_ms[DIR_COUNT]; /* the longest job's; 0: unknown */
	uint64_t job_start_ms; /* wall clock of the host (fio >= 3.36); 0: unknown */
	struct tally *tally;   /* imported */
	/* of a job that is counted already: its threads are */
	VEC(char *) jobs;
};

struct fio_result {
	char *path, *version;
	uint64_t hash; /* of the file */
	uint64_t ended_wall_ns;
	bool client_mode;
	bool any_group; /* asked for with "*": what ran one after the other, too */
	VEC(struct fio_host) hosts;
	struct fio_options options; /* of the first job taken */
	/* "All clients", when the file has it and nothing was left out */
	bool has_all;
	uint64_t all_ios[DIR_COUNT];
	/* worth a word */
	uint64_t beyond, trims;
	bool bins_differ;
};

/*
 * `job`: only those of that name; NULL: there must be only one name, and one reporting
 * group of it, since groups usually run one after the other; "*": all there are.
 */
int fio_result_read(
    struct fio_result *ret, const char *path, const char *job, struct err *err);
void fio_result_free(struct fio_result *result);

#endif
