/* SPDX-License-Identifier: Apache-2.0 */
/* One row of `proof` for each client that has one, and its rows of `counter`. */
#include "controller/store/proof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- saving ---- */

/* "tcp", "rdma", "tcp,rdma"; NULL: none. */
static const char *
protocols_text(unsigned protocols)
{
	static const char *const texts[] = {[0] = NULL,
	    [COUNTERS_TCP] = "tcp",
	    [COUNTERS_RDMA] = "rdma",
	    [COUNTERS_TCP | COUNTERS_RDMA] = "tcp,rdma"};

	return texts[protocols];
}

static int
save_proof(struct store *store, int64_t client, const struct attempt_client *from,
    struct err *err)
{
	static const struct counters none = {.rdma_ports = -1};
	const struct counters *counters = from->counters ? from->counters : &none;
	const struct proof *proof = &from->proof;
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "INSERT INTO proof VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    err);

	if (result == 0) {
		bool asked = proof->verdict != PROOF_NONE;

		stmt_int(&stmt, client);
		stmt_text(&stmt, proof_verdict_name(proof->verdict));
		stmt_int_or_null(&stmt, asked, proof->cached);
		stmt_text(&stmt, proof->text);
		stmt_u64_or_null(&stmt, asked, proof->bytes);
		stmt_real(&stmt, asked ? proof->declared_bytes : NAN);
		stmt_real(&stmt, asked ? proof->other_bytes : NAN);
		for (int span = 0; span < COUNTER_SPANS; span++)
			stmt_u64_or_null(
			    &stmt, counters->ns[span] != 0, counters->ns[span]);
		stmt_u64_or_null(
		    &stmt, counters->trial_bytes != 0, counters->trial_bytes);
		stmt_text(&stmt, counters->mount_point);
		stmt_text(&stmt, counters->mount_fstype);
		stmt_text(&stmt, protocols_text(counters->protocols));
		stmt_int_or_null(
		    &stmt, counters->rdma_ports >= 0, counters->rdma_ports);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

static int
save_counters(struct store *store, int64_t client, const struct counters *counters,
    struct err *err)
{
	struct stmt stmt;
	int result =
	    stmt_open(&stmt, store, "INSERT INTO counter VALUES(?, ?, ?, ?, ?, ?)", err);

	for (size_t i = 0; result == 0 && i < counters->list.n; i++) {
		const struct counter *it = &counters->list.v[i];

		stmt_int(&stmt, client);
		stmt_text(&stmt, it->object);
		stmt_text(&stmt, it->name);
		for (int span = COUNTER_SPANS - 1; span >= 0; span--)
			stmt_u64_or_null(&stmt, it->known[span], it->delta[span]);
		result = stmt_run(&stmt, err);
	}
	stmt_close(&stmt);
	return result;
}

int
proof_save(struct store *store, int64_t client, const struct attempt_client *from,
    struct err *err)
{
	if (!from->counters && from->proof.verdict == PROOF_NONE)
		return 0;
	if (save_proof(store, client, from, err) != 0)
		return -1;
	return from->counters ? save_counters(store, client, from->counters, err) : 0;
}

/* ---- loading ---- */

static unsigned
protocols_of(const char *text)
{
	unsigned ret = COUNTERS_TCP | COUNTERS_RDMA;

	while (ret && (!text || strcmp(text, protocols_text(ret)) != 0))
		ret--;
	return ret;
}

static uint64_t
u64_or_zero(struct stmt *stmt)
{
	bool known = !col_is_null(stmt);
	uint64_t value = col_u64(stmt);

	return known ? value : 0;
}

/* A client whose host gave no counters has the proof alone. */
static void
read_proof(struct stmt *stmt, struct attempt_client *ret)
{
	struct counters *counters = counters_new();
	char *text = col_text(stmt);
	bool known;

	ret->proof.verdict = proof_verdict_parse(text);
	free(text);
	ret->proof.cached = u64_or_zero(stmt);
	ret->proof.text = col_text(stmt);
	ret->proof.bytes = u64_or_zero(stmt);
	ret->proof.declared_bytes = col_real(stmt);
	ret->proof.other_bytes = col_real(stmt);
	for (int span = 0; span < COUNTER_SPANS; span++)
		counters->ns[span] = u64_or_zero(stmt);
	counters->trial_bytes = u64_or_zero(stmt);
	counters->mount_point = col_text(stmt);
	counters->mount_fstype = col_text(stmt);
	text = col_text(stmt);
	counters->protocols = protocols_of(text);
	free(text);
	known = !col_is_null(stmt);
	counters->rdma_ports = col_int(stmt);
	if (!known)
		counters->rdma_ports = -1;
	if (counters->ns[COUNTER_RUN])
		ret->counters = counters;
	else
		counters_free(counters);
}

static int
load_counters(
    struct store *store, int64_t client, struct counters *ret, struct err *err)
{
	struct stmt stmt;
	int result = stmt_open(&stmt, store,
	    "SELECT object, name, run, idle, trial FROM counter WHERE client = ?"
	    " ORDER BY object, name",
	    err);

	if (result == 0) {
		stmt_int(&stmt, client);
		while ((result = stmt_row(&stmt, err)) == 1) {
			char *object = col_text(&stmt), *name = col_text(&stmt);
			struct counter *counter = counters_add(ret, object, name);

			free(object);
			free(name);
			for (int span = COUNTER_SPANS - 1; span >= 0; span--) {
				counter->known[span] = !col_is_null(&stmt);
				counter->delta[span] = col_u64(&stmt);
			}
		}
	}
	stmt_close(&stmt);
	return result;
}

int
proof_load(struct store *store, int64_t client, bool counters,
    struct attempt_client *ret, struct err *err)
{
	struct stmt stmt;
	int result;

	if (!db_has_table(store, "proof"))
		return 0;
	result = stmt_open(&stmt, store,
	    "SELECT verdict, cached, text, application_bytes, declared_bytes,"
	    " other_bytes, trial_ns, idle_ns, run_ns, trial_bytes, mount_point,"
	    " mount_fstype, mount_transports, rdma_ports FROM proof WHERE client = ?",
	    err);
	if (result == 0) {
		stmt_int(&stmt, client);
		result = stmt_row(&stmt, err);
	}
	if (result == 1)
		read_proof(&stmt, ret);
	stmt_close(&stmt);
	if (result == 1)
		result = counters && ret->counters
			     ? load_counters(store, client, ret->counters, err)
			     : 0;
	return result;
}
