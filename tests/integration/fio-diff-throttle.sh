#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The same latencies from volley-io and from the real fio, on a device that the kernel
# throttles: three runs of each, taken in turns, whose medians of the mean and of the high
# percentiles (the throttle lets most I/Os of a slice pass at once) differ by noise alone.

# shellcheck source=tests/support/throttle.sh
. "${abs_top_srcdir:-.}/tests/support/throttle.sh"
command -v fio >/dev/null || { echo "fio is not installed: not tested"; exit 77; }
io=${abs_top_builddir:-.}/volley-io
throttle_require
throttle_up 64M

# compare NAME IOPS PERCENT OPTION...: reads, limited to IOPS
compare()
{
	local name=$1 iops=$2 within=$3 turn who
	local -a job
	shift 3
	throttle_limit riops "$iops"
	job=(--name=j --filename="$THROTTLE_DEV" --rw=randread --bs=4k --size=32m --direct=1
		--time_based --runtime=2 --ramp_time=500ms --output-format=json "$@")
	for turn in 1 2 3; do
		for who in "$io" fio; do
			throttle_run "$who" "${job[@]}" >"$THROTTLE_DIR/$(basename "$who").$turn" \
				2>"$THROTTLE_DIR/err" || throttle_fail "$name: $who: $(cat "$THROTTLE_DIR/err")"
		done
	done
	for who in volley-io fio; do
		jq -s '[("mean", "99.000000", "99.900000") as $what
			| [.[].jobs[0].read.clat_ns | if $what == "mean" then .mean
			   else .percentile[$what] end] | sort[1]]
			+ [[.[].jobs[0].read.iops] | sort[1]]' "$THROTTLE_DIR/$who".? >"$THROTTLE_DIR/$who"
	done
	jq -c -n --arg name "$name" --argjson within "$within" \
		--slurpfile ours "$THROTTLE_DIR/volley-io" --slurpfile theirs "$THROTTLE_DIR/fio" '
		"\($name): mean, 99th and 99.9th in ns, IOPS: \($ours[0] | map(floor)), fio \($theirs[0] | map(floor))",
		([$ours[0], $theirs[0]] | transpose
			| all((.[0] / .[1] - 1 | fabs) * 100 <= $within) // error("too far apart"))' ||
		throttle_fail "$name: latencies differ"
}

compare psync 200 10 --ioengine=psync
compare libaio 400 10 --ioengine=libaio --iodepth=8
