#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ground truth for latency: the fault engine delays every I/O of a run. The mean latency
# is within 1 % of the delay that it logs as really given, whatever the machine did to its
# timers, and within 1 % of the nominal one from 50 ms up, where timers no longer matter.

BIN=${abs_top_builddir:-.}
DIR=$(mktemp -d "${TMPDIR:-/var/tmp}/volley-fault.XXXXXX")
trap 'rm -rf "$DIR"' EXIT

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

command -v jq >/dev/null || {
	echo "SKIP: needs jq"
	exit 77
}

# within PERCENT A B
within() {
	awk -v p="$1" -v a="$2" -v b="$3" 'BEGIN {d = a / b - 1; exit !(d <= p / 100 && d >= -p / 100)}'
}

# delayed ENGINE DEPTH DELAY IOS: sets MEAN (of lat) and GIVEN, in ns
delayed() {
	local engine=$1 depth=$2 delay=$3 ios=$4 n
	mkdir -p "$DIR/data"
	"$BIN/volley-io" --name=f --directory="$DIR/data" --ioengine="$engine" \
		--rw=randread --bs=4k --size=1m --io_size=$((ios * 4096)) --iodepth="$depth" \
		--fault_delay="$delay" --output-format=json >"$DIR/out.json" 2>"$DIR/log" ||
		fail "volley-io: $(cat "$DIR/log")"
	read -r MEAN n < <(jq -r '.jobs[0].read | "\(.lat_ns.mean) \(.lat_ns.N)"' "$DIR/out.json")
	[ "$n" -eq "$ios" ] || fail "$engine: $n latencies of $ios I/Os"
	GIVEN=$(sed -n "s/^volley-io: fault: $ios I.Os, delayed by \([0-9]*\) ns.*/\1/p" "$DIR/log")
	[ -n "$GIVEN" ] || fail "$engine: no word on what was given: $(cat "$DIR/log")"
}

# as_given ENGINE DEPTH DELAY IOS: a real file takes some time of its own on top, more on
# a busy machine, so three tries
as_given() {
	local try
	for try in 1 2 3; do
		delayed "$@"
		echo "$1, $3: lat $MEAN ns, given $GIVEN ns"
		within 1 "$MEAN" "$GIVEN" && return
		echo "try $try: more than 1 % off"
	done
	fail "$1: lat is not the delay that was given"
}

# as_nominal ENGINE DEPTH DELAY IOS NOMINAL_NS: a busy machine wakes late, so three tries
as_nominal() {
	local try
	for try in 1 2 3; do
		as_given "$1" "$2" "$3" "$4"
		within 1 "$MEAN" "$5" && return
		echo "try $try: more than 1 % off"
	done
	fail "$1: lat is not the delay of $3"
}

as_given null 8 2ms 2000
as_given libaio 4 30ms 120
as_given psync 1 30ms 40
as_nominal null 8 50ms 160 50000000
as_nominal psync 1 50ms 20 50000000
as_nominal io_uring 16 100ms 160 100000000

# The same through agents: four of them added up.
cat >"$DIR/plan.yaml" <<PLAN
plan: fault
storage:
  - {name: disk, paths: {local: $DIR/data}}
clients: 4
repeat: 1
workloads:
  - {name: delayed, ioengine: libaio, rw: randread, bs: 4k, size: 1m, iodepth: 4, fault_delay: 50ms, time_based: 1, runtime: 2s}
PLAN
for try in 1 2 3; do
	"$BIN/volley" run "$DIR/plan.yaml" --local 4 --db "$DIR/r$try.db" -o json \
		>"$DIR/run.json" 2>"$DIR/log" || fail "volley run: $(cat "$DIR/log")"
	jq -r '.cases[0].all_clients.read | "agents, try '$try': lat \(.lat_ns.mean) ns, p50 \(.lat_ns.percentile["50"]) ns, \(.ios) I/Os"' "$DIR/run.json"
	jq -e '.cases[0] | .state == "VALID" and (.all_clients.read.lat_ns | .mean >= 50e6
		and .mean <= 50.5e6 and .percentile["50"] >= 50e6
		and .percentile["50"] <= 50.5e6)' "$DIR/run.json" >/dev/null && exit 0
done
fail "agents: lat is not the delay of 50 ms: $(jq -c '.cases[0] | {state, reasons}' "$DIR/run.json")"
