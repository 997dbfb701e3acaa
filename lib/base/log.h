/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines for whoever watches a daemon: "volleyd: warning: text" on stderr.  Only
 * main files, agentd and cmd-* files log; everything below returns errors.
 */
#ifndef VOLLEY_BASE_LOG_H
#define VOLLEY_BASE_LOG_H

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* `ident` must outlive the process's logging (a literal).  Call once, in main. */
void log_setup(const char *ident, enum log_level most);
void log_line(enum log_level level, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#define log_error(...) log_line(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warn(...) log_line(LOG_LEVEL_WARNING, __VA_ARGS__)
#define log_info(...) log_line(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_line(LOG_LEVEL_DEBUG, __VA_ARGS__)

#endif
