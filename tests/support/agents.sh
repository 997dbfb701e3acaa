# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Agents on the loopback address, each held to a speed of its own by the kernel; to be
# sourced by tests after throttle.sh and throttle_up.
#
#   agents_up KIND SPEED...   one agent for each SPEED: agent-0, agent-1, ...
#   agents_run NAME OUT PLAN-LINE...   runs a plan with them in the background; its
#                             workload is called NAME, the rest of its options is given
#   agents_wait STATUS OUT    until the run has ended, with that exit status
#   agents_down               ends the agents
#
# $AGENTS has their process ids, $AGENTS_RUN that of the run; OUT.json, .db and .log
# are what it left.

AGENTS=()
AGENTS_RUN=
AGENTS_LIST=
AGENTS_BIN=${abs_top_builddir:-.}
AGENTS_PORT=$((20000 + $$ % 20000))

agents_start() {
	local name=$1 kind=$2 speed=$3 ready=$THROTTLE_DIR/ready-$1
	throttle_child "$name" "$kind" "$speed"
	mkfifo "$ready"
	throttle_exec_in "$name" "$AGENTS_BIN/volleyd" --listen "127.0.0.1:$AGENTS_PORT" \
		--trust "$THROTTLE_DIR/poc.pub" --key "$THROTTLE_DIR/$name.key" \
		--name "$name" --allow "$THROTTLE_DEV" --ready-fd 9 9>"$ready" \
		2>>"$THROTTLE_DIR/$name.log" &
	AGENTS+=($!)
	read -r -t 20 _ <>"$ready" ||
		throttle_fail "agent $name: $(cat "$THROTTLE_DIR/$name.log")"
	rm -f "$ready"
	AGENTS_LIST=${AGENTS_LIST:+$AGENTS_LIST,}127.0.0.1:$AGENTS_PORT
	AGENTS_PORT=$((AGENTS_PORT + 1))
}

agents_up() {
	local kind=$1 speed
	shift
	[ -e "$THROTTLE_DIR/poc.key" ] ||
		"$AGENTS_BIN/volley" key new "$THROTTLE_DIR/poc" >/dev/null ||
		throttle_fail "no key"
	for speed; do
		agents_start "agent-${#AGENTS[@]}" "$kind" "$speed"
	done
}

agents_run() {
	local name=$1 out=$2
	shift 2
	cat >"$out.yaml" <<-PLAN
		plan: $name
		storage:
		  - {name: dev, paths: {local: $THROTTLE_DEV}}
		clients: ${#AGENTS[@]}
		repeat: 1
		max_skew: 10s
		workloads:
		  - {name: $name, $*}
	PLAN
	"$AGENTS_BIN/volley" run "$out.yaml" --agents "$AGENTS_LIST" \
		--key "$THROTTLE_DIR/poc.key" --known-agents "$THROTTLE_DIR/known_agents" \
		--db "$out.db" -o json >"$out.json" 2>"$out.log" &
	AGENTS_RUN=$!
}

agents_wait() {
	local status=0
	wait "$AGENTS_RUN" || status=$?
	[ "$status" -eq "$1" ] ||
		throttle_fail "volley run ended with $status instead of $1: $(cat "$2.log")"
}

agents_down() {
	kill "${AGENTS[@]}" 2>/dev/null
	wait "${AGENTS[@]}" 2>/dev/null
	AGENTS=()
	AGENTS_LIST=
}
