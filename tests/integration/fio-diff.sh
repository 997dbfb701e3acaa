#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The job files in tests/fio-jobs/diff run with the real fio and with volley-io, one after
# the other on the same data; expect.tsv there says what has to be the same. One line per
# file. `fio-diff.sh NAME...` does only those; EXPECT names another table.
set -u

for tool in fio jq; do
	command -v $tool >/dev/null || { echo "$tool is not installed: not tested"; exit 77; }
done
fio --version | grep -q '^fio-3\.33' || { echo "the oracle is fio 3.33, which is not here"; exit 77; }
src=${abs_top_srcdir:-.}
jobs=$src/tests/fio-jobs/diff
io=${abs_top_builddir:-.}/volley-io
[ -x "$io" ] || io=$(command -v volley-io) || { echo "volley-io is not built"; exit 1; }
io=$(realpath "$io")

dir=$(mktemp -d "${TMPDIR:-/var/tmp}/volley-diff-XXXXXX")
trap 'rm -rf "$dir"' EXIT
head -c 16m /dev/urandom >"$dir/data"
export DATA=$dir/data HALF=512k
bad=0 files=0

# ---- running

# stage NAME LOGS: a folder for each program, with the job file in it
stage()
{
	local who
	for who in ours theirs; do
		rm -rf "${dir:?}/$who"
		mkdir "$dir/$who"
		cp "$jobs"/*.inc "$dir/$who"
		{
			[ "$2" = 1 ] && printf '[global]\nwrite_lat_log=l\nlog_offset=1\nlog_unix_epoch=1\n'
			cat "$jobs/$1.fio"
		} >"$dir/$who/j.fio"
	done
}

# run WHO: its result in WHO.json
run()
{
	local -a program=("$io")
	[ "$1" = theirs ] && program=(fio)
	(cd "$dir/$1" && timeout 60 "${program[@]}" --output-format=json j.fio) \
		>"$dir/$1.json" 2>"$dir/$1.err" || {
		why="$1 ended with $?: $(tail -n 1 "$dir/$1.err")"
		return 1
	}
	# fio may say something before its JSON; volley-io never does.
	[ "$1" = ours ] || sed -i -n '/^{/,$p' "$dir/theirs.json"
}

# log WHO: "direction bytes offset" of every I/O, thread by thread
log()
{
	local file
	for file in $(cd "$dir/$1" && printf '%s\n' l_lat.*.log | sort -t. -k2n); do
		awk -F', *' '{ print $3, $4, $5 }' "$dir/$1/$file"
	done >"$dir/$1.log"
	[ -s "$dir/$1.log" ] || { why="$1: nothing was logged"; return 1; }
}

# ---- checks: 0, or 1 and $why; $said is what the line shows

both()
{
	local ours theirs
	ours=$(jq -c "$1" "$dir/ours.json") theirs=$(jq -c "$1" "$dir/theirs.json")
	said+=" ${2:-$check}=$ours"
	[ "$ours" = "$theirs" ] || { why="$check: $ours, fio's are $theirs"; return 1; }
}

# each FILTER: a jq condition that holds for either
each()
{
	local who
	said+=" $check=$(jq -c "${2:-.jobs}" "$dir/ours.json")"
	for who in ours theirs; do
		jq -e "$1" "$dir/$who.json" >/dev/null || {
			why="$check: $who: $(jq -c "${2:-.jobs}" "$dir/$who.json")"
			return 1
		}
	done
}

groups='.jobs | group_by(.groupid)[]'
check_ios() { both "[$groups | [(map(.read.total_ios) | add), (map(.write.total_ios) | add)]]"; }
check_bytes() { both "[$groups | [(map(.read.io_bytes) | add), (map(.write.io_bytes) | add)]]"; }
check_total() { both '[.jobs[] | .read.total_ios + .write.total_ios] | add'; }
check_names() { both '[.jobs[].jobname]'; }

check_offsets()
{
	cmp -s "$dir/ours.log" "$dir/theirs.log" ||
		{ why="offsets: $(diff "$dir/ours.log" "$dir/theirs.log" | sed -n 2p)"; return 1; }
}

check_set()
{
	cmp -s <(sort "$dir/ours.log") <(sort "$dir/theirs.log") || { why="other blocks"; return 1; }
}

check_unique()
{
	local file again
	for file in "$dir"/{ours,theirs}/l_lat.*.log; do
		again=$(awk -F', *' '{ print $5 }' "$file" | sort | uniq -d | head -1)
		[ -z "$again" ] || { why="$file: offset $again came twice"; return 1; }
	done
}

check_like()
{
	local result
	result=$(awk -f "$src/tests/support/chi-square.awk" \
		<(awk -v c="$1" '{ print $1 ":" $c }' "$dir/ours.log") \
		<(awk -v c="$1" '{ print $1 ":" $c }' "$dir/theirs.log")) ||
		{ why="column $1: chi-square $result"; return 1; }
	said+=" chi-square=${result// /_}"
}

jumps_of()
{
	awk '$3 != next_at { jumps++ } { next_at = $3 + $2; n++ }
		END { printf "%.0f\n", 1000 * jumps / n }' "$dir/$1.log"
}

check_jumps()
{
	local ours theirs
	ours=$(jumps_of ours) theirs=$(jumps_of theirs)
	said+=" jumps=$ours"
	[ $((ours - theirs)) -le "$1" ] && [ $((theirs - ours)) -le "$1" ] ||
		{ why="$ours jumps in 1000 I/Os, fio has $theirs"; return 1; }
}

check_mix()
{
	each "([.jobs[].read.total_ios] | add) as \$r | ([.jobs[].write.total_ios] | add) as \$w
		| (1000 * \$r / (\$r + \$w) - 10 * $1) | fabs <= $2" \
		'[.jobs[] | .read.total_ios, .write.total_ios]'
}

check_count()
{
	each "([.jobs[] | .read.total_ios + .write.total_ios] | add) as \$n
		| (100 * \$n / $1 - 100) | fabs <= $2" '[.jobs[] | .read.total_ios]'
}

check_rates()
{
	local within=${!#} list
	list=$(IFS=, && echo "$*")
	each "[.jobs[] | .read.total_ios + .write.total_ios] | to_entries
		| all([$list][.key] as \$n | (100 * .value / \$n - 100) | fabs <= $within)" \
		'[.jobs[] | .read.total_ios + .write.total_ios]'
}

check_near()
{
	local totals='[.jobs[] | .read.total_ios + .write.total_ios]'
	said+=" near=$(jq -c "$totals" "$dir/ours.json")"
	jq -e --slurpfile fio "$dir/theirs.json" "$totals as \$ours | (\$fio[0] | $totals) as \$theirs
		| [\$ours, \$theirs] | transpose | all((1000 * .[0] / .[1] - 1000) | fabs <= $1)" \
		"$dir/ours.json" >/dev/null ||
		{ why="I/Os: $(jq -c "$totals" "$dir/ours.json" "$dir/theirs.json" | xargs)"; return 1; }
}

check_rate()
{
	each ".jobs[0].$1.bw_bytes as \$b | (100 * \$b / $2 - 100) | fabs <= $3" ".jobs[0].$1.bw_bytes"
}

check_runtime()
{
	each ".jobs[0] | [.read.runtime, .write.runtime] | max - $1 | fabs <= $2" \
		'.jobs[0] | [.read.runtime, .write.runtime]'
}

# lengths WHO: "name bytes" of the files that the job made
lengths()
{
	find "$dir/$1" -type f \( -name '*.[0-9].[0-9]' -o -name shared \) -printf '%f %s\n' |
		sort >"$dir/$1.lengths"
	[ -s "$dir/$1.lengths" ] || { why="$1 made no files"; return 1; }
}

check_lengths()
{
	lengths ours && lengths theirs || return 1
	cmp -s "$dir/ours.lengths" "$dir/theirs.lengths" ||
		{ why="lengths: $(diff "$dir/ours.lengths" "$dir/theirs.lengths" | xargs)"; return 1; }
	said+=" lengths=$(wc -l <"$dir/ours.lengths")"
}

check_took() { each ".jobs[0].job_runtime | . >= $1 and . <= $2" '.jobs[0].job_runtime'; }

check_latency()
{
	local i who
	for who in ours theirs; do mv "$dir/$who.json" "$dir/$who.1.json"; done
	for i in 2 3; do
		for who in ours theirs; do
			run $who || return 1
			mv "$dir/$who.json" "$dir/$who.$i.json"
		done
	done
	for who in ours theirs; do
		jq -s '{jobs: [.[].jobs[0]]} + {median: [("mean", "50", "90", "99") as $what
			| [.[].jobs[0].read.clat_ns | if $what == "mean" then .mean
			   else .percentile[$what + ".000000"] end] | sort[1]]}' \
			"$dir/$who".?.json >"$dir/$who.json"
	done
	said+=" clat_ns=$(jq -c '.median | map(floor)' "$dir/ours.json")"
	jq -e --slurpfile fio "$dir/theirs.json" "[.median, \$fio[0].median] | transpose
		| all((.[0] / .[1]) as \$f | \$f <= $1 and \$f >= 1 / $1)" "$dir/ours.json" >/dev/null ||
		{ why="latencies: $(jq -c .median "$dir/ours.json" "$dir/theirs.json" | xargs)"; return 1; }
}

# The logs' first column is ms since 1970.
check_stages()
{
	local log first last=0 n=0 end
	for log in $(cd "$dir/ours" && printf '%s\n' l_lat.*.log | sort -t. -k2n); do
		[ $((n++ % $1)) -eq 0 ] && last=${end:-0}
		first=$(head -1 "$dir/ours/$log" | cut -d, -f1)
		[ "$first" -ge "$last" ] || { why="$log begins $((last - first)) ms before its time"; return 1; }
		first=$(tail -1 "$dir/ours/$log" | cut -d, -f1)
		[ "$first" -gt "${end:-0}" ] && end=$first
	done
	[ "$n" -gt "$1" ] || { why="only $n logs"; return 1; }
}

check_refused()
{
	(cd "$dir/theirs" && timeout 20 fio --parse-only j.fio) >/dev/null 2>&1 &&
		{ why="fio takes it"; return 1; }
	(cd "$dir/ours" && "$io" --parse-only j.fio) >/dev/null 2>"$dir/ours.err" &&
		{ why="volley-io takes it"; return 1; }
	grep -q 'j\.fio:[0-9]*: ' "$dir/ours.err" || { why="no place: $(cat "$dir/ours.err")"; return 1; }
	said+=" $(sed 's/.*j\.fio:/line /' "$dir/ours.err" | head -c 90)"
}

# ---- files

# compare NAME CHECK...
compare()
{
	local name=$1 logs=0 check
	shift
	why='' said=''
	[[ " $* " =~ \ (offsets|set|unique|like:|jumps:|stages:) ]] && logs=1
	stage "$name" $logs
	if [ "$*" != refused ]; then
		run theirs && run ours || return 1
		# fio logs no latencies that it was told not to take
		[ $logs -eq 0 ] || [[ " $* " =~ \ stages: ]] || { log ours && log theirs; } || return 1
	fi
	for check; do
		# shellcheck disable=SC2086 # NAME:ARGUMENT:ARGUMENT
		check_${check%%:*} $(tr : ' ' <<<"${check#"${check%%:*}"}") || return 1
	done
}

while IFS=$'\t' read -r name checks <&3; do
	[[ $name == '#'* || -z $name ]] && continue
	[ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
	files=$((files + 1))
	# shellcheck disable=SC2086
	if compare "$name" $checks; then
		echo "ok    $name:$said"
	else
		echo "FAIL  $name: $why"
		bad=1
	fi
done 3<"${EXPECT:-$jobs/expect.tsv}"

if [ $# -eq 0 ]; then
	for file in "$jobs"/*.fio; do
		name=$(basename "$file" .fio)
		grep -q "^$name	" "${EXPECT:-$jobs/expect.tsv}" ||
			{ echo "FAIL  $name: nothing is expected of it"; bad=1; }
	done
	# A wrong expectation is noticed.
	printf 'loops\tios unique\n' >"$dir/wrong.tsv"
	EXPECT=$dir/wrong.tsv "$0" loops >"$dir/wrong" 2>&1 && {
		echo "FAIL  loops: blocks that come four times pass for unique"
		bad=1
	}
	[ "$files" -ge 40 ] || { echo "FAIL  only $files files"; bad=1; }
fi
echo "$files job files"
exit $bad
