/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Network devices, TCP and soft interrupts: /proc/net/dev, /proc/net/snmp,
 * /proc/net/netstat, /proc/softirqs, /proc/stat (proc(5)).  /proc/net is the one of the
 * agent's own network namespace, whatever /sys was mounted for.
 */
#include "agent/probe/counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/probe/tree.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#define MS_PER_TICK 10 /* USER_HZ is 100 wherever Linux is */

/* ---- network devices ---- */

/* A bond, bridge or VLAN passes on what the devices below it count already. */
static bool
is_stacked(const char *root, const char *device)
{
	char *path = mem_printf("/sys/class/net/%s", device);
	struct tree_names names;
	bool ret = false;

	tree_list(root, path, &names);
	for (vec_each(char **, it, &names.names))
		ret = ret || str_starts(*it, "lower_");
	tree_names_free(&names);
	free(path);
	return ret;
}

/* "bytes packets errs drop fifo frame compressed multicast", received, then sent. */
static void
add_device(const char *root, char *line, struct counter_snapshot *ret)
{
	static const struct {
		const char *name;
		int column;
	} columns[] = {{"rx_bytes", 0}, {"rx_packets", 1}, {"rx_errors", 2},
	    {"rx_dropped", 3}, {"tx_bytes", 8}, {"tx_packets", 9}, {"tx_errors", 10},
	    {"tx_dropped", 11}};
	uint64_t values[16];
	char *colon = strrchr(line, ':'), *p;
	int n = 0;

	if (!colon)
		return;
	*colon = '\0';
	line += strspn(line, " ");
	for (p = colon + 1; n < 16; n++) {
		char *end;

		values[n] = strtoull(p, &end, 10);
		if (end == p)
			return;
		p = end;
	}
	if (is_stacked(root, line))
		return;
	char *object = mem_printf("net/%s", line);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		counter_snapshot_add(
		    ret, object, columns[i].name, values[columns[i].column], false);
	free(object);
	counters_read_ethtool(root, line, ret);
}

void
counters_read_net(const char *root, struct counter_snapshot *ret)
{
	FILE *file = tree_open(root, "/proc/net/dev");
	char *line = NULL;
	size_t cap = 0;

	if (!file)
		return;
	while (getline(&line, &cap, file) > 0)
		add_device(root, line, ret);
	free(line);
	fclose(file);
}

/* ---- TCP: a line of names, and one of values that begins with the same word ---- */

struct wanted {
	const char *word, *name, *as;
};

static const struct wanted wanted[] = {
    {"Tcp:", "InSegs", "TcpInSegs"},
    {"Tcp:", "OutSegs", "TcpOutSegs"},
    {"Tcp:", "RetransSegs", "TcpRetransSegs"},
    {"TcpExt:", "TCPLostRetransmit", "TCPLostRetransmit"},
    {"TcpExt:", "TCPTimeouts", "TCPTimeouts"},
    {"TcpExt:", "TCPOFOQueue", "TCPOFOQueue"},
};

static void
add_pair(char *names, char *values, struct counter_snapshot *ret)
{
	char *save_names, *save_values;
	char *name = strtok_r(names, " \n", &save_names);
	char *value = strtok_r(values, " \n", &save_values);
	const char *word = name;

	if (!name || !value || strcmp(name, value) != 0)
		return;
	while ((name = strtok_r(NULL, " \n", &save_names)) &&
	       (value = strtok_r(NULL, " \n", &save_values)))
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
			if (strcmp(wanted[i].word, word) == 0 &&
			    strcmp(wanted[i].name, name) == 0)
				counter_snapshot_add(ret, "tcp", wanted[i].as,
				    strtoull(value, NULL, 10), false);
}

static void
read_pairs(const char *root, const char *path, struct counter_snapshot *ret)
{
	FILE *file = tree_open(root, "%s", path);
	char *names = NULL, *values = NULL;
	size_t names_cap = 0, values_cap = 0;

	if (!file)
		return;
	while (getline(&names, &names_cap, file) > 0 &&
	       getline(&values, &values_cap, file) > 0)
		add_pair(names, values, ret);
	free(names);
	free(values);
	fclose(file);
}

/* ---- soft interrupts ---- */

static void
add_softirq(char *line, struct counter_snapshot *ret)
{
	static const struct wanted of[] = {
	    {"NET_RX:", NULL, "net_rx_softirqs"}, {"NET_TX:", NULL, "net_tx_softirqs"}};
	char *save, *word = strtok_r(line, " \n", &save);
	uint64_t sum = 0;

	for (size_t i = 0; word && i < sizeof of / sizeof *of; i++) {
		if (strcmp(word, of[i].word) != 0)
			continue;
		while ((word = strtok_r(NULL, " \n", &save)))
			sum += strtoull(word, NULL, 10);
		counter_snapshot_add(ret, "softirq", of[i].as, sum, false);
	}
}

static void
read_softirqs(const char *root, struct counter_snapshot *ret)
{
	FILE *file = tree_open(root, "/proc/softirqs");
	char *line = NULL, *stat = tree_line(root, "/proc/stat");
	size_t cap = 0;
	uint64_t ticks;

	while (file && getline(&line, &cap, file) > 0)
		add_softirq(line, ret);
	free(line);
	if (file)
		fclose(file);
	/* user nice system idle iowait irq softirq */
	if (stat && sscanf(stat, "cpu %*u %*u %*u %*u %*u %*u %" SCNu64, &ticks) == 1)
		counter_snapshot_add(
		    ret, "softirq", "softirq_ms", ticks * MS_PER_TICK, false);
	free(stat);
}

void
counters_read(const char *root, const struct counters_mount *mount,
    struct counter_snapshot *ret)
{
	counter_snapshot_free(ret);
	counters_read_net(root, ret);
	counters_read_rdma(root, ret);
	read_pairs(root, "/proc/net/snmp", ret);
	read_pairs(root, "/proc/net/netstat", ret);
	read_softirqs(root, ret);
	if (mount && mount->point)
		counters_read_mount(root, mount, ret);
	counter_snapshot_close(ret, clock_ns());
}
