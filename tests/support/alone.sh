# SPDX-License-Identifier: Apache-2.0
#
# For tests of volley-io on its own, to be sourced: what they need, a folder for them
# ($dir, where they then are) that goes when they end, the program ($io).
# shellcheck shell=bash
set -u

need()
{
	command -v "$1" >/dev/null || { echo "$1 is not installed: not tested"; exit 77; }
}

fail()
{
	echo "FAIL: $*" >&2
	exit 1
}

io=${abs_top_builddir:-.}/volley-io
[ -x "$io" ] || io=$(command -v volley-io) || { echo "volley-io is not built"; exit 1; }
io=$(realpath "$io")
dir=$(mktemp -d "${TMPDIR:-/var/tmp}/volley-alone-XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
