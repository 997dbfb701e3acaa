#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Results of fio on five hosts, two repeats: one host at half the rate of its peers is named,
# one that is 15 % behind is not.
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

# result FILE BYTES_PER_S TIME: what fio writes for one host that read for ten seconds
result()
{
	local ios=$(($2 * 10 / 65536))
	cat >"$1" <<END
{"fio version": "fio-3.33", "timestamp": $3, "time": "x",
 "global options": {"rw": "read", "bs": "64k", "ioengine": "libaio", "iodepth": "4", "direct": "1"},
 "jobs": [{"jobname": "reads", "groupid": 0, "error": 0, "elapsed": 11, "job options": {},
  "read": {"io_bytes": $((ios * 65536)), "io_kbytes": $((ios * 64)), "bw_bytes": $2,
   "bw": $(($2 / 1024)), "iops": $((ios / 10)), "runtime": 10000, "total_ios": $ios,
   "lat_ns": {"min": 1000, "max": 900000, "mean": $((4000000000 * 10 / ios)), "stddev": 1, "N": $ios}},
  "usr_cpu": 1.0, "sys_cpu": 1.0}]}
END
}

# measured DB RATE_OF_THE_THIRD: five hosts, twice
measured()
{
	local repeat host rate files=()
	for repeat in 1 2; do
		for host in 1 2 3 4 5; do
			rate=$((1000000000 + host * 3000000 + repeat * 1000000))
			[ "$host" -ne 3 ] || rate=$2
			mkdir -p "$1-$repeat"
			result "$1-$repeat/gpu0$host.json" "$rate" "$repeat"
			files+=("$1-$repeat/gpu0$host.json")
		done
	done
	volley import fio "${files[@]}" --as storage=S,transport=tcp,workload=reads,clients=5 \
		--db "$1.db" >"$1.out" 2>&1
	grep -q 'repeat 2' "$1.out" || fail "import: $(cat "$1.out")"
}

measured slow 500000000
volley analyze slow.db >out || fail "analyze slow.db"
grep -q 'WARNING straggler' out || fail "half the rate of its peers: $(cat out)"
grep -q 'client .*gpu03.* is up to 50 % behind' out || fail "not gpu03: $(cat out)"
grep -q 'in 2 of the 2 runs' out || fail "not in both: $(cat out)"
measured near 860000000
volley analyze near.db >out || fail "analyze near.db"
! grep -q straggler out || fail "15 % behind its peers: $(cat out)"

[ "$failed" -eq 0 ] && echo "the slow client is named"
exit "$failed"
