#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# An agent that stands still without a word: the controller notices by the silence
# (15 s), and waits for the lease. With its display off, fio waits for it for ever.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
cluster_up 3

# Stands still for good: PARTIAL after silence and lease, whatever the plan's deadline.
agent_stopped() {
	run_plan agent-stopped 3 'rw: randread, rate_iops: 100, runtime: 3s'
	run_start agent-stopped --lease 2s
	run_underway 1 2 3
	cluster_signal 2 STOP
	run_end agent-stopped 40
	expect_status 4
	expect_state agent-stopped PARTIAL 2
	expect_reason agent-stopped '2 of 3 clients: node-02 lost: '
	cluster_signal 2 CONT
	expect_next_run 1 2 3
}

# Stands still for a while, and its run is whole: the worker went on without it.
agent_paused() {
	run_plan agent-paused 3 'rw: randread, rate_iops: 100, runtime: 4s'
	run_start agent-paused
	run_underway 1 2 3
	cluster_signal 2 STOP
	cluster_pause 6
	cluster_signal 2 CONT
	run_end agent-paused 30
	expect_status 0
	expect_state agent-paused VALID 3
}

agent_paused
agent_stopped
