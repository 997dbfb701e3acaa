/* SPDX-License-Identifier: Apache-2.0 */
/* volley import csv: figures of a table or an article, into a results file. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller/analyze/table-csv.h"
#include "controller/cli.h"
#include "controller/commands.h"
#include "controller/model-load.h"
#include "controller/store/store.h"
#include "lib/base/clock.h"
#include "lib/base/rng.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#include "config.h"

#define DEFAULT_DB "results.db"
#define TABLE_MAX (64u << 20)
#define MTU_MAX 65535

struct import_table {
	const struct cli *cli;
	const char *path;
	struct str text;
	struct table_rows table;
	uint64_t link, mtu;
};

static int
read_file(struct import_table *in, struct err *err)
{
	FILE *file = fopen(in->path, "rb");
	char buf[65536];
	size_t n;

	if (!file)
		return err_sys(err, errno, "open %s", in->path);
	while ((n = fread(buf, 1, sizeof buf, file)) > 0 && in->text.len < TABLE_MAX)
		str_addn(&in->text, buf, n);
	if (ferror(file) || in->text.len >= TABLE_MAX) {
		int why = ferror(file) ? EIO : EFBIG;

		fclose(file);
		return err_sys(err, why, "read %s", in->path);
	}
	fclose(file);
	return 0;
}

static int
read_input(struct import_table *in, struct err *err)
{
	const char *link = cli_text(in->cli, "link", NULL);

	in->path = in->cli->args.v[0];
	if (cli_number(in->cli, "mtu", 576, MTU_MAX, 0, &in->mtu, err) != 0)
		return -1;
	if (link && units_parse_link(link, &in->link, err) != 0)
		return err_prefix(err, "--link");
	if (in->mtu && !in->link)
		return err_set(err, ERR_USAGE, "--mtu without --link says nothing");
	if (read_file(in, err) != 0)
		return -1;
	return table_csv_parse(
	    in->path, in->text.s ? in->text.s : "", in->text.len, &in->table, err);
}

/* ---- a row as a case and an attempt ---- */

static void
add_param(struct results_case *c, const char *name, double value)
{
	struct results_param *param = vec_add(&c->params);

	param->name = mem_strdup(name);
	param->value = mem_printf("%.15g", value);
	param->is_number = true;
}

static void
make_case(const struct import_table *in, const struct table_row *row,
    struct results_case *ret)
{
	struct str s = {0};

	*ret = (struct results_case){.storage = mem_strdup(row->storage),
	    .transport = mem_strdup(row->transport),
	    .workload = mem_strdup(row->workload),
	    .path = mem_strdup("unknown"),
	    .job_text = mem_strdup(""),
	    .clients = row->clients};
	if (!isnan(row->change_pct))
		add_param(ret, STATED_CHANGE, row->change_pct);
	if (in->link) {
		add_param(ret, STATED_LINKS, 1);
		add_param(ret, STATED_LINK, (double)in->link);
	}
	if (in->mtu)
		add_param(ret, STATED_MTU, (double)in->mtu);
	str_addf(&s,
	    "imported from a table\nstorage=%s\ntransport=%s\nworkload=%s\n"
	    "clients=%u\n",
	    row->storage, row->transport, row->workload, row->clients);
	for (vec_each(const struct results_param *, it, &ret->params))
		str_addf(&s, "%s=%s\n", it->name, it->value);
	snprintf(ret->id, sizeof ret->id, "%016" PRIx64, hash_fnv1a(s.s, s.len));
	str_free(&s);
}

/* Only a mean is stated: one value of it, and no buckets. */
static void
set_latency(struct hist *hist, double ns)
{
	if (isnan(ns))
		return;
	*hist = (struct hist){
	    .count = 1, .sum = (uint64_t)ns, .min = (uint64_t)ns, .max = (uint64_t)ns};
	__uint128_t square = (__uint128_t)hist->sum * hist->sum;
	hist->sumsq_lo = (uint64_t)square;
	hist->sumsq_hi = (uint64_t)(square >> 64);
}

static void
make_attempt(const struct import_table *in, const struct table_row *row,
    const struct results_case *c, struct attempt *ret)
{
	enum dir dir = strstr(row->workload, "write") || strstr(row->workload, "save")
			   ? DIR_WRITE
			   : DIR_READ;
	struct total *total = &ret->total;

	*ret = (struct attempt){.repeat = row->repeat,
	    .state = ATTEMPT_VALID,
	    .clients_expected = row->clients,
	    .started_wall_ns = clock_wall_ns(),
	    .has_total = true};
	ret->ended_wall_ns = ret->started_wall_ns;
	snprintf(ret->case_id, sizeof ret->case_id, "%s", c->id);
	*vec_add(&ret->reasons) =
	    (struct attempt_reason){.code = mem_strdup("imported"),
		.text = mem_printf("figures of %s:%u; nothing else is known of them",
		    in->path, row->line),
		.makes = ATTEMPT_VALID};
	*total = (struct total){.clients = row->clients,
	    .merged = tally_new(),
	    .overlap = NAN,
	    .outstanding_share = NAN};
	total->merged->imported = true;
	total->merged->window_to = UINT64_MAX;
	set_latency(&total->merged->dir[dir].lat, row->latency_ns);
	for (int i = 0; i < DIR_COUNT; i++)
		total->dir[i] = (struct total_dir){.present = i == (int)dir,
		    .bytes_per_s = i == (int)dir ? row->bytes_per_s : NAN,
		    .iops = i == (int)dir ? row->iops : NAN,
		    .fio_bytes_per_s = NAN,
		    .fio_iops = NAN,
		    .sum_bytes_per_s = NAN,
		    .sum_iops = NAN,
		    .common_bytes_per_s = NAN,
		    .common_iops = NAN,
		    .slat = &total->merged->dir[i].slat,
		    .clat = &total->merged->dir[i].clat,
		    .lat = &total->merged->dir[i].lat};
}

static int
by_cell(const void *a, const void *b)
{
	const struct table_row *x = *(struct table_row *const *)a;
	const struct table_row *y = *(struct table_row *const *)b;
	int order = strcmp(x->storage, y->storage);

	if (order == 0)
		order = strcmp(x->workload, y->workload);
	if (order == 0)
		order = strcmp(x->transport, y->transport);
	if (order == 0)
		order = (x->clients > y->clients) - (x->clients < y->clients);
	return order;
}

static int
by_cell_and_place(const void *a, const void *b)
{
	const struct table_row *x = *(struct table_row *const *)a;
	const struct table_row *y = *(struct table_row *const *)b;
	int order = by_cell(a, b);

	return order ? order : (x > y) - (x < y);
}

/* Rows of one cell without a repeat are its repeats, in their order. */
static void
number_repeats(struct table_rows *table)
{
	size_t n = table->rows.n;
	struct table_row **rows = mem_array(n + 1, sizeof *rows);
	unsigned place = 0;

	for (size_t i = 0; i < n; i++)
		rows[i] = &table->rows.v[i];
	qsort(rows, n, sizeof *rows, by_cell_and_place);
	for (size_t i = 0; i < n; i++) {
		place = i && by_cell(&rows[i - 1], &rows[i]) == 0 ? place + 1 : 1;
		if (rows[i]->repeat == 0)
			rows[i]->repeat = place;
	}
	free(rows);
}

static int
put_row(const struct import_table *in, size_t i, struct store *store, struct err *err)
{
	const struct table_row *row = &in->table.rows.v[i];
	struct results_case c;
	struct attempt attempt;
	int result;

	make_case(in, row, &c);
	make_attempt(in, row, &c, &attempt);
	result = store_put_case(store, &c, err);
	if (result == 0)
		result = store_put_attempt(store, &attempt, 0, err);
	attempt_free(&attempt);
	results_case_free(&c);
	return result;
}

static int
put_rows(const struct import_table *in, struct store *store, struct err *err)
{
	for (size_t i = 0; i < in->table.rows.n; i++)
		if (put_row(in, i, store, err) != 0)
			return err_prefix(
			    err, "%s:%u", in->path, in->table.rows.v[i].line);
	return 0;
}

static int
put_all(const struct import_table *in, struct store *store, struct err *err)
{
	struct store_run run = {.plan = "import",
	    .plan_text = "# figures of a table, taken over by volley import\n",
	    .generator = "volley " PACKAGE_VERSION,
	    .arguments = (const char *const *)in->cli->argv,
	    .narguments = (size_t)in->cli->argc,
	    .started_wall_ns = clock_wall_ns()};

	if (store_begin_run(store, &run, err) != 0 ||
	    store_begin_batch(store, err) != 0 ||
	    store_end_batch(store, put_rows(in, store, err), err) != 0)
		return -1;
	return store_end_run(store, clock_wall_ns(), err);
}

static int
import_csv(struct cli *cli)
{
	struct import_table in = {.cli = cli};
	struct err err = ERR_INIT;
	struct store *store = NULL;
	int result = read_input(&in, &err);

	if (result == 0) {
		number_repeats(&in.table);
		store = store_open(cli_text(cli, "db", DEFAULT_DB), STORE_WRITE, &err);
		result = store ? put_all(&in, store, &err) : -1;
	}
	if (result == 0)
		printf("%zu row%s of %s taken over\n", in.table.rows.n,
		    in.table.rows.n == 1 ? "" : "s", in.path);
	store_close(store);
	table_rows_free(&in.table);
	str_free(&in.text);
	return result != 0 ? cli_fail(&err) : EXIT_OK;
}

static const struct cli_option options[] = {
    {"db", "FILE", "results (default " DEFAULT_DB "); an existing file is added to",
	false},
    {"link", "SPEED", "what one link of the storage and of a client carries: 400G",
	false},
    {"mtu", "BYTES", "of that link", false},
    {0},
};

const struct command cmd_import_csv = {
    .name = "import csv",
    .synopsis = "FILE",
    .doc = "Take over figures of a table: columns storage, workload, transport, "
	   "clients and "
	   "any of repeat, throughput_gib_s, throughput_mb_s, iops, latency_ms, "
	   "latency_us, "
	   "change_pct.",
    .options = options,
    .min_args = 1,
    .max_args = 1,
    .exec = import_csv,
};
