#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fabric: measures the network between agents before the storages: every pattern runs,
# over targets that the agents serve and end, a transport that cannot be had is left out
# with its reason, and the measured line rate becomes the ceiling of the analysis.
set -u

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
mkdir data

fail() {
	echo "FAIL: $*"
	tail -n 20 ./*.err 2>/dev/null
	exit 1
}

# plan TRANSPORTS
plan() {
	cat <<-PLAN
		plan: fabric
		storage:
		  - {name: nothing, paths: {tcp: $dir/data}}
		fabric: {transports: $1, bs: 64k, iodepth: 4, numjobs: 1, runtime: 300ms}
		clients: 1
		repeat: 1
		max_skew: 10s
		defaults: {ioengine: "null", size: 1g, bs: 1m, time_based: 1, runtime: 300ms}
		workloads:
		  - {name: fast, rw: read}
	PLAN
}

plan '[tcp]' >tcp.yaml
volley run tcp.yaml --local 4 --db tcp.db -o json >tcp.json 2>tcp.err || fail "run: $?"
got=$(jq -r '.cases[] | select(.storage == "fabric") |
	"\(.workload) \(.transport) \(.clients) \(.clients_reported) \(.state)"' tcp.json)
want='pairwise-read tcp 2 2 VALID
pairwise-write tcp 2 2 VALID
n-to-1-read tcp 3 3 VALID
n-to-1-write tcp 3 3 VALID
n-to-n-read tcp 4 4 VALID
n-to-n-write tcp 4 4 VALID'
[ "$got" = "$want" ] || fail "the cases are: $got"
jq -e '[.cases[] | select(.storage == "fabric") | .per_client[] | (.read // .write).bytes > 0] |
	length == 18 and all' tcp.json >/dev/null || fail "some client moved nothing"

# An engine without a storage is faster than any network: the analysis says so.
volley analyze tcp.db -o json >analysis.json 2>analysis.err
jq -e '[.findings[] | select(.rule == "above-ceiling" and (.title |
	endswith("more than the fabric was measured to carry")))] | length == 1' analysis.json \
	>/dev/null || fail "no finding of the rate above the measured line rate"
! grep -q '"fabric"' analysis.json || fail "the fabric is taken for a storage"
volley run tcp.yaml --local 4 --db none.db --no-fabric -o json >none.json 2>none.err ||
	fail "run without: $?"
[ "$(jq '.cases | length' none.json)" = 1 ] || fail "--no-fabric left something"
volley analyze none.db -o json >analysis.json 2>analysis.err
jq -e '[.findings[] | select(.rule == "above-ceiling")] | length == 0' analysis.json \
	>/dev/null || fail "a ceiling out of nothing"

# One agent has nobody to talk to.
volley run tcp.yaml --local 1 --db one.db -o json >one.json 2>one.err || fail "one: $?"
grep -q 'fabric: left out: it takes two agents' one.err || fail "one agent, and no word"

# Without a device RDMA is left out; with one this is the lab's business.
if [ ! -d /sys/class/infiniband ] || [ -z "$(ls /sys/class/infiniband)" ]; then
	plan '[rdma]' >rdma.yaml
	volley run rdma.yaml --local 2 --db rdma.db -o json >rdma.json 2>rdma.err ||
		fail "rdma: $?"
	grep -qE 'fabric rdma: left out: local-[12]: (no RDMA device on this host|RDMA is not built in)' \
		rdma.err || fail "no reason why RDMA was left out"
fi
exit 0
