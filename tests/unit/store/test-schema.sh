#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/results-schema.md tells the truth: each of its queries runs in a plain sqlite3 and
# finds something, its tables list the columns that exist, and the buckets' formula is the
# one that the file was written with.
set -eu

doc=$abs_top_srcdir/docs/results-schema.md
command -v sqlite3 >/dev/null || {
	echo "sqlite3 is not installed: the documented queries cannot be run"
	exit 77
}

dir=$(mktemp -d "${TMPDIR:-/tmp}/volley-schema-XXXXXX")
trap 'rm -rf "$dir"' EXIT
db=$dir/results.db
"$abs_top_builddir/tests/unit/store/make-example" "$db"
bad=0

fail()
{
	echo "$1"
	bad=1
}

query()
{
	sqlite3 -readonly -bail "$db" "$1"
}

# Every block of SQL
queries=0
while IFS= read -r sql; do
	queries=$((queries + 1))
	rows=$(query "$sql" | wc -l) || fail "does not run: $sql"
	[ "$rows" -gt 0 ] || fail "finds nothing: $sql"
done < <(sed -n '/^```sql$/,/^```$/{/^```/!p}' "$doc")
[ "$queries" -ge 10 ] || fail "only $queries queries were found in $doc"

# Every table and column is named in the document, tables in the first column
while IFS='|' read -r table column; do
	grep -q "^| \`$table\` |" "$doc" || fail "table $table is not documented"
	stem=${column/_before/_*}
	stem=${stem/_inside/_*}
	stem=${stem/_after/_*}
	case $column in
	fio_style_* | sum_of_clients_*) stem=${column%_iops}; stem=${stem%_bytes_per_s}_* ;;
	common_ios | common_bytes* | common_iops) stem=common_* ;;
	ios_* | bytes_*) [ "$column" = bytes_per_s ] && stem=$column || stem=${column%%_*}_before ;;
	esac
	grep -qF "\`$stem\`" "$doc" || fail "$table.$column is not documented ($stem)"
done < <(query "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
	WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'")

# The version in the file's header and in meta
[ "$(query 'PRAGMA user_version')" = 1 ] || fail "user_version is not 1"
[ "$(query "SELECT value FROM meta WHERE name = 'schema_version'")" = 1 ] ||
	fail "meta.schema_version is not 1"

# What the views say is what was put in: 2 clients x 1100 x 1 MiB in 10 s
[ "$(query "SELECT \"GiB/s\", IOPS FROM v_results WHERE repeat = 1 LIMIT 1")" = "0.2148|220.0" ] ||
	fail "v_results: $(query "SELECT \"GiB/s\", IOPS FROM v_results WHERE repeat = 1 LIMIT 1")"
[ "$(query "SELECT DISTINCT state, clients_reported FROM v_results WHERE repeat = 2")" = "PARTIAL|1" ] ||
	fail "v_results does not say that repeat 2 is of one client only"
[ -z "$(query "SELECT figure FROM latency JOIN figure ON figure.id = figure
	WHERE client IS NULL AND count <> (SELECT sum(count) FROM bucket
	WHERE bucket.figure = latency.figure AND bucket.kind = latency.kind)")" ] ||
	fail "buckets do not add up to the count of their latency"
[ -z "$(query "SELECT id FROM figure WHERE client IS NULL AND ios <>
	(SELECT sum(ios) FROM slot WHERE figure = figure.id)")" ] ||
	fail "slots do not add up to the I/Os inside the window"
# A bucket of the documented formula: i = 64 * g + r begins at (64 + r) * 2^(g - 1)
[ -z "$(query "SELECT from_ns FROM bucket WHERE from_ns >= 128 AND from_ns %
	(1 << (CAST(floor(log2(from_ns)) AS INTEGER) - 6)) <> 0")" ] ||
	fail "a bucket does not begin where the document says"

[ "$bad" -eq 0 ] && echo "$queries documented queries work"
exit "$bad"
