#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A few hundred small job files, well-formed and not: `volley-io --parse-only` takes and
# refuses the same as `fio --parse-only`, but for what fio-parse-differences.txt lists,
# each with its reason. Options that are not supported yet are not what this is about
# (--ignore-unsupported).
set -u

fio --version 2>/dev/null | grep -q '^fio-3\.33' || {
	echo "the oracle is fio 3.33, which is not here"
	exit 77
}
here=${abs_top_srcdir:-.}/tests/integration
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
unset NOPE
export SZ=8m
printf 'bs=8k\n' >ok.inc

mapfile -t rows < <(grep -v '^#' "$here/fio-parse-differences.txt")
declare -A used
files=0 bad=0

# verdict COMMAND...: taken or refused
verdict() {
	if timeout 20 "$@" q.fio >out 2>&1; then echo taken; else echo refused; fi
}

# excused MODE VERDICT LINE: the table has a row for it
excused() {
	local i mode what regex why
	for i in "${!rows[@]}"; do
		IFS=$'\t' read -r mode what regex why <<<"${rows[i]}"
		[ "$what" = "$2" ] || continue
		[ "$mode" = both ] || [ "$mode" = "$1" ] || continue
		[[ $3 =~ $regex ]] || continue
		used[$i]=1
		return 0
	done
	return 1
}

# compare LINE: the file is in q.fio, what was varied is LINE
compare() {
	local real ours mode flags
	real=$(verdict fio --parse-only)
	for mode in default as-fio; do
		flags=--ignore-unsupported
		[ "$mode" = as-fio ] && flags="$flags --as-fio"
		# shellcheck disable=SC2086
		ours=$(verdict volley-io --parse-only $flags)
		if [ "$ours" != "$real" ] && ! excused "$mode" "$ours" "$1"; then
			echo "$1: fio: $real, volley ($mode): $ours: $(tail -n 1 out)"
			bad=1
		fi
	done
	files=$((files + 1))
}

in_job() {
	printf '[a]\nsize=1m\nfilename=f\n%s\n' "$1" >q.fio
	compare "$1"
}

whole() {
	printf '%b' "$2" >q.fio
	compare "$1"
}

# Kinds of option against kinds of value
for option in bs ba iodepth numjobs loops nrfiles fsync rate rwmixread size io_size \
	offset runtime ramp_time thinktime thinktime_blocks direct buffered invalidate \
	time_based thread randrepeat fallocate sync ioengine wait_for cpus_allowed \
	percentile_list; do
	for value in '' = =0 =1 =x =-1 =4k =1,2 =50% =1.5; do
		in_job "$option$value"
	done
done

# Words, which fio compares up to the first comma or colon
for word in sync=dsync fallocate=none continue_on_error=read rw=read ioengine=psync mem=malloc \
	file_service_type=random verify=crc32c random_generator=lfsr cpus_allowed_policy=split \
	rate_process=linear rw_sequencer=sequential exit_what=all fadvise_hint=random \
	dedupe_mode=repeat thinktime_blocks_type=issue; do
	for rest in '' x ,x ,1; do
		in_job "$word$rest"
	done
done

# Odd syntax
while IFS= read -r line; do
	in_job "$line"
done <<'LINES'
bs=4k,8k,16k
bs=,8k
bs=4k,
bs=,
bs=4k-64k
bs=4k/8k
bs=4k:8k
bs= 8k
bs = 8k
bs =8k
bs=4KiB
bs=4kb
bs=4ki
bs=4K
bs=0x1000
bs=4kx
BS=8k
bs=8k # c
bs=8k ; c
bs=0
bsrange=1k-4k
bsrange=4k-1k
bssplit=4k/50:8k/50
bssplit=4k/60:8k/
bssplit=4k/60:8k/60
bssplit=4k/60:8k/60,64k/100
latency_percentile=99x
write_bw_log=
write_lat_log
bssplit=,64k/100
size=2*1m
size=(2*1m)
size=1m+4k
size=4*$pagesize
size=$pagesize
size=${SZ}
size=${NOPE}
size=101%
name=${NOPE}x
filename=${x
runtime=1m1s
runtime=10sec
runtime=0x10
runtime=3m
runtime=500ms
startdelay=5-10
rw="read"
rw=randread:8
rw=write:4k
rw=trim
rw=rand
description='x y'
description=x#y
filename=/a\:b
filename=f:g
name=zz
name=
unknown=1
// comment
=1
kb_base=1000
kb_base=5
direct=1x
direct=2
time_based=2
ioengine=libaio
hipri=1
zero_buffers
refill_buffers=1
verify=md5
verify=foo
verify_pattern=0xdead
buffer_pattern=xyz
random_distribution=zipf:1.2
random_distribution=zipf:1
random_distribution=pareto:0.3
random_distribution=foo
mem=mmap
mem=foo
nice=-5
nice=-21
prio=7
prio=8
continue_on_error=io
continue_on_error=foo
steadystate=iops:2%
steadystate=iops
latency_percentile=99.9
rwmixread=101
percentile_list=50:99.9
write_bw_log
write_bw_log=x
numa_cpu_nodes=
clocksource=cpu
clocksource=sun
unit_base=8
zonemode=none
stonewall=0
include ok.inc
include=ok.inc
include nofile
LINES

# Whole files
whole '' ''
whole 'option first' 'size=1m\n[a]\n'
whole 'byte order mark' '\xef\xbb\xbf[a]\nsize=1m\n'
whole 'no newline' '[a]\nsize=1m'
whole 'carriage returns' '[a]\r\nsize=1m\r\n'
whole 'blank lines' '\n\n[a]\n\nsize=1m\n\n# c\n;c\n'
whole 'empty name' '[]\nsize=1m\n'
whole 'blanks in the name' '[my job]\nsize=1m\n'
whole 'twice' '[a]\nsize=1m\n[a]\nsize=1m\n'
whole '[globalx]' '[globalx]\nsize=1m\n[a]\nbs=4k\n'
whole '[ab' '[ab\nsize=1m\n'
whole '[a] x' '[a] x\nsize=1m\n'
whole 'lone bracket' '[\nsize=1m\n'
whole 'globals' '[global]\nsize=1m\n[a]\n[global]\nbs=8k\n[b]\nstonewall\n'
whole 'bad option in the second job' '[a]\nsize=1m\n[b]\nsize=1m\nfoo=1\n'
whole 'bad value in global' '[global]\nbs=x\n[a]\nsize=1m\n'

for i in "${!rows[@]}"; do
	[ "${used[$i]:-}" ] || {
		echo "no file needs this row any more: ${rows[i]}"
		bad=1
	}
done
echo "$files job files compared"
[ "$files" -ge 300 ] || bad=1
exit $bad
