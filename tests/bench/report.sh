#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A report of 2,000 cells with its charts takes less than 30 s, and one of JSON too: wall
# time, and beside it the CPU that the command and gnuplot took. Exit 1 when it does not.
set -u

cells=2000 limit=30
bin=${abs_top_builddir:-.}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
missed=0
TIMEFORMAT='%R %U %S'

"$bin/tests/unit/document/make-report-db" "$dir/results.db" "$cells" || exit 1
for form in html json; do
	read -r wall user system < <({ time "$bin/volley" report "$dir/results.db" -o "$form" \
		--out "$dir/report.$form" >/dev/null 2>&1; } 2>&1)
	[ -s "$dir/report.$form" ] || { echo "report of $cells cells as $form: failed"; exit 1; }
	verdict=met
	awk "BEGIN {exit !($wall < $limit)}" || { verdict=MISSED missed=1; }
	printf 'report of %d cells, %-4s %8.1f s (CPU %.1f s), %d charts   < %d s   %s\n' \
		"$cells" "$form" "$wall" "$(awk "BEGIN {print $user + $system}")" \
		"$(grep -c '<svg ' "$dir/report.$form")" "$limit" "$verdict"
done
exit "$missed"
