#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What fio's options about files, time and logs do, beside the real fio: the same job
# moves as many I/Os and bytes, makes as many files of the same sizes, opens them in the
# same order, and writes logs with as many lines.
# shellcheck source=tests/support/alone.sh
. "${abs_top_srcdir:-.}/tests/support/alone.sh"
need jq
need fio

# Sizes of the files below a folder, whatever their names.
sizes()
{
	find "$1" -type f ! -name '.volley-manifest*' -printf '%s\n' | sort -n | uniq -c
}

# Runs one job with both in folders of their own: counts and, unless SIZES=no, files.
compare()
{
	rm -rf ours theirs
	mkdir ours theirs
	"$io" --name=j --layout=fio --directory="$dir/ours" "$@" --output-format=json \
		>ours.json || fail "volley-io $*"
	fio --name=j --directory="$dir/theirs" "$@" --output-format=json >theirs.json ||
		fail "fio $*"
	for key in read.total_ios read.io_bytes write.total_ios write.io_bytes \
		sync.total_ios; do
		local a b
		a=$(jq "[.jobs[].$key] | add" ours.json)
		b=$(jq "[.jobs[].$key] | add" theirs.json)
		[ "$a" = "$b" ] || fail "$*: $key is $a, fio says $b"
	done
	[ "${SIZES:-yes}" = no ] || diff <(sizes ours) <(sizes theirs) >diff ||
		fail "$*: files (ours, fio's): $(cat diff)"
}

for engine in sync vsync pvsync mmap; do
	compare --ioengine=$engine --rw=read --bs=4k --size=256k
	compare --ioengine=$engine --rw=randwrite --bs=8k --size=256k
done
# Files and their sizes.
compare --rw=write --bs=4k --size=256k --nrfiles=4
compare --rw=write --bs=4k --size=256k --nrfiles=4 --numjobs=3 --group_reporting
compare --rw=read --bs=4k --size=256k --nrfiles=8 --openfiles=2
compare --rw=write --bs=4k --size=256k --nrfiles=8 --file_service_type=sequential
compare --rw=randread --bs=4k --size=256k --nrfiles=8 --file_service_type=random
compare --rw=read --bs=4k --filesize=64k --nrfiles=4 --size=256k
compare --rw=read --bs=4k --filesize=64k --nrfiles=4 --size=128k
compare --rw=read --bs=4k --size=120k --filename=a:b\\:c:d
compare --rw=write --bs=4k --size=128k --filename=a:b
compare --rw=write --bs=4k --size=64k --numjobs=2 --nrfiles=2 --group_reporting \
	--filename_format='$filenum-$jobnum'
compare --rw=write --bs=4k --size=64k --numjobs=2 --filename_format='f.$jobname.$jobnum' \
	--group_reporting
for kind in none native posix truncate keep; do
	compare --rw=write --bs=4k --size=256k --io_size=64k --fallocate=$kind
done
compare --rw=write --bs=4k --size=256k --io_size=64k --overwrite=1
compare --rw=randrw --bs=4k --size=256k --rwmixread=0 --create_only=1
compare --rw=read --bs=4k --size=256k --create_only=1 --nrfiles=2
compare --rw=write --bs=4k --size=256k --create_on_open=1 --nrfiles=2
compare --rw=write --bs=4k --size=256k --unlink=1
compare --rw=read --bs=4k --size=256k --nrfiles=3 --numjobs=2 --unlink=1 --group_reporting
for option in --sync=1 --sync=dsync --invalidate=0 --pre_read=1 --fadvise_hint=0 \
	--create_fsync=0 --create_serialize=0 --iomem_align=4096 --mem=mmap --mem=shm \
	--nice=5 --prio=4 --cpus_allowed=0 --thinktime=10 --startdelay=0; do
	compare --rw=randwrite --bs=4k --size=64k $option
done
# A sync comes before the next I/O, so never behind the last; fio counts only those of
# fsync, but has the latencies of all; what end_fsync does is in neither.
for option in --fsync=4 --fdatasync=4 --sync_file_range=write:4 --end_fsync=1 \
	"--fsync=4 --end_fsync=1" --fsync_on_close=1; do
	for size in 60k 64k; do
		compare --rw=write --bs=4k --size=$size $option
		[ "$(jq .jobs[0].sync.lat_ns.N ours.json)" = \
			"$(jq .jobs[0].sync.lat_ns.N theirs.json)" ] || fail "$option: latencies"
	done
done
# Those of the ramp do not count.
"$io" --name=s --directory="$dir" --rw=write --bs=4k --size=64k --fsync=2 --time_based=1 \
	--runtime=1 --ramp_time=1 --rate_iops=20 --output-format=json >s.json || fail "ramp"
jq -e '.jobs[0] | .sync.total_ios - .write.total_ios / 2 | fabs <= 1' s.json >/dev/null ||
	fail "syncs of the ramp: $(jq .jobs[0].sync.total_ios s.json)"
compare --rw=write --bs=4k --size=64k --thinktime=100 --thinktime_blocks=4 \
	--thinktime_spin=50
compare --ioengine=null --rw=read --bs=4k --size=256k --rate_iops=1000 \
	--rate_process=poisson
compare --ioengine=null --rw=read --bs=4k --size=4m --numjobs=4 --group_reporting

# Both end, and both say why.
both_fail()
{
	local text=$1
	shift
	"$io" --name=j --layout=fio "$@" >/dev/null 2>errors && fail "volley-io took $*"
	grep -q -- "$text" errors || fail "$*: $(cat errors)"
	fio --name=j "$@" >/dev/null 2>&1 && fail "fio took $*"
}

mkdir none
both_fail 'allow_file_create=0' --rw=read --bs=4k --size=64k --directory="$dir/none" \
	--allow_file_create=0
both_fail 'rate_iops_min' --ioengine=null --rw=read --bs=4k --size=1g --time_based \
	--runtime=10 --rate_iops=100 --rate_iops_min=500
both_fail 'max_latency' --rw=write --bs=1m --size=64m --max_latency=1us \
	--directory="$dir/none"

# Logs: the same names, as many lines, the same columns.
logs()
{
	local -a files
	rm -rf o t
	mkdir o t
	(cd o && "$io" "$@" --output-format=json >/dev/null) || fail "volley-io $*"
	(cd t && fio "$@" --output-format=json >/dev/null) || fail "fio $*"
	diff <(ls o) <(ls t) >diff || fail "$*: logs (ours, fio's): $(cat diff)"
	files=(t/*.log)
	for file in "${files[@]}"; do
		file=${file#t/}
		[ "$(wc -l <"o/$file")" = "$(wc -l <"t/$file")" ] ||
			fail "$*: $file has $(wc -l <"o/$file") lines, fio's $(wc -l <"t/$file")"
		[ "$(head -1 "o/$file" | tr -cd , | wc -c)" = \
			"$(head -1 "t/$file" | tr -cd , | wc -c)" ] ||
			fail "$*: columns of $file: $(head -1 "o/$file") - $(head -1 "t/$file")"
	done
}

common="--name=j --ioengine=null --bs=4k"
logs $common --rw=read --size=256k --write_lat_log=l --write_bw_log=l --write_iops_log=l
logs $common --rw=read --size=256k --write_lat_log=l --log_offset=1 --numjobs=2 --thread
diff <(cut -d, -f3- o/l_lat.1.log) <(cut -d, -f3- t/l_lat.1.log) >diff ||
	fail "directions, sizes and offsets of a log: $(head -3 diff)"
logs $common --rw=read --size=256k --iodepth=4 --write_lat_log=l --log_unix_epoch=1
[ "$(head -1 o/l_lat.1.log | cut -d, -f1)" -gt 1600000000000 ] || fail "unix epoch"

# fio's own reader of histogram logs takes ours.
"$io" $common --rw=read --size=1g --time_based --runtime=3s --rate_iops=500 \
	--write_hist_log=h --log_hist_msec=1000 >/dev/null || fail "histogram log"
[ "$(head -1 h_clat_hist.1.log | tr -cd , | wc -c)" = 1858 ] || fail "histogram columns"
shipped=/usr/share/doc/fio/fio-histo-log-pctiles.py
{ cat $shipped || gzip -dc $shipped.gz; } >pctiles.py 2>/dev/null
if [ -s pctiles.py ] && python3 pctiles.py --help >/dev/null 2>&1; then
	python3 pctiles.py --fio-version 3 --time-quantum 1 h_clat_hist.1.log >pctiles ||
		fail "fio-histo-log-pctiles.py: $(cat pctiles)"
	# 500 I/Os in each of the three seconds, on a machine that may be busy.
	awk -F, '/^ *[0-9]+,/ && $2 > 0 { n++; sum += $2 } END {
		exit !(n >= 3 && sum >= 1400 && sum <= 1500) }' pctiles ||
		fail "fio-histo-log-pctiles.py: $(cat pctiles)"
else
	echo "fio-histo-log-pctiles.py does not run here: not tried"
fi
echo "options of files, time and logs are as fio's"
