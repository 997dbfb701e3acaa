/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers twice: what fio 3.33 makes of a text, whatever the text; and whether the
 * text is one that anybody would write, so that both can be compared.
 */
#ifndef VOLLEY_WORK_FIO_NUMBER_H
#define VOLLEY_WORK_FIO_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"

/*
 * fio's reading: digits up to what is no digit, a suffix when a letter follows, and
 * nothing of the rest.  False: fio refuses it.  A negative number wraps as it does
 * there; *ret_percent: it is followed by %.
 */
bool fio_reads_bytes(const char *text, unsigned kb_base, uint64_t *ret,
		     bool *ret_percent);
/* In nanoseconds (fio counts microseconds); bare_ns is the unit of a bare number. */
bool fio_reads_time(const char *text, uint64_t bare_ns, uint64_t *ret_ns);

/* Digits (or 0x) and one suffix: b k kb ki kib … p pib, in either case. */
int fio_clean_bytes(const char *text, unsigned kb_base, uint64_t *ret, struct err *err);
/* Digits and one of us usec ms msec s m h d. */
int fio_clean_time(const char *text, uint64_t bare_ns, uint64_t *ret_ns,
		   struct err *err);
/* "4KiB" → "4KiB is 4000 bytes in fio (kb_base=1024)…", malloc; NULL: no surprise. */
char *fio_suffix_warning(const char *text, unsigned kb_base);

#endif
