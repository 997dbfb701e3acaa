#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Rules whose condition is a difference inside of one run: jobs of the fault engine that run
# at the same time make tails, humps and one slow client, and a near miss stays silent.
set -u

command -v jq >/dev/null || {
	echo "jq is not here"
	exit 77
}
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

# measure NAME TRANSPORT CLIENTS REPEATS JOBS: runs two jobs as one case into NAME.db
measure()
{
	cat >"$1.yaml" <<END
plan: jobs
storage:
  - {name: S, paths: {$2: $dir/files}}
clients: [$3]
transports: [$2]
repeat: $4
defaults: {ioengine: null, size: 1m, bs: 64k, runtime: 3s, time_based: 1, iodepth: 16, numjobs: 1}
workloads:
  - {name: two, rw: read, jobs: [$5]}
END
	volley run "$1.yaml" --local "$3" --db "$1.db" >"$1.out" 2>&1 ||
		fail "$1: $(tail -3 "$1.out")"
}

# findings RULE DB...: title, scope and evidence of a rule's findings, one line each
findings()
{
	local rule=$1
	shift
	volley analyze "$@" -o json | jq -r --arg rule "$rule" '.findings[] |
		select(.rule == $rule) | ([.title, .scope // "-"] + .evidence | join("; "))'
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

# Quick I/Os and few slow ones are a tail, many slow ones a second hump.
measure tail rdma 1 1 '{name: a, fault_delay: 2ms}, {name: b, fault_delay: 240ms}'
measure humps tcp 1 1 '{name: a, fault_delay: 8ms}, {name: b, fault_delay: 40ms}'
measure alike tcp 1 1 '{name: a, fault_delay: 8ms}, {name: b, fault_delay: 9ms}'
named latency 'long tail.*p50 [23]\..* ms, p99.9 2[2-9].\.. ms' tail.db
silent latency 'long tail' humps.db alike.db
named latency 'two kinds.*around .* and around .* \(1[0-9] % of all\)' humps.db
silent latency 'two kinds' tail.db alike.db
# 32 in flight are what both jobs ask for together; a busy machine may have fewer
silent latency 'do not go together' tail.db humps.db alike.db

# RDMA's tail beside that of TCP, whose median is no better; and beside a tail alike.
measure plain tcp 1 1 '{name: a, fault_delay: 8ms}, {name: b, fault_delay: 8ms}'
measure as-long tcp 1 1 '{name: a, fault_delay: 4ms}, {name: b, fault_delay: 240ms}'
named latency "RDMA has the longer tail.*p99.9 2.* ms, over TCP" tail.db plain.db
silent latency "longer tail" tail.db as-long.db

# One client in five at a third of its peers' rate; and 10 % behind them.
most='name: most, clients: 4, fault_delay: 160ms'
measure slow tcp 5 2 "{$most}, {name: one, clients: 1, fault_delay: 480ms}"
measure near tcp 5 2 "{$most}, {name: one, clients: 1, fault_delay: 176ms}"
named straggler 'local-5 is up to [67]. % behind.*in 2 of the 2 runs.*fairness 0\.(8|90|91|92)' slow.db
silent straggler . near.db

[ "$failed" -eq 0 ] && echo "conditions within a run are named, near misses are not"
exit "$failed"
