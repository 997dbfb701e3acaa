/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an agent knows about its host.  Missing is NULL, −1 or NAN as noted: it
 * prints as "unknown", never as 0.  Owned strings; facts_free releases all.
 */
#ifndef VOLLEY_WIRE_FACTS_H
#define VOLLEY_WIRE_FACTS_H

#include <stdint.h>

#include "lib/base/vec.h"

struct facts_nic {
	char *name, *driver;
	int64_t speed_mbps; /* −1 unknown */
	int64_t mtu;	    /* −1 unknown */
	char *state;	    /* operstate */
};

struct facts_path {
	char *path;
	char *problem;	 /* NULL: fine; else why it cannot be used ("no answer in 5 s") */
	char *fstype, *source, *options; /* of the mount that holds it */
	int64_t free_bytes, total_bytes; /* −1 unknown */
};

struct facts {
	char *name;	  /* stable agent name */
	char *version;	  /* "volley 0.1.0" */
	char *hostname, *os, *kernel, *cpu_model, *machine_id;
	int64_t cpus, numa_nodes, memory_bytes; /* −1 unknown */
	VEC(char *) engines; /* "libaio", "io_uring: not built (…)" */
	VEC(struct facts_nic) nics;
	VEC(struct facts_path) paths;
};

void facts_free(struct facts *facts);

#endif
