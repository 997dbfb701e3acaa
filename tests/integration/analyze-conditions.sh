#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The rules about scales, sweeps, repeats, ceilings, tails and balance from end to end:
# real runs in which every I/O takes as long as the fault engine makes it take produce the
# condition, and a near miss beside it stays silent.
set -u

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
mkdir files
failed=0

fail()
{
	echo "FAIL: $*"
	failed=1
}

# measure NAME STORAGE CLIENTS WORKLOAD [LINK]: runs one workload of a storage into NAME.db
measure()
{
	local links=
	[ $# -lt 5 ] || links="links: {speed: $5, mtu: 1500}"
	cat >"$1.yaml" <<END
plan: conditions
storage:
  - {name: $2, paths: {tcp: $dir/files}, $links}
client: {$links}
clients: [$3]
transports: [tcp]
repeat: 1
defaults: {ioengine: null, size: 1m, bs: 64k, runtime: 1s, time_based: 1, iodepth: 2, numjobs: 1}
workloads:
  - {$4}
END
	volley run "$1.yaml" --local "${3##*,}" --db "$1.db" >"$1.out" 2>&1 ||
		fail "$1: $(tail -3 "$1.out")"
}

# a busy machine makes I/Os late: what depends on it is judged with room
loose='--threshold noise=15% --threshold near_low=60%'

# findings RULE DB...: the findings of a rule with their evidence, one line each
findings()
{
	local rule=$1
	shift
	volley analyze "$@" $loose -o json |
		jq -r --arg rule "$rule" '.findings[] | select(.rule == $rule) |
			([.title] + .evidence | join("; "))'
}

# named RULE PATTERN DB...: there is such a finding
named()
{
	local rule=$1 pattern=$2
	shift 2
	findings "$rule" "$@" | grep -Eq -- "$pattern" ||
		fail "$rule: no '$pattern' of $*: $(findings "$rule" "$@")"
}

# silent RULE PATTERN DB...: there is none
silent()
{
	local rule=$1 pattern=$2
	shift 2
	! findings "$rule" "$@" | grep -Eq -- "$pattern" ||
		fail "$rule: '$pattern' of $*: $(findings "$rule" "$@")"
}

reads='name: reads, rw: read'

# the total: 100/s with one client and with two, 200/s with four; or 100/s with all
measure one S 1 "$reads, fault_delay: 20ms"
measure two S 2 "$reads, fault_delay: 40ms"
measure two-fast S 2 "$reads, fault_delay: 20ms"
measure four S 4 "$reads, fault_delay: 40ms"
measure four-flat S 4 "$reads, fault_delay: 80ms"
named scale-efficiency 'client: (4[2-9]|5[0-5]) % at 2' one.db two.db
silent scale-efficiency 'client: [4-7]. % at 2' one.db two-fast.db
named late-rise 'flat from 1 to 2 clients.* at 4' one.db two.db four.db
silent late-rise . one.db two.db four-flat.db
silent scale-inversion . one.db two-fast.db four.db

# the same thing three times: 20, 40 and 20 ms, or 20 ms each time
measure again S 1 "$reads, fault_delay: 20ms"
measure slower S 1 "$reads, fault_delay: 40ms"
measure third S 1 "$reads, fault_delay: 20ms"
named noise 'repeats deviate by' one.db slower.db again.db
silent noise 'repeats' one.db third.db again.db

# five repeats, each 10 % of the first slower than the one before; the same in another order
n=0
for delay in 20.0 22.2 25.0 28.6 33.3; do
	n=$((n + 1))
	measure "drift$n" S 1 "$reads, fault_delay: ${delay%.*}${delay#*.}00us"
done
named noise 'repeats drift; .*-[3-6].\.. % from the first to the last of 5' drift[12345].db
silent noise 'drift' drift3.db drift1.db drift5.db drift2.db drift4.db

# a queue that is used wins all the way (analyze-sweep.sh has one that is not)
measure growing S 1 'name: sweep, rw: randread, iodepth: [1, 2, 4, 8], fault_delay: 20ms'
named sweep-peak 'still grows at the deepest point, qd8 x 1' growing.db

# 100 I/Os/s of 64 KiB are 52 Mbit/s: far above 20 Mbit/s, near 57, far below 1 Gbit/s
measure narrow S 1 "$reads, fault_delay: 20ms" 20M
measure near S 1 "$reads, fault_delay: 20ms" 57M
measure wide S 1 "$reads, fault_delay: 20ms" 1G
named above-ceiling . narrow.db
silent above-ceiling . near.db wide.db
named ceiling 'at the ceiling' near.db
silent ceiling 'at the ceiling' wide.db

# one storage is quick at reads, the other at writes; or one is quick at both
measure s-reads S 1 "$reads, fault_delay: 20ms"
measure s-writes S 1 'name: writes, rw: write, fault_delay: 60ms'
measure t-reads T 1 "$reads, fault_delay: 40ms"
measure t-writes T 1 'name: writes, rw: write, fault_delay: 30ms'
measure t-slow T 1 'name: writes, rw: write, fault_delay: 120ms'
named balance 'no storage is best' s-reads.db s-writes.db t-reads.db t-writes.db
silent balance 'no storage is best' s-reads.db s-writes.db t-reads.db t-slow.db

# thresholds of the plan hold, the command line goes before, two plans must not disagree
for db in narrow wide; do
	sed "\$a thresholds: {near_high: $([ $db = narrow ] && echo 900 || echo 901)%}" $db.yaml >$db-th.yaml
	volley run $db-th.yaml --local 1 --db $db-th.db >log 2>&1 || fail "$(tail -3 log)"
done
silent above-ceiling . narrow-th.db
volley analyze narrow-th.db -o json | jq -e '.thresholds.near_high_pct == 900' >/dev/null ||
	fail "the plan's threshold is not in the result"
volley analyze narrow-th.db --threshold near_high=102% | grep -q above-ceiling ||
	fail "the command line does not go before the plan"
volley analyze narrow-th.db wide-th.db >log 2>&1
[ $? -eq 2 ] && grep -q "different thresholds 'near_high'" log || fail "two plans: $(cat log)"
volley report narrow-th.db wide-th.db --threshold near_high=102% >/dev/null || fail "report"
sed '$a thresholds: {near_hihg: 3%}' narrow.yaml >bad.yaml
volley plan check bad.yaml >log 2>&1
[ $? -eq 2 ] && grep -q "bad.yaml:11:25: no threshold 'near_hihg'" log || fail "bad name: $(cat log)"

[ "$failed" -eq 0 ] && echo "conditions are named, near misses are not"
exit "$failed"
