#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Proof of transport from end to end: two agents on one mount whose wire (hangfs.c) moves
# the counters of a card in a tree, which both read instead of /proc and /sys. Proven,
# refuted, cached and not condemned; counters explain a finding; text, JSON, CSV and SQL
# tell the same.
set -u

bin=${abs_top_builddir:-.}
hangfs=$bin/tests/support/hangfs

skip() {
	echo "SKIP: $*"
	exit 77
}

[ -x "$hangfs" ] || skip "configured without libfuse3, for a file system with a wire"
[ "$(id -u)" = 0 ] || skip "needs root, to mount a file system"
[ -w /dev/fuse ] || skip "no /dev/fuse here"
command -v jq >/dev/null || skip "no jq here"
command -v sqlite3 >/dev/null || skip "no sqlite3 here"
if [ "${PROOF_INSIDE:-}" != 1 ]; then
	unshare -m true 2>/dev/null || skip "no mount namespaces here"
	exec env PROOF_INSIDE=1 unshare -m "$0"
fi

dir=$(mktemp -d) || exit 1
pids=()

down() {
	local pid
	for pid in "${pids[@]}"; do
		kill "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	umount -l "$dir/mnt" 2>/dev/null
	rm -rf "$dir"
}
trap down EXIT

fail() {
	echo "FAIL: $*" >&2
	cat "$dir"/*.err "$dir"/*.log >&2 2>/dev/null
	exit 1
}

# ---- the host that the agents see, and its file system ----

tree=$dir/tree
port=$tree/sys/class/infiniband/mlx5_0/ports/1
mkdir -p "$tree/proc/net" "$tree/proc/self" "$port/counters" "$port/hw_counters" \
	"$dir/behind/tcp" "$dir/behind/rdma" "$dir/mnt"
echo "40 1 0:50 / $dir/mnt rw - wekafs server/fs rw" >"$tree/proc/self/mountinfo"
: >"$dir/control"
mkfifo "$dir/ready"
"$hangfs" "$dir/behind" "$dir/control" "$dir/mnt" "$tree" >"$dir/ready" 2>"$dir/hangfs.log" &
pids+=($!)
read -r -t 20 _ <"$dir/ready" || skip "the file system cannot be mounted here"

"$bin/volley" key new "$dir/poc" >/dev/null || fail "no key"
agents=
for i in 1 2; do
	"$bin/volleyd" --listen "127.0.0.1:$((20000 + ($$ + i) % 20000))" --trust "$dir/poc.pub" --key "$dir/a$i.key" \
		--name "node-0$i" --allow "$dir/mnt" --probe-root "$tree" --ready-fd 9 \
		9>"$dir/ready" 2>"$dir/a$i.log" &
	pids+=($!)
	read -r -t 20 _ address <"$dir/ready" || fail "agent $i"
	agents=$agents${agents:+,}$address
done

# wire "WORD WORD": what carries files below mnt/tcp, and those below mnt/rdma
wire() {
	echo "$1" >"$tree/wire"
}

# run NAME "OPTIONS": both transports; what came of it is NAME.json
run() {
	local name=$1
	cat >"$dir/$name.yaml" <<-PLAN
		plan: $name
		storage: [{name: box, paths: {tcp: $dir/mnt/tcp, rdma: $dir/mnt/rdma}}]
		transports: [tcp, rdma]
		clients: 2
		repeat: 1
		max_skew: 5s
		defaults: {ioengine: psync, size: 4m, time_based: 1, runtime: 1s, direct: 1}
		workloads: [{name: w, $2}]
	PLAN
	timeout 120 "$bin/volley" run "$dir/$name.yaml" --agents "$agents" --key "$dir/poc.key" \
		--known-agents "$dir/known" --db "$dir/$name.db" \
		>"$dir/$name.out" 2>"$dir/$name.err"
	status=$?
	"$bin/volley" show "$dir/$name.db" -o json >"$dir/$name.json" || fail "show $name"
}

# expect NAME TRANSPORT JQ-FILTER VALUE: of that transport's case
expect() {
	local got
	got=$(jq -r ".cases[] | select(.transport == \"$2\") | $3" "$dir/$1.json")
	[ "$got" = "$4" ] || fail "$1, $2: $3 is '$got', not '$4'"
}

has() {
	grep -qF -- "$2" "$dir/$1" || fail "$1 lacks '$2'"
}

reads='rw: read, bs: 256k, rate: 20m'

# ---- each on its own transport ----

wire "tcp rdma"
run proven "$reads"
[ "$status" = 0 ] || fail "proven: status $status"
for transport in tcp rdma; do
	expect proven $transport .state VALID
	expect proven $transport .transport_proof proven
	expect proven $transport '[.per_client[].transport_proof] | unique | join(",")' proven
	# the calibrating read was made
	expect proven $transport '.per_client[0].transport_proof_detail.trial_bytes' 4194304
done
expect proven rdma '.per_client[0] | .counters["rdma/mlx5_0/1"].rx_bytes >=
	.transport_proof_detail.application_bytes * 0.95' true
expect proven rdma '.per_client[0].counters["net/eth0"].rx_bytes' 0
has proven.out "transport: proven in 2 runs (volley show CASE: why)"
"$bin/volley" show "$dir/proven.db" box/rdma >"$dir/proven.case" || fail "show a case"
has proven.case "transport of node-01: proven: "
"$bin/volley" show "$dir/proven.db" -o csv >"$dir/proven.csv"
[ "$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "transport_proof") at = i} {print $at}' \
	"$dir/proven.csv" | sort -u | paste -sd,)" = "proven,transport_proof" ] ||
	fail "csv: $(cat "$dir/proven.csv")"
[ "$(sqlite3 "$dir/proven.db" "SELECT group_concat(DISTINCT verdict) FROM proof")" = proven ] ||
	fail "sql"

# ---- RDMA that silently is TCP: INVALID, and the analysis says so first ----

wire "tcp tcp"
run refuted "$reads"
[ "$status" = 4 ] || fail "refuted: status $status"
expect refuted tcp .state VALID
expect refuted tcp .transport_proof proven
expect refuted rdma .state INVALID
expect refuted rdma .transport_proof refuted
expect refuted rdma '[.reasons[] | select(.makes == "INVALID") | .code] | unique | join(",")' \
	transport-refuted
has refuted.err "of the bytes are on RDMA by its counters, and "
"$bin/volley" analyze "$dir/refuted.db" >"$dir/refuted.findings" 2>"$dir/analyze.err"
has refuted.findings "transport-refuted: the bytes did not take the transport that was named"

# ---- neither counter moves: a client that passes the kernel by is not condemned ----

wire "none none"
run bypass "$reads"
[ "$status" = 0 ] || fail "bypass: status $status"
expect bypass rdma .transport_proof unknown
expect bypass rdma .state VALID
has bypass.out "transport: unknown in 2 runs"

# ---- a cache: the calibrating read crossed the wire, what was measured did not ----

wire "large large"
run cached 'rw: read, bs: 16k, rate: 20m, runtime: 3s'
[ "$status" = 4 ] || fail "cached: status $status"
expect cached tcp .state INVALID
expect cached tcp '[.reasons[] | select(.makes == "INVALID") | .code] | unique | join(",")' \
	cached
run buffered 'rw: read, bs: 16k, rate: 20m, runtime: 3s, direct: 0'
expect buffered tcp .state VALID
expect buffered tcp '[.reasons[].code] | unique | contains(["cached"])' true

# ---- a sick fabric: slower, and the counter that says why is joined to the finding ----

wire "tcp sick"
run sick 'rw: read, bs: 64k'
expect sick rdma .transport_proof proven
"$bin/volley" analyze "$dir/sick.db" -o json >"$dir/sick.findings" 2>"$dir/analyze.err"
jq -e '.findings[] | select(.rule == "rdma-inversion") | .evidence |
	any(test("out_of_sequence on node-0. \\(rdma/mlx5_0/1\\) rose by [0-9]+ packets, .*/s: loss or reordering towards this host"))' \
	"$dir/sick.findings" >/dev/null || fail "the inversion has no counters: $(cat "$dir/sick.findings")"

# the same fabric in health: nothing is made of counters that did not rise
"$bin/volley" analyze "$dir/proven.db" -o json >"$dir/proven.findings" 2>"$dir/analyze.err"
jq -e '[.findings[].evidence[] | select(contains("out_of_sequence"))] == []' \
	"$dir/proven.findings" >/dev/null || fail "a sick counter: $(cat "$dir/proven.findings")"
