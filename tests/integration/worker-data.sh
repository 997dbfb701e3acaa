#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What volley-io writes, measured from outside: how small gzip makes it, and how many of
# its blocks are equal, beside what the real fio writes with the same options.
# shellcheck source=tests/support/alone.sh
. "${abs_top_srcdir:-.}/tests/support/alone.sh"
need fio
need gzip
size=8388608 # 2048 blocks of 4 KiB

# make PROGRAM FILE OPTION...
make()
{
	local program=$1 file=$2
	shift 2
	rm -f "$file"
	"$program" --name=w --rw=write --size=$size --filename="$dir/$file" "$@" \
		>out 2>&1 || fail "$program $*: $(cat out)"
}

shrunk() # percent that gzip leaves
{
	echo $(($(gzip -c "$1" | wc -c) * 100 / size))
}

distinct() # blocks
{
	od -An -v -tx8 -w4096 "$1" | LC_ALL=C sort -u | wc -l
}

near() # WHAT GOT WANTED TOLERANCE
{
	[ "$2" -ge $(($3 - $4)) ] && [ "$2" -le $(($3 + $4)) ] ||
		fail "$1: $2, not $3 ± $4"
}

# check PERCENT-LEFT DISTINCT TOLERANCE OPTION...: five deviations are 110 blocks at most
check()
{
	local left=$1 blocks=$2 tolerance=$3
	shift 3
	make "$io" ours "$@"
	make fio theirs "$@"
	near "gzip of $*" "$(shrunk ours)" "$left" 3
	near "gzip of $*, beside fio" "$(shrunk ours)" "$(shrunk theirs)" 8
	near "blocks of $*" "$(distinct ours)" "$blocks" "$tolerance"
	near "blocks of $*, beside fio" "$(distinct ours)" "$(distinct theirs)" 220
}

check 100 2048 0 --refill_buffers=1
check 50 2048 0 --buffer_compress_percentage=50
check 25 2048 0 --buffer_compress_percentage=75 --bs=64k
check 70 1537 1 --buffer_compress_percentage=30 --buffer_compress_chunk=0 --bs=16k
check 0 1 0 --zero_buffers
check 0 1 0 --buffer_pattern=0xdeadbeef
check 60 1229 110 --dedupe_percentage=40
check 20 410 110 --dedupe_percentage=80 --buffer_compress_percentage=1
check 50 1331 110 --dedupe_percentage=40 --dedupe_mode=working_set \
	--buffer_compress_percentage=50

# The fixed content is the pattern's, byte for byte.
for pattern in 0xdeadbeef01 '"volley"' 170; do
	make "$io" ours --buffer_pattern="$pattern"
	make fio theirs --buffer_pattern="$pattern" --scramble_buffers=0
	cmp ours theirs || fail "buffer_pattern=$pattern"
done

# Layout writes the same kind of data for jobs that only read.
"$io" --name=r --rw=read --size=$size --directory="$dir" --buffer_compress_percentage=50 \
	>out 2>&1 || fail "read: $(cat out)"
near "gzip of what was laid out" "$(shrunk volley-data/local/r.0.0)" 50 3
