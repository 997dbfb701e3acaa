/* SPDX-License-Identifier: Apache-2.0 */
/*
 * protobuf messages ⇄ domain structs: the only place, with lib/rpc, that knows
 * the generated types.  pack_* return a malloc'd payload; unpack_* check every
 * field (ranges, lengths, enum values) and work within a byte budget.
 */
#ifndef VOLLEY_WIRE_CONV_H
#define VOLLEY_WIRE_CONV_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/vec.h"
#include "lib/stats/counters.h"
#include "lib/stats/tally.h"
#include "lib/wire/command.h"
#include "lib/wire/facts.h"
#include "lib/wire/log.h"
#include "lib/wire/target.h"
#include "lib/work/job.h"
#include "lib/work/orders.h"

struct payload {
	uint8_t *data;
	size_t len;
};

struct payload pack_order(const struct order *order);
/* What an order owns once it came over the wire; free with order_msg_free. */
struct order_msg {
	struct order order; /* points into the members below */
	VEC(struct order_job) jobs;
	char *case_id, *client, *peer_key;
};
int unpack_order(struct order_msg *ret, const uint8_t *data, size_t len,
		 struct err *err);
void order_msg_free(struct order_msg *msg);

struct payload pack_report(const struct report *report);
int unpack_report(struct report *ret, const uint8_t *data, size_t len, struct err *err);

struct payload pack_sample(const struct sample *sample);
int unpack_sample(struct sample *ret, const uint8_t *data, size_t len, struct err *err);

struct payload pack_run_id(uint64_t run_id);
int unpack_run_id(uint64_t *ret, const uint8_t *data, size_t len, struct err *err);

/* Histograms travel sparse; run_id is echoed so that a stale answer is refused. */
struct payload pack_tally(uint64_t run_id, const struct tally *tally);
int unpack_tally(uint64_t *ret_run_id, struct tally **ret, const uint8_t *data,
		 size_t len, struct err *err);

struct payload pack_counters(uint64_t run_id, const struct counters *counters);
int unpack_counters(uint64_t *ret_run_id, struct counters **ret, const uint8_t *data,
		    size_t len, struct err *err);

struct payload pack_facts_request(const struct facts_question *question);
/* What a question owns once it came over the wire. */
struct facts_question_msg {
	struct facts_question question; /* points into the members below */
	char **paths, *token;
};
int unpack_facts_request(struct facts_question_msg *ret, const uint8_t *data,
			 size_t len, struct err *err);
void facts_question_msg_free(struct facts_question_msg *msg);
struct payload pack_shell_command(const struct shell_command *command);
int unpack_shell_command(struct shell_command *ret, const uint8_t *data, size_t len,
		   struct err *err); /* free with shell_command_free */
struct payload pack_shell_answer(const struct shell_answer *answer);
int unpack_shell_answer(struct shell_answer *ret, const uint8_t *data, size_t len,
			  struct err *err);

struct payload pack_facts(const struct facts *facts);
int unpack_facts(struct facts **ret, const uint8_t *data, size_t len, struct err *err);

struct payload pack_log_request(const struct log_request *request);
int unpack_log_request(struct log_request *ret, const uint8_t *data, size_t len,
		       struct err *err);
struct payload pack_log_part(const struct log_part *part);
/* *ret points into *ret_owner, which log_part_free releases. */
int unpack_log_part(struct log_part *ret, void **ret_owner, const uint8_t *data,
		    size_t len, struct err *err);
void log_part_free(void *owner);

struct payload pack_target_request(const struct target_request *request);
/* *ret points into *ret_owner, which target_request_free releases. */
int unpack_target_request(struct target_request *ret, void **ret_owner,
			  const uint8_t *data, size_t len, struct err *err);
void target_request_free(void *owner);
struct payload pack_target_ready(unsigned port);
int unpack_target_ready(unsigned *ret, const uint8_t *data, size_t len,
			struct err *err);

#endif
