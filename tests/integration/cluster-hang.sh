#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A mount that dies under one client of two. Whoever waits for it cannot even be killed:
# the run ends by its deadline all the same, with what the others measured and what the
# hanging one has outstanding, and the agent takes the next run.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
HANGFS=$CLUSTER_BIN/tests/support/hangfs
[ -x "$HANGFS" ] || skip "volley was configured without libfuse3, for a file system that hangs"
[ -w /dev/fuse ] || skip "no /dev/fuse here"
cluster_require

# Agent 1's mount is an ordinary folder.
# shellcheck disable=SC2016 # agent 2's shell expands it
CLUSTER_PRE[2]='"$HANGFS" "$CLUSTER_DIR/behind" "$CLUSTER_DIR/control" "$CLUSTER_DATA/mnt" \
	>"$CLUSTER_DIR/connection" 2>"$CLUSTER_DIR/hangfs.log" & '
export HANGFS

connection_is_known() {
	[ -s "$CLUSTER_DIR/connection" ]
}

# The only thing that ends a process that waits for a dead mount.
abort_connection() {
	local abort
	: >"$CLUSTER_DIR/control"
	connection_is_known || return 0
	abort=/sys/fs/fuse/connections/$(cat "$CLUSTER_DIR/connection")/abort
	[ ! -e "$abort" ] || echo 1 >"$abort"
}

hang_down() {
	abort_connection
	cluster_down
}

cluster_before_agents() {
	mkdir -p "$CLUSTER_DATA/mnt" "$CLUSTER_DIR/behind"
	: >"$CLUSTER_DIR/control"
	mountpoint -q /sys/fs/fuse/connections ||
		mount -t fusectl none /sys/fs/fuse/connections
}
cluster_up 2
trap hang_down EXIT
cluster_until 10 connection_is_known || skip "the file system cannot be mounted here"
RUN_STORAGE=$CLUSTER_DATA/mnt

worker_hangs() {
	local worker
	run_plan hangs 2 'rw: randread, rate_iops: 100, iodepth: 1, numjobs: 2, runtime: 3s' \
		'deadline: 5s'
	run_start hangs
	run_underway 1 2
	worker=$(cluster_worker 2)
	echo read >"$CLUSTER_DIR/control"
	# The deadline, 5 s from STOP to SIGKILL, 2 s more until it is given up.
	run_end hangs 30
	expect_status 4
	expect_state hangs PARTIAL 1
	expect_reason hangs '1 of 2 clients: node-02 stalled: abandoned, it hangs in the kernel'
	[ "$(run_get hangs '.cases[-1].per_client[1] | "\(.state) \(.outstanding)"')" = \
		'STALLED 2' ] || fail "outstanding: $(run_get hangs '.cases[-1].per_client[1]')"
	[ "$(run_get hangs '.cases[-1].per_client[1] | .oldest_outstanding_ns > 2e9 and
		.read.ios > 10')" = true ] || fail "what the board held: $(
		run_get hangs '.cases[-1].per_client[1]')"
	! cluster_is_gone "$worker" || fail "the mount does not hang"
	RUN_STORAGE=$CLUSTER_DATA expect_next_run 1 2
}

# Asking about a dead mount hangs nobody.
hosts_on_dead_mount() {
	local said
	echo all >"$CLUSTER_DIR/control"
	run_plan hosts 2 'rw: randread, runtime: 1s'
	said=$(timeout 30 ip netns exec "$(cluster_ns ctl)" "$CLUSTER_BIN/volley" hosts \
		"$CLUSTER_DIR/hosts.yaml" --agents "@$CLUSTER_HOSTS" --key "$CLUSTER_DIR/poc.key" \
		--known-agents "$CLUSTER_DIR/known_agents") || fail "hosts: status $?"
	grep -q "^node-01 .*$RUN_STORAGE=.* free" <<<"$said" || fail "hosts: $said"
	grep -qF "$RUN_STORAGE=(no answer in 5 s: the mount hangs)" <<<"$said" ||
		fail "hosts: $said"
}

# A run on a mount that is dead already never becomes ready, and starts nobody. The agent
# is free when the user has had enough.
run_on_dead_mount() {
	run_plan dead 2 'rw: randread, rate_iops: 100, runtime: 1s'
	run_start dead
	cluster_until 20 cluster_in 1 READY || fail "agent 1: not READY"
	kill -INT "$RUN_PID"
	run_end dead 20
	expect_status 130
	! cluster_log 2 READY || fail "agent 2 is READY on a dead mount"
	RUN_STORAGE=$CLUSTER_DATA expect_next_run 1 2
}

worker_hangs
hosts_on_dead_mount
cluster_forget
run_on_dead_mount
