#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The manual pages name every command and every option that the programs' own help
# names, and every document that they point to is installed.
set -u

docs=$abs_top_srcdir/docs
bad=0
count=0

# options_of COMMAND...: the names of the options in its help, one a line
options_of() {
	"$@" | sed -n 's/^  --\([a-z0-9_-]*\).*/\1/p'
}

# demand PAGE WHAT PATTERN
demand() {
	count=$((count + 1))
	grep -qE -e "$3" "$docs/$1" && return
	echo "docs/$1 does not name $2"
	bad=1
}

# demand_options PAGE COMMAND...
demand_options() {
	local page=$1 option
	shift
	while IFS= read -r option; do
		demand "$page" "--$option ($*)" "Fl -$option( |\$)"
	done < <(options_of "$@")
}

# The completion script has each command's name between quotes; help may cut none off.
mapfile -t commands < <(volley completion | sed -n 's/^\t"\(.*\) "\*).*/\1/p')
[ "${#commands[@]}" -eq "$(volley help | grep -c '^  ')" ] || {
	echo "help and completion do not list the same commands"
	bad=1
}
for name in "${commands[@]}"; do
	demand volley.1 "volley $name" "^\\.It Cm $name( |\$)"
	demand volley.1 "volley $name in its synopsis" "^\\.Cm $name( |\$)"
	# shellcheck disable=SC2086 # two words may be one command
	demand_options volley.1 volley help $name
done
demand_options volleyd.8 volleyd --help
demand_options volley-io.1 volley-io --help

# A help that lists nothing would demand nothing
[ "$count" -gt 250 ] || {
	echo "only $count names were looked for"
	bad=1
}

# Documents that the pages name are installed
while IFS= read -r file; do
	grep -qE "^dist_doc_DATA.*docs/$file( |\$)" "$docs/docs.am" && continue
	echo "docs/$file is named in a manual page and not installed"
	bad=1
done < <(sed -n 's/^\.Pa \([a-z-]*\.md\).*/\1/p' "$docs"/*.[18] | sort -u)

exit "$bad"
