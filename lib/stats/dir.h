/* SPDX-License-Identifier: Apache-2.0 */
/* Data directions of an I/O, everywhere in this order. */
#ifndef VOLLEY_STATS_DIR_H
#define VOLLEY_STATS_DIR_H

enum dir { DIR_READ, DIR_WRITE, DIR_COUNT };

static inline const char *dir_name(enum dir dir)
{
	return dir == DIR_READ ? "read" : "write";
}

#endif
