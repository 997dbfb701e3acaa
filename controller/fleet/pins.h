/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which agent keys the controller accepts: pinned at first use in a file like ssh's
 * known_hosts, or only those already in it.
 */
#ifndef VOLLEY_FLEET_PINS_H
#define VOLLEY_FLEET_PINS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/rpc/key.h"

struct pins {
	char *path;
	bool strict; /* accept only what the file holds */
	struct keyring ring;
};

/* A missing file is an empty one. */
int pins_open(struct pins *pins, const char *path, bool strict, struct err *err);
void pins_close(struct pins *pins);
/*
 * May this be the key of `label` ("host:port", or the name of an agent that dials
 * us)?  The error is one line that tells the user what to do.
 */
int pins_check(const struct pins *pins, const char *label,
    const uint8_t raw[KEY_PUBLIC_LEN], struct err *err);
/* The same, once the peer has proved that it holds the key: a label seen for the
 * first time is added to the file. */
int pins_learn(struct pins *pins, const char *label, const uint8_t raw[KEY_PUBLIC_LEN],
    struct err *err);

#endif
