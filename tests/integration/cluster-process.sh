#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Processes that die or stand still in the middle of a run: worker, agent. The others
# finish, the result is PARTIAL and says who is missing, and the agent can be used again.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
cluster_up 3

JOB='rw: randread, rate_iops: 200'

worker_killed() {
	run_plan worker-killed 3 "$JOB, runtime: 3s"
	run_start worker-killed
	run_underway 1 2 3
	kill -KILL "$(cluster_worker 2)"
	run_end worker-killed 20
	expect_status 4
	expect_state worker-killed PARTIAL 2
	expect_reason worker-killed '2 of 3 clients: node-02 failed: the worker was killed by signal 9'
	[ "$(run_get worker-killed '[.cases[-1].per_client[].state] | join(" ")')" = \
		"OK FAILED OK" ] || fail "states of clients"
	# --resume runs what is not VALID, and keeps what was there.
	run_whole worker-killed 20 --resume
	expect_status 0
	expect_state worker-killed VALID 3
	[ "$("$CLUSTER_BIN/volley" show "$CLUSTER_DIR/worker-killed.db" --all -o json |
		jq -r '[.cases[] | "\(.repeat).\(.attempt) \(.state)"] | join(", ")')" = \
		'1.1 PARTIAL, 1.2 VALID' ] || fail "attempts"
}

worker_stopped() {
	local worker
	run_plan worker-stopped 3 "$JOB, runtime: 2s" 'deadline: 4s'
	run_start worker-stopped
	run_underway 1 2 3
	worker=$(cluster_worker 2)
	kill -STOP "$worker"
	# The deadline, then 5 s from STOP to SIGKILL, which ends a stopped process.
	run_end worker-stopped 25
	expect_status 4
	expect_state worker-stopped PARTIAL 2
	expect_reason worker-stopped '2 of 3 clients: node-02 stalled: the worker did not answer and was killed'
	cluster_until 5 cluster_is_gone "$worker" || fail "the stopped worker is still there"
	expect_next_run 1 2 3
}

# A worker that stands still for a while makes a size-bound run end late on its client:
# the two hardly ran together, so their sum is nobody's rate.
straggler() {
	local worker
	run_plan straggler 3 "$JOB, time_based: 0, io_size: 1600k, iodepth: 1"
	run_start straggler
	run_underway 1 2 3
	worker=$(cluster_worker 2)
	kill -STOP "$worker"
	cluster_pause 5
	kill -CONT "$worker"
	run_end straggler 20
	expect_status 4
	expect_state straggler INVALID 3
	expect_reason straggler 'all clients ran together for only '
	# The one that ended long before the last is in the result all the same.
	[ "$(run_get straggler '.cases[-1].per_client | map("\(.state) \(.read.ios)") |
		join(", ")')" = 'OK 400, OK 400, OK 400' ] || fail "clients"
}

agent_killed() {
	local worker
	run_plan agent-killed 3 "$JOB, runtime: 4s"
	run_start agent-killed --lease 2s
	run_underway 1 2 3
	worker=$(cluster_worker 2)
	cluster_signal 2 KILL
	# Nobody would stop its load: it must end by itself, at once.
	cluster_until 3 cluster_is_gone "$worker" || fail "the worker goes on without its agent"
	run_end agent-killed 20
	expect_status 4
	expect_state agent-killed PARTIAL 2
	expect_reason agent-killed '2 of 3 clients: node-02 lost'
	cluster_agent 2
	expect_next_run 1 2 3
}

# As "systemctl restart volleyd" does. It comes back before the lease is over, but what it did is gone with its process.
agent_restarted() {
	run_plan agent-restarted 3 "$JOB, runtime: 4s"
	run_start agent-restarted
	run_underway 1 2 3
	cluster_signal 2 TERM
	wait "${CLUSTER_PIDS[2]}" 2>/dev/null
	cluster_agent 2
	run_end agent-restarted 30
	expect_status 4
	expect_state agent-restarted PARTIAL 2
	expect_reason agent-restarted '2 of 3 clients: node-02 failed: agent restarted'
	expect_next_run 1 2 3
}

worker_killed
worker_stopped
straggler
agent_killed
agent_restarted
