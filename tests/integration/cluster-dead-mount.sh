#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A mount of one client of two that was dead before the run.

# shellcheck source=tests/support/hang.sh
. "${abs_top_srcdir:-.}/tests/support/hang.sh"
hang_up

# Asking about a dead mount hangs nobody.
hosts_on_dead_mount() {
	local said
	run_plan hosts 2 'rw: randread, runtime: 1s'
	said=$(timeout 30 ip netns exec "$(cluster_ns ctl)" "$CLUSTER_BIN/volley" hosts \
		"$CLUSTER_DIR/hosts.yaml" --agents "@$CLUSTER_HOSTS" --key "$CLUSTER_DIR/poc.key" \
		--known-agents "$CLUSTER_DIR/known_agents") || fail "hosts: status $?"
	grep -q "^node-01 .*$RUN_STORAGE=.* free" <<<"$said" || fail "hosts: $said"
	grep -qF "$RUN_STORAGE=(no answer in 5 s: the mount hangs)" <<<"$said" ||
		fail "hosts: $said"
}

# A run on a mount that is dead already: its user is told before anything else happens,
# nobody starts, and the agent is free afterwards.
run_on_dead_mount() {
	cluster_forget
	run_plan dead 2 'rw: randread, rate_iops: 100, runtime: 1s'
	run_start dead
	hosts_on_dead_mount
	cluster_until 10 cluster_in 1 READY || fail "agent 1: not READY"
	expect_said dead "volley: node-02: $RUN_STORAGE: no answer in 5 s: the mount hangs"
	run_end dead 30
	expect_status 4
	expect_state dead INVALID 0
	expect_reason dead "nothing was started: node-02: $RUN_STORAGE: no answer in 20 s: the mount hangs"
	! cluster_log 1 RUNNING || fail "agent 1 started"
	RUN_STORAGE=$CLUSTER_DATA expect_next_run 1 2
}

# Ctrl-C does not wait for the mount either.
interrupted_on_dead_mount() {
	run_plan stopped 2 'rw: randread, rate_iops: 100, runtime: 1s'
	run_start stopped
	cluster_until 20 cluster_in 1 READY || fail "agent 1: not READY"
	kill -INT "$RUN_PID"
	run_end stopped 15
	expect_status 130
	RUN_STORAGE=$CLUSTER_DATA expect_next_run 1 2
}

hang_now all
run_on_dead_mount
interrupted_on_dead_mount
