/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allocators that cannot fail.  With overcommit a failure means an absurd
 * size or a hard limit; nothing sensible can be done about either, so the
 * process ends at once, without running exit handlers that allocate.
 */
#include "lib/base/mem.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void
out_of_memory(size_t n, size_t size)
{
	fprintf(stderr, "%s: out of memory (%zu x %zu bytes)\n",
	    program_invocation_short_name, n, size);
	_exit(1);
}

/* malloc(0) may be NULL, which callers would take for "nothing there". */
static void *
must(void *p, size_t n, size_t size)
{
	if (!p)
		out_of_memory(n, size);
	return p;
}

void *
mem_alloc(size_t len)
{
	return mem_array(1, len);
}

void *
mem_array(size_t n, size_t size)
{
	size_t len;

	if (__builtin_mul_overflow(n, size, &len) || len > PTRDIFF_MAX)
		out_of_memory(n, size);
	return must(calloc(1, len ? len : 1), n, size);
}

void *
mem_grow(void *p, size_t n, size_t size)
{
	size_t len;

	if (__builtin_mul_overflow(n, size, &len) || len > PTRDIFF_MAX)
		out_of_memory(n, size);
	return must(realloc(p, len ? len : 1), n, size);
}

void *
mem_copy(const void *p, size_t len)
{
	void *copy = must(malloc(len ? len : 1), 1, len);

	if (len)
		memcpy(copy, p, len);
	return copy;
}

char *
mem_strdup(const char *s)
{
	return s ? mem_copy(s, strlen(s) + 1) : NULL;
}

char *
mem_strndup(const char *s, size_t len)
{
	size_t used = strnlen(s, len);
	char *copy = must(malloc(used + 1), 1, used + 1);

	memcpy(copy, s, used);
	copy[used] = '\0';
	return copy;
}

char *
mem_vprintf(const char *fmt, va_list ap)
{
	char *s = NULL;

	if (vasprintf(&s, fmt, ap) < 0)
		out_of_memory(1, strlen(fmt));
	return s;
}

char *
mem_printf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = mem_vprintf(fmt, ap);
	va_end(ap);
	return s;
}
