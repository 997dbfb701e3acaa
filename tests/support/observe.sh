# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# An observer from outside, to be sourced by tests: the kernel's own trace of system calls
# (tracefs), on the clock that agents without a time namespace use, CLOCK_MONOTONIC.
#
#   observe_available         true, or prints why not
#   observe_start COMM EVENT...   this shell and what it starts from now on, where the
#                             program is called so: volley-io sys_enter_pread64
#   observe_stop FILE         writes "TID SECONDS CALL enter|exit COUNT", and ends the trace;
#                             COUNT is that of the call, 0x1000 say, or -
#   observe_down              ends the trace (also call it on exit)

OBSERVE_ROOT=
OBSERVE_MOUNT=
OBSERVE_TRACE=

# Finds tracefs, or mounts it in a place of its own.
observe_find() {
	OBSERVE_ROOT=$(awk '$3 == "tracefs" {print $2; exit}' /proc/mounts)
	[ -z "$OBSERVE_ROOT" ] || return 0
	OBSERVE_MOUNT=$(mktemp -d "${TMPDIR:-/var/tmp}/volley-trace.XXXXXX")
	if mount -t tracefs none "$OBSERVE_MOUNT" 2>/dev/null; then
		OBSERVE_ROOT=$OBSERVE_MOUNT
		return 0
	fi
	rmdir "$OBSERVE_MOUNT"
	OBSERVE_MOUNT=
	return 1
}

observe_available() {
	if [ "$(id -u)" != 0 ]; then
		echo "needs root, for the kernel's trace"
		return 1
	fi
	if ! observe_find; then
		echo "no tracefs here"
		return 1
	fi
	[ -d "$OBSERVE_ROOT/events/syscalls/sys_enter_pread64" ] && return 0
	echo "this kernel does not trace system calls"
	observe_down
	return 1
}

observe_start() {
	local comm=$1 event
	shift
	OBSERVE_TRACE=$OBSERVE_ROOT/instances/volley-$$
	mkdir "$OBSERVE_TRACE" || return 1
	echo 1 >"$OBSERVE_TRACE/options/event-fork"
	echo "$BASHPID" >"$OBSERVE_TRACE/set_event_pid"
	echo mono >"$OBSERVE_TRACE/trace_clock"
	echo "${OBSERVE_KB:-2048}" >"$OBSERVE_TRACE/buffer_size_kb"
	echo 0 >"$OBSERVE_TRACE/options/overwrite" # when full, what came first counts
	for event; do
		echo "comm == \"$comm\"" >"$OBSERVE_TRACE/events/syscalls/$event/filter"
		echo 1 >"$OBSERVE_TRACE/events/syscalls/$event/enable"
	done
}

#       volley-io-123  [000] .....  1234.567890: sys_pread64(fd: 5, ...
# Microseconds are all that the text form shows.
observe_stop() {
	echo 0 >"$OBSERVE_TRACE/tracing_on"
	awk '!/^#/ {
		tid = $1
		sub(/.*-/, "", tid)
		for (i = 2; i < NF && $i !~ /^[0-9]+\.[0-9]+:$/; i++)
			;
		at = $i
		sub(/:$/, "", at)
		what = $(i + 1)
		sub(/\(.*/, "", what)
		count = match($0, /count: 0x[0-9a-f]+/) ? substr($0, RSTART + 7, RLENGTH - 7) : "-"
		print tid, at, what, count == "-" ? "exit" : "enter", count
	}' "$OBSERVE_TRACE/trace" >"$1"
	observe_down
}

observe_down() {
	if [ -n "$OBSERVE_TRACE" ] && [ -d "$OBSERVE_TRACE" ]; then
		echo 0 >"$OBSERVE_TRACE/tracing_on"
		rmdir "$OBSERVE_TRACE"
	fi
	OBSERVE_TRACE=
	if [ -n "$OBSERVE_MOUNT" ]; then
		umount "$OBSERVE_MOUNT"
		rmdir "$OBSERVE_MOUNT"
	fi
	OBSERVE_MOUNT=
}
