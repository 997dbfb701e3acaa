#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A wire that is taken away in the middle of a run: given back, the run is whole; not
# given back, the others' result is PARTIAL and the load of the lost one ends by its lease.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
cluster_up 2

# Every result once: one attempt, each client once, the sum that of the clients, and no
# more I/Os than the rate allows.
expect_counted_once() {
	[ "$(run_get "$1" '.cases | length')" = 1 ] || fail "$1: more than one attempt"
	[ "$(run_get "$1" '.cases[-1].per_client | map(.agent) | sort | join(" ")')" = \
		'node-01 node-02' ] || fail "$1: clients"
	[ "$(run_get "$1" '.cases[-1] | .all_clients.read.ios ==
		(.per_client | map(.read.ios) | add)')" = true ] || fail "$1: sum"
	[ "$(run_get "$1" ".cases[-1].per_client | map(.read.ios <= $2 and
		.read.ios > $2 / 2) | all")" = true ] || fail "$1: I/Os of one client"
}

# TCP gets over it.
short_cut() {
	run_plan short-cut 2 'rw: randread, rate_iops: 100, runtime: 7s'
	run_start short-cut
	run_underway 1 2
	cluster_cut 2
	cluster_pause 5
	cluster_join 2
	run_end short-cut 30
	expect_status 0
	expect_state short-cut VALID 2
	expect_counted_once short-cut 701
}

# The connection is broken, the run is not: the same process takes it up again.
new_connection() {
	run_plan new-connection 2 'rw: randread, rate_iops: 100, runtime: 5s'
	run_start new-connection
	run_underway 1 2
	cluster_break 2 sport = :7411 || echo "this kernel cannot break connections (ss -K)"
	run_end new-connection 30
	expect_status 0
	expect_state new-connection VALID 2
	[ -z "$BROKEN" ] ||
		run_get new-connection '.cases[-1].events[] | select(.agent == "node-02").text' |
		grep -q 'connected again' || fail "no event"
	expect_counted_once new-connection 501
}

# Neither side hears of the end of the connection: both notice the silence (15 s), then
# both count the lease.
long_cut() {
	local worker
	run_plan long-cut 2 'rw: randread, rate_iops: 100, runtime: 30s'
	run_start long-cut --lease 2s
	run_underway 1 2
	worker=$(cluster_worker 2)
	cluster_cut 2
	cluster_until 25 cluster_log 2 'ABORTED: the controller was gone for 2 s' ||
		fail "agent 2 goes on without its controller"
	cluster_until 10 cluster_is_gone "$worker" || [ -z "$(cluster_worker 2)" ] ||
		cluster_in 2 ABORTED || fail "the load goes on"
	run_end long-cut 40
	expect_status 4
	expect_state long-cut PARTIAL 1
	expect_reason long-cut '1 of 2 clients: node-02 lost'
	cluster_join 2
	expect_next_run 1 2
}

short_cut
new_connection
long_cut
