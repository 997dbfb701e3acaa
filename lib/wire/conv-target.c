/* SPDX-License-Identifier: Apache-2.0 */
/* Targets of agents. */
#include "lib/wire/conv-impl.h"

#include <string.h>

#include "lib/base/mem.h"
#include "proto/target.pb-c.h"

struct payload
pack_target_request(const struct target_request *request)
{
	Volley__TargetRequest msg = VOLLEY__TARGET_REQUEST__INIT;

	msg.export = (char *)request->export;
	msg.bytes = request->bytes;
	msg.key = (char *)request->key;
	msg.has_rdma = true;
	msg.rdma = request->rdma;
	return conv_pack(&msg.base);
}

/* Plain words: they become arguments and a line of text. */
static bool
is_word(const char *text)
{
	size_t len = strlen(text);

	for (const char *c = text; *c; c++)
		if (*c <= ' ' || *c > '~' || *c == ',' || *c == '=')
			return false;
	return len > 0 && len <= WIRE_TARGET_TEXT_MAX;
}

int
unpack_target_request(struct target_request *ret, void **ret_owner, const uint8_t *data,
    size_t len, struct err *err)
{
	Volley__TargetRequest *msg = conv_unpack(
	    &volley__target_request__descriptor, data, len, "a target request", err);

	*ret_owner = NULL;
	if (!msg)
		return -1;
	if (!is_word(msg->export) || !is_word(msg->key) || msg->bytes == 0 ||
	    msg->bytes > WIRE_TARGET_BYTES_MAX) {
		proto_free(msg);
		return err_set(err, ERR_PROTOCOL, "a malformed target request");
	}
	*ret = (struct target_request){
	    .export = msg->export, .key = msg->key, .bytes = msg->bytes, .rdma = msg->rdma};
	*ret_owner = msg;
	return 0;
}

void
target_request_free(void *owner)
{
	proto_free(owner);
}

struct payload
pack_target_ready(unsigned port)
{
	Volley__TargetReady msg = VOLLEY__TARGET_READY__INIT;

	msg.port = port;
	return conv_pack(&msg.base);
}

int
unpack_target_ready(unsigned *ret, const uint8_t *data, size_t len, struct err *err)
{
	Volley__TargetReady *msg = conv_unpack(
	    &volley__target_ready__descriptor, data, len, "a target's answer", err);

	if (!msg)
		return -1;
	*ret = msg->port;
	proto_free(msg);
	if (*ret < 1 || *ret > 65535)
		return err_set(err, ERR_PROTOCOL, "a target at port %u", *ret);
	return 0;
}
