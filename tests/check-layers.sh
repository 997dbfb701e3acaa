#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Enforces who may include whom (HACKING.md, "Layers"): the direction of includes
# between folders, the private headers of libraries, what an engine may see, and that
# pure folders take time, seed and text as arguments. Checks the tree given as the
# argument, or the source tree of this build. Prints file:line: reason; exits 1 on any.
set -u

root=${1:-${abs_top_srcdir:-$(dirname "$0")/..}}
cd "$root" || exit 1

# Each folder, longest path first, and the only folders (or files) it may include from.
folders='
lib/base        lib/base
lib/stats       lib/base lib/stats
lib/fiojson     lib/base lib/stats lib/work lib/fiojson
lib/work        lib/base lib/stats lib/work
lib/wire        lib/base lib/stats lib/work lib/wire proto
lib/rpc         lib/base lib/rpc proto
agent/engine    lib/base lib/work agent/engine lib/stats/dir.h
agent           lib agent
controller      lib controller
'

# Headers that only some files may include: the header's prefix or suffix, and the files.
private='
*.pb-c.h        lib/rpc/* lib/wire/*
event2/*        lib/rpc/* agent/agentd.c agent/helper.c agent/runner.c agent/witness.c agent/target-link.c agent/worker-link.c controller/fleet/*
infiniband/*    agent/engine/net-rdma.c agent/engine/rdma-* agent/target/* agent/probe/rdma.c
rdma/*          agent/engine/net-rdma.c agent/engine/rdma-* agent/target/* agent/probe/rdma.c
sqlite3.h       controller/store/*
'

# An engine never sees these, whatever the folder table says.
engine_never='lib/base/log.h event2/*'

# Pure code: no sockets, threads, clocks or random calls.
pure='
lib/stats/* lib/fiojson/* lib/work/* controller/plan/* controller/expand/* controller/attempt/*
controller/preflight/* controller/analyze/* controller/report/* controller/document/* agent/run.[ch] controller/fleet/drive*.[ch]
agent/engine/rdma-flow.[ch]
'
pure_exempt='lib/stats/meter.[ch]'
pure_never='
sys/socket.h sys/un.h sys/epoll.h sys/timerfd.h sys/eventfd.h sys/random.h poll.h
netdb.h netinet/* arpa/* pthread.h threads.h stdatomic.h semaphore.h event2/*
openssl/* lib/base/clock.h lib/rpc/*
'
pure_calls='clock_gettime|clock_nanosleep|nanosleep|usleep|sleep|gettimeofday|time'
pure_calls="$pure_calls|rand|rand_r|srand|random|srandom|drand48|arc4random|getrandom"
pure_calls="$pure_calls|getentropy|socket|connect|pthread_create|fork"

bad=0

complain()
{
	printf '%s: %s\n' "$1" "$2"
	bad=1
}

# matches VALUE PATTERN...: does VALUE match one of the shell patterns?
matches()
{
	local value=$1 pattern
	shift
	for pattern; do
		# shellcheck disable=SC2053 # the right side is meant as a pattern
		[[ $value == $pattern ]] && return 0
	done
	return 1
}

# allowed_for FILE: the folders FILE may include from ("" = any)
allowed_for()
{
	local folder rest
	while read -r folder rest; do
		if [[ -n $folder && $1 == "$folder"/* ]]; then
			echo "$rest"
			return
		fi
	done <<<"$folders"
}

check_direction()
{
	local where=$1 file=$2 header=$3 allowed folder
	[[ $header =~ ^(lib|agent|controller|proto|tests)/ ]] || return
	allowed=$(allowed_for "$file")
	[ -n "$allowed" ] || return
	for folder in $allowed; do
		[[ $header == "$folder"/* || $header == "$folder" ]] && return
	done
	complain "$where" "${file%/*} may not include $header (it may: $allowed)"
}

check_private()
{
	local where=$1 file=$2 header=$3 pattern owners
	while read -r pattern owners; do
		[ -n "$pattern" ] || continue
		matches "$header" "$pattern" || continue
		# shellcheck disable=SC2086 # a list of patterns
		matches "$file" $owners ||
			complain "$where" "$header belongs to $owners"
	done <<<"$private"
}

check_pure_include()
{
	local where=$1 header=$2
	# shellcheck disable=SC2086
	! matches "$header" $pure_never ||
		complain "$where" "pure code may not include $header"
}

# Comments and strings do not count as calls.
check_pure_calls()
{
	local file=$1 line
	while IFS= read -r line; do
		complain "$file:${line%%:*}" "pure code may not call: ${line#*:}"
	done < <(sed -e 's/"\(\\.\|[^"\\]\)*"//g' -e 's,/\*.*\*/,,' -e 's,//.*,,' \
		-e '/^[[:space:]]*\*/s/.*//' -e '/\/\*/s/\/\*.*//' "$file" |
		grep -nE "(^|[^A-Za-z0-9_>.])($pure_calls)[[:space:]]*\(")
}

set -f # the tables hold patterns, not file names
while IFS=: read -r file line text; do
	header=${text#*[<\"]}
	header=${header%%[>\"]*}
	where=$file:$line
	if [[ $text == *\"* && $header != */* && $header != config.h ]]; then
		complain "$where" "include \"$header\" is not written from the root"
	fi
	[[ $header != *..* ]] || complain "$where" "include \"$header\" leaves its folder"
	check_direction "$where" "$file" "$header"
	[[ $file == tests/* ]] || check_private "$where" "$file" "$header"
	# shellcheck disable=SC2086
	if [[ $file == agent/engine/* ]] && matches "$header" $engine_never; then
		complain "$where" "an engine may not include $header"
	fi
	# shellcheck disable=SC2086
	if matches "$file" $pure && ! matches "$file" $pure_exempt; then
		check_pure_include "$where" "$header"
	fi
done < <(find lib agent controller tests -name '*.[ch]' -type f ! -name '*.pb-c.[ch]' \
	-exec grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' /dev/null {} +)

n=0
while IFS= read -r file; do
	n=$((n + 1))
	# shellcheck disable=SC2086
	if matches "$file" $pure && ! matches "$file" $pure_exempt; then
		check_pure_calls "$file"
	fi
done < <(find lib agent controller -name '*.[ch]' -type f)

[ "$bad" -ne 0 ] || echo "$n files keep to their layers"
exit "$bad"
