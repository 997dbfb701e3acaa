/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the two halves of the drive: the phases (drive-phases.c) and the events
 * that come in while one of them is on (drive.c).
 */
#ifndef VOLLEY_FLEET_DRIVE_IMPL_H
#define VOLLEY_FLEET_DRIVE_IMPL_H

#include "controller/fleet/drive.h"

struct step {
	struct drive *drive;
	uint64_t now;
	struct drive_actions *ret;
};

typedef void ask_fn(struct step *step, size_t client);
typedef void step_fn(struct step *step);

struct phase {
	const char *name;
	ask_fn *ask, *back; /* every client on entry; one that is connected again */
	step_fn *advance, *expire, *retry;
	bool before_go; /* a client that fails ends the attempt */
	bool waits;     /* for lost connections, until the lease is over */
};

const struct phase *drive_phase(const struct drive *drive);
void drive_act(struct step *step, enum drive_action_kind kind, size_t client);
void drive_ask_collect(struct step *step, size_t client);

/* Enter a phase. */
void drive_prepare(struct step *step);
void drive_arm(struct step *step);
void drive_abort(struct step *step);
void drive_release(struct step *step);
void drive_done(struct step *step);

void drive_settle(struct drive_client *client, enum client_outcome outcome,
    enum err_code code, const char *msg);
/* One that ends otherwise than with a result; before GO that ends the attempt. */
void drive_client_fails(struct step *step, size_t client, enum client_outcome outcome,
    const struct err *err);
bool drive_wants_result(const struct drive_client *client);
/* Connections that stay away for the lease. */
void drive_look_for_lost(struct step *step);

#endif
