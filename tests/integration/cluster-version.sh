#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Programs of different versions that have no protocol in common: both sides say so in one
# line that names both, and nothing starts.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
OTHER=$CLUSTER_BIN/tests/support/other-version
[ -x "$OTHER" ] || skip "tests/support/other-version is not built"
cluster_require
cluster_up 2

OURS="$("$CLUSTER_BIN/volley" --version) speaks protocol 1"
THEIRS='volley 9.9.9 speaks protocol 99'

# Both versions, and what to do; in either order.
names_both() {
	grep -F "$OURS" | grep -F "$THEIRS" | grep -qF 'update the older one'
}

newer_controller() {
	ip netns exec "$(cluster_ns ctl)" timeout 20 "$OTHER" controller "$CLUSTER_DIR/poc.key" \
		"$CLUSTER_SUBNET.1" 7411 >"$CLUSTER_DIR/other.out" || fail "other-version"
	names_both <"$CLUSTER_DIR/other.out" ||
		fail "the controller is told: $(cat "$CLUSTER_DIR/other.out")"
	cluster_until 5 cluster_log 1 warning || fail "agent 1 says nothing"
	[ "$(grep -c warning "$CLUSTER_DIR/agent-1.log")" = 1 ] || fail "agent 1: lines"
	names_both <"$CLUSTER_DIR/agent-1.log" || fail "agent 1: what?"
	expect_next_run 1 2
}

listens() {
	ip netns exec "$(cluster_ns 2)" ss -Hltn | grep -q 7411
}

newer_agent() {
	cluster_signal 2 TERM
	wait "${CLUSTER_PIDS[2]}" 2>/dev/null
	ip netns exec "$(cluster_ns 2)" "$OTHER" agent "$CLUSTER_DIR/agent-2.key" \
		"$CLUSTER_SUBNET.2" 7411 >"$CLUSTER_DIR/other.out" &
	local other=$!
	cluster_until 5 listens || fail "other-version does not listen"
	cluster_forget
	run_plan newer-agent 2 'rw: randread, rate_iops: 100, runtime: 1s'
	run_whole newer-agent 20
	expect_status 3
	grep "^volley: $CLUSTER_SUBNET.2:7411: " "$CLUSTER_DIR/newer-agent.err" | names_both ||
		fail "the controller does not name both"
	expect_said newer-agent '1 of 2 agents cannot be used; nothing was started'
	names_both <"$CLUSTER_DIR/other.out" || fail "the agent is not told"
	! cluster_log 1 ' run ' || fail "agent 1 was given a run"
	kill "$other"
	wait "$other" 2>/dev/null || :
}

newer_controller
newer_agent
