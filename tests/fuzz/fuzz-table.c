/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes tables of figures: whatever the text, they are rows with figures in range, or an
 * error of one line that names its place.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/table-csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(int condition)
{
	if (!condition)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct table_rows table;
	struct err err = ERR_INIT;

	if (table_csv_parse("fuzz", (const char *)data, size, &table, &err) != 0) {
		must(strncmp(err.msg, "fuzz:", 5) == 0 && !strchr(err.msg, '\n'));
		must(table.rows.n == 0);
		return 0;
	}
	for (vec_each(const struct table_row *, it, &table.rows)) {
		must(it->storage[0] && it->workload[0] && it->transport[0]);
		must(it->clients >= 1);
		must(isnan(it->bytes_per_s) || it->bytes_per_s > 0);
		must(isnan(it->latency_ns) || it->latency_ns > 0);
		must(isnan(it->change_pct) || it->change_pct > -100);
	}
	table_rows_free(&table);
	return 0;
}
