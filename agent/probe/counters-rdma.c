/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ports of RDMA devices: /sys/class/infiniband/DEVICE/ports/PORT/counters and
 * hw_counters.  Each driver has names of its own; a table says which of them mean the
 * same.  Sources: Linux, Documentation/ABI/stable/sysfs-class-infiniband, and the
 * rdma_stat_desc tables of drivers/infiniband/hw/{mlx5/counters.c,bnxt_re/hw_counters.c,
 * irdma/verbs.c} and sw/rxe/rxe_hw_counters.c.
 */
#include "agent/probe/counters.h"

#include <stdlib.h>
#include <string.h>

#include "agent/probe/tree.h"
#include "lib/base/mem.h"

#define PATH_MTU_MAX 4096 /* the most that one RoCE packet carries */

enum source_flag {
	SOURCE_ADDS = 1,   /* to others of the same name; else the first one counts */
	SOURCE_NARROW = 2, /* some devices keep 32 bits of it */
};

/* The first line of a name that the port has is the one that counts. */
static const struct source {
	const char *file, *as;
	uint64_t unit; /* of one in the file */
	unsigned flags;
} sources[] = {
    /* every driver that answers the port query; 4-byte words */
    {"counters/port_rcv_data", "rx_bytes", 4, SOURCE_NARROW},
    {"counters/port_xmit_data", "tx_bytes", 4, SOURCE_NARROW},
    {"counters/port_rcv_packets", "rx_packets", 1, SOURCE_NARROW},
    {"counters/port_xmit_packets", "tx_packets", 1, SOURCE_NARROW},
    /* bnxt_re */
    {"hw_counters/rx_roce_only_bytes", "rx_bytes", 1, 0},
    {"hw_counters/tx_roce_only_bytes", "tx_bytes", 1, 0},
    {"hw_counters/rx_bytes", "rx_bytes", 1, 0},
    {"hw_counters/tx_bytes", "tx_bytes", 1, 0},
    {"hw_counters/rx_pkts", "rx_packets", 1, 0},
    {"hw_counters/tx_pkts", "tx_packets", 1, 0},
    {"hw_counters/oos_drop_count", "out_of_sequence", 1, 0},
    {"hw_counters/seq_err_naks_rcvd", "packet_seq_err", 1, 0},
    {"hw_counters/missing_resp", "implied_nak_seq_err", 1, 0},
    {"hw_counters/to_retransmits", "local_ack_timeout_err", 1, 0},
    {"hw_counters/rnr_naks_rcvd", "rnr_nak_retry_err", 1, 0},
    {"hw_counters/max_retry_exceeded", "req_transport_retries_exceeded", 1, 0},
    {"hw_counters/dup_req", "duplicate_request", 1, 0},
    {"hw_counters/rx_out_of_buffer", "out_of_buffer", 1, 0},
    {"hw_counters/tx_cnp_pkts", "np_cnp_sent", 1, 0},
    {"hw_counters/rx_cnp_pkts", "rp_cnp_handled", 1, 0},
    {"hw_counters/rx_ecn_marked_pkts", "np_ecn_marked_roce_packets", 1, 0},
    {"hw_counters/rx_roce_discards", "roce_discards_rx", 1, 0},
    {"hw_counters/tx_roce_discards", "roce_discards_tx", 1, 0},
    /* irdma counts by IP version */
    {"hw_counters/ip4InOctets", "rx_bytes", 1, SOURCE_ADDS},
    {"hw_counters/ip6InOctets", "rx_bytes", 1, SOURCE_ADDS},
    {"hw_counters/ip4OutOctets", "tx_bytes", 1, SOURCE_ADDS},
    {"hw_counters/ip6OutOctets", "tx_bytes", 1, SOURCE_ADDS},
    {"hw_counters/ip4InPkts", "rx_packets", 1, SOURCE_ADDS},
    {"hw_counters/ip6InPkts", "rx_packets", 1, SOURCE_ADDS},
    {"hw_counters/ip4OutPkts", "tx_packets", 1, SOURCE_ADDS},
    {"hw_counters/ip6OutPkts", "tx_packets", 1, SOURCE_ADDS},
    {"hw_counters/ip4InDiscards", "roce_discards_rx", 1, SOURCE_ADDS},
    {"hw_counters/ip6InDiscards", "roce_discards_rx", 1, SOURCE_ADDS},
    {"hw_counters/cnpSent", "np_cnp_sent", 1, SOURCE_NARROW},
    {"hw_counters/cnpHandled", "rp_cnp_handled", 1, SOURCE_NARROW},
    {"hw_counters/cnpIgnored", "rp_cnp_ignored", 1, SOURCE_NARROW},
    {"hw_counters/RxECNMrkd", "np_ecn_marked_roce_packets", 1, 0},
    {"hw_counters/Nak Sequence Error", "packet_seq_err", 1, 0},
    {"hw_counters/Nak Sequence Error Implied", "implied_nak_seq_err", 1, 0},
    {"hw_counters/RTO", "local_ack_timeout_err", 1, 0},
    {"hw_counters/Rcvd Out of order packets", "out_of_sequence", 1, 0},
    {"hw_counters/RNR received", "rnr_nak_retry_err", 1, 0},
    {"hw_counters/RNR sent", "rnr_nak_sent", 1, 0},
    {"hw_counters/CRC errors", "rx_icrc_encapsulated", 1, 0},
    {"hw_counters/RetransSegs", "retransmits", 1, SOURCE_NARROW},
    {"hw_counters/tcpRetransSegs", "retransmits", 1, SOURCE_NARROW},
    /* rxe counts packets only, and the network device below counts them too */
    {"hw_counters/rcvd_pkts", "rx_packets", 1, 0},
    {"hw_counters/sent_pkts", "tx_packets", 1, 0},
    {"hw_counters/rcvd_pkts", "rx_bytes_at_most", PATH_MTU_MAX, 0},
    {"hw_counters/sent_pkts", "tx_bytes_at_most", PATH_MTU_MAX, 0},
    {"hw_counters/out_of_seq_request", "out_of_sequence", 1, 0},
    {"hw_counters/rcvd_seq_err", "packet_seq_err", 1, 0},
    {"hw_counters/completer_retry_err", "retransmits", 1, 0},
    {"hw_counters/rcvd_rnr_err", "rnr_nak_retry_err", 1, 0},
    {"hw_counters/send_rnr_err", "rnr_nak_sent", 1, 0},
    {"hw_counters/retry_exceeded_err", "req_transport_retries_exceeded", 1, 0},
    /* mlx5, whose names are the common ones */
    {"hw_counters/out_of_sequence", "out_of_sequence", 1, 0},
    {"hw_counters/packet_seq_err", "packet_seq_err", 1, 0},
    {"hw_counters/implied_nak_seq_err", "implied_nak_seq_err", 1, 0},
    {"hw_counters/local_ack_timeout_err", "local_ack_timeout_err", 1, 0},
    {"hw_counters/rnr_nak_retry_err", "rnr_nak_retry_err", 1, 0},
    {"hw_counters/out_of_buffer", "out_of_buffer", 1, 0},
    {"hw_counters/duplicate_request", "duplicate_request", 1, 0},
    {"hw_counters/req_cqe_error", "req_cqe_error", 1, 0},
    {"hw_counters/resp_cqe_error", "resp_cqe_error", 1, 0},
    {"hw_counters/req_transport_retries_exceeded", "req_transport_retries_exceeded", 1,
	0},
    {"hw_counters/roce_adp_retrans", "roce_adp_retrans", 1, 0},
    {"hw_counters/roce_adp_retrans_to", "roce_adp_retrans_to", 1, 0},
    {"hw_counters/roce_slow_restart", "roce_slow_restart", 1, 0},
    {"hw_counters/np_ecn_marked_roce_packets", "np_ecn_marked_roce_packets", 1, 0},
    {"hw_counters/np_cnp_sent", "np_cnp_sent", 1, 0},
    {"hw_counters/rp_cnp_handled", "rp_cnp_handled", 1, 0},
    {"hw_counters/rp_cnp_ignored", "rp_cnp_ignored", 1, 0},
    {"hw_counters/rx_icrc_encapsulated", "rx_icrc_encapsulated", 1, 0},
};

#define SOURCES (sizeof sources / sizeof *sources)

/* Was an earlier source of this name found, to which this one does not add? */
static bool
is_taken(const bool found[SOURCES], size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (found[k] && strcmp(sources[k].as, sources[i].as) == 0 &&
		    !(sources[k].flags & sources[i].flags & SOURCE_ADDS))
			return true;
	return false;
}

struct folder {
	char *path; /* "/sys/class/infiniband/DEVICE/ports/PORT/counters" */
	struct tree_names files;
};

/* Asking for each name that some driver might have takes long on a slow host. */
static bool
has_file(const struct folder *folders, size_t n, const char *file)
{
	for (size_t i = 0; i < n; i++) {
		const char *base = strrchr(folders[i].path, '/') + 1;
		size_t len = strlen(base);

		if (strncmp(file, base, len) != 0 || file[len] != '/')
			continue;
		for (vec_each(char *const *, it, &folders[i].files.names))
			if (strcmp(*it, file + len + 1) == 0)
				return true;
	}
	return false;
}

static void
read_files(const char *root, const char *port, const struct folder *folders, size_t n,
    const char *object, struct counter_snapshot *ret)
{
	bool found[SOURCES] = {false};

	for (size_t i = 0; i < SOURCES; i++) {
		const struct source *it = &sources[i];
		int64_t value;

		if (is_taken(found, i) || !has_file(folders, n, it->file))
			continue;
		value = tree_number(root, "%s/%s", port, it->file);
		if (value < 0)
			continue;
		found[i] = true;
		counter_snapshot_add(ret, object, it->as, (uint64_t)value * it->unit,
		    it->flags & SOURCE_NARROW);
	}
}

static void
read_port(const char *root, const char *device, const char *port,
    struct counter_snapshot *ret)
{
	static const char *const names[] = {"counters", "hw_counters"};
	struct folder folders[sizeof names / sizeof *names];
	size_t n = sizeof names / sizeof *names;
	char *path = mem_printf("/sys/class/infiniband/%s/ports/%s", device, port);
	char *object = mem_printf("rdma/%s/%s", device, port);

	for (size_t i = 0; i < n; i++) {
		folders[i].path = mem_printf("%s/%s", path, names[i]);
		tree_list(root, folders[i].path, &folders[i].files);
	}
	read_files(root, path, folders, n, object, ret);
	for (size_t i = 0; i < n; i++) {
		tree_names_free(&folders[i].files);
		free(folders[i].path);
	}
	free(object);
	free(path);
}

typedef void port_fn(const char *root, const char *device, const char *port, void *arg);

static void
each_port(const char *root, port_fn *fn, void *arg)
{
	struct tree_names devices, ports;

	tree_list(root, "/sys/class/infiniband", &devices);
	for (vec_each(char **, device, &devices.names)) {
		char *path = mem_printf("/sys/class/infiniband/%s/ports", *device);

		tree_list(root, path, &ports);
		for (vec_each(char **, port, &ports.names))
			fn(root, *device, *port, arg);
		tree_names_free(&ports);
		free(path);
	}
	tree_names_free(&devices);
}

static void
on_port(const char *root, const char *device, const char *port, void *arg)
{
	read_port(root, device, port, arg);
}

void
counters_read_rdma(const char *root, struct counter_snapshot *ret)
{
	each_port(root, on_port, ret);
}

static void
count_port(const char *root, const char *device, const char *port, void *arg)
{
	int64_t *n = arg;

	(void)root;
	(void)device;
	(void)port;
	++*n;
}

int64_t
counters_rdma_ports(const char *root)
{
	int64_t n = 0;

	each_port(root, count_port, &n);
	return n;
}
