#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ground truth for percentiles: three agents on a device, each held to another IOPS, so
# that their latencies differ widely. The kernel's trace says when each read began and
# ended; the percentiles of all these raw samples, pooled, are those of the result within
# 1 %. The mean of the agents' own percentiles is far away.

# shellcheck source=tests/support/throttle.sh
. "${abs_top_srcdir:-.}/tests/support/throttle.sh"
# shellcheck source=tests/support/agents.sh
. "${abs_top_srcdir:-.}/tests/support/agents.sh"
# shellcheck source=tests/support/observe.sh
. "${abs_top_srcdir:-.}/tests/support/observe.sh"
throttle_require
WHY=$(observe_available) || throttle_skip "$WHY"
command -v sqlite3 >/dev/null || throttle_skip "needs sqlite3"
observe_available

cleanup() {
	observe_down
	throttle_down
}
throttle_up 64M
trap cleanup EXIT

OUT=$THROTTLE_DIR/percentiles
observe_start volley-io sys_enter_pread64 sys_exit_pread64 || throttle_fail "no trace"
agents_up riops 100 200 310
agents_run percentiles "$OUT" 'ioengine: psync, rw: randread, bs: 4k, direct: 1, numjobs: 32,' \
	'size: 2m, time_based: 1, runtime: 5s, ramp_time: 500ms'
agents_wait 0 "$OUT"
agents_down
observe_stop "$OUT.trace"

# The window on this host's clock; all agents have the same, to some µs.
read -r FROM TO < <(sqlite3 -cmd '.timeout 9999' -separator ' ' "$OUT.db" "
	SELECT printf('%.9f', max(start_ns + window_from_ns) / 1e9),
	       printf('%.9f', min(start_ns + window_to_ns) / 1e9)
	FROM tally WHERE client IS NOT NULL")
awk -v from="$FROM" -v to="$TO" '
	$4 == "enter" {began[$1] = $2}
	$4 == "exit" && ($1 in began) && $2 >= from && $2 < to {
		printf "%.0f\n", ($2 - began[$1]) * 1e9
	}' "$OUT.trace" | sort -n >"$OUT.raw"
SAMPLES=$(wc -l <"$OUT.raw")
IOS=$(jq '.cases[0].all_clients.read.ios' "$OUT.json")
echo "$SAMPLES samples of the kernel's, $IOS I/Os in the result"
if [ "$IOS" -lt 2500 ] || [ $((SAMPLES - IOS)) -gt 3 ] || [ $((IOS - SAMPLES)) -gt 3 ]; then
	throttle_fail "not the same I/Os"
fi

# rank P: nearest rank on the raw samples
rank() {
	awk -v p="$1" -v n="$SAMPLES" 'BEGIN {r = p * n / 100; r = r > int(r) ? int(r) + 1 : r}
		NR == r {print; exit}' "$OUT.raw"
}

# Of p99, the agents with few samples state nothing; the pool does.
for p in 50 90 95 99; do
	jq -er --arg p $p --argjson truth "$(rank $p)" '
		.cases[0].all_clients.read.clat_ns.percentile[$p] as $got
		| ([.cases[0].per_client[].read.clat_ns.percentile[$p]] | map(numbers) | add / length) as $mean
		| "p\($p): \($got) ns, raw samples \($truth) ns (\(($got / $truth - 1) * 100) %), mean of agents \($mean) ns",
		((($got / $truth - 1) | fabs) <= 0.01
		 and ($p != "50" or (($mean / $truth - 1) | fabs) > 0.05))' "$OUT.json" ||
		throttle_fail "p$p: not that of the pooled samples"
done
