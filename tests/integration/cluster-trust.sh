#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Who may command whom: every refusal is one plain line on either side, and nothing starts.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
cluster_up 2

JOB='rw: randread, rate_iops: 100, runtime: 1s'

# One line about agent I in what the run said.
expect_one_line() {
	[ "$(grep -c "^volley: $CLUSTER_SUBNET.$2:7411: " "$CLUSTER_DIR/$1.err")" = 1 ] ||
		fail "$1: not one line about agent $2"
}

nothing_ran() {
	expect_status 3
	expect_said "$1" 'cannot be used; nothing was started'
	for i in 1 2; do
		! cluster_log "$i" ' run ' || fail "$1: agent $i was given a run"
	done
}

# The agents trust another controller.
wrong_key() {
	"$CLUSTER_BIN/volley" key new "$CLUSTER_DIR/other" >/dev/null
	cluster_forget
	run_plan wrong-key 2 "$JOB"
	CLUSTER_KEY=$CLUSTER_DIR/other.key run_whole wrong-key 20
	nothing_ran wrong-key
	for i in 1 2; do
		expect_one_line wrong-key "$i"
		expect_said wrong-key "volley: $CLUSTER_SUBNET.$i:7411: the other side did not accept our key (SHA256:"
		cluster_log "$i" "refused key SHA256:" || fail "agent $i says nothing"
		cluster_log "$i" "it is not in $CLUSTER_DIR/poc.pub" || fail "agent $i: why?"
	done
}

# Nobody is pinned yet, and --strict takes nobody else.
strict() {
	run_plan strict 2 "$JOB"
	run_whole strict 20 --strict
	nothing_ran strict
	expect_one_line strict 1
	expect_said strict "agent $CLUSTER_SUBNET.1:7411 is not pinned in "
	[ ! -s "$CLUSTER_DIR/known_agents" ] || fail "strict: it pinned them"

	expect_next_run 1 2
	[ "$(wc -l <"$CLUSTER_DIR/known_agents")" = 2 ] || fail "pins"
	run_whole strict 20 --strict
	expect_status 0
}

# Another machine answers at agent 2's address.
other_agent() {
	cluster_signal 2 TERM
	wait "${CLUSTER_PIDS[2]}" 2>/dev/null
	mkdir "$CLUSTER_DIR/old"
	mv "$CLUSTER_DIR"/agent-2.{key,pub} "$CLUSTER_DIR/old"
	cluster_agent 2
	cluster_forget
	run_plan other-agent 2 "$JOB"
	run_whole other-agent 20
	nothing_ran other-agent
	expect_one_line other-agent 2
	expect_said other-agent "the key of agent $CLUSTER_SUBNET.2:7411 is not the one pinned in "
	cluster_log 2 'did not accept our key' || fail "agent 2 says nothing"
	run_whole other-agent 20 --allow-missing 1
	expect_status 4
	expect_state other-agent PARTIAL 1

	cluster_signal 2 TERM
	wait "${CLUSTER_PIDS[2]}" 2>/dev/null
	mv "$CLUSTER_DIR"/old/* "$CLUSTER_DIR"
	cluster_agent 2
}

# volleyd without a list of keys it trusts does not start.
no_trust() {
	local said status
	said=$(timeout 10 "$CLUSTER_BIN/volleyd" --listen 127.0.0.1:0 --key "$CLUSTER_DIR/k" 2>&1)
	status=$?
	[ $status = 2 ] || fail "without --trust: status $status"
	[[ $said == *'--trust FILE is missing: the public key of the controller'* ]] ||
		fail "without --trust: $said"
	: >"$CLUSTER_DIR/empty.pub"
	said=$(timeout 10 "$CLUSTER_BIN/volleyd" --listen 127.0.0.1:0 --key "$CLUSTER_DIR/k" \
		--trust "$CLUSTER_DIR/empty.pub" 2>&1)
	status=$?
	[ $status = 2 ] || fail "with an empty list: status $status"
	[[ $said == *'empty.pub holds no key'* ]] || fail "with an empty list: $said"
}

# Somebody who speaks no TLS, and somebody who says nothing, get no answer and keep
# nobody else out.
plaintext() {
	local got
	cluster_forget
	got=$(ip netns exec "$(cluster_ns ctl)" timeout 10 bash -c '
		exec 3<>/dev/tcp/'"$CLUSTER_SUBNET"'.1/7411
		printf "GET / HTTP/1.0\r\n\r\n" >&3
		cat <&3' | tr -d '\0' | wc -c)
	[ "$got" -lt 64 ] || fail "plaintext: $got bytes of answer"
	cluster_until 5 cluster_log 1 'the other side is not a TLS 1.3 peer' ||
		fail "plaintext: agent 1 says nothing"
	[ "$(grep -c warning "$CLUSTER_DIR/agent-1.log")" = 1 ] || fail "plaintext: lines"
	ip netns exec "$(cluster_ns ctl)" timeout 30 bash -c '
		exec 3<>/dev/tcp/'"$CLUSTER_SUBNET"'.1/7411; cat <&3' &
	expect_next_run 1 2
	cluster_until 15 cluster_log 1 'no handshake within 10 s' ||
		fail "silent: agent 1 keeps the connection"
}

# The controller meets something that is not an agent.
not_an_agent() {
	command -v python3 >/dev/null || return 0
	cluster_signal 2 TERM
	wait "${CLUSTER_PIDS[2]}" 2>/dev/null
	ip netns exec "$(cluster_ns 2)" python3 -c '
import socket
s = socket.create_server(("0.0.0.0", 7411))
while True:
    c = s.accept()[0]
    c.recv(64)
    c.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")
    c.close()' &
	cluster_until 10 listens || fail "no server"
	cluster_forget
	run_plan not-an-agent 2 "$JOB"
	run_whole not-an-agent 20
	nothing_ran not-an-agent
	expect_one_line not-an-agent 2
	expect_said not-an-agent "volley: $CLUSTER_SUBNET.2:7411: the other side is not a TLS 1.3 peer"
}

listens() {
	ip netns exec "$(cluster_ns 2)" ss -Hltn | grep -q 7411
}

strict
wrong_key
other_agent
no_trust
plaintext
not_an_agent
