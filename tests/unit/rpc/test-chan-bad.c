/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A channel against bytes that no channel sends: limits, broken frames, other
 * protocols, silence, and peers that do not read.
 */
#include "lib/rpc/chan.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "tests/unit/rpc/loop.h"

/* Raw bytes from `a`, which is no channel; b is one. */
static void
raw_start(struct loop *loop)
{
	loop_init(loop);
	loop_connect(loop, OVER_SOCKETPAIR);
	side_start(&loop->b);
	bufferevent_enable(loop->a.bev, EV_READ | EV_WRITE);
}

static void
raw_frame(struct loop *loop, const struct frame *frame, const void *payload)
{
	uint8_t header[FRAME_HEADER];

	frame_encode(header, frame);
	bufferevent_write(loop->a.bev, header, sizeof header);
	if (payload)
		bufferevent_write(loop->a.bev, payload, frame->len);
}

/* product "v", protocol 1 to 1, boot 0 */
static const char raw_hello[] = "\x0a\x01v\x10\x01\x18\x01\x29\0\0\0\0\0\0\0\0";

static void
raw_hello_send(struct loop *loop)
{
	struct frame frame = {.kind = FRAME_HELLO, .len = sizeof raw_hello - 1};

	raw_frame(loop, &frame, raw_hello);
	loop_until(loop, &loop->b.opened);
}

/* What b sent last to the raw side: an ERROR frame with this message. */
static void
raw_expect_error(struct loop *loop, const char *message)
{
	struct evbuffer *input = bufferevent_get_input(loop->a.bev);
	struct frame frame = {0};
	struct err err = ERR_INIT, said;

	loop_settle(loop);
	while (frame.kind != FRAME_ERROR) {
		uint8_t *header = evbuffer_pullup(input, FRAME_HEADER);

		ck_assert_ptr_nonnull(header);
		ck_assert_int_eq(frame_decode(&frame, header, &err), 0);
		evbuffer_drain(input, FRAME_HEADER);
		if (frame.kind != FRAME_ERROR)
			evbuffer_drain(input, frame.len);
	}
	ck_assert_uint_eq(frame.id, 0);
	chan_error_decode(evbuffer_pullup(input, frame.len), frame.len, &said);
	ck_assert_str_eq(said.msg, message);
	ck_assert_int_eq(said.code, ERR_PROTOCOL);
}

static void
raw_expect_refused(struct loop *loop, const char *message)
{
	raw_expect_error(loop, message);
	bufferevent_free(loop->a.bev); /* b lingers until we are gone */
	loop->a.bev = NULL;
	loop_until(loop, &loop->b.closed);
	ck_assert_int_eq(loop->b.why.code, ERR_PROTOCOL);
	ck_assert_str_eq(loop->b.why.msg, message);
	loop_free(loop);
}

START_TEST(oversize_is_refused_by_its_header)
{
	struct loop loop;
	struct frame frame = {.kind = FRAME_REQUEST, .id = 1, .method = 3, .len = 101};

	raw_start(&loop);
	loop.b.limit = 100;
	raw_hello_send(&loop);
	raw_frame(&loop, &frame, NULL); /* no byte of the payload is sent */
	raw_expect_refused(
	    &loop, "a request frame of method 3 with 101 bytes, of 100 at most");
}
END_TEST

/* It reads our reason, or not, and never closes. */
START_TEST(a_refused_peer_may_stay_only_so_long)
{
	struct loop loop;

	raw_start(&loop);
	if (_i)
		bufferevent_disable(loop.a.bev, EV_READ);
	bufferevent_write(loop.a.bev, "GET / HTTP/1.1\r\n\r\n", 18);
	loop_until(&loop, &loop.b.closed);
	ck_assert_int_eq(loop.b.why.code, ERR_PROTOCOL);
	ck_assert_str_eq(loop.b.why.msg, "the other side does not speak volley");
	loop_free(&loop);
}
END_TEST

START_TEST(a_frame_at_the_limit_is_taken)
{
	struct loop loop;
	uint8_t payload[100] = {0};
	struct frame frame = {.kind = FRAME_REQUEST, .id = 1, .len = sizeof payload};

	raw_start(&loop);
	loop.b.limit = 100;
	raw_hello_send(&loop);
	raw_frame(&loop, &frame, payload);
	loop_until_count(&loop, &loop.b.frames, 1);
	loop_free(&loop);
}
END_TEST

static const struct {
	struct frame frame;
	bool late; /* after HELLO */
	const char *message;
} bad_frames[] = {
    {{.kind = FRAME_REQUEST, .id = 1}, false, "a request frame before the handshake"},
    {{.kind = FRAME_PING, .len = 8}, false, "a ping frame before the handshake"},
    {{.kind = FRAME_HELLO, .len = CHAN_HELLO_MAX + 1}, false,
	"a hello frame of method 0 with 4097 bytes, of 4096 at most"},
    {{.kind = FRAME_HELLO}, false, "a HELLO that cannot be read"},
    {{.kind = FRAME_HELLO, .len = 16}, true, "a hello frame after the handshake"},
    {{.kind = FRAME_REQUEST}, true, "a request frame without a call"},
    {{.kind = FRAME_REPLY}, true, "a reply frame without a call"},
    {{.kind = FRAME_CANCEL, .id = 1, .len = 1}, true,
	"a cancel frame of method 0 with 1 bytes, of 0 at most"},
    {{.kind = FRAME_PING, .len = 7}, true, "a ping frame of 7 bytes"},
    {{.kind = FRAME_PING, .len = 9}, true,
	"a ping frame of method 0 with 9 bytes, of 8 at most"},
    {{.kind = FRAME_PONG, .len = 23}, true, "a pong frame of 23 bytes"},
    {{.kind = FRAME_BYE, .len = 1}, true,
	"a bye frame of method 0 with 1 bytes, of 0 at most"},
    {{.kind = FRAME_ERROR, .id = 1, .len = 4097}, true,
	"a error frame of method 0 with 4097 bytes, of 4096 at most"},
    {{.kind = 77, .id = 1}, true, "a frame of unknown kind 77"},
    {{.kind = FRAME_REQUEST, .flags = 1, .id = 1}, true,
	"a request frame with reserved bits set"},
};

START_TEST(bad_frames_are_named)
{
	struct loop loop;

	raw_start(&loop);
	if (bad_frames[_i].late)
		raw_hello_send(&loop);
	raw_frame(&loop, &bad_frames[_i].frame, NULL);
	raw_expect_refused(&loop, bad_frames[_i].message);
}
END_TEST

START_TEST(other_protocols_are_refused)
{
	struct loop loop;

	raw_start(&loop);
	bufferevent_write(loop.a.bev, "GET / HTTP/1.1\r\n\r\n", 18);
	raw_expect_refused(&loop, "the other side does not speak volley");
}
END_TEST

START_TEST(every_byte_may_come_alone)
{
	struct loop loop;
	struct frame hello = {.kind = FRAME_HELLO, .len = sizeof raw_hello - 1};
	struct frame request = {.kind = FRAME_REQUEST, .id = 2, .method = 3, .len = 3};
	uint8_t bytes[2 * FRAME_HEADER + sizeof raw_hello - 1 + 3];
	uint8_t *at = bytes;

	frame_encode(at, &hello);
	memcpy(at + FRAME_HEADER, raw_hello, hello.len);
	at += FRAME_HEADER + hello.len;
	frame_encode(at, &request);
	memcpy(at + FRAME_HEADER, "xyz", 3);
	raw_start(&loop);
	for (size_t i = 0; i < sizeof bytes; i++) {
		bufferevent_write(loop.a.bev, &bytes[i], 1);
		loop_settle(&loop);
		ck_assert(loop.b.opened == (i >= FRAME_HEADER + hello.len - 1));
	}
	ck_assert_str_eq(loop.b.log.s, "request 2/3 xyz\n");
	loop_free(&loop);
}
END_TEST

START_TEST(all_of_it_may_come_at_once)
{
	struct loop loop;
	struct frame hello = {.kind = FRAME_HELLO, .len = sizeof raw_hello - 1};
	struct frame frame = {.kind = FRAME_CANCEL, .method = 3};
	struct frame bye = {.kind = FRAME_BYE};

	raw_start(&loop);
	raw_frame(&loop, &hello, raw_hello);
	for (frame.id = 1; frame.id <= 1000; frame.id++)
		raw_frame(&loop, &frame, NULL);
	raw_frame(&loop, &bye, NULL);
	loop_until(&loop, &loop.b.closed);
	ck_assert_int_eq(loop.b.why.code, ERR_NONE);
	ck_assert_uint_eq(loop.b.frames, 1000);
	loop_free(&loop);
}
END_TEST

START_TEST(silence_ends_an_open_channel)
{
	struct loop loop;

	raw_start(&loop);
	bufferevent_free(loop.a.bev);
	chan_free(loop.b.chan);
	loop.a.bev = NULL;
	loop_connect(&loop, OVER_SOCKETPAIR);
	loop.b.config.idle_timeout_ns = 60000000;
	side_start(&loop.b);
	bufferevent_enable(loop.a.bev, EV_READ | EV_WRITE);
	raw_hello_send(&loop); /* and never answers a ping */
	loop_until(&loop, &loop.b.closed);
	ck_assert_int_eq(loop.b.why.code, ERR_TIMEOUT);
	ck_assert(str_starts(loop.b.why.msg, "nothing heard for 0."));
	loop_free(&loop);
}
END_TEST

static void
on_pong(void *arg, uint64_t t0, uint64_t t1, uint64_t t2, uint64_t t3)
{
	(void)t0;
	(void)t1;
	(void)t2;
	(void)t3;
	++*(unsigned *)arg;
}

/* Guessed by its id, or with the peer's times turned round. */
START_TEST(a_pong_from_before_its_ping_is_refused)
{
	struct frame frame = {.kind = FRAME_PONG, .id = 1, .len = 24};
	uint8_t payload[24] = {[15] = 9, [23] = (uint8_t)(_i ? 8 : 9)};
	unsigned pongs = 0;
	struct loop loop;

	raw_start(&loop);
	raw_hello_send(&loop);
	if (_i)
		chan_ping(loop.b.chan, on_pong, &pongs);
	raw_frame(&loop, &frame, payload);
	if (!_i) {
		while (evbuffer_get_length(bufferevent_get_output(loop.a.bev)))
			event_base_loop(loop.base, EVLOOP_NONBLOCK);
		loop_settle(&loop); /* without a ping it is ignored */
		chan_ping(loop.b.chan, on_pong, &pongs);
		loop_settle(&loop);
		ck_assert_uint_eq(pongs, 0);
		loop_free(&loop);
		return;
	}
	raw_expect_refused(&loop, "a pong from before its ping");
	ck_assert_uint_eq(pongs, 0);
}
END_TEST

START_TEST(a_peer_that_never_reads_is_cut_off)
{
	uint32_t len = CHAN_FRAME_MAX;
	uint8_t *payload = mem_alloc(len);
	struct frame frame = {.kind = FRAME_ITEM, .id = 1, .len = len};
	struct loop loop;

	raw_start(&loop);
	raw_hello_send(&loop);
	bufferevent_disable(loop.a.bev, EV_READ);
	for (int i = 0; i < 6; i++)
		chan_send(loop.b.chan, &frame, payload);
	loop_until(&loop, &loop.b.closed);
	ck_assert_int_eq(loop.b.why.code, ERR_UNREACHABLE);
	ck_assert(str_starts(loop.b.why.msg, "the other side does not read: "));
	free(payload);
	loop_free(&loop);
}
END_TEST

/* The other side neither reads nor closes: closing does not take for ever. */
START_TEST(closing_is_bounded)
{
	uint32_t len = 8u << 20;
	uint8_t *payload = mem_alloc(len);
	struct frame frame = {.kind = FRAME_ITEM, .id = 1, .len = len};
	struct loop loop;

	raw_start(&loop);
	raw_hello_send(&loop);
	bufferevent_disable(loop.a.bev, EV_READ);
	chan_send(loop.b.chan, &frame, payload);
	chan_close(loop.b.chan);
	loop_until(&loop, &loop.b.closed);
	ck_assert_int_eq(loop.b.why.code, ERR_NONE);
	free(payload);
	loop_free(&loop);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("chan-bad");
	TCase *tcase = tcase_create("chan-bad");
	SRunner *runner;
	int failed;
	static const TTest *const *once[] = {
	    &oversize_is_refused_by_its_header,
	    &a_frame_at_the_limit_is_taken,
	    &other_protocols_are_refused,
	    &every_byte_may_come_alone,
	    &all_of_it_may_come_at_once,
	    &silence_ends_an_open_channel,
	    &a_peer_that_never_reads_is_cut_off,
	    &closing_is_bounded,
	};

	for (size_t i = 0; i < sizeof once / sizeof *once; i++)
		tcase_add_test(tcase, *once[i]);
	tcase_add_loop_test(tcase, a_refused_peer_may_stay_only_so_long, 0, 2);
	tcase_add_loop_test(tcase, a_pong_from_before_its_ping_is_refused, 0, 2);
	tcase_add_loop_test(tcase, bad_frames_are_named, 0,
	    (int)(sizeof bad_frames / sizeof *bad_frames));
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
