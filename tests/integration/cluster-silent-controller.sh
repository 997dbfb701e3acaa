#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A controller that stands still without a word, or whose wire is gone before the start.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
cluster_up 3

local_underway() {
	[ -n "$(cluster_child "$(cluster_child "$1" volleyd)" volley-io)" ]
}

# The controller stands still over the end of the run (as with Ctrl-Z), and longer than a
# silence may last: the results wait. So do those of its own agents, which cannot be
# dialled again.
controller_paused() {
	local remote own
	run_plan own-paused 2 'rw: randread, rate_iops: 100, runtime: 3s'
	"$CLUSTER_BIN/volley" run "$CLUSTER_DIR/own-paused.yaml" --local 2 \
		--db "$CLUSTER_DIR/own-paused.db" --max-skew "$RUN_SKEW" \
		>"$CLUSTER_DIR/own-paused.out" 2>"$CLUSTER_DIR/own-paused.err" &
	own=$!
	run_plan controller-paused 3 'rw: randread, rate_iops: 100, runtime: 3s'
	run_start controller-paused
	remote=$RUN_PID
	run_underway 1 2 3
	cluster_until 10 local_underway "$own" || fail "no worker of --local"
	kill -STOP "$remote" "$own"
	cluster_until 15 cluster_in 1 FINISHED || fail "agent 1: not FINISHED"
	cluster_pause 17
	kill -CONT "$remote" "$own"
	for RUN_PID in "$remote" "$own"; do
		run_end controller-paused 30
		expect_status 0
	done
	expect_state controller-paused VALID 3
	expect_state own-paused VALID 2
}

controller_paused
