#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A table of figures from file to findings, through the commands: the published proof of
# concept is imported, analysed in every format, and fails where it is told to. The fixture
# is what its script makes of the facts, and docs/analysis.md what the rules say.
set -u

src=${abs_top_srcdir:?}/tests/analysis
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

fail()
{
	echo "FAIL: $*"
	failed=1
}

# expect STATUS COMMAND...: runs it; its output goes to out and err
expect()
{
	local want=$1 got
	shift
	"$@" >out 2>err
	got=$?
	[ "$got" -eq "$want" ] || fail "exit $got instead of $want: $*: $(cat err)"
}

says()
{
	grep -qF -- "$1" "${2:-out}" || fail "'$1' is not in ${2:-out}: $(head -20 "${2:-out}")"
}

bash "$src/make-poc.sh" | cmp - "$src/poc.csv" || fail "poc.csv is not what make-poc.sh writes"
expect 0 volley explain --markdown
cmp out "$src/../../docs/analysis.md" || fail "docs/analysis.md: run volley explain --markdown"

expect 0 volley import csv "$src/poc.csv" --db poc.db --link 400G --mtu 9000
says "58 rows"
expect 0 volley analyze poc.db
says "58 cells of poc.db: 0 critical"
says "write path only: reads of the same storage are normal"
expect 0 volley analyze poc.db -o json
says '"schema": "volley.findings"'
says '"onset_clients": 16'
says '"verdict": "suspect"'
[ "$(grep -c '"rule": "rdma-inversion"' out)" -eq 4 ] || fail "not four inversions"
[ "$(grep -c '"rule": "above-ceiling"' out)" -eq 3 ] || fail "not three above the ceiling"
expect 0 volley analyze poc.db -o md
says '## warning: D seq-read-1m: RDMA -64.0 % against TCP'
expect 0 volley analyze poc.db --fail-on critical
expect 5 volley analyze poc.db --fail-on warning

# The unit of a table of figures is the one that is known
volley show poc.db >out 2>err || fail "show: $(cat err)"
for unit in "multi-file-rand-read-128k GiB/s" "rand-read-4k IOPS" "seq-read-1m GiB/s"; do
	awk -v what="${unit% *}" '$0 == what {here = 4} here-- > 0' out | grep -q "${unit#* }" ||
		fail "show: not $unit"
done

# Importing again is the same figures: attempts are superseded, not counted twice
expect 0 volley import csv "$src/poc.csv" --db poc.db --link 400G --mtu 9000
expect 0 volley analyze poc.db -o json
[ "$(grep -c '"rule": "rdma-inversion"' out)" -eq 4 ] || fail "imported twice counts twice"

# Thresholds are recorded with the result
expect 0 volley analyze poc.db -o json --threshold anomaly=30% --threshold scale_drop=50%
says '"anomaly_pct": 30.0'
[ "$(grep -c '"rule": "rdma-inversion"' out)" -eq 2 ] || fail "anomaly=30% leaves -64 and -42"
expect 2 volley analyze poc.db --threshold nonsense=1
says "no threshold 'nonsense'" err
expect 2 volley analyze poc.db -o xml
expect 0 volley analyze poc.db --cells D/rdma -o json
expect 0 volley explain rdma-inversion
says "threshold: anomaly = 10 %"
expect 2 volley explain nothing

# Several files, each a vendor's; figures as people write them
cat >one.csv <<'END'
# typed from a report
Workload,storage,transport,clients,throughput_gib_s,iops,latency_ms,change_pct
seq,one,tcp,4,50 GiB/s,"1,336 k",40 ms,
seq,one,rdma,4,,,,0.5x
END
cat >two.csv <<'END'
storage,workload,transport,clients,throughput_mb_s,latency_us
two,seq,tcp,4,40000 MB/s,900
END
expect 0 volley import csv one.csv --db one.db
expect 0 volley import csv two.csv --db two.db
expect 0 volley analyze one.db two.db
says "one seq: RDMA -50.0 % against TCP"
says "1. one 50.00 GiB/s (tcp), 2. two 37.25 GiB/s (tcp)"

# What the table does not state is unknown, never 0; what it states is shown.
cat >mixed.csv <<'END'
storage,workload,transport,clients,repeat,throughput_gib_s,iops,latency_us
A,w,tcp,8,1,,500k,300
A,w,tcp,8,2,,520k,300
B,w,tcp,8,1,20,,
END
expect 0 volley import csv mixed.csv --db mixed.db
expect 0 volley show mixed.db
says "A        tcp        8 2  VALID      510,000   300.0 unknown unknown"
says "2.773" # % between the repeats of A
says "B        tcp        8 1  VALID  20.00 GiB/s"
expect 0 volley show mixed.db w
says "read         unknown unknown 500,000"
says "read     lat   unknown   300.0 unknown"
expect 0 volley show mixed.db -o json
jq -e '.cases[0].all_clients.read | .ios == null and .bytes == null and .iops == 500000
	and .lat_ns.mean == 300000 and .lat_ns.count == null and .lat_ns.min == null' out >/dev/null ||
	{ echo "FAIL: counts that nobody counted: $(cat out)"; exit 1; }
expect 0 volley show mixed.db -o csv
says ",read,,,500000,,"
expect 0 volley export mixed.db --fio-json w --repeat 2
jq -e '.client_stats[0] | .error == 0 and (.read | .iops == 520000 and .lat_ns.mean == 300000
	and (has("total_ios") or has("io_bytes") or has("bw") | not)) and (has("write") | not)' out \
	>/dev/null || { echo "FAIL: fio's form: $(cat out)"; exit 1; }

bad()
{
	printf '%s\n' 'storage,workload,transport,clients,iops' "$1" >bad.csv
	expect 2 volley import csv bad.csv --db bad.db
	says "$2" err
}
bad 'a,b,tcp,0,5' 'bad.csv:2:9: clients: '
bad 'a,b,tcp,4,5 parsec' "bad.csv:2:11: iops: unknown unit 'parsec'"
bad 'a,b,tcp,4,fast' "bad.csv:2:11: iops: 'fast' is not a number"
bad 'a,b,tcp,4,' 'bad.csv:2:1: a row without any figure'
bad 'a,b,tcp,4' 'bad.csv:2:1: 4 fields, but the head names 5 columns'
bad ',b,tcp,4,5' 'bad.csv:2:1: storage is empty'
bad 'a,"b,tcp,4,5' 'bad.csv:2:3: a quote is opened and never closed'
printf 'storage,workload,transport,client,iops\n' >bad.csv
expect 2 volley import csv bad.csv --db bad.db
says "bad.csv:1:28: unknown column 'client'; did you mean 'clients'?" err
[ ! -e bad.db ] || fail "a bad table leaves a results file"

[ "$failed" -eq 0 ] && echo "tables are imported and analysed"
exit "$failed"
