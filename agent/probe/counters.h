/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that this host counts cheaply: network devices, RDMA ports, TCP, soft
 * interrupts, and the client of one mount.  Read from the tree below a root folder
 * that tests can replace; what is not there stays out, and is unknown.  No call here
 * touches a mount: what hangs on a dead server is not asked.
 *
 * Only /sys, /proc, and (of the real root) one ioctl for what `ethtool -S` shows; below
 * another root that is ROOT/ethtool/DEVICE, with lines "name: value".
 */
#ifndef VOLLEY_PROBE_COUNTERS_H
#define VOLLEY_PROBE_COUNTERS_H

#include <stdint.h>

#include "lib/stats/counters.h"

/* The mount that a path is on, as /proc/self/mountinfo names it. */
struct counters_mount {
	char *point, *fstype, *source, *options; /* NULL: not found */
};

/* By its text alone: no symbolic link is followed. */
void counters_mount_of(const char *root, const char *path, struct counters_mount *ret);
void counters_mount_free(struct counters_mount *mount);
/* Transports that the mount's client says it uses now (COUNTERS_TCP, COUNTERS_RDMA);
 * 0: it does not tell. */
unsigned counters_protocols(const char *root, const struct counters_mount *mount);
/* Does its data cross a network, as far as its type tells? */
bool counters_mount_is_remote(const char *root, const struct counters_mount *mount);

/* `mount` may be NULL. */
void counters_read(const char *root, const struct counters_mount *mount,
    struct counter_snapshot *ret);
/* RDMA ports of this host; 0 where the kernel has none. */
int64_t counters_rdma_ports(const char *root);

/* ---- one source each ---- */

void counters_read_net(const char *root, struct counter_snapshot *ret);
void counters_read_ethtool(
    const char *root, const char *device, struct counter_snapshot *ret);
void counters_read_rdma(const char *root, struct counter_snapshot *ret);
void counters_read_mount(const char *root, const struct counters_mount *mount,
    struct counter_snapshot *ret);

#endif
