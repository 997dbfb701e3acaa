/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame header, byte by byte.
 */
#include "lib/rpc/frame.h"

static const char *const kind_names[FRAME_KIND_COUNT] = {
    [FRAME_HELLO] = "hello",
    [FRAME_REQUEST] = "request",
    [FRAME_REPLY] = "reply",
    [FRAME_ITEM] = "item",
    [FRAME_END] = "end",
    [FRAME_ERROR] = "error",
    [FRAME_CANCEL] = "cancel",
    [FRAME_PING] = "ping",
    [FRAME_PONG] = "pong",
    [FRAME_BYE] = "bye",
};

static void
put16(uint8_t *p, uint16_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static void
put32(uint8_t *p, uint32_t value)
{
	put16(p, (uint16_t)(value >> 16));
	put16(p + 2, (uint16_t)value);
}

static uint16_t
get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t
get32(const uint8_t *p)
{
	return (uint32_t)get16(p) << 16 | get16(p + 2);
}

void
frame_encode(uint8_t ret[FRAME_HEADER], const struct frame *frame)
{
	put32(ret, frame->len);
	ret[4] = 'V';
	ret[5] = 'L';
	ret[6] = frame->kind;
	ret[7] = frame->flags;
	put32(ret + 8, frame->id);
	put16(ret + 12, frame->method);
	put16(ret + 14, 0);
}

int
frame_decode(struct frame *ret, const uint8_t header[FRAME_HEADER], struct err *err)
{
	*ret = (struct frame){
	    .len = get32(header),
	    .kind = header[6],
	    .flags = header[7],
	    .id = get32(header + 8),
	    .method = get16(header + 12),
	};
	if (header[4] != 'V' || header[5] != 'L')
		return err_set(
		    err, ERR_PROTOCOL, "the other side does not speak volley");
	if (ret->kind == 0 || ret->kind >= FRAME_KIND_COUNT)
		return err_set(
		    err, ERR_PROTOCOL, "a frame of unknown kind %u", ret->kind);
	if (ret->flags || get16(header + 14))
		return err_set(err, ERR_PROTOCOL, "a %s frame with reserved bits set",
		    kind_names[ret->kind]);
	return 0;
}

const char *
frame_kind_name(enum frame_kind kind)
{
	return kind < FRAME_KIND_COUNT && kind_names[kind] ? kind_names[kind] : "?";
}
