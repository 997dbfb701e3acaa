/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and served methods: replies, streams, errors, cancelling, deadlines, loss. */
#include "lib/rpc/call.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/rpc/serve.h"
#include "tests/unit/rpc/loop.h"

/* What a caller was told. */
struct heard {
	struct str items; /* "one,two," */
	unsigned n, done;
	bool finished;
	struct err err;
	struct call *cancel_at_first; /* that call, from within its item callback */
};

static void
on_item(void *arg, struct call *call, const uint8_t *payload, size_t len)
{
	struct heard *heard = arg;

	ck_assert(!heard->finished);
	heard->n++;
	str_addn(&heard->items, (const char *)payload, len);
	str_addc(&heard->items, ',');
	if (heard->cancel_at_first == call) {
		heard->finished = true;
		call_cancel(call);
	}
}

static void
on_done(void *arg, struct call *call, const struct err *err)
{
	struct heard *heard = arg;

	(void)call;
	ck_assert(!heard->finished);
	heard->finished = true;
	heard->done++;
	heard->err = *err;
}

static const struct call_ops call_ops = {on_item, on_done};

/* What the methods kept of their last request. */
struct served {
	struct request *open, *all[SERVER_OPEN_MAX];
	bool gone, have;
	unsigned requests, gones;
};

enum { ECHO = 1, COUNT, FAIL, KEEP };

/* Each test is a process of its own. */
static struct served *
served(void)
{
	static struct served served;

	return &served;
}

static void
on_gone(void *arg)
{
	struct served *s = arg;

	s->gone = true;
	s->gones++;
}

static void
handle_echo(void *arg, struct request *request, const uint8_t *payload, size_t len)
{
	(void)arg;
	request_reply(request, payload, len);
}

static void
handle_count(void *arg, struct request *request, const uint8_t *payload, size_t len)
{
	(void)arg;
	for (size_t i = 0; i < len; i++)
		request_item(request, &payload[i], 1, false);
	request_end(request);
}

static void
handle_fail(void *arg, struct request *request, const uint8_t *payload, size_t len)
{
	struct err err = ERR_INIT;

	(void)arg;
	err_set(
	    &err, ERR_POLICY, "%.*s is not allowed", (int)len, (const char *)payload);
	request_error(request, &err);
}

static void
handle_keep(void *arg, struct request *request, const uint8_t *payload, size_t len)
{
	struct served *s = served();

	(void)arg;
	(void)payload;
	(void)len;
	s->all[s->requests++] = request;
	s->open = request;
	s->have = true;
	s->gone = false;
	request_on_gone(request, on_gone, s);
}

static const struct method methods[] = {
    {ECHO, "echo", 16, handle_echo},
    {COUNT, "count", 64, handle_count},
    {FAIL, "fail", 64, handle_fail},
    {KEEP, "keep", 64, handle_keep},
    {0},
};

static void
start(struct loop *loop, int transport)
{
	*served() = (struct served){0};
	loop_init(loop);
	loop->b.methods = methods;
	loop->a.methods = methods;
	loop_open(loop, (enum transport)transport);
}

static struct call *
ask(struct side *side, uint16_t method, const char *text, uint64_t timeout_ns,
    struct heard *heard)
{
	return call_start(side->caller, method, (const uint8_t *)text, strlen(text),
	    timeout_ns, &call_ops, heard);
}

static void
heard_free(struct heard *heard)
{
	str_free(&heard->items);
}

START_TEST(a_reply)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	ask(&loop.a, ECHO, "hello", 0, &heard);
	ck_assert(!heard.finished);
	loop_until(&loop, &heard.finished);
	ck_assert_int_eq(heard.err.code, ERR_NONE);
	ck_assert_str_eq(heard.items.s, "hello,");
	heard_free(&heard);
	loop_free(&loop);
}
END_TEST

START_TEST(an_empty_reply)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	ask(&loop.a, ECHO, "", 0, &heard);
	loop_until(&loop, &heard.finished);
	ck_assert_int_eq(heard.err.code, ERR_NONE);
	ck_assert_str_eq(heard.items.s, ",");
	heard_free(&heard);
	loop_free(&loop);
}
END_TEST

START_TEST(a_stream)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	ask(&loop.a, COUNT, "abcde", 0, &heard);
	loop_until(&loop, &heard.finished);
	ck_assert_int_eq(heard.err.code, ERR_NONE);
	ck_assert_str_eq(heard.items.s, "a,b,c,d,e,");
	heard_free(&heard);
	loop_free(&loop);
}
END_TEST

START_TEST(an_error_keeps_its_code_and_text)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	ask(&loop.a, FAIL, "/dev/sda", 0, &heard);
	loop_until(&loop, &heard.finished);
	ck_assert_int_eq(heard.err.code, ERR_POLICY);
	ck_assert_str_eq(heard.err.msg, "/dev/sda is not allowed");
	ck_assert_uint_eq(heard.n, 0);
	ck_assert_ptr_nonnull(loop.a.chan); /* the call failed, not the channel */
	loop_free(&loop);
}
END_TEST

START_TEST(an_unknown_method)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	ask(&loop.a, 99, "anything", 0, &heard);
	loop_until(&loop, &heard.finished);
	ck_assert_int_eq(heard.err.code, ERR_UNSUPPORTED);
	ck_assert_str_eq(heard.err.msg, "there is no method 99 here");
	loop_free(&loop);
}
END_TEST

START_TEST(a_request_beyond_its_methods_limit)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	ask(&loop.a, ECHO, "seventeen bytes..", 0, &heard);
	loop_until(&loop, &heard.finished);
	ck_assert_int_eq(heard.err.code, ERR_PROTOCOL);
	ck_assert_str_eq(
	    heard.err.msg, "a request frame of method 1 with 17 bytes, of 16 at most");
	loop_free(&loop);
}
END_TEST

START_TEST(both_sides_call)
{
	struct loop loop;
	struct heard here[20] = {0}, there[20] = {0};
	char text[8];

	start(&loop, _i);
	for (int i = 0; i < 20; i++) {
		snprintf(text, sizeof text, "%d", i);
		ask(&loop.a, ECHO, text, 0, &here[i]);
		ask(&loop.b, COUNT, text, 0, &there[i]);
	}
	for (int i = 0; i < 20; i++) {
		loop_until(&loop, &here[i].finished);
		loop_until(&loop, &there[i].finished);
		ck_assert_int_eq(atoi(here[i].items.s), i);
		ck_assert_uint_eq(there[i].n, i < 10 ? 1 : 2);
		heard_free(&here[i]);
		heard_free(&there[i]);
	}
	loop_free(&loop);
}
END_TEST

START_TEST(cancelling)
{
	struct loop loop;
	struct heard heard = {0};
	struct call *call;

	start(&loop, _i);
	call = ask(&loop.a, KEEP, "", 0, &heard);
	loop_until(&loop, &served()->have);
	call_cancel(call);
	loop_until(&loop, &served()->gone);
	loop_settle(&loop);
	ck_assert_uint_eq(served()->gones, 1);
	ck_assert(!heard.finished); /* nobody is told what it did itself */
	request_item(served()->open, (const uint8_t *)"x", 1, false);
	request_release(served()->open);
	loop_settle(&loop);
	ck_assert_uint_eq(heard.n, 0);
	ck_assert_uint_eq(loop.a.frames, 0); /* a gone request sends nothing */
	loop_free(&loop);
}
END_TEST

START_TEST(cancelling_from_within_an_item)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	heard.cancel_at_first = ask(&loop.a, COUNT, "abc", 0, &heard);
	loop_until(&loop, &heard.finished);
	loop_settle(&loop);
	ck_assert_str_eq(heard.items.s, "a,");
	ck_assert_uint_eq(heard.done, 0);
	heard_free(&heard);
	loop_free(&loop);
}
END_TEST

START_TEST(cancelling_from_within_a_reply)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	heard.cancel_at_first = ask(&loop.a, ECHO, "abc", 0, &heard);
	loop_until(&loop, &heard.finished);
	loop_settle(&loop);
	ck_assert_str_eq(heard.items.s, "abc,");
	ck_assert_uint_eq(heard.done, 0);
	heard_free(&heard);
	loop_free(&loop);
}
END_TEST

START_TEST(a_late_answer_is_ignored)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	call_cancel(
	    ask(&loop.a, ECHO, "x", 0, &heard)); /* both frames are on the way */
	loop_until_count(&loop, &loop.a.frames, 1);
	ck_assert_uint_eq(heard.n + heard.done, 0);
	ck_assert_ptr_nonnull(loop.a.chan);
	ck_assert_ptr_nonnull(loop.b.chan);
	loop_free(&loop);
}
END_TEST

START_TEST(a_deadline)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	ask(&loop.a, KEEP, "", 250000000, &heard);
	loop_until(&loop, &heard.finished);
	ck_assert_int_eq(heard.err.code, ERR_TIMEOUT);
	ck_assert_str_eq(heard.err.msg, "no answer within 0.25 s");
	loop_until(&loop, &served()->gone); /* the other side is told */
	request_release(served()->open);
	loop_free(&loop);
}
END_TEST

START_TEST(a_deadline_covers_the_whole_stream)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	ask(&loop.a, KEEP, "", 250000000, &heard);
	loop_until(&loop, &served()->have);
	request_item(served()->open, (const uint8_t *)"one", 3, false);
	loop_until(&loop, &heard.finished);
	ck_assert_str_eq(heard.items.s, "one,");
	ck_assert_int_eq(heard.err.code, ERR_TIMEOUT);
	request_release(served()->open);
	heard_free(&heard);
	loop_free(&loop);
}
END_TEST

START_TEST(an_answer_in_time_stops_the_clock)
{
	struct loop loop;
	struct heard heard = {0}, other = {0};

	start(&loop, _i);
	ask(&loop.a, ECHO, "x", 100000000, &heard);
	ask(&loop.a, KEEP, "", 300000000, &other);
	loop_until(&loop, &other.finished);
	ck_assert_int_eq(heard.err.code, ERR_NONE);
	request_release(served()->open);
	heard_free(&heard);
	loop_free(&loop);
}
END_TEST

/* Both ends of a stream hear of a connection that breaks in the middle of it. */
START_TEST(loss_in_the_middle_of_a_stream)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	ask(&loop.a, KEEP, "", 0, &heard);
	loop_until(&loop, &served()->have);
	request_item(served()->open, (const uint8_t *)"one", 3, false);
	loop_until_count(&loop, &heard.n, 1);
	chan_abort(loop.b.chan, &ERR_INIT);
	loop_until(&loop, &loop.a.closed);
	ck_assert_uint_eq(served()->gones, 1);
	ck_assert(heard.finished);
	ck_assert_str_eq(heard.items.s, "one,");
	ck_assert_int_eq(heard.err.code, ERR_UNREACHABLE);
	ck_assert_str_eq(heard.err.msg, "connection lost");
	request_item(served()->open, (const uint8_t *)"two", 3, true);
	request_end(served()->open);
	heard_free(&heard);
	loop_free(&loop);
}
END_TEST

START_TEST(a_request_may_be_dropped)
{
	struct loop loop;
	struct heard heard = {0};

	start(&loop, _i);
	ask(&loop.a, KEEP, "", 0, &heard);
	loop_until(&loop, &served()->have);
	request_release(served()->open);
	loop_until(&loop, &heard.finished);
	ck_assert_int_eq(heard.err.code, ERR_CANCELLED);
	ck_assert(!served()->gone);
	loop_free(&loop);
}
END_TEST

START_TEST(a_slow_reader_misses_lossy_items_only)
{
	static uint8_t payload[65536];
	struct loop loop;
	struct heard heard = {0};
	unsigned sent = 200;

	start(&loop, _i);
	ask(&loop.a, KEEP, "", 0, &heard);
	loop_until(&loop, &served()->have);
	for (unsigned i = 0; i < sent; i++)
		request_item(served()->open, payload, sizeof payload, true);
	ck_assert_uint_le(
	    chan_backlog(loop.b.chan), SERVER_LOSSY_BACKLOG + sizeof payload + 16);
	request_item(served()->open, (const uint8_t *)"kept", 4, false);
	request_end(served()->open);
	loop_until(&loop, &heard.finished);
	ck_assert_uint_ge(heard.n, 3);
	ck_assert_uint_le(heard.n, 10);
	ck_assert_str_eq(heard.items.s + heard.items.len - 5, "kept,");
	heard_free(&heard);
	loop_free(&loop);
}
END_TEST

START_TEST(open_calls_are_bounded)
{
	struct loop loop;
	struct heard heard[SERVER_OPEN_MAX + 1] = {0};
	struct heard *last = &heard[SERVER_OPEN_MAX];

	start(&loop, _i);
	for (unsigned i = 0; i <= SERVER_OPEN_MAX; i++)
		ask(&loop.a, KEEP, "", 0, &heard[i]);
	loop_until(&loop, &last->finished);
	ck_assert_int_eq(last->err.code, ERR_BUSY);
	ck_assert_str_eq(last->err.msg, "256 calls are open already");
	ck_assert_uint_eq(served()->requests, SERVER_OPEN_MAX);
	ck_assert_uint_eq(served()->gones, 0);
	loop_free(&loop);
	ck_assert_uint_eq(served()->gones, SERVER_OPEN_MAX);
	for (unsigned i = 0; i < SERVER_OPEN_MAX; i++)
		request_release(served()->all[i]);
}
END_TEST

START_TEST(one_id_twice_is_a_broken_peer)
{
	struct frame frame = {.kind = FRAME_REQUEST, .id = 7, .method = KEEP};
	struct loop loop;

	start(&loop, _i);
	chan_send(loop.a.chan, &frame, NULL);
	chan_send(loop.a.chan, &frame, NULL);
	loop_until(&loop, &loop.a.closed);
	ck_assert_int_eq(loop.a.why.code, ERR_PROTOCOL);
	ck_assert_str_eq(loop.a.why.msg, "call 7 is open already");
	loop_until(&loop, &loop.b.closed);
	request_release(served()->open);
	loop_free(&loop);
}
END_TEST

START_TEST(limits_are_by_method)
{
	struct frame request = {.kind = FRAME_REQUEST, .method = ECHO};
	struct frame reply = {.kind = FRAME_REPLY, .method = ECHO};
	struct frame unknown = {.kind = FRAME_REQUEST, .method = 99};

	ck_assert_uint_eq(server_limit(methods, &request), 16);
	ck_assert_uint_eq(server_limit(methods, &reply), 0);
	ck_assert_uint_eq(server_limit(methods, &unknown), 65536);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("call");
	TCase *tcase = tcase_create("call");
	SRunner *runner;
	int failed;
	static const TTest *const *each[] = {&a_reply, &an_empty_reply, &a_stream,
	    &an_error_keeps_its_code_and_text, &an_unknown_method,
	    &a_request_beyond_its_methods_limit, &both_sides_call, &cancelling,
	    &cancelling_from_within_an_item, &cancelling_from_within_a_reply,
	    &a_late_answer_is_ignored, &a_deadline, &a_request_may_be_dropped,
	    &one_id_twice_is_a_broken_peer};
	static const TTest *const *sockets[] = {
	    &loss_in_the_middle_of_a_stream, &a_slow_reader_misses_lossy_items_only};
	static const TTest *const *once[] = {&a_deadline_covers_the_whole_stream,
	    &an_answer_in_time_stops_the_clock, &open_calls_are_bounded,
	    &limits_are_by_method};

	for (size_t i = 0; i < sizeof each / sizeof *each; i++)
		tcase_add_loop_test(tcase, *each[i], 0, TRANSPORTS);
	for (size_t i = 0; i < sizeof sockets / sizeof *sockets; i++)
		tcase_add_loop_test(tcase, *sockets[i], OVER_SOCKETPAIR, TRANSPORTS);
	for (size_t i = 0; i < sizeof once / sizeof *once; i++)
		tcase_add_test(tcase, *once[i]);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
