#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# runner=fio with the real fio: its figures arrive as it printed them, added up; skew is
# stated with its bound; whatever goes wrong on a client is that client's error, with
# fio's own words; nothing is left behind.

# shellcheck source=tests/support/observe.sh
. "${abs_top_srcdir:-.}/tests/support/observe.sh"
BIN=${abs_top_builddir:-.}
FIO=$(command -v fio)
DIR=$(mktemp -d "${TMPDIR:-/var/tmp}/volley-runner.XXXXXX")
RUN=

# Whatever runs in our folder was started here.
ours() {
	local cwd
	for cwd in /proc/[0-9]*/cwd; do
		case $(readlink "$cwd" 2>/dev/null) in
		"$TMPDIR"/volley-fio.*)
			cwd=${cwd#/proc/}
			echo "${cwd%/cwd}"
			;;
		esac
	done
}

cleanup() {
	local pid
	[ -z "$RUN" ] || kill -KILL "$RUN" 2>/dev/null
	for pid in $(ours); do
		kill -KILL "$pid" 2>/dev/null
	done
	observe_down
	rm -rf "$DIR"
}
trap cleanup EXIT

skip() {
	echo "SKIP: $*"
	exit 77
}

fail() {
	echo "FAIL: $*" >&2
	[ ! -s "$DIR/log" ] || cat "$DIR/log" >&2
	[ ! -s "$DIR/out.json" ] || jq -c '.cases[] | {state, reasons, error}' "$DIR/out.json" >&2
	exit 1
}

[ -n "$FIO" ] || skip "needs fio"
command -v jq >/dev/null || skip "needs jq"
mkdir "$DIR/data" "$DIR/tmp" "$DIR/keep" "$DIR/bin"
export TMPDIR=$DIR/tmp

# A fio that keeps what the real one prints.
cat >"$DIR/bin/fio" <<WRAPPER
#!/bin/sh
trap '' USR1
"$FIO" "\$@" >"$DIR/keep/\$\$.out"
status=\$?
cat "$DIR/keep/\$\$.out"
exit \$status
WRAPPER
chmod +x "$DIR/bin/fio"

# plan CLIENTS TOP-LINE WORKLOAD...
plan() {
	local clients=$1 top=$2 line
	shift 2
	{
		echo "plan: runner"
		echo "storage: [{name: disk, paths: {local: $DIR/data}}]"
		echo "clients: $clients"
		echo "repeat: 1"
		echo "$top"
		echo "workloads:"
		for line; do
			echo "  - {$line}"
		done
		echo "max_skew: 1s" # how busy this machine is, is not the matter
	} >"$DIR/plan.yaml"
}

# volley STATUS CLIENTS: runs the plan
volley() {
	local want=$1 status=0
	rm -f "$DIR/r.db"
	"$BIN/volley" run "$DIR/plan.yaml" --local "$2" --db "$DIR/r.db" -o json \
		>"$DIR/out.json" 2>"$DIR/log" || status=$?
	[ $status -eq "$want" ] || fail "volley run ended with $status instead of $want"
}

# holds WHAT FILTER: jq on the result
holds() {
	jq -e "$2" "$DIR/out.json" >/dev/null || fail "$1"
}

nothing_left() {
	[ -z "$(ours)" ] || fail "$1: processes are left: $(ours)"
	[ -z "$(ls "$TMPDIR")" ] || fail "$1: files are left: $(ls "$TMPDIR")"
}

pause() {
	read -r -t "$1" _ <> <(:) || :
}

until_within() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		pause 0.05
	done
}

# What the kept documents of all clients say, as one, in fio's own terms.
kept() {
	cat "$DIR"/keep/*.out | sed -n '/^{/,/^}/p' | jq -s --arg d "$1" '
		[.[].jobs[][$d]] as $j | {
			ios: ($j | map(.total_ios) | add), bytes: ($j | map(.io_bytes) | add),
			runtime: ($j | map(.runtime) | max),
			n: ($j | map(.lat_ns.N) | add),
			mean: (($j | map(.lat_ns.mean * .lat_ns.N) | add) / ($j | map(.lat_ns.N) | add)),
			min: ($j | map(.lat_ns.min) | min), max: ($j | map(.lat_ns.max) | max),
			bins: ($j | map(.clat_ns.bins | to_entries[]) | group_by(.key)
				| map({at: .[0].key | tonumber, n: map(.value) | add}) | sort_by(.at))}'
}

# as_kept DIR: the figures of all clients are the sum of what their fio printed.
as_kept() {
	kept "$1" >"$DIR/kept.json"
	jq -e --slurpfile k "$DIR/kept.json" --arg d "$1" '
		def rank($p): .bins as $b | ([$b[].n] | add * $p / 100 | ceil) as $r
			| reduce $b[] as $x ({sum: 0, at: null};
				if .at == null and .sum + $x.n >= $r then .at = $x.at else . end
				| .sum += $x.n) | .at;
		def near($a; $b): ($a - $b) | fabs <= 1e-6 * ($b | fabs) + 1;
		$k[0] as $k | .cases[0].all_clients[$d] as $v
		| $v.ios == $k.ios and $v.ios == $k.n and $v.bytes == $k.bytes
		and near($v.iops; 1000 * $k.ios / $k.runtime)
		and near($v.bytes_per_s; 1000 * $k.bytes / $k.runtime)
		and near($v.lat_ns.mean; $k.mean)
		and $v.lat_ns.min == $k.min and $v.lat_ns.max == $k.max
		and near($v.clat_ns.percentile["50"]; $k | rank(50))
		and near($v.clat_ns.percentile["90"]; $k | rank(90))
		and near($v.clat_ns.percentile["99"]; $k | rank(99))' "$DIR/out.json" >/dev/null ||
		fail "$1 is not what fio printed: $(jq -c --arg d "$1" '.cases[0].all_clients[$d]
			| {ios, bytes, iops, lat_ns, clat_ns}' "$DIR/out.json") $(jq -c 'del(.bins)' "$DIR/kept.json")"
}

version=$("$FIO" --version)

# ---- the figures are fio's own

with_keep() {
	rm -f "$DIR"/keep/*
	PATH=$DIR/bin:$PATH volley 0 4
	holds "VALID, with fio named" '.cases[0] | .state == "VALID" and .clients_reported == 4
		and .params.runner == "fio"
		and ([.reasons[].text | select(startswith("runner='"$version"' did the I/O of 4 of 4 clients"))] | length == 1)'
	holds "skew and its bound are stated" '.cases[0] | .skew_ns != null and .skew_bound_ns > 0'
	echo "$1: skew $(jq '.cases[0] | "\(.skew_ns / 1e6) ms, give or take \(.skew_bound_ns / 1e6) ms"' "$DIR/out.json")"
	nothing_left "$1"
}

plan 4 "runner: fio" 'name: n, ioengine: "null", rw: randread, bs: 4k, size: 64m, iodepth: 4, numjobs: 2, rate_iops: 1000, time_based: 1, runtime: 2s'
with_keep null
as_kept read
plan 4 "runner: fio" 'name: a, ioengine: libaio, direct: auto, rw: randrw, bs: "4k,8k", size: 4m, iodepth: 4, rate_iops: 250, time_based: 1, runtime: 2s'
with_keep libaio
as_kept read
as_kept write
for name in ctx minf; do
	printed=$(cat "$DIR"/keep/*.out | sed -n '/^{/,/^}/p' | jq -s "[.[].jobs[].$name] | add")
	"$BIN/volley" export "$DIR/r.db" --fio-json a |
		jq -e ".client_stats[-1].$name == $printed and $printed > 0" >/dev/null ||
		fail "$name of all clients is not $printed, as fio printed"
done
holds "slat, clat and lat of every I/O" '.cases[0].all_clients.read
	| .slat_ns.count == .ios and .clat_ns.count == .ios and .lat_ns.count == .ios'
# shellcheck disable=SC2016 # jq's
holds "when they were done is known" '.cases[0].all_clients.read.common_iops as $c
	| .cases[0].all_clients.read.iops as $i | ($c / $i - 1 | fabs) < 0.1'

# fio times writing and reading back apart, and so does what is made of it.
plan 4 "runner: fio" 'name: v, ioengine: psync, rw: write, bs: 64k, size: 16m, rate: ",20m", verify: sha256'
with_keep verify
kept write >"$DIR/kept.json"
holds "each client's rate is over its time of writing" '.cases[0].per_client
	| all((.write.bytes_per_s / 20971520 - 1 | fabs) < 0.05)'
holds "over the time in which both wrote, so is that of all" '.cases[0].all_clients.write
	| .window_ns <= 900e6 and (.bytes_per_s / 83886080 - 1 | fabs) < 0.1'
jq -e --slurpfile k "$DIR/kept.json" '.cases[0].all_clients.write
	| (.fio_style_bytes_per_s / (1000 * $k[0].bytes / $k[0].runtime) - 1 | fabs) < 0.001' \
	"$DIR/out.json" >/dev/null || fail "fio's own sum: $(cat "$DIR/kept.json")"

# ---- older and newer versions: what they call themselves, and how their JSON differs

# wears VERSION FILTER: a fio of that version, whose documents have gone through jq
wears() {
	cat >"$DIR/bin/fio" <<-WRAPPER
	#!/bin/sh
	[ "\$1" != --version ] || { echo $1; exit; }
	trap '' USR1
	"$FIO" "\$@" >"$DIR/keep/\$\$.raw"
	status=\$?
	echo 'fio: text before the JSON'
	sed -n '/^{/,/^}/p' "$DIR/keep/\$\$.raw" | jq '.["fio version"] = "$1" | $2'
	exit \$status
	WRAPPER
	chmod +x "$DIR/bin/fio"
}

# named VERSION: all figures but those that this version does not print
named() {
	rm -f "$DIR"/keep/*
	PATH=$DIR/bin:$PATH volley 0 2
	holds "$1 is named" '.cases[0] | .state == "VALID" and .clients_reported == 2
		and ([.reasons[].text | select(startswith("runner='"$1"' did the I/O of 2 of 2"))] | length == 1)'
	holds "the rate is there with $1" '.cases[0].all_clients.read
		| .iops > 900 and .iops < 1050 and .lat_ns.mean > 0 and .clat_ns.count == .ios
		and .clat_ns.percentile["50"] != null'
	nothing_left "$1"
}

plan 2 "runner: fio" 'name: v, ioengine: "null", rw: randread, bs: 4k, size: 64m, iodepth: 4, rate_iops: 500, time_based: 1, runtime: 1s'
# no N, no sync, no bins but those of clat
# shellcheck disable=SC2016 # jq's
wears fio-3.1 'del(.jobs[].sync, .jobs[].job_runtime) | .jobs[] |= (
	del(.read.slat_ns.N, .read.clat_ns.N, .read.lat_ns.N, .write.slat_ns.N, .write.clat_ns.N,
	.write.lat_ns.N) | del(.read.slat_ns.bins, .read.slat_ns.percentile, .read.lat_ns.bins,
	.read.lat_ns.percentile))'
named fio-3.1
holds "fio 3.1 does not know percentiles of lat" \
	'.cases[0].all_clients.read.lat_ns | .count > 0 and .percentile["50"] == null'
# keys that are new, in places that are new
wears fio-3.42-17-gabcdef '.news = {"a": [1]} | .jobs[] |= (.read.news = 1 | .job_start = 1 | .read.lat_ns.news = {})'
named fio-3.42-17-gabcdef
wears fio-2.21 .
PATH=$DIR/bin:$PATH volley 4 2
holds "fio 2 is too old, and that is said" \
	'.cases[0].error | contains("fio 2.21 cannot be used: volley knows fio 3.1 and later 3.x")'

# A job that ends with its last byte, several files, a ramp in the other.
plan 2 "" 'name: s, runner: fio, ioengine: psync, rw: read, bs: 64k, size: 16m, nrfiles: 2, rate: 16m' \
	'name: r, runner: fio, ioengine: "null", rw: write, bs: 4k, size: 1g, rate_iops: 1000, time_based: 1, runtime: 1s, ramp_time: 1s'
volley 0 2
holds "a whole pass" '.cases[0] | .state == "VALID" and .window_kind == "common" and .overlap > 0.8'
holds "the ramp does not count" '.cases[1] | .state == "VALID" and .window_from_ns == 1000000000
	and (.all_clients.write | .ios > 1960 and .ios < 2040)'
nothing_left "two workloads"

# ---- the first I/Os are where they are said to be, as far as the kernel can be asked

# The first read of each fio's thread from the start instant on, in seconds.
observed() {
	local start
	start=$(sqlite3 "$DIR/r.db" 'SELECT printf("%.9f", min(start_ns) / 1e9) FROM tally
		WHERE client IS NOT NULL')
	awk -v start="$start" '$4 == "enter" && $2 >= start && !seen[$1]++ {print $2}' \
		"$DIR/trace" | sort -n
}

if command -v sqlite3 >/dev/null && why=$(observe_available); then
	observe_available
	plan 4 "runner: fio" 'name: o, ioengine: psync, rw: randread, bs: 4k, size: 1m, rate_iops: 200, time_based: 1, runtime: 1s'
	observe_start fio sys_enter_pread64 || fail "no trace"
	volley 0 4
	observe_stop "$DIR/trace"
	bound=$(jq -r '.cases[0].reasons[].text | capture("known to \\+-(?<n>[0-9.]+) (?<u>us|ms)") // empty
		| (.n | tonumber) / (if .u == "us" then 1000 else 1 end)' "$DIR/out.json")
	sqlite3 "$DIR/r.db" 'SELECT printf("%.9f", (start_ns + first_io_ns) / 1e9) FROM tally
		WHERE client IS NOT NULL ORDER BY 1' | paste -d ' ' - <(observed) |
		awk -v bound="$bound" '
			NF != 2 {exit 1}
			{d = ($2 - $1) * 1000; d = d < 0 ? -d : d; if (d > most) most = d}
			END {printf "first I/Os: %.3f ms from what was said, +-%s ms\n", most, bound
				exit !(NR == 4 && most <= bound + 0.01)}' ||
		fail "first I/Os are not where they are said to be"
else
	echo "no outside observer: ${why:-no sqlite3}"
fi

# ---- native and fio in turns

NATIVE=0
REAL=0
for turn in 1 2 3; do
	for runner in native fio; do
		plan 2 "runner: $runner" 'name: n, ioengine: "null", rw: randread, bs: 4k, size: 64m, iodepth: 4, rate_iops: 2000, time_based: 1, runtime: 1s'
		volley 0 2
		iops=$(jq '.cases[0].all_clients.read.iops' "$DIR/out.json")
		echo "turn $turn, $runner: $iops IOPS of 4000"
		case $runner in
		native) NATIVE=$(jq -n "$NATIVE + $iops") ;;
		fio) REAL=$(jq -n "$REAL + $iops") ;;
		esac
	done
done
jq -ne "($NATIVE / $REAL - 1 | fabs) < 0.02" >/dev/null || fail "native and fio do not agree"
plan 1 "" 'name: n, runner: [native, fio], ioengine: "null", rw: read, size: 1m'
"$BIN/volley" plan check "$DIR/plan.yaml" >"$DIR/check" 2>"$DIR/log" || fail "plan check"
[ "$(grep -cE '^[0-9a-f]{16} ' "$DIR/check")" -eq 2 ] || fail "different runners are no cases of their own"

# ---- what cannot be said

plan 1 "runner: fio" 'name: w, ioengine: "null", rw: read, size: 1m, fault_delay: 1ms'
"$BIN/volley" plan check "$DIR/plan.yaml" >/dev/null 2>"$DIR/log"
[ $? -eq 2 ] || fail "plan check took fault_delay with fio"
grep -q "plan.yaml:7:.*fault_delay: not with runner=fio: faults are injected" "$DIR/log" || fail "no clear word"

# ---- no fio, a fio of another age, a fio that refuses

plan 2 "runner: fio" 'name: w, ioengine: "null", rw: read, size: 1m, time_based: 1, runtime: 1s'
mkdir "$DIR/nowhere"
NO_FIO_STATUS=0
env PATH="$DIR/nowhere" "$BIN/volley" run "$DIR/plan.yaml" --local 2 --db "$DIR/none.db" -o json \
	>"$DIR/out.json" 2>"$DIR/log" || NO_FIO_STATUS=$?
[ $NO_FIO_STATUS -eq 4 ] || fail "without fio it ended with $NO_FIO_STATUS"
holds "a missing fio is said, and where" '.cases[0] | .state == "INVALID"
	and ([.reasons[].text | select(test("local-[12].*fio is not installed here: it is in no folder of PATH"))] | length > 0)'
nothing_left "no fio"

mkdir "$DIR/old"
printf '#!/bin/sh\necho fio-2.16\n' >"$DIR/old/fio"
chmod +x "$DIR/old/fio"
PATH=$DIR/old:$PATH volley 4 2
holds "an old fio is refused" '.cases[0] | .state == "INVALID"
	and ([.reasons[].text | select(test("fio 2.16 cannot be used"))] | length > 0)'
nothing_left "old fio"

# Huge pages that are not there; where they are, the test has no such job.
if ! grep -q '^HugePages_Total: *[1-9]' /proc/meminfo; then
	plan 2 "runner: fio" 'name: w, ioengine: "null", rw: read, bs: 1m, size: 4m, mem: mmaphuge, time_based: 1, runtime: 1s'
	volley 4 2
	holds "what fio said when it refused" '.cases[0] | .state == "INVALID"
		and ([.reasons[].text | select(test("local-[12].*fio-.* ended with status .*(mmap|memory|hugepage|err=)"; "i"))] | length > 0)'
	nothing_left "refused"
fi

# ---- fio dies while it runs

plan 4 "runner: fio" 'name: w, ioengine: "null", rw: randread, size: 1m, rate_iops: 100, time_based: 1, runtime: 6s'
# begin: the run in the background; RUNNING: its fios are there and at work
begin() {
	rm -f "$DIR/r.db"
	"$BIN/volley" run "$DIR/plan.yaml" --local 4 --db "$DIR/r.db" -o json \
		>"$DIR/out.json" 2>"$DIR/log" &
	RUN=$!
	until_within 20 at_work || fail "fio does not run"
}

# fio alone: its gates are gone.
at_work() {
	[ "$(fios | wc -w)" -eq 4 ] && [ "$(ours | wc -w)" -eq 4 ]
}

fios() {
	local pid
	for pid in $(ours); do
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" != fio ] || echo "$pid"
	done
}

# ended STATUS: the run in the background
ended() {
	local status=0
	wait "$RUN" || status=$?
	RUN=
	[ $status -eq "$1" ] || fail "volley run ended with $status instead of $1"
}

begin
kill -KILL "$(fios | head -n 1)"
ended 4
holds "one died, three count" '.cases[0] | .state == "PARTIAL" and .clients_reported == 3
	and ([.reasons[] | select(.code == "client-failed" and (.text | test("3 of 4 clients: local-[1-4] failed: fio-[0-9.]+ was killed by signal 9 .Killed.")))] | length == 1)'
nothing_left "kill -9"

# ---- aborted

gone() {
	[ -z "$(ours)" ]
}

begin
kill -INT "$RUN"
ended 130
until_within 10 gone || fail "fio is still there: $(ours)"
nothing_left "abort"

# One that does not even hear SIGTERM is killed.
begin
kill -STOP "$(fios | head -n 1)"
kill -INT "$RUN"
ended 130
until_within 10 gone || fail "fio is still there: $(ours)"
nothing_left "abort of a stopped fio"

# ---- a worker that is killed takes its fio along; the next one clears up

begin
worker=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$(fios | head -n 1)/status")
kill -KILL "$worker"
ended 4
holds "a worker died" '.cases[0].state == "PARTIAL" and .cases[0].clients_reported == 3'
until_within 10 gone || fail "fio outlived its worker"
plan 1 "runner: fio" 'name: w, ioengine: "null", rw: read, size: 1m, time_based: 1, runtime: 1s'
volley 0 1
nothing_left "the next run"
echo "ok"
