/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mounts of network and parallel file systems (/proc/self/mountinfo, proc(5)), and what
 * each says of the wire beneath it.  `transport` is "tcp", "rdma" or "udp", and
 * `evidence` is where that was read; what tells nothing stays unknown.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/probe/parts.h"
#include "agent/probe/tree.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

/* ---- words ---- */

/* The value of "key=" among comma-separated options; "" for a bare word. */
static char *
option(const char *options, const char *key)
{
	size_t len = strlen(key);

	for (const char *p = options; p && *p; p += strspn(p, ",")) {
		size_t n = strcspn(p, ",");
		if (n >= len && strncmp(p, key, len) == 0 &&
		    (n == len || p[len] == '='))
			return mem_strndup(
			    p + len + (n > len), n > len ? n - len - 1 : 0);
		p += n;
	}
	return NULL;
}

static void
found(struct facts_thing *mount, const char *transport, const char *evidence)
{
	facts_set_text(mount, "transport", mem_strdup(transport));
	facts_set_text(mount, "evidence", mem_strdup(evidence));
}

/* ---- NFS ---- */

struct xprts {
	const char *mount_point;
	bool here; /* in the section of this mount */
	unsigned n;
	char kind[16];
	bool mixed;
};

/* "device S:/e mounted on /mnt with fstype nfs4 statvers=1.1", and in its section one
 * "xprt: tcp 0 0 1 …" for each connection. */
static bool
xprt_line(void *arg, char *line)
{
	struct xprts *xprts = arg;
	char *on = strstr(line, " mounted on "), *with, kind[16];

	if (str_starts(line, "device ") && on) {
		on += strlen(" mounted on ");
		with = strstr(on, " with fstype ");
		if (with)
			*with = '\0';
		xprts->here = strcmp(tree_unescape(on), xprts->mount_point) == 0;
		if (xprts->here)
			xprts->n = 0; /* one mount upon another: the last is seen */
	} else if (xprts->here && sscanf(line, " xprt: %15s", kind) == 1) {
		xprts->mixed = xprts->n && strcmp(kind, xprts->kind) != 0;
		snprintf(xprts->kind, sizeof xprts->kind, "%s", kind);
		xprts->n++;
	}
	return true;
}

/* What the connections are, not what was asked for: the kernel may reuse one. */
static void
nfs(const char *root, struct facts_thing *mount)
{
	const char *options = facts_text(mount, "options");
	struct xprts xprts = {.mount_point = mount->name};
	char *proto = option(options, "proto"), *version = option(options, "vers");

	facts_set_text(mount, "proto", proto);
	facts_set_text(mount, "version", version);
	facts_set_text(mount, "server", option(options, "addr"));
	tree_lines(root, "/proc/self/mountstats", xprt_line, &xprts);
	facts_set_number(mount, "connections", xprts.n ? (int64_t)xprts.n : -1);
	if (xprts.n && !xprts.mixed)
		found(mount, xprts.kind, "xprt in /proc/self/mountstats");
	else if (proto && *proto)
		found(mount,
		    str_starts(proto, "tcp")   ? "tcp"
		    : str_starts(proto, "udp") ? "udp"
					       : "rdma",
		    "proto in the mount's options");
}

/* ---- the others ---- */

/* "10.0.0.1@o2ib:10.0.0.2@o2ib:/fs": the network of the first server. */
static void
lustre(const char *root, struct facts_thing *mount)
{
	const char *source = facts_text(mount, "source");
	const char *at = source ? strchr(source, '@') : NULL;

	(void)root;
	if (!at)
		return;
	facts_set_text(mount, "nid", mem_strndup(source, strcspn(source, ":,")));
	facts_set_text(mount, "server", mem_strndup(source, (size_t)(at - source)));
	if (str_starts(at, "@o2ib"))
		found(mount, "rdma", "the network of the server's NID");
	else if (str_starts(at, "@tcp"))
		found(mount, "tcp", "the network of the server's NID");
}

struct words {
	bool rdma, tcp;
};

static bool
beegfs_line(void *arg, char *line)
{
	struct words *words = arg;

	if (strstr(line, "onnections:")) {
		words->rdma = words->rdma || strstr(line, "RDMA:");
		words->tcp = words->tcp || strstr(line, "TCP:");
	}
	return true;
}

/* Connections that exist now; after a while without use there are none. */
static void
beegfs(const char *root, struct facts_thing *mount)
{
	struct words words = {false, false};
	struct tree_names names;

	tree_list(root, "/proc/fs/beegfs", &names);
	for (vec_each(char **, name, &names.names)) {
		char *file = mem_printf("/proc/fs/beegfs/%s/storage_nodes", *name);
		tree_lines(root, file, beegfs_line, &words);
		free(file);
	}
	tree_names_free(&names);
	if (words.rdma != words.tcp)
		found(mount, words.rdma ? "rdma" : "tcp",
		    "connections in /proc/fs/beegfs/*/storage_nodes");
}

static bool
gpfs_line(void *arg, char *line)
{
	struct words *words = arg;
	char value[16];

	if (sscanf(line, " verbsRdma %15s", value) == 1) {
		words->rdma = strcmp(value, "enable") == 0;
		words->tcp = !words->rdma;
	}
	return true;
}

/* Enabled is not yet used: a node falls back to TCP. So only "disable" proves. */
static void
gpfs(const char *root, struct facts_thing *mount)
{
	struct words words = {false, false};

	if (!tree_lines(root, "/var/mmfs/gen/mmfs.cfg", gpfs_line, &words))
		return;
	facts_set_text(mount, "verbs_rdma",
	    words.rdma || words.tcp ? mem_strdup(words.rdma ? "enable" : "disable")
				    : NULL);
	if (words.tcp)
		found(mount, "tcp", "verbsRdma in mmfs.cfg");
}

/* The kernel's client has messengers over TCP only. */
static void
ceph(const char *root, struct facts_thing *mount)
{
	(void)root;
	facts_set_text(
	    mount, "ms_mode", option(facts_text(mount, "options"), "ms_mode"));
	found(mount, "tcp", "the kernel's CephFS client");
}

static void
cifs(const char *root, struct facts_thing *mount)
{
	char *rdma = option(facts_text(mount, "options"), "rdma");

	(void)root;
	facts_set_text(mount, "server", option(facts_text(mount, "options"), "addr"));
	found(mount, rdma ? "rdma" : "tcp", "the mount's options");
	free(rdma);
}

/* UDP is WEKA's own fallback; with a card of its own (DPDK) nothing tells the wire. */
static void
weka(const char *root, struct facts_thing *mount)
{
	char *net = option(facts_text(mount, "options"), "net");

	(void)root;
	facts_set_text(mount, "net", net);
	if (net && strcmp(net, "udp") == 0)
		found(mount, "udp", "net in the mount's options");
}

static const struct {
	const char *fstype;
	void (*probe)(
	    const char *root, struct facts_thing *mount); /* NULL: nothing known */
} fstypes[] = {
    {"nfs", nfs},
    {"nfs4", nfs},
    {"lustre", lustre},
    {"beegfs", beegfs},
    {"gpfs", gpfs},
    {"ceph", ceph},
    {"cifs", cifs},
    {"smb3", cifs},
    {"wekafs", weka},
    {"pvfs2", NULL},
    {"glusterfs", NULL},
    {"fuse.glusterfs", NULL},
    {"fuse.ceph", NULL},
    {"fuse.dfuse", NULL},
    {"9p", NULL},
    {"quobyte", NULL},
    {"fuse.quobyte", NULL},
};

/* ---- which card ---- */

struct route {
	uint32_t address, mask; /* network order; the longest mask so far */
	char netdev[32];
};

/* "eth0 0000000A 00000000 0001 0 0 0 000000FF …": Iface Destination Gateway Flags … Mask,
 * each as the kernel holds it. */
static bool
route_line(void *arg, char *line)
{
	struct route *route = arg;
	char netdev[32];
	uint32_t to, mask, flags;

	if (sscanf(line, "%31s %" SCNx32 " %*x %" SCNx32 " %*d %*d %*d %" SCNx32,
		netdev, &to, &flags, &mask) != 4 ||
	    !(flags & 1) || (route->address & mask) != to)
		return true;
	if (!*route->netdev || ntohl(mask) >= ntohl(route->mask)) {
		route->mask = mask;
		snprintf(route->netdev, sizeof route->netdev, "%s", netdev);
	}
	return true;
}

struct route6 {
	uint8_t address[16];
	int longest; /* prefix so far; −1: none */
	char netdev[32];
};

static bool
has_prefix(const uint8_t address[16], const char *hex, unsigned bits)
{
	for (unsigned i = 0; i < bits; i += 8) {
		unsigned byte, mask = bits - i < 8 ? 0xffu << (8 - (bits - i)) : 0xffu;

		if (sscanf(hex + i / 4, "%2x", &byte) != 1 ||
		    (address[i / 8] & mask & 0xff) != (byte & mask & 0xff))
			return false;
	}
	return true;
}

/* "fd00…0000 40 0000…0000 00 0000…0000 00000100 00000001 00000000 00000001 eth0":
 * destination and its prefix, source, next hop, metric, counts, flags, device. */
static bool
route6_line(void *arg, char *line)
{
	struct route6 *route = arg;
	char to[33], netdev[32];
	unsigned bits, flags;

	if (sscanf(line, "%32s %x %*s %*x %*s %*x %*x %*x %x %31s", to, &bits, &flags,
		netdev) != 4 ||
	    !(flags & 1) || bits > 128 || strcmp(netdev, "lo") == 0)
		return true;
	if ((int)bits > route->longest && has_prefix(route->address, to, bits)) {
		route->longest = (int)bits;
		snprintf(route->netdev, sizeof route->netdev, "%s", netdev);
	}
	return true;
}

/* The card that the way to the server takes, by the main tables. */
static void
find_netdev(const char *root, struct facts_thing *mount)
{
	struct route route = {0};
	struct route6 route6 = {.longest = -1};
	const char *server = facts_text(mount, "server"), *netdev = "";

	if (server && inet_pton(AF_INET, server, &route.address) == 1) {
		tree_lines(root, "/proc/net/route", route_line, &route);
		netdev = route.netdev;
	} else if (server && inet_pton(AF_INET6, server, route6.address) == 1) {
		tree_lines(root, "/proc/net/ipv6_route", route6_line, &route6);
		netdev = route6.netdev;
	}
	facts_set_text(mount, "netdev", *netdev ? mem_strdup(netdev) : NULL);
}

/* ---- mountinfo ---- */

static void
add_mount(const char *root, struct facts *facts, const char *point, const char *fstype,
    const char *source, char *options, size_t kind)
{
	struct facts_thing *mount = facts_add(facts, "mount", point);

	facts_set_text(mount, "fstype", mem_strdup(fstype));
	facts_set_text(mount, "source", mem_strdup(source));
	facts_set_text(mount, "options", options);
	facts_set_text(mount, "transport", NULL);
	if (fstypes[kind].probe)
		fstypes[kind].probe(root, mount);
	find_netdev(root, mount);
}

struct mounts {
	const char *root;
	struct facts *facts;
};

/* "36 35 98:0 / /mnt rw,noatime master:1 - nfs4 server:/export rw,vers=4.2" */
static bool
mount_line(void *arg, char *line)
{
	struct mounts *mounts = arg;
	char *dash = strstr(line, " - "), *point = NULL, *own = NULL, *save = NULL;
	char *after[3] = {0};
	int i = 0;

	if (!dash)
		return true;
	*dash = '\0';
	for (char *word = strtok_r(line, " ", &save); word;
	     word = strtok_r(NULL, " ", &save), i++) {
		point = i == 4 ? word : point;
		own = i == 5 ? word : own;
	}
	for (i = 0; i < 3; i++)
		after[i] = strtok_r(i == 0 ? dash + 3 : NULL, " ", &save);
	if (!after[2] || !own)
		return true;
	for (size_t kind = 0; kind < sizeof fstypes / sizeof fstypes[0]; kind++)
		if (strcmp(fstypes[kind].fstype, after[0]) == 0)
			add_mount(mounts->root, mounts->facts, tree_unescape(point),
			    after[0], tree_unescape(after[1]),
			    mem_printf("%s,%s", own, after[2]), kind);
	return mounts->facts->things.n < FACTS_THINGS_MAX;
}

void
probe_mounts(const char *root, struct facts *facts)
{
	struct mounts mounts = {root, facts};

	tree_lines(root, "/proc/self/mountinfo", mount_line, &mounts);
}
