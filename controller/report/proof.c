/* SPDX-License-Identifier: Apache-2.0 */
/* Which transport carried the bytes, and the counters that rose, of each client. */
#include "controller/report/proof.h"

#include <inttypes.h>
#include <stdlib.h>

#include "controller/report/report.h"
#include "controller/report/table.h"
#include "lib/base/mem.h"

static void
put_verdict(const struct attempt_client *client, struct str *out)
{
	const struct proof *proof = &client->proof;
	char *text;

	if (proof->verdict == PROOF_NONE)
		return;
	text = mem_printf("transport of %s: %s: %s", client->agent,
	    proof_verdict_name(proof->verdict), proof->text ? proof->text : "");
	wrap_print(text, 2, 4, REPORT_COLUMNS, out);
	free(text);
}

/* Those that explain trouble, where they rose. */
static size_t
put_counters(const struct attempt_client *client, struct table *table)
{
	size_t n = 0;

	for (vec_each(const struct counter *, it, &client->counters->list)) {
		const struct counter_kind *kind = counter_kind_find(it->name);

		if (!it->known[COUNTER_RUN] || it->delta[COUNTER_RUN] == 0 || !kind ||
		    !kind->reading)
			continue;
		table_add(table, client->agent);
		table_add(table, it->object);
		table_add(table, it->name);
		table_addf(
		    table, "%" PRIu64 " %s", it->delta[COUNTER_RUN], kind->unit);
		table_add(table, kind->reading);
		n++;
	}
	return n;
}

void
report_proof(const struct attempt *attempt, struct str *out)
{
	static const struct table_column columns[] = {{"client", "", false, 12},
	    {"counter of", "", false, 12}, {"name", "", false, 0},
	    {"rose by", "", true, 0}, {"reading", "", false, 24}};
	struct table table;
	size_t n = 0;

	table_init(&table, columns, sizeof columns / sizeof *columns);
	for (vec_each(const struct attempt_client *, client, &attempt->clients)) {
		put_verdict(client, out);
		if (client->counters)
			n += put_counters(client, &table);
	}
	if (n == 0)
		return;
	str_addc(out, '\n');
	table_print(&table, 2, REPORT_COLUMNS, out);
}
