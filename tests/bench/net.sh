#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# net-tcp beside iperf3 on loopback: one stream, 1 MiB at a time, 16 in flight, PAIRS
# pairs in turns (A B C C B A). The export is one MiB, as iperf3 has one buffer at each end;
# but the client has 16 of them, which no cache of a core holds. Reads, the way that bytes
# of storages mostly go, have a target; writes are for information.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=tests/bench/stats.sh
. "$here/stats.sh"
BIN=${abs_top_builddir:-.}
PAIRS=${PAIRS:-7}
SECONDS_EACH=${SECONDS_EACH:-1}
LEAST=0.95
DIR=$(mktemp -d "${TMPDIR:-/tmp}/volley-bench.XXXXXX") || exit 1
PIDS=()

cleanup() {
	[ ${#PIDS[@]} -eq 0 ] || kill "${PIDS[@]}" 2>/dev/null
	rm -rf "$DIR"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

command -v iperf3 >/dev/null || {
	echo "net-tcp: skipped: needs iperf3 to compare with"
	exit 0
}
PORT=$((20000 + $$ % 20000))
(umask 077 && head -c 24 /dev/urandom | base64 >"$DIR/key")
"$BIN/volley-io" serve --listen 127.0.0.1:$PORT --key "$DIR/key" --export ram=mem:1M \
	>"$DIR/serve.log" 2>&1 &
PIDS+=($!)
iperf3 -s -p $((PORT + 1)) >"$DIR/iperf.log" 2>&1 &
PIDS+=($!)
for port in $PORT $((PORT + 1)); do
	until (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
		kill -0 "${PIDS[@]}" 2>/dev/null || exit 1
		read -r -t 0.05 _ <> <(:) || :
	done
done

# Bytes per second of one run
iperf() {
	iperf3 -c 127.0.0.1 -p $((PORT + 1)) -l 1M -t "$SECONDS_EACH" -J |
		jq -r '.end.sum_received.bits_per_second / 8'
}

net() {
	"$BIN/volley-io" --name=bench --ioengine=net-tcp --hostname=127.0.0.1 --port=$PORT \
		--export=ram --keyfile="$DIR/key" --rw="$1" --bs=1M --iodepth=16 --size=1M \
		--zero_buffers=1 --time_based=1 --runtime="$SECONDS_EACH" --output-format=json |
		jq -r ".jobs[0].$1.bw_bytes"
}

for ((i = 0; i < PAIRS; i++)); do
	: >"$DIR/pair"
	for what in iperf read write write read iperf; do
		if [ $what = iperf ]; then rate=$(iperf); else rate=$(net $what); fi
		[ -n "$rate" ] || { echo "net-tcp: a run failed"; exit 1; }
		echo "$what $rate" >>"$DIR/pair"
	done
	awk -v r="$DIR/read" -v w="$DIR/write" '{sum[$1] += $2}
		END {print sum["read"] / sum["iperf"] >>r; print sum["write"] / sum["iperf"] >>w
		printf "    iperf3 %.2f GB/s\n", sum["iperf"] / 2e9}' "$DIR/pair" >"$DIR/last"
done

# row NAME RATIOS TARGET
row() {
	local median low high met='for information'
	read -r median low high < <(stats_interval <"$2")
	# A miss that the machine's restlessness explains is none, and no proof either.
	[ -z "$3" ] || met=$(awk "BEGIN {print ($median >= $3 ? \"met\" : $high >= $3 ? \"open\" : \"MISSED\")}")
	printf '%-44s %10s %21s  %-14s %s\n' "$1" "$median" "$low .. $high" \
		"${3:+median >= $3}" "$met"
	[ "$met" != MISSED ]
}
status=0
row 'net-tcp 1 MiB qd16 read / iperf3' "$DIR/read" $LEAST || status=1
row 'net-tcp 1 MiB qd16 write / iperf3' "$DIR/write" ''
cat "$DIR/last"
exit $status
