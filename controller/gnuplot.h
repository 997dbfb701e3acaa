/* SPDX-License-Identifier: Apache-2.0 */
/* Running gnuplot: the one place that does. */
#ifndef VOLLEY_GNUPLOT_H
#define VOLLEY_GNUPLOT_H

#include <stdbool.h>

/* Is there one in PATH? */
bool gnuplot_exists(void);
/*
 * What gnuplot prints for a script, or NULL when it fails, says nothing or takes more
 * than ten seconds; caller frees.  It is a child of its own without a shell, reads the
 * script from a pipe and no file of the user's.
 */
char *gnuplot_run(const char *script);

#endif
