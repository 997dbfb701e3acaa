# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A block device of known speed, to be sourced by tests: a loop device whose I/O the
# kernel throttles for the processes of one control group. Speaks cgroup v1 (blkio) and
# v2 (io.max), whichever the machine has.
#
#   throttle_require          exit 77 with the reason where this cannot run
#   throttle_up BYTES         makes the device ($THROTTLE_DEV) and the group
#   throttle_limit KIND N     KIND is rbps, wbps, riops or wiops; others are lifted
#   throttle_run COMMAND...   runs it inside the group (children inherit)
#   throttle_child NAME KIND N        one more group, with a limit of its own
#   throttle_exec_in NAME COMMAND...  becomes the command, in that group; for use with &
#   throttle_down             removes both (also on exit)
#
# Only direct I/O is charged to the process that does it, so jobs need direct=1. The
# throttle lets a burst through at first: measure after a ramp.

THROTTLE_DEV=
THROTTLE_DIR=
THROTTLE_FILE=
THROTTLE_GROUP=

throttle_skip() {
	echo "SKIP: $*"
	exit 77
}

throttle_fail() {
	echo "FAIL: $*" >&2
	exit 1
}

# Prints "1 MOUNT" or "2 MOUNT": the hierarchy that can throttle.
throttle_hierarchy() {
	local mount
	mount=$(awk '$3 == "cgroup" && $4 ~ /(^|,)blkio(,|$)/ {print $2; exit}' /proc/mounts)
	if [ -n "$mount" ]; then
		echo "1 $mount"
		return
	fi
	mount=$(awk '$3 == "cgroup2" {print $2; exit}' /proc/mounts)
	[ -n "$mount" ] && grep -qw io "$mount/cgroup.controllers" || return 1
	echo "2 $mount"
}

throttle_require() {
	local tool
	[ "$(id -u)" = 0 ] || throttle_skip "needs root, for a throttled loop device"
	for tool in losetup jq awk; do
		command -v $tool >/dev/null || throttle_skip "needs $tool"
	done
	throttle_hierarchy >/dev/null || throttle_skip "no control groups that throttle I/O"
	losetup -f >/dev/null 2>&1 || throttle_skip "no loop devices here"
}

throttle_up() {
	local version mount
	read -r version mount < <(throttle_hierarchy)
	THROTTLE_VERSION=$version
	trap throttle_down EXIT
	THROTTLE_DIR=$(mktemp -d "${TMPDIR:-/var/tmp}/volley-throttle.XXXXXX")
	THROTTLE_FILE=$THROTTLE_DIR/backing
	truncate -s "$1" "$THROTTLE_FILE"
	THROTTLE_DEV=$(losetup -f --show "$THROTTLE_FILE") || throttle_fail "losetup"
	THROTTLE_GROUP=$mount/volley-throttle-$$
	if [ "$version" = 2 ]; then
		grep -qw io "$mount/cgroup.subtree_control" ||
			echo +io >"$mount/cgroup.subtree_control" ||
			throttle_skip "the io controller cannot be switched on"
	fi
	mkdir "$THROTTLE_GROUP" || throttle_fail "no control group"
}

throttle_number() {
	printf '%d:%d' "0x$(stat -c %t "$THROTTLE_DEV")" "0x$(stat -c %T "$THROTTLE_DEV")"
}

throttle_set() {
	local group=$1 kind=$2 rate=$3 file number
	number=$(throttle_number)
	if [ "$THROTTLE_VERSION" = 2 ]; then
		echo "$number rbps=max wbps=max riops=max wiops=max" >"$group/io.max"
		echo "$number $kind=$rate" >"$group/io.max" ||
			throttle_skip "this kernel does not throttle"
		return
	fi
	for file in read_bps write_bps read_iops write_iops; do
		[ -e "$group/blkio.throttle.${file}_device" ] ||
			throttle_skip "this kernel does not throttle"
		echo "$number 0" >"$group/blkio.throttle.${file}_device"
	done
	case $kind in
	rbps) file=read_bps ;;
	wbps) file=write_bps ;;
	riops) file=read_iops ;;
	wiops) file=write_iops ;;
	*) throttle_fail "no limit called $kind" ;;
	esac
	echo "$number $rate" >"$group/blkio.throttle.${file}_device"
}

throttle_limit() {
	throttle_set "$THROTTLE_GROUP" "$@"
}

throttle_child() {
	local name=$1
	shift
	mkdir -p "$THROTTLE_GROUP-$name"
	throttle_set "$THROTTLE_GROUP-$name" "$@"
}

throttle_exec_in() {
	local group=$THROTTLE_GROUP-$1
	shift
	echo "$BASHPID" >"$group/cgroup.procs" && exec "$@"
}

throttle_run() {
	(
		echo "$BASHPID" >"$THROTTLE_GROUP/cgroup.procs" &&
			exec "$@"
	)
}

throttle_down() {
	local pid group
	for group in "$THROTTLE_GROUP" "$THROTTLE_GROUP"-*; do
		[ -n "$THROTTLE_GROUP" ] && [ -d "$group" ] || continue
		while read -r pid; do
			kill -KILL "$pid" 2>/dev/null
		done <"$group/cgroup.procs"
		# The last process may still be on its way out.
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			rmdir "$group" 2>/dev/null && break
			read -r -t 0.1 _ <> <(:) || :
		done
	done
	[ -z "$THROTTLE_DEV" ] || losetup -d "$THROTTLE_DEV"
	[ -z "$THROTTLE_DIR" ] || rm -rf "$THROTTLE_DIR"
	THROTTLE_GROUP='' THROTTLE_DEV='' THROTTLE_DIR=''
}
