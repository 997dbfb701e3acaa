#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# volley-io's entries are those of the real fio for the same file: who is stated together,
# how many I/Os and syncs each did, and how long fio says that its threads ran.
# shellcheck source=tests/support/alone.sh
. "${abs_top_srcdir:-.}/tests/support/alone.sh"
need jq
need fio

# both NAME: its job file with both, into ours.json and theirs.json
both()
{
	rm -f f ours.json theirs.json
	fio --output-format=json --output=theirs.json "$1.fio" || fail "fio $1"
	rm -f f
	"$io" --output-format=json "$1.fio" >ours.json || fail "volley-io $1"
}

# same FILTER: it gives the same for both
same()
{
	[ "$(jq -c "$1" ours.json)" = "$(jq -c "$1" theirs.json)" ] ||
		fail "$1: $(jq -c "$1" ours.json), fio: $(jq -c "$1" theirs.json)"
}

# near FILTER: an array of ms, none more than 10 % and 60 ms from fio's
near()
{
	jq -en --slurpfile o ours.json --slurpfile t theirs.json \
		"[[\$o[0] | $1], [\$t[0] | $1]] | transpose |
		 all((.[0] - .[1] | fabs) <= 60 + .[1] / 10)" >/dev/null ||
		fail "$1: $(jq -c "[$1]" ours.json), fio: $(jq -c "[$1]" theirs.json)"
}

cat >who.fio <<-JOB
	[global]
	filename=$dir/f
	size=4m
	bs=64k
	ioengine=psync
	rw=write
	group_reporting
	[a]
	numjobs=3
	[b]
	new_group
	numjobs=2
	[c]
	[d]
	stonewall
	[e]
	group_reporting=0
	numjobs=2
JOB
both who
same '[.jobs[] | [.jobname, .groupid, .write.total_ios, .write.io_bytes]]'
[ "$(jq -c '[.jobs[] | .write.lat_ns.N]' ours.json)" = '[192,192,64,64,64]' ] ||
	fail "latencies: $(jq -c '[.jobs[] | .write.lat_ns.N]' ours.json)"
jq -e 'all(.jobs[]; has("ctx") and has("majf") and has("minf") and .job_runtime >= 0)' \
	ours.json >/dev/null || fail "usage: $(cat ours.json)"
rm -f f
"$io" who.fio >text || fail "volley-io, text"
[ "$(sed -n 's/^\([a-e]\): .*\(jobs=[0-9]*\),.*/\1 \2/p' text | paste -sd' ')" = \
	"a jobs=3 b jobs=3 d jobs=1 e jobs=1 e jobs=1" ] || fail "text: $(cat text)"

# Neither ramp nor startdelay is time that a thread ran; a group's is added up.
cat >times.fio <<-JOB
	[global]
	filename=$dir/f
	size=400m
	bs=64k
	ioengine=psync
	rw=write
	rate_iops=20
	[ramp]
	time_based
	runtime=2
	ramp_time=1
	[delay]
	time_based
	runtime=1
	startdelay=1
	[mixed]
	stonewall
	rw=rw
	size=1m
	group_reporting
	numjobs=2
JOB
both times
same '[.jobs[] | [.jobname, .groupid]]'
near '.jobs[].job_runtime'
near '.jobs[] | .read.runtime, .write.runtime'

# end_fsync is part of the time over which the rate is; the writes themselves are shorter.
cat >end.fio <<-JOB
	[end]
	filename=$dir/f
	size=96m
	bs=1m
	ioengine=psync
	rw=write
	end_fsync=1
JOB
both end
beyond='.jobs[0].write | .runtime - .lat_ns.mean * .total_ios / 1e6'
if jq -e "$beyond > 40" theirs.json >/dev/null; then
	jq -e "$beyond > 4" ours.json >/dev/null || fail "end_fsync took no time"
else
	echo "writing is as fast as memory here: end_fsync's time is not tested"
fi

# Of two clones the one whose data is wrong has an error.
clones()
{
	cat <<-JOB
		[c]
		directory=$dir
		filename_format=c.\$jobnum
		size=64k
		bs=4k
		numjobs=2
		verify=crc32c
		rw=$1
		do_verify=$2
	JOB
}
clones write 0 >written.fio
clones read 1 >clones-read.fio
fio written.fio >/dev/null && "$io" written.fio >/dev/null || fail "written"
for file in "$dir/c.1" "$dir/volley-data/local/c.1"; do
	printf 'XXXX' | dd of="$file" bs=1 seek=9000 conv=notrunc 2>/dev/null || fail "$file"
done
fio --output-format=json clones-read.fio 2>/dev/null | sed -n '/^{/,$p' >theirs.json
"$io" --output-format=json clones-read.fio >ours.json 2>err && fail "wrong data is not seen"
same '[.jobs[].error]'
[ "$(jq -c '[.jobs[].error]' ours.json)" = '[0,84]' ] || fail "errors of clones"
