/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One write(2) per log line, so that lines of several processes on one stderr do
 * not mix.  Text from a peer cannot forge lines or move a terminal's cursor:
 * control characters become '?'.
 */
#include "lib/base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "lib/base/str.h"

static const char *const level_names[] = {
    [LOG_LEVEL_ERROR] = "error",
    [LOG_LEVEL_WARNING] = "warning",
    [LOG_LEVEL_INFO] = "info",
    [LOG_LEVEL_DEBUG] = "debug",
};

/* Written once by log_setup, before there are threads. */
static const char *log_ident = "volley";
static enum log_level log_most = LOG_LEVEL_INFO;

void
log_setup(const char *ident, enum log_level most)
{
	log_ident = ident;
	log_most = most;
}

static void
write_all(const char *text, size_t len)
{
	while (len) {
		ssize_t done = write(STDERR_FILENO, text, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return; /* nowhere left to complain */
		text += done;
		len -= (size_t)done;
	}
}

void
log_line(enum log_level level, const char *fmt, ...)
{
	struct str line = {0};
	int saved_errno = errno;
	va_list ap;

	if (level > log_most)
		return;
	str_addf(&line, "%s: %s: ", log_ident, level_names[level]);
	va_start(ap, fmt);
	str_vaddf(&line, fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < line.len; i++)
		if ((unsigned char)line.s[i] < ' ' || line.s[i] == 0x7f)
			line.s[i] = '?';
	str_addc(&line, '\n');
	write_all(line.s, line.len);
	str_free(&line);
	errno = saved_errno;
}
