/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data centre bridging of a network card as its driver tells it over netlink
 * (linux/dcbnl.h): what drivers have that have no files for it.
 */
#ifndef VOLLEY_PROBE_DCB_H
#define VOLLEY_PROBE_DCB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dcb {
	bool has_pfc;
	uint8_t pfc;  /* a bit for each priority that is paused by itself */
	bool by_dscp; /* priorities follow from DSCP: there are such rules */
};

/* Asks the kernel about the card; false: it has nothing to say. */
bool dcb_ask(struct dcb *ret, const char *name);
/* What the answer (one netlink message) says; false: no such answer. */
bool dcb_parse(struct dcb *ret, const void *message, size_t len);

#endif
