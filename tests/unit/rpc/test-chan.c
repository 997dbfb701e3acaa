/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two channels: the handshake, frames, every way to end, pings and queues.  Most
 * tests run over each transport (_i).
 */
#include "lib/rpc/chan.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "tests/unit/rpc/loop.h"

static void
send_text(struct side *side, enum frame_kind kind, uint32_t id, const char *text)
{
	struct frame frame = {
	    .kind = kind, .id = id, .method = 3, .len = (uint32_t)strlen(text)};

	chan_send(side->chan, &frame, (const uint8_t *)text);
}

START_TEST(both_sides_learn_who_the_other_is)
{
	struct loop loop;

	loop_init(&loop);
	loop.a.config.product = "volley 7.0";
	loop_open(&loop, (enum transport)_i);
	ck_assert_str_eq(loop.b.product, "volley 7.0");
	ck_assert_str_eq(loop.b.name, "");
	ck_assert_uint_eq(loop.b.boot, 11);
	ck_assert(str_starts(loop.a.product, "volley "));
	ck_assert_str_eq(loop.a.name, "gpu01");
	ck_assert_uint_eq(loop.a.boot, 22);
	ck_assert_uint_eq(loop.a.protocol, 1);
	ck_assert_uint_eq(loop.b.protocol, 1);
	if (_i == OVER_TLS)
		ck_assert(str_starts(chan_address(loop.b.chan), "127.0.0.1:"));
	else
		ck_assert_str_eq(chan_address(loop.b.chan),
		    _i == OVER_PAIR ? "unconnected" : "socketpair");
	loop_free(&loop);
}
END_TEST

START_TEST(frames_pass_in_order)
{
	struct loop loop;

	loop_init(&loop);
	loop_connect(&loop, (enum transport)_i);
	side_start(&loop.a);
	send_text(&loop.a, FRAME_REQUEST, 5, "early"); /* waits for the handshake */
	side_start(&loop.b);
	loop_until(&loop, &loop.a.opened);
	send_text(&loop.a, FRAME_REQUEST, 7, "abc");
	send_text(&loop.a, FRAME_CANCEL, 7, "");
	send_text(&loop.b, FRAME_REQUEST, 9, "back");
	loop_until_count(&loop, &loop.b.frames, 3);
	loop_until_count(&loop, &loop.a.frames, 1);
	ck_assert_str_eq(
	    loop.b.log.s, "request 5/3 early\nrequest 7/3 abc\ncancel 7/3 \n");
	ck_assert_str_eq(loop.a.log.s, "request 9/3 back\n");
	loop_free(&loop);
}
END_TEST

START_TEST(nothing_is_called_from_inside)
{
	struct loop loop;
	struct err why = ERR_INIT;

	loop_init(&loop);
	loop_open(&loop, (enum transport)_i);
	send_text(&loop.a, FRAME_REQUEST, 1, "x");
	ck_assert_uint_eq(loop.b.frames, 0);
	err_set(&why, ERR_BUSY, "no");
	chan_abort(loop.a.chan, &why);
	ck_assert(!loop.a.closed);
	chan_close(loop.b.chan);
	ck_assert(!loop.b.closed);
	loop_until(&loop, &loop.a.closed);
	ck_assert_int_eq(loop.a.why.code, ERR_BUSY);
	loop_free(&loop);
}
END_TEST

/* Large enough to wait in both queues, and split in many ways by TLS. */
START_TEST(large_frames_pass)
{
	size_t len = (5u << 20) + 12345;
	uint8_t *payload = mem_alloc(len);
	struct frame frame = {.kind = FRAME_REPLY, .id = 1, .len = (uint32_t)len};
	struct loop loop;

	for (size_t i = 0; i < len; i++)
		payload[i] = (uint8_t)(i * 31 >> 3);
	loop_init(&loop);
	loop_open(&loop, (enum transport)_i);
	for (int i = 0; i < 3; i++)
		chan_send(loop.a.chan, &frame, payload);
	ck_assert_uint_ge(
	    chan_backlog(loop.a.chan) + (_i == OVER_PAIR ? len * 3 : 0), 2 * len);
	chan_close(loop.a.chan); /* after all of it */
	loop_until(&loop, &loop.b.closed);
	ck_assert_uint_eq(loop.b.frames, 3);
	ck_assert_int_eq(loop.b.why.code, ERR_NONE);
	free(payload);
	loop_free(&loop);
}
END_TEST

START_TEST(versions_without_overlap_say_so_on_both_sides)
{
	static const char *const message =
	    "volley 1.0 speaks protocol 1 to 2, volley 4.0 speaks protocol 3 to 4: "
	    "update the older one";
	struct loop loop;

	loop_init(&loop);
	loop.a.config.product = "volley 4.0";
	loop.a.config.protocol_min = 3;
	loop.a.config.protocol_max = 4;
	loop.b.config.product = "volley 1.0";
	loop.b.config.protocol_max = 2;
	loop_connect(&loop, (enum transport)_i);
	side_start(&loop.a);
	side_start(&loop.b);
	loop_until(&loop, &loop.a.closed);
	loop_until(&loop, &loop.b.closed);
	ck_assert(!loop.a.opened && !loop.b.opened);
	ck_assert_int_eq(loop.a.why.code, ERR_PROTOCOL);
	ck_assert_str_eq(loop.a.why.msg, message);
	ck_assert_int_eq(loop.b.why.code, ERR_PROTOCOL);
	ck_assert_str_eq(loop.b.why.msg, message);
	loop_free(&loop);
}
END_TEST

START_TEST(bye_is_no_error)
{
	struct loop loop;

	loop_init(&loop);
	loop_open(&loop, (enum transport)_i);
	send_text(&loop.a, FRAME_REQUEST, 1, "last");
	chan_close(loop.a.chan);
	send_text(&loop.a, FRAME_REQUEST, 2, "too late");
	loop_until(&loop, &loop.b.closed);
	loop_until(&loop, &loop.a.closed);
	ck_assert_int_eq(loop.a.why.code, ERR_NONE);
	ck_assert_int_eq(loop.b.why.code, ERR_NONE);
	ck_assert_str_eq(loop.b.log.s, "request 1/3 last\n");
	loop_free(&loop);
}
END_TEST

START_TEST(both_may_say_bye)
{
	struct loop loop;

	loop_init(&loop);
	loop_open(&loop, (enum transport)_i);
	chan_close(loop.a.chan);
	chan_close(loop.b.chan);
	loop_until(&loop, &loop.a.closed);
	loop_until(&loop, &loop.b.closed);
	ck_assert_int_eq(loop.a.why.code, ERR_NONE);
	ck_assert_int_eq(loop.b.why.code, ERR_NONE);
	loop_free(&loop);
}
END_TEST

START_TEST(an_end_without_bye_is_a_lost_connection)
{
	struct loop loop;

	loop_init(&loop);
	loop_open(&loop, (enum transport)_i);
	chan_free(loop.a.chan);
	loop.a.chan = NULL;
	loop_until(&loop, &loop.b.closed);
	ck_assert(!loop.a.closed); /* chan_free tells nobody */
	ck_assert_int_eq(loop.b.why.code, ERR_UNREACHABLE);
	ck_assert_str_eq(loop.b.why.msg, "connection lost");
	loop_free(&loop);
}
END_TEST

START_TEST(an_abort_gives_its_reason_here_and_none_there)
{
	struct loop loop;
	struct err why = ERR_INIT;

	loop_init(&loop);
	loop_open(&loop, (enum transport)_i);
	err_set(&why, ERR_PROTOCOL, "nonsense");
	chan_abort(loop.a.chan, &why);
	chan_close(loop.a.chan); /* the first reason counts */
	loop_until(&loop, &loop.a.closed);
	loop_until(&loop, &loop.b.closed);
	ck_assert_str_eq(loop.a.why.msg, "nonsense");
	ck_assert_str_eq(loop.b.why.msg, "connection lost");
	loop_free(&loop);
}
END_TEST

START_TEST(an_error_about_the_connection_closes_it)
{
	struct loop loop;
	struct err why = ERR_INIT;

	loop_init(&loop);
	loop_open(&loop, (enum transport)_i);
	err_set(&why, ERR_BUSY, "busy with run 7");
	chan_send_error(loop.a.chan, 0, &why);
	loop_until(&loop, &loop.b.closed);
	loop_until(&loop, &loop.a.closed);
	ck_assert_int_eq(loop.b.why.code, ERR_BUSY);
	ck_assert_str_eq(loop.b.why.msg, "busy with run 7");
	ck_assert_str_eq(loop.a.why.msg, "busy with run 7");
	loop_free(&loop);
}
END_TEST

START_TEST(silence_ends_the_handshake)
{
	struct loop loop;

	loop_init(&loop);
	loop_connect(&loop, (enum transport)_i);
	loop.b.config.handshake_timeout_ns = 20000000;
	side_start(&loop.b);
	loop_until(&loop, &loop.b.closed);
	ck_assert_int_eq(loop.b.why.code, ERR_TIMEOUT);
	ck_assert_str_eq(loop.b.why.msg, "no handshake within 0.02 s");
	loop_free(&loop);
}
END_TEST

static void
on_time(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	*(bool *)arg = true;
}

/* Pings keep it alive: it outlives its idle time three times over. */
START_TEST(an_idle_channel_stays)
{
	struct loop loop;
	bool over = false;
	struct timeval after = {.tv_usec = 900000};
	struct event *timer;

	loop_init(&loop);
	loop.b.config.idle_timeout_ns = 300000000;
	loop_open(&loop, OVER_SOCKETPAIR);
	timer = evtimer_new(loop.base, on_time, &over);
	event_add(timer, &after);
	loop_until(&loop, &over);
	ck_assert(!loop.a.closed && !loop.b.closed);
	event_free(timer);
	loop_free(&loop);
}
END_TEST

struct pongs {
	unsigned n;
	uint64_t t0, t1, t2, t3;
};

static void
on_pong(void *arg, uint64_t t0, uint64_t t1, uint64_t t2, uint64_t t3)
{
	*(struct pongs *)arg =
	    (struct pongs){((struct pongs *)arg)->n + 1, t0, t1, t2, t3};
}

/* Both sides read the same clock here, so all four stamps are in order. */
START_TEST(a_ping_has_four_stamps)
{
	struct loop loop;
	struct pongs pongs = {0};
	uint64_t before, after;

	loop_init(&loop);
	loop_open(&loop, (enum transport)_i);
	before = clock_ns();
	chan_ping(loop.a.chan, on_pong, &pongs);
	loop_until_count(&loop, &pongs.n, 1);
	after = clock_ns();
	ck_assert_uint_ge(pongs.t0, before);
	ck_assert_uint_ge(pongs.t1, pongs.t0);
	ck_assert_uint_ge(pongs.t2, pongs.t1);
	ck_assert_uint_ge(pongs.t3, pongs.t2);
	ck_assert_uint_ge(after, pongs.t3);
	for (int i = 0; i < 20; i++)
		chan_ping(loop.a.chan, on_pong, &pongs);
	loop_until_count(&loop, &pongs.n, 21);
	ck_assert_uint_eq(loop.a.frames + loop.b.frames, 0);
	loop_free(&loop);
}
END_TEST

/* The pong overtakes megabytes that were queued before it. */
START_TEST(a_pong_does_not_wait_for_the_queue)
{
	static uint8_t payload[32768];
	struct frame frame = {.kind = FRAME_ITEM, .id = 1, .len = sizeof payload};
	struct pongs pongs = {0};
	struct loop loop;

	loop_init(&loop);
	loop_open(&loop, (enum transport)_i);
	chan_ping(loop.a.chan, on_pong, &pongs);
	for (int i = 0; i < 500; i++)
		chan_send(loop.b.chan, &frame, payload);
	loop_until_count(&loop, &pongs.n, 1);
	ck_assert_uint_lt(loop.a.frames, 100);
	loop_until_count(&loop, &loop.a.frames, 500);
	loop_free(&loop);
}
END_TEST

START_TEST(pings_that_are_open_at_the_end_are_dropped)
{
	struct loop loop;
	struct pongs pongs = {0};

	loop_init(&loop);
	loop_open(&loop, (enum transport)_i);
	chan_ping(loop.a.chan, on_pong, &pongs);
	chan_abort(loop.a.chan, &ERR_INIT);
	loop_until(&loop, &loop.a.closed);
	loop_settle(&loop);
	ck_assert_uint_eq(pongs.n, 0);
	loop_free(&loop);
}
END_TEST

START_TEST(close_before_the_handshake_is_at_once)
{
	struct loop loop;

	loop_init(&loop);
	loop_connect(&loop, (enum transport)_i);
	side_start(&loop.a);
	chan_ping(loop.a.chan, on_pong, NULL); /* ignored */
	chan_close(loop.a.chan);
	loop_until(&loop, &loop.a.closed);
	ck_assert_int_eq(loop.a.why.code, ERR_NONE);
	ck_assert(!loop.a.opened);
	loop_free(&loop);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("chan");
	TCase *tcase = tcase_create("chan");
	SRunner *runner;
	int failed;
	static const TTest *const *each[] = {
	    &both_sides_learn_who_the_other_is,
	    &frames_pass_in_order,
	    &nothing_is_called_from_inside,
	    &large_frames_pass,
	    &versions_without_overlap_say_so_on_both_sides,
	    &bye_is_no_error,
	    &both_may_say_bye,
	    &an_error_about_the_connection_closes_it,
	    &silence_ends_the_handshake,
	    &a_ping_has_four_stamps,
	    &pings_that_are_open_at_the_end_are_dropped,
	    &close_before_the_handshake_is_at_once,
	};
	/* A bufferevent pair holds any amount, and does not tell that its other half
	 * is gone. */
	static const TTest *const *sockets[] = {
	    &an_end_without_bye_is_a_lost_connection,
	    &a_pong_does_not_wait_for_the_queue,
	    &an_abort_gives_its_reason_here_and_none_there,
	};

	for (size_t i = 0; i < sizeof each / sizeof *each; i++)
		tcase_add_loop_test(tcase, *each[i], 0, TRANSPORTS);
	for (size_t i = 0; i < sizeof sockets / sizeof *sockets; i++)
		tcase_add_loop_test(tcase, *sockets[i], OVER_SOCKETPAIR, TRANSPORTS);
	tcase_add_test(tcase, an_idle_channel_stays);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
