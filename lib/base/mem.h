/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation that cannot fail: out of memory ends the process with one line on
 * stderr.  What an allocator returns is released with free().
 */
#ifndef VOLLEY_BASE_MEM_H
#define VOLLEY_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>

void *mem_alloc(size_t len);			     /* zeroed */
void *mem_array(size_t n, size_t size);		     /* zeroed, checks overflow */
void *mem_grow(void *p, size_t n, size_t size);	     /* realloc, checks overflow */
void *mem_copy(const void *p, size_t len);
char *mem_strdup(const char *s);		     /* NULL stays NULL */
char *mem_strndup(const char *s, size_t len);
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *mem_vprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

#endif
