#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Nothing of a job file is lost in the results: warnings, options done in another way and
# options that were ignored are in the database, in every form of report and in the
# analysis; with `volley run JOBFILE` and with a plan's jobfile:, resumed or not.
set -u

DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
export PATH=${abs_top_builddir:-.}:$PATH
bad=0

command -v jq >/dev/null || {
	echo "SKIP: needs jq"
	exit 77
}
cd "$DIR" || exit 1
mkdir data
cat >j.fio <<-JOB
	[global]
	directory=$DIR/data
	size=2m
	runtime=1
	time_based
	clocksource=gettimeofday
	[a]
	rw=randread
	bs=4KiB
	unified_rw_reporting=1
JOB
cat >plan.yaml <<-PLAN
	plan: p
	storage: [{name: s, paths: {local: $DIR/data}}]
	clients: 1
	repeat: 1
	workloads:
	  - {name: w, jobfile: j.fio, ignore_unsupported: true}
PLAN

# expect STATUS COMMAND...
expect() {
	local want=$1 got
	shift
	"$@" >out 2>err </dev/null
	got=$?
	[ $got -eq "$want" ] && return
	echo "$*: exit status $got, not $want: $(cat err)"
	bad=1
}

# says WHAT TEXT: in out
says() {
	tr '\n' ' ' <out | tr -s ' ' | grep -qF -- "$2" && return
	echo "$1: '$2' is not in:"
	cat out
	bad=1
}

IGNORED='j.fio:10: unified_rw_reporting=1 is ignored: reads and writes are always reported apart'
WARNED='j.fio:9: bs: 4KiB is 4000 bytes'

expect 2 volley run j.fio --local 1 --db run.db
sed 's/, ignore_unsupported: true//' plan.yaml >strict.yaml
expect 2 volley run strict.yaml --local 1 --db run.db
[ ! -e run.db ] || {
	echo "something was run although an option is refused"
	bad=1
}

expect 0 volley run j.fio --local 1 --ignore-unsupported --db run.db
says "the table" "job file: $IGNORED"
says "the table" "job file: $WARNED"
expect 0 volley run plan.yaml --local 1 --db plan.db
says "the plan's table" "$IGNORED"
expect 0 volley run plan.yaml --local 1 --db plan.db --resume

for db in run.db plan.db; do
	expect 0 volley show $db -o json
	jq -e '.cases | length == 1 and (.[0]
		| (.skipped_options | map([.option, .value, .place]))
			== [["unified_rw_reporting", "1", "j.fio:10"]]
		and ([.translated_options[].option] == ["clocksource"])
		and ([.warnings[] | select(startswith("'"$WARNED"'"))] | length == 1)
		and ([.warnings[] | select(contains("is ignored"))] | length == 0))' out >/dev/null || {
		echo "$db: $(jq -c '.cases[] | .warnings, .translated_options, .skipped_options' out)"
		bad=1
	}
	id=$(jq -r '.cases[0].id' out)
	expect 0 volley show $db "$id"
	says "$db, the case" "$IGNORED"
	says "$db, the case" "j.fio:6: clocksource=gettimeofday is translated:"
	expect 0 volley show $db -o csv
	says "$db, csv" "unified_rw_reporting=1"
	says "$db, csv" "$WARNED"
	expect 0 volley show $db -o fio-json
	jq -e '.client_stats[-1].volley
		| (.skipped_options | map([.option, .place])) == [["unified_rw_reporting", "j.fio:10"]]
		and ([.translated_options[].option] == ["clocksource"])
		and ([.warnings[] | select(startswith("'"$WARNED"'"))] | length == 1)' out >/dev/null || {
		echo "$db, fio-json: $(jq -c '.client_stats[-1].volley' out)"
		bad=1
	}
	expect 0 volley analyze $db
	says "$db, the analysis" "skipped-options: options of the job were not honoured"
	expect 0 volley report $db -o md --out report.md
	cp report.md out
	says "$db, the report" 'unified\_rw\_reporting=1 is ignored'
	expect 0 volley report $db -o json
	jq -e '.cells[0] | ([.skipped_options[].option] == ["unified_rw_reporting"])
		and ([.translated_options[].option] == ["clocksource"])
		and ([.warnings[] | select(startswith("'"$WARNED"'"))] | length == 1)' out >/dev/null || {
		echo "$db, the report: $(jq -c '.cells[0] | .warnings, .skipped_options' out)"
		bad=1
	}
done

# volley-io's only record is its JSON.
expect 0 volley-io --ignore-unsupported --output-format=json j.fio
jq -e '."volley warnings"
	| (.[-1] | startswith("j.fio:10: unified_rw_reporting is ignored:"))
	and ([.[] | select(startswith("'"$WARNED"'"))] | length == 1)' out >/dev/null || {
	echo "volley-io: $(jq -c '."volley warnings"' out)"
	bad=1
}
exit $bad
