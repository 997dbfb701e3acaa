/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of logs. */
#include "lib/wire/conv-impl.h"

#include <string.h>

#include "lib/base/mem.h"
#include "proto/log.pb-c.h"

struct payload
pack_log_request(const struct log_request *request)
{
	Volley__LogRequest msg = VOLLEY__LOG_REQUEST__INIT;

	msg.run_id = request->run_id;
	msg.index = request->index;
	msg.offset = request->offset;
	return conv_pack(&msg.base);
}

int
unpack_log_request(
    struct log_request *ret, const uint8_t *data, size_t len, struct err *err)
{
	Volley__LogRequest *msg = conv_unpack(
	    &volley__log_request__descriptor, data, len, "a log request", err);

	if (!msg)
		return -1;
	*ret = (struct log_request){msg->run_id, msg->index, msg->offset};
	proto_free(msg);
	if (ret->run_id == 0)
		return err_set(err, ERR_PROTOCOL, "a log request without a run");
	return 0;
}

struct payload
pack_log_part(const struct log_part *part)
{
	Volley__LogPart msg = VOLLEY__LOG_PART__INIT;

	msg.run_id = part->run_id;
	msg.count = part->count;
	if (part->name) {
		msg.name = (char *)part->name;
		msg.has_bytes = msg.has_data = true;
		msg.bytes = part->bytes;
		msg.data = (ProtobufCBinaryData){part->len, (uint8_t *)part->data};
	}
	return conv_pack(&msg.base);
}

/* It becomes the name of a file here: no folders, nothing hidden, nothing odd. */
static bool
is_plain_name(const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len > WIRE_LOG_NAME_MAX || name[0] == '.')
		return false;
	for (; *name; name++)
		if (*name == '/' || (unsigned char)*name < ' ' || *name == 0x7f)
			return false;
	return true;
}

static int
check_part(const Volley__LogPart *msg, struct err *err)
{
	if (msg->run_id == 0)
		return err_set(err, ERR_PROTOCOL, "a log of no run");
	if (!msg->name)
		return 0;
	if (!is_plain_name(msg->name))
		return err_set(err, ERR_PROTOCOL, "a log with a name that is none");
	if (!msg->has_bytes || !msg->has_data || msg->data.len > WIRE_LOG_PART ||
	    msg->data.len > msg->bytes)
		return err_set(err, ERR_PROTOCOL, "a malformed part of a log");
	return 0;
}

int
unpack_log_part(struct log_part *ret, void **ret_owner, const uint8_t *data, size_t len,
    struct err *err)
{
	Volley__LogPart *msg = conv_unpack(
	    &volley__log_part__descriptor, data, len, "a part of a log", err);

	*ret_owner = NULL;
	if (!msg)
		return -1;
	if (check_part(msg, err) < 0) {
		proto_free(msg);
		return -1;
	}
	*ret = (struct log_part){.run_id = msg->run_id, .count = msg->count};
	if (msg->name) {
		ret->name = msg->name;
		ret->bytes = msg->bytes;
		ret->data = msg->data.data;
		ret->len = msg->data.len;
	}
	*ret_owner = msg;
	return 0;
}

void
log_part_free(void *owner)
{
	proto_free(owner);
}
