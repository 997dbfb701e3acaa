# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A cluster of two (runs.sh, which this sources) on which $RUN_STORAGE of agent 2 is a
# mount that hangs on demand (hangfs.c), and an ordinary folder of agent 1.
#
#   hang_up                    as cluster_up 2
#   hang_now read|all          reads and writes of data hang, or every call does

# shellcheck source=tests/support/runs.sh
. "${abs_top_srcdir:-.}/tests/support/runs.sh"

HANGFS=$CLUSTER_BIN/tests/support/hangfs
export HANGFS

connection_is_known() {
	[ -s "$CLUSTER_DIR/connection" ]
}

# The only thing that ends a process that waits for a dead mount.
abort_connection() {
	local abort
	: >"$CLUSTER_DIR/control"
	connection_is_known || return 0
	abort=/sys/fs/fuse/connections/$(cat "$CLUSTER_DIR/connection")/abort
	[ ! -e "$abort" ] || echo 1 >"$abort"
}

hang_down() {
	abort_connection
	cluster_down
}

cluster_before_agents() {
	mkdir -p "$CLUSTER_DATA/mnt" "$CLUSTER_DIR/behind"
	: >"$CLUSTER_DIR/control"
	mountpoint -q /sys/fs/fuse/connections ||
		mount -t fusectl none /sys/fs/fuse/connections
}

hang_now() {
	echo "$1" >"$CLUSTER_DIR/control"
}

hang_up() {
	[ -x "$HANGFS" ] || skip "configured without libfuse3, for a file system that hangs"
	[ -w /dev/fuse ] || skip "no /dev/fuse here"
	cluster_require
	# shellcheck disable=SC2016 # agent 2's shell expands it
	CLUSTER_PRE[2]='"$HANGFS" "$CLUSTER_DIR/behind" "$CLUSTER_DIR/control" \
		"$CLUSTER_DATA/mnt" >"$CLUSTER_DIR/connection" 2>"$CLUSTER_DIR/hangfs.log" &'
	cluster_up 2
	trap hang_down EXIT
	cluster_until 10 connection_is_known || skip "the file system cannot be mounted here"
	RUN_STORAGE=$CLUSTER_DATA/mnt
}
