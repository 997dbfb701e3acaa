#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The fabric between agents that have addresses and network cards of their own: bytes cross
# the wire, and the counters prove it; a target that dies ends its clients with the reason,
# and the storages are measured all the same; afterwards no agent serves anything.

# shellcheck source=tests/support/cluster.sh
. "${abs_top_srcdir:-.}/tests/support/cluster.sh"
cluster_require
cluster_up 2

# plan RUNTIME
plan() {
	cat <<-PLAN
		plan: fabric
		storage:
		  - {name: scratch, paths: {tcp: $CLUSTER_DATA}}
		fabric: {patterns: pairwise, rw: read, bs: 64k, iodepth: 4, numjobs: 2, runtime: $1}
		clients: 1
		repeat: 1
		max_skew: 5s
		defaults: {ioengine: psync, size: 1m, time_based: 1, runtime: 500ms}
		workloads:
		  - {name: seq-read, rw: read, bs: 64k}
	PLAN
}

# case_of FILE STORAGE FILTER
case_of() {
	jq -r --arg storage "$2" ".cases[] | select(.storage == \$storage) | $3" "$1"
}

# serving I: the process that agent I runs for the fabric
serving() {
	local pid
	for pid in $(pgrep -P "$(cluster_pid "$1")"); do
		! tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -q ' serve ' || echo "$pid"
	done
}

cd "$CLUSTER_DIR" || exit 99
plan 1s >plan.yaml
cluster_volley run plan.yaml --agents "$(cluster_list 1 2)" --db one.db -o json >one.json 2>one.err ||
	fail "the run ended with $?"
[ "$(case_of one.json fabric '"\(.workload) \(.transport) \(.clients) \(.state)"')" = \
	"pairwise-read tcp 1 VALID" ] || fail "the fabric: $(case_of one.json fabric .)"
[ "$(case_of one.json fabric '"\(.transport_proof) \(.per_client[0].transport_proof)"')" = \
	"proven proven" ] || fail "not proven: $(case_of one.json fabric .per_client)"
[ "$(case_of one.json scratch .state)" = VALID ] || fail "the storage"
[ -z "$(serving 1)$(serving 2)" ] || fail "an agent still serves"

# A misspelt name is no reason to measure another network than the plan says, and a fabric
# without a transport says so.
plan 1s | sed 's/patterns: pairwise,/& addresses: {node-O2: 10.77.0.2},/' >plan.yaml
status=0
cluster_volley run plan.yaml --agents "$(cluster_list 1 2)" --db bad.db >bad.out 2>bad.err || status=$?
[ $status -eq 2 ] || fail "a strange address: the run ended with $status"
grep -q "fabric: addresses: no agent is called 'node-O2', and node-01 has no address" bad.err ||
	fail "a strange address: no word of it"
plan 1s | sed 's/paths: {tcp:/paths: {local:/' >plan.yaml
cluster_volley run plan.yaml --agents "$(cluster_list 1 2)" --db local.db >local.out 2>local.err ||
	fail "without a transport: the run ended with $?"
grep -q 'fabric: left out: the plan measures no transport but local' local.err ||
	fail "the fabric was left out in silence"

plan 30s >plan.yaml
cluster_volley run plan.yaml --agents "$(cluster_list 1 2)" --db two.db -o json >two.json 2>two.err &
RUN=$!
cluster_until 30 cluster_in 1 RUNNING || fail "the fabric did not begin"
kill -9 "$(serving 2)" || fail "agent 2 serves nothing"
status=0
wait $RUN || status=$?
[ $status -eq 4 ] || fail "the run ended with $status"
[ "$(case_of two.json fabric '"\(.state) \(.per_client[0].state)"')" = "INVALID FAILED" ] ||
	fail "the fabric: $(case_of two.json fabric .state)"
case_of two.json fabric '.per_client[0].error' |
	grep -qE 'volley://10\.77\.0\.[0-9]+:[0-9]+/fabric: the (target closed the connection|connection is lost): (Connection reset by peer|Broken pipe)' ||
	fail "why: $(case_of two.json fabric '.per_client[0].error')"
[ "$(case_of two.json scratch .state)" = VALID ] || fail "the storage after it"
[ -z "$(serving 1)$(serving 2)" ] || fail "an agent still serves at the end"
exit 0
