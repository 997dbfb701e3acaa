#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ground truth for clients that do not run together: two agents, each held to a known
# speed by the kernel; one starts 3 s late (its worker is stopped between GO and the start
# instant), the other ends 3 s early. Then the other way round. What all clients did while
# both ran is the sum of the two speeds within 1 %; fio's way of adding up is not; the
# overlap is stated, and makes the case INVALID.

# shellcheck source=tests/support/throttle.sh
. "${abs_top_srcdir:-.}/tests/support/throttle.sh"
# shellcheck source=tests/support/agents.sh
. "${abs_top_srcdir:-.}/tests/support/agents.sh"
SLOW=5872026 FAST=8388608 # bytes/s: 56 MiB take 10 s and 7 s
throttle_require
throttle_up 256M

# The word at OFFSET of the board that the worker PID shares with its agent.
board_word() {
	local pid=$1 offset=$2 args i
	{ mapfile -d "" args <"/proc/$pid/cmdline"; } 2>/dev/null || return
	for ((i = 0; i < ${#args[@]}; i++)); do
		[ "${args[i]}" != --board-fd ] ||
			od -An -td8 -j "$offset" -N 8 "/proc/$pid/fd/${args[i + 1]}" 2>/dev/null
	done
}

# Stops the worker of agent PID after its GO, until 3 s after the start instant.
GO_AT=72 START_AT=64 # offsets in struct board_head
late_start() {
	local agent=$1 worker='' end=$((SECONDS + 30)) go=0 now start
	while [ "${go:-0}" -ne 1 ]; do
		{ [ $SECONDS -lt $end ] && kill -0 "$AGENTS_RUN" 2>/dev/null; } ||
			throttle_fail "no worker got a GO: $(cat "$THROTTLE_DIR"/*.log)"
		read -r worker _ <"/proc/$agent/task/$agent/children"
		[ -z "$worker" ] || go=$(board_word "$worker" $GO_AT)
	done
	kill -STOP "$worker"
	start=$(board_word "$worker" $START_AT)
	now=$(awk '{print $1 * 1000000000}' /proc/uptime)
	read -r -t "$(awk -v a="$start" -v b="$now" 'BEGIN {print (a - b) / 1e9 + 3}')" _ \
		<> <(:) || :
	kill -CONT "$worker"
}

# overlap NAME LATE SPEED SPEED: the agent that is late, and how fast the two are
overlap() {
	local name=$1 late=$2 out=$THROTTLE_DIR/$1
	agents_up rbps "$3" "$4"
	agents_run "$name" "$out" 'ioengine: libaio, rw: read, bs: 16k, iodepth: 4,' \
		'direct: 1, size: 56m, ramp_time: 3500ms, runtime: 30s'
	late_start "${AGENTS[$late]}"
	agents_wait 4 "$out"
	agents_down
	jq -e --arg name "$name" --argjson rate $((SLOW + FAST)) '
		.cases[0] as $case | $case.all_clients.read as $all
		| ($all.bytes_per_s / $rate - 1) as $off
		| ($all.fio_style_bytes_per_s / $rate - 1) as $fio
		| "\($name): \($all.bytes_per_s) of \($rate) (\($off * 100) %), fio-style \($fio * 100) %, overlap \($case.overlap), window \($case.window_ns / 1e9) s",
		([$case.reasons[].code] | (index("overlap") and index("fio-style-differs"))),
		($case.state == "INVALID" and ($off | fabs) <= 0.01 and ($fio | fabs) > 0.1
		 and $case.overlap > 0.3 and $case.overlap < 0.45
		 and $case.skew_ns > 2.9e9 and $case.skew_ns < 3.5e9)' "$out.json" || {
		jq -c '.cases[0] | {state, reasons, skew_ns, overlap, all_clients}' "$out.json" >&2
		throttle_fail "$name: not what the device really did"
	}
}

overlap second-late 1 $FAST $SLOW
overlap first-late 0 $SLOW $FAST
