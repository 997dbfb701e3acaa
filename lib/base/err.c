/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filling, prefixing and naming of errors.  A message stays one line whatever
 * goes into it: control characters become '?', and what does not fit is cut.
 */
#include "lib/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const code_names[ERR_CODE_COUNT] = {
    [ERR_NONE] = "none",
    [ERR_USAGE] = "usage",
    [ERR_SYS] = "system",
    [ERR_POLICY] = "policy",
    [ERR_UNREACHABLE] = "unreachable",
    [ERR_BUSY] = "busy",
    [ERR_AUTH] = "auth",
    [ERR_PROTOCOL] = "protocol",
    [ERR_TIMEOUT] = "timeout",
    [ERR_UNSUPPORTED] = "unsupported",
    [ERR_IO] = "io",
    [ERR_CANCELLED] = "cancelled",
    [ERR_INTERNAL] = "internal",
};

static void
keep_one_line(char *msg)
{
	for (; *msg; msg++)
		if ((unsigned char)*msg < ' ' || *msg == 0x7f)
			*msg = '?';
}

/* Cuts what does not fit; cutting at the end of a message is no fault. */
static void
append(char *msg, size_t size, const char *text)
{
	size_t len = strlen(msg), more = strlen(text);

	if (more > size - 1 - len)
		more = size - 1 - len;
	memcpy(msg + len, text, more);
	msg[len + more] = '\0';
}

/* Formats first: an argument may point into err->msg. */
static void
fill(struct err *err, enum err_code code, int errnum, const char *fmt, va_list ap)
{
	char msg[sizeof err->msg];

	vsnprintf(msg, sizeof msg, fmt, ap);
	keep_one_line(msg);
	err->code = code;
	err->errnum = errnum;
	memcpy(err->msg, msg, sizeof msg);
}

int
err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	fill(err, code, 0, fmt, ap);
	va_end(ap);
	return -1;
}

int
err_sys(struct err *err, int errnum, const char *fmt, ...)
{
	char text[128];
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	fill(err, ERR_SYS, errnum, fmt, ap);
	va_end(ap);
	append(err->msg, sizeof err->msg, ": ");
	append(err->msg, sizeof err->msg, strerror_r(errnum, text, sizeof text));
	return -1;
}

int
err_prefix(struct err *err, const char *fmt, ...)
{
	char msg[sizeof err->msg];
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(msg, sizeof msg, fmt, ap);
	va_end(ap);
	keep_one_line(msg);
	append(msg, sizeof msg, ": ");
	append(msg, sizeof msg, err->msg);
	memcpy(err->msg, msg, sizeof msg);
	return -1;
}

const char *
err_code_name(enum err_code code)
{
	return (unsigned)code < ERR_CODE_COUNT ? code_names[code] : "unknown";
}

enum err_code
err_code_parse(const char *name)
{
	for (unsigned i = 0; i < ERR_CODE_COUNT; i++)
		if (strcmp(name, code_names[i]) == 0)
			return (enum err_code)i;
	return ERR_CODE_COUNT;
}
