#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What `-o fio-json` writes is one JSON document and nothing else, whatever became of the
# run; its last entry is the sum of the clients that ran at the same time, never of two
# stages.

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"
cluster_require
cluster_up 2

# expect_json LABEL FILTER: exactly one document, of which it is true
expect_json() {
	jq -es "length == 1 and (.[0] | $2)" "$CLUSTER_DIR/$1.out" >/dev/null ||
		fail "$1: not $2: $(head -c 2000 "$CLUSTER_DIR/$1.out")"
}

LAST='.client_stats[-1] | .jobname == "All clients" and .hostname == "All clients"'

# fio adds up jobs that ran one after the other; here each stage has a sum of its own.
stages() {
	cat >"$CLUSTER_DIR/stages.fio" <<-JOB
		[global]
		directory=$CLUSTER_DATA
		size=1m
		bs=4k
		rate_iops=400
		ioengine=psync
		[w]
		rw=write
		[r]
		stonewall
		rw=read
		io_size=2m
	JOB
	cluster_volley run "$CLUSTER_DIR/stages.fio" --agents "@$CLUSTER_HOSTS" --max-skew 500 \
		--db "$CLUSTER_DIR/stages.db" -o fio-json >"$CLUSTER_DIR/stages.out" \
		2>"$CLUSTER_DIR/stages.err" || fail "stages: $(cat "$CLUSTER_DIR/stages.err")"
	expect_json stages "$LAST"
	expect_json stages '[.client_stats[] | [.jobname, .groupid, .volley.workload,
		.read.total_ios, .write.total_ios]] ==
		[["w", 0, "w", 0, 256], ["w", 0, "w", 0, 256], ["All clients", 0, "w", 0, 512],
		["r", 1, "r", 512, 0], ["r", 1, "r", 512, 0], ["All clients", 1, "r", 1024, 0]]'
}

# A client that fails or is lost has an entry with an error; so has the sum.
one_of_two() {
	expect_status 4
	expect_json "$1" "$LAST and (.error | . != 0)"
	expect_json "$1" ".client_stats | length == 3 and
		(.[0] | .error == 0 and .read.total_ios > 200) and
		(.[1] | .error != 0 and .volley.outcome == \"$2\")"
}

failed() {
	run_plan failed 2 'rw: randread, rate_iops: 100, runtime: 3s'
	run_start failed -o fio-json+
	run_underway 1 2
	kill -KILL "$(cluster_worker 2)"
	run_end failed 20
	one_of_two failed FAILED
}

lost() {
	run_plan lost 2 'rw: randread, rate_iops: 100, runtime: 3s'
	run_start lost --lease 2s -o fio-json
	run_underway 1 2
	cluster_signal 2 KILL
	run_end lost 20
	one_of_two lost LOST
}

# All refuse: entries without figures.
refused() {
	RUN_STORAGE=$CLUSTER_DATA/not-there run_plan refused 2 'rw: randread, runtime: 1s'
	run_whole refused 20 -o fio-json
	expect_status 4
	expect_json refused "$LAST and (.error | . != 0)"
	expect_json refused 'all(.client_stats[]; .error != 0 and (has("read") | not))'
}

# Ctrl-C: of what is complete, or of nothing.
interrupted() {
	run_plan interrupted 2 'rw: randread, rate_iops: 100, runtime: 30s'
	run_start interrupted -o fio-json
	run_underway 1 2
	kill -INT "$RUN_PID"
	run_end interrupted 15
	expect_status 130
	expect_json interrupted '.client_stats == []'
	expect_next_run 1 2
}

# Not run at all: no document, a status of 2, the reason on stderr.
unread() {
	run_plan unread 2 'rw: sideways'
	run_whole unread 20 -o fio-json
	expect_status 2
	[ ! -s "$CLUSTER_DIR/unread.out" ] || fail "unread: $(cat "$CLUSTER_DIR/unread.out")"
	expect_said unread sideways
}

# A result that could not be written is not taken for written, VALID or not.
full() {
	local status=0
	"$CLUSTER_BIN/volley" show "$CLUSTER_DIR/stages.db" -o fio-json+ >/dev/full \
		2>"$CLUSTER_DIR/full.err" || status=$?
	[ $status = 1 ] || fail "full: $status"
	expect_said full 'cannot write the output'
	status=0
	"$CLUSTER_BIN/volley" show "$CLUSTER_DIR/failed.db" -o fio-json >/dev/full \
		2>"$CLUSTER_DIR/full.err" || status=$?
	[ $status != 0 ] || fail "full, PARTIAL: $status"
	expect_said full 'cannot write the output'
}

stages
failed
refused
interrupted
unread
full
lost
