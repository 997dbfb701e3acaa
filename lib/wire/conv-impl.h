/* SPDX-License-Identifier: Apache-2.0 */
/* What the conv-*.c files share. */
#ifndef VOLLEY_WIRE_CONV_IMPL_H
#define VOLLEY_WIRE_CONV_IMPL_H

#include <stdbool.h>

#include "lib/wire/conv.h"
#include "proto/unpack.h"

/* Of one client. */
#define CONV_JOBS_MAX 256u

struct payload conv_pack(const ProtobufCMessage *msg);
/* `what` names the message ("an order") in the ERR_PROTOCOL. */
void *conv_unpack(const ProtobufCMessageDescriptor *type, const uint8_t *data,
		  size_t len, const char *what, struct err *err);

/* Text that will be shown: copied, control characters become '?'.  NULL stays. */
char *conv_text(const char *text);

#endif
