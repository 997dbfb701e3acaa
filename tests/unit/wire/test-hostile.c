/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Payloads that nobody honest sends: cut short, with flipped bits, random, and made
 * to ask for memory.  Each gives an error or a valid struct.  Seeds are fixed.
 */
#include "proto/unpack.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "proto/control.pb-c.h"
#include "proto/stats.pb-c.h"
#include "tests/unit/suite.h"
#include "tests/unit/wire/sample.h"

/* On an exact allocation, so that the sanitizers see one byte too many. */
static bool
try_exact(enum try_kind kind, const uint8_t *data, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);
	bool good;

	memcpy(copy, data, len);
	good = try_payload(kind, copy, len);
	free(copy);
	return good;
}

START_TEST(every_truncation)
{
	struct rng rng;

	rng_seed(&rng, 10 + (uint64_t)_i);
	for (int round = 0; round < 6; round++) {
		struct payload payload = random_payload(&rng, (enum try_kind)_i);
		size_t step = payload.len > 2000 ? payload.len / 600 : 1;

		for (size_t len = 0; len < payload.len; len += step)
			try_exact((enum try_kind)_i, payload.data, len);
		free(payload.data);
	}
}
END_TEST

START_TEST(flipped_bits)
{
	struct rng rng;
	unsigned good = 0, bad = 0;

	rng_seed(&rng, 20 + (uint64_t)_i);
	for (int round = 0; round < 40; round++) {
		struct payload payload = random_payload(&rng, (enum try_kind)_i);

		if (payload.len > 20000 || payload.len == 0) {
			free(payload.data);
			continue;
		}
		for (int i = 0; i < 20; i++) {
			uint8_t *copy = mem_copy(payload.data, payload.len);

			for (uint64_t n = 1 + rng_below(&rng, 3); n; n--)
				copy[rng_below(&rng, payload.len)] ^=
				    (uint8_t)(1u << rng_below(&rng, 8));
			if (try_exact((enum try_kind)_i, copy, payload.len))
				good++;
			else
				bad++;
			free(copy);
		}
		free(payload.data);
	}
	ck_assert_uint_gt(bad, 0);
	ck_assert_uint_gt(good, 0);
}
END_TEST

START_TEST(noise)
{
	struct rng rng;
	uint8_t bytes[64];

	rng_seed(&rng, 30 + (uint64_t)_i);
	for (int round = 0; round < 3000; round++) {
		size_t len = rng_below(&rng, sizeof bytes);

		rng_fill(&rng, bytes, len);
		try_exact((enum try_kind)_i, bytes, len);
	}
}
END_TEST

/* `n` times the bytes of `unit`. */
static uint8_t *
repeated(const char *unit, size_t unit_len, size_t n)
{
	uint8_t *bytes = mem_array(n, unit_len);

	for (size_t i = 0; i < n; i++)
		memcpy(bytes + i * unit_len, unit, unit_len);
	return bytes;
}

static void
within_budget(
    const ProtobufCMessageDescriptor *type, const uint8_t *bytes, size_t len, bool good)
{
	size_t peak = 0;
	void *msg = proto_unpack(type, bytes, len, &peak);

	ck_assert(good == (msg != NULL));
	ck_assert_uint_le(peak, PROTO_BUDGET_BASE + PROTO_BUDGET_PER_BYTE * len);
	proto_free(msg);
}

/* Each of these takes 20 to 40 times its size from protobuf-c alone. */
START_TEST(greedy_payloads_are_stopped)
{
	static const struct {
		const ProtobufCMessageDescriptor *type;
		const char *unit;
		size_t unit_len;
	} greedy[] = {
	    {&volley__facts__descriptor, "\x5a\0", 2},         /* empty engines */
	    {&volley__facts__descriptor, "\x72\x04\x0a\0\x12\0", 6}, /* empty things */
	    {&volley__facts__descriptor, "\x62\0", 2}, /* what nics once were */
	    {&volley__job__descriptor, "\x0a\x04\x0a\0\x12\0", 6}, /* options */
	    {&volley__facts_request__descriptor, "\x0a\0", 2},
	    {&volley__facts__descriptor, "\x78\x01", 2}, /* unknown varints */
	    {&volley__facts__descriptor, "\x7a\0", 2},   /* unknown strings */
	    {&volley__slots__descriptor, "\x08\x01", 2}, /* not packed */
	};

	for (size_t i = 0; i < sizeof greedy / sizeof *greedy; i++) {
		uint8_t *bytes = repeated(greedy[i].unit, greedy[i].unit_len, 50000);

		within_budget(greedy[i].type, bytes, 50000 * greedy[i].unit_len, false);
		free(bytes);
	}
}
END_TEST

/* The densest honest payload: packed numbers of one byte each take eight here. */
START_TEST(dense_payloads_pass)
{
	size_t n = 100000;
	uint8_t *bytes = mem_alloc(4 + n);

	memcpy(bytes, "\x0a\xa0\x8d\x06", 4); /* field 1, 100,000 bytes */
	within_budget(&volley__slots__descriptor, bytes, 4 + n, true);
	within_budget(&volley__heats__descriptor, bytes, 4 + n, true);
	free(bytes);
}
END_TEST

/* protobuf-c would merge them, copying the first for each that follows. */
START_TEST(a_message_field_comes_once)
{
	static const uint8_t once[] = {
	    0x10, 0, 0x18, 0, 0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0x92, 1, 0};
	uint8_t twice[sizeof once + 3];

	memcpy(twice, once, sizeof once);
	memcpy(twice + sizeof once, "\x92\x01\0", 3);
	within_budget(&volley__tally__descriptor, once, sizeof once, true);
	within_budget(&volley__tally__descriptor, twice, sizeof twice, false);
}
END_TEST

/* Groups (wire types 3 and 4) can nest without end; no message has any. */
START_TEST(nesting_is_refused)
{
	uint8_t *bytes = repeated("\x0b", 1, 100000);

	within_budget(&volley__facts__descriptor, bytes, 100000, false);
	free(bytes);
	bytes = repeated("\x7b", 1, 100000);
	within_budget(&volley__facts__descriptor, bytes, 100000, false);
	free(bytes);
}
END_TEST

START_TEST(fields_of_a_later_version_are_skipped)
{
	/* run_id 1; then field 15 varint, 16 string, 17 fixed64, 18 fixed32 */
	static const uint8_t bytes[] = {0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0x78, 5, 0x82, 1,
	    2, 'h', 'i', 0x89, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0x95, 1, 1, 2, 3, 4};
	uint64_t run_id = 0;
	struct err err = ERR_INIT;

	ck_assert_int_eq(unpack_run_id(&run_id, bytes, sizeof bytes, &err), 0);
	ck_assert(run_id == 1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("hostile");
	TCase *tcase = tcase_create("hostile");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, every_truncation, 0, TRY_KINDS);
	tcase_add_loop_test(tcase, flipped_bits, 0, TRY_KINDS);
	tcase_add_loop_test(tcase, noise, 0, TRY_KINDS);
	tcase_add_test(tcase, greedy_payloads_are_stopped);
	tcase_add_test(tcase, dense_payloads_pass);
	tcase_add_test(tcase, a_message_field_comes_once);
	tcase_add_test(tcase, nesting_is_refused);
	tcase_add_test(tcase, fields_of_a_later_version_are_skipped);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
