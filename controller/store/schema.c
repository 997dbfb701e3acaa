/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables hold facts in base units; the views at the end are for people with a plain
 * sqlite3.  A change that an old reader would misread raises SCHEMA_VERSION; new
 * columns, tables and views do not.
 */
#include "controller/store/schema.h"

#include <stddef.h>

#define RUN_TABLES                                                                      \
	"CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"           \
	"CREATE TABLE plan("                                                            \
	"  id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"      \
	"  text TEXT NOT NULL);"                                                        \
	"CREATE TABLE run("                                                             \
	"  id INTEGER PRIMARY KEY, plan INTEGER NOT NULL REFERENCES plan,"              \
	"  generator TEXT NOT NULL, arguments TEXT NOT NULL, seed TEXT NOT NULL,"       \
	"  hosts TEXT NOT NULL, started_wall_ns INTEGER NOT NULL,"                      \
	"  ended_wall_ns INTEGER);"                                                     \
	"CREATE TABLE host_fact("                                                       \
	"  run INTEGER NOT NULL REFERENCES run, agent TEXT NOT NULL,"                   \
	"  position INTEGER NOT NULL, name TEXT NOT NULL, value,"                       \
	"  PRIMARY KEY(run, agent, position)) WITHOUT ROWID;"

#define CASE_TABLES                                                                     \
	"CREATE TABLE \"case\"("                                                        \
	"  id TEXT PRIMARY KEY, position INTEGER NOT NULL UNIQUE,"                      \
	"  storage TEXT NOT NULL, transport TEXT NOT NULL, path TEXT NOT NULL,"         \
	"  workload TEXT NOT NULL, clients INTEGER NOT NULL, params TEXT NOT NULL,"     \
	"  axes TEXT NOT NULL, job TEXT NOT NULL) WITHOUT ROWID;"                       \
	"CREATE TABLE attempt("                                                         \
	"  id INTEGER PRIMARY KEY, \"case\" TEXT NOT NULL REFERENCES \"case\","         \
	"  repeat INTEGER NOT NULL CHECK(repeat >= 1),"                                 \
	"  attempt INTEGER NOT NULL CHECK(attempt >= 1),"                               \
	"  state TEXT NOT NULL CHECK(state IN('VALID', 'PARTIAL', 'INVALID')),"         \
	"  run INTEGER NOT NULL REFERENCES run, run_id TEXT NOT NULL,"                  \
	"  seed TEXT NOT NULL, order_position INTEGER,"                                 \
	"  started_wall_ns INTEGER NOT NULL, ended_wall_ns INTEGER NOT NULL,"           \
	"  clients_expected INTEGER NOT NULL, clients_reported INTEGER NOT NULL,"       \
	"  max_skew_ns INTEGER NOT NULL, error TEXT, error_agent TEXT,"                 \
	"  clients_summed INTEGER, window_kind TEXT CHECK(window_kind IN"               \
	"    ('fixed', 'common')), window_from_ns INTEGER, window_ns INTEGER,"          \
	"  window_bound_ns INTEGER, latency_in_window INTEGER, overlap REAL,"           \
	"  skew_ns INTEGER, skew_bound_ns INTEGER, first_done_ns INTEGER,"              \
	"  last_done_ns INTEGER, outstanding INTEGER, outstanding_share REAL,"          \
	"  clients_started INTEGER, common_from_ns INTEGER, common_ns INTEGER,"         \
	"  UNIQUE(\"case\", repeat, attempt));"                                         \
	"CREATE INDEX attempt_run ON attempt(run);"                                     \
	"CREATE TABLE reason("                                                          \
	"  attempt INTEGER NOT NULL REFERENCES attempt, position INTEGER NOT NULL,"     \
	"  code TEXT NOT NULL, agent TEXT, text TEXT NOT NULL, makes TEXT NOT NULL,"    \
	"  PRIMARY KEY(attempt, position)) WITHOUT ROWID;"                              \
	"CREATE TABLE event("                                                           \
	"  attempt INTEGER NOT NULL REFERENCES attempt, position INTEGER NOT NULL,"     \
	"  at_ns INTEGER NOT NULL, agent TEXT, text TEXT NOT NULL,"                     \
	"  PRIMARY KEY(attempt, position)) WITHOUT ROWID;"

#define CLIENT_TABLES                                                                   \
	"CREATE TABLE client("                                                          \
	"  id INTEGER PRIMARY KEY, attempt INTEGER NOT NULL REFERENCES attempt,"        \
	"  agent TEXT NOT NULL, outcome TEXT NOT NULL, error TEXT,"                     \
	"  offset_ns INTEGER, offset_rtt_ns INTEGER, offset_bound_ns INTEGER,"          \
	"  offset_at_ns INTEGER, first_io_offset_ns INTEGER);"                          \
	"CREATE INDEX client_attempt ON client(attempt);"                               \
	"CREATE TABLE tally("                                                           \
	"  id INTEGER PRIMARY KEY, attempt INTEGER NOT NULL REFERENCES attempt,"        \
	"  client INTEGER REFERENCES client, start_ns INTEGER,"                         \
	"  window_from_ns INTEGER, window_to_ns INTEGER, first_io_ns INTEGER,"          \
	"  last_first_io_ns INTEGER, first_end_ns INTEGER, end_ns INTEGER,"             \
	"  threads INTEGER, outstanding INTEGER, oldest_outstanding_ns INTEGER,"        \
	"  io_errors INTEGER, cpu_user_ns INTEGER, cpu_sys_ns INTEGER,"                 \
	"  cpu_wall_ns INTEGER, fifo INTEGER, direct INTEGER);"                         \
	"CREATE INDEX tally_attempt ON tally(attempt, client);"

#define FIGURE_TABLES                                                                   \
	"CREATE TABLE figure("                                                          \
	"  id INTEGER PRIMARY KEY, attempt INTEGER NOT NULL REFERENCES attempt,"        \
	"  client INTEGER REFERENCES client,"                                           \
	"  direction TEXT NOT NULL CHECK(direction IN('read', 'write')),"               \
	"  ios INTEGER NOT NULL, bytes INTEGER NOT NULL, iops REAL,"                    \
	"  bytes_per_s REAL, fio_style_iops REAL, fio_style_bytes_per_s REAL,"          \
	"  sum_of_clients_iops REAL, sum_of_clients_bytes_per_s REAL,"                  \
	"  common_ios INTEGER, common_bytes INTEGER, common_iops REAL,"                 \
	"  common_bytes_per_s REAL,"                                                    \
	"  ios_before INTEGER NOT NULL, bytes_before INTEGER NOT NULL,"                 \
	"  ios_inside INTEGER NOT NULL, bytes_inside INTEGER NOT NULL,"                 \
	"  ios_after INTEGER NOT NULL, bytes_after INTEGER NOT NULL,"                   \
	"  slot_overflow INTEGER NOT NULL);"                                            \
	"CREATE INDEX figure_attempt ON figure(attempt);"                               \
	"CREATE INDEX figure_client ON figure(client);"                                 \
	"CREATE TABLE latency("                                                         \
	"  figure INTEGER NOT NULL REFERENCES figure, kind TEXT NOT NULL,"              \
	"  count INTEGER NOT NULL, mean_ns REAL, stddev_ns REAL, min_ns INTEGER,"       \
	"  max_ns INTEGER, p50_ns REAL, p90_ns REAL, p95_ns REAL, p99_ns REAL,"         \
	"  p99_9_ns REAL, p99_99_ns REAL, PRIMARY KEY(figure, kind)) WITHOUT ROWID;"    \
	"CREATE TABLE bucket("                                                          \
	"  figure INTEGER NOT NULL REFERENCES figure, kind TEXT NOT NULL,"              \
	"  from_ns INTEGER NOT NULL, count INTEGER NOT NULL,"                           \
	"  PRIMARY KEY(figure, kind, from_ns)) WITHOUT ROWID;"                          \
	"CREATE TABLE slot("                                                            \
	"  figure INTEGER NOT NULL REFERENCES figure, at_ms INTEGER NOT NULL,"          \
	"  ios INTEGER NOT NULL, bytes INTEGER NOT NULL, lat_sum_ns INTEGER NOT NULL,"  \
	"  PRIMARY KEY(figure, at_ms)) WITHOUT ROWID;"                                  \
	"CREATE TABLE series("                                                          \
	"  figure INTEGER NOT NULL REFERENCES figure, kind TEXT NOT NULL,"              \
	"  data BLOB NOT NULL, PRIMARY KEY(figure, kind)) WITHOUT ROWID;"

/* What a job file said that its options do not. */
#define NOTE_TABLES                                                                     \
	"CREATE TABLE IF NOT EXISTS job_note("                                          \
	"  run INTEGER NOT NULL REFERENCES run,"                                        \
	"  \"case\" TEXT NOT NULL REFERENCES \"case\", position INTEGER NOT NULL,"      \
	"  kind TEXT NOT NULL CHECK(kind IN('warning', 'translated', 'skipped')),"      \
	"  job TEXT, option TEXT, value TEXT, place TEXT, text TEXT NOT NULL,"          \
	"  PRIMARY KEY(run, \"case\", position)) WITHOUT ROWID;"

/* What agents did before and after a transport's turn: setup and teardown commands. */
#define COMMAND_TABLES                                                                  \
	"CREATE TABLE IF NOT EXISTS command("                                           \
	"  run INTEGER NOT NULL REFERENCES run, position INTEGER NOT NULL,"             \
	"  storage TEXT NOT NULL, transport TEXT NOT NULL, name TEXT NOT NULL,"         \
	"  agent TEXT NOT NULL, started_wall_ns INTEGER NOT NULL,"                      \
	"  ended_wall_ns INTEGER NOT NULL, problem TEXT, output TEXT,"                  \
	"  PRIMARY KEY(run, position)) WITHOUT ROWID;"

/* Of cases with several jobs: what these are, and the figures of each, of a client or
 * of all (client NULL).  tally, figure, latency and series again, so that whoever reads
 * those finds every I/O once. */
#define JOB_TABLES                                                                      \
	"CREATE TABLE IF NOT EXISTS case_job("                                          \
	"  \"case\" TEXT NOT NULL REFERENCES \"case\", position INTEGER NOT NULL,"      \
	"  name TEXT NOT NULL, first_client INTEGER NOT NULL,"                          \
	"  clients INTEGER NOT NULL, params TEXT NOT NULL,"                             \
	"  PRIMARY KEY(\"case\", position)) WITHOUT ROWID;"                             \
	"CREATE TABLE IF NOT EXISTS job("                                               \
	"  attempt INTEGER NOT NULL REFERENCES attempt, position INTEGER NOT NULL,"     \
	"  name TEXT NOT NULL, clients_expected INTEGER NOT NULL,"                      \
	"  clients_summed INTEGER, window_kind TEXT, window_from_ns INTEGER,"           \
	"  window_ns INTEGER, window_bound_ns INTEGER, latency_in_window INTEGER,"      \
	"  overlap REAL, skew_ns INTEGER, skew_bound_ns INTEGER,"                       \
	"  first_done_ns INTEGER, last_done_ns INTEGER, outstanding INTEGER,"           \
	"  outstanding_share REAL, clients_started INTEGER, common_from_ns INTEGER,"    \
	"  common_ns INTEGER, PRIMARY KEY(attempt, position)) WITHOUT ROWID;"           \
	"CREATE TABLE IF NOT EXISTS job_tally("                                         \
	"  id INTEGER PRIMARY KEY, attempt INTEGER NOT NULL REFERENCES attempt,"        \
	"  client INTEGER REFERENCES client, start_ns INTEGER,"                         \
	"  window_from_ns INTEGER, window_to_ns INTEGER, first_io_ns INTEGER,"          \
	"  last_first_io_ns INTEGER, first_end_ns INTEGER, end_ns INTEGER,"             \
	"  threads INTEGER, outstanding INTEGER, oldest_outstanding_ns INTEGER,"        \
	"  io_errors INTEGER, cpu_user_ns INTEGER, cpu_sys_ns INTEGER,"                 \
	"  cpu_wall_ns INTEGER, fifo INTEGER, direct INTEGER,"                          \
	"  job INTEGER NOT NULL);"                                                      \
	"CREATE INDEX IF NOT EXISTS job_tally_attempt"                                  \
	"  ON job_tally(attempt, client, job);"                                         \
	"CREATE TABLE IF NOT EXISTS job_figure("                                        \
	"  id INTEGER PRIMARY KEY, attempt INTEGER NOT NULL REFERENCES attempt,"        \
	"  client INTEGER REFERENCES client,"                                           \
	"  direction TEXT NOT NULL CHECK(direction IN('read', 'write')),"               \
	"  ios INTEGER NOT NULL, bytes INTEGER NOT NULL, iops REAL,"                    \
	"  bytes_per_s REAL, fio_style_iops REAL, fio_style_bytes_per_s REAL,"          \
	"  sum_of_clients_iops REAL, sum_of_clients_bytes_per_s REAL,"                  \
	"  common_ios INTEGER, common_bytes INTEGER, common_iops REAL,"                 \
	"  common_bytes_per_s REAL,"                                                    \
	"  ios_before INTEGER NOT NULL, bytes_before INTEGER NOT NULL,"                 \
	"  ios_inside INTEGER NOT NULL, bytes_inside INTEGER NOT NULL,"                 \
	"  ios_after INTEGER NOT NULL, bytes_after INTEGER NOT NULL,"                   \
	"  slot_overflow INTEGER NOT NULL, job INTEGER NOT NULL);"                      \
	"CREATE INDEX IF NOT EXISTS job_figure_attempt ON job_figure(attempt);"         \
	"CREATE TABLE IF NOT EXISTS job_latency("                                       \
	"  figure INTEGER NOT NULL REFERENCES job_figure, kind TEXT NOT NULL,"          \
	"  count INTEGER NOT NULL, mean_ns REAL, stddev_ns REAL, min_ns INTEGER,"       \
	"  max_ns INTEGER, p50_ns REAL, p90_ns REAL, p95_ns REAL, p99_ns REAL,"         \
	"  p99_9_ns REAL, p99_99_ns REAL, PRIMARY KEY(figure, kind)) WITHOUT ROWID;"    \
	"CREATE TABLE IF NOT EXISTS job_series("                                        \
	"  figure INTEGER NOT NULL REFERENCES job_figure, kind TEXT NOT NULL,"          \
	"  data BLOB NOT NULL, PRIMARY KEY(figure, kind)) WITHOUT ROWID;"               \
	"CREATE VIEW IF NOT EXISTS v_jobs AS SELECT"                                    \
	"  c.id AS \"case\", c.storage, c.transport, c.workload, c.clients, a.repeat,"  \
	"  a.attempt, a.state, j.name AS job, j.clients_summed AS job_clients,"         \
	"  f.direction, f.ios, round(f.bytes_per_s / 1073741824.0, 4) AS \"GiB/s\","    \
	"  round(f.iops, 1) AS IOPS, round(l.mean_ns / 1e6, 4) AS mean_lat_ms,"         \
	"  round(l.p99_ns / 1e6, 4) AS p99_lat_ms"                                      \
	"  FROM job AS j JOIN attempt AS a ON a.id = j.attempt"                         \
	"  JOIN \"case\" AS c ON c.id = a.\"case\""                                     \
	"  LEFT JOIN job_figure AS f ON f.attempt = a.id AND f.job = j.position"        \
	"   AND f.client IS NULL"                                                       \
	"  LEFT JOIN job_latency AS l ON l.figure = f.id AND l.kind = 'lat'"            \
	"  ORDER BY c.position, a.repeat, a.attempt, j.position, f.direction;"

/* What proves which transport carried a client's bytes, and its host's counters. */
#define PROOF_TABLES                                                                    \
	"CREATE TABLE IF NOT EXISTS proof("                                             \
	"  client INTEGER PRIMARY KEY REFERENCES client,"                               \
	"  verdict TEXT CHECK(verdict IN('proven', 'refuted', 'unknown')),"             \
	"  cached INTEGER, text TEXT, application_bytes INTEGER, declared_bytes REAL,"  \
	"  other_bytes REAL, trial_ns INTEGER, idle_ns INTEGER, run_ns INTEGER,"        \
	"  trial_bytes INTEGER, mount_point TEXT, mount_fstype TEXT,"                   \
	"  mount_transports TEXT, rdma_ports INTEGER);"                                 \
	"CREATE TABLE IF NOT EXISTS counter("                                           \
	"  client INTEGER NOT NULL REFERENCES client, object TEXT NOT NULL,"            \
	"  name TEXT NOT NULL, run INTEGER, idle INTEGER, trial INTEGER,"               \
	"  PRIMARY KEY(client, object, name)) WITHOUT ROWID;"

/* What a client's threads used of its host, and the depth that latency_target found; of
 * one of several jobs (job), or of all. */
#define USAGE_TABLES                                                                    \
	"CREATE TABLE IF NOT EXISTS usage("                                             \
	"  attempt INTEGER NOT NULL REFERENCES attempt,"                                \
	"  client INTEGER REFERENCES client, job INTEGER, context_switches INTEGER,"    \
	"  major_faults INTEGER, minor_faults INTEGER, latency_depth INTEGER);"         \
	"CREATE INDEX IF NOT EXISTS usage_attempt ON usage(attempt, client, job);"

/* The attempts that count: the last one of every repeat. */
#define VIEWS                                                                           \
	"CREATE VIEW v_latest AS SELECT * FROM attempt AS a WHERE attempt ="            \
	"  (SELECT max(attempt) FROM attempt WHERE \"case\" = a.\"case\""               \
	"   AND repeat = a.repeat);"                                                    \
	"CREATE VIEW v_results AS SELECT"                                               \
	"  c.id AS \"case\", c.storage, c.transport, c.workload, c.clients, a.repeat,"  \
	"  a.attempt, a.state, a.clients_reported, f.direction,"                        \
	"  round(f.bytes_per_s / 1073741824.0, 4) AS \"GiB/s\","                        \
	"  round(f.iops, 1) AS IOPS, round(l.mean_ns / 1e6, 4) AS mean_lat_ms,"         \
	"  round(l.p99_ns / 1e6, 4) AS p99_lat_ms,"                                     \
	"  round(a.skew_ns / 1e6, 4) AS skew_ms, round(CASE WHEN"                       \
	"  f.iops > 0 AND a.window_ns IS NOT NULL THEN f.ios / f.iops"                  \
	"  ELSE a.window_ns / 1e9 END, 3) AS window_s, round(a.overlap, 4) AS overlap"                                 \
	"  FROM v_latest AS a JOIN \"case\" AS c ON c.id = a.\"case\""                  \
	"  LEFT JOIN figure AS f ON f.attempt = a.id AND f.client IS NULL"              \
	"  LEFT JOIN latency AS l ON l.figure = f.id AND l.kind = 'lat'"                \
	"  ORDER BY c.position, a.repeat, f.direction;"                                 \
	"CREATE VIEW v_clients AS SELECT"                                               \
	"  c.id AS \"case\", c.storage, c.transport, c.workload, c.clients, a.repeat,"  \
	"  a.attempt, a.state, k.agent, k.outcome, k.error, f.direction,"               \
	"  round(f.bytes_per_s / 1048576.0, 3) AS \"MiB/s\","                           \
	"  round(f.iops, 1) AS IOPS, round(l.mean_ns / 1e6, 4) AS mean_lat_ms,"         \
	"  round(l.p99_ns / 1e6, 4) AS p99_lat_ms,"                                     \
	"  round(k.first_io_offset_ns / 1e3, 1) AS first_io_us,"                        \
	"  round(100.0 * t.cpu_user_ns / t.cpu_wall_ns, 1) AS cpu_user_pct,"            \
	"  round(100.0 * t.cpu_sys_ns / t.cpu_wall_ns, 1) AS cpu_sys_pct"               \
	"  FROM client AS k JOIN attempt AS a ON a.id = k.attempt"                      \
	"  JOIN \"case\" AS c ON c.id = a.\"case\""                                     \
	"  LEFT JOIN tally AS t ON t.attempt = a.id AND t.client = k.id"                \
	"  LEFT JOIN figure AS f ON f.client = k.id"                                    \
	"  LEFT JOIN latency AS l ON l.figure = f.id AND l.kind = 'lat'"                \
	"  ORDER BY c.position, a.repeat, a.attempt, k.id, f.direction;"                \
	"CREATE VIEW v_reasons AS SELECT"                                               \
	"  c.id AS \"case\", c.storage, c.transport, c.workload, c.clients, a.repeat,"  \
	"  a.attempt, a.state, r.code, r.agent, r.text, r.makes"                        \
	"  FROM reason AS r JOIN attempt AS a ON a.id = r.attempt"                      \
	"  JOIN \"case\" AS c ON c.id = a.\"case\""                                     \
	"  ORDER BY c.position, a.repeat, a.attempt, r.position;"                       \
	"CREATE VIEW v_slots AS SELECT"                                                 \
	"  a.\"case\", a.repeat, a.attempt, f.direction, s.at_ms, s.ios,"               \
	"  round(s.bytes / 107374182.4, 4) AS \"GiB/s\","                               \
	"  round(s.lat_sum_ns / 1e6 / s.ios, 4) AS mean_lat_ms"                         \
	"  FROM slot AS s JOIN figure AS f ON f.id = s.figure"                          \
	"  JOIN attempt AS a ON a.id = f.attempt"                                       \
	"  ORDER BY a.\"case\", a.repeat, a.attempt, f.direction, s.at_ms;"             \
	"CREATE VIEW v_runs AS SELECT"                                                  \
	"  r.id AS run, p.name AS plan, r.generator,"                                   \
	"  strftime('%Y-%m-%dT%H:%M:%SZ', r.started_wall_ns / 1000000000,"              \
	"    'unixepoch') AS started_utc,"                                              \
	"  strftime('%Y-%m-%dT%H:%M:%SZ', r.ended_wall_ns / 1000000000,"                \
	"    'unixepoch') AS ended_utc,"                                                \
	"  (SELECT count(*) FROM attempt WHERE run = r.id) AS attempts"                 \
	"  FROM run AS r JOIN plan AS p ON p.id = r.plan ORDER BY r.id;"

const char *const schema_sql[] = {
    RUN_TABLES, CASE_TABLES, CLIENT_TABLES, FIGURE_TABLES, VIEWS, NULL};
const char *const schema_later_sql[] = {
    NOTE_TABLES, JOB_TABLES, PROOF_TABLES, COMMAND_TABLES, USAGE_TABLES, NULL};
