/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unpacking within a byte budget.  Every block carries its size in front, so that
 * what protobuf-c releases on the way is given back to the budget.
 */
#include "proto/unpack.h"

#include <stdbool.h>
#include <stdlib.h>

/* Keeps what follows aligned for any type. */
struct block {
	_Alignas(max_align_t) size_t size;
};

struct budget {
	size_t left, used, peak;
};

static void *
budget_alloc(void *arg, size_t size)
{
	struct budget *budget = arg;
	struct block *block;

	if (size > budget->left || budget->left - size < sizeof *block)
		return NULL;
	block = malloc(sizeof *block + size);
	if (!block)
		return NULL;
	block->size = sizeof *block + size;
	budget->left -= block->size;
	budget->used += block->size;
	if (budget->used > budget->peak)
		budget->peak = budget->used;
	return block + 1;
}

static void
budget_free(void *arg, void *p)
{
	struct budget *budget = arg;
	struct block *block;

	if (!p)
		return;
	block = (struct block *)p - 1;
	budget->left += block->size;
	budget->used -= block->size;
	free(block);
}

/* Wire types of the encoding that protobuf-c knows. */
enum wire_type { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LENGTH = 2, WIRE_32 = 5 };

struct cursor {
	const uint8_t *at, *end;
};

static bool
take_varint(struct cursor *cursor, uint64_t *ret)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64 && cursor->at < cursor->end; shift += 7) {
		uint8_t byte = *cursor->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*ret = value;
			return true;
		}
	}
	return false;
}

static bool
skip(struct cursor *cursor, uint64_t len)
{
	if (len > (uint64_t)(cursor->end - cursor->at))
		return false;
	cursor->at += len;
	return true;
}

/* Steps over one field; for a length-delimited one *ret_body is what it holds. */
static bool
take_field(struct cursor *cursor, uint64_t *ret_tag, struct cursor *ret_body)
{
	uint64_t key, len = 0;

	ret_body->at = NULL;
	if (!take_varint(cursor, &key))
		return false;
	*ret_tag = key >> 3;
	switch ((enum wire_type)(key & 7)) {
	case WIRE_VARINT: return take_varint(cursor, &len);
	case WIRE_64: return skip(cursor, 8);
	case WIRE_32: return skip(cursor, 4);
	case WIRE_LENGTH:
		if (!take_varint(cursor, &len))
			return false;
		ret_body->at = cursor->at;
		if (!skip(cursor, len))
			return false;
		ret_body->end = cursor->at;
		return true;
	}
	return false;
}

/*
 * No message field may come twice: protobuf-c would merge them, copying what is
 * there for each that follows.  The depth is that of the message types, which do
 * not recurse.
 */
static bool
acceptable(const ProtobufCMessageDescriptor *type, struct cursor cursor)
{
	uint64_t seen = 0;

	while (cursor.at < cursor.end) {
		const ProtobufCFieldDescriptor *field;
		struct cursor body;
		uint64_t tag;

		if (!take_field(&cursor, &tag, &body))
			return false;
		if (!body.at || tag > 63)
			continue;
		field = protobuf_c_message_descriptor_get_field(type, (unsigned)tag);
		if (!field || field->type != PROTOBUF_C_TYPE_MESSAGE)
			continue;
		if (field->label != PROTOBUF_C_LABEL_REPEATED) {
			if (seen & UINT64_C(1) << tag)
				return false;
			seen |= UINT64_C(1) << tag;
		}
		if (!acceptable(field->descriptor, body))
			return false;
	}
	return true;
}

void *
proto_unpack(const ProtobufCMessageDescriptor *type, const uint8_t *data, size_t len,
    size_t *ret_peak)
{
	struct budget budget = {.left = PROTO_BUDGET_BASE};
	ProtobufCAllocator allocator = {budget_alloc, budget_free, &budget};
	static const uint8_t nothing[1];
	void *message = NULL;

	if (ret_peak)
		*ret_peak = 0;
	if (!data)
		data = nothing;
	if (len > (SIZE_MAX - PROTO_BUDGET_BASE) / PROTO_BUDGET_PER_BYTE)
		return NULL;
	budget.left += len * PROTO_BUDGET_PER_BYTE;
	if (acceptable(type, (struct cursor){data, data + len}))
		message = protobuf_c_message_unpack(type, &allocator, len, data);
	if (ret_peak)
		*ret_peak = budget.peak;
	return message;
}

void
proto_free(void *message)
{
	struct budget budget = {0};
	ProtobufCAllocator allocator = {budget_alloc, budget_free, &budget};

	if (message)
		protobuf_c_message_free_unpacked(message, &allocator);
}
