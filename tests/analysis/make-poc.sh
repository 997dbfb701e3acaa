#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes poc.csv, the input of the published proof of concept for `volley import csv`,
# from poc-facts.csv (what its article states) and values of our own where it gives only
# statements:
#
#     tests/analysis/make-poc.sh > tests/analysis/poc.csv
#
# A figure of transport "any" goes into both transports. Rows of workload "all" are bounds
# and only checked against the values below. What the article states of one cell becomes one
# row: throughput, IOPS, latency and the change against TCP.
set -eu
cd "$(dirname "$0")"

# storage, workload, transport, clients, column, value: ours, and the statement behind it
own='
D seq-read-1m rdma 8 change_pct 3                 normal up to 8 nodes
D seq-write-1m rdma 8 change_pct -2               normal up to 8 nodes
D multi-file-rand-read-128k rdma 8 change_pct 5   normal up to 8 nodes
D multi-file-rand-read-128k rdma 8 latency_ms 12  "more than 4x" at 16
D rand-read-4k rdma 8 change_pct 90               the gain grows with nodes
A seq-read-1m rdma 8 throughput_gib_s 22.9        flat from 1 node on
A seq-read-1m rdma 16 throughput_gib_s 23.4       the jump is between 16 and 30
A seq-read-1m rdma 16 change_pct 2                reads normal: write path only
A seq-read-1m tcp 16 throughput_gib_s 22.9        flat from 1 node on
A multi-file-rand-read-128k rdma 8 throughput_gib_s 40.2   "once more": flat before 16
A rand-read-4k rdma 16 change_pct -3              reads normal
C rand-read-4k any 16 iops_k 3150                 4,096 in flight / 1.3 ms
C rand-read-4k rdma 16 change_pct 1               no anomaly is stated
C rand-write-4k rdma 16 change_pct 2              no anomaly is stated
B seq-read-1m rdma 16 change_pct 12               +3 to +77 in every workload
B seq-write-1m rdma 16 change_pct 52              far behind A on TCP, close to it on RDMA
B seq-write-1m rdma 16 throughput_gib_s 38        close to A on RDMA (46 - 17 %)
B rand-read-4k rdma 16 change_pct 30              +3 to +77
B rand-write-4k rdma 16 change_pct 3              +3 to +77
B multi-file-rand-read-128k rdma 16 throughput_gib_s 46    between C 49 and A 41, in order
E seq-write-1m rdma 16 change_pct 2               within 5
E rand-write-4k rdma 16 change_pct -5             within 5
E multi-file-rand-read-128k rdma 16 change_pct 4  within 5
E multi-file-rand-read-128k rdma 16 throughput_gib_s 43    between B and A, in order
'

{
	awk '$1 != "" {print $1 "," $2 "," $3 "," $4 "," $5 "," $6}' <<<"$own"
	awk -F, '!/^#/ && $1 != "workload" && $1 != "all" && $6 != "" {
		print $2 "," $1 "," $3 "," $4 "," $5 "," $6}' poc-facts.csv
} | awk -F, '
	function put(transport) {
		cell = $1 "," $2 "," transport "," $4
		column = $5 == "iops_k" ? "iops" : $5
		value[cell, column] = $6 (column == "iops" ? " k" : "")
		cells[cell] = 1
	}
	$3 == "any" {put("tcp"); put("rdma"); next}
	{put($3)}
	END {
		for (cell in cells)
			print cell "," value[cell, "throughput_gib_s"] "," \
				value[cell, "iops"] "," value[cell, "latency_ms"] "," \
				value[cell, "change_pct"]
	}' | LC_ALL=C sort -t, -k1,1 -k2,2 -k4,4n -k3,3 | {
	echo "storage,workload,transport,clients,throughput_gib_s,iops,latency_ms,change_pct"
	cat
}
