/* SPDX-License-Identifier: Apache-2.0 */
/* How one client of an attempt ended. */
#ifndef VOLLEY_ATTEMPT_OUTCOME_H
#define VOLLEY_ATTEMPT_OUTCOME_H

enum client_outcome {
	CLIENT_PENDING,
	CLIENT_OK,	    /* finished, result collected */
	CLIENT_FAILED,	    /* the agent said so; a partial result may exist */
	CLIENT_STALLED,	    /* its worker hangs; what the board held may exist */
	CLIENT_NOT_STARTED, /* no GO before T */
	CLIENT_LOST,	    /* no word until the deadline */
	CLIENT_ABORTED,
	CLIENT_OUTCOME_COUNT
};

const char *client_outcome_name(enum client_outcome outcome); /* "NOT_STARTED" */
/* CLIENT_OUTCOME_COUNT when no outcome has that name. */
enum client_outcome client_outcome_parse(const char *name);

#endif
