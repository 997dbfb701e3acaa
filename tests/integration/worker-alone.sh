#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# volley-io alone, beside the real fio: the same job gives the same counts and the same
# JSON; what it writes cannot be compressed; Ctrl-C prints what there is.
# shellcheck source=tests/support/alone.sh
. "${abs_top_srcdir:-.}/tests/support/alone.sh"
need jq
need fio
need gzip

has_engine()
{
	"$io" --list-engines | grep "^$1 " | grep -qv 'not built'
}

# Runs one size-bound job with both and compares.
compare()
{
	local dir=$1 engine=$2
	shift 2
	has_engine "$engine" || { echo "$engine is not built: not compared"; return; }
	"$io" --name=j --ioengine="$engine" "$@" --output-format=json >ours.json ||
		fail "volley-io $engine $*"
	fio --name=j --ioengine="$engine" "$@" --fallocate=none --output-format=json \
		>theirs.json || fail "fio $engine $*"
	for key in total_ios io_bytes io_kbytes clat_ns.N lat_ns.N slat_ns.N; do
		ours=$(jq ".jobs[0].$dir.$key" ours.json)
		theirs=$(jq ".jobs[0].$dir.$key" theirs.json)
		[ "$ours" = "$theirs" ] ||
			fail "$engine $*: $dir.$key is $ours, fio says $theirs"
	done
	# Every key of ours below read and write has fio's name and kind.
	local kinds='[.jobs[0] | .read, .write | paths(scalars) as $p |
		"\($p | join(".")) \(getpath($p) | type)"] | unique | .[]'
	comm -23 <(jq -r "$kinds" ours.json | sort) <(jq -r "$kinds" theirs.json | sort) \
		>extra
	[ ! -s extra ] || fail "$engine: keys that fio does not have: $(head -3 extra)"
	jq -e '.["fio version"] | startswith("fio-3")' ours.json >/dev/null ||
		fail "fio version"
	jq -e '.jobs[0].error == 0 and .jobs[0].usr_cpu >= 0 and .jobs[0].sys_cpu >= 0' \
		ours.json >/dev/null || fail "job keys"
}

compare read psync --rw=read --bs=64k --size=4m
compare read psync --rw=randread --bs=4k --size=1m
compare read pvsync2 --rw=randread --bs=4k --size=1m --direct=1
compare read libaio --rw=randread --bs=4k --size=1m --iodepth=8 --direct=1
compare read io_uring --rw=randread --bs=4k --size=1m --iodepth=8
compare write psync --rw=write --bs=128k --size=4m
compare write libaio --rw=randwrite --bs=4k --size=1m --iodepth=4 --direct=1
compare read null --rw=randread --bs=4k --size=64m --iodepth=16
compare read null --rw=read --bs=4k --size=64m
compare read psync --rw=read --bs=4k --size=1m --io_size=300k
compare read psync --rw=randread --bs=4k --size=1m --numjobs=3 --group_reporting
compare read psync --rw=read --bs=4k --size=1m --nrfiles=4

# Percentiles follow fio's rule: all 17 keys, ordered, between min and max's bucket.
"$io" --name=p --ioengine=null --rw=read --bs=4k --size=4m --output-format=json >ours.json
jq -e '.jobs[0].read.clat_ns | .percentile | length == 17 and
	(to_entries | map(.value) | . == sort)' ours.json >/dev/null || fail "percentiles"

# Fresh data: gzip makes nothing smaller, whatever the block size.
for bs in 512 4k 64k 1m; do
	"$io" --name=w --rw=write --bs=$bs --size=2m --filename="$dir/w$bs" >/dev/null ||
		fail "write in blocks of $bs"
	[ "$(gzip -c "w$bs" | wc -c)" -ge 2097152 ] || fail "data in blocks of $bs shrinks"
done
# Nor with a queue, whose buffers are used in any order.
if has_engine libaio; then
	"$io" --name=q --rw=randwrite --bs=4k --size=2m --ioengine=libaio --iodepth=8 \
		--direct=1 --filename="$dir/q" >/dev/null || fail "write with a queue"
	[ "$(gzip -c q | wc -c)" -ge 2097152 ] || fail "data of a queue shrinks"
fi
# Nor the mixed job's, whose buffers hold what it read.
"$io" --name=m --rw=randrw --bs=4k --size=2m --filename="$dir/m" >/dev/null || fail mixed
[ "$(gzip -c m | wc -c)" -ge 2097152 ] || fail "data of a mixed job shrinks"

# Ctrl-C: stops, prints, 130. The signal comes once it has counted something, which its
# file shows.
"$io" --name=c --rw=write --bs=4k --size=4m --time_based --runtime=1h --rate_iops=1000 \
	--layout=overwrite --filename="$dir/c" --output-format=json >c.json &
pid=$!
until [ "$(stat -c %s c 2>/dev/null || echo 0)" -ge 4194304 ]; do
	kill -0 $pid || fail "it ended by itself"
done
kill -INT $pid
wait $pid
status=$?
[ $status -eq 130 ] || fail "Ctrl-C: exit status $status"
jq -e '.jobs == [] or .jobs[0].write.total_ios >= 0' c.json >/dev/null || fail "Ctrl-C"

# Its threads hang: what they did is printed all the same.
"$io" --name=h --rw=write --bs=4k --size=4m --layout=fio --fallocate=none --filename="$dir/h" \
	--fault_stall_after=5 --output-format=json >h.json &
pid=$!
until [ "$(stat -c %s h 2>/dev/null || echo 0)" -ge 20480 ]; do
	kill -0 $pid || fail "it ended by itself"
done
kill -INT $pid
wait $pid
status=$?
[ $status -eq 130 ] || fail "Ctrl-C of what hangs: exit status $status"
jq -e '.jobs[0].write.total_ios == 5' h.json >/dev/null ||
	fail "Ctrl-C of what hangs: $(head -c 1000 h.json)"

# One clear line and 2 for a wrong option, 1 for what cannot be done.
expect_error()
{
	local status=$1 text=$2
	shift 2
	"$io" "$@" >out 2>errors
	[ $? -eq "$status" ] || fail "$*: exit status is not $status: $(cat errors)"
	[ ! -s out ] || fail "$*: stdout is not empty"
	[ "$(wc -l <errors)" -eq 1 ] || fail "$*: not one line: $(cat errors)"
	grep -q -- "$text" errors || fail "$*: $(cat errors)"
}

expect_error 2 "did you mean 'iodepth'" --rw=read --size=1m --iodpth=4
expect_error 2 'size' --rw=read
expect_error 2 'ioengine' --rw=read --size=1m --ioengine=libaoi
echo precious >theirs
expect_error 1 'too short' --rw=read --size=1m --filename="$dir/theirs"
expect_error 1 'layout=overwrite' --rw=write --size=4k --filename="$dir/theirs"
[ "$(cat theirs)" = precious ] || fail "a foreign file was touched"
expect_error 1 'No such file' --rw=read --size=1m --directory="$dir/none"

# An error in the middle: the figures so far on stdout, the reason on stderr.
"$io" --name=e --rw=read --bs=4k --size=64k --fault_error_every=9 --output-format=json \
	>e.json 2>errors
[ $? -eq 1 ] || fail "an I/O error: exit status"
jq -e '.jobs[0].error == 5 and .jobs[0].read.total_ios == 8' e.json >/dev/null ||
	fail "an I/O error: $(cat e.json)"
grep -q 'read of 4096 bytes at 32768 of .*: Input/output error' errors ||
	fail "an I/O error: $(cat errors)"

"$io" probe "$dir" "$dir/none" >probe.json || fail probe
jq -e '.[0].exists and .[0].kind == "folder" and .[0].free_bytes > 0 and
	(.[0].fstype | length > 0) and (.[1].exists | not)' probe.json >/dev/null ||
	fail "probe: $(cat probe.json)"
# An agent asks with --guard: nothing is told of what --allow does not name.
mkdir in && ln -s /etc/passwd in/out || fail "in"
"$io" probe --guard --allow="$dir/in" -- "$dir/in" "$dir/in/none" /etc/passwd /no-such-path \
	"$dir/in/../in" "$dir/in/out" >probe.json || fail "probe --guard"
jq -e '.[0].exists and .[0].free_bytes > 0 and (.[1].exists | not) and
	.[1].error == "No such file or directory" and
	([.[2:][] | del(.path)] == [range(4) | {error: "not allowed here"}])' \
	probe.json >/dev/null || fail "probe --guard: $(cat probe.json)"
"$io" probe --guard -- "$dir" >probe.json || fail "probe of nothing"
jq -e '.[0].error == "not allowed here"' probe.json >/dev/null ||
	fail "probe without --allow: $(cat probe.json)"
echo "volley-io alone is as it should be"
