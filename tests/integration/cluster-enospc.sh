#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One client of four has a full file system, first when its file is made, then in the
# middle of writing. fio's sum over all clients shows error 0 in both.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
# shellcheck disable=SC2016 # agent 3's shell expands it
CLUSTER_PRE[3]='mount -t tmpfs -o size=4m none "$CLUSTER_DATA" &&
	truncate -s 16m "$CLUSTER_DATA/sparse"'
cluster_up 4
truncate -s 16m "$CLUSTER_DATA/sparse"

run_plan layout 4 'rw: write, bs: 64k, size: 8m, runtime: 1s'
run_whole layout 30
expect_status 4
expect_state layout INVALID 0
expect_reason layout 'nothing was started: node-03: layout: needs 8 MiB more'
expect_reason layout 'are free in'
for i in 1 2 3 4; do
	! cluster_log "$i" RUNNING || fail "agent $i started"
done
expect_next_run 1 2 4

# Writes into a file without blocks find the file system full after nearly 4 MiB, in the
# second second.
run_plan middle 4 \
	'rw: write, bs: 64k, size: 16m, filename: sparse, shared: 1, layout: none, rate_iops: 40, runtime: 4s'
run_whole middle 30
expect_status 4
expect_state middle PARTIAL 3
expect_reason middle '3 of 4 clients: node-03 failed: write of '
expect_reason middle 'No space left on device'
[ "$(run_get middle '[.cases[-1].per_client[] | "\(.state) \(.io_errors)"] | join(", ")')" = \
	'OK 0, OK 0, FAILED 1, OK 0' ] || fail "$(run_get middle '.cases[-1].per_client')"
# The sum is that of the three that count.
[ "$(run_get middle '.cases[-1] | .all_clients.write.ios ==
	([.per_client[] | select(.state == "OK").write.ios] | add)')" = true ] || fail "sum"
expect_next_run 1 2 4
