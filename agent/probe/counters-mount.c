/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mount of a path, the transports that its client says it uses, and the bytes that
 * the client exchanged with its servers.  NFS: /proc/self/mountstats (Linux,
 * fs/nfs/super.c, net/sunrpc/stats.c; "bytes:" fields 5 and 6 are what READ and WRITE
 * calls carried, "xprt:" names each connection's transport).  Lustre: the stats of its
 * OSCs.  NVMe-oF: the controllers' `transport`, and the block device's stat.  What other
 * file systems say of their transport is in mount.c.
 */
#include "agent/probe/counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/probe/host.h"
#include "agent/probe/tree.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#define MOUNT "mount"
#define SECTOR 512

static bool
is_beneath(const char *path, const char *point)
{
	size_t len = strlen(point);

	return strncmp(path, point, len) == 0 &&
	       (point[len - 1] == '/' || path[len] == '/' || path[len] == '\0');
}

/* "36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw,errors=continue" */
static bool
read_line(char *line, struct counters_mount *ret)
{
	char *dash = strstr(line, " - "), *save, *field[10];
	int n = 0;

	if (!dash)
		return false;
	*dash = '\0';
	for (char *p = strtok_r(line, " ", &save); p && n < 6;
	     p = strtok_r(NULL, " ", &save))
		field[n++] = p;
	for (char *p = strtok_r(dash + 3, " \n", &save); p && n < 9;
	     p = strtok_r(NULL, " \n", &save))
		field[n++] = p;
	if (n < 9)
		return false;
	*ret = (struct counters_mount){.point = tree_unescape(field[4]),
	    .fstype = field[6],
	    .source = tree_unescape(field[7]),
	    .options = field[8]};
	return true;
}

/* "nvme0n1" of /dev/nvme0n1p1; NULL: no such device.  With multipath the device is a
 * subsystem's, below which its controllers stand. */
static char *
nvme_disk(const char *source)
{
	unsigned controller, name_space;

	if (sscanf(source, "/dev/nvme%un%u", &controller, &name_space) != 2)
		return NULL;
	return mem_printf("nvme%un%u", controller, name_space);
}

/* The longest point that holds it, and of equal ones the one mounted last. */
static void
find_mount(const char *root, const char *path, struct counters_mount *ret)
{
	FILE *file = tree_open(root, "/proc/self/mountinfo");
	struct counters_mount one;
	char *line = NULL;
	size_t cap = 0;

	if (!file)
		return;
	while (getline(&line, &cap, file) > 0) {
		if (!read_line(line, &one) || !is_beneath(path, one.point) ||
		    (ret->point && strlen(ret->point) > strlen(one.point)))
			continue;
		counters_mount_free(ret);
		*ret = (struct counters_mount){.point = mem_strdup(one.point),
		    .fstype = mem_strdup(one.fstype),
		    .source = mem_strdup(one.source),
		    .options = mem_strdup(one.options)};
	}
	free(line);
	fclose(file);
}

void
counters_mount_of(const char *root, const char *path, struct counters_mount *ret)
{
	char *disk = nvme_disk(path);

	*ret = (struct counters_mount){0};
	if (disk) /* the device itself */
		*ret = (struct counters_mount){.point = mem_strdup(path),
		    .fstype = mem_strdup("block"),
		    .source = mem_strdup(path),
		    .options = mem_strdup("")};
	else
		find_mount(root, path, ret);
	free(disk);
}

void
counters_mount_free(struct counters_mount *mount)
{
	free(mount->point);
	free(mount->fstype);
	free(mount->source);
	free(mount->options);
	*mount = (struct counters_mount){0};
}

static unsigned
protocol_of(const char *word)
{
	if (str_starts(word, "tcp"))
		return COUNTERS_TCP;
	return str_starts(word, "rdma") ? COUNTERS_RDMA : 0;
}

/* ---- NFS ---- */

struct nfs_stats {
	unsigned protocols;
	uint64_t bytes[8];
	int columns; /* of bytes that were there */
	uint64_t bad_xids;
	bool has_xprt;
};

static void
read_xprt(char *line, struct nfs_stats *ret)
{
	/* of TCP: port binds connects seconds idle sends receives bad_xids; the same
	 * of RDMA */
	char *save, *word = strtok_r(line, " \t\n", &save);
	int column = 0;

	ret->protocols |= protocol_of(word ? word : "");
	ret->has_xprt = true;
	while ((word = strtok_r(NULL, " \t\n", &save)))
		if (column++ == 7)
			ret->bad_xids += strtoull(word, NULL, 10);
}

static void
read_bytes(char *line, struct nfs_stats *ret)
{
	char *save;

	for (char *word = strtok_r(line, " \t\n", &save); word && ret->columns < 8;
	     word = strtok_r(NULL, " \t\n", &save))
		ret->bytes[ret->columns++] = strtoull(word, NULL, 10);
}

/* "device server:/x mounted on /mnt with fstype nfs4 statvers=1.1" begins a mount. */
static void
read_nfs(const char *root, const char *point, struct nfs_stats *ret)
{
	FILE *file = tree_open(root, "/proc/self/mountstats");
	char *wanted = mem_printf(" mounted on %s with fstype nfs", point), *line = NULL;
	size_t cap = 0;
	bool here = false;

	*ret = (struct nfs_stats){0};
	while (file && getline(&line, &cap, file) > 0) {
		char *p = line + strspn(line, " \t");

		if (str_starts(p, "device ")) {
			here = strstr(tree_unescape(p), wanted) != NULL;
			if (here) /* a later mount hides an earlier one */
				*ret = (struct nfs_stats){0};
		} else if (here && str_starts(p, "bytes:")) {
			read_bytes(p + strlen("bytes:"), ret);
		} else if (here && str_starts(p, "xprt:")) {
			read_xprt(p + strlen("xprt:"), ret);
		}
	}
	free(line);
	free(wanted);
	if (file)
		fclose(file);
}

static void
add_nfs(const char *root, const struct counters_mount *mount,
    struct counter_snapshot *ret)
{
	struct nfs_stats stats;

	read_nfs(root, mount->point, &stats);
	if (stats.columns >= 6) {
		counter_snapshot_add(
		    ret, MOUNT, "server_read_bytes", stats.bytes[4], false);
		counter_snapshot_add(
		    ret, MOUNT, "server_write_bytes", stats.bytes[5], false);
	}
	if (stats.has_xprt)
		counter_snapshot_add(ret, MOUNT, "bad_xids", stats.bad_xids, false);
}

static unsigned
nfs_protocols(const char *root, const struct counters_mount *mount)
{
	struct nfs_stats stats;

	read_nfs(root, mount->point, &stats);
	return stats.protocols;
}

/* ---- Lustre ---- */

/* "read_bytes 10 samples [bytes] 4096 1048576 10485760": the last is the sum. */
static void
add_osc(const char *root, const char *folder, const char *name,
    struct counter_snapshot *ret)
{
	FILE *file = tree_open(root, "%s/%s/stats", folder, name);
	char *line = NULL, what[32];
	size_t cap = 0;
	uint64_t sum;

	while (file && getline(&line, &cap, file) > 0) {
		if (sscanf(line, "%31s %*u samples [bytes] %*u %*u %" SCNu64, what,
			&sum) != 2)
			continue;
		if (strcmp(what, "read_bytes") == 0)
			counter_snapshot_add(
			    ret, MOUNT, "server_read_bytes", sum, false);
		else if (strcmp(what, "write_bytes") == 0)
			counter_snapshot_add(
			    ret, MOUNT, "server_write_bytes", sum, false);
	}
	free(line);
	if (file)
		fclose(file);
}

static void
add_lustre(const char *root, const struct counters_mount *mount,
    struct counter_snapshot *ret)
{
	static const char *const folders[] = {
	    "/sys/kernel/debug/lustre/osc", "/proc/fs/lustre/osc"};
	const char *slash = strstr(mount->source, ":/");
	char *prefix = mem_printf("%s-OST", slash ? slash + 2 : "");

	for (size_t i = 0; slash && i < sizeof folders / sizeof *folders; i++) {
		struct tree_names names;

		tree_list(root, folders[i], &names);
		for (vec_each(char **, it, &names.names))
			if (str_starts(*it, prefix))
				add_osc(root, folders[i], *it, ret);
		tree_names_free(&names);
	}
	free(prefix);
}

/* ---- NVMe over fabrics ---- */

static unsigned
nvme_protocols(const char *root, const struct counters_mount *mount)
{
	char *disk = nvme_disk(mount->source), *folder, *word;
	struct tree_names names;
	unsigned ret;

	if (!disk)
		return 0;
	folder = mem_printf("/sys/class/block/%s/device", disk);
	word = tree_line(root, "%s/transport", folder);
	ret = word ? protocol_of(word) : 0;
	free(word);
	tree_list(root, folder, &names);
	for (vec_each(char **, it, &names.names)) {
		if (!str_starts(*it, "nvme"))
			continue;
		word = tree_line(root, "%s/%s/transport", folder, *it);
		ret |= word ? protocol_of(word) : 0;
		free(word);
	}
	tree_names_free(&names);
	free(folder);
	free(disk);
	return ret;
}

/* Documentation/block/stat.rst: fields 3 and 7 are sectors read and written. */
static void
add_stat(const char *root, const char *folder, struct counter_snapshot *ret)
{
	char *line = tree_line(root, "%s/stat", folder);
	uint64_t read, written;

	if (line && sscanf(line, "%*u %*u %" SCNu64 " %*u %*u %*u %" SCNu64, &read,
			&written) == 2) {
		counter_snapshot_add(
		    ret, MOUNT, "server_read_bytes", read * SECTOR, false);
		counter_snapshot_add(
		    ret, MOUNT, "server_write_bytes", written * SECTOR, false);
	}
	free(line);
}

/* "nvme2c5n1" of "nvme2n1": what one controller of the subsystem does for it. */
static bool
is_path_of(const char *name, const char *disk)
{
	unsigned a, b, controller, c, d;

	return sscanf(name, "nvme%uc%un%u", &a, &controller, &b) == 3 &&
	       sscanf(disk, "nvme%un%u", &c, &d) == 2 && a == c && b == d;
}

/* With multipath the paths count, and the device that they make may not: kernels before
 * 6.5 leave its stat at 0. */
static void
add_nvme(const char *root, const struct counters_mount *mount,
    struct counter_snapshot *ret)
{
	char *disk = nvme_disk(mount->source), *device;
	struct tree_names controllers, paths;
	bool multipath = false;

	if (!disk)
		return;
	device = mem_printf("/sys/class/block/%s/device", disk);
	tree_list(root, device, &controllers);
	for (vec_each(char **, controller, &controllers.names)) {
		char *folder = mem_printf("%s/%s", device, *controller);

		tree_list(root, folder, &paths);
		for (vec_each(char **, it, &paths.names)) {
			char *path = mem_printf("%s/%s", folder, *it);

			if (is_path_of(*it, disk)) {
				add_stat(root, path, ret);
				multipath = true;
			}
			free(path);
		}
		tree_names_free(&paths);
		free(folder);
	}
	tree_names_free(&controllers);
	free(device);
	device = mem_printf("/sys/class/block/%s", disk);
	if (!multipath)
		add_stat(root, device, ret);
	free(device);
	free(disk);
}

/* ---- by file system ---- */

/* As the facts of the host have it; NULL: not a mount of a network file system. */
static const struct facts_thing *
facts_of(struct facts *facts, const char *root, const struct counters_mount *mount)
{
	probe_mounts(root, facts);
	return facts_find(facts, "mount", mount->point);
}

unsigned
counters_protocols(const char *root, const struct counters_mount *mount)
{
	struct facts *facts;
	const struct facts_thing *thing;
	const char *word;
	unsigned ret;

	if (!mount->point)
		return 0;
	if (str_starts(mount->fstype, "nfs")) /* facts may know no more than options */
		return nfs_protocols(root, mount);
	facts = mem_alloc(sizeof *facts);
	thing = facts_of(facts, root, mount);
	word = thing ? facts_text(thing, "transport") : NULL;
	ret = thing ? protocol_of(word ? word : "") : nvme_protocols(root, mount);
	facts_free(facts);
	return ret;
}

bool
counters_mount_is_remote(const char *root, const struct counters_mount *mount)
{
	struct facts *facts = mem_alloc(sizeof *facts);
	bool ret = mount->point && (facts_of(facts, root, mount) ||
				       nvme_protocols(root, mount) != 0);

	facts_free(facts);
	return ret;
}

void
counters_read_mount(const char *root, const struct counters_mount *mount,
    struct counter_snapshot *ret)
{
	if (str_starts(mount->fstype, "nfs"))
		add_nfs(root, mount, ret);
	else if (str_starts(mount->fstype, "lustre"))
		add_lustre(root, mount, ret);
	else
		add_nvme(root, mount, ret);
}
