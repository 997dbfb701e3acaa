#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One plan before and after a change of the storage: a device that the kernel limits to the
# same again passes the gate, one that lost a quarter does not, and one run proves nothing.

# shellcheck source=tests/support/throttle.sh
. "${abs_top_srcdir:-.}/tests/support/throttle.sh"
BIN=$(cd "${abs_top_builddir:-.}" && pwd)
throttle_require
throttle_up 64M
cd "$THROTTLE_DIR" || throttle_fail "no folder"

# plan REPEATS
plan() {
	cat <<-END
		plan: firmware
		storage:
		  - {name: S, paths: {local: $THROTTLE_DEV}}
		clients: 1
		repeat: $1
		workloads:
		  - {name: reads, ioengine: libaio, direct: 1, rw: randread, bs: 4k, size: 64m,
		     iodepth: 4, runtime: 2s, time_based: 1, ramp_time: 1s}
	END
}
plan 3 >three.yaml
plan 1 >one.yaml

# measure NAME PLAN LIMIT: in a group of its own; all at once
measure() {
	throttle_child "$1" riops "$3"
	throttle_exec_in "$1" "$BIN/volley" run "$2.yaml" --local 1 --allow "$THROTTLE_DEV" \
		--db "$1.db" >"$1.log" 2>&1 &
}
measure before three 400
measure again three 400
measure after three 300
measure once one 300
wait

# gate STATUS NEW OPTION...
gate() {
	local want=$1 new=$2 got
	shift 2
	"$BIN/volley" gate before.db "$new.db" "$@" >out 2>&1
	got=$?
	[ "$got" -eq "$want" ] || throttle_fail "$new: exit $got: $(cat out "$new.log")"
}
# the kernel keeps the limit to about a per cent; a busy machine is given some room
gate 0 again --max-drop 10% --max-rise 15%
gate 5 after --max-drop 10% --max-rise 15%
grep -q 'regression S reads local, 1 client: throughput: .* to ' out ||
	throttle_fail "what regressed: $(cat out)"
gate 5 after --max-drop 10% --max-rise 15% -o junit
grep -q '<failure message=' out || throttle_fail "no failure: $(cat out)"
gate 0 after --max-drop 40% --max-rise 110%
gate 4 once
grep -q 'different plans' out || throttle_fail "another plan: $(cat out)"
gate 4 once --anyway
grep -q 'nothing could be evaluated' out || throttle_fail "one run: $(cat out)"
cat out
