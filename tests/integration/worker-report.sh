#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What volley-io's JSON says of a run beside what fio's says of its own: the percentiles
# that were asked for, steadystate and latency_target with fio's keys, the buckets of
# json+ for fio's converter.
# shellcheck source=tests/support/alone.sh
. "${abs_top_srcdir:-.}/tests/support/alone.sh"
need jq
need fio

# run FORMAT OPTION...: both, into ours.json and theirs.json
run()
{
	"$io" --name=j --bs=4k --output-format="$1" "${@:2}" >ours.json 2>err ||
		fail "volley-io ${*:2}: $(cat err)"
	fio --name=j --bs=4k --output-format="$1" "${@:2}" >theirs.json 2>err ||
		fail "fio ${*:2}: $(cat err)"
}

# same FILTER: it gives the same for both
same()
{
	[ "$(jq -c "$1" ours.json)" = "$(jq -c "$1" theirs.json)" ] ||
		fail "$1: $(jq -c "$1" ours.json), fio: $(jq -c "$1" theirs.json)"
}

percentiles='[.jobs[0].read | (.slat_ns, .clat_ns, .lat_ns) | .percentile // {} | keys]'
null="--ioengine=null --rw=read --size=1m"
run json $null
same "$percentiles"
run json $null --percentile_list=50:99.5:12.25 --lat_percentiles=1
same "$percentiles"
run json $null --iodepth=4 --clat_percentiles=0 --slat_percentiles=1
same "$percentiles"
"$io" --name=j $null --clat_percentiles=0 --lat_percentiles=1 --percentile_list=90 >text
grep -q '^    lat percentiles' text && grep -q '90.00th' text &&
	! grep -q '^    clat percentiles' text || fail "text: $(cat text)"

# significant_figures of a rate that is sure: 256 I/Os of 4 KiB in a second
for digits in 2 6; do
	"$io" --name=j --ioengine=null --rw=read --bs=4k --size=256k --rate_iops=64 \
		--significant_figures=$digits >text
	n=$(sed -n 's/.*IOPS=\([0-9.]*\),.*/\1/p' text | tr -d . | tr -d '\n' | wc -c)
	[ "$n" = $digits ] || fail "significant_figures=$digits: $(grep IOPS text)"
done

# Paced to 500 I/Os each second, so steady after the three seconds asked for; the run
# would go on for a minute. Pacing is not exact: the limit is wide.
steady="--ioengine=null --rw=read --size=1g --time_based --runtime=60 --rate_iops=500"
run json $steady --ss=iops:20% --ss_dur=3
same '.jobs[0].steadystate | keys'
same '.jobs[0].steadystate | .ss, .duration, .attained, (.data | keys), (.data.iops | length)'
for file in ours theirs; do
	jq -e '.jobs[0] | .read.runtime as $ms | .steadystate
		| (.data.iops | add / 3 | floor) as $mean
		| $ms >= 2500 and $ms < 20000 and .slope == 0
		and .data.iops_mean == $mean and ($mean - 500 | fabs) < 50
		and (.data.bw_mean / 4096 - $mean | fabs) <= 1
		and (([.data.iops[] - $mean | fabs] | max) - .max_deviation | fabs) < 1
		and ((.criterion | rtrimstr("%") | tonumber)
			- 100 * .max_deviation / $mean | fabs) < 1' $file.json >/dev/null ||
		fail "$file: steadystate: $(jq -c '.jobs[0].steadystate' $file.json)"
done
# Never attained: the job runs to its end, and says so.
run json --ioengine=null --rw=read --size=1g --time_based --runtime=3 --rate_iops=500 \
	--ss=bw:1 --ss_dur=30
same '.jobs[0].steadystate | .ss, .duration, .attained'
jq -e '.jobs[0].read.runtime >= 2900' ours.json >/dev/null || fail "ended before its time"

# On two clients: each ends when it is steady, and what they share is the window.
if command -v volley >/dev/null && command -v volleyd >/dev/null; then
	mkdir data
	cat >plan.yaml <<-PLAN
		plan: steady
		storage: [{name: s, paths: {local: $dir/data}}]
		clients: 2
		repeat: 1
		max_skew: 1s
		workloads:
		  - {name: w, rw: read, bs: 4k, size: 1m, time_based: 1, runtime: 60, rate_iops: 300,
		     steadystate: "iops:20%", steadystate_duration: 3}
	PLAN
	volley run plan.yaml --local 2 --db run.db -o json >run.json 2>err || fail "volley run: $(cat err)"
	jq -e '.cases[0] | .state == "VALID" and .window_kind == "common"
		and .window_ns > 2000000000 and .window_ns < 20000000000
		and (.all_clients.read.iops / 600 - 1 | fabs) < 0.05' run.json >/dev/null ||
		fail "steadystate on two clients: $(jq -c '.cases[0] | .state, .window_kind, .window_ns,
			.all_clients.read.iops, [.reasons[].text]' run.json)"
	volley show run.db -o fio-json >shown.json || fail "volley show"
	jq -e '.client_stats | length == 3 and (.[-1] | has("steadystate") | not)
		and all(.[:2][] | .steadystate; .ss == "iops:20.000000%" and .duration == 3
			and .attained == 1 and (.data.iops | length) == 3
			and (.data.iops_mean / 300 - 1 | fabs) < 0.05)' shown.json >/dev/null ||
		fail "steadystate in fio-json: $(jq -c '.client_stats[].steadystate' shown.json)"
	# The search for a depth ends the job, too; what it found is in the results.
	cat >depth.fio <<-JOB
		[depth]
		ioengine=null
		rw=read
		size=1m
		time_based
		runtime=60
		rate_iops=500
		iodepth=8
		latency_target=10s
		latency_window=100ms
		latency_percentile=99
	JOB
	volley run depth.fio --local 2 --max-skew 1s --db depth.db -o fio-json >depth.json 2>err ||
		fail "volley run: $(cat err)"
	jq -e '[.client_stats[].latency_depth] == [8, 8, 8]
		and (.client_stats[-1].read | (.iops / 1000 - 1 | fabs) < 0.1 and .runtime < 30000)
		and all(.client_stats[]; .latency_target == 10000000000 and .ctx > 0)' depth.json \
		>/dev/null || fail "latency_target on two clients: $(jq -c '.client_stats[]
			| [.hostname, .latency_depth, .latency_target, .read.iops, .ctx]' depth.json)"
fi

# The depth that a device of 8 slots keeps a latency at is fio's business and ours.
run json --ioengine=null --rw=read --size=16m --iodepth=8 --latency_target=10s \
	--latency_window=10ms --latency_percentile=90
same '.jobs[0] | [.latency_target, .latency_percentile, .latency_window]'
jq -e '.jobs[0].latency_depth | . >= 1 and . <= 8' ours.json >/dev/null ||
	fail "latency_depth: $(jq -c '.jobs[0].latency_depth' ours.json)"
run json $null --iodepth=8
same '.jobs[0].latency_depth, .jobs[0].latency_target'

# json+: as many in the buckets as there were I/Os, and fio's converter finds our
# percentiles in them.
run json+ $null --lat_percentiles=1
for file in ours theirs; do
	jq -e '.jobs[0].read | all(.clat_ns, .lat_ns; (.bins | add) == 256)
		and (.slat_ns | has("bins") | not)' $file.json >/dev/null || fail "$file: bins"
done
# The keys are fio's, but for those that volley does not measure.
run json+ --ioengine=null --rw=randrw --size=8m --rate_iops=1000 --fsync=8 \
	--lat_percentiles=1 --slat_percentiles=1
keys='[paths | map(strings)] | unique | map(select(
	any(. == "percentile" or . == "bins" or . == "job options" or . == "global options"
		or . == "disk_util" or test("^(short|drop)_ios$|^iodepth_|^elapsed$|^eta$|^volley"))
	| not))'
same "del(.jobs[].trim) | $keys"
same '.jobs[0].trim | to_entries | sort_by(.key)'
jq -e 'def near(a; b): a / b - 1 | fabs < 0.1;
	all(.jobs[0] | .read, .write; near(.bw_mean; .bw) and near(.iops_mean; .iops)
		and .bw_samples >= 1 and .bw_min <= .bw_max) and
	(.jobs[0] | [.latency_ns, .latency_us, .latency_ms | .[]] | add - 100 | fabs < 0.1)' \
	ours.json >/dev/null || fail "samples and maps: $(jq -c '.jobs[0].read' ours.json)"
# With the syncs of fsync and others in one, nobody knows which were which.
run json --rw=write --size=64k --filename="$dir/f" --fsync=4 --fdatasync=3
jq -e '.jobs[0].sync | has("total_ios") | not' ours.json >/dev/null ||
	fail "sync: $(jq -c '.jobs[0].sync' ours.json)"
run json+ $null --lat_percentiles=1

command -v fio_jsonplus_clat2csv >/dev/null && python3 -c 'import six' 2>/dev/null || {
	echo "without fio_jsonplus_clat2csv (or python3-six): not tried"
	exit 0
}
fio_jsonplus_clat2csv ours.json out.csv >/dev/null || fail "fio_jsonplus_clat2csv"
jq -r '.jobs[0].read.clat_ns | .N, (.percentile | to_entries[] | "\(.key) \(.value)")' \
	ours.json >want
awk -F', *' '
NR == FNR && FNR == 1 { total = $1; next }
NR == FNR { split($0, pair, " "); want[pair[1]] = pair[2]; next }
FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "read_clat_ns_cumulative") column = i; next }
{ for (p in want)
	if (!(p in got) && $column != "" && $column + 0 >= p / 100 * total) got[p] = $1 }
END { for (p in want) { n++; if (got[p] != want[p] + 0) bad++ }
	exit !(column && n == 17 && !bad) }' want out_job0.csv ||
	fail "fio_jsonplus_clat2csv: other percentiles: $(head -3 out_job0.csv)"
echo "the report says what fio's does"
