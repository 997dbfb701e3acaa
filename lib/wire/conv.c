/* SPDX-License-Identifier: Apache-2.0 */
/* Packing and unpacking of whole messages. */
#include "lib/wire/conv-impl.h"

#include "lib/base/mem.h"

struct payload
conv_pack(const ProtobufCMessage *msg)
{
	struct payload payload;

	payload.len = protobuf_c_message_get_packed_size(msg);
	payload.data = mem_alloc(payload.len ? payload.len : 1);
	protobuf_c_message_pack(msg, payload.data);
	return payload;
}

void *
conv_unpack(const ProtobufCMessageDescriptor *type, const uint8_t *data, size_t len,
    const char *what, struct err *err)
{
	void *msg = proto_unpack(type, data, len, NULL);

	if (!msg)
		err_set(
		    err, ERR_PROTOCOL, "%s that cannot be read (%zu bytes)", what, len);
	return msg;
}

char *
conv_text(const char *text)
{
	char *copy = mem_strdup(text);

	for (char *c = copy; c && *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return copy;
}
