#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Real runs of the fault engine, compared and gated: a delay that was put in is a regression,
# the same again is none, one run proves nothing, and what is not alike is refused.
set -u

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

fail()
{
	echo "FAIL: $*"
	failed=1
}

expect()
{
	local want=$1 got
	shift
	"$@" >out 2>err
	got=$?
	[ "$got" -eq "$want" ] || fail "exit $got instead of $want: $*: $(head -5 out err)"
}

says()
{
	grep -qF -- "$1" "${2:-out}" || fail "'$1' is not in ${2:-out}: $(head -20 "${2:-out}")"
}

# table SEED FACTOR RSD REPEATS: rates of two workloads, the larger scale times FACTOR
table()
{
	awk -v seed="$1" -v factor="$2" -v rsd="$3" -v n="$4" 'BEGIN {
		srand(seed)
		print "storage,workload,transport,clients,throughput_gib_s,latency_ms"
		split("seq-read seq-write", workload)
		for (w = 1; w <= 2; w++)
			for (clients = 1; clients <= 8; clients *= 8)
				for (i = 0; i < n; i++) {
					spread = (rand() + rand() + rand() - 1.5) * 2 * rsd
					rate = 4 * clients * (1 + spread)
					if (w == 1 && clients == 8)
						rate *= factor
					printf "S,%s,tcp,%d,%.5f,%.5f\n", workload[w], clients,
						rate, 125 * clients / rate
				}
	}'
}

make()
{
	table "$2" "$3" "$4" "$5" >"$1.csv"
	expect 0 volley import csv "$1.csv" --db "$1.db"
}

make base 1 1 0.01 5
make same 2 1 0.01 5
make slow 3 0.8 0.01 5
make once 4 0.5 0.01 1
make noisy 5 0.96 0.12 4

expect 0 volley gate base.db same.db
says "pass: 10 passed, 0 regressed"
expect 5 volley gate base.db slow.db
says "regression S seq-read tcp, 8 clients: throughput"
expect 0 volley gate base.db slow.db --max-drop 40% --max-rise 60% --efficiency-drop 40
expect 0 volley gate base.db slow.db --max-drop 40% --max-rise 150% --max-tail-rise 300% --efficiency-drop 40
expect 2 volley gate base.db slow.db --max-rise -1%
says "--max-rise: '-1%' is not 0 to 10000%" err
expect 0 volley gate base.db slow.db --cells seq-write
expect 4 volley gate base.db once.db
says "nothing could be evaluated"
expect 4 volley gate base.db noisy.db
grep -v 'write,tcp,8' same.csv >lost.csv
expect 0 volley import csv lost.csv --db lost.db
expect 4 volley gate base.db lost.db
says "inconclusive S seq-write tcp, 8 clients: throughput:"
expect 0 volley gate base.db lost.db --cells S/tcp/seq-read/*
expect 5 volley gate base.db slow.db -o junit
says '<failure message="'
expect 5 volley gate base.db slow.db -o github
says '::error title=regression%3A S seq-read tcp%2C 8 clients throughput::'
expect 5 volley gate base.db slow.db -o json
says '"result": "regression"'
expect 2 volley gate base.db
expect 2 volley gate base.db slow.db -o yaml
expect 2 volley gate base.db slow.db --max-drop much

expect 0 volley compare base.db slow.db
says "worse"
says "equivalent"
expect 0 volley compare base.db noisy.db
says "with 4 repeats you could only have seen a drop of"
expect 0 volley compare base.db slow.db -o json
says '"schema": "volley.comparison"'
table 6 1 0.01 3 | sed 's/^S,/T,/' >other.csv
expect 0 volley import csv other.csv --db other.db
expect 4 volley compare base.db other.db
says "no cell in common" err
expect 0 volley compare base.db other.db --base-storage S --new-storage T
says "S/T"
expect 0 volley rank base.db other.db --weight restore=2
says "restore=2 save=1"
expect 2 volley rank base.db --weight sleep=1

# Runs of our own: pairs, engines, plans. The fault engine delays every I/O of one storage.
plan()
{
	cat <<END
plan: gate
storage:
  - {name: S, paths: {local: $dir/files}}
clients: [1]
transports: [local]
repeat: 3
defaults: {ioengine: $1, size: 1m, bs: 4k, runtime: 1s, time_based: 1, iodepth: 1, numjobs: 1}
workloads:
  - {name: rand-read, rw: randread}
END
}
mkdir files
plan null >null.yaml
plan psync >psync.yaml
expect 0 volley run null.yaml --local 1 --db null.db
expect 0 volley run psync.yaml --local 1 --db psync.db
expect 4 volley compare null.db psync.db
says "different plans" err
expect 0 volley compare null.db psync.db --anyway
says "Not the same plan"
says "Not the same engine"
says "worse"
expect 5 volley gate null.db psync.db --anyway
expect 0 volley analyze null.db psync.db

[ "$failed" -eq 0 ] && echo "comparing and gating say what the data allows"
exit "$failed"
