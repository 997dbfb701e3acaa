#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A controller that stands still without a word, or whose wire is gone before the start.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
cluster_up 3

# The controller stands still over the end of the run (as with Ctrl-Z): the results wait.
controller_paused() {
	run_plan controller-paused 3 'rw: randread, rate_iops: 100, runtime: 3s'
	run_start controller-paused
	run_underway 1 2 3
	kill -STOP "$RUN_PID"
	cluster_until 15 cluster_in 1 FINISHED || fail "agent 1: not FINISHED"
	cluster_pause 18
	kill -CONT "$RUN_PID"
	run_end controller-paused 30
	expect_status 0
	expect_state controller-paused VALID 3
}

controller_paused
