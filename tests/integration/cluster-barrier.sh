#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What keeps the clients together before the start: nobody starts before the slowest is
# ready, nobody starts without GO, and a client that cannot start keeps the others from
# starting. fio starts each agent as its order reaches it, so that a client which has to
# write its file first begins seconds after the others, and adds them up all the same.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
cluster_up 3

# A layout that takes long enough to catch its worker at it.
SLOW='rw: randread, rate_iops: 200, runtime: 2s, size: 256m'

# Agents 2 and 3 have their files from now on.
lay_out_two() {
	run_plan two 2 "$SLOW"
	RUN_AGENTS=$(cluster_list 2 3) run_whole two 40
	expect_status 0
}

# Begins a run of all three and stops agent 1's worker as soon as it is there.
try_to_hold_agent_1() {
	rm -rf "${CLUSTER_DATA:?}"/volley-data/node-01
	run_plan "$1" 3 "$SLOW"
	cluster_forget
	run_start "$@"
	until HELD=$(cluster_worker 1) && [ -n "$HELD" ]; do
		kill -0 "$RUN_PID" || fail "the run ended"
	done
	kill -STOP "$HELD"
	# What it said before is heard by now.
	cluster_pause 0.5
	cluster_in 1 PREPARING
}

hold_agent_1() {
	HELD=
	until try_to_hold_agent_1 "$@"; do
		echo "agent 1 was ready before it could be held; once more"
		kill -CONT "$HELD"
		kill -INT "$RUN_PID"
		run_end "$1" 20
	done
	cluster_until 20 cluster_in 2 READY || fail "agent 2: not READY"
	cluster_until 20 cluster_in 3 READY || fail "agent 3: not READY"
}

# The client that starts last sets the pace, whatever keeps it.
slow_layout() {
	hold_agent_1 slow-layout
	cluster_pause 2
	cluster_in 2 READY || fail "agent 2 did not wait"
	kill -CONT "$HELD"
	run_end slow-layout 30
	expect_status 0
	expect_state slow-layout VALID 3
	[ "$(run_get slow-layout '.cases[-1] | .skew_ns < 100000000 and .overlap > 0.9')" = \
		true ] || fail "not together: $(run_get slow-layout '.cases[-1].skew_ns')"
}

# Agents 1 and 2 are ARMED, the worker of 3 does not confirm T; then 2 dies. No GO was
# given, so nobody may start.
killed_while_armed() {
	local worker
	hold_agent_1 killed-armed --lease 2s
	worker=$(cluster_worker 3)
	kill -STOP "$worker"
	kill -CONT "$HELD"
	cluster_until 20 cluster_in 2 ARMED || fail "agent 2: not ARMED"
	cluster_signal 2 KILL
	cluster_until 5 cluster_disconnected 2 || fail "the controller did not notice"
	kill -CONT "$worker"
	run_end killed-armed 30
	expect_status 4
	expect_state killed-armed INVALID 0
	expect_reason killed-armed 'nothing was started: node-02: '
	! cluster_log 1 RUNNING || fail "agent 1 started"
	! cluster_log 3 RUNNING || fail "agent 3 started"
	cluster_agent 2
	expect_next_run 1 2 3
}

# Everybody is ARMED, but GO does not reach agent 2 before the start instant: it must not
# start late, and not at all; the others do.
armed_for_third_time() {
	[ "$(grep -c ': ARMED' "$CLUSTER_DIR/agent-2.log")" -ge 3 ]
}

go_too_late() {
	local worker
	hold_agent_1 go-too-late
	worker=$(cluster_worker 3)
	kill -STOP "$worker"
	kill -CONT "$HELD"
	# The third T leaves 1.2 s.
	cluster_until 20 armed_for_third_time || fail "agent 2: not ARMED"
	cluster_signal 2 STOP
	kill -CONT "$worker"
	run_underway 1 3
	cluster_signal 2 CONT
	run_end go-too-late 30
	expect_status 4
	expect_state go-too-late PARTIAL 2
	expect_reason go-too-late '2 of 3 clients: node-02 not started: no GO before the start'
	! cluster_log 2 RUNNING || fail "agent 2 started"
	expect_next_run 1 2 3
}

# T is set anew a few times; then the one that never confirms it is named.
never_armed() {
	local worker
	hold_agent_1 never-armed
	worker=$(cluster_worker 3)
	kill -STOP "$worker"
	kill -CONT "$HELD"
	run_end never-armed 40
	expect_status 4
	expect_state never-armed INVALID 0
	expect_reason never-armed 'nothing was started: node-03: not armed in time'
	run_get never-armed '.cases[-1].events[].text' | grep -q 'T was set anew' ||
		fail "no event about T"
	cluster_until 5 cluster_is_gone "$worker" || fail "the stopped worker is still there"
	expect_next_run 1 2 3
}

# Every agent refuses the job. fio calls that a success with no clients in it.
job_refused() {
	RUN_STORAGE=/etc run_plan refused 3 'rw: randread, runtime: 1s'
	run_whole refused 20
	expect_status 4
	expect_state refused INVALID 0
	expect_reason refused 'nothing was started: node-0'
	expect_reason refused '/etc'
	[ "$(run_get refused '.cases[-1].all_clients')" = '{}' ] || fail "figures of nothing"
	expect_next_run 1 2 3
}

job_refused
lay_out_two
killed_while_armed
go_too_late
never_armed
slow_layout
