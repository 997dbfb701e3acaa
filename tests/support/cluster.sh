# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A cluster in a box, to be sourced by integration tests: a controller and N agents,
# each in a network namespace with an address of its own on one bridge, and each agent
# in a time namespace with another CLOCK_MONOTONIC offset.
#
#   cluster_require            exit 77 with the reason where this cannot run
#   cluster_up N [OPTION...]   keys, namespaces, agents (options go to every volleyd)
#   cluster_before_agents      redefine it: called before the agents start
#   cluster_volley ARGS...     the controller, in its namespace, with its key
#   cluster_exec_volley ARGS...   becomes it: "cluster_exec_volley … &" has its pid
#   cluster_agent I            (re)starts agent I
#   cluster_pid I              process id of agent I's volleyd
#   cluster_worker I           process id of its worker, when one runs
#   cluster_signal I SIGNAL    to agent I's volleyd
#   cluster_in I STATE         is this the state that agent I logged last?
#   cluster_not_in I STATE     is it another one?
#   cluster_log I TEXT         did agent I log this text?
#   cluster_list I...          these agents, as --agents wants them
#   cluster_forget             empties the logs of the agents
#   cluster_connected I, cluster_disconnected I   does the controller hold a connection?
#   cluster_break I FILTER...  ends connections of agent I; BROKEN: which, if it could
#   cluster_cut I, cluster_join I    takes the wire away, gives it back
#   cluster_until SECONDS COMMAND...  waits until the command succeeds
#   cluster_pause SECONDS      lets time pass (for how long something lasts, never to
#                              wait for it)
#   cluster_down               ends everything that was started (also on exit)
#   skip WHY, fail WHY         ends the test; fail shows what everybody said
#
# Set before cluster_up: CLUSTER_PRE[I] is a shell command that agent I's mount
# namespace runs first (it sees CLUSTER_DIR and CLUSTER_DATA); CLUSTER_SHIFT[I] its clock offset in seconds (default: spread
# over −30 … +30, never 0); CLUSTER_SUBNET (default 10.77.0); CLUSTER_DIAL=HOST:PORT
# makes agents dial there instead of listening; CLUSTER_KEY: another key of the controller.
# After it: $CLUSTER_DIR (scratch, removed at the end), $CLUSTER_DATA (a directory that
# every agent allows), $CLUSTER_HOSTS (host list file).

CLUSTER_BIN=${abs_top_builddir:-.}
CLUSTER_SUBNET=${CLUSTER_SUBNET:-10.77.0}
CLUSTER_TAG=vly$$
CLUSTER_N=0
CLUSTER_PRE=()
CLUSTER_SHIFT=()
CLUSTER_PIDS=()
CLUSTER_OPTIONS=()
CLUSTER_DIAL=
CLUSTER_KEY=
BROKEN=

skip() {
	echo "SKIP: $*"
	exit 77
}

fail() {
	local file
	echo "FAIL: $*" >&2
	for file in "${CLUSTER_DIR:-/nonexistent}"/*.err "${CLUSTER_DIR:-/nonexistent}"/*.log; do
		[ -s "$file" ] || continue
		echo "---- ${file##*/}" >&2
		tail -n 20 "$file" >&2
	done
	exit 1
}

cluster_require() {
	local tool
	[ "$(id -u)" = 0 ] || skip "needs root, for network namespaces"
	for tool in ip ss unshare jq; do
		command -v $tool >/dev/null || skip "needs $tool"
	done
	ip netns add "$CLUSTER_TAG" 2>/dev/null || skip "no network namespaces here"
	# ip remounts / as a slave, which it can only where / is a mount point.
	ip netns exec "$CLUSTER_TAG" true 2>/dev/null || {
		ip netns del "$CLUSTER_TAG"
		skip "ip netns exec does not work here (a chroot?)"
	}
	ip netns del "$CLUSTER_TAG"
	unshare --time --monotonic 5 --fork true 2>/dev/null || skip "no time namespaces here"
}

cluster_ns() {
	if [ "$1" = ctl ]; then echo "$CLUSTER_TAG-ctl"; else echo "$CLUSTER_TAG-$1"; fi
}

# A namespace with an address on the bridge (which lives in the controller's).
cluster_host() {
	local ns last=$2 ctl
	ns=$(cluster_ns "$1")
	ctl=$(cluster_ns ctl)
	ip netns add "$ns"
	ip -n "$ns" link set lo up
	ip link add eth0 netns "$ns" type veth peer name "port$last" netns "$ctl"
	ip -n "$ns" addr add "$CLUSTER_SUBNET.$last/24" dev eth0
	ip -n "$ns" link set eth0 up
	ip -n "$ctl" link set "port$last" master br0 up
}

cluster_shift() {
	local shift=$(((($1 * 7) % 61) - 30))
	[ $shift -ne 0 ] || shift=5
	echo "${CLUSTER_SHIFT[$1]:-$shift}"
}

cluster_agent() {
	local i=$1 ns ready where=(--listen "$CLUSTER_SUBNET.$1:7411")
	[ -z "$CLUSTER_DIAL" ] || where=(--controller "$CLUSTER_DIAL")
	ns=$(cluster_ns "$i")
	ready=$CLUSTER_DIR/ready-$i
	rm -f "$ready"
	mkfifo "$ready"
	# shellcheck disable=SC2016 # expanded by the inner shell
	ip netns exec "$ns" bash -c '
		ready=$1 pre=$2 shift=$3; shift 3
		eval "$pre"
		exec unshare --time --monotonic "$shift" --fork --kill-child "$@" --ready-fd 9 9>"$ready"
	' agent "$ready" "${CLUSTER_PRE[$i]:-true}" "$(cluster_shift "$i")" \
		"$CLUSTER_BIN/volleyd" "${where[@]}" --debug \
		--trust "$CLUSTER_DIR/poc.pub" --key "$CLUSTER_DIR/agent-$i.key" \
		--name "node-$(printf %02d "$i")" --allow "$CLUSTER_DATA" \
		"${CLUSTER_OPTIONS[@]}" 2>>"$CLUSTER_DIR/agent-$i.log" &
	CLUSTER_PIDS[i]=$!
	read -r -t 20 _ <>"$ready" || {
		cat "$CLUSTER_DIR/agent-$i.log" >&2
		fail "agent $i did not start"
	}
	rm -f "$ready"
}

# The last child of process $1 that is called $2.
cluster_child() {
	local child found=
	for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
		[ "$(cat "/proc/$child/comm" 2>/dev/null)" != "$2" ] || found=$child
	done
	[ -z "$found" ] || echo "$found"
}

# unshare --fork is its parent.
cluster_pid() {
	cluster_child "${CLUSTER_PIDS[$1]}" volleyd
}

cluster_worker() {
	cluster_child "$(cluster_pid "$1")" volley-io
}

cluster_signal() {
	kill "-$2" "$(cluster_pid "$1")" || fail "agent $1 is not there"
}

cluster_in() {
	[ "$(sed -n 's/.* run [0-9a-f]*: \([A-Z_]*\).*/\1/p' "$CLUSTER_DIR/agent-$1.log" |
		tail -n 1)" = "$2" ]
}

cluster_not_in() {
	! cluster_in "$1" "$2"
}

cluster_forget() {
	local i
	for ((i = 1; i <= CLUSTER_N; i++)); do
		: >"$CLUSTER_DIR/agent-$i.log"
	done
}

cluster_log() {
	grep -qF -- "$2" "$CLUSTER_DIR/agent-$1.log"
}

# A test may have something to do between $CLUSTER_DIR and the agents.
cluster_before_agents() {
	:
}

cluster_up() {
	local i
	CLUSTER_N=$1
	shift
	CLUSTER_OPTIONS=("$@")
	CLUSTER_DIR=$(mktemp -d "${TMPDIR:-/var/tmp}/volley-cluster.XXXXXX")
	CLUSTER_DATA=$CLUSTER_DIR/data
	CLUSTER_HOSTS=$CLUSTER_DIR/hosts
	export CLUSTER_DIR CLUSTER_DATA
	trap cluster_down EXIT
	trap "exit 143" TERM INT
	mkdir "$CLUSTER_DATA"
	cluster_before_agents
	"$CLUSTER_BIN/volley" key new "$CLUSTER_DIR/poc" >/dev/null || fail "no key"
	ip netns add "$(cluster_ns ctl)"
	ip -n "$(cluster_ns ctl)" link set lo up
	ip -n "$(cluster_ns ctl)" link add br0 type bridge
	ip -n "$(cluster_ns ctl)" addr add "$CLUSTER_SUBNET.254/24" dev br0
	ip -n "$(cluster_ns ctl)" link set br0 up
	for ((i = 1; i <= CLUSTER_N; i++)); do
		cluster_host "$i" "$i"
		cluster_agent "$i"
		echo "$CLUSTER_SUBNET.$i" >>"$CLUSTER_HOSTS"
	done
}

# Becomes the controller: for "cluster_exec_volley … &", whose pid is then volley's.
cluster_exec_volley() {
	local command=$1
	shift
	exec ip netns exec "$(cluster_ns ctl)" "$CLUSTER_BIN/volley" "$command" \
		--key "${CLUSTER_KEY:-$CLUSTER_DIR/poc.key}" --known-agents "$CLUSTER_DIR/known_agents" "$@"
}

cluster_volley() (
	cluster_exec_volley "$@"
)

cluster_list() {
	local i list=
	for i in "$@"; do
		list="$list${list:+,}$CLUSTER_SUBNET.$i"
	done
	echo "$list"
}

# Does the controller's program hold a connection to agent I?
cluster_connected() {
	ip netns exec "$(cluster_ns ctl)" ss -Htn state established state close-wait \
		dst "$CLUSTER_SUBNET.$1" | grep -q .
}

cluster_disconnected() {
	! cluster_connected "$1"
}

# Ends the connections of agent I that match the filter of ss, as a firewall might that
# forgot them; fails where the kernel cannot.
cluster_break() {
	local ns
	ns=$(cluster_ns "$1")
	shift
	BROKEN=$(ip netns exec "$ns" ss -HKtn state established "$@" 2>/dev/null)
	[ -n "$BROKEN" ]
}

cluster_cut() {
	ip -n "$(cluster_ns ctl)" link set "port$1" down
}

cluster_join() {
	ip -n "$(cluster_ns ctl)" link set "port$1" up
}

cluster_pause() {
	read -r -t "$1" _ <> <(:) || :
}

cluster_until() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		cluster_pause 0.05
	done
}

cluster_is_gone() {
	! kill -0 "$1" 2>/dev/null
}

# What runs in a namespace of ours was started here, by us or by what we started.
cluster_empty() {
	local pids
	pids=$(ip netns pids "$1" 2>/dev/null)
	# shellcheck disable=SC2086 # a list
	[ -z "$pids" ] || kill -KILL $pids 2>/dev/null
	ip netns del "$1" 2>/dev/null
}

cluster_down() {
	local i pid
	for ((i = 1; i <= CLUSTER_N; i++)); do
		pid=$(cluster_pid "$i")
		[ -n "$pid" ] || continue
		kill -CONT "$pid" 2>/dev/null
		kill -TERM "$pid" 2>/dev/null
	done
	for ((i = 1; i <= CLUSTER_N; i++)); do
		cluster_until 5 cluster_is_gone "${CLUSTER_PIDS[$i]:-0}"
	done
	for ((i = 1; i <= CLUSTER_N; i++)); do
		cluster_empty "$(cluster_ns "$i")"
	done
	cluster_empty "$(cluster_ns ctl)"
	if [ -n "${CLUSTER_DIR:-}" ] && [ -z "${CLUSTER_KEEP:-}" ]; then
		rm -rf "$CLUSTER_DIR"
	fi
	CLUSTER_N=0
}
