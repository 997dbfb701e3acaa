#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# volley beside the real fio, on this machine, in this hour: each figure is a ratio of two
# runs next to each other, in turns, PAIRS times; a table with the median and the 95 %
# interval of each. Exit 1 when a target is missed; a part that cannot run says why.
#
#   null engine     IOPS of the I/O loop itself, with start, accepted and done stamps
#   instructions    per I/O of the same, by callgrind, start-up subtracted
#   4k random read  O_DIRECT on a file of BENCH_DIR: IOPS, and CPU per I/O
#   start           of a busy job on 30 agents, beside 30 fio servers and one fio client
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=tests/bench/stats.sh
. "$here/stats.sh"
# shellcheck source=tests/support/observe.sh
. "$here/../support/observe.sh"
BIN=${abs_top_builddir:-.}
FIO=${FIO:-fio}
PAIRS=${PAIRS:-7}
DIR=$(mktemp -d "${BENCH_DIR:-${TMPDIR:-/var/tmp}}/volley-bench.XXXXXX") || exit 1
missed=0 open=0

cleanup() {
	observe_down
	[ ${#SERVERS[@]} -eq 0 ] || kill "${SERVERS[@]}" 2>/dev/null
	rm -rf "$DIR"
}
SERVERS=()
trap cleanup EXIT
trap 'exit 130' INT TERM

row() {
	printf '%-44s %10s %21s  %-14s %s\n' "$@"
}

# verdict MET: counts a miss
verdict() {
	[ "$1" != MISSED ] || missed=$((missed + 1))
}

# at_least NAME RATIOS LIMIT, at_most NAME RATIOS LIMIT: rows judged by the median
at_least() {
	local median low high met
	read -r median low high < <(stats_interval <"$2")
	met=$(awk "BEGIN {print ($median >= $3 ? \"met\" : \"MISSED\")}")
	row "$1" "$median" "$low .. $high" "median >= $3" "$met"
	verdict "$met"
}

at_most() {
	local median low high met
	read -r median low high < <(stats_interval <"$2")
	met=$(awk "BEGIN {print ($median <= $3 ? \"met\" : \"MISSED\")}")
	row "$1" "$median" "$low .. $high" "median <= $3" "$met"
	verdict "$met"
}

# not_below RATIOS LIMIT: met when the whole interval lies above, MISSED when all of it
# lies below; open when the machine is too restless to tell
not_below() {
	local low high
	read -r _ low high < <(stats_interval <"$1")
	awk "BEGIN {print ($low >= $2 ? \"met\" : $high < $2 ? \"MISSED\" : \"open\")}"
}

skipped() {
	row "$1" - - - "skipped: $2"
}

volley_io() {
	"$BIN/volley-io" --name=bench "$@" --output-format=json
}

fio_io() {
	(cd "$DIR" && "$FIO" --name=bench --thread=1 --group_reporting=1 "$@" --output-format=json)
}

# Every I/O has its three stamps, or it is no comparison.
complete() {
	jq -e '.jobs[0].read | .total_ios > 0 and .slat_ns.N == .total_ios
		and .clat_ns.N == .total_ios and .lat_ns.N == .total_ios' "$1" >/dev/null
}

# leg PROGRAM OPTION...: one run; its IOPS and its CPU per I/O are added to PROGRAM.legs
leg() {
	local program=$1
	"$@" >"$DIR/$program.json" && complete "$DIR/$program.json" || return 1
	jq -r '.jobs[0] | "\(.read.iops) \((.usr_cpu + .sys_cpu) / .read.iops)"' \
		"$DIR/$program.json" >>"$DIR/$program.legs"
}

# pairs N NAME OPTION...: N more lines for NAME.iops and NAME.cpu, each volley / fio.
# The order is A B B A within a pair, so that a drift hits both alike.
pairs() {
	local n=$1 name=$2 i program
	shift 2
	for ((i = 0; i < n; i++)); do
		rm -f "$DIR/volley_io.legs" "$DIR/fio_io.legs"
		for program in volley_io fio_io fio_io volley_io; do
			leg $program "$@" || return 1
		done
		paste "$DIR/volley_io.legs" "$DIR/fio_io.legs" |
			awk -v iops="$DIR/$name.iops" -v cpu="$DIR/$name.cpu" '
				{vi += $1; vc += $2; fi += $3; fc += $4}
				END {print vi / fi >>iops; print vc / fc >>cpu}'
	done
}

# absolute FILE: IOPS of the last run, in thousands
absolute() {
	jq -r '.jobs[0].read.iops / 1000 | round' "$1"
}

# ---- the parts

BATCHES=(--iodepth_batch=16 --iodepth_batch_complete_min=16)

null_engine() {
	local name=$1 factor=$2 label=$3
	shift 3
	pairs "$PAIRS" "$name" --ioengine=null --rw=randread --bs=4k --size=64g --iodepth=32 \
		--norandommap=1 --time_based=1 --runtime=1 "$@" || {
		skipped "$label" "a run failed"
		missed=$((missed + 1))
		return
	}
	at_least "$label" "$DIR/$name.iops" "$factor"
	echo "    last pair: volley $(absolute "$DIR/volley_io.json") k IOPS," \
		"fio $(absolute "$DIR/fio_io.json") k"
}

# count PROGRAM IOS OPTION...: instructions of a whole run
count() {
	local program=$1 ios=$2
	shift 2
	(cd "$DIR" && valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" \
		--name=bench --thread=1 --ioengine=null --rw=randread --bs=4k --size=64g \
		--iodepth=32 --norandommap=1 --io_size=$((ios * 4096)) "$@" 2>&1) |
		sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

# instructions LABEL OPTION...: per I/O, from the difference of a long and a short run
instructions() {
	local label=$1 program few many each=()
	shift
	command -v valgrind >/dev/null || {
		skipped "$label" "no valgrind"
		return
	}
	for program in "$BIN/volley-io" "$FIO"; do
		few=$(count "$program" 20000 "$@")
		many=$(count "$program" 120000 "$@")
		if [ -z "$few" ] || [ -z "$many" ]; then
			skipped "$label" "callgrind has no figure for $program"
			return
		fi
		each+=("$(((many - few) / 100000))")
	done
	row "$label" "$(awk "BEGIN {printf \"%.2f\", ${each[0]} / ${each[1]}}")" \
		"${each[0]} : ${each[1]}" - "for information"
}

random_read() {
	local engine=$1 label="4k randread qd32 O_DIRECT $1" met=open rounds=2
	local median low high
	while [ "$met" = open ] && [ $rounds -gt 0 ]; do
		pairs "$PAIRS" "$engine" --filename="$DIR/file" --ioengine="$engine" \
			--rw=randread --bs=4k --size=512m --iodepth=32 --direct=1 \
			--norandommap=1 --time_based=1 --runtime=$READ_RUNTIME 2>"$DIR/log" || {
			skipped "$label" "$(tail -n 1 "$DIR/log")"
			return
		}
		met=$(not_below "$DIR/$engine.iops" 0.97)
		rounds=$((rounds - 1))
	done
	read -r median low high < <(stats_interval <"$DIR/$engine.iops")
	row "$label, IOPS" "$median" "$low .. $high" 'not below 0.97' "$met"
	verdict "$met"
	[ "$met" != open ] || open=$((open + 1))
	at_most "$label, CPU per I/O" "$DIR/$engine.cpu" 1.0
}
READ_RUNTIME=1

JOB_RUNTIME=5

# The null engine burns CPU and has nothing to lay out, so only the start itself is
# compared. It makes no system call for an I/O; but fio calls getrusage when a job begins,
# right before its first I/O, and 3.33 tells the start of a job nowhere else. The last of
# 30 after the first, in ms, by the kernel's trace:
fio_spread() {
	local i args=()
	mkdir -p "$DIR/fio"
	cat >"$DIR/job.fio" <<-JOB
		[bench]
		ioengine=null
		rw=randread
		bs=4k
		size=1m
		time_based=1
		runtime=$JOB_RUNTIME
	JOB
	observe_start fio sys_enter_getrusage || return 1
	for ((i = 1; i <= 30; i++)); do
		mkdir -p "$DIR/fio/$i"
		(cd "$DIR/fio/$i" && exec "$FIO" --server="127.0.0.1,$((PORT + i))") \
			>/dev/null 2>&1 &
		SERVERS+=($!)
		args+=("--client=127.0.0.1,$((PORT + i))" "$DIR/job.fio")
	done
	for ((i = 1; i <= 30; i++)); do
		until (: <>"/dev/tcp/127.0.0.1/$((PORT + i))") 2>/dev/null; do
			read -r -t 0.05 _ <> <(:) || :
		done
	done
	timeout 120 "$FIO" "${args[@]}" >"$DIR/fio.log" 2>&1
	observe_stop "$DIR/fio.trace"
	kill "${SERVERS[@]}" 2>/dev/null
	wait "${SERVERS[@]}" 2>/dev/null
	SERVERS=()
	PORT=$((PORT + 40))
	awk '!seen[$1]++ {n++; if (!first) first = $2; last = $2}
		END {if (n == 30) printf "%.3f\n", (last - first) * 1000}' "$DIR/fio.trace"
}
PORT=$((20000 + $$ % 20000))

volley_spread() {
	rm -f "$DIR"/skew.*
	mkdir -p "$DIR/data"
	cat >"$DIR/skew.yaml" <<-PLAN
		plan: skew
		storage:
		  - {name: disk, paths: {local: $DIR/data}}
		clients: 30
		repeat: 1
		max_skew: 10s
		workloads:
		  - {name: busy, ioengine: "null", rw: randread, bs: 4k, size: 1m, time_based: 1, runtime: 1s}
	PLAN
	"$BIN/volley" run "$DIR/skew.yaml" --local 30 --db "$DIR/skew.db" -o json \
		2>"$DIR/log" | jq -r '.cases[0].skew_ns / 1e6'
}

start_skew() {
	local label="start of 30: fio's spread / volley's skew" why i fio volley
	why=$(observe_available) || {
		skipped "$label" "$why"
		return
	}
	observe_available
	for i in 1 2 3 4 5; do
		volley=$(volley_spread)
		fio=$(fio_spread)
		if [ -z "$fio" ] || [ -z "$volley" ]; then
			continue
		fi
		echo "$fio" >>"$DIR/fio.ms"
		echo "$volley" >>"$DIR/volley.ms"
		awk -v a="$fio" -v b="$volley" 'BEGIN {print a / b}' >>"$DIR/start.ratio"
	done
	[ -s "$DIR/start.ratio" ] || {
		skipped "$label" "fio's servers did not all start their job"
		return
	}
	at_least "$label" "$DIR/start.ratio" 1000
	echo "    volley $(tr '\n' ' ' <"$DIR/volley.ms")ms, fio $(tr '\n' ' ' <"$DIR/fio.ms")ms"
}

# ---- all of them

command -v "$FIO" >/dev/null || {
	echo "SKIP: needs fio to compare with"
	exit 77
}
echo "volley $("$BIN/volley-io" --version | cut -d ' ' -f 2) and $("$FIO" --version)," \
	"$PAIRS pairs in turns, $(nproc) CPUs, load $(cut -d ' ' -f 1 /proc/loadavg)"
row 'volley / fio' median '95 % interval' target ''
null_engine single 2 'null qd32, one at a time, IOPS'
null_engine batch 3 'null qd32, batches of 16, IOPS' "${BATCHES[@]}"
instructions 'null qd32, instructions per I/O'
instructions 'null qd32, batches of 16, instructions' "${BATCHES[@]}"
"$FIO" --name=layout --filename="$DIR/file" --rw=write --bs=1m --size=512m --end_fsync=1 \
	>/dev/null || echo "no file to read from"
random_read io_uring
random_read libaio
rm -f "$DIR/file"
start_skew
[ "$open" -eq 0 ] || echo "open: the interval holds the limit; on this machine, at this hour, neither a miss nor a proof"
[ $missed -eq 0 ] || echo "$missed of the targets were missed"
[ $missed -eq 0 ]
