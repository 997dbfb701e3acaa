#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Rules from end to end: the fault engine makes a condition, real runs measure it, and the
# analysis names it; the near miss beside it stays silent.
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

# measure NAME TRANSPORT CLIENTS REPEATS OPTIONS: runs one case of storage S into NAME.db
measure()
{
	cat >"$1.yaml" <<END
plan: fault
storage:
  - {name: S, paths: {$2: $dir/files}}
clients: [$3]
transports: [$2]
repeat: $4
defaults: {ioengine: null, size: 1m, bs: 64k, runtime: 1s, time_based: 1, iodepth: 2, numjobs: 1}
workloads:
  - {name: reads, rw: read, $5}
END
	volley run "$1.yaml" --local "$3" --db "$1.db" >"$1.out" 2>&1
}

# rule RULE DB...: the findings of a rule, one line each: severity verdict title
findings()
{
	local rule=$1
	shift
	volley analyze "$@" -o json | awk -v rule="\"rule\": \"$rule\"," '
		index($0, rule) {here = 1}
		here && /"severity"/ {severity = $2}
		here && /"verdict"/ {verdict = $2}
		here && /"title"/ {print severity, verdict, $0; here = 0}' | tr -d '",'
}

measure tcp tcp 1 3 'fault_delay: 4ms'
measure slow rdma 1 3 'fault_delay: 8ms'
measure alike rdma 1 3 'fault_delay: 4ms'
measure once rdma 1 1 'fault_delay: 8ms'
measure two tcp 2 3 'fault_delay: 16ms'
measure errors tcp 4 1 'fault_error_every: 50, continue_on_error: all, fault_delay: 4ms'

got=$(findings rdma-inversion tcp.db slow.db)
[[ $got == "critical worse"*"S reads: RDMA -"* ]] || fail "twice the delay over RDMA: $got"
got=$(findings rdma-inversion tcp.db alike.db)
[ -z "$got" ] || fail "the same delay over RDMA: $got"
got=$(findings rdma-inversion tcp.db once.db)
[[ $got == *suspect* || $got == *inconclusive* ]] && [[ $got != critical* ]] ||
	fail "one run over RDMA: $got"
got=$(findings scale-inversion tcp.db two.db)
[[ $got == "critical worse"*"falls by"*"from 1 to 2 clients"* ]] ||
	fail "two clients that wait four times as long: $got"
got=$(findings latency tcp.db slow.db alike.db)
[[ $got != *"do not go together"* ]] || fail "depth, rate and latency agree: $got"
got=$(findings validity errors.db tcp.db)
[[ $got == "warning observed"*io-errors* ]] || fail "I/Os that failed: $got"
volley analyze errors.db tcp.db slow.db | sed -n '3p' | grep -q validity ||
	fail "figures in doubt do not come first"
got=$(findings validity tcp.db slow.db)
[[ $got != *critical* && $got != *warning* ]] || fail "nothing is in doubt: $got"

[ "$failed" -eq 0 ] && echo "conditions are named, near misses are not"
exit "$failed"
