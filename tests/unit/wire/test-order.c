/* SPDX-License-Identifier: Apache-2.0 */
/* Orders, reports and run ids: every field arrives, and what may not is refused. */
#include "lib/wire/conv.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/wire/methods.h"
#include "proto/control.pb-c.h"
#include "tests/unit/suite.h"
#include "tests/unit/wire/sample.h"

static void
set(struct job *job, const char *name, const char *value)
{
	struct err err = ERR_INIT;

	ck_assert_msg(job_set(job, name, value, &err) == 0, "%s", err.msg);
}

START_TEST(a_prepare_with_all_its_fields)
{
	struct order_job one = {
	    .client_index = 2, .client_count = 3, .first_number = 17};
	struct job *job = &one.job;
	struct order order = {.kind = ORDER_PREPARE,
	    .run_id = 0xfedcba9876543210,
	    .jobs = &one,
	    .njobs = 1,
	    .case_id = "c1",
	    .client = "gpu01",
	    .prepare_timeout_ns = 4,
	    .finish_timeout_ns = 5,
	    .lease_ns = 60000000000};
	struct order_msg msg;
	struct payload payload;
	struct err err = ERR_INIT;

	job_init(job);
	set(job, "name", "seq-read");
	set(job, "rw", "randrw");
	set(job, "bs", "4k,1M");
	set(job, "size", "20G");
	set(job, "runtime", "1500ms");
	set(job, "time_based", "1");
	set(job, "directory", "/mnt/one two");
	payload = pack_order(&order);
	ck_assert_msg(
	    unpack_order(&msg, payload.data, payload.len, &err) == 0, "%s", err.msg);
	ck_assert_int_eq(msg.order.kind, ORDER_PREPARE);
	ck_assert(msg.order.run_id == 0xfedcba9876543210);
	ck_assert_str_eq(msg.order.case_id, "c1");
	ck_assert_str_eq(msg.order.client, "gpu01");
	ck_assert_uint_eq(msg.order.jobs->client_index, 2);
	ck_assert_uint_eq(msg.order.jobs->client_count, 3);
	ck_assert_uint_eq(msg.order.jobs->first_number, 17);
	ck_assert(msg.order.prepare_timeout_ns == 4);
	ck_assert(msg.order.finish_timeout_ns == 5);
	ck_assert(msg.order.lease_ns == 60000000000);
	ck_assert(msg.order.start_ns == 0);
	ck_assert_uint_eq(msg.order.njobs, 1);
	const struct job *got = &msg.order.jobs->job;
	ck_assert_str_eq(got->name, "seq-read");
	ck_assert_int_eq(got->rw, JOB_RANDRW);
	ck_assert(got->bs[DIR_READ] == 4096 && got->bs[DIR_WRITE] == 1048576);
	ck_assert(got->size == UINT64_C(20) << 30);
	ck_assert(got->runtime_ns == 1500000000);
	ck_assert(got->time_based);
	ck_assert_str_eq(got->directory, "/mnt/one two");
	order_msg_free(&msg);
	free(payload.data);
	job_free(job);
}
END_TEST

START_TEST(jobs_keep_their_order)
{
	struct order_job jobs[3] = {{.client_count = 5}, {.client_count = 2}, {.client_count = 1}};
	struct order order = {.kind = ORDER_PREPARE,
	    .run_id = 1,
	    .jobs = jobs,
	    .njobs = 3,
	    .case_id = "c1",
	    .client = "gpu01"};
	static const char *const names[] = {"reader", "writer", "logger"};
	struct order_msg msg;
	struct payload payload;
	struct err err = ERR_INIT;

	for (int i = 0; i < 3; i++) {
		job_init(&jobs[i].job);
		set(&jobs[i].job, "name", names[i]);
		set(&jobs[i].job, "rw", i == 0 ? "randread" : "write");
		set(&jobs[i].job, "size", "1M");
		set(&jobs[i].job, "directory", "/mnt");
	}
	payload = pack_order(&order);
	ck_assert_msg(
	    unpack_order(&msg, payload.data, payload.len, &err) == 0, "%s", err.msg);
	ck_assert_uint_eq(msg.order.njobs, 3);
	for (int i = 0; i < 3; i++) {
		ck_assert_str_eq(msg.order.jobs[i].job.name, names[i]);
		ck_assert_int_eq(msg.order.jobs[i].job.rw, jobs[i].job.rw);
		ck_assert_uint_eq(
		    msg.order.jobs[i].client_count, jobs[i].client_count);
		job_free(&jobs[i].job);
	}
	order_msg_free(&msg);
	free(payload.data);
}
END_TEST

START_TEST(an_arm_carries_its_start)
{
	struct order order = {.kind = ORDER_ARM, .run_id = 7, .start_ns = 123456789};
	struct payload payload = pack_order(&order);
	struct order_msg msg;
	struct err err = ERR_INIT;

	ck_assert_int_eq(unpack_order(&msg, payload.data, payload.len, &err), 0);
	ck_assert_int_eq(msg.order.kind, ORDER_ARM);
	ck_assert(msg.order.start_ns == 123456789);
	ck_assert_uint_eq(msg.order.njobs, 0);
	order_msg_free(&msg);
	free(payload.data);
}
END_TEST

/* Random ones too; jobs are compared by their canonical text. */
START_TEST(orders_round_trip)
{
	struct rng rng;

	rng_seed(&rng, 1);
	for (int i = 0; i < 300; i++) {
		struct order_msg sent, got;
		struct payload payload;
		struct err err = ERR_INIT;
		struct str a = {0}, b = {0};

		random_order(&rng, &sent);
		if (sent.order.njobs && job_validate(&sent.jobs.v->job, &err)) {
			order_msg_free(&sent);
			continue;
		}
		payload = pack_order(&sent.order);
		ck_assert_msg(unpack_order(&got, payload.data, payload.len, &err) == 0,
		    "%s", err.msg);
		ck_assert_int_eq(got.order.kind, sent.order.kind);
		ck_assert(got.order.run_id == sent.order.run_id);
		ck_assert(got.order.start_ns == sent.order.start_ns);
		ck_assert(got.order.lease_ns == sent.order.lease_ns);
		if (sent.order.njobs) {
			ck_assert_uint_eq(got.order.njobs, 1);
			ck_assert_uint_eq(got.jobs.v->client_index, sent.jobs.v->client_index);
			ck_assert_uint_eq(got.jobs.v->first_number, sent.jobs.v->first_number);
			ck_assert_uint_eq(got.jobs.v->client_count, sent.jobs.v->client_count);
			job_format(&sent.jobs.v->job, &a);
			job_format(&got.jobs.v->job, &b);
			ck_assert_str_eq(a.s, b.s);
			ck_assert_str_eq(got.client, sent.client);
		}
		str_free(&a);
		str_free(&b);
		order_msg_free(&sent);
		order_msg_free(&got);
		free(payload.data);
	}
}
END_TEST

/* A hand-made order; NULL and 0 leave a field out. */
struct raw {
	int kind;
	uint64_t run_id;
	const char *case_id, *client;
	unsigned index, count;
	const char *option, *value;
	uint64_t start_ns;
	enum err_code code;
	const char *message;
};

static const struct raw bad_orders[] = {
    {99, 1, NULL, NULL, 0, 0, NULL, NULL, 0, ERR_PROTOCOL,
	"an order of unknown kind 99"},
    {3, 0, NULL, NULL, 0, 0, NULL, NULL, 0, ERR_PROTOCOL, "an order without a run"},
    {2, 1, NULL, NULL, 0, 0, NULL, NULL, 0, ERR_PROTOCOL, "an ARM without a start"},
    {1, 1, NULL, "g", 0, 1, "size", "1M", 0, ERR_PROTOCOL, "an order without case"},
    {1, 1, "", "g", 0, 1, "size", "1M", 0, ERR_PROTOCOL, "an order without case"},
    {1, 1, "c", NULL, 0, 1, "size", "1M", 0, ERR_PROTOCOL, "an order without client"},
    {1, 1, "c", "..", 0, 1, "size", "1M", 0, ERR_PROTOCOL,
	"an order with a bad client"},
    {1, 1, "c", "../../etc/x", 0, 1, "size", "1M", 0, ERR_PROTOCOL,
	"an order with a bad client"},
    {1, 1, "a\nb", "g", 0, 1, "size", "1M", 0, ERR_PROTOCOL,
	"an order with a bad case"},
    {1, 1, "c", "g", 0, 0, "size", "1M", 0, ERR_PROTOCOL, "a job for client 0 of 0"},
    {1, 1, "c", "g", 3, 3, "size", "1M", 0, ERR_PROTOCOL, "a job for client 3 of 3"},
    {1, 1, "c", "g", 0, 1, NULL, NULL, 0, ERR_PROTOCOL, "an order without a job"},
    {1, 1, "c", "g", 0, 1, "sise", "1M", 0, ERR_USAGE,
	"unknown option 'sise'; did you mean 'size'?"},
    {1, 1, "c", "g", 0, 1, "iodepth", "4", 0, ERR_USAGE, "size is not set"},
};

START_TEST(bad_orders_are_named)
{
	const struct raw *raw = &bad_orders[_i];
	Volley__Order order = VOLLEY__ORDER__INIT;
	Volley__Job job = VOLLEY__JOB__INIT, *jobs[] = {&job};
	Volley__JobOption option = VOLLEY__JOB_OPTION__INIT, *options[] = {&option};
	struct order_msg msg;
	struct err err = ERR_INIT;
	uint8_t bytes[256];
	size_t len;

	order.kind = (Volley__OrderKind)raw->kind;
	order.run_id = raw->run_id;
	order.case_id = (char *)raw->case_id;
	order.client = (char *)raw->client;
	job.has_client_index = job.has_client_count = true;
	job.client_index = raw->index;
	job.client_count = raw->count;
	option.name = (char *)raw->option;
	option.value = (char *)raw->value;
	job.n_option = 1;
	job.option = options;
	order.job = jobs;
	order.n_job = raw->option ? 1 : 0;
	len = volley__order__pack(&order, bytes);
	ck_assert_int_eq(unpack_order(&msg, bytes, len, &err), -1);
	ck_assert_str_eq(err.msg, raw->message);
	ck_assert_int_eq(err.code, raw->code);
}
END_TEST

START_TEST(reports_round_trip)
{
	struct rng rng;

	rng_seed(&rng, 2);
	for (int i = 0; i < 500; i++) {
		struct report sent, got;
		struct payload payload;
		struct err err = ERR_INIT;

		random_report(&rng, &sent);
		payload = pack_report(&sent);
		ck_assert_int_eq(
		    unpack_report(&got, payload.data, payload.len, &err), 0);
		ck_assert(got.run_id == sent.run_id && got.start_ns == sent.start_ns);
		ck_assert_int_eq(got.state, sent.state);
		ck_assert_int_eq(got.err.code, sent.err.code);
		ck_assert_int_eq(got.err.errnum, sent.err.errnum);
		ck_assert_str_eq(got.err.msg, sent.err.msg);
		ck_assert(got.has_result == sent.has_result);
		ck_assert(got.layout_done == sent.layout_done);
		ck_assert(got.layout_total == sent.layout_total);
		free(payload.data);
	}
}
END_TEST

START_TEST(strange_reports)
{
	Volley__Report msg = VOLLEY__REPORT__INIT;
	Volley__Error error = VOLLEY__ERROR__INIT;
	struct report report;
	struct err err = ERR_INIT;
	uint8_t bytes[256];

	msg.state = (Volley__ReportState)12;
	ck_assert_int_eq(
	    unpack_report(&report, bytes, volley__report__pack(&msg, bytes), &err), -1);
	ck_assert_str_eq(err.msg, "a report of unknown state 12");
	msg.state = VOLLEY__REPORT_STATE__REPORT_FAILED;
	error.code = (char *)"from the future";
	error.message = (char *)"two\nlines";
	msg.error = &error;
	msg.has_layout_done = true;
	msg.layout_done = 9;
	ck_assert_int_eq(
	    unpack_report(&report, bytes, volley__report__pack(&msg, bytes), &err), 0);
	ck_assert_int_eq(report.err.code, ERR_PROTOCOL);
	ck_assert_str_eq(report.err.msg, "two?lines");
	ck_assert(report.layout_done == 0);
}
END_TEST

START_TEST(run_ids)
{
	struct payload payload = pack_run_id(0xa1b2c3d4e5f60718);
	uint64_t run_id = 0;
	struct err err = ERR_INIT;

	ck_assert_int_eq(unpack_run_id(&run_id, payload.data, payload.len, &err), 0);
	ck_assert(run_id == 0xa1b2c3d4e5f60718);
	free(payload.data);
	payload = pack_run_id(0);
	ck_assert_int_eq(unpack_run_id(&run_id, payload.data, payload.len, &err), -1);
	ck_assert_str_eq(err.msg, "a run id of 0");
	ck_assert_int_eq(unpack_run_id(&run_id, NULL, 0, &err), -1);
	ck_assert_str_eq(err.msg, "a run id that cannot be read (0 bytes)");
	free(payload.data);
}
END_TEST

/* The name of a log becomes that of a file: what leaves the folder is refused. */
START_TEST(names_of_logs)
{
	static const struct {
		const char *name;
		bool good;
	} names[] = {{"x_bw.1.log", true}, {"a b.log", true}, {"../x", false},
	    {"a/b", false}, {".hidden", false}, {"", false}, {"a\nb", false}};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct log_part part = {.run_id = 1,
		    .count = 1,
		    .name = names[i].name,
		    .bytes = 3,
		    .data = (const uint8_t *)"abc",
		    .len = 3};
		struct payload payload = pack_log_part(&part);
		struct err err = ERR_INIT;
		struct log_part back;
		void *owner;
		int rc =
		    unpack_log_part(&back, &owner, payload.data, payload.len, &err);

		ck_assert_msg((rc == 0) == names[i].good, "%s", names[i].name);
		if (rc == 0) {
			ck_assert_str_eq(back.name, part.name);
			ck_assert_uint_eq(back.bytes, 3);
			ck_assert_mem_eq(back.data, "abc", 3);
			log_part_free(owner);
		}
		free(payload.data);
	}
}
END_TEST

START_TEST(methods_have_names_and_limits)
{
	ck_assert_str_eq(wire_method_info(WIRE_COLLECT)->name, "collect");
	ck_assert_uint_eq(wire_method_info(WIRE_COLLECT)->max_answer, 64u << 20);
	ck_assert_uint_eq(wire_method_info(WIRE_ORDER)->max_request, 1u << 20);
	ck_assert_ptr_null(wire_method_info(0));
	ck_assert_uint_eq(wire_method_info(WIRE_LOG)->max_answer, (1u << 20) + (64u << 10));
	ck_assert_ptr_null(wire_method_info(WIRE_COMMAND + 1));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("order");
	TCase *tcase = tcase_create("order");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, a_prepare_with_all_its_fields);
	tcase_add_test(tcase, jobs_keep_their_order);
	tcase_add_test(tcase, an_arm_carries_its_start);
	tcase_add_test(tcase, orders_round_trip);
	tcase_add_loop_test(tcase, bad_orders_are_named, 0,
	    (int)(sizeof bad_orders / sizeof *bad_orders));
	tcase_add_test(tcase, reports_round_trip);
	tcase_add_test(tcase, strange_reports);
	tcase_add_test(tcase, run_ids);
	tcase_add_test(tcase, names_of_logs);
	tcase_add_test(tcase, methods_have_names_and_limits);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
