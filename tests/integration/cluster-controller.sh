#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A controller that dies, is interrupted, or meets another one at work.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
cluster_up 2

attempts() {
	"$CLUSTER_BIN/volley" show "$CLUSTER_DIR/$1.db" --all -o json |
		jq -r '[.cases[] | "\(.repeat).\(.attempt) \(.state)"] | join(", ")'
}

is_stored() {
	[ "$(attempts "$1" 2>/dev/null)" = "$2" ]
}

agents_idle() {
	[ -z "$(cluster_worker 1)$(cluster_worker 2)" ]
}

# All that was finished stays, the load ends by the lease, --resume does the rest.
killed() {
	local i
	run_plan killed 2 'rw: randread, rate_iops: 100, runtime: 3s' 'repeat: 3'
	run_start killed --lease 2s
	cluster_until 20 is_stored killed '1.1 VALID' || fail "no first repeat"
	run_underway 1 2
	kill -KILL "$RUN_PID"
	run_end killed 5 2>/dev/null

	# Its agents wait for it: another one is told so, and changes nothing.
	run_plan other 2 'rw: randread, runtime: 1s'
	run_whole other 20
	expect_status 3
	expect_said other ': busy with run '
	expect_said other 'whose controller is away: it ends in '
	is_stored other '' || fail "other: $(attempts other)"

	for i in 1 2; do
		cluster_until 10 cluster_log "$i" 'ABORTED: the controller was gone for 2 s' ||
			fail "agent $i: the load goes on without its controller"
	done
	run_whole killed 60 --resume
	expect_status 0
	expect_said killed '1 repeats were VALID already and kept'
	is_stored killed '1.1 VALID, 2.1 VALID, 3.1 VALID' || fail "$(attempts killed)"
}

# Ctrl-C: what is complete is stored, what is not leaves no trace, the agents are free.
interrupted() {
	run_plan interrupted 2 'rw: randread, rate_iops: 100, runtime: 2s' 'repeat: 3'
	run_start interrupted
	cluster_until 20 is_stored interrupted '1.1 VALID' || fail "no first repeat"
	run_underway 1 2
	kill -INT "$RUN_PID"
	run_end interrupted 15
	expect_status 130
	is_stored interrupted '1.1 VALID' || fail "$(attempts interrupted)"
	cluster_until 5 agents_idle || fail "the load goes on"
	expect_next_run 1 2
}

# Ctrl-C while an agent does not answer: again means not to wait for it.
interrupted_again() {
	run_plan again 2 'rw: randread, rate_iops: 100, runtime: 30s'
	run_start again
	run_underway 1 2
	cluster_signal 2 STOP
	for _ in 1 2 3; do
		kill -INT "$RUN_PID"
		cluster_pause 0.3
	done
	run_end again 7
	expect_status 130
	cluster_signal 2 CONT
	cluster_until 20 cluster_not_in 2 RUNNING || fail "the load goes on"
	expect_next_run 1 2
}

# Two at once: the first is undisturbed, the second is told who is at work and since
# when, starts nothing, and stores nothing.
two_at_once() {
	local since
	run_plan first 2 'rw: randread, rate_iops: 100, runtime: 5s'
	run_plan second 2 'rw: randread, rate_iops: 100, runtime: 1s'
	since=$(date -u +%Y-%m-%dT%H:)
	run_start first
	local first=$RUN_PID
	run_underway 1 2
	run_whole second 20
	expect_status 3
	expect_said second ': busy with run '
	grep -qE "since ($since|$(date -u +%Y-%m-%dT%H:))[0-9]{2}:[0-9]{2}Z" \
		"$CLUSTER_DIR/second.err" || fail "second: since when?"
	is_stored second '' || fail "second: $(attempts second)"
	RUN_PID=$first
	run_end first 30
	expect_status 0
	expect_state first VALID 2
	[ "$(run_get first '.cases[-1].per_client | map(.read.ios > 400) | all')" = true ] ||
		fail "first: disturbed"
	expect_next_run 1 2
}

# Looking at the agents disturbs no run either.
looked_at() {
	run_plan looked-at 2 'rw: randread, rate_iops: 100, runtime: 3s'
	run_start looked-at
	run_underway 1 2
	cluster_volley hosts "$CLUSTER_DIR/looked-at.yaml" --agents "@$CLUSTER_HOSTS" \
		>"$CLUSTER_DIR/hosts.out" || fail "hosts"
	[ "$(grep -c '^node-0[12] ' "$CLUSTER_DIR/hosts.out")" = 2 ] || fail "hosts"
	run_end looked-at 20
	expect_status 0
	expect_state looked-at VALID 2
}

killed
interrupted
interrupted_again
two_at_once
looked_at
