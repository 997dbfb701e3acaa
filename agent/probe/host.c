/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host facts from /etc/os-release, /proc and /sys (proc(5)): the system itself here,
 * its parts in files of their own.
 */
#include "agent/probe/host.h"

#include "agent/probe/parts.h"
#include "agent/probe/tree.h"

void
probe_host(const char *root, struct facts *facts)
{
	facts->hostname = tree_line(root, "/proc/sys/kernel/hostname");
	facts->os = tree_value(root, "/etc/os-release", "PRETTY_NAME");
	facts->kernel = tree_line(root, "/proc/sys/kernel/osrelease");
	facts->machine_id = tree_line(root, "/etc/machine-id");
	probe_cpu(root, facts);
	probe_net(root, facts);
	probe_rdma(root, facts);
	probe_gpu(root, facts);
	probe_block(root, facts);
	probe_mounts(root, facts);
}
