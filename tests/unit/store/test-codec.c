/* SPDX-License-Identifier: Apache-2.0 */
/* The encodings: known bytes, round trips at the edges, and damaged input. */
#include "controller/store/codec.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
hex(const struct blob *blob)
{
	static char text[256];

	for (size_t i = 0; i < blob->len; i++)
		snprintf(text + 2 * i, 3, "%02x", blob->data[i]);
	return text;
}

START_TEST(varint_bytes)
{
	struct blob blob = {0};

	blob_put(&blob, 0);
	blob_put(&blob, 127);
	blob_put(&blob, 128);
	blob_put(&blob, 300);
	blob_put(&blob, UINT64_MAX);
	ck_assert_str_eq(hex(&blob), "007f8001ac02ffffffffffffffffff01");
	blob_free(&blob);
}
END_TEST

START_TEST(hist_known_bytes)
{
	struct hist *hist = calloc(1, sizeof *hist);
	struct blob blob = {0};

	hist_add(hist, 3, 2);
	hist_add(hist, 5, 1);
	codec_put_hist(&blob, hist);
	/* version, count 3, sum 11, squares 43 (low, high), min, max, 3:2, +2:1 */
	ck_assert_str_eq(hex(&blob), "01030b2b00030503020201");
	blob_free(&blob);
	free(hist);
}
END_TEST

START_TEST(hist_round_trip)
{
	struct hist *hist = calloc(1, sizeof *hist), *back = calloc(1, sizeof *back);
	struct blob blob = {0};
	struct err err = ERR_INIT;

	hist_add(hist, 0, 7);
	hist_add(hist, 127, 1);
	hist_add(hist, 128, 3);
	hist_add(hist, 1234567890, 100000);
	hist_add(hist, UINT64_MAX, 1);
	codec_put_hist(&blob, hist);
	ck_assert_int_eq(codec_get_hist(blob.data, blob.len, back, &err), 0);
	ck_assert_mem_eq(hist, back, sizeof *hist);
	blob_free(&blob);

	hist_reset(hist);
	memset(hist, 0, sizeof *hist);
	codec_put_hist(&blob, hist);
	ck_assert_int_eq(codec_get_hist(blob.data, blob.len, back, &err), 0);
	ck_assert_mem_eq(hist, back, sizeof *hist);
	blob_free(&blob);
	free(hist);
	free(back);
}
END_TEST

/* Results of other programs may come without buckets. */
START_TEST(hist_without_buckets)
{
	struct hist *hist = calloc(1, sizeof *hist), *back = calloc(1, sizeof *back);
	struct blob blob = {0};
	struct err err = ERR_INIT;

	hist_add(hist, 1000, 5);
	hist->bucket[hist_index(1000)] = 0;
	codec_put_hist(&blob, hist);
	ck_assert_int_eq(codec_get_hist(blob.data, blob.len, back, &err), 0);
	ck_assert_mem_eq(hist, back, sizeof *hist);
	blob_put(&blob, 3); /* only alone does (0, 0) mean anything */
	blob_put(&blob, 5);
	ck_assert_int_eq(codec_get_hist(blob.data, blob.len, back, &err), -1);
	blob_free(&blob);
	free(hist);
	free(back);
}
END_TEST

START_TEST(hist_damage)
{
	static const uint64_t jump[] = {1, 1, 1, 1, 0, 1, 1, HIST_BUCKETS, 1};
	struct hist *hist = calloc(1, sizeof *hist), *back = calloc(1, sizeof *back);
	struct blob blob = {0};
	struct err err = ERR_INIT;

	hist_add(hist, 1000, 5);
	hist_add(hist, 200000, 1);
	codec_put_hist(&blob, hist);
	for (size_t len = 0; len < blob.len; len++) {
		err = ERR_INIT;
		ck_assert_int_eq(codec_get_hist(blob.data, len, back, &err), -1);
		ck_assert_int_eq(err.code, ERR_PROTOCOL);
		ck_assert_uint_eq(back->count, 0);
	}
	ck_assert_str_eq(err.msg, "a stored histogram is damaged");
	blob.data[0] = 2; /* a version that does not exist */
	ck_assert_int_eq(codec_get_hist(blob.data, blob.len, back, &err), -1);
	blob_free(&blob);
	/* bucket 3,776 does not exist: a jump there must not be followed */
	for (size_t i = 0; i < sizeof jump / sizeof *jump; i++)
		blob_put(&blob, jump[i]);
	ck_assert_int_eq(codec_get_hist(blob.data, blob.len, back, &err), -1);
	blob.len -= 3;
	blob_put(&blob, HIST_BUCKETS - 1);
	blob_put(&blob, 1);
	ck_assert_int_eq(codec_get_hist(blob.data, blob.len, back, &err), 0);
	ck_assert_uint_eq(back->bucket[HIST_BUCKETS - 1], 1);
	blob_free(&blob);
	free(hist);
	free(back);
}
END_TEST

START_TEST(slots_round_trip)
{
	struct slot v[] = {{0, 0, 0}, {1, 4096, 99}, {UINT64_MAX, 1, 0}};
	struct slots slots = {v, 3}, back;
	struct blob blob = {0};
	struct err err = ERR_INIT;

	codec_put_slots(&blob, &slots);
	ck_assert_int_eq(codec_get_slots(blob.data, blob.len, &back, &err), 0);
	ck_assert_uint_eq(back.n, 3);
	ck_assert_mem_eq(back.v, v, sizeof v);
	slots_free(&back);
	ck_assert_int_eq(codec_get_slots(blob.data, blob.len - 1, &back, &err), -1);
	ck_assert_str_eq(err.msg, "a stored slot row is damaged");
	ck_assert_ptr_null(back.v);
	blob_free(&blob);
}
END_TEST

/* A huge count in a few bytes must not become a huge allocation. */
START_TEST(slots_lying_count)
{
	struct blob blob = {0};
	struct slots back;
	struct heats heats;
	struct err err = ERR_INIT;

	blob_put(&blob, 1);
	blob_put(&blob, UINT64_MAX / 2);
	ck_assert_int_eq(codec_get_slots(blob.data, blob.len, &back, &err), -1);
	ck_assert_int_eq(codec_get_heats(blob.data, blob.len, &heats, &err), -1);
	blob_free(&blob);
	ck_assert_int_eq(codec_get_slots(NULL, 0, &back, &err), -1);
}
END_TEST

START_TEST(heats_round_trip)
{
	struct heats heats = {calloc(3, sizeof(struct heat)), 3}, back;
	struct blob blob = {0};
	struct err err = ERR_INIT;

	heats.v[0].count[0] = 5;
	heats.v[0].count[HEAT_BUCKETS - 1] = UINT32_MAX;
	heats.v[2].count[17] = 1;
	codec_put_heats(&blob, &heats);
	ck_assert_int_eq(codec_get_heats(blob.data, blob.len, &back, &err), 0);
	ck_assert_uint_eq(back.n, 3);
	ck_assert_mem_eq(back.v, heats.v, 3 * sizeof *back.v);
	heats_free(&back);
	for (size_t len = 0; len < blob.len; len++)
		ck_assert_int_eq(codec_get_heats(blob.data, len, &back, &err), -1);
	ck_assert_str_eq(err.msg, "a stored heat map is damaged");
	heats_free(&heats);
	blob_free(&blob);
}
END_TEST

START_TEST(times_round_trip)
{
	struct direction_times times = {{true, 1, 200, UINT64_MAX}, 5, 300}, back;
	struct blob blob = {0};
	struct err err = ERR_INIT;

	codec_put_times(&blob, &times);
	ck_assert_int_eq(codec_get_times(blob.data, blob.len, &back, &err), 0);
	ck_assert(back.times.own);
	ck_assert_uint_eq(back.times.last_from_ns, 1);
	ck_assert_uint_eq(back.times.first_to_ns, 200);
	ck_assert_uint_eq(back.times.busy_ns, UINT64_MAX);
	ck_assert_uint_eq(back.window_from, 5);
	ck_assert_uint_eq(back.window_ns, 300);
	for (size_t len = 0; len < blob.len; len++)
		ck_assert_int_eq(codec_get_times(blob.data, len, &back, &err), -1);
	ck_assert_str_eq(err.msg, "a stored time of a direction is damaged");
	blob_free(&blob);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("codec");
	TCase *tcase = tcase_create("codec");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, tcase);
	tcase_add_test(tcase, varint_bytes);
	tcase_add_test(tcase, times_round_trip);
	tcase_add_test(tcase, hist_known_bytes);
	tcase_add_test(tcase, hist_round_trip);
	tcase_add_test(tcase, hist_without_buckets);
	tcase_add_test(tcase, hist_damage);
	tcase_add_test(tcase, slots_round_trip);
	tcase_add_test(tcase, slots_lying_count);
	tcase_add_test(tcase, heats_round_trip);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
