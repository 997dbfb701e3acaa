#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The preflight on agents in namespaces: the one whose card has another MTU, the one whose
# folder is not the others' storage, and a file system without O_DIRECT are named, and
# nothing is left in the folders.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require

# Agent 3 mounts something of its own where the others share a folder. What ramfs holds
# is never on a device, and it takes no O_DIRECT.
# shellcheck disable=SC2034 # of cluster.sh
CLUSTER_PRE[3]='mount --make-rprivate / && mount -t ramfs own "$CLUSTER_DATA/shared"'
cluster_before_agents() {
	mkdir "$CLUSTER_DATA/shared"
	export CLUSTER_DATA
}
cluster_up 3

# check LABEL STATUS [PLAN-LINE...]: a preflight of the shared folder
check() {
	local label=$1 want=$2 status=0
	cat >"$CLUSTER_DIR/$label.yaml" <<-PLAN
		plan: $label
		storage: [{name: s, paths: {tcp: "$CLUSTER_DATA/${FOLDER:-shared}"}}]
		clients: [1, 3]
		${LINE:-}
		defaults: {ioengine: psync, size: ${3:-1m}}
		workloads: [{name: w, rw: read, direct: 1}]
	PLAN
	cluster_volley hosts --check "$CLUSTER_DIR/$label.yaml" \
		--agents "${RUN_AGENTS:-@$CLUSTER_HOSTS}" --connect-timeout 5s -o json \
		>"$CLUSTER_DIR/$label.json" 2>"$CLUSTER_DIR/$label.err" || status=$?
	[ "$status" -eq "$want" ] || fail "$label: status $status, not $want: $(cat \
		"$CLUSTER_DIR/$label.err" "$CLUSTER_DIR/$label.json")"
}

# expect LABEL CHECK AGENT VERDICT [TEXT]
expect() {
	local got
	got=$(jq -r --arg c "$2" --arg a "$3" '.lines[] | select(.check == $c and .agent == $a)
		| "\(.verdict) \(.text)"' "$CLUSTER_DIR/$1.json")
	case $got in
	"$4 "*"${5:-}"*) ;;
	*) fail "$1: $2 of $3 is '$got', not $4 ... ${5:-}" ;;
	esac
}

# The bridge is one wire: the card alone is what differs.
ip -n "$(cluster_ns 2)" link set eth0 mtu 1400
check odd 5
expect odd network node-01 pass
expect odd network node-02 fail 'mtu of eth0 is 1400 here, 1500 on 2 others'
expect odd network node-03 pass
ip -n "$(cluster_ns 2)" link set eth0 mtu 1500
expect odd shared node-01 pass
expect odd shared node-02 pass 'found the token of node-01'
expect odd shared node-03 fail 'is not the storage that node-01 sees: its token is not there'
expect odd mount-same node-03 fail 'fstype of'
expect odd clock node-02 pass

# The two that share go on; each check has a line for each of them.
RUN_AGENTS=$(cluster_list 1 2) check two 0
[ "$(jq '.go_on and (.lines | group_by(.check) | map(length) | unique == [2])' \
	"$CLUSTER_DIR/two.json")" = true ] || fail "two: $(cat "$CLUSTER_DIR/two.json")"
expect two direct node-02 pass
grep -qF 'the plan wants up to 3 clients, 2 agents were checked' "$CLUSTER_DIR/two.err" ||
	fail "it does not say that agents are missing"
expect two space node-01 pass

RUN_AGENTS=$(cluster_list 3) check ram 5
expect ram direct node-03 fail 'refuses it: Invalid argument'
expect ram shared node-03 pass

# The network is measured when the plan says how; every node gets its figure.
LINE='fabric: {patterns: n-to-n, runtime: 500ms, transports: tcp}' \
	RUN_AGENTS=$(cluster_list 1 2) check fabric 0
[ "$(jq '[.lines[] | select(.check == "baseline" and (.text | startswith("tcp ")) and
	(.verdict == "pass" or .verdict == "warn"))] | length' "$CLUSTER_DIR/fabric.json")" = 2 ] ||
	fail "fabric: $(jq '.lines[] | select(.check == "baseline")' "$CLUSTER_DIR/fabric.json")"

# A folder for each: nobody looks for the others' tokens, and each is tried.
mkdir "$CLUSTER_DATA/node-01" "$CLUSTER_DATA/node-02"
# shellcheck disable=SC2016 # the plan's word, not the shell's
FOLDER='${client}' RUN_AGENTS=$(cluster_list 1 2) check each 0
expect each shared node-02 pass "each client's own"
expect each direct node-02 pass 'takes it'
rmdir "$CLUSTER_DATA/node-02"
# shellcheck disable=SC2016
FOLDER='${client}' RUN_AGENTS=$(cluster_list 1 2) check each 5
expect each mount node-01 unknown
expect each mount node-02 fail 'No such file or directory'

# More than there is; and an agent that is not there does not keep the others from being
# checked.
RUN_AGENTS=$(cluster_list 1 2) check full 5 900t
expect full space node-02 fail 'files of'
RUN_AGENTS="$(cluster_list 1 2),$CLUSTER_SUBNET.9:7411" check away 3
expect away shared node-02 pass
grep -q "$CLUSTER_SUBNET.9" "$CLUSTER_DIR/away.err" || fail "who is away?"
grep -q '1 of 3 agents cannot be used; the others are asked' "$CLUSTER_DIR/away.err" ||
	fail "what becomes of the others?"

# For people: passes of all in one line.
cluster_volley hosts --check "$CLUSTER_DIR/two.yaml" --agents "$(cluster_list 1 2)" \
	>"$CLUSTER_DIR/text" || fail "text: status $?"
grep -qx 'pass    engines     all nodes: psync' "$CLUSTER_DIR/text" || fail "$(cat "$CLUSTER_DIR/text")"

left=$(find "$CLUSTER_DATA" -name '.volley-preflight-*')
[ -z "$left" ] || fail "left behind: $left"
