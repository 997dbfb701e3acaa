/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile payloads: an error, or a struct that survives a round trip. */
#include "tests/unit/wire/try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/wire/conv.h"

#define MUST(what) \
	do { \
		if (!(what)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
			abort(); \
		} \
	} while (0)

/* Unpacks; *ret_again is what the struct packs to. */
typedef int try_fn(
    const uint8_t *data, size_t len, struct payload *ret_again, struct err *err);

static int
try_order(const uint8_t *data, size_t len, struct payload *ret_again, struct err *err)
{
	struct order_msg msg;

	if (unpack_order(&msg, data, len, err))
		return -1;
	MUST(msg.order.run_id && msg.order.kind < ORDER_KIND_COUNT);
	MUST((msg.order.kind == ORDER_PREPARE) == (msg.order.njobs > 0));
	*ret_again = pack_order(&msg.order);
	order_msg_free(&msg);
	return 0;
}

static int
try_report(const uint8_t *data, size_t len, struct payload *ret_again, struct err *err)
{
	struct report report;

	if (unpack_report(&report, data, len, err))
		return -1;
	MUST(report.state < REPORT_STATE_COUNT && report.err.code < ERR_CODE_COUNT);
	MUST(strlen(report.err.msg) < sizeof report.err.msg);
	*ret_again = pack_report(&report);
	return 0;
}

static int
try_sample(const uint8_t *data, size_t len, struct payload *ret_again, struct err *err)
{
	struct sample sample;

	if (unpack_sample(&sample, data, len, err))
		return -1;
	*ret_again = pack_sample(&sample);
	return 0;
}

static int
try_run_id(const uint8_t *data, size_t len, struct payload *ret_again, struct err *err)
{
	uint64_t run_id;

	if (unpack_run_id(&run_id, data, len, err))
		return -1;
	MUST(run_id);
	*ret_again = pack_run_id(run_id);
	return 0;
}

static int
try_tally(const uint8_t *data, size_t len, struct payload *ret_again, struct err *err)
{
	struct tally *tally;
	uint64_t run_id;

	if (unpack_tally(&run_id, &tally, data, len, err))
		return -1;
	MUST(tally->window_from <= tally->window_to);
	*ret_again = pack_tally(run_id, tally);
	tally_free(tally);
	return 0;
}

static int
try_facts_request(
    const uint8_t *data, size_t len, struct payload *ret_again, struct err *err)
{
	struct facts_question_msg msg;

	if (unpack_facts_request(&msg, data, len, err))
		return -1;
	*ret_again = pack_facts_request(&msg.question);
	facts_question_msg_free(&msg);
	return 0;
}

static int
try_facts(const uint8_t *data, size_t len, struct payload *ret_again, struct err *err)
{
	struct facts *facts;

	if (unpack_facts(&facts, data, len, err))
		return -1;
	*ret_again = pack_facts(facts);
	facts_free(facts);
	return 0;
}

static int
try_log_request(
    const uint8_t *data, size_t len, struct payload *ret_again, struct err *err)
{
	struct log_request request;

	if (unpack_log_request(&request, data, len, err))
		return -1;
	MUST(request.run_id);
	*ret_again = pack_log_request(&request);
	return 0;
}

static int
try_log_part(const uint8_t *data, size_t len, struct payload *ret_again, struct err *err)
{
	struct log_part part;
	void *owner;

	if (unpack_log_part(&part, &owner, data, len, err))
		return -1;
	MUST(part.len <= part.bytes && part.len <= WIRE_LOG_PART);
	MUST(!part.name || (part.name[0] != '.' && !strchr(part.name, '/')));
	*ret_again = pack_log_part(&part);
	log_part_free(owner);
	return 0;
}

static int
try_counters(
    const uint8_t *data, size_t len, struct payload *ret_again, struct err *err)
{
	struct counters *counters;
	uint64_t run_id;

	if (unpack_counters(&run_id, &counters, data, len, err))
		return -1;
	*ret_again = pack_counters(run_id, counters);
	counters_free(counters);
	return 0;
}

static try_fn *const tries[TRY_KINDS] = {
    [TRY_ORDER] = try_order,
    [TRY_REPORT] = try_report,
    [TRY_SAMPLE] = try_sample,
    [TRY_RUN_ID] = try_run_id,
    [TRY_TALLY] = try_tally,
    [TRY_FACTS_REQUEST] = try_facts_request,
    [TRY_FACTS] = try_facts,
    [TRY_LOG_REQUEST] = try_log_request,
    [TRY_LOG_PART] = try_log_part,
    [TRY_COUNTERS] = try_counters,
};

bool
try_payload(enum try_kind kind, const uint8_t *data, size_t len)
{
	struct payload once, twice;
	struct err err = ERR_INIT;

	if (tries[kind](data, len, &once, &err)) {
		MUST(err.code != ERR_NONE && err.msg[0]);
		return false;
	}
	MUST(tries[kind](once.data, once.len, &twice, &err) == 0);
	MUST(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
	free(once.data);
	free(twice.data);
	return true;
}
