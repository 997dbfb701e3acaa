#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Agents that are not there when a run begins, and agents that dial the controller. fio
# ends with 0 when one of four agents refuses, and adds up two of the other three.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
cluster_up 4

# group_reporting, or not, changes nothing about what is added up.
JOB='rw: randread, rate_iops: 100, runtime: 2s, numjobs: 2, group_reporting: 1'

refused() {
	run_plan refused 4 "$JOB"
	run_whole refused 20
	expect_status 3
	expect_said refused "volley: $CLUSTER_SUBNET.4:7411: "
	expect_said refused '1 of 4 agents cannot be used; nothing was started'
	for i in 1 2 3; do
		! cluster_log "$i" ' run ' || fail "agent $i was given a run"
	done
}

allowed() {
	run_plan allowed 4 "$JOB"
	run_whole allowed 30 --allow-missing 1 -o json
	expect_status 4
	expect_state allowed PARTIAL 3
	expect_reason allowed "3 of 4 clients: $CLUSTER_SUBNET.4:7411 lost: from the start: "
	[ "$(run_get allowed '.cases[-1] | "\(.clients_expected) \(.per_client | length)"')" = \
		'4 4' ] || fail "clients"
	# What was printed is JSON from the first byte to the last, and the same result.
	[ "$(jq -r '.cases[-1].state' "$CLUSTER_DIR/allowed.out")" = PARTIAL ] || fail "JSON"
	# All three are in the sum.
	[ "$(run_get allowed '.cases[-1] | .all_clients.read.ios ==
		(.per_client | map(.read.ios) | add)')" = true ] || fail "sum"
}

# One agent under two addresses would be two clients of one file, added up.
twice() {
	run_plan twice 2 "$JOB"
	RUN_AGENTS="$CLUSTER_SUBNET.1,[::ffff:$CLUSTER_SUBNET.1]" run_whole twice 20
	expect_status 3
	expect_said twice 'both answer as node-01: one agent listed twice'
	! cluster_log 1 'run .*: READY' || fail "it was given a run"
}

# Nothing answers at all, or only the kernel of a host whose volleyd stands still: the
# time-out is the option's.
silent() {
	cluster_cut 3
	cluster_signal 2 STOP
	run_plan silent 4 "$JOB"
	run_whole silent 20 --connect-timeout 3s --allow-missing 1
	expect_status 3
	for i in 2 3 4; do
		expect_said silent "volley: $CLUSTER_SUBNET.$i:7411: "
	done
	expect_said silent '3 of 4 agents cannot be used; nothing was started'
	cluster_signal 2 CONT
	cluster_join 3
	RUN_AGENTS=$(cluster_list 1 2 3) expect_next_run 1 2 3
}

# Agents behind a firewall dial out. One of them loses its connection in the middle of
# the run and dials again; the run is whole.
dialling() {
	local i
	CLUSTER_DIAL=$CLUSTER_SUBNET.254:7500
	for i in 1 2; do
		cluster_signal "$i" TERM
		wait "${CLUSTER_PIDS[$i]}" 2>/dev/null
		cluster_agent "$i"
	done
	run_plan dialling 2 'rw: randread, rate_iops: 100, runtime: 6s'
	cluster_exec_volley run "$CLUSTER_DIR/dialling.yaml" --listen "$CLUSTER_DIAL" \
		--db "$CLUSTER_DIR/dialling.db" --max-skew "$RUN_SKEW" \
		>"$CLUSTER_DIR/dialling.out" 2>"$CLUSTER_DIR/dialling.err" &
	RUN_PID=$!
	run_underway 1 2
	cluster_break 2 dport = :7500 || echo "dialling: this kernel cannot break connections"
	run_end dialling 40
	expect_status 0
	expect_state dialling VALID 2
	[ "$(run_get dialling '.cases[-1].per_client | map(.agent) | sort | join(" ")')" = \
		'node-01 node-02' ] || fail "clients"
	[ "$(run_get dialling '.cases[-1].per_client | map(.read.ios > 500 and
		.read.ios <= 601) | all')" = true ] || fail "I/Os"
	if [ -n "$BROKEN" ]; then
		run_get dialling '.cases[-1].events[] | select(.agent == "node-02").text' |
			grep -q 'connected again' || fail "no event"
	fi
}

cluster_signal 4 TERM
wait "${CLUSTER_PIDS[4]}" 2>/dev/null
refused
twice
allowed
silent
dialling
