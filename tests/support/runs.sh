# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Runs of volley on a cluster (cluster.sh, which this sources), and what tests expect
# of them. A run has a label: its plan is $CLUSTER_DIR/LABEL.yaml, its results are in
# LABEL.db, what it said is in LABEL.out and LABEL.err.
#
#   run_plan LABEL CLIENTS OPTIONS [LINE...]   a plan with one workload; lines are
#                              further top-level keys. RUN_STORAGE: its directory
#   run_start LABEL [ARG...]   begins it in the background; RUN_PID is volley's.
#                              RUN_AGENTS: instead of all (see cluster_list)
#   run_underway I...          waits until these agents' workers do I/O
#   run_end LABEL SECONDS      waits for its end, fails when that takes longer;
#                              RUN_STATUS is its exit status
#   run_whole LABEL SECONDS [ARG...]   run_start and run_end
#   run_get LABEL FILTER       jq over `volley show -o json`
#   expect_status N            of the run that ended last
#   expect_state LABEL STATE [N]   of its latest attempt; N of M clients reported
#   expect_reason LABEL TEXT   one of its reasons holds this text
#   expect_said LABEL TEXT     stderr of that run holds this text
#   expect_next_run I...       these agents can be used again: a short run is VALID

# shellcheck source=tests/support/cluster.sh
. "${abs_top_srcdir:-.}/tests/support/cluster.sh"

RUN_SKEW=500 # ms: these tests are not about skew, and share few cores
RUN_STORAGE=
RUN_AGENTS=
RUN_PID=
RUN_STATUS=

run_plan() {
	local label=$1 clients=$2 options=$3 line lines='repeat: 1'
	shift 3
	for line in "$@"; do
		case $line in
		repeat:*) lines=${lines/repeat: 1/} ;;
		esac
		lines="$lines"$'\n'"$line"
	done
	cat >"$CLUSTER_DIR/$label.yaml" <<PLAN
plan: $label
storage: [{name: store, paths: {local: ${RUN_STORAGE:-$CLUSTER_DATA}}}]
clients: $clients
$lines
defaults: {ioengine: psync, size: 1m, bs: 4k, time_based: 1}
workloads: [{name: w, $options}]
PLAN
}

run_start() {
	local label=$1
	shift
	cluster_exec_volley run "$CLUSTER_DIR/$label.yaml" --agents "${RUN_AGENTS:-@$CLUSTER_HOSTS}" \
		--db "$CLUSTER_DIR/$label.db" --max-skew "$RUN_SKEW" "$@" \
		>"$CLUSTER_DIR/$label.out" 2>"$CLUSTER_DIR/$label.err" &
	RUN_PID=$!
}

run_ios() {
	awk '/^sysc[rw]/ { n += $2 } END { print n + 0 }' "/proc/$(cluster_worker "$1")/io" \
		2>/dev/null
}

run_did() {
	local ios
	ios=$(run_ios "$1")
	[ "${ios:-0}" -ge "$2" ]
}

run_underway() {
	local i
	for i in "$@"; do
		cluster_until 15 cluster_in "$i" RUNNING || fail "agent $i: not RUNNING"
	done
	for i in "$@"; do
		cluster_until 5 run_did "$i" $(($(run_ios "$i") + 10)) || fail "agent $i: no I/O"
	done
}

run_end() {
	cluster_until "$2" cluster_is_gone "$RUN_PID" || fail "$1: still running after $2 s"
	wait "$RUN_PID"
	RUN_STATUS=$?
}

run_whole() {
	local label=$1 limit=$2
	shift 2
	run_start "$label" "$@"
	run_end "$label" "$limit"
}

run_get() {
	"$CLUSTER_BIN/volley" show "$CLUSTER_DIR/$1.db" -o json | jq -r "$2"
}

expect_status() {
	[ "$RUN_STATUS" = "$1" ] || fail "exit status $RUN_STATUS, not $1"
}

expect_state() {
	local got want=$2
	got=$(run_get "$1" '.cases[-1] | "\(.state) \(.clients_reported)"')
	[ -z "${3:-}" ] || want="$2 $3"
	case "$got " in
	"$want "*) ;;
	*) fail "$1: $got, not $want: $(run_get "$1" '.cases[-1].reasons')" ;;
	esac
}

expect_reason() {
	run_get "$1" '.cases[-1].reasons[].text' | grep -qF -- "$2" ||
		fail "$1: no reason '$2' in: $(run_get "$1" '.cases[-1].reasons')"
}

expect_said() {
	grep -qF -- "$2" "$CLUSTER_DIR/$1.err" || fail "$1: did not say '$2'"
}

expect_next_run() {
	run_plan next $# 'rw: randread, rate_iops: 200, runtime: 1s'
	rm -f "$CLUSTER_DIR/next.db"
	RUN_AGENTS=$(cluster_list "$@") run_whole next 20
	expect_status 0
	expect_state next VALID $#
}
