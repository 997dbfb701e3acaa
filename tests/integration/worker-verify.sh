#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# verify between programs: what volley-io wrote, the real fio verifies, and the other way
# round; a corrupted block is found by both, each by its own name for it.
# shellcheck source=tests/support/alone.sh
. "${abs_top_srcdir:-.}/tests/support/alone.sh"
need fio
need jq

# good|bad PROGRAM FILE OPTION...: it ends with success, or with an error
good()
{
	local program=$1 file=$2
	shift 2
	"$program" --name=v --filename="$dir/$file" "$@" >out 2>&1 ||
		fail "$program $file $*: $(cat out)"
}

bad()
{
	local program=$1 file=$2
	shift 2
	"$program" --name=v --filename="$dir/$file" "$@" >out 2>&1 &&
		fail "$program $file $*: the corrupted block was not found"
}

corrupt() # FILE OFFSET
{
	printf '\132\245' | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# cross KIND-OPTIONS...: written by either, verified by the other
cross()
{
	rm -f ours theirs
	good "$io" ours --rw=randwrite --do_verify=0 "$@"
	good fio theirs --rw=randwrite --do_verify=0 "$@"
	good fio ours --rw=read "$@"
	good "$io" theirs --rw=read "$@"
	good "$io" theirs --rw=randread "$@"
	good "$io" ours --rw=randwrite --verify_only "$@"
	good fio ours --rw=write --verify_only "$@"
	good "$io" theirs --rw=write --verify_only --layout=none "$@"
}

# both find it: in the data, and (but for pattern, which has none) in the header
spoil()
{
	corrupt ours 10000
	corrupt theirs 10000
	bad fio ours --rw=read "$@"
	bad "$io" ours --rw=read "$@"
	grep -q "$dir/ours" out || fail "the error names no file: $(cat out)"
	[ "$(grep -c . out)" -ge 1 ] && grep -q '^volley-io: verify: .* at 8192 of' out ||
		fail "the error names no block: $(cat out)"
	bad "$io" theirs --rw=read "$@"
	bad "$io" ours --rw=write --verify_only "$@"
}

for kind in crc32c crc32c-intel md5 sha256 xxhash; do
	cross --bs=4k --size=1m --verify=$kind
	spoil --bs=4k --size=1m --verify=$kind
done
cross --bs=4k --size=1m --verify=pattern --verify_pattern=0xdeadbeef01
spoil --bs=4k --size=1m --verify=pattern --verify_pattern=0xdeadbeef01
cross --bs=4k --size=1m --verify=pattern --verify_pattern=%o
cross --bs=4k --size=1m --verify=null

# meta has no checksum of the data: a header that is wrong is found, data is not.
cross --bs=4k --size=1m --verify=meta
corrupt ours 10000
good fio ours --rw=read --bs=4k --size=1m --verify=meta
good "$io" ours --rw=read --bs=4k --size=1m --verify=meta
corrupt ours 8212
bad fio ours --rw=read --bs=4k --size=1m --verify=meta
bad "$io" ours --rw=read --bs=4k --size=1m --verify=meta

# Tails of every length behind the last whole block that SHA-256 hashes.
for bs in 1000 1063 1064 1065 4095 4168; do
	cross --bs=$bs --size=$((bs * 20)) --verify=sha256
	cross --bs=$bs --size=$((bs * 20)) --verify=xxhash
done

# Smaller parts, sizes that vary, a pattern below the header.
cross --bs=16k --size=1m --verify=crc32c --verify_interval=1k
cross --bs=4k --size=1m --verify=md5 --verify_pattern=0x0102030405060708090a0b
for sizes in --bsrange=4k-16k --bsrange=6k-12k --bssplit=4k/50:12k/50; do
	rm -f ours theirs
	good "$io" ours --rw=write --do_verify=0 $sizes --size=768k --verify=crc32c
	good fio theirs --rw=write --do_verify=0 $sizes --size=768k --verify=crc32c
	good fio ours --rw=read $sizes --size=768k --verify=crc32c
	good "$io" theirs --rw=read $sizes --size=768k --verify=crc32c
done

# The wrong kind, the wrong place, no header at all.
rm -f ours
good "$io" ours --rw=write --bs=4k --size=1m --verify=crc32c --do_verify=0
bad "$io" ours --rw=read --bs=4k --size=1m --verify=md5
dd if=ours of=ours bs=4096 skip=1 seek=7 count=1 conv=notrunc status=none
bad "$io" ours --rw=read --bs=4k --size=1m --verify=crc32c
grep -q "belongs elsewhere" out || fail "$(cat out)"
head -c 1048576 /dev/urandom >noise
bad "$io" noise --rw=read --bs=4k --size=1m --verify=crc32c
grep -q "256 blocks are wrong, the first: .*no header" out || fail "$(cat out)"
# With verify_fatal the first is enough.
bad "$io" noise --rw=read --bs=4k --size=1m --verify=crc32c --verify_fatal \
	--output-format=json
grep -q "blocks are wrong" out && fail "verify_fatal goes on: $(cat out)"
# Unless verify errors are tolerated: then they are counted.
good "$io" noise --rw=read --bs=4k --size=1m --verify=crc32c \
	--continue_on_error=verify

# Written and read back within one job: as many reads as fio makes.
reads()
{
	"$@" --name=v --filename="$dir/both" --output-format=json >out.json 2>errors ||
		fail "$*: $(cat errors)"
	jq -c '.jobs[0] | [.error, .read.total_ios, .write.total_ios]' out.json
}

same()
{
	rm -f both
	ours=$(reads "$io" "$@")
	rm -f both
	theirs=$(reads fio "$@")
	[ "$ours" = "$theirs" ] || fail "$*: $ours, fio has $theirs"
}

same --rw=write --bs=4k --size=1m --verify=crc32c
same --rw=randwrite --bs=4k --size=1m --verify=md5
same --rw=randwrite --bs=4k --size=1m --verify=md5 --loops=3
same --rw=write --bs=4k --size=1m --verify=xxhash --number_ios=100
same --rw=write --bs=4k --size=1m --verify=crc32c --ioengine=libaio --iodepth=16
same --rw=randwrite --bs=4k --size=1m --verify=crc32c --verify_backlog=16
same --rw=write --bs=4k --size=1m --verify=crc32c --verify_backlog=64 \
	--verify_backlog_batch=16
same --rw=write --bs=4k --size=1m --verify=crc32c --do_verify=0

# Blocks that were written again, wholly or in part, are no errors.
rm -f both
good "$io" both --rw=randwrite --norandommap --bs=4k --size=1m --io_size=4m --verify=md5
good "$io" both --rw=randwrite --norandommap --bsrange=4k-64k --size=1m --verify=md5 \
	--layout=overwrite
good "$io" both --rw=randwrite --random_distribution=zipf:1.2 --bs=4k --size=1m \
	--verify=md5 --layout=overwrite
good "$io" both --rw=randrw --bs=4k --size=1m --verify=sha256 --layout=overwrite \
	--ioengine=libaio --iodepth=8
good "$io" both --rw=write --bs=4k --size=1m --verify=crc32c --time_based --runtime=1 \
	--layout=overwrite
exit 0
