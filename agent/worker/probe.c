/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about paths, from stat, statvfs and mountinfo.
 */
#include "agent/worker/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "agent/worker/devices.h"
#include "lib/base/mem.h"

static const char *
probe_kind(mode_t mode)
{
	if (S_ISDIR(mode))
		return "folder";
	if (S_ISREG(mode))
		return "file";
	return S_ISBLK(mode) ? "device" : "other";
}

/* "\040" → " ", in place. */
static char *
probe_unescape(char *text)
{
	char *to = text;

	for (char *p = text; *p; p++) {
		unsigned value;

		if (*p == '\\' && sscanf(p + 1, "%3o", &value) == 1) {
			*to++ = (char)value;
			p += 3;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
	return text;
}

/* Mount id of an open file: tells apart mounts of the same device. */
static int
probe_mount_id(int fd)
{
	char *name = mem_printf("/proc/self/fdinfo/%d", fd);
	FILE *f = fopen(name, "re");
	char line[128];
	int id = -1;

	free(name);
	if (!f)
		return -1;
	while (id < 0 && fgets(line, sizeof line, f))
		(void)sscanf(line, "mnt_id: %d", &id);
	fclose(f);
	return id;
}

/* "36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw,errors=continue" */
static void
probe_add_mount_line(json_t *object, char *line)
{
	char *dash = strstr(line, " - "), *save, *word, *options = NULL;
	char *fields[3] = {0};
	int i = 0;

	if (!dash)
		return;
	*dash = '\0';
	for (word = strtok_r(line, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		if (i == 4)
			json_object_set_new(
			    object, "mount_point", json_string(probe_unescape(word)));
		else if (i == 5)
			options = word;
		i++;
	}
	save = NULL;
	for (i = 0; i < 3; i++)
		fields[i] = strtok_r(i == 0 ? dash + 3 : NULL, " \n", &save);
	if (!fields[2] || !options)
		return;
	json_object_set_new(object, "fstype", json_string(fields[0]));
	json_object_set_new(object, "source", json_string(probe_unescape(fields[1])));
	json_object_set_new(
	    object, "options", json_sprintf("%s,%s", options, fields[2]));
}

static void
probe_add_mount(json_t *object, int fd)
{
	int wanted = probe_mount_id(fd), id;
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t cap = 0;

	if (!f)
		return;
	while (wanted >= 0 && getline(&line, &cap, f) >= 0)
		if (sscanf(line, "%d ", &id) == 1 && id == wanted) {
			probe_add_mount_line(object, line);
			break;
		}
	free(line);
	fclose(f);
}

static void
probe_add_space(json_t *object, int fd)
{
	struct statvfs vfs;

	if (fstatvfs(fd, &vfs) < 0)
		return;
	json_object_set_new(object, "free_bytes",
	    json_integer((json_int_t)(vfs.f_bavail * vfs.f_frsize)));
	json_object_set_new(object, "total_bytes",
	    json_integer((json_int_t)(vfs.f_blocks * vfs.f_frsize)));
	json_object_set_new(object, "read_only", json_boolean(vfs.f_flag & ST_RDONLY));
}

static void
probe_add_device(json_t *object, const char *path)
{
	struct err ignored = ERR_INIT;
	uint64_t size;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return;
	if (devices_size(fd, &size, &ignored) == 0)
		json_object_set_new(
		    object, "device_bytes", json_integer((json_int_t)size));
	close(fd);
}

static json_t *
probe_path(const char *path)
{
	json_t *object = json_object();
	struct stat st;
	int fd = open(path, O_PATH | O_CLOEXEC);

	json_object_set_new(object, "path", json_string(path));
	json_object_set_new(object, "exists", json_boolean(fd >= 0));
	if (fd < 0) {
		json_object_set_new(object, "error", json_string(strerror(errno)));
		return object;
	}
	if (fstat(fd, &st) == 0) {
		json_object_set_new(
		    object, "kind", json_string(probe_kind(st.st_mode)));
		if (S_ISBLK(st.st_mode))
			probe_add_device(object, path);
	}
	probe_add_mount(object, fd);
	if (!json_object_get(object, "device_bytes"))
		probe_add_space(object, fd);
	close(fd);
	return object;
}

void
probe_print(FILE *out, char *const *paths, int n)
{
	fputs("[", out);
	for (int i = 0; i < n; i++) {
		json_t *object = probe_path(paths[i]);

		fputs(i > 0 ? ",\n " : "", out);
		json_dumpf(object, out, JSON_ENCODE_ANY);
		fflush(out);
		json_decref(object);
	}
	fputs("]\n", out);
}
