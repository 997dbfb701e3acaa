#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fio-json and fio-json+ are read by what reads fio's: jq one-liners, the converter that
# fio ships (fio_jsonplus_clat2csv) and its reader of histogram logs
# (fio-histo-log-pctiles.py). They find the percentiles that volley wrote.
set -u

VOLLEY=${abs_top_builddir:-.}/volley
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT

fail() {
	echo "FAIL: $*" >&2
	exit 1
}
for tool in jq python3; do
	command -v $tool >/dev/null || {
		echo "SKIP: needs $tool"
		exit 77
	}
done

mkdir "$DIR/data"
cat >"$DIR/plan.yaml" <<-PLAN
	plan: consumers
	storage:
	  - {name: s1, paths: {local: $DIR/data}}
	clients: 2
	repeat: 2
	max_skew: 10s
	workloads:
	  - {name: mix, ioengine: libaio, iodepth: 4, rw: randrw, bs: 4k, size: 2m, numjobs: 2,
	     runtime: 1s, time_based: 1}
PLAN
STATUS=0
"$VOLLEY" run "$DIR/plan.yaml" --local 2 --db "$DIR/r.db" -o fio-json \
	>"$DIR/run.json" 2>"$DIR/run.log" || STATUS=$?
[ $STATUS -eq 0 ] || fail "volley run ended with $STATUS: $(cat "$DIR/run.log")"

# Only JSON, one document; the order is the plan's and the sum stands last.
jq -es 'length == 1 and (.[0].client_stats | length) == 6
	and [.[0].client_stats[].hostname]
		== ["local-1", "local-2", "All clients", "local-1", "local-2", "All clients"]
	and .[0].client_stats[-1].jobname == "All clients"
	and .[0].client_stats[-1].error == 0
	and (.[0]["fio version"] | startswith("fio-3."))' "$DIR/run.json" >/dev/null ||
	fail "not the shape of fio --client: $(jq -c '.client_stats[]|[.jobname, .hostname]' "$DIR/run.json")"

# Entries add up to their sum, as do the clients of `volley show`.
"$VOLLEY" export "$DIR/r.db" --fio-json mix --repeat 2 >"$DIR/two.json" || fail "export"
"$VOLLEY" show "$DIR/r.db" -o json >"$DIR/show.json" || fail "show"
jq -e --slurpfile show "$DIR/show.json" '
	. as $fio
	| [$show[0].cases[] | select(.repeat == 2)][0] as $case
	| def close($a; $b): (($a / $b - 1) | fabs) < 1e-6;
	all(("read", "write"); . as $d
		| [$fio.client_stats[:-1][][$d].total_ios] | add as $ios
		| $fio.client_stats[-1][$d] as $all
		| $all.total_ios == $ios
		and $all.total_ios == $case.all_clients[$d].ios
		and $all.io_bytes == $case.all_clients[$d].bytes
		and close($all.iops; $case.all_clients[$d].iops)
		and $all.bw_bytes == ($case.all_clients[$d].bytes_per_s | floor)
		and $all.bw == ($all.bw_bytes / 1024 | floor)
		and close($all.clat_ns.mean; $case.all_clients[$d].clat_ns.mean)
		and $all.clat_ns.N == $all.total_ios
		and $all.runtime == 1000 and $all.bw_samples == 10
		and ($all.bw_mean >= $all.bw_min and $all.bw_mean <= $all.bw_max)
		and close($all.iops_mean; $all.iops))' "$DIR/two.json" >/dev/null ||
	fail "the figures are not those of volley show"
for format in fio-json fio-json+; do
	BINS=$("$VOLLEY" show "$DIR/r.db" -o $format |
		jq '[.client_stats[].read | .slat_ns, .clat_ns, .lat_ns | has("bins")] | all')
	[ "$BINS" = "$([ $format = fio-json+ ] && echo true || echo false)" ] ||
		fail "$format: bins: $BINS"
done
# A consumer's one-liner
BW=$(jq '.client_stats[-1] | (.read.bw + .write.bw)' "$DIR/two.json")
[ "$BW" -gt 0 ] || fail "no bandwidth"
ERR=$("$VOLLEY" export "$DIR/r.db" --fio-json none 2>&1 >"$DIR/none") && fail "no such case"
[ ! -s "$DIR/none" ] || fail "text on stdout: $(cat "$DIR/none")"
[[ $ERR == *'no case is called "none"'* ]] || fail "$ERR"

# fio's converter wants the entries under their local name.
jq '{jobs: .client_stats}' "$DIR/two.json" >"$DIR/local.json"
if command -v fio_jsonplus_clat2csv >/dev/null && python3 -c 'import six' 2>/dev/null; then
	fio_jsonplus_clat2csv "$DIR/local.json" "$DIR/out.csv" >/dev/null || fail "clat2csv"
	fio_jsonplus_clat2csv --validate "$DIR/local.json" "$DIR/out.csv" |
		grep -q out_job2.csv || fail "clat2csv: bins"
	python3 - "$DIR" <<-'EOF' || fail "clat2csv: other percentiles"
		import csv, json, sys
		jobs = json.load(open(sys.argv[1] + "/local.json"))["jobs"]
		checked = 0
		for n, job in enumerate(jobs):
		    rows = list(csv.DictReader(open("%s/out_job%d.csv" % (sys.argv[1], n)),
		                               skipinitialspace=True))
		    for dir in "read", "write":
		        for kind in "slat_ns", "clat_ns", "lat_ns":
		            name = dir + "_" + kind
		            own = [r for r in rows if r[name + "_count"].strip()]
		            total = job[dir][kind]["N"]
		            assert int(own[-1][name + "_cumulative"]) == total, name
		            for p, ns in job[dir][kind]["percentile"].items():
		                first = next(r for r in own if int(r[name + "_cumulative"])
		                             >= float(p) / 100 * total)
		                assert int(first["nsec"]) == ns, (n, name, p, first["nsec"], ns)
		                checked += 1
		print(checked, "percentiles are those of fio_jsonplus_clat2csv")
		assert checked == 3 * 6 * 17
	EOF
else
	echo "without fio_jsonplus_clat2csv (or python3-six): not tried"
fi

# What volley wrote it takes back: every client's counts and latencies, to the last bin.
"$VOLLEY" import fio "$DIR/two.json" --db "$DIR/back.db" \
	--as storage=s1,transport=local,workload=mix,clients=2 >"$DIR/back.log" 2>&1 ||
	fail "import of our own: $(cat "$DIR/back.log")"
"$VOLLEY" export "$DIR/back.db" --fio-json mix >"$DIR/back.json" || fail "export of an import"
jq -en --slurpfile a "$DIR/two.json" --slurpfile b "$DIR/back.json" '
	def figures: [.client_stats[] | [.hostname, (.read, .write | [.io_bytes, .total_ios,
		.bw_bytes, .runtime, (.slat_ns, .clat_ns, .lat_ns
			| .min, .max, .N, .percentile, .bins, (.mean | . * 1000 | round))])]];
	($a[0] | figures) == ($b[0] | figures)' >/dev/null ||
	fail "what came back is not what was written: $(jq -c '.client_stats[].read
		| [.io_bytes, .total_ios, .bw_bytes, .runtime, .lat_ns.mean]' "$DIR/two.json" "$DIR/back.json")"

# The reader of histogram logs gets the clients' bins, one log for each, and merges them.
PCTILES=/usr/share/doc/fio/fio-histo-log-pctiles.py
if [ -r $PCTILES.gz ]; then
	gunzip -c $PCTILES.gz >"$DIR/pctiles.py"
elif [ -r $PCTILES ]; then
	cp $PCTILES "$DIR/pctiles.py"
else
	echo "without fio-histo-log-pctiles.py: not tried"
	exit 0
fi
python3 - "$DIR" <<-'EOF' || fail "no logs"
	import json, sys
	def index(ns):
	    if ns < 128:
	        return ns
	    shift = ns.bit_length() - 7
	    return ((shift + 1) << 6) + ((ns >> shift) & 63)
	stats = json.load(open(sys.argv[1] + "/two.json"))["client_stats"]
	for n, entry in enumerate(stats[:-1]):
	    bins = [0] * 1856
	    for ns, count in entry["read"]["clat_ns"]["bins"].items():
	        bins[index(int(ns))] += count
	    with open("%s/host%d.log" % (sys.argv[1], n), "w") as log:
	        log.write("500, 0, 4096, " + ", ".join(map(str, bins)) + "\n")
EOF
python3 "$DIR/pctiles.py" --percentiles 50 90 99 -- "$DIR"/host?.log >"$DIR/pctiles" ||
	fail "fio-histo-log-pctiles.py: $(cat "$DIR/pctiles")"
LINE=$(tail -n 1 "$DIR/pctiles")
jq -e --arg line "$LINE" '
	.client_stats[-1].read.clat_ns as $own
	| ($line | split(",") | map(tonumber? // empty)) as $got
	| ($got[1] == $own.N) and all(([2, "50.000000"], [3, "90.000000"], [4, "99.000000"]);
		(($got[.[0]] * 1000 / $own.percentile[.[1]] - 1) | fabs) < 0.032)' \
	"$DIR/two.json" >/dev/null ||
	fail "fio-histo-log-pctiles.py: $LINE, volley: $(jq -c \
		'.client_stats[-1].read.clat_ns | .N, .percentile' "$DIR/two.json")"
echo "fio-histo-log-pctiles.py agrees: $LINE"
