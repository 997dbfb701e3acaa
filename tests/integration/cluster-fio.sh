#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The real fio on agents of hosts of their own, each with another clock: its first I/Os
# are under the barrier, its logs come over under each host's name, and a host without a
# usable fio is that client's error, in fio's words.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
command -v fio >/dev/null || skip "needs fio"

# Agent 7 has a fio that fails, agent 8 none. (Their PATH is also unshare's.)
# shellcheck disable=SC2016 # expanded where the agent is started
CLUSTER_PRE[7]='PATH=$CLUSTER_DIR/broken:$PATH'
# shellcheck disable=SC2016
CLUSTER_PRE[8]='PATH=$CLUSTER_DIR/none'
cluster_before_agents() {
	mkdir "$CLUSTER_DIR/broken" "$CLUSTER_DIR/none"
	ln -s "$(command -v unshare)" "$CLUSTER_DIR/none/unshare"
	cat >"$CLUSTER_DIR/broken/fio" <<-FIO
		#!/bin/sh
		[ "\$1" != --version ] || { echo fio-3.28; exit; }
		echo 'note: some text'
		echo 'fio: engine libaio not loadable' >&2
		exit 3
	FIO
	chmod +x "$CLUSTER_DIR/broken/fio"
}
cluster_up 8

# barrier RUNNER: six clients begin together; prints how far apart
barrier() {
	RUN_AGENTS=$(cluster_list 1 2 3 4 5 6)
	run_plan "$1" 6 'rw: randread, rate_iops: 200, runtime: 2s, write_iops_log: x,
		log_avg_msec: 200' "runner: $1"
	run_whole "$1" 30
	expect_status 0
	expect_state "$1" VALID 6
	[ "$(run_get "$1" '.cases[0] | .skew_ns != null and .skew_bound_ns != null
		and (.all_clients.read | .common_iops > 1100 and .common_iops < 1300)')" = true ] ||
		fail "$1: $(run_get "$1" '.cases[0] | {skew_ns, skew_bound_ns, all_clients}')"
	echo "$1: skew of 6 hosts: $(run_get "$1" '.cases[0] | "\(.skew_ns / 1e6) ms, give or take \(.skew_bound_ns / 1e6) ms"')"
	(cd "$CLUSTER_DIR/$1.db-logs/"*/ && echo *) >"$CLUSTER_DIR/$1.names"
	# Times count from the start, whatever the host's clock says.
	awk -F ', ' '$1 < 100 || $1 > 2300 || $2 < 100 || $2 > 300 {bad = 1} END {exit bad || NR < 48}' \
		"$CLUSTER_DIR/$1.db-logs/"*/* || fail "$1: $(cat "$CLUSTER_DIR/$1.db-logs/"*/*)"
}

# unusable LABEL AGENT REASON: with a client that cannot, nobody begins
unusable() {
	RUN_AGENTS=$(cluster_list 6 "$2")
	run_plan "$1" 2 'rw: randread, rate_iops: 200, runtime: 1s' 'runner: fio'
	run_whole "$1" 30
	expect_status 4
	expect_state "$1" INVALID 0
	expect_reason "$1" "$3"
}

barrier native
barrier fio
cmp -s "$CLUSTER_DIR/native.names" "$CLUSTER_DIR/fio.names" ||
	fail "other logs: $(cat "$CLUSTER_DIR"/*.names)"
grep -q '^x_iops.1.log.node-01 .*x_iops.1.log.node-06$' "$CLUSTER_DIR/fio.names" ||
	fail "$(cat "$CLUSTER_DIR/fio.names")"
unusable missing 8 'node-08: fio is not installed here: it is in no folder of PATH'
unusable failing 7 'node-07: fio-3.28 ended with status 3: fio: engine libaio not loadable'
# The one that has a fio is as usable as before.
RUN_AGENTS=$(cluster_list 6)
run_plan after 1 'rw: randread, rate_iops: 200, runtime: 1s' 'runner: fio'
run_whole after 30
expect_status 0
expect_state after VALID 1
