#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ground truth: four agents share one device whose speed the kernel fixes, and the figure
# of all clients together is that speed within 1 %. Bytes/s of reads, bytes/s of writes,
# IOPS of reads; shares of the four differ as they like.

# shellcheck source=tests/support/throttle.sh
. "${abs_top_srcdir:-.}/tests/support/throttle.sh"
BIN=${abs_top_builddir:-.}
MIB=1048576
throttle_require
throttle_up 256M

# truth NAME LIMIT RATE DIRECTION FIGURE WORKLOAD...
truth() {
	local name=$1 limit=$2 rate=$3 dir=$4 figure=$5 out
	shift 5
	out=$THROTTLE_DIR/$name
	throttle_limit "$limit" "$rate"
	cat >"$out.yaml" <<-PLAN
		plan: $name
		storage:
		  - {name: dev, paths: {local: $THROTTLE_DEV}}
		clients: 4
		repeat: 1
		defaults: {direct: 1, size: 64m, time_based: 1, runtime: 5s, ramp_time: 1s}
		workloads:
		  - {name: $name, $*}
	PLAN
	throttle_run "$BIN/volley" run "$out.yaml" --local 4 --allow "$THROTTLE_DEV" \
		--db "$out.db" -o json >"$out.json" 2>"$out.log" || {
		cat "$out.log" >&2
		throttle_fail "$name: volley run ended with $?"
	}
	jq -e --arg name "$name" --arg dir "$dir" --arg figure "$figure" \
		--argjson rate "$rate" '
		.cases[0] as $case | $case.all_clients[$dir] as $all | $all[$figure] as $got |
		"\($name): \($got) of \($rate) (\(($got / $rate - 1) * 100) %), overlap \($case.overlap)",
		($case.state == "VALID" and $case.clients_reported == 4
		 and (($got / $rate - 1) | fabs) <= 0.01)' "$out.json" || {
		jq -c '.cases[0] | {state, reasons, all_clients}' "$out.json" >&2
		throttle_fail "$name: not what the device really did"
	}
	# The parts must make up the whole.
	jq -e --arg dir "$dir" '.cases[0] | .all_clients[$dir].ios ==
		([.per_client[][$dir].ios] | add)' "$out.json" >/dev/null ||
		throttle_fail "$name: the clients' I/Os are not the sum"
}

truth read-bytes rbps $((32 * MIB)) read bytes_per_s \
	'ioengine: libaio, rw: read, bs: 64k, iodepth: 4'
truth write-bytes wbps $((24 * MIB)) write bytes_per_s \
	'ioengine: io_uring, rw: randwrite, bs: 64k, iodepth: 4'
truth read-iops riops 500 read iops \
	'ioengine: psync, rw: randread, bs: 4k, numjobs: 2'
