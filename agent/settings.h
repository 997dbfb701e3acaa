/* SPDX-License-Identifier: Apache-2.0 */
/* What volleyd was told: its command line, and the same words from --settings FILE. */
#ifndef VOLLEY_AGENT_SETTINGS_H
#define VOLLEY_AGENT_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"

#define SETTINGS_DEFAULT_PORT 7411

struct agent_settings {
	char *listen;     /* "ADDR:PORT"; NULL with `controller` or `fd` */
	char *controller; /* "HOST:PORT": dial it instead of listening */
	char *trust;      /* file of public keys whose owners may command us */
	char *key;        /* our own key file, made at first start */
	char *name;       /* stable agent name; default: host name */
	VEC(char *) allow, allow_write;
	bool allow_exec;
	int ready_fd; /* −1: none; gets "READY ADDR:PORT\n" once */
	int fd;       /* −1: none; a socketpair from `volley run --local` */
	char *probe_root; /* NULL: the real /proc and /sys; else what is below it */
	bool debug;
	bool help, version;
};

void settings_init(struct agent_settings *settings);
void settings_free(struct agent_settings *settings);
/* Fills from the command line (and the file it names); the command line wins. */
int settings_parse(
    struct agent_settings *settings, int argc, char **argv, struct err *err);
/* The text of --help. */
void settings_usage(struct str *ret);

#endif
