#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Storages that must be mounted anew to change the transport: setup and teardown run on
# every agent, in their turn; one that hangs is killed with its children and its cases are
# not run; teardown comes after failures and Ctrl-C too. And a case does not start on a
# mount that is not what the plan requires.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require

# What agent 2 has where the others have a folder.
# shellcheck disable=SC2034 # of cluster.sh
CLUSTER_PRE[2]='mount --make-rprivate / && mount -t ramfs own "$CLUSTER_DATA/mnt"'
cluster_before_agents() {
	mkdir "$CLUSTER_DATA/mnt"
	export CLUSTER_DATA
}
cluster_up 2 --allow-exec
LOG=$CLUSTER_DATA/log

# stage_plan LABEL SETUP-OF-RDMA [LINE...]: commands note in $LOG what they do
stage_plan() {
	local label=$1 setup=$2
	shift 2
	{
		cat <<-PLAN
			plan: $label
			storage:
			  - name: s
			    paths:
			      tcp:
			        path: $CLUSTER_DATA
			        setup: "echo up tcp >>$LOG; echo mounted over tcp"
			        teardown: "echo down tcp >>$LOG"
			      rdma:
			        path: $CLUSTER_DATA
			        setup: "$setup"
			        teardown: "echo down rdma >>$LOG"
			        timeout: 2s
			clients: 2
			defaults: {ioengine: psync, size: 1m, time_based: 1, rate_iops: 200}
		PLAN
		printf '%s\n' "$@"
	} >"$CLUSTER_DIR/$label.yaml"
	: >"$LOG"
}

states() {
	run_get "$1" '[.cases[] | "\(.transport) \(.workload) \(.state)"] | join(", ")'
}

expect_log() {
	local got
	got=$(uniq -c "$LOG" | awk '{ printf "%s%s %s %s", sep, $1, $2, $3; sep = ", " }')
	[ "$got" = "$1" ] || fail "the commands were: $got"
}

in_turn() {
	stage_plan turn "echo up rdma >>$LOG" 'repeat: 2' 'workloads:' \
		'  - {name: w, rw: read, runtime: 1s}'
	"$CLUSTER_BIN/volley" plan check "$CLUSTER_DIR/turn.yaml" | grep -q 'not interleaved' ||
		fail "plan check does not say 'not interleaved'"
	run_whole turn 60
	expect_status 0
	expect_log '2 up tcp, 2 down tcp, 2 up rdma, 2 down rdma'
	[ "$(states turn)" = 'tcp w VALID, tcp w VALID, rdma w VALID, rdma w VALID' ] ||
		fail "turn: $(states turn)"
	[ "$(run_get turn '[.cases[].reasons[] | select(.code == "not-interleaved").makes] | length')" = 4 ] ||
		fail "turn: the results do not say 'not interleaved'"
	grep -q 'not interleaved' "$CLUSTER_DIR/turn.out" || fail "nor does the table"
	[ "$(run_get turn '[.commands[] | select(.name == "setup" and .transport == "tcp")
		| "\(.agent) \(.problem) \(.output)"] | join("")')" = \
		$'node-01 null mounted over tcp\nnode-02 null mounted over tcp' ] ||
		fail "turn: $(run_get turn .commands)"
}

# The child of the command would outlive a kill of the command alone.
hanging() {
	stage_plan hang "echo up rdma >>$LOG; sleep 1234 & echo child \$! ; wait" \
		'repeat: 1' 'workloads:' '  - {name: w, rw: read, runtime: 1s}'
	run_whole hang 60
	expect_status 4
	[ "$(states hang)" = 'tcp w VALID, rdma w INVALID' ] || fail "hang: $(states hang)"
	expect_reason hang 'nothing was started: node-01: setup: took too long and was killed: child '
	expect_log '2 up tcp, 2 down tcp, 2 up rdma, 2 down rdma'
	! pgrep -f '^sleep 1234$' >/dev/null || fail "the command's child lives"
	expect_next_run 1 2
}

# One agent's failure is all agents' end of it; the commands that worked are undone.
failing() {
	stage_plan fails "test ! -e $CLUSTER_DATA/mnt/only-2 || { echo no such device; exit 32; }" \
		'repeat: 2' 'transports: rdma' 'workloads:' '  - {name: w, rw: read, runtime: 1s}' \
		'  - {name: x, rw: read, runtime: 1s}'
	ip netns exec "$(cluster_ns 2)" nsenter -t "$(cluster_pid 2)" -m \
		touch "$CLUSTER_DATA/mnt/only-2"
	run_whole fails 60
	expect_status 4
	[ "$(run_get fails '[.cases[].reasons[].text] | unique | join("")')" = \
		'nothing was started: node-02: setup: exit status 32: no such device' ] ||
		fail "fails: $(run_get fails '[.cases[].reasons[].text]')"
	[ "$(run_get fails '.cases | length')" = 4 ] || fail "fails: $(states fails)"
	expect_log '2 down rdma'
}

interrupted() {
	stage_plan stop "echo up rdma >>$LOG" 'repeat: 3' 'workloads:' \
		'  - {name: w, rw: read, runtime: 30s}'
	run_start stop
	run_underway 1 2
	kill -INT "$RUN_PID"
	run_end stop 20
	expect_status 130
	expect_log '2 up tcp, 2 down tcp'
	expect_next_run 1 2
}

# require LABEL WHAT
require() {
	run_plan "$1" 2 'rw: read, runtime: 1s'
	sed -i "s|{local: .*}}|{local: {path: $CLUSTER_DATA/mnt, require: $2}}}|" \
		"$CLUSTER_DIR/$1.yaml"
	run_whole "$1" 30
}

required() {
	local type
	type=$(findmnt -no FSTYPE -T "$CLUSTER_DATA")
	require other '{fstype: nfs4, options: [proto=rdma]}'
	expect_status 4
	expect_state other INVALID 0
	expect_reason other "node-01: $CLUSTER_DATA/mnt must be nfs4, but it is on $type"
	! cluster_log 1 RUNNING || fail "agent 1 started"
	require one "{fstype: $type}"
	expect_status 4
	expect_reason one "node-02: $CLUSTER_DATA/mnt must be $type, but it is on ramfs ($CLUSTER_DATA/mnt)"
	require options '{options: [rw, proto=rdma]}'
	expect_status 4
	expect_reason options 'must be mounted with proto=rdma, but it has rw'
	require right '{options: [rw]}'
	expect_status 0
	expect_state right VALID 2
	[ "$(run_get right '.hosts | map(.facts | map(select(.name == "cpus")) | length) | add')" = 2 ] ||
		fail "the hosts' facts are gone"
}

# Agents that were not told that they may.
refused() {
	stage_plan refused "echo up rdma >>$LOG" 'repeat: 1' 'workloads:' \
		'  - {name: w, rw: read, runtime: 1s}'
	sed -i 's/^clients: 2/clients: 1/' "$CLUSTER_DIR/refused.yaml"
	"$CLUSTER_BIN/volley" run "$CLUSTER_DIR/refused.yaml" --local 1 \
		--db "$CLUSTER_DIR/refused.db" >/dev/null 2>&1 && fail "refused: it ran"
	expect_reason refused 'local-1: setup: commands are not allowed here (volleyd --allow-exec)'
	[ ! -s "$LOG" ] || fail "refused: $(cat "$LOG")"
}

cluster_forget
required
in_turn
hanging
failing
interrupted
refused
