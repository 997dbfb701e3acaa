#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# volley import fio, with results of the installed fio: a local job in json+ and in json,
# and fio --client with two servers on the loopback. Every figure of the file is found
# again in `volley show -o json` and in the tables; what goes out again as fio-json+ is
# what came in; files that are no results are refused with one line.
set -u

VOLLEY=${abs_top_builddir:-.}/volley
DIR=$(mktemp -d)
SERVERS=()
cleanup() {
	if [ ${#SERVERS[@]} -gt 0 ]; then
		kill "${SERVERS[@]}" 2>/dev/null
		wait "${SERVERS[@]}" 2>/dev/null
	fi
	rm -rf "$DIR"
}
trap cleanup EXIT

fail() {
	echo "FAIL: $*" >&2
	exit 1
}
for tool in fio jq sqlite3 ss; do
	command -v $tool >/dev/null || {
		echo "SKIP: needs $tool"
		exit 77
	}
done

# figures JSON-OF-FIO SHOW-JSON HOST: every figure of one entry beside those of a client
figures() {
	jq -en --slurpfile fio "$1" --slurpfile show "$2" --arg host "$3" '
		def close($a; $b): $a == $b or (($a / $b - 1) | fabs) < 1e-6;
		($fio[0] | (.jobs // .client_stats)
			| map(select(.jobname != "All clients" and (.hostname // $host) == $host))[0]) as $f
		| ($show[0].cases[-1].per_client[] | select(.agent == $host)) as $v
		| all(("read", "write"); . as $d
			| ($f[$d].total_ios == 0 and ($v | has($d) | not)) or
			  ($v[$d].ios == $f[$d].total_ios
			   and $v[$d].bytes == $f[$d].io_bytes
			   and ($v[$d].bytes_per_s | floor) == $f[$d].bw_bytes
			   and close($v[$d].iops; $f[$d].iops)
			   and all(("slat_ns", "clat_ns", "lat_ns"); . as $k
				| $f[$d][$k] as $a | $v[$d][$k] as $b
				| $b.count == $a.N and ($a.N == 0 or
				  (close($b.mean; $a.mean) and close($b.stddev; $a.stddev)
				   and $b.min == $a.min and $b.max == $a.max
				   and all($b.percentile | to_entries[];
					. as $p | ($a.percentile // {}) | to_entries
					| map(select((.key | tonumber) == ($p.key | tonumber))) | .[0].value as $stated
					# ours ends at max; none where fewer than 10 samples lie beyond it
					| $p.value == null or $stated == null
					  or ([$stated, $a.max] | min) == $p.value))))))
		and close($v.cpu_user_pct; $f.usr_cpu * $v.threads)
		and close($v.cpu_sys_pct; $f.sys_cpu * $v.threads)
		and $v.outstanding == null and $v.first_io_offset_ns == null' >/dev/null
}

# ---- a local job, with bins for all three latencies ----
fio --name=j --ioengine=libaio --iodepth=4 --rw=randrw --size=4m --bs=4k --numjobs=2 \
	--group_reporting=1 --directory="$DIR" --runtime=1 --time_based=1 \
	--lat_percentiles=1 --slat_percentiles=1 \
	--output-format=json+ --output="$DIR/local.json" >/dev/null || fail "fio"
"$VOLLEY" import fio "$DIR/local.json" --as storage=A,transport=tcp,workload=mix \
	--db "$DIR/l.db" >"$DIR/out" || fail "import of a local job: $(cat "$DIR/out")"
grep -q 'repeat 1, attempt 1: VALID, 1 of 1 clients' "$DIR/out" || fail "$(cat "$DIR/out")"
"$VOLLEY" show "$DIR/l.db" -o json >"$DIR/l.json" || fail "show"
figures "$DIR/local.json" "$DIR/l.json" local ||
	fail "other figures: $(jq -c '.cases[0].per_client' "$DIR/l.json")"
jq -e '.cases[0] | .state == "VALID" and .reasons[0].code == "imported"
	and .clients == 1 and .per_client[0].threads == 2 and .params.bs == 4096
	and .params.iodepth == 4 and .params.rw == "randrw" and .params.runtime == "1s"
	and .skew_ns == null and .window_ns == null and .overlap == null
	and .outstanding == null and .max_skew_ns == null
	and .all_clients.read.clat_ns.percentile["50"] > 0' "$DIR/l.json" >/dev/null ||
	fail "not what is known of it: $(jq -c '.cases[0] | del(.per_client)' "$DIR/l.json")"

# Bin for bin: a bucket's middle is fio's name of it.
for d in read write; do
	for k in slat clat lat; do
		sqlite3 "$DIR/l.db" "
			SELECT b.from_ns, b.count FROM bucket AS b JOIN figure AS f ON f.id = b.figure
			WHERE f.direction = '$d' AND b.kind = '$k' AND f.client IS NULL ORDER BY 1" |
			awk -F'|' '{w = 1; while ($1 >= 128 * w) w *= 2
				printf "%.0f %s\n", $1 + int(w / 2), $2}' >"$DIR/bins.ours"
		jq -r ".jobs[0].$d.${k}_ns.bins | to_entries[] | \"\(.key) \(.value)\"" \
			"$DIR/local.json" | sort -n >"$DIR/bins.fio"
		[ -s "$DIR/bins.fio" ] || fail "fio wrote no bins of $d $k"
		cmp -s "$DIR/bins.ours" "$DIR/bins.fio" ||
			fail "$d $k: $(diff "$DIR/bins.ours" "$DIR/bins.fio" | head -n 5)"
	done
done

# Out again: the same counts, bins, percentiles (fio's rule) and rates.
"$VOLLEY" export "$DIR/l.db" --fio-json mix >"$DIR/again.json" || fail "export"
jq -en --slurpfile a "$DIR/local.json" --slurpfile b "$DIR/again.json" '
	def figures: [.read, .write | [.io_bytes, .total_ios, .bw_bytes, .bw, .runtime,
		(.slat_ns, .clat_ns, .lat_ns | .min, .max, .N, .percentile, .bins)]];
	($a[0].jobs[0] | figures) == ($b[0].client_stats[0] | figures)
	and ($b[0].client_stats | length) == 2' >/dev/null ||
	fail "what went out is not what came in"

# The same file once more would count twice.
ERR=$("$VOLLEY" import fio "$DIR/local.json" --as storage=A,transport=tcp,workload=mix \
	--db "$DIR/l.db" 2>&1) && fail "the same file was taken twice"
[[ $ERR == *"local.json is in $DIR/l.db already: case "*", repeat 1" ]] || fail "$ERR"

# ---- json without bins: stated percentiles are the client's, and so those of all ----
fio --name=j --ioengine=psync --rw=read --number_ios=5000 --size=20m --bs=4k \
	--directory="$DIR" --output-format=json --output="$DIR/plain.json" >/dev/null || fail "fio"
"$VOLLEY" import fio "$DIR/plain.json" --as storage=A,transport=tcp,workload=plain \
	--db "$DIR/p.db" >/dev/null || fail "import without bins"
"$VOLLEY" show "$DIR/p.db" -o json >"$DIR/p.json" || fail "show"
figures "$DIR/plain.json" "$DIR/p.json" plain || fail "other figures without bins"
jq -e '.cases[0] | .all_clients.read.clat_ns.count == 5000
	and .all_clients.read.clat_ns.percentile["50"]
		== .per_client[0].read.clat_ns.percentile["50"]
	and .per_client[0].read.clat_ns.percentile["50"] > 0
	and .per_client[0].read.clat_ns.percentile["99"] > 0' "$DIR/p.json" >/dev/null ||
	fail "percentiles without bins: $(jq -c '.cases[0].all_clients.read.clat_ns' "$DIR/p.json")"

# ---- fio --client with two servers ----
PORT=$((21000 + $$ % 20000))
for ip in 127.0.0.1 127.0.0.2; do
	fio --server=$ip,$PORT >"$DIR/server-$ip.log" 2>&1 &
	SERVERS+=($!)
done
END=$((SECONDS + 20))
until [ "$(ss -ltnH "sport = :$PORT" | wc -l)" = 2 ]; do
	[ $SECONDS -lt $END ] || fail "no fio servers"
	read -r -t 0.05 _ <> <(:)
done
printf '%s\n' "127.0.0.1,$PORT" "127.0.0.2,$PORT" >"$DIR/hosts"
cat >"$DIR/job.fio" <<-JOB
	[j]
	ioengine=psync
	rw=randrw
	bs=4k
	size=1m
	directory=$DIR
	time_based=1
	runtime=1
	numjobs=2
	group_reporting=1
	rate_iops=500
JOB
run_client() {
	timeout 60 fio --client="$DIR/hosts" "$DIR/job.fio" --output-format=json+ \
		--output="$DIR/$1" >/dev/null 2>&1 || fail "fio --client"
	# what other versions print before it
	{
		printf '<127.0.0.1> j: (g=0): rw=randrw, bs={4k}\n...\nStarting 2 processes\n'
		cat "$DIR/$1"
	} >"$DIR/text-$1"
}
run_client client1.json
run_client client2.json
"$VOLLEY" import fio "$DIR/text-client1.json" "$DIR/text-client2.json" \
	--as storage=B,transport=rdma,clients=2,workload=pair --db "$DIR/c.db" >"$DIR/out" ||
	fail "import of fio --client: $(cat "$DIR/out")"
grep -q 'repeat 2, attempt 1: VALID, 2 of 2 clients' "$DIR/out" || fail "$(cat "$DIR/out")"
"$VOLLEY" show "$DIR/c.db" -o json >"$DIR/c.json" || fail "show"
sed -n '/^{/,$p' "$DIR/client2.json" >"$DIR/pure.json"
for host in 127.0.0.1 127.0.0.2; do
	figures "$DIR/pure.json" "$DIR/c.json" $host || fail "$host: other figures"
done
# fio's own sum has the same I/Os, rate and mean, and no percentiles; ours has.
jq -en --slurpfile fio "$DIR/pure.json" --slurpfile show "$DIR/c.json" '
	def close($a; $b): (($a / $b - 1) | fabs) < 1e-6;
	$fio[0].client_stats[-1] as $f | $show[0].cases[-1] as $c
	| $f.jobname == "All clients" and all(("read", "write"); . as $d
		| $c.all_clients[$d] as $v
		| $v.ios == $f[$d].total_ios and $v.bytes == $f[$d].io_bytes
		and ($v.bytes_per_s | floor) == $f[$d].bw_bytes
		and close($v.fio_style_iops; $f[$d].iops)
		and $v.clat_ns.count == $f[$d].clat_ns.N
		and close($v.clat_ns.mean; $f[$d].clat_ns.mean)
		and $v.clat_ns.min == $f[$d].clat_ns.min and $v.clat_ns.max == $f[$d].clat_ns.max
		and $v.clat_ns.percentile["50"] > 0)' >/dev/null || fail "not fio's sum"
"$VOLLEY" show "$DIR/c.db" | grep -q 'start skew and common window are unknown' ||
	fail "the table does not say what is unknown"

# ---- volley's own, native and of the real fio: out, in, and out again ----
mkdir "$DIR/data"
# there_and_back NAME WORKLOAD-LINE
there_and_back() {
	{
		echo "plan: back"
		echo "storage: [{name: A, paths: {local: $DIR/data}}]"
		echo "clients: 2"
		echo "repeat: 1"
		echo "max_skew: 10s"
		echo "workloads:"
		echo "  - {name: w, $2}"
	} >"$DIR/back.yaml"
	"$VOLLEY" run "$DIR/back.yaml" --local 2 --db "$DIR/$1.db" >/dev/null 2>"$DIR/log" ||
		fail "$1: $(cat "$DIR/log")"
	"$VOLLEY" export "$DIR/$1.db" --fio-json w >"$DIR/$1.out.json" || fail "export of $1"
	"$VOLLEY" import fio "$DIR/$1.out.json" --as storage=A,transport=tcp,clients=2,workload=w \
		--db "$DIR/$1.back.db" >"$DIR/out" || fail "import of $1: $(cat "$DIR/out")"
	"$VOLLEY" export "$DIR/$1.back.db" --fio-json w >"$DIR/$1.back.json" || fail "export of $1"
	jq -en --slurpfile a "$DIR/$1.out.json" --slurpfile b "$DIR/$1.back.json" '
		def nine: if type == "number" and . > 0 then
			. / pow(10; (log10 | floor) - 8) | round else . end;
		def figures: [.hostname, (.read, .write | [.io_bytes, .total_ios, .bw_bytes, .iops,
			.runtime, (.slat_ns, .clat_ns, .lat_ns)] | walk(nine))];
		def clients: [.[0].client_stats[:-1][] | figures];
		($a | clients) == ($b | clients) and ($a | clients | length) == 2
		and ($a[0].client_stats[-1].lat_ns == $b[0].client_stats[-1].lat_ns)' >/dev/null ||
		fail "$1 is another: $(diff <(jq . "$DIR/$1.out.json") <(jq . "$DIR/$1.back.json"))"
}
there_and_back native 'ioengine: libaio, iodepth: 4, rw: randrw, bs: "4k,8k", size: 4m,
	rate_iops: 300, time_based: 1, runtime: 1s, ramp_time: 500ms, numjobs: 2'
# A few milliseconds of reading back, of which fio knows whole ones.
there_and_back verify 'ioengine: psync, rw: write, bs: 64k, size: 8m, rate: ",20m", verify: crc32c'
there_and_back fio 'runner: fio, ioengine: libaio, iodepth: 4, rw: randrw, bs: "4k,8k", size: 4m,
	rate_iops: 300, time_based: 1, runtime: 1s, numjobs: 2'

# A server that fio could not reach: one client is missing.
STATUS=0
"$VOLLEY" import fio "$DIR/client1.json" --as storage=B,transport=rdma,clients=3,workload=pair \
	--db "$DIR/m.db" >"$DIR/out" || STATUS=$?
[ $STATUS -eq 4 ] || fail "a missing client: $STATUS"
grep -q 'PARTIAL, 2 of 3 clients' "$DIR/out" || fail "$(cat "$DIR/out")"

# ---- files that are no results ----
# refused TEXT FILE...
refused() {
	local text=$1 err status=0
	shift
	err=$("$VOLLEY" import fio "$@" --as storage=A,transport=tcp,workload=x \
		--db "$DIR/none.db" 2>&1) || status=$?
	[ $status -ne 0 ] || fail "$*: taken"
	[ "$(wc -l <<<"$err")" = 1 ] || fail "$*: more than a line: $err"
	[[ $err == *"$text"* ]] || fail "$*: $err"
	[ ! -e "$DIR/none.db" ] || fail "$*: left a file"
}
LINES_ALL=$(wc -l <"$DIR/local.json")
head -n 100 "$DIR/local.json" >"$DIR/cut.json"
refused "cut.json:10" "$DIR/cut.json"
refused "not whole JSON" "$DIR/cut.json"
head -n $((LINES_ALL - 1)) "$DIR/local.json" >"$DIR/last.json"
refused "last.json:$LINES_ALL: " "$DIR/last.json"
refused "job.fio:1: no JSON here" "$DIR/job.fio"
: >"$DIR/empty.json"
refused "empty.json:1: no JSON here" "$DIR/empty.json"
refused "there.json: No such file or directory" "$DIR/there.json"
refused "is of fio --client and" "$DIR/local.json" "$DIR/client1.json"
echo "fio $(fio --version): all figures taken over"
