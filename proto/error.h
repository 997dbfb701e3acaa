/* SPDX-License-Identifier: Apache-2.0 */
/* struct err as a message: one way for ERROR frames and for reports. */
#ifndef VOLLEY_PROTO_ERROR_H
#define VOLLEY_PROTO_ERROR_H

#include "lib/base/err.h"
#include "proto/error.pb-c.h"

/* Borrows err's text. */
void proto_error_set(Volley__Error *ret, const struct err *err);
/* Never ERR_NONE: a code that this build does not know becomes ERR_PROTOCOL. */
void proto_error_get(struct err *ret, const Volley__Error *msg);

#endif
