/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the user sees while a plan runs, on stderr: a small block that is redrawn
 * in place on a terminal; elsewhere plain lines, one each five seconds.
 */
#ifndef VOLLEY_LIVE_H
#define VOLLEY_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/fleet/fleet.h"

struct live;

/* `terminal`: redraw in place. */
struct live *live_new(bool terminal, size_t cases);
void live_free(struct live *live);

/*
 * An attempt begins: "seq-read-1m  scratch/local  4 clients  repeat 2", of case
 * `number` (from 1); `done` attempts are over and at least `left` are to come, this
 * one included.
 */
void live_begin(
    struct live *live, size_t number, const char *what, size_t done, size_t left);
/* For fleet_attempt; arg is the live. */
void live_watch(void *arg, const struct fleet_view *view);
/* It is over: one line that stays. */
void live_end(struct live *live, const char *outcome);
/* A line that stays, between redraws. */
void live_note(struct live *live, const char *text);

#endif
