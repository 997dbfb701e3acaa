/* SPDX-License-Identifier: Apache-2.0 */
/* See anonymous-rules.h. */
#include "controller/store/anonymous-rules.h"

#include <stddef.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* One row for each GPU, so that they can be counted without saying what they are. */
#define IS_GPU "(name LIKE 'gpu.%.model')"

/* Columns of a table that are copied as they are. */
static const struct {
	const char *table, *columns;
} kept[] = {
    {"meta", "name value"},
    {"plan", "id"},
    {"run", "id plan"},
    {"host_fact", "run position"},
    {"case", "transport clients"},
    {"attempt",
	"id repeat attempt state run order_position clients_expected"
	" clients_reported max_skew_ns clients_summed window_kind window_from_ns"
	" window_ns window_bound_ns latency_in_window overlap skew_ns"
	" skew_bound_ns first_done_ns last_done_ns outstanding"
	" outstanding_share clients_started common_from_ns common_ns"},
    {"job_note", "run position kind option"},
    {"command", "run position transport name"},
    {"case_job", "position first_client clients"},
    {"job", "attempt position clients_expected clients_summed window_kind"
	    " window_from_ns window_ns window_bound_ns latency_in_window overlap"
	    " skew_ns skew_bound_ns first_done_ns last_done_ns outstanding"
	    " outstanding_share clients_started common_from_ns common_ns"},
    {"job_tally", "id attempt client window_from_ns window_to_ns first_io_ns"
		  " last_first_io_ns first_end_ns end_ns threads outstanding"
		  " oldest_outstanding_ns io_errors cpu_user_ns cpu_sys_ns"
		  " cpu_wall_ns fifo direct job"},
    {"job_figure", "id attempt client direction ios bytes iops bytes_per_s"
		   " fio_style_iops fio_style_bytes_per_s sum_of_clients_iops"
		   " sum_of_clients_bytes_per_s common_ios common_bytes common_iops"
		   " common_bytes_per_s ios_before bytes_before ios_inside"
		   " bytes_inside ios_after bytes_after slot_overflow job"},
    {"job_latency", "figure kind count mean_ns stddev_ns min_ns max_ns p50_ns p90_ns"
		    " p95_ns p99_ns p99_9_ns p99_99_ns"},
    {"job_series", "figure kind data"},
    {"reason", "attempt position code makes"},
    {"event", "attempt position at_ns"},
    {"client", "id attempt outcome first_io_offset_ns"},
    {"proof", "client verdict cached application_bytes declared_bytes other_bytes"
	      " trial_ns idle_ns run_ns trial_bytes mount_fstype mount_transports"
	      " rdma_ports"},
    {"counter", "client name run idle trial"},
    {"tally", "id attempt client window_from_ns window_to_ns first_io_ns"
	      " last_first_io_ns first_end_ns end_ns threads outstanding"
	      " oldest_outstanding_ns io_errors cpu_user_ns cpu_sys_ns cpu_wall_ns fifo"
	      " direct"},
    {"usage", "attempt client job context_switches major_faults minor_faults"
	      " latency_depth"},
    {"figure", "id attempt client direction ios bytes iops bytes_per_s fio_style_iops"
	       " fio_style_bytes_per_s sum_of_clients_iops sum_of_clients_bytes_per_s"
	       " common_ios common_bytes common_iops common_bytes_per_s ios_before"
	       " bytes_before ios_inside bytes_inside ios_after bytes_after"
	       " slot_overflow"},
    {"latency", "figure kind count mean_ns stddev_ns min_ns max_ns p50_ns p90_ns p95_ns"
		" p99_ns p99_9_ns p99_99_ns"},
    {"bucket", "figure kind from_ns count"},
    {"slot", "figure at_ms ios bytes lat_sum_ns"},
    {"series", "figure kind data"},
};

/* The others. */
static const struct {
	const char *table, *column, *expression;
} covered[] = {
    {"plan", "hash", "printf('%016x', id)"},
    {"plan", "name", "'anonymised'"},
    {"plan", "text", "cover_plan(text)"},
    {"run", "generator", "'volley'"},
    {"run", "arguments", "'[]'"},
    {"run", "seed", "'0'"},
    {"run", "hosts", "'[]'"},
    {"run", "started_wall_ns", "0"},
    {"run", "ended_wall_ns", "0"},
    {"host_fact", "agent", "cover_client(agent)"},
    {"host_fact", "name",
	"CASE WHEN " IS_GPU " THEN printf('gpu.%d.model', position) ELSE name END"},
    {"host_fact", "value", "CASE WHEN " IS_GPU " THEN 'GPU' ELSE value END"},
    {"case", "id", "cover_case(id)"},
    {"case", "position", "cover_position(id)"},
    {"case", "storage", "cover_storage(storage)"},
    {"case", "path", "''"},
    {"case", "workload", "cover_workload(workload)"},
    {"case", "params", "cover_options(params)"},
    {"case", "axes", "cover_options(axes)"},
    {"case", "job", "cover_job(job)"},
    {"attempt", "case", "cover_case(\"case\")"},
    {"attempt", "run_id", "printf('%016x', id)"},
    {"attempt", "seed", "'0'"},
    {"attempt", "started_wall_ns", "0"},
    {"attempt", "ended_wall_ns", "0"},
    {"attempt", "error", "cover_text(error)"},
    {"attempt", "error_agent", "cover_client(error_agent)"},
    {"job_note", "case", "cover_case(\"case\")"},
    {"job_note", "job", "NULL"},
    {"job_note", "value", "cover_text(value)"},
    {"job_note", "place", "NULL"},
    {"job_note", "text", "cover_text(text)"},
    {"command", "storage", "cover_storage(storage)"},
    {"command", "agent", "cover_client(agent)"},
    {"command", "started_wall_ns", "0"},
    {"command", "ended_wall_ns", "0"},
    {"command", "problem", "cover_text(problem)"},
    {"command", "output", "NULL"},
    {"case_job", "case", "cover_case(\"case\")"},
    {"case_job", "name", "'job-' || (position + 1)"},
    {"case_job", "params", "cover_options(params)"},
    {"job", "name", "'job-' || (position + 1)"},
    /* unknown stays unknown: figures that were imported are told by that */
    {"job_tally", "start_ns", "start_ns * 0"},
    {"reason", "agent", "cover_client(agent)"},
    {"reason", "text", "cover_text(text)"},
    {"event", "agent", "cover_client(agent)"},
    {"event", "text", "cover_text(text)"},
    {"client", "agent", "cover_client(agent)"},
    {"client", "error", "cover_text(error)"},
    /* clocks count from each client's boot */
    {"client", "offset_ns", "NULL"},
    {"client", "offset_rtt_ns", "NULL"},
    {"client", "offset_bound_ns", "NULL"},
    {"client", "offset_at_ns", "NULL"},
    {"proof", "text", "cover_text(text)"},
    {"proof", "mount_point", "NULL"},
    /* the kind of a device, and its number among the client's */
    {"counter", "object",
	"CASE instr(object, '/') WHEN 0 THEN object ELSE"
	" substr(object, 1, instr(object, '/')) || (SELECT count(DISTINCT o.object)"
	" FROM counter AS o WHERE o.client = counter.client AND o.object <"
	" counter.object) END"},
    {"tally", "start_ns", "start_ns * 0"},
};

/* Rows that stay; the others do not. */
static const struct {
	const char *table, *where;
} filters[] = {{"host_fact", "cover_keeps_fact(name) OR " IS_GPU}};

/* Texts of which plain numbers are secrets too: seeds, serials. */
static const struct {
	const char *table, *column;
} id_columns[] = {{"plan", "hash"}, {"run", "seed"}, {"case", "id"},
    {"case", "storage"}, {"attempt", "run_id"}, {"attempt", "seed"},
    {"host_fact", "value"}, {"host_fact", "agent"}, {"client", "agent"}};

/* Is `word` one of the words of `list`? */
static bool
has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list; (p = strstr(p, word)) != NULL; p += len)
		if ((p == list || p[-1] == ' ') && (p[len] == ' ' || p[len] == '\0'))
			return true;
	return false;
}

bool
rule_keeps(const char *table, const char *column)
{
	for (size_t i = 0; i < COUNT(kept); i++)
		if (strcmp(kept[i].table, table) == 0 &&
		    has_word(kept[i].columns, column))
			return true;
	return false;
}

const char *
rule_covers(const char *table, const char *column)
{
	for (size_t i = 0; i < COUNT(covered); i++)
		if (strcmp(covered[i].table, table) == 0 &&
		    strcmp(covered[i].column, column) == 0)
			return covered[i].expression;
	return NULL;
}

const char *
rule_filters(const char *table)
{
	for (size_t i = 0; i < COUNT(filters); i++)
		if (strcmp(filters[i].table, table) == 0)
			return filters[i].where;
	return NULL;
}

bool
rule_is_id(const char *table, const char *column)
{
	for (size_t i = 0; i < COUNT(id_columns); i++)
		if (strcmp(id_columns[i].table, table) == 0 &&
		    strcmp(id_columns[i].column, column) == 0)
			return true;
	return false;
}
