/* SPDX-License-Identifier: Apache-2.0 */
/* The frame header, byte by byte, and the payloads of HELLO and ERROR. */
#include "lib/rpc/frame.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/rpc/chan.h"
#include "lib/rpc/hello.h"
#include "tests/unit/suite.h"

static const uint8_t example[FRAME_HEADER] = {
    0x01, 0x02, 0x03, 0x04, 'V', 'L', 2, 0, 0xa1, 0xa2, 0xa3, 0xa4, 0x0b, 0x0c, 0, 0};

START_TEST(encodes_big_endian)
{
	struct frame frame = {.kind = FRAME_REQUEST,
	    .method = 0x0b0c,
	    .id = 0xa1a2a3a4,
	    .len = 0x01020304};
	uint8_t header[FRAME_HEADER];

	memset(header, 0xff, sizeof header);
	frame_encode(header, &frame);
	ck_assert_mem_eq(header, example, FRAME_HEADER);
}
END_TEST

START_TEST(decodes_what_it_encodes)
{
	struct frame frame;
	struct err err = ERR_INIT;

	ck_assert_int_eq(frame_decode(&frame, example, &err), 0);
	ck_assert_uint_eq(frame.kind, FRAME_REQUEST);
	ck_assert_uint_eq(frame.flags, 0);
	ck_assert_uint_eq(frame.method, 0x0b0c);
	ck_assert_uint_eq(frame.id, 0xa1a2a3a4);
	ck_assert_uint_eq(frame.len, 0x01020304);
}
END_TEST

static void
refuses(unsigned at, uint8_t value, const char *message)
{
	uint8_t header[FRAME_HEADER];
	struct frame frame;
	struct err err = ERR_INIT;

	memcpy(header, example, sizeof header);
	header[at] = value;
	ck_assert_int_eq(frame_decode(&frame, header, &err), -1);
	ck_assert_int_eq(err.code, ERR_PROTOCOL);
	ck_assert_str_eq(err.msg, message);
}

START_TEST(refuses_what_is_not_a_header)
{
	refuses(4, 'v', "the other side does not speak volley");
	refuses(5, 0, "the other side does not speak volley");
	refuses(6, 0, "a frame of unknown kind 0");
	refuses(6, FRAME_KIND_COUNT, "a frame of unknown kind 11");
	refuses(6, 255, "a frame of unknown kind 255");
	refuses(7, 1, "a request frame with reserved bits set");
	refuses(14, 0x80, "a request frame with reserved bits set");
	refuses(15, 1, "a request frame with reserved bits set");
}
END_TEST

START_TEST(kinds_have_fixed_numbers_and_names)
{
	static const char *const names[] = {"?", "hello", "request", "reply", "item",
	    "end", "error", "cancel", "ping", "pong", "bye", "?"};

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		ck_assert_str_eq(frame_kind_name((enum frame_kind)i), names[i]);
}
END_TEST

/* Field 1 string, 2 and 3 varint, 4 string, 5 fixed64: as any version writes them. */
static const uint8_t hello_bytes[] = {0x0a, 12, 'v', 'o', 'l', 'l', 'e', 'y', ' ', '9',
    '.', '9', '.', '9', 0x10, 2, 0x18, 3, 0x22, 2, 'g', '1', 0x29, 8, 7, 6, 5, 4, 3, 2,
    1};

START_TEST(hello_has_fixed_bytes)
{
	struct hello hello = {.product = (char *)"volley 9.9.9",
	    .name = (char *)"g1",
	    .protocol_min = 2,
	    .protocol_max = 3,
	    .boot = 0x0102030405060708};
	struct hello back;
	struct err err = ERR_INIT;
	size_t len;
	uint8_t *payload = hello_pack(&hello, &len);

	ck_assert_uint_eq(len, sizeof hello_bytes);
	ck_assert_mem_eq(payload, hello_bytes, len);
	ck_assert_int_eq(hello_unpack(&back, payload, len, &err), 0);
	ck_assert_str_eq(back.product, "volley 9.9.9");
	ck_assert_str_eq(back.name, "g1");
	ck_assert_uint_eq(back.protocol_min, 2);
	ck_assert_uint_eq(back.protocol_max, 3);
	ck_assert(back.boot == 0x0102030405060708);
	hello_free(&back);
	free(payload);
}
END_TEST

START_TEST(hello_from_a_later_version_is_read)
{
	uint8_t later[sizeof hello_bytes + 8];
	struct hello back;
	struct err err = ERR_INIT;

	memcpy(later, hello_bytes, sizeof hello_bytes);
	memcpy(later + sizeof hello_bytes, "\x32\x01x\x3a\x03new", 8);
	ck_assert_int_eq(hello_unpack(&back, later, sizeof later, &err), 0);
	ck_assert_str_eq(back.name, "g1");
	hello_free(&back);
}
END_TEST

START_TEST(hello_is_checked)
{
	uint8_t bytes[sizeof hello_bytes];
	struct hello back;
	struct err err = ERR_INIT;

	for (size_t len = 0; len < sizeof hello_bytes; len++)
		ck_assert_int_eq(hello_unpack(&back, hello_bytes, len, &err), -1);
	ck_assert_str_eq(err.msg, "a HELLO that cannot be read");
	memcpy(bytes, hello_bytes, sizeof bytes);
	bytes[3] = '\x1b';
	ck_assert_int_eq(hello_unpack(&back, bytes, sizeof bytes, &err), -1);
	ck_assert_str_eq(err.msg, "a HELLO with a name that is not plain text");
	memcpy(bytes, hello_bytes, sizeof bytes);
	bytes[15] = 4;
	ck_assert_int_eq(hello_unpack(&back, bytes, sizeof bytes, &err), -1);
	ck_assert_str_eq(err.msg, "a HELLO with protocol 4 to 3");
}
END_TEST

START_TEST(the_highest_common_protocol_is_agreed)
{
	struct hello old = {
	    .product = (char *)"volley 1", .protocol_min = 1, .protocol_max = 3};
	struct hello new = {
	    .product = (char *)"volley 2", .protocol_min = 3, .protocol_max = 7};
	struct hello newer = {
	    .product = (char *)"volley 3", .protocol_min = 8, .protocol_max = 8};
	struct err err = ERR_INIT;
	uint32_t protocol;

	ck_assert_int_eq(hello_agree(&old, &new, &protocol, &err), 0);
	ck_assert_uint_eq(protocol, 3);
	ck_assert_int_eq(hello_agree(&new, &old, &protocol, &err), 0);
	ck_assert_uint_eq(protocol, 3);
	ck_assert_int_eq(hello_agree(&new, &newer, &protocol, &err), -1);
	ck_assert_int_eq(err.code, ERR_PROTOCOL);
	ck_assert_str_eq(err.msg, "volley 2 speaks protocol 3 to 7, "
				  "volley 3 speaks protocol 8: update the older one");
}
END_TEST

START_TEST(errors_travel)
{
	struct err err = ERR_INIT, back;
	uint8_t *payload;
	size_t len;

	err_sys(&err, 13, "open /mnt/one");
	payload = error_pack(&err, &len);
	chan_error_decode(payload, len, &back);
	ck_assert_int_eq(back.code, ERR_SYS);
	ck_assert_int_eq(back.errnum, 13);
	ck_assert_str_eq(back.msg, "open /mnt/one: Permission denied");
	chan_error_decode(payload, len - 1, &back);
	ck_assert_int_eq(back.code, ERR_PROTOCOL);
	ck_assert_str_eq(back.msg, "an error that cannot be read");
	free(payload);
}
END_TEST

START_TEST(strange_errors_are_errors)
{
	struct err back;

	/* code "later", message "a\nb" */
	chan_error_decode((const uint8_t *)"\x0a\x05later\x1a\x03"
					   "a\nb",
	    12, &back);
	ck_assert_int_eq(back.code, ERR_PROTOCOL);
	ck_assert_str_eq(back.msg, "a?b");
	/* code "none" */
	chan_error_decode((const uint8_t *)"\x0a\x04none\x1a\x01x", 9, &back);
	ck_assert_int_eq(back.code, ERR_PROTOCOL);
	ck_assert_str_eq(back.msg, "x");
}
END_TEST

int
main(void)
{
	return SUITE_MAIN("frame", encodes_big_endian, decodes_what_it_encodes,
	    refuses_what_is_not_a_header, kinds_have_fixed_numbers_and_names,
	    hello_has_fixed_bytes, hello_from_a_later_version_is_read, hello_is_checked,
	    the_highest_common_protocol_is_agreed, errors_travel,
	    strange_errors_are_errors);
}
