/* SPDX-License-Identifier: Apache-2.0 */
/* What the probes make of whole trees, one for each RDMA driver and one without. */
#include <string.h>

#include "agent/probe/host.h"
#include "lib/base/mem.h"
#include "tests/support/tree-file.h"
#include "tests/unit/suite.h"

static struct facts *facts;

static void
probe(const char *name)
{
	char *root = tree_file_unpack(name);

	facts = mem_alloc(sizeof *facts);
	probe_host(root, facts);
	tree_file_remove(root);
}

static void
done(void)
{
	facts_free(facts);
}

static const struct facts_thing *
thing(const char *kind, const char *name)
{
	const struct facts_thing *found = facts_find(facts, kind, name);

	ck_assert_msg(found != NULL, "no %s %s", kind, name);
	return found;
}

static void
is_text(const char *kind, const char *name, const char *key, const char *want)
{
	const char *got = facts_text(thing(kind, name), key);

	ck_assert_msg(want ? got && strcmp(got, want) == 0 : !got,
	    "%s %s: %s is %s, not %s", kind, name, key, got ? got : "unknown",
	    want ? want : "unknown");
}

static void
is_number(const char *kind, const char *name, const char *key, int64_t want)
{
	ck_assert_msg(facts_number(thing(kind, name), key) == want,
	    "%s %s: %s is %lld, not %lld", kind, name, key,
	    (long long)facts_number(thing(kind, name), key), (long long)want);
}

static size_t
count(const char *kind)
{
	size_t n = 0;

	for (facts_each(it, facts, kind))
		n += it != NULL;
	return n;
}

START_TEST(mlx5_host)
{
	probe("mlx5");
	ck_assert_str_eq(facts->hostname, "gpu07");
	ck_assert_int_eq(facts->cpus, 128);
	ck_assert_int_eq(facts->numa_nodes, 2);
	is_text("host", "system", "hypervisor", "none");
	is_text("host", "system", "machine", "SYS-821GE-TNHR");
	is_text("host", "system", "governor", "performance");
	is_number("host", "system", "sockets", 2);
	is_number("host", "system", "iommus", 1);
	is_text("numa", "1", "cpus", "64-127");
	is_number("numa", "1", "memory_bytes", INT64_C(1056500000) * 1024);
	ck_assert_uint_eq(count("block"), 1); /* a loop device without size is none */
	is_text("block", "nvme0n1", "scheduler", "none");
	is_number("block", "nvme0n1", "size_bytes", INT64_C(7501476528) * 512);
	is_number("block", "nvme0n1", "rotational", 0);
	done();
}
END_TEST

START_TEST(mlx5_network)
{
	probe("mlx5");
	ck_assert_uint_eq(count("nic"), 3); /* bonding_masters is none */
	is_number("nic", "ens1f0np0", "speed_mbps", 400000);
	is_number("nic", "ens1f0np0", "mtu", 9000);
	is_text("nic", "ens1f0np0", "driver", "mlx5_core");
	is_text("nic", "ens1f0np0", "pci", "0000:1a:00.0");
	is_number("nic", "ens1f0np0", "numa_node", 0);
	is_number("nic", "ens1f0np0", "pcie_width", 16);
	is_text("nic", "ens1f0np0", "pcie_speed_max", "32.0 GT/s PCIe");
	is_text("nic", "ens1f0np0", "trust", "dscp");
	is_text("nic", "ens1f0np0", "pfc", "3");
	is_text("nic", "ens1f0np0", "ecn_np", "3");
	is_text("nic", "eno1", "ecn_rp", NULL);
	is_text("nic", "eno1", "firmware", NULL);
	is_number("nic", "eno1", "speed_mbps", -1);
	is_text("rdma", "mlx5_0/1", "state", "ACTIVE");
	is_text("rdma", "mlx5_0/1", "phys_state", "LinkUp");
	is_text("rdma", "mlx5_0/1", "firmware", "28.39.1002");
	is_text("rdma", "mlx5_0/1", "driver", "mlx5_core");
	is_text("rdma", "mlx5_0/1", "link_layer", "Ethernet");
	is_text("rdma", "mlx5_0/1", "netdev", "ens1f0np0");
	is_number("rdma", "mlx5_0/1", "rate_mbps", 400000);
	is_number("rdma", "mlx5_0/1", "active_mtu", -1);
	ck_assert_uint_eq(count("gid"), 4); /* the empty entry is none */
	is_text("gid", "mlx5_0/1/3", "type", "RoCE v2");
	is_text("gid", "mlx5_0/1/3", "gid", "0000:0000:0000:0000:0000:ffff:0a0a:0107");
	is_text("gid", "mlx5_0/1/2", "type", "IB/RoCE v1");
	done();
}
END_TEST

/* The management controller's graphics card is no GPU. */
START_TEST(mlx5_gpus)
{
	probe("mlx5");
	ck_assert_uint_eq(count("gpu"), 3);
	is_text("gpu", "0000:19:00.0", "model", "NVIDIA H100 80GB HBM3");
	is_text("gpu", "0000:20:00.0", "model", "10de:2330"); /* no driver's word */
	is_text("gpu", "0000:19:00.0", "nic", "ens1f0np0");
	is_text("gpu", "0000:19:00.0", "nic_distance", "PIX");
	is_text("gpu", "0000:20:00.0", "nic_distance", "PHB");
	is_text("gpu", "0000:98:00.0", "nic_distance", "SYS");
	is_number("gpu", "0000:98:00.0", "numa_node", 1);
	is_number("gpu", "0000:20:00.0", "pcie_width", 8);
	done();
}
END_TEST

static void
is_mount(const char *point, const char *fstype, const char *transport)
{
	is_text("mount", point, "fstype", fstype);
	is_text("mount", point, "transport", transport);
}

START_TEST(mlx5_mounts)
{
	probe("mlx5");
	ck_assert_uint_eq(count("mount"), 11); /* the root is on a disk */
	is_mount("/mnt/one-tcp", "nfs", "tcp");
	is_mount("/mnt/one-rdma", "nfs", "rdma");
	is_number("mount", "/mnt/one-rdma", "connections", 16);
	is_text("mount", "/mnt/one-rdma", "server", "10.10.2.2");
	is_text("mount", "/mnt/one-rdma", "netdev", "ens1f0np0");
	is_mount("/mnt/lustre", "lustre", "rdma");
	is_text("mount", "/mnt/lustre", "nid", "10.10.3.1@o2ib");
	is_text("mount", "/mnt/lustre", "netdev", "ens1f0np0");
	is_mount("/mnt/lustre-tcp", "lustre", "tcp");
	is_mount("/mnt/weka", "wekafs", NULL);
	is_mount("/mnt/weka-udp", "wekafs", "udp");
	is_mount("/mnt/gpfs", "gpfs", NULL); /* enabled is not yet used */
	is_text("mount", "/mnt/gpfs", "verbs_rdma", "enable");
	is_mount("/mnt/beegfs", "beegfs", "rdma");
	is_mount("/mnt/six", "nfs4", "tcp");
	is_text("mount", "/mnt/six", "netdev", "ens1f0np0");
	is_mount("/mnt/ceph", "ceph", "tcp");
	is_text("mount", "/mnt/ceph", "ms_mode", "crc");
	done();
}
END_TEST

/* What was asked for is not what it got. */
START_TEST(mlx5_fallback)
{
	probe("mlx5");
	is_mount("/mnt/fell back", "nfs4", "tcp");
	is_text("mount", "/mnt/fell back", "proto", "rdma");
	is_text("mount", "/mnt/fell back", "evidence", "xprt in /proc/self/mountstats");
	is_number("mount", "/mnt/fell back", "connections", 1);
	done();
}
END_TEST

START_TEST(bnxt_re)
{
	probe("bnxt_re");
	is_text("rdma", "bnxt_re0/1", "driver", "bnxt_en");
	is_text("rdma", "bnxt_re0/1", "firmware", "229.2.52.0");
	is_text("rdma", "bnxt_re0/1", "netdev", "ens3f0np0");
	is_number("rdma", "bnxt_re0/1", "rate_mbps", 100000);
	is_number("rdma", "bnxt_re0/1", "numa_node", 1);
	is_text("gid", "bnxt_re0/1/3", "netdev", "ens3f0np0");
	is_text("gpu", "0000:c1:00.0", "model", "1002:74a1");
	is_text("gpu", "0000:c1:00.0", "nic_distance", "NODE");
	is_mount("/mnt/s", "nfs4", "rdma"); /* without statistics, what was asked for */
	is_text("mount", "/mnt/s", "evidence", "proto in the mount's options");
	is_text("nic", "ens3f0np0", "pfc", NULL);
	done();
}
END_TEST

START_TEST(irdma)
{
	probe("irdma");
	is_text("rdma", "rocep42s0/1", "driver", "ice");
	is_text("rdma", "rocep42s0/1", "board", NULL);
	is_text("rdma", "rocep42s0f1/1", "state", "DOWN");
	is_text("rdma", "rocep42s0f1/1", "netdev", NULL);
	ck_assert_uint_eq(count("gid"), 1);
	is_number("nic", "ens2f0", "pcie_width", 8);
	is_number("nic", "ens2f0", "pcie_width_max", 16);
	done();
}
END_TEST

START_TEST(rxe)
{
	probe("rxe");
	is_text("rdma", "rxe0/1", "driver", "rdma_rxe");
	is_text("rdma", "rxe0/1", "netdev", "v0");
	is_text("rdma", "rxe0/1", "state", "ACTIVE");
	is_text("rdma", "rxe0/1", "firmware", NULL); /* the file is empty */
	is_text("gid", "rxe1/1/1", "gid", "0000:0000:0000:0000:0000:ffff:0a01:0002");
	is_text("gid", "rxe1/1/1", "type", "RoCE v2");
	is_text("gid", "rxe1/1/1", "netdev", "v1");
	done();
}
END_TEST

START_TEST(none)
{
	probe("none");
	is_text("host", "system", "hypervisor", "QEMU");
	is_number("nic", "ens3", "mtu", 1500);
	is_text("nic", "ens3", "driver", NULL);
	ck_assert_uint_eq(
	    count("rdma") + count("gid") + count("gpu") + count("mount"), 0);
	ck_assert_uint_eq(count("numa"), 2);
	is_number("host", "system", "iommus", -1);
	done();
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("probe", mlx5_host, mlx5_network, mlx5_gpus, mlx5_mounts,
	    mlx5_fallback, bnxt_re, irdma, rxe, none);
}
