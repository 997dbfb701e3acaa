/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hangfs FOLDER CONTROL MOUNTPOINT [TREE]: a file system that passes everything on to FOLDER,
 * and hangs on demand, as a dead mount does.  While CONTROL holds the word "read", reads
 * and writes of data never return; "all" stops every other call too.  Prints the number
 * of its connection, to be aborted through /sys/fs/fuse/connections/N/abort: nothing
 * else ends a process that waits for it.
 *
 * With TREE it has a wire: what is read and written moves the counters of a network
 * card below TREE/proc and TREE/sys, as volleyd --probe-root reads them.  TREE/wire has
 * two words, for files below MOUNTPOINT/tcp and for all others: "tcp" or "rdma" carries
 * them, "sick" is RDMA that loses packets and is slow, "large" is TCP that sees nothing
 * of reads of up to 64 KiB, "none" moves no counter.
 */
#define FUSE_USE_VERSION 312

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define THREADS 64 /* each call that hangs keeps one */

struct wire {
	const char *tree; /* NULL: none */
	pthread_mutex_t mutex;
	uint64_t tcp[2], rdma[2]; /* bytes received, sent */
	uint64_t lost;
};

struct hangfs {
	int folder;
	const char *control;
	struct wire wire;
};

static struct hangfs *hangfs(void)
{
	return fuse_get_context()->private_data;
}

/* "/a/b" beneath the folder is "a/b". */
static const char *beneath(const char *path)
{
	return path[1] ? path + 1 : ".";
}

static void hang_if(const char *word)
{
	char text[16] = "";
	int fd = open(hangfs()->control, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (read(fd, text, sizeof text - 1) > 0 && strncmp(text, word, strlen(word)) == 0)
		for (;;)
			pause();
	close(fd);
}

static void hang_meta(void)
{
	hang_if("all");
}

static void hang_data(void)
{
	hang_if("all");
	hang_if("read");
}

/* ---- the wire ---- */

/* As a whole, or not at all: others read it meanwhile. */
static void put(const char *tree, const char *name, const char *text)
{
	char path[1024], part[1040];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", tree, name);
	snprintf(part, sizeof part, "%s.part", path);
	f = fopen(part, "we");
	if (!f)
		return;
	fputs(text, f);
	fclose(f);
	rename(part, path);
}

static void put_number(const char *tree, const char *name, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRIu64 "\n", value);
	put(tree, name, text);
}

#define PORT "sys/class/infiniband/mlx5_0/ports/1/"

static void put_counters(const struct wire *wire)
{
	char text[256];

	snprintf(text, sizeof text,
		 "  eth0: %" PRIu64 " 0 0 0 0 0 0 0 %" PRIu64 " 0 0 0 0 0 0 0\n",
		 wire->tcp[0], wire->tcp[1]);
	put(wire->tree, "proc/net/dev", text);
	put_number(wire->tree, PORT "counters/port_rcv_data", wire->rdma[0] / 4);
	put_number(wire->tree, PORT "counters/port_xmit_data", wire->rdma[1] / 4);
	put_number(wire->tree, PORT "hw_counters/out_of_sequence", wire->lost);
}

/* The word of this file's transport. */
static void wire_word(const struct wire *wire, const char *path, char ret[16])
{
	char name[1024], other[16];
	FILE *f;

	snprintf(name, sizeof name, "%s/wire", wire->tree);
	*ret = '\0';
	f = fopen(name, "re");
	if (f && fscanf(f, "%15s %15s", ret, other) == 2 && strncmp(path, "/tcp/", 5) != 0)
		strcpy(ret, other);
	if (f)
		fclose(f);
}

#define SMALL (64u << 10)
#define SLOW_NS 4000000

static void carry(const char *path, size_t len, int sent)
{
	static const struct timespec slow = {.tv_nsec = SLOW_NS};
	struct wire *wire = &hangfs()->wire;
	bool sick;
	char word[16];

	if (!wire->tree)
		return;
	pthread_mutex_lock(&wire->mutex);
	wire_word(wire, path, word);
	sick = strcmp(word, "sick") == 0;
	if (strcmp(word, "tcp") == 0 || (strcmp(word, "large") == 0 && len > SMALL))
		wire->tcp[sent] += len;
	if (strcmp(word, "rdma") == 0 || sick)
		wire->rdma[sent] += len;
	wire->lost += sick;
	put_counters(wire);
	pthread_mutex_unlock(&wire->mutex);
	if (sick)
		nanosleep(&slow, NULL);
}

static int result(int rc)
{
	return rc < 0 ? -errno : rc;
}

static void *fs_init(struct fuse_conn_info *conn, struct fuse_config *config)
{
	(void)conn;
	/* Nothing is answered from a cache. */
	config->direct_io = 1;
	config->attr_timeout = config->entry_timeout = config->negative_timeout = 0;
	return hangfs();
}

static int fs_getattr(const char *path, struct stat *st, struct fuse_file_info *info)
{
	hang_meta();
	if (info)
		return result(fstat((int)info->fh, st));
	return result(
		fstatat(hangfs()->folder, beneath(path), st, AT_SYMLINK_NOFOLLOW));
}

static int fs_readdir(const char *path, void *buf, fuse_fill_dir_t fill, off_t offset,
		      struct fuse_file_info *info, enum fuse_readdir_flags flags)
{
	(void)offset;
	(void)info;
	(void)flags;
	hang_meta();
	int fd = openat(hangfs()->folder, beneath(path),
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir)))
		fill(buf, entry->d_name, NULL, 0, 0);
	closedir(dir);
	return 0;
}

static int keep(int fd, struct fuse_file_info *info)
{
	if (fd < 0)
		return -errno;
	info->fh = (uint64_t)fd;
	return 0;
}

static int fs_open(const char *path, struct fuse_file_info *info)
{
	hang_meta();
	return keep(openat(hangfs()->folder, beneath(path),
			   (info->flags & ~(O_DIRECT | O_NOFOLLOW)) | O_CLOEXEC),
		    info);
}

static int fs_create(const char *path, mode_t mode, struct fuse_file_info *info)
{
	hang_meta();
	return keep(openat(hangfs()->folder, beneath(path),
			   (info->flags & ~O_DIRECT) | O_CREAT | O_CLOEXEC, mode),
		    info);
}

static int fs_read(const char *path, char *buf, size_t len, off_t at,
		   struct fuse_file_info *info)
{
	hang_data();
	carry(path, len, 0);
	return result((int)pread((int)info->fh, buf, len, at));
}

static int fs_write(const char *path, const char *buf, size_t len, off_t at,
		    struct fuse_file_info *info)
{
	hang_data();
	carry(path, len, 1);
	return result((int)pwrite((int)info->fh, buf, len, at));
}

static int fs_truncate(const char *path, off_t size, struct fuse_file_info *info)
{
	hang_meta();
	if (info)
		return result(ftruncate((int)info->fh, size));
	int fd = openat(hangfs()->folder, beneath(path), O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int rc = result(ftruncate(fd, size));
	close(fd);
	return rc;
}

static int fs_fsync(const char *path, int only_data, struct fuse_file_info *info)
{
	(void)path;
	(void)only_data;
	hang_meta();
	return result(fsync((int)info->fh));
}

static int fs_release(const char *path, struct fuse_file_info *info)
{
	(void)path;
	close((int)info->fh);
	return 0;
}

static int fs_mkdir(const char *path, mode_t mode)
{
	hang_meta();
	return result(mkdirat(hangfs()->folder, beneath(path), mode));
}

static int fs_unlink(const char *path)
{
	hang_meta();
	return result(unlinkat(hangfs()->folder, beneath(path), 0));
}

static int fs_rmdir(const char *path)
{
	hang_meta();
	return result(unlinkat(hangfs()->folder, beneath(path), AT_REMOVEDIR));
}

static int fs_rename(const char *from, const char *to, unsigned flags)
{
	hang_meta();
	return result(renameat2(hangfs()->folder, beneath(from), hangfs()->folder,
				beneath(to), flags));
}

static int fs_chmod(const char *path, mode_t mode, struct fuse_file_info *info)
{
	(void)info;
	hang_meta();
	return result(fchmodat(hangfs()->folder, beneath(path), mode, 0));
}

static int fs_statfs(const char *path, struct statvfs *vfs)
{
	(void)path;
	hang_meta();
	return result(fstatvfs(hangfs()->folder, vfs));
}

static const struct fuse_operations operations = {
	.init = fs_init,
	.getattr = fs_getattr,
	.readdir = fs_readdir,
	.open = fs_open,
	.create = fs_create,
	.read = fs_read,
	.write = fs_write,
	.truncate = fs_truncate,
	.fsync = fs_fsync,
	.release = fs_release,
	.mkdir = fs_mkdir,
	.unlink = fs_unlink,
	.rmdir = fs_rmdir,
	.rename = fs_rename,
	.chmod = fs_chmod,
	.statfs = fs_statfs,
};

/* The connection is numbered as the device of its mount. */
static int connection(const char *mountpoint)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char line[4096], where[1024];
	unsigned major, minor;
	int number = -1;

	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "%*d %*d %u:%u %*s %1023s", &major, &minor, where) == 3 &&
		    strcmp(where, mountpoint) == 0)
			number = (int)minor;
	if (f)
		fclose(f);
	return number;
}

static int serve(struct fuse *fuse, const char *mountpoint)
{
	struct fuse_loop_config *config = fuse_loop_cfg_create();
	int rc;

	if (fuse_mount(fuse, mountpoint) < 0)
		return 1;
	printf("%d\n", connection(mountpoint));
	fflush(stdout);
	fuse_loop_cfg_set_max_threads(config, THREADS);
	rc = fuse_loop_mt(fuse, config);
	fuse_loop_cfg_destroy(config);
	fuse_unmount(fuse);
	return rc != 0;
}

int main(int argc, char **argv)
{
	char *words[] = {argv[0], (char *)"-oallow_other,fsname=hangfs"};
	struct fuse_args args = FUSE_ARGS_INIT(2, words);
	struct hangfs fs = {.wire.mutex = PTHREAD_MUTEX_INITIALIZER};

	if (argc != 4 && argc != 5) {
		fputs("usage: hangfs FOLDER CONTROL MOUNTPOINT [TREE]\n", stderr);
		return 2;
	}
	fs.folder = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fs.control = argv[2];
	fs.wire.tree = argv[4];
	if (fs.wire.tree)
		put_counters(&fs.wire);
	if (fs.folder < 0) {
		perror(argv[1]);
		return 1;
	}
	struct fuse *fuse = fuse_new(&args, &operations, sizeof operations, &fs);
	return fuse ? serve(fuse, argv[3]) : 1;
}
