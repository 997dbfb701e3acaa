/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters from trees made for the test, one for each driver: names as the kernel's
 * drivers have them (mlx5, bnxt_re, irdma, rxe), files as proc(5) shows them.
 */
#include "agent/probe/counters.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "tests/unit/suite.h"

static char root[] = "/tmp/volley-counters-XXXXXX";
static struct counter_snapshot now;

#define NO UINT64_MAX

static void
put(const char *path, const char *text)
{
	char *full = mem_printf("%s%s", root, path);

	for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(full, 0755);
		*p = '/';
	}
	int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	free(full);
}

static void
begin(void)
{
	ck_assert_ptr_nonnull(mkdtemp(root));
}

static void
end(void)
{
	char *command = mem_printf("rm -rf %s", root);

	ck_assert_int_eq(system(command), 0);
	free(command);
	counter_snapshot_free(&now);
}

static uint64_t
value(const char *object, const char *name)
{
	for (vec_each(struct counter_value *, it, &now.values))
		if (strcmp(it->object, object) == 0 && strcmp(it->name, name) == 0)
			return it->value;
	return NO;
}

struct file {
	const char *name, *text;
};

/* Below ports/1 of the device. */
static void
put_port(const char *device, const struct file *files, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *path = mem_printf(
		    "/sys/class/infiniband/%s/ports/1/%s", device, files[i].name);
		put(path, files[i].text);
		free(path);
	}
}

#define PUT_PORT(device, files) put_port(device, files, sizeof files / sizeof *files)

START_TEST(mlx5_counts_words)
{
	static const struct file files[] = {{"counters/port_rcv_data", "1000\n"},
	    {"counters/port_xmit_data", "25\n"},
	    {"counters/symbol_error", "N/A (no PMA)\n"},
	    {"hw_counters/lifespan", "10\n"}, {"hw_counters/out_of_sequence", "7\n"},
	    {"hw_counters/np_cnp_sent", "0\n"},
	    {"hw_counters/rx_write_requests", "99\n"}};

	begin();
	PUT_PORT("mlx5_0", files);
	counters_read(root, NULL, &now);
	ck_assert_uint_eq(value("rdma/mlx5_0/1", "rx_bytes"), 4000);
	ck_assert_uint_eq(value("rdma/mlx5_0/1", "tx_bytes"), 100);
	ck_assert_uint_eq(value("rdma/mlx5_0/1", "out_of_sequence"), 7);
	ck_assert_uint_eq(value("rdma/mlx5_0/1", "np_cnp_sent"), 0);
	ck_assert_uint_eq(value("rdma/mlx5_0/1", "packet_seq_err"), NO);
	ck_assert_uint_eq(value("rdma/mlx5_0/1", "rx_bytes_at_most"), NO);
	ck_assert_int_eq(counters_rdma_ports(root), 1);
	end();
}
END_TEST

START_TEST(bnxt_re_has_names_of_its_own)
{
	static const struct file files[] = {{"hw_counters/rx_bytes", "900\n"},
	    {"hw_counters/rx_roce_only_bytes", "800\n"},
	    {"hw_counters/tx_bytes", "70\n"},
	    {"hw_counters/seq_err_naks_rcvd", "3\n"},
	    {"hw_counters/oos_drop_count", "4\n"},
	    {"hw_counters/to_retransmits", "5\n"}, {"hw_counters/rx_cnp_pkts", "6\n"},
	    {"hw_counters/tx_cnp_pkts", "8\n"}};

	begin();
	PUT_PORT("bnxt_re0", files);
	counters_read(root, NULL, &now);
	ck_assert_uint_eq(value("rdma/bnxt_re0/1", "rx_bytes"), 800);
	ck_assert_uint_eq(value("rdma/bnxt_re0/1", "tx_bytes"), 70);
	ck_assert_uint_eq(value("rdma/bnxt_re0/1", "packet_seq_err"), 3);
	ck_assert_uint_eq(value("rdma/bnxt_re0/1", "out_of_sequence"), 4);
	ck_assert_uint_eq(value("rdma/bnxt_re0/1", "local_ack_timeout_err"), 5);
	ck_assert_uint_eq(value("rdma/bnxt_re0/1", "rp_cnp_handled"), 6);
	ck_assert_uint_eq(value("rdma/bnxt_re0/1", "np_cnp_sent"), 8);
	end();
}
END_TEST

START_TEST(irdma_counts_by_ip_version)
{
	static const struct file files[] = {{"hw_counters/ip4InOctets", "100\n"},
	    {"hw_counters/ip6InOctets", "11\n"}, {"hw_counters/ip4OutOctets", "20\n"},
	    {"hw_counters/ip6OutOctets", "2\n"},
	    {"hw_counters/Nak Sequence Error", "3\n"},
	    {"hw_counters/cnpHandled", "4\n"}, {"hw_counters/cnpSent", "5\n"},
	    {"hw_counters/RxECNMrkd", "6\n"}};

	begin();
	PUT_PORT("irdma0", files);
	counters_read(root, NULL, &now);
	ck_assert_uint_eq(value("rdma/irdma0/1", "rx_bytes"), 111);
	ck_assert_uint_eq(value("rdma/irdma0/1", "tx_bytes"), 22);
	ck_assert_uint_eq(value("rdma/irdma0/1", "packet_seq_err"), 3);
	ck_assert_uint_eq(value("rdma/irdma0/1", "rp_cnp_handled"), 4);
	ck_assert_uint_eq(value("rdma/irdma0/1", "np_cnp_sent"), 5);
	ck_assert_uint_eq(value("rdma/irdma0/1", "np_ecn_marked_roce_packets"), 6);
	end();
}
END_TEST

START_TEST(rxe_counts_packets_only)
{
	static const struct file files[] = {{"hw_counters/rcvd_pkts", "10\n"},
	    {"hw_counters/sent_pkts", "2\n"}, {"hw_counters/rcvd_seq_err", "3\n"},
	    {"hw_counters/out_of_seq_request", "4\n"},
	    {"hw_counters/completer_retry_err", "5\n"}};

	begin();
	PUT_PORT("rxe0", files);
	counters_read(root, NULL, &now);
	ck_assert_uint_eq(value("rdma/rxe0/1", "rx_bytes"), NO);
	ck_assert_uint_eq(value("rdma/rxe0/1", "rx_packets"), 10);
	ck_assert_uint_eq(value("rdma/rxe0/1", "rx_bytes_at_most"), 40960);
	ck_assert_uint_eq(value("rdma/rxe0/1", "tx_bytes_at_most"), 8192);
	ck_assert_uint_eq(value("rdma/rxe0/1", "packet_seq_err"), 3);
	ck_assert_uint_eq(value("rdma/rxe0/1", "out_of_sequence"), 4);
	ck_assert_uint_eq(value("rdma/rxe0/1", "retransmits"), 5);
	end();
}
END_TEST

START_TEST(a_host_without_anything_knows_nothing)
{
	begin();
	counters_read(root, NULL, &now);
	ck_assert_uint_eq(now.values.n, 0);
	ck_assert_uint_ne(now.at_ns, 0);
	ck_assert_int_eq(counters_rdma_ports(root), 0);
	end();
}
END_TEST

START_TEST(network_devices_but_not_those_above_others)
{
	begin();
	put("/proc/net/dev",
	    "Inter-|   Receive                                                |  "
	    "Transmit\n"
	    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    "
	    "packets errs drop fifo colls carrier compressed\n"
	    "  eth0: 5000      50    1    2    0     0          0         0     600      "
	    " 6    3    4    0     0       0          0\n"
	    " bond0: 5000      50    0    0    0     0          0         0     600      "
	    " 6    0    0    0     0       0          0\n");
	put("/sys/class/net/bond0/lower_eth0/x", "");
	put("/ethtool/eth0",
	    "NIC statistics:\n     rx_prio3_pause: 12\n     tx_prio3_pause: 13\n"
	    "     rx_pfc_ena_frames_pri5: 14\n     link_down_events_phy: 1\n"
	    "     rx_bytes: 77\n     rx_dropped: 78\n     rx0_packets: 3\n");
	counters_read(root, NULL, &now);
	ck_assert_uint_eq(value("net/eth0", "rx_bytes"), 5000);
	ck_assert_uint_eq(value("net/eth0", "tx_bytes"), 600);
	ck_assert_uint_eq(value("net/eth0", "rx_dropped"), 2);
	ck_assert_uint_eq(value("net/eth0", "tx_dropped"), 4);
	ck_assert_uint_eq(value("net/eth0", "rx_prio3_pause"), 12);
	ck_assert_uint_eq(value("net/eth0", "tx_prio3_pause"), 13);
	ck_assert_uint_eq(value("net/eth0", "rx_prio5_pause"), 14);
	ck_assert_uint_eq(value("net/eth0", "link_down_events_phy"), 1);
	ck_assert_uint_eq(value("net/eth0", "rx0_packets"), NO);
	ck_assert_uint_eq(value("net/bond0", "rx_bytes"), NO);
	end();
}
END_TEST

START_TEST(tcp_and_soft_interrupts)
{
	begin();
	put("/proc/net/snmp",
	    "Ip: Forwarding DefaultTTL\nIp: 1 64\n"
	    "Tcp: RtoMin MaxConn InSegs OutSegs RetransSegs\nTcp: 200 -1 11 12 13\n");
	put("/proc/net/netstat",
	    "TcpExt: TCPOFOQueue TCPTimeouts\nTcpExt: 21 22\nIpExt: InOctets\nIpExt: "
	    "9\n");
	put("/proc/softirqs",
	    "                    CPU0       CPU1\n      NET_TX:   1    2\n"
	    "      NET_RX:   30   40\n       BLOCK:  5  6\n");
	put("/proc/stat", "cpu  1 2 3 4 5 6 70 0 0 0\ncpu0 1 2 3 4 5 6 7 0 0 0\n");
	counters_read(root, NULL, &now);
	ck_assert_uint_eq(value("tcp", "TcpInSegs"), 11);
	ck_assert_uint_eq(value("tcp", "TcpOutSegs"), 12);
	ck_assert_uint_eq(value("tcp", "TcpRetransSegs"), 13);
	ck_assert_uint_eq(value("tcp", "TCPOFOQueue"), 21);
	ck_assert_uint_eq(value("tcp", "TCPTimeouts"), 22);
	ck_assert_uint_eq(value("tcp", "TCPLostRetransmit"), NO);
	ck_assert_uint_eq(value("softirq", "net_rx_softirqs"), 70);
	ck_assert_uint_eq(value("softirq", "net_tx_softirqs"), 3);
	ck_assert_uint_eq(value("softirq", "softirq_ms"), 700);
	end();
}
END_TEST

/* ---- mounts ---- */

#define MOUNTS                                                                          \
	"21 1 8:1 / / rw - ext4 /dev/sda1 rw\n"                                         \
	"30 21 0:40 / /mnt/a\\040b rw shared:1 - nfs4 srv:/x rw,proto=rdma\n"           \
	"31 21 0:41 / /mnt/l rw - lustre 10.0.0.1@o2ib:10.0.0.2@o2ib:/big rw\n"         \
	"32 21 0:42 / /mnt/w rw - wekafs srv/fs rw\n"                                   \
	"33 21 0:43 / /mnt/n rw - xfs /dev/nvme1n1p1 rw\n"                              \
	"34 21 0:44 / /mnt/bee rw - beegfs beegfs_nodev rw\n"

static unsigned
protocols_of(const char *path, const char *point)
{
	struct counters_mount mount;
	unsigned ret;

	counters_mount_of(root, path, &mount);
	ck_assert_str_eq(mount.point, point);
	ret = counters_protocols(root, &mount);
	counters_read(root, &mount, &now);
	counters_mount_free(&mount);
	return ret;
}

static bool
is_remote(const char *path)
{
	struct counters_mount mount;
	bool ret;

	counters_mount_of(root, path, &mount);
	ret = counters_mount_is_remote(root, &mount);
	counters_mount_free(&mount);
	return ret;
}

START_TEST(nfs_tells_its_transport_and_bytes)
{
	begin();
	put("/proc/self/mountinfo", MOUNTS);
	put("/proc/self/mountstats",
	    "device /dev/sda1 mounted on / with fstype ext4\n"
	    "device srv:/x mounted on /mnt/other with fstype nfs4 statvers=1.1\n"
	    "\tbytes:\t9 9 9 9 9 9 9 9\n\txprt:\ttcp 0 0 1 0 0 9 9 9 9\n"
	    "device srv:/x mounted on /mnt/a\\040b with fstype nfs4 statvers=1.1\n"
	    "\topts:\trw,vers=4.2,proto=rdma\n"
	    "\tbytes:\t1 2 3 4 5000 6000 7 8\n"
	    "\txprt:\trdma 0 0 1 0 11 800 800 2 0 0\n"
	    "\txprt:\trdma 0 0 1 0 11 700 700 1 0 0\n");
	ck_assert_uint_eq(protocols_of("/mnt/a b/deep/file", "/mnt/a b"), COUNTERS_RDMA);
	ck_assert_uint_eq(value("mount", "server_read_bytes"), 5000);
	ck_assert_uint_eq(value("mount", "server_write_bytes"), 6000);
	ck_assert_uint_eq(value("mount", "bad_xids"), 3);
	ck_assert(is_remote("/mnt/a b/deep/file"));
	end();
}
END_TEST

START_TEST(an_option_is_no_proof_of_a_transport)
{
	begin();
	put("/proc/self/mountinfo", MOUNTS);
	put("/proc/self/mountstats",
	    "device srv:/x mounted on /mnt/a\\040b with fstype nfs4 statvers=1.1\n"
	    "\topts:\trw,vers=4.2,proto=rdma\n\txprt:\ttcp 0 0 1 0 0 9 9 9 9\n");
	ck_assert_uint_eq(protocols_of("/mnt/a b", "/mnt/a b"), COUNTERS_TCP);
	ck_assert_uint_eq(value("mount", "server_read_bytes"), NO);
	end();
}
END_TEST

START_TEST(other_clients_tell_what_they_can)
{
	begin();
	put("/proc/self/mountinfo", MOUNTS);
	put("/sys/kernel/debug/lustre/osc/big-OST0000-osc-ff/stats",
	    "req_waittime 3 samples [usec] 1 2 3 4\n"
	    "read_bytes 10 samples [bytes] 4096 1048576 2000 9\n"
	    "write_bytes 10 samples [bytes] 4096 1048576 300 9\n");
	put("/sys/kernel/debug/lustre/osc/big-OST0001-osc-ff/stats",
	    "read_bytes 10 samples [bytes] 4096 1048576 500 9\n");
	put("/sys/kernel/debug/lustre/osc/other-OST0000-osc-ff/stats",
	    "read_bytes 10 samples [bytes] 4096 1048576 77 9\n");
	ck_assert_uint_eq(protocols_of("/mnt/l/x", "/mnt/l"), COUNTERS_RDMA);
	ck_assert_uint_eq(value("mount", "server_read_bytes"), 2500);
	ck_assert_uint_eq(value("mount", "server_write_bytes"), 300);

	put("/sys/class/block/nvme1n1/device/nvme1/transport", "rdma\n");
	put("/sys/class/block/nvme1n1/stat",
	    "  5  0  100 7 6 0 20 8 0 0 0 0 0 0 0 0 0\n");
	ck_assert_uint_eq(protocols_of("/mnt/n/x", "/mnt/n"), COUNTERS_RDMA);
	ck_assert_uint_eq(value("mount", "server_read_bytes"), 51200);
	ck_assert_uint_eq(value("mount", "server_write_bytes"), 10240);
	ck_assert_uint_eq(
	    protocols_of("/dev/nvme1n1", "/dev/nvme1n1"), COUNTERS_RDMA);

	/* multipath: the paths count, and the device stands still */
	put("/sys/class/block/nvme2n1/stat", "  0  0  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	put("/sys/class/block/nvme2n1/device/nvme2/transport", "rdma\n");
	put("/sys/class/block/nvme2n1/device/nvme2/nvme2c2n1/stat",
	    "  5  0  7 7 6 0 3 8 0 0 0 0 0 0 0 0 0\n");
	put("/sys/class/block/nvme2n1/device/nvme2/nvme2c2n2/stat",
	    "  5  0  900 7 6 0 900 8 0 0 0 0 0 0 0 0 0\n");
	put("/sys/class/block/nvme2n1/device/nvme5/transport", "rdma\n");
	put("/sys/class/block/nvme2n1/device/nvme5/nvme2c5n1/stat",
	    "  5  0  10 7 6 0 4 8 0 0 0 0 0 0 0 0 0\n");
	ck_assert_uint_eq(
	    protocols_of("/dev/nvme2n1", "/dev/nvme2n1"), COUNTERS_RDMA);
	ck_assert_uint_eq(value("mount", "server_read_bytes"), 17 * 512);
	ck_assert_uint_eq(value("mount", "server_write_bytes"), 7 * 512);

	put("/proc/fs/beegfs/1-2/storage_nodes",
	    "s1 [ID: 1]\n   Connections: RDMA: 4 (10.0.0.1:8003); \n");
	ck_assert_uint_eq(protocols_of("/mnt/bee/x", "/mnt/bee"), COUNTERS_RDMA);

	ck_assert_uint_eq(protocols_of("/mnt/w/x", "/mnt/w"), 0);
	ck_assert(is_remote("/mnt/w/x"));
	ck_assert_uint_eq(protocols_of("/mnt/wide", "/"), 0);
	ck_assert(!is_remote("/mnt/wide"));
	end();
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("counters", mlx5_counts_words, bnxt_re_has_names_of_its_own,
	    irdma_counts_by_ip_version, rxe_counts_packets_only,
	    a_host_without_anything_knows_nothing,
	    network_devices_but_not_those_above_others, tcp_and_soft_interrupts,
	    nfs_tells_its_transport_and_bytes, an_option_is_no_proof_of_a_transport,
	    other_clients_tell_what_they_can);
}
