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
# by its name alone: where this tree lies is not to be in the report
cp "$here/../../tests/analysis/poc.csv" "$dir"
(cd "$dir" && volley import csv poc.csv --db poc.db --link 400G --mtu 9000 >log)
for format in html md; do
	volley report "$dir/poc.db" --anonymise --map "$dir/map.json" -o $format \
		--out "$out/poc.$format"
done
