#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The course of the rate within a run: a device whose limit the kernel changes meanwhile
# comes and goes, or gets faster, and both are named; at a constant limit nothing is.

# shellcheck source=tests/support/throttle.sh
. "${abs_top_srcdir:-.}/tests/support/throttle.sh"
BIN=$(cd "${abs_top_builddir:-.}" && pwd)
throttle_require
throttle_up 64M
cd "$THROTTLE_DIR" || throttle_fail "no folder"

# pause SECONDS: between two limits, which the run does not wait for
pause() {
	read -r -t "$1" _ <> <(:) || :
}

# measure NAME: 15 s at depth 4, in the group of this name; all at once
measure() {
	cat >"$1.yaml" <<-END
		plan: steady
		storage:
		  - {name: $1, paths: {local: $THROTTLE_DEV}}
		clients: 1
		repeat: 1
		workloads:
		  - {name: reads, ioengine: libaio, direct: 1, rw: randread, bs: 4k, size: 64m,
		     iodepth: 4, runtime: 15s, time_based: 1, ramp_time: 1s}
	END
	throttle_exec_in "$1" "$BIN/volley" run "$1.yaml" --local 1 --allow "$THROTTLE_DEV" \
		--db "$1.db" >"$1.log" 2>&1 &
}

for name in turns rise even; do
	throttle_child "$name" riops 200
	measure "$name"
done
for second in 0 2 4 6 8 10 12 14 16; do
	throttle_set "$THROTTLE_GROUP-turns" riops $((second % 4 ? 80 : 320))
	[ "$second" -ne 10 ] || throttle_set "$THROTTLE_GROUP-rise" riops 300
	pause 2
done
wait
"$BIN/volley" analyze turns.db rise.db even.db -o json >found.json ||
	throttle_fail "analyze: $(cat ./*.log)"

# found TITLE: on which storages noise has such a finding, and its first evidence
found() {
	jq -r --arg title "$1" '.findings[] | select(.rule == "noise") |
		select(.title | contains($title)) | .title + " " + .evidence[0]' found.json
}
found 'the rate'
found 'with a period' | grep -q '^turns: .*every [345] s' || throttle_fail "turns: no period of 4 s"
found 'within runs is unsteady' | grep -q '^turns: ' || throttle_fail "turns: called steady"
found 'from the beginning to the end' | grep -q '^rise: .*+[3-9]. % from' ||
	throttle_fail "rise: +50 % is not seen"
! found 'with a period' | grep -q '^rise' || throttle_fail "a period where there is none"
! found '' | grep -q '^even' || throttle_fail "the steady one is called unsteady"
