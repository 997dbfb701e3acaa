#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A sweep over the queue depth of a device that the kernel throttles: one I/O at a time is
# enough already, and the analysis says so, and that more depth only buys latency.

# shellcheck source=tests/support/throttle.sh
. "${abs_top_srcdir:-.}/tests/support/throttle.sh"
BIN=${abs_top_builddir:-.}
throttle_require
throttle_up 64M
throttle_limit riops 200

cat >"$THROTTLE_DIR/sweep.yaml" <<END
plan: sweep
storage:
  - {name: S, paths: {local: $THROTTLE_DEV}}
clients: 1
repeat: 1
workloads:
  - {name: sweep, ioengine: libaio, direct: 1, rw: randread, bs: 4k, size: 64m,
     iodepth: [1, 2, 4, 8], ramp_time: 1s, runtime: 3s, time_based: 1}
END
throttle_run "$BIN/volley" run "$THROTTLE_DIR/sweep.yaml" --local 1 --allow "$THROTTLE_DEV" \
	--db "$THROTTLE_DIR/sweep.db" >"$THROTTLE_DIR/log" 2>&1 || {
	cat "$THROTTLE_DIR/log" >&2
	throttle_fail "volley run"
}
"$BIN/volley" analyze "$THROTTLE_DIR/sweep.db" -o json |
	jq -r '.findings[] | select(.rule == "sweep-peak") | .evidence[]' >"$THROTTLE_DIR/found"
cat "$THROTTLE_DIR/found"
grep -q 'saturates at qd1 x 1' "$THROTTLE_DIR/found" || throttle_fail "not saturated at qd1"
! grep -q 'still grows' "$THROTTLE_DIR/found" || throttle_fail "still grows"
