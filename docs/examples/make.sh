#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the example reports anew: make.sh [FOLDER] (default: where this script is).
set -eu

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
out=${1:-$here}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$here/poc-map.json" "$dir/map.json"
volley import csv "$here/../../tests/analysis/poc.csv" --db "$dir/poc.db" \
	--link 400G --mtu 9000 >"$dir/log"
for format in html md; do
	volley report "$dir/poc.db" --anonymise --map "$dir/map.json" -o $format \
		--out "$out/poc.$format"
done
