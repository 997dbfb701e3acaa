#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# write_*_log through agents: one file for each client and log beside the results, none
# written over by another client, repeat or run; fio's own reader of histogram logs takes
# them and finds volley's percentiles.
set -u

VOLLEY=${abs_top_builddir:-.}/volley
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT

fail() {
	echo "FAIL: $*" >&2
	exit 1
}
command -v jq >/dev/null || {
	echo "SKIP: needs jq"
	exit 77
}

mkdir "$DIR/data" "$DIR/elsewhere"
cat >"$DIR/job.fio" <<-JOB
	[logged]
	directory=$DIR/data
	rw=randread
	bs=4k
	size=2m
	io_size=1m
	ioengine=libaio
	iodepth=4
	rate_iops=400
	numjobs=2
	write_bw_log=$DIR/elsewhere/x
	write_iops_log=x
	write_lat_log=x
	write_hist_log=x
	log_hist_msec=100000
	log_unix_epoch=1
JOB
run() {
	"$VOLLEY" run "$DIR/job.fio" --local 3 --db "$DIR/r.db" --max-skew 10s \
		>"$DIR/run.txt" 2>"$DIR/run.log" || fail "run: $? $(cat "$DIR/run.log")"
}

before=$(date +%s%3N)
run
after=$(date +%s%3N)
# 3 clients x 2 threads x (bw, iops, slat, clat, lat, clat_hist)
folder=$(echo "$DIR"/r.db-logs/logged-storage-local-3-r1-*)
[ -d "$folder" ] || fail "no folder: $(ls "$DIR"/r.db-logs)"
[ "$(ls "$folder" | wc -l)" -eq 36 ] || fail "$(ls "$folder")"
[ -z "$(ls "$DIR/elsewhere")" ] || fail "the clients wrote where the prefix says"
for host in local-1 local-2 local-3; do
	for kind in bw iops slat clat lat; do
		# each of 256 I/Os of a thread is a line, its bytes included
		awk -F ', ' -v from="$before" -v to="$after" '
			$1 < from || $1 > to || $3 != 0 || $4 != 4096 {bad = 1}
			END {exit bad || NR != 512}' \
			"$folder/x_$kind."[12]".log.$host" ||
			fail "$kind of $host: $(head -n 3 "$folder/x_$kind.1.log.$host")"
	done
done
grep -q "36 logs of the clients are in" "$DIR/run.txt" || fail "$(cat "$DIR/run.txt")"

# A further run leaves those of the first as they are.
sum=$(cat "$folder"/* | cksum)
run
[ "$(ls -d "$DIR"/r.db-logs/* | wc -l)" -eq 2 ] || fail "$(ls "$DIR"/r.db-logs)"
[ "$(cat "$folder"/* | cksum)" = "$sum" ] || fail "logs of the first run changed"

# Threads are counted over the whole job file, as in fio, and the report says where they are.
cat >"$DIR/stages.fio" <<-JOB
	[global]
	directory=$DIR/data
	size=1m
	bs=4k
	rate_iops=400
	write_bw_log=y
	[w]
	rw=write
	numjobs=2
	[r]
	stonewall
	rw=read
	[r2]
	rw=read
JOB
"$VOLLEY" run "$DIR/stages.fio" --local 2 --db "$DIR/s.db" --max-skew 10s \
	>"$DIR/run.txt" 2>"$DIR/run.log" || fail "stages: $? $(cat "$DIR/run.log")"
got=$(cd "$DIR/s.db-logs" && echo w-storage*/* r-r2-storage*/* |
	sed 's/[^ ]*-r1-[0-9a-f]*\///g; s/\.log\.local-/@/g')
[ "$got" = "y_bw.1@1 y_bw.1@2 y_bw.2@1 y_bw.2@2 y_bw.3@1 y_bw.3@2 y_bw.4@1 y_bw.4@2" ] ||
	fail "logs of two stages: $got"
"$VOLLEY" show "$DIR/s.db" r-r2 | tr -s ' \n' '  ' | grep -q "4 logs of the clients are in" ||
	fail "$("$VOLLEY" show "$DIR/s.db" r-r2)"
if command -v fio >/dev/null; then
	(cd "$DIR/elsewhere" && fio "$DIR/stages.fio" >/dev/null) || fail "fio"
	[ "$(cd "$DIR/elsewhere" && echo y_bw.*)" = \
		"y_bw.1.log y_bw.2.log y_bw.3.log y_bw.4.log" ] || fail "$(ls "$DIR/elsewhere")"
fi

# The real fio logs under the same names, and leaves nothing on the client.
# lines RUNNER: "x_bw.1.log.local-1 256" and so on, for all its logs; of histograms, of
# which fio leaves the last out, only whether there are any
lines() {
	(cd "$DIR/$1.db-logs/"*/ && wc -l -- *) | awk '$2 != "total" {print $2, $2 ~ /hist/ ? ($1 > 0) : $1}'
}
# both WORKLOAD-LINE...: into native.db and fio.db
both() {
	local runner
	for runner in native fio; do
		rm -rf "$DIR/$runner.db" "$DIR/$runner.db-logs"
		{
			echo "plan: logs"
			echo "storage: [{name: disk, paths: {local: $DIR/data}}]"
			echo "clients: 2"
			echo "repeat: 1"
			echo "runner: $runner"
			echo "max_skew: 10s"
			echo "workloads:"
			echo "  - {name: w, rw: randread, bs: 4k, size: 2m, io_size: 1m, numjobs: 2, $1}"
		} >"$DIR/logs.yaml"
		TMPDIR=$DIR/tmp "$VOLLEY" run "$DIR/logs.yaml" --local 2 --db "$DIR/$runner.db" \
			>"$DIR/run.txt" 2>"$DIR/run.log" || fail "$runner: $? $(cat "$DIR/run.log")"
	done
}
if command -v fio >/dev/null; then
	mkdir "$DIR/tmp"
	both "ioengine: libaio, iodepth: 4, rate_iops: 400, write_bw_log: a/x, write_iops_log: x,
		write_lat_log: x, write_hist_log: x, log_hist_msec: 200ms, log_unix_epoch: 1"
	[ "$(lines native | wc -l)" -eq 24 ] || fail "native: $(lines native)"
	[ "$(lines native)" = "$(lines fio)" ] || fail "$(lines native) is not $(lines fio)"
	for log in "$DIR"/fio.db-logs/*/*_clat.*; do
		awk -F ', ' -v now="$(date +%s%3N)" '$1 > now || $1 < now - 60000 || $2 <= 0 ||
			$3 != 0 || $4 != 4096 {bad = 1} END {exit bad || NR != 256}' "$log" ||
			fail "$log: $(head -n 3 "$log")"
	done
	[ -z "$(ls "$DIR/tmp")" ] || fail "fio left $(ls "$DIR/tmp")"
	# Averages: each client reads 2 x 400 per s, in lines of 200 ms.
	both "ioengine: psync, rate_iops: 400, runtime: 1s, time_based: 1, write_iops_log: z,
		log_avg_msec: 200"
	for runner in native fio; do
		[ "$(lines $runner | cut -d ' ' -f 1 | tr '\n' ' ')" = \
			"z_iops.1.log.local-1 z_iops.1.log.local-2 z_iops.2.log.local-1 z_iops.2.log.local-2 " ] ||
			fail "$runner: $(lines $runner)"
		cat "$DIR/$runner.db-logs/"*/* | awk -F ', ' '{n++; sum += $2}
			END {exit !(n >= 12 && n <= 24 && sum / n > 300 && sum / n < 500)}' ||
			fail "$runner: $(cat "$DIR/$runner.db-logs/"*/*)"
	done
	# All threads in one file of each client; and a rate of all clients in the time of all.
	both "ioengine: psync, rate_iops: 400, write_lat_log: one, per_job_logs: 0"
	[ "$(lines fio | cut -d . -f 2 | sort | uniq -c | tr -s ' ')" = " 6 log" ] ||
		fail "one log of each: $(lines fio)"
	[ "$(lines fio | awk '/_clat/ {n += $2} END {print n}')" -eq 1024 ] || fail "$(lines fio)"
	"$VOLLEY" show "$DIR/fio.db" w -o json | jq -e '.cases[0].all_clients.read
		| (.common_iops / 1600 - 1 | fabs) < 0.2' >/dev/null ||
		fail "when the I/Os were done: $("$VOLLEY" show "$DIR/fio.db" w -o json)"
fi

PCTILES=/usr/share/doc/fio/fio-histo-log-pctiles.py
if [ -r $PCTILES.gz ]; then
	gunzip -c $PCTILES.gz >"$DIR/pctiles.py"
elif [ -r $PCTILES ]; then
	cp $PCTILES "$DIR/pctiles.py"
else
	echo "without fio-histo-log-pctiles.py: not tried"
	exit 0
fi
# It wants times from the start of the run on.
for log in "$folder"/x_clat_hist.*; do
	sed "s/^[0-9]*/500/" "$log" >"$DIR/$(basename "$log").hist"
done
python3 "$DIR/pctiles.py" --percentiles 50 90 -- "$DIR"/*.hist >"$DIR/pctiles" ||
	fail "fio-histo-log-pctiles.py: $(cat "$DIR/pctiles")"
"$VOLLEY" export "$DIR/r.db" --fio-json logged --repeat 1 >"$DIR/first.json" ||
	fail "export"
jq -e --arg line "$(tail -n 1 "$DIR/pctiles")" '
	($line | split(",") | map(tonumber? // empty)) as $got | $got[1] == 1536' \
	"$DIR/first.json" >/dev/null || fail "$(tail -n 1 "$DIR/pctiles")"
echo "fio-histo-log-pctiles.py: $(tail -n 1 "$DIR/pctiles")"
