/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `ethtool -S` shows of pauses, drops and the link.  Names are each driver's own;
 * a table of patterns turns those of mlx5, bnxt and ice into the common ones.  Sources:
 * Linux, mlx5 counters.rst; bnxt_ethtool.c; ice_ethtool.c.
 */
#include "agent/probe/counters.h"

#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/probe/tree.h"
#include "lib/base/mem.h"

#define STATS_MAX 16384 /* of one device: some have a dozen for each queue */

/* '#' is any one digit, the same on both sides. */
static const struct renaming {
	const char *from, *to;
} renamings[] = {
    {"rx_pfc_ena_frames_pri#", "rx_prio#_pause"}, /* bnxt */
    {"tx_pfc_ena_frames_pri#", "tx_prio#_pause"},
    {"pfc_pri#_rx_duration_us", "rx_prio#_pause_duration"},
    {"pfc_pri#_tx_duration_us", "tx_prio#_pause_duration"},
    {"rx_pause_frames", "rx_pause"},
    {"tx_pause_frames", "tx_pause"},
    {"rx_priority_#_xoff.nic", "rx_prio#_pause"}, /* ice */
    {"tx_priority_#_xoff.nic", "tx_prio#_pause"},
    {"link_xoff_rx.nic", "rx_pause"},
    {"link_xoff_tx.nic", "tx_pause"},
    {"rx_pause_ctrl_phy", "rx_pause"}, /* mlx5 */
    {"tx_pause_ctrl_phy", "tx_pause"},
};

/* The digit that '#' stood for; ' ' when there is none; 0: no match. */
static char
match(const char *pattern, const char *name)
{
	char digit = ' ';

	for (; *pattern && *name; pattern++, name++) {
		if (*pattern == '#' && *name >= '0' && *name <= '9')
			digit = *name;
		else if (*pattern != *name)
			return 0;
	}
	return *pattern == *name ? digit : 0;
}

/* What /proc/net/dev has of every device must not be added to it. */
static bool
is_of_proc(const char *name)
{
	static const char *const names[] = {
	    "rx_errors", "rx_dropped", "tx_errors", "tx_dropped"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static void
add(const char *object, const char *name, uint64_t value, struct counter_snapshot *ret)
{
	const struct counter_kind *kind = counter_kind_find(name);

	for (size_t i = 0; i < sizeof renamings / sizeof *renamings; i++) {
		char digit = match(renamings[i].from, name);
		char *own, *at;

		if (!digit)
			continue;
		own = mem_strdup(renamings[i].to);
		if ((at = strchr(own, '#')))
			*at = digit;
		counter_snapshot_add(ret, object, own, value, false);
		free(own);
		return;
	}
	/* traffic is /proc/net/dev's: drivers differ in what they call bytes */
	if (kind && kind->reading && !is_of_proc(name))
		counter_snapshot_add(ret, object, name, value, false);
}

/* ---- below another root ---- */

static void
read_text(const char *root, const char *device, const char *object,
    struct counter_snapshot *ret)
{
	FILE *file = tree_open(root, "/ethtool/%s", device);
	char *line = NULL;
	size_t cap = 0;

	if (!file)
		return;
	while (getline(&line, &cap, file) > 0) {
		char *colon = strchr(line, ':');

		if (!colon)
			continue;
		*colon = '\0';
		add(object, line + strspn(line, " \t"), strtoull(colon + 1, NULL, 10),
		    ret);
	}
	free(line);
	fclose(file);
}

/* ---- of the kernel ---- */

static int
ask(int fd, const char *device, void *question)
{
	struct ifreq request = {.ifr_data = question};

	snprintf(request.ifr_name, sizeof request.ifr_name, "%s", device);
	return ioctl(fd, SIOCETHTOOL, &request);
}

static void
read_kernel(
    int fd, const char *device, const char *object, struct counter_snapshot *ret)
{
	struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};
	struct ethtool_gstrings *names;
	struct ethtool_stats *stats;

	if (ask(fd, device, &info) < 0 || info.n_stats == 0 ||
	    info.n_stats > STATS_MAX)
		return;
	names = mem_alloc(sizeof *names + (size_t)info.n_stats * ETH_GSTRING_LEN);
	stats = mem_alloc(sizeof *stats + info.n_stats * sizeof stats->data[0]);
	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_STATS;
	names->len = stats->n_stats = info.n_stats;
	stats->cmd = ETHTOOL_GSTATS;
	if (ask(fd, device, names) == 0 && ask(fd, device, stats) == 0 &&
	    names->len <= info.n_stats && stats->n_stats <= info.n_stats)
		for (unsigned i = 0; i < stats->n_stats && i < names->len; i++) {
			char name[ETH_GSTRING_LEN + 1] = "";

			memcpy(name, names->data + (size_t)i * ETH_GSTRING_LEN,
			    ETH_GSTRING_LEN);
			add(object, name, stats->data[i], ret);
		}
	free(names);
	free(stats);
}

void
counters_read_ethtool(
    const char *root, const char *device, struct counter_snapshot *ret)
{
	char *object = mem_printf("net/%s", device);
	int fd = *root ? -1 : socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (*root)
		read_text(root, device, object, ret);
	else if (fd >= 0)
		read_kernel(fd, device, object, ret);
	if (fd >= 0)
		close(fd);
	free(object);
}
