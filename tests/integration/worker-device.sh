#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# volley-io and block devices, on loop devices: a job without writes never writes, writing
# needs --allow-write, filling needs layout=overwrite too, and a device that is mounted or
# holds a mounted file system is not touched.
set -u

skip()
{
	echo "$*: not tested"
	exit 77
}

fail()
{
	echo "FAIL: $*" >&2
	exit 1
}

io=${abs_top_builddir:-.}/volley-io
[ -x "$io" ] || io=$(command -v volley-io) || { echo "volley-io is not built"; exit 1; }
[ "$(id -u)" -eq 0 ] || skip "loop devices need root"
command -v losetup >/dev/null || skip "losetup is not installed"
command -v jq >/dev/null || skip "jq is not installed"

dir=$(mktemp -d "${TMPDIR:-/var/tmp}/volley-device-XXXXXX")
loop=
over=
cleanup()
{
	mountpoint -q "$dir/over" && umount "$dir/over"
	[ -z "$over" ] || losetup -d "$over"
	mountpoint -q "$dir/mnt" && umount "$dir/mnt"
	[ -z "$loop" ] || losetup -d "$loop"
	rm -rf "$dir"
}
trap cleanup EXIT
dd if=/dev/urandom of="$dir/backing" bs=1M count=8 status=none
loop=$(losetup --show -f "$dir/backing" 2>/dev/null) || { loop=; skip "no loop device"; }

sum()
{
	blockdev --flushbufs "$loop"
	sha256sum <"$dir/backing"
}

refuse()
{
	local text=$1
	shift
	"$io" "$@" >"$dir/out" 2>"$dir/errors" && fail "$*: it ran"
	grep -q -- "$text" "$dir/errors" || fail "$*: $(cat "$dir/errors")"
}

before=$(sum)
"$io" --rw=randread --bs=4k --size=8m --direct=1 --filename="$loop" --output-format=json \
	>"$dir/json" || fail "reading"
jq -e '.jobs[0].read.total_ios == 2048' "$dir/json" >/dev/null || fail "count of reads"
refuse 'needs --allow-write' --rw=randwrite --bs=4k --size=8m --filename="$loop"
refuse 'needs --allow-write' --rw=read --bs=4k --size=8m --layout=overwrite \
	--filename="$loop"
refuse 'wants bytes up to' --rw=read --bs=4k --size=16m --filename="$loop"
[ "$(sum)" = "$before" ] || fail "the device has changed"

# Writes where it was told to, and nothing else: no layout without the word.
"$io" --rw=write --bs=4k --size=1m --offset=4m --direct=1 --allow-write="$loop" \
	--filename="$loop" >/dev/null || fail "writing"
blockdev --flushbufs "$loop"
after=$(sum)
[ "$after" != "$before" ] || fail "nothing was written"
cmp -s -n 4194304 "$dir/backing" "$loop" || fail "backing and device differ"
"$io" --rw=read --bs=4k --size=8m --layout=overwrite --allow-write="$loop" \
	--filename="$loop" >/dev/null || fail "overwrite"
[ "$(sum)" != "$after" ] || fail "layout=overwrite did not fill the device"
[ "$(gzip -c "$dir/backing" | wc -c)" -ge 8388608 ] || fail "the filling shrinks"

if command -v mkfs.ext4 >/dev/null && mkfs.ext4 -q -m 0 "$loop" 2>/dev/null &&
	mkdir "$dir/mnt" && mount "$loop" "$dir/mnt" 2>/dev/null; then
	refuse "in use: mounted on $dir/mnt" --rw=randwrite --bs=4k --size=4m \
		--allow-write="$loop" --filename="$loop"
	refuse "in use: mounted on $dir/mnt" --rw=randread --bs=4k --size=4m \
		--filename="$loop"
	# O_DIRECT, layout, holes on the file system of the device
	"$io" --rw=randread --bs=4k --size=1m --direct=1 --directory="$dir/mnt" >/dev/null ||
		fail "a file on it"
	# What does not fit is not begun.
	refuse 'layout: needs 32 MiB more, .* are free in' --rw=write --bs=64k --size=32m \
		--name=big --directory="$dir/mnt"
	[ ! -e "$dir/mnt/volley-data/local/big.0.0" ] || fail "it was begun"
	# Blocks of the folder itself are not counted: when it runs full in spite of
	# that, nothing of it stays.
	room=$(($(stat -f -c '%a * %S' "$dir/mnt")))
	n=$((room / 4096 - 4))
	refuse 'No space left on device' --rw=read --bs=4k --size=$((n * 4096)) \
		--nrfiles=$n --name=many --directory="$dir/mnt"
	left=$(find "$dir/mnt" -name 'many*' | wc -l)
	[ "$left" = 0 ] || fail "$left files were left there"
	umount "$dir/mnt"
	# The same file system, mounted through a loop device on top of this one.
	over=$(losetup --show -f "$loop") || fail "no second loop device"
	mkdir "$dir/over" && mount "$over" "$dir/over" || fail "mount $over"
	refuse "in use: ${over#/dev/} lies on it" --rw=randwrite --bs=4k --size=4m \
		--allow-write="$loop" --filename="$loop"
	umount "$dir/over"
	refuse "in use: ${over#/dev/} lies on it" --rw=randwrite --bs=4k --size=4m \
		--allow-write="$loop" --filename="$loop"
	losetup -d "$over"
	over=
	"$io" --rw=randwrite --bs=4k --size=1m --allow-write="$loop" --filename="$loop" \
		>/dev/null || fail "nobody uses it any more"
else
	echo "cannot mount here: mounted devices are not tested"
fi
echo "block devices are safe"
