/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Growing arrays as plain structs with three members: `v` (the items), `n`
 * (used) and `cap`.  VEC(struct x) declares one; zero-initialise it.
 */
#ifndef VOLLEY_BASE_VEC_H
#define VOLLEY_BASE_VEC_H

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

#define VEC(type)                                                                      \
	struct {                                                                       \
		type *v;                                                               \
		size_t n, cap;                                                         \
	}

/* Appends a zeroed item and yields a pointer to it. */
#define vec_add(vec)                                                                   \
	(((vec)->n < (vec)->cap                                                        \
	      ? (void)0                                                                \
	      : (void)((vec)->cap = (vec)->cap ? (vec)->cap * 2 : 8,                   \
		       (vec)->v = mem_grow((vec)->v, (vec)->cap, sizeof *(vec)->v))), \
	 memset(&(vec)->v[(vec)->n], 0, sizeof *(vec)->v), &(vec)->v[(vec)->n++])

#define vec_push(vec, item) (*vec_add(vec) = (item))

#define vec_free(vec)                                                                  \
	(free((vec)->v), (vec)->v = NULL, (vec)->n = 0, (vec)->cap = 0)

/* for (vec_each(struct x *, it, &xs)) */
#define vec_each(ptr_type, it, vec)                                                    \
	ptr_type it = (vec)->v;                                                        \
	it && it < (vec)->v + (vec)->n;                                                \
	it++

#endif
