/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target: regions of memory, or files, that network engines of other hosts read and
 * write over TCP and RDMA.  Each connection has a thread of its own, must prove that
 * it has the key, and gets no further than the rights of its export.  What is written
 * by several connections at once lands in any order, as on a block device.
 */
#ifndef VOLLEY_TARGET_TARGET_H
#define VOLLEY_TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/engine/net-wire.h"
#include "lib/base/err.h"

#define TARGET_CONNECTIONS 1024u /* at a time; more are turned away */

struct target_export {
	char name[NET_NAME_MAX + 1];
	bool writable;
	uint64_t size;
	uint8_t *base; /* memory; NULL: a file */
	int fd;	       /* of the file */
};

/* Memory that is there (zeroed and faulted in) before anybody measures. */
int export_memory(struct target_export *ret, const char *name, uint64_t size,
		  bool writable, struct err *err);
/* Takes `fd` over. */
void export_file(struct target_export *ret, const char *name, int fd, uint64_t size,
		 bool writable);
void export_free(struct target_export *export);

struct target_config {
	const char *host; /* NULL: all addresses */
	unsigned port;	  /* 0: any that is free */
	const char *key;
	const struct target_export *exports; /* borrowed until target_stop */
	size_t nexports;
	bool tcp, rdma;
};

struct target;

int target_start(struct target **ret, const struct target_config *config,
		 struct err *err);
unsigned target_port(const struct target *target);
/* Cuts all connections and waits for their threads. */
void target_stop(struct target *target);

#endif
