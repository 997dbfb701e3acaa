#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Many cells: 10,000 and 100,000 of them are imported and analysed. The larger set must be
# analysed within a minute, with at most 11 times the memory of the smaller one. Exit 1
# when a limit is missed.
set -u

BIN=${abs_top_builddir:-.}
DIR=$(mktemp -d "${BENCH_DIR:-${TMPDIR:-/var/tmp}}/volley-cells.XXXXXX") || exit 1
trap 'rm -rf "$DIR"' EXIT
SECONDS_MAX=60
MEMORY_FACTOR_MAX=11
missed=0

# table WORKLOADS: 10 storages, 2 transports, 5 scales of each; fixed, but not smooth
table() {
	awk -v workloads="$1" 'BEGIN {
		srand(1)
		print "storage,workload,transport,clients,repeat,throughput_gib_s,iops,latency_ms"
		for (s = 0; s < 10; s++)
			for (w = 0; w < workloads; w++)
				for (t = 0; t < 2; t++)
					for (c = 1; c <= 16; c *= 2)
						printf "S%d,w%d,%s,%d,1,%.4f,%d,%.3f\n", s, w,
							t ? "rdma" : "tcp", c,
							10 * c ^ 0.8 * (0.95 + rand() / 10), 1000 * c,
							1 + rand()
	}'
}

# analysed DB: "SECONDS KIB"; KIB is its largest resident set, as the kernel kept it
analysed() {
	local start=$EPOCHREALTIME end
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' \
		"$BIN/volley" analyze "$1" >"$DIR/kib" || return
	end=$EPOCHREALTIME
	echo "$(awk "BEGIN {printf \"%.1f\", $end - $start}") $(cat "$DIR/kib")"
}

miss() {
	echo "MISSED: $*"
	missed=1
}

command -v python3 >/dev/null || {
	echo "SKIP: needs python3 to measure memory"
	exit 77
}
for workloads in 100 1000; do
	cells=$((workloads * 100))
	table $workloads >"$DIR/$cells.csv"
	start=$EPOCHREALTIME
	"$BIN/volley" import csv "$DIR/$cells.csv" --db "$DIR/$cells.db" >/dev/null || exit 1
	read -r seconds kib < <(analysed "$DIR/$cells.db") || exit 1
	printf '%6d cells: import and analysis %.1f s, analysis alone %s s, %d MiB\n' $cells \
		"$(awk "BEGIN {print $EPOCHREALTIME - $start}")" "$seconds" $((kib / 1024))
	[ $cells != 10000 ] || small=$kib
done
awk "BEGIN {exit !($seconds <= $SECONDS_MAX)}" || miss "100,000 cells within $SECONDS_MAX s"
[ "$kib" -le $((small * MEMORY_FACTOR_MAX)) ] || miss "ten times the cells, $((kib / small)) times the memory"
exit $missed
