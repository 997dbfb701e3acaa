#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# volley's own engines and the real fio in turns on one device whose speed the kernel
# fixes: four agents of either find that speed, volley within 1 %; fio within 2 %, because
# it counts by its own clocks and with what it drained.

# shellcheck source=tests/support/throttle.sh
. "${abs_top_srcdir:-.}/tests/support/throttle.sh"
BIN=${abs_top_builddir:-.}
MIB=1048576
throttle_require
command -v fio >/dev/null || throttle_skip "needs fio"
throttle_up 256M

# truth NAME RUNNER RATE DIRECTION FIGURE WORKLOAD...
truth() {
	local name=$1 runner=$2 rate=$3 dir=$4 figure=$5 out
	shift 5
	out=$THROTTLE_DIR/$name-$runner
	rm -f "$out.db"
	cat >"$out.yaml" <<-PLAN
		plan: $name
		runner: $runner
		storage:
		  - {name: dev, paths: {local: $THROTTLE_DEV}}
		clients: 4
		repeat: 1
		max_skew: 1s
		defaults: {direct: 1, size: 64m, time_based: 1, runtime: 5s, ramp_time: 1s}
		workloads:
		  - {name: $name, $*}
	PLAN
	throttle_run "$BIN/volley" run "$out.yaml" --local 4 --allow "$THROTTLE_DEV" \
		--db "$out.db" -o json >"$out.json" 2>"$out.log" || {
		cat "$out.log" >&2
		throttle_fail "$name, $runner: volley run ended with $?"
	}
	jq -e --arg name "$name, $runner" --arg dir "$dir" --arg figure "$figure" \
		--argjson rate "$rate" --arg runner "$runner" '
		.cases[0] as $case | $case.all_clients[$dir] as $all | $all[$figure] as $got |
		(if $runner == "fio" then 0.02 else 0.01 end) as $within |
		"\($name): \($got) of \($rate) (\(($got / $rate - 1) * 100) %), overlap \($case.overlap)",
		($case.state == "VALID" and $case.clients_reported == 4
		 and (($got / $rate - 1) | fabs) <= $within)' "$out.json" || {
		jq -c '.cases[0] | {state, reasons, all_clients}' "$out.json" >&2
		throttle_fail "$name, $runner: not what the device really did"
	}
}

# The throttle lets an I/O go as its own clock says, so a few more or less of large ones
# may end within a window: small ones show the rate.
for turn in 1 2; do
	for runner in native fio; do
		throttle_limit rbps $((16 * MIB))
		truth "read-bytes-$turn" $runner $((16 * MIB)) read bytes_per_s \
			'ioengine: libaio, rw: randread, bs: 16k, iodepth: 4'
		throttle_limit wiops 400
		truth "write-iops-$turn" $runner 400 write iops \
			'ioengine: psync, rw: randwrite, bs: 4k'
	done
done
