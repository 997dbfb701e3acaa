/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words between a worker and its parent, over a SOCK_SEQPACKET socketpair: one
 * packet, one message, a fixed struct.  Both ends are the same build (the agent
 * executes the volley-io of its own version and HELLO proves it), so this is no
 * wire format; the job itself travels once, as the canonical text of job_format.
 */
#ifndef VOLLEY_WORKER_LINK_H
#define VOLLEY_WORKER_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/vec.h"

#define LINK_VERSION 1u
#define LINK_TEXT_MAX 65536u

enum link_kind {
	/* parent → worker */
	LINK_PREPARE, /* text: the spec below */
	LINK_ARM,     /* value: T */
	LINK_GO,
	LINK_STOP,    /* no more submits, drain, then DONE */
	LINK_CLEAN,   /* exit; value 1: unlink what volley made for this job first */
	/* worker → parent */
	LINK_READY,   /* parked */
	LINK_ARMED,   /* value: the T that now holds */
	LINK_LOG,     /* text: its name; the log itself comes as a descriptor */
	LINK_DONE,    /* the board is final, no error */
	LINK_FAILED,  /* code, errnum, text: the first error; nothing will start or run
		       * on.  What the other threads counted stays on the board. */
	LINK_NOT_STARTED, /* T came without GO */
	LINK_KIND_COUNT
};

struct link_msg {
	uint32_t version, kind;
	uint64_t value;
	uint32_t code, errnum; /* FAILED: struct err */
	uint32_t text_len;     /* bytes that follow */
};

/* What PREPARE carries, encoded as "key value\n" lines (link_spec_*). */
struct link_spec {
	char *job;	 /* job_format text */
	char *client;	 /* stable name, in file names of unshared jobs */
	char *case_id;
	char *key;	 /* of the target of a network engine; NULL: none */
	VEC(char *) allow;	 /* absolute prefixes that may be touched */
	VEC(char *) allow_write; /* block devices that may be written */
	unsigned client_index, client_count;
	bool allow_exec;       /* exec_prerun and exec_postrun may run */
	unsigned first_number; /* of threads in seeds and names of logs, from 1 on */
	bool logs_to_parent;   /* as LINK_LOG; else they are files here */
};

void link_spec_free(struct link_spec *spec);
char *link_spec_encode(const struct link_spec *spec); /* caller frees */
int link_spec_decode(struct link_spec *ret, const char *text, struct err *err);

/* Blocking send on a seqpacket socket; -1 with err when the peer is gone. */
int link_send(int fd, const struct link_msg *msg, const char *text, struct err *err);
/* With a descriptor, which stays the caller's, too. */
int link_send_fd(int fd, const struct link_msg *msg, const char *text, int passed,
		 struct err *err);
/* Receives one message; *ret_text is malloc'd or NULL.  1: got one, 0: peer closed,
 * -1: error.  MSG_DONTWAIT when `nonblock` (then -1 with errnum EAGAIN if none). */
int link_recv(int fd, bool nonblock, struct link_msg *ret, char **ret_text,
	      struct err *err);
/* *ret_passed: the descriptor that came along, −1 for none; the caller closes it. */
int link_recv_fd(int fd, bool nonblock, struct link_msg *ret, char **ret_text,
		 int *ret_passed, struct err *err);

#endif
