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
#include "lib/base/str.h"

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

/* Of what the handle `at` refers to; no path is walked again. */
static void
probe_add_device(json_t *object, int at)
{
	struct err ignored = ERR_INIT;
	char link[64];
	uint64_t size;
	int fd;

	snprintf(link, sizeof link, "/proc/self/fd/%d", at);
	fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return;
	if (devices_size(fd, &size, &ignored) == 0)
		json_object_set_new(
		    object, "device_bytes", json_integer((json_int_t)size));
	close(fd);
}

/* A handle of `path`, or why there is none ("exists" stays unknown when nobody may
 * ask). */
static int
probe_open(json_t *object, struct guard *guard, const char *path)
{
	struct err err = ERR_INIT;
	int fd, rc;

	if (guard) {
		rc = guard_look(guard, path, &fd, &err);
	} else {
		fd = open(path, O_PATH | O_CLOEXEC);
		rc = fd >= 0 ? 1 : errno == ENOENT ? 0 : err_sys(&err, errno, "open");
	}
	if (rc == 1 || err.code != ERR_POLICY)
		json_object_set_new(object, "exists", json_boolean(rc == 1));
	if (rc == 0)
		json_object_set_new(object, "error", json_string(strerror(ENOENT)));
	else if (rc < 0)
		json_object_set_new(object, "error",
		    json_string(err.code == ERR_POLICY ? "not allowed here"
				: err.errnum	       ? strerror(err.errnum)
						       : err.msg));
	return rc == 1 ? fd : -1;
}

static json_t *
probe_path(struct guard *guard, const struct token *token, const char *path)
{
	json_t *object = json_object();
	struct stat st = {0};
	int fd;

	json_object_set_new(object, "path", json_string(path));
	fd = probe_open(object, guard, path);
	if (fd < 0)
		return object;
	if (fstat(fd, &st) == 0) {
		json_object_set_new(
		    object, "kind", json_string(probe_kind(st.st_mode)));
		if (S_ISBLK(st.st_mode))
			probe_add_device(object, fd);
	}
	probe_add_mount(object, fd);
	if (token && S_ISDIR(st.st_mode))
		token_touch(object, fd, path, token);
	if (!json_object_get(object, "device_bytes"))
		probe_add_space(object, fd);
	close(fd);
	return object;
}

void
probe_print(FILE *out, struct guard *guard, const struct token *token,
    char *const *paths, int n)
{
	fputs("[", out);
	for (int i = 0; i < n; i++) {
		json_t *object = probe_path(guard, token, paths[i]);

		fputs(i > 0 ? ",\n " : "", out);
		json_dumpf(object, out, JSON_ENCODE_ANY);
		fflush(out);
		json_decref(object);
	}
	fputs("]\n", out);
}

int
probe_main(FILE *out, int argc, char *const *argv, struct err *err)
{
	static const char allow[] = "--allow=", touch[] = "--token=";
	struct link_spec spec = {.client = mem_strdup("probe"), .client_count = 1};
	struct guard *guard = NULL;
	struct token token = {FACTS_LOOK, ""};
	bool guarded = argc > 0 && strcmp(argv[0], "--guard") == 0;
	int i = guarded, rc = 0;

	for (; guarded && i < argc && str_starts(argv[i], allow); i++)
		vec_push(&spec.allow, mem_strdup(argv[i] + strlen(allow)));
	if (guarded && i < argc && str_starts(argv[i], touch))
		rc = token_parse(&token, argv[i++] + strlen(touch), err);
	if (i < argc && strcmp(argv[i], "--") == 0)
		i++;
	if (rc == 0 && guarded)
		rc = guard_new(&guard, &spec, err);
	if (rc == 0)
		probe_print(out, guard, token.touch != FACTS_LOOK ? &token : NULL,
		    argv + i, argc - i);
	guard_free(guard);
	link_spec_free(&spec);
	return rc;
}
