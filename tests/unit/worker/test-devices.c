/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who uses a block device: against made-up /proc and /sys folders, and, as root,
 * with a real loop device through the guard.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "agent/worker/devices.h"
#include "agent/worker/guard.h"
#include "lib/base/mem.h"
#include "lib/work/job.h"
#include "tests/unit/worker/support.h"

static struct err err;
static struct devices_root root;

static void
make_dir(const char *name)
{
	ck_assert_int_eq(mkdir(scratch_path(name), 0700), 0);
}

static void
write_text(const char *name, const char *text)
{
	FILE *f = fopen(scratch_path(name), "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* A disk 259:0 with partition 259:1; nobody uses them. */
static void
setup(void)
{
	err = ERR_INIT;
	scratch_make();
	make_dir("proc");
	make_dir("proc/self");
	make_dir("sys");
	make_dir("sys/dev");
	make_dir("sys/dev/block");
	make_dir("sys/nvme");
	make_dir("sys/nvme/holders");
	make_dir("sys/nvme/p1");
	make_dir("sys/nvme/p1/holders");
	write_text("sys/nvme/dev", "259:0\n");
	write_text("sys/nvme/p1/dev", "259:1\n");
	write_text("sys/nvme/p1/partition", "1\n");
	ck_assert_int_eq(symlink("../../nvme", scratch_path("sys/dev/block/259:0")), 0);
	ck_assert_int_eq(
	    symlink("../../nvme/p1", scratch_path("sys/dev/block/259:1")), 0);
	write_text("proc/self/mountinfo",
	    "21 1 8:1 / / rw,relatime - ext4 /dev/no-such-node rw\n"
	    "22 21 0:20 / /proc rw shared:5 - proc proc rw\n");
	write_text("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
	root.proc = mem_strdup(scratch_path("proc"));
	root.sys = mem_strdup(scratch_path("sys"));
}

static void
teardown(void)
{
	free((void *)(uintptr_t)root.proc);
	free((void *)(uintptr_t)root.sys);
	scratch_remove();
}

static int
check(unsigned minor_no)
{
	err = ERR_INIT;
	return devices_check_free(&root, makedev(259, minor_no), "/dev/x", &err);
}

START_TEST(nobody_uses_it)
{
	ck_assert_msg(check(0) == 0, "%s", err.msg);
	ck_assert_int_eq(check(1), 0);
	ck_assert_int_eq(check(9), 0);
}
END_TEST

START_TEST(a_mount_is_found_by_number)
{
	write_text("proc/self/mountinfo",
	    "40 21 259:1 / /mnt/a\\040b rw master:1 - ext4 /dev/whatever rw\n");
	ck_assert_int_eq(check(1), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_str_eq(err.msg, "/dev/x is in use: mounted on /mnt/a b");
	ck_assert_int_eq(check(0), -1); /* the disk of a mounted partition */
	ck_assert_int_eq(check(9), 0);
}
END_TEST

START_TEST(the_disk_itself_is_mounted)
{
	write_text("proc/self/mountinfo", "40 21 259:0 / /mnt rw - xfs /dev/n rw\n");
	ck_assert_int_eq(check(1), -1);
}
END_TEST

START_TEST(a_holder_is_found)
{
	write_text("sys/nvme/p1/holders/dm-3", "");
	ck_assert_int_eq(check(1), -1);
	ck_assert_str_eq(err.msg, "/dev/x is in use: held by dm-3");
	ck_assert_int_eq(check(0), -1);
}
END_TEST

/* A set up loop device NAME, 7:MINOR, on BACKING (a path). */
static void
fake_loop(const char *name, unsigned minor_no, const char *backing)
{
	char dir[64], path[128];

	snprintf(dir, sizeof dir, "sys/block/%s", name);
	make_dir(dir);
	snprintf(path, sizeof path, "%s/loop", dir);
	make_dir(path);
	snprintf(path, sizeof path, "%s/dev", dir);
	{
		char number[32];

		snprintf(number, sizeof number, "7:%u\n", minor_no);
		write_text(path, number);
		number[strcspn(number, "\n")] = '\0';
		snprintf(path, sizeof path, "sys/dev/block/%s", number);
	}
	{
		char to[64];

		snprintf(to, sizeof to, "../../block/%s", name);
		ck_assert_int_eq(symlink(to, scratch_path(path)), 0);
	}
	snprintf(path, sizeof path, "%s/loop/backing_file", dir);
	write_text(path, backing);
}

/* A node of 259:MINOR; false: only root may make one. */
static bool
fake_node(const char *name, unsigned minor_no)
{
	if (mknod(scratch_path(name), S_IFBLK | 0600, makedev(259, minor_no)) == 0)
		return true;
	printf("mknod: %s: not tested\n", strerror(errno));
	return false;
}

/* Mounted through a loop device, it is neither held nor mounted by its number. */
START_TEST(a_loop_on_it_is_found)
{
	char *backing;

	if (!fake_node("part", 1))
		return;
	make_dir("sys/block");
	backing = mem_strdup(scratch_path("part"));
	fake_loop("loop90001", 1, backing);
	ck_assert_int_eq(check(1), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_str_eq(err.msg, "/dev/x is in use: loop90001 lies on it");
	ck_assert_int_eq(check(0), -1); /* the disk of that partition */
	ck_assert_int_eq(check(9), 0);
	free(backing);
}
END_TEST

/* The loop device itself: what it lies on counts, and who else lies there. */
START_TEST(a_loop_lies_on_what_is_used)
{
	char *part, *image;

	if (!fake_node("part", 1))
		return;
	make_dir("sys/block");
	part = mem_strdup(scratch_path("part"));
	scratch_file("image", 4096);
	image = mem_strdup(scratch_path("image"));
	fake_loop("loop90001", 1, part);
	fake_loop("loop90002", 2, image);
	ck_assert_msg(
	    devices_check_free(&root, makedev(7, 1), "L", &err) == 0, "%s", err.msg);
	ck_assert_msg(
	    devices_check_free(&root, makedev(7, 2), "L", &err) == 0, "%s", err.msg);
	fake_loop("loop90003", 3, image);
	ck_assert_int_eq(devices_check_free(&root, makedev(7, 2), "L", &err), -1);
	ck_assert_str_eq(err.msg, "L is in use: loop90003 lies on it");
	write_text("proc/self/mountinfo", "40 21 259:1 / /m rw - ext4 /dev/n rw\n");
	ck_assert_int_eq(devices_check_free(&root, makedev(7, 1), "L", &err), -1);
	ck_assert_str_eq(err.msg, "L is in use: mounted on /m");
	free(part);
	free(image);
}
END_TEST

START_TEST(a_loop_nobody_can_tell_of)
{
	make_dir("sys/block");
	fake_loop("loop90001", 1, "/dev/no-such-node (deleted)");
	ck_assert_int_eq(check(1), -1);
	ck_assert_str_eq(err.msg, "/dev/x: cannot tell whether loop90001 lies on it");
}
END_TEST

START_TEST(not_knowing_is_no_permission)
{
	ck_assert_int_eq(unlink(scratch_path("proc/self/mountinfo")), 0);
	ck_assert_int_eq(check(0), -1);
	ck_assert_int_eq(err.code, ERR_SYS);
}
END_TEST

/* A loop device over SCRATCH/backing, or -1: why not is printed. */
static int
make_loop(char path[32])
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int number, loop, backing;

	if (control < 0 || (number = ioctl(control, LOOP_CTL_GET_FREE)) < 0) {
		printf("no loop devices here (%s): not tested\n", strerror(errno));
		if (control >= 0)
			close(control);
		return -1;
	}
	close(control);
	snprintf(path, 32, "/dev/loop%d", number);
	scratch_file("backing", 1 << 20);
	backing = open(scratch_path("backing"), O_RDWR);
	loop = open(path, O_RDWR);
	if (loop < 0 || ioctl(loop, LOOP_SET_FD, backing) < 0) {
		printf("%s: %s: not tested\n", path, strerror(errno));
		close(loop);
		loop = -1;
	}
	close(backing);
	return loop;
}

static int
open_device(const char *allow, const char *write, const char *path, bool writes,
    struct guard_file *file)
{
	struct link_spec spec = {.client_count = 1, .client = mem_strdup("c")};
	struct guard *guard;
	int rc;

	err = ERR_INIT;
	if (allow)
		vec_push(&spec.allow, mem_strdup(allow));
	if (write)
		vec_push(&spec.allow_write, mem_strdup(write));
	ck_assert_int_eq(guard_new(&guard, &spec, &err), 0);
	rc = guard_open(guard, path, writes, false, JOB_BUFFERED, file, &err);
	guard_free(guard);
	link_spec_free(&spec);
	return rc;
}

START_TEST(a_real_device_through_the_guard)
{
	struct guard_file file;
	char path[32], *alias;
	int loop = make_loop(path);

	if (loop < 0)
		return;
	ck_assert_int_eq(open_device("/dev", NULL, path, false, &file), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "has to be named by --allow itself"));
	ck_assert_int_eq(open_device(path, NULL, path, true, &file), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "needs --allow-write /dev/loop"));
	ck_assert_msg(open_device(path, NULL, path, false, &file) == 0, "%s", err.msg);
	ck_assert(file.is_device);
	ck_assert_uint_eq(file.size, 1 << 20);
	ck_assert_int_eq(fcntl(file.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	close(file.fd);
	ck_assert_msg(open_device(NULL, path, path, true, &file) == 0, "%s", err.msg);
	close(file.fd);
	/* A node of the same device under another name, in an allowed folder */
	alias = mem_strdup(scratch_path("alias"));
	ck_assert_int_eq(symlink(path, alias), 0);
	ck_assert_int_eq(open_device(scratch, NULL, alias, false, &file), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	free(alias);
	ioctl(loop, LOOP_CLR_FD);
	close(loop);
}
END_TEST

/* The device of the root file system, when there is one: never. */
START_TEST(the_root_disk_is_in_use)
{
	struct guard_file file;
	struct stat st;
	char path[64];
	FILE *f;

	if (stat("/", &st) < 0 || major(st.st_dev) == 0 || getuid() != 0) {
		printf("no block device behind / or not root: not tested\n");
		return;
	}
	snprintf(
	    path, sizeof path, "/dev/block/%u:%u", major(st.st_dev), minor(st.st_dev));
	f = fopen(path, "r");
	if (!f) {
		printf("%s is not there: not tested\n", path);
		return;
	}
	fclose(f);
	ck_assert_int_eq(open_device(NULL, path, path, true, &file), -1);
	ck_assert_int_eq(err.code, ERR_POLICY);
	ck_assert_ptr_nonnull(strstr(err.msg, "is in use: "));
	ck_assert_int_eq(open_device(path, NULL, path, false, &file), -1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("worker/devices");
	TCase *tc = tcase_create("devices");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nobody_uses_it);
	tcase_add_test(tc, a_mount_is_found_by_number);
	tcase_add_test(tc, the_disk_itself_is_mounted);
	tcase_add_test(tc, a_holder_is_found);
	tcase_add_test(tc, a_loop_on_it_is_found);
	tcase_add_test(tc, a_loop_lies_on_what_is_used);
	tcase_add_test(tc, a_loop_nobody_can_tell_of);
	tcase_add_test(tc, not_knowing_is_no_permission);
	tcase_add_test(tc, a_real_device_through_the_guard);
	tcase_add_test(tc, the_root_disk_is_in_use);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
