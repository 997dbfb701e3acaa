#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Where jobs go and how large their I/Os are, beside fio's own logs of the same job on its
# null engine: the same offsets where the options determine them, the same distribution
# where they are drawn.
# shellcheck source=tests/support/alone.sh
. "${abs_top_srcdir:-.}/tests/support/alone.sh"
need fio
offsets=$(dirname "$io")/tests/support/offsets
[ -x "$offsets" ] || { echo "tests/support/offsets is not built"; exit 1; }

# Both write "direction bytes offset" lines.
both()
{
	rm -f j_lat*.log
	fio --name=j --ioengine=null --write_lat_log=j --log_offset=1 --disable_slat=1 \
		--disable_clat=1 "$@" >out 2>&1 || fail "fio $*: $(cat out)"
	for log in $(printf '%s\n' j_lat.*.log | sort -t. -k2n); do
		awk -F', *' '{print $3, $4, $5}' "$log"
	done >theirs
	"$offsets" "$@" >ours || fail "offsets $*"
	[ -s theirs ] && [ -s ours ] || fail "$*: nothing was logged"
}

# ---- determined

same()
{
	both "$@"
	cmp -s ours theirs || fail "$*: $(diff ours theirs | head -5)"
}

same --rw=read --bs=4k --size=1m
same --rw=write --bs=12k --size=100k
same --rw=write --bs=12k --size=40k --io_size=80k
same --rw=read:4k --bs=4k --size=64k
same --rw=read:12k --bs=4k --size=64k --io_size=128k
same --rw=read --bs=4k --size=64k --offset=128k
same --rw=write --bs=4k --size=64k --loops=3
same --rw=write --bs=4k --size=64k --number_ios=5
same --rw=write --bs=4k --size=64k --number_ios=5 --loops=3
same --rw=write --bs=4k --size=64k --number_ios=100
same --rw=read --bs=4k --size=64k --io_size=96k
same --rw=read --bs=4k --size=64k --io_size=32k --loops=3
same --rw=read --bs=4k --size=64k --io_size=96k --loops=2
same --rw=read --bs=4k --size=64k --io_size=160k --loops=2
same --rw=randread --percentage_random=0 --bs=4k --size=64k

# ---- the same set of blocks, in another order

same_set()
{
	both "$@"
	cmp -s <(sort -n -k3 ours) <(sort -n -k3 theirs) || fail "$*: other blocks"
}

same_set --rw=read --bs=4k --size=64k --offset=4k --offset_increment=64k --numjobs=4
same_set --rw=randread --bs=4k --size=4m
same_set --rw=randwrite --bs=64k --size=4m --offset=1m
same_set --rw=randread --bs=4k --size=1m --loops=2
same_set --rw=randread --bs=4k --size=1m --random_generator=lfsr
same_set --rw=randread --bs=4k --size=1m --softrandommap=1

# ---- the same distribution

# The seeds are fixed.
compare()
{
	awk -f "${abs_top_srcdir:-.}/tests/support/chi-square.awk" ours theirs
}

# like COLUMN OPTION...: 2 sizes, 3 offsets
like()
{
	local column=$1
	shift
	both "$@"
	for file in ours theirs; do
		awk -v c="$column" '{print $c}' $file >column && mv column $file
	done
	result=$(compare) || fail "$*: column $column: chi-square $result"
}

like 2 --rw=read --bssplit=4k/50:64k/30:16k/20 --size=256m
like 2 --rw=randread --norandommap --bssplit=4k/50:64k/30:16k/20 --size=256m
like 2 --rw=read --bsrange=4k-16k --size=128m
like 2 --rw=read --bsrange=3k-10k --size=64m
like 2 --rw=randread --norandommap --bsrange=4k-64k --size=256m
like 3 --rw=randread --norandommap --bs=4k --size=4m --io_size=200m
like 3 --rw=randread --bs=4k --blockalign=16k --size=4m --io_size=100m
for theta in 0.4 0.8 1.1 1.5; do
	like 3 --rw=randread --bs=4k --size=4m --io_size=200m \
		--random_distribution=zipf:$theta:0.25
done
like 3 --rw=randread --bs=4k --size=4m --io_size=200m --random_distribution=pareto:0.2:0.75
like 3 --rw=randread --bs=4k --size=4m --io_size=200m --random_distribution=pareto:0.4:0
like 3 --rw=randread --bs=4k --size=4m --io_size=200m --random_distribution=zoned:60/10:30/20:8/30:2/40
like 3 --rw=randread --bs=4k --size=4m --io_size=200m --random_distribution=zoned_abs:60/1m:40/3m
like 3 --rw=randread --bs=4k --size=4m --io_size=200m --random_distribution=normal:10
like 3 --rw=randread --bs=4k --size=4m --io_size=200m --random_distribution=normal:30:0.25

# With a center left open the hottest block lies anywhere: then only the counts compare.
hottest()
{
	both "$@"
	for file in ours theirs; do
		awk '{print $3}' $file | sort | uniq -c | sort -rn | head -20 |
			awk '{print $1}' >$file.top
	done
	paste ours.top theirs.top | awk '
	# Five deviations of the difference of two counts
	{ d = $1 - $2; if (d * d > 25 * ($1 + $2)) { print; bad = 1 } }
	END { exit bad }' || fail "$*: the hottest blocks are not as hot as fio's"
}

hottest --rw=randread --bs=4k --size=4m --io_size=200m --random_distribution=zipf:1.2
hottest --rw=randread --bs=4k --size=64m --io_size=400m --random_distribution=zipf:0.9
hottest --rw=randread --bs=4k --size=3m --io_size=200m --random_distribution=pareto:0.3

# Shares: of jumps (percentage_random), of runs (rw=randread:8), of reads.
share() # PROGRAM-FILE
{
	awk '$3 != next_at { jumps++ } { next_at = $3 + $2; n++ }
		END { printf "%.0f\n", 1000 * jumps / n }' "$1"
}

jumps()
{
	both "$@"
	a=$(share ours) b=$(share theirs)
	[ $((a - b)) -le 15 ] && [ $((b - a)) -le 15 ] ||
		fail "$*: $a jumps in 1000 I/Os, fio has $b"
}

jumps --rw=randread --bs=4k --size=256m --io_size=80m --percentage_random=25
jumps --rw=randread --bs=4k --size=256m --io_size=80m --percentage_random=75
jumps --rw=randread:8 --bs=4k --size=256m --io_size=80m
jumps --rw=randread:8 --rw_sequencer=identical --bs=4k --size=256m --io_size=80m
exit 0
