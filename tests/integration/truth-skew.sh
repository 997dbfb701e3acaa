#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One instant: 30 agents with a gentle job start within 5 ms, 4 agents with a busy one
# within 1 ms, 30 busy ones as near as may be. Where the kernel can be asked (tracefs),
# each agent's own word on its first I/O is held against the kernel's: 0.2 ms.
#
# The limits are of volley, not of whatever else the machine does at that moment: each is
# tried up to three times, and every try is printed.

# shellcheck source=tests/support/observe.sh
. "${abs_top_srcdir:-.}/tests/support/observe.sh"
BIN=${abs_top_builddir:-.}
DIR=$(mktemp -d "${TMPDIR:-/var/tmp}/volley-skew.XXXXXX")

cleanup() {
	observe_down
	rm -rf "$DIR"
}
trap cleanup EXIT

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

for tool in jq sqlite3; do
	command -v $tool >/dev/null || {
		echo "SKIP: needs $tool"
		exit 77
	}
done
OBSERVED=yes
WHY=$(observe_available) || OBSERVED=no
# SCHED_FIFO, without which nothing is promised.
[ "$(id -u)" = 0 ] || {
	echo "SKIP: needs root, for waiting under SCHED_FIFO"
	exit 77
}
[ $OBSERVED = yes ] || echo "no outside observer: $WHY"
[ $OBSERVED = no ] || observe_available

mkdir "$DIR/data"

# run NAME AGENTS WORKLOAD: leaves $DIR/NAME.json, .db and, observed, .trace
run() {
	local name=$1 agents=$2 out=$DIR/$1
	rm -f "$out".*
	cat >"$out.yaml" <<-PLAN
		plan: $name
		storage:
		  - {name: disk, paths: {local: $DIR/data}}
		clients: $agents
		repeat: 1
		max_skew: 1s
		defaults: {ioengine: psync, rw: randread, bs: 4k, size: 1m, time_based: 1}
		workloads:
		  - {name: $name, $3}
	PLAN
	[ $OBSERVED = no ] || observe_start volley-io sys_enter_pread64 || fail "no trace"
	"$BIN/volley" run "$out.yaml" --local "$agents" --db "$out.db" -o json \
		>"$out.json" 2>"$out.log" || fail "$name: $(cat "$out.log")"
	[ $OBSERVED = no ] || observe_stop "$out.trace"
	jq -e '.cases[0].state == "VALID"' "$out.json" >/dev/null ||
		fail "$name: $(jq -c '.cases[0] | {state, reasons}' "$out.json")"
}

skew() {
	jq '.cases[0].skew_ns' "$DIR/$1.json"
}

# The first I/O of each agent, its own word, in seconds of this host's clock.
self_reported() {
	sqlite3 -cmd '.timeout 9999' "$1" 'SELECT printf("%.9f", (start_ns + first_io_ns) / 1e9) FROM tally
		WHERE client IS NOT NULL ORDER BY 1'
}

# ... and the kernel's: the first read of each thread from the start instant on.
observed() {
	local start
	start=$(sqlite3 -cmd '.timeout 9999' "$1.db" 'SELECT printf("%.9f", min(start_ns) / 1e9) FROM tally
		WHERE client IS NOT NULL')
	awk -v start="$start" '$4 == "enter" && $2 >= start && !seen[$1]++ {print $2}' \
		"$1.trace" | sort -n
}

# The worst difference of the two, in ms; nothing when they are not as many.
difference() {
	paste -d ' ' <(self_reported "$DIR/$1.db") <(observed "$DIR/$1") | awk '
		NF != 2 {exit 1}
		{d = ($2 - $1) * 1000; d = d < 0 ? -d : d; if (d > most) most = d}
		END {printf "%.3f\n", most}'
}

# below NAME LIMIT_MS AGENTS WORKLOAD
below() {
	local name=$1 limit=$2 try ns ms apart='not observed' good
	for try in 1 2 3; do
		run "$name" "$3" "$4"
		ns=$(skew "$name")
		ms=$(awk -v ns="$ns" 'BEGIN {printf "%.3f", ns / 1e6}')
		good=$(awk -v ms="$ms" -v limit="$limit" 'BEGIN {print ms <= limit}')
		if [ $OBSERVED = yes ]; then
			apart=$(difference "$name") || fail "$name: the kernel saw other first I/Os"
			good=$((good && $(awk -v d="$apart" 'BEGIN {print d <= 0.2}')))
			apart="the kernel's word differs by $apart ms (at most 0.2)"
		fi
		echo "$name: try $try: skew $ms ms (at most $limit), $apart"
		[ "$good" -ne 1 ] || return 0
	done
	fail "$name: not once in three tries"
}

below 30-gentle 5 30 'rate_iops: 200, runtime: 1s'
below 4-busy 1 4 'runtime: 1s'
below 30-busy 1000 30 'runtime: 1s'
