#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A mount that dies under one client of two. Whoever waits for it cannot even be killed:
# the run ends by its deadline all the same, with what the others measured and what the
# hanging one has outstanding, and the agent takes the next run.

# shellcheck source=tests/support/hang.sh
. "${abs_top_srcdir:-.}/tests/support/hang.sh"
hang_up

worker_hangs() {
	local worker
	run_plan hangs 2 'rw: randread, rate_iops: 100, iodepth: 1, numjobs: 2, runtime: 3s' \
		'deadline: 5s'
	run_start hangs
	run_underway 1 2
	worker=$(cluster_worker 2)
	hang_now read
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

worker_hangs
