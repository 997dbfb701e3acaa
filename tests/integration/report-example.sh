#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The example report under docs/examples is what volley makes of the published comparison
# today. (Charts are left out of the comparison: they are gnuplot's.)
set -u

top=${abs_top_srcdir:-.}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bash "$top/docs/examples/make.sh" "$dir" || { echo "FAIL: make.sh"; exit 1; }
diff -u "$top/docs/examples/poc.md" "$dir/poc.md" >"$dir/diff" || {
	head -40 "$dir/diff"
	echo "FAIL: docs/examples/poc.md is not up to date (docs/examples/make.sh)"
	exit 1
}
for word in '64.0 %' suspect 'more than the declared links can carry'; do
	grep -q -- "$word" "$dir/poc.md" || { echo "FAIL: no '$word'"; exit 1; }
done
echo "the example is up to date"
