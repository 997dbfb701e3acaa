#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Job files in the manner of those that vendors and PoC teams use (tests/fio-jobs) run,
# here alone and on two clients. Only amounts and the folder are changed: what takes a
# cluster and an hour takes a folder and a second.
set -u

command -v jq >/dev/null || { echo "jq is not installed: not tested"; exit 77; }
src=${abs_top_srcdir:-.}/tests/fio-jobs
io=${abs_top_builddir:-.}/volley-io
volley=${abs_top_builddir:-.}/volley
[ -x "$io" ] && [ -x "$volley" ] || { echo "volley is not built"; exit 1; }
io=$(realpath "$io") volley=$(realpath "$volley")
dir=$(mktemp -d "${TMPDIR:-/var/tmp}/volley-patterns-XXXXXX")
trap 'rm -rf "$dir"' EXIT
export DIR=$dir/data
bad=0

fail()
{
	echo "FAIL  $*"
	bad=1
}

# shrink FILE: to stdout; times and sizes of seconds and megabytes, the folder is $DIR
shrink()
{
	sed -E -e "s,^directory=.*,directory=$DIR," -e 's/^runtime=.*/runtime=1/' \
		-e 's/^(ramp_time|startdelay)=.*/\1=500ms/' -e 's/^size=.*/size=32m/' \
		-e 's/^filesize=.*/filesize=4m/' -e 's/^numjobs=.*/numjobs=2/' \
		-e 's/^log_(avg|hist)_msec=.*/log_\1_msec=250/' "$1"
}

# Jobs that only make files do no I/O; any other does.
did='all(.[]; .ios > 0 or (.name | test("create|layout")))'

for file in "$src"/*.fio; do
	name=$(basename "$file" .fio)
	mkdir -p "$dir/$name" "$DIR"
	cp "$src"/*.inc "$dir/$name"
	for part in "$dir/$name"/*.inc "$file"; do
		shrink "$part" >"$dir/part" && cp "$dir/part" "$dir/$name/$(basename "$part")"
	done
	cd "$dir/$name" || exit 1
	# kbench says neither folder nor path: it runs where it is started
	grep -q '^directory' "$name.fio" || sed -i "0,/^\[global\]/s,,&\ndirectory=$DIR," "$name.fio"

	"$io" --output-format=json "$name.fio" >alone.json 2>alone.err || {
		fail "$name: volley-io: $(tail -n 1 alone.err)"
		continue
	}
	jq -e "[.jobs[] | {name: .jobname, ios: (.read.total_ios + .write.total_ios)}] | $did
		and (length >= 1)" alone.json >/dev/null || fail "$name: volley-io: $(jq -c \
		'[.jobs[] | [.jobname, .error, .read.total_ios, .write.total_ios]]' alone.json)"
	jobs=$(jq '.jobs | length' alone.json)

	rm -rf "$DIR"
	mkdir "$DIR"
	"$volley" run "$name.fio" --local 2 --db run.db --max-skew 5000 -o json >run.json 2>run.err
	jq -e "[.cases[] | {name: .workload, ios: ([.per_client[] | (.read.ios // 0) + (.write.ios // 0)] | min)}]
		| $did and (length >= 1)" run.json >/dev/null || {
		fail "$name: volley run: $(tail -n 2 run.err | xargs)"
		continue
	}
	jq -e '[.cases[] | .clients_reported == 2
		and ([.per_client[].state] | all(. == "OK"))] | all' run.json >/dev/null ||
		fail "$name: volley run: $(jq -c '[.cases[] | .workload, .state, [.reasons[].text]]' run.json)"
	echo "ok    $name: $jobs jobs alone, $(jq '.cases | length' run.json) cases on two clients"
	rm -rf "$DIR"
done
exit $bad
