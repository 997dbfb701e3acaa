/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors as values.  A function that can fail takes a `struct err *` last,
 * fills it once where the fault is seen and returns -1 (or NULL); callers add
 * context in front on the way up and the outermost one prints it.
 */
#ifndef VOLLEY_BASE_ERR_H
#define VOLLEY_BASE_ERR_H

enum err_code {
	ERR_NONE,
	ERR_USAGE,	 /* bad argument, option or plan */
	ERR_SYS,	 /* a system call failed; errnum is set */
	ERR_POLICY,	 /* refused: not allowed here */
	ERR_UNREACHABLE, /* no connection to the peer, or it was lost */
	ERR_BUSY,	 /* the peer serves somebody else */
	ERR_AUTH,	 /* wrong or missing key */
	ERR_PROTOCOL,	 /* the peer speaks another version, or nonsense */
	ERR_TIMEOUT,	 /* a deadline passed */
	ERR_UNSUPPORTED, /* valid, but not in this build or not on this system */
	ERR_IO,		 /* an I/O of the job failed; errnum is set */
	ERR_CANCELLED,	 /* stopped on request */
	ERR_INTERNAL,	 /* a broken invariant of our own */
	ERR_CODE_COUNT
};

struct err {
	enum err_code code;
	int errnum;	/* 0 or an errno value */
	char msg[1024]; /* one line, no newline at the end; cut when longer */
};

#define ERR_INIT ((struct err){.code = ERR_NONE})

/* Sets *err (which may be NULL) and returns -1. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Same with `errnum`, whose text is appended: "open /x: No such file". */
int err_sys(struct err *err, int errnum, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Puts "context: " in front of the message; returns -1. */
int err_prefix(struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Stable lower-case word for a code ("policy"); used on the wire and in files. */
const char *err_code_name(enum err_code code);
/* ERR_CODE_COUNT when no code has that name. */
enum err_code err_code_parse(const char *name);

#endif
