#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Anonymised reports of results with a secret in every text field: no format tells one, in
# no spelling; the aliases are those of the map; and where a name gets past the aliases
# (a map that gives a storage its own name) the scan stops the report.
set -u

for tool in jq sqlite3; do
	command -v $tool >/dev/null || { echo "SKIP: needs $tool"; exit 77; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
mkdir xq-files
failed=0

fail()
{
	echo "FAIL: $*"
	failed=1
}

cat >plan.yaml <<END
plan: zebra-poc
storage:
  - {name: wekafs-prod, paths: {tcp: $dir/xq-files}, facts: {software: quokka-4.2.7}}
  - {name: acme-two, paths: {tcp: $dir/xq-files}, links: {speed: 400G, mtu: 9000}}
clients: [1, 2]
transports: [tcp]
repeat: 2
defaults: {ioengine: null, size: 1m, bs: 64k, runtime: 500ms, time_based: 1, fault_delay: 5ms}
workloads:
  - {name: wombat-load, rw: read}
  - {name: seq-write-64k, rw: write}
END
volley run plan.yaml --local 2 --db run.db >log 2>&1 || fail "run: $(tail -3 log)"
sqlite3 run.db "
	INSERT INTO host_fact SELECT DISTINCT run, agent, 900, 'serial', 'S4EVNX0M' FROM host_fact;
	INSERT INTO host_fact SELECT DISTINCT run, agent, 901, 'gid', 'fe80::a236:9fff:fe12:3456'
		FROM host_fact;
	INSERT INTO host_fact SELECT DISTINCT run, agent, 902, 'fstype', 'lemurfs' FROM host_fact;
	INSERT INTO host_fact SELECT DISTINCT run, agent, 903, 'nqn', 'nqn.2014-08.org.tapir:x1'
		FROM host_fact;
	INSERT INTO event SELECT id, 900, 1, NULL, 'okapi went away' FROM attempt;
	INSERT INTO reason SELECT id, 900, 'note', NULL, 'narwhal: 3 of 7', 'VALID' FROM attempt;
	UPDATE client SET error = 'open /mnt/ibis: Input/output error' WHERE id = 1;" ||
	fail "planting"

secrets='wekafs|wekafs-prod|acme|zebra|quokka|4\.2\.7|wombat|xq-files|s4evnx0m|a236:9fff|lemurfs'
secrets+='|nqn\.|tapir|okapi|narwhal|ibis|local-1|local-2'
secrets+="|$(sqlite3 run.db 'SELECT group_concat(id, "|") FROM "case"')"
secrets+="|$(sqlite3 run.db 'SELECT seed FROM run')|$(date -u +%Y-%m-)"
secrets+="|$(uname -r | sed 's/[.]/[.]/g')"

for level in names figures; do
	for format in html md csv json text; do
		out=$level.$format
		volley report run.db --anonymise --level $level --map map.json -o $format \
			--out "$out" 2>err || fail "$out: $(cat err)"
		grep -Eio -- "$secrets" "$out" | sort -u | sed "s/^/$out tells /" | grep . && failed=1
		[ -s "$out" ] || fail "$out is empty"
	done
done
grep -q 'node-0[12]' names.json || fail "no client has an alias"
grep -q 'workload-01' names.md || fail "a workload's name has no alias"
grep -q 'seq-write-64k' names.md || fail "a workload that tells nothing lost its name"
grep -q 'published already' figures.md || fail "rounding is not explained"
jq -e . names.json >/dev/null || fail "names.json is no JSON"

# every rate of the rounded report has two digits
jq -r '.. | objects | .bytes_per_s? // empty | numbers' figures.json >rates
[ -s rates ] || fail "no rates in figures.json"
awk '{v = sprintf("%.1e", $1) + 0; if ((v - $1) > 1e-9 * v || ($1 - v) > 1e-9 * v) exit 1}' rates ||
	fail "more than two digits: $(head -3 rates)"

# the map: for its owner only, stable, and the only place that knows
[ "$(stat -c %a map.json)" = 600 ] || fail "the map can be read by others"
jq -r '.storages[].name' map.json | sort | tr '\n' ' ' | grep -qx 'acme-two wekafs-prod ' ||
	fail "the map does not know the storages"
cp map.json before.json
volley report run.db --anonymise --map map.json -o md >again.md || fail "once more"
cmp -s before.json map.json || fail "the map changed"
cmp -s again.md names.md || fail "the same map gave another report"

# without a map the order is drawn anew: the one with links is not always the same
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	volley report run.db --anonymise -o json --map drawn.json >/dev/null || fail "drawn"
	jq -r '.storages[] | select(.name == "acme-two") | .alias' drawn.json
	rm -f drawn.json
done | sort | uniq -c >orders
[ "$(wc -l <orders)" -eq 2 ] || fail "the order is always the same: $(cat orders)"
volley report run.db -o text >plain && grep -q wekafs-prod plain || fail "a plain report hides names"

# a scrubber that lets a name through: nothing is written, the place is named
refused()
{
	local what=$1
	shift
	rm -f leak.html
	volley report run.db --anonymise "$@" -o html --out leak.html >out 2>err
	[ $? -eq 5 ] || fail "$what: exit status is not 5: $(cat err)"
	[ ! -e leak.html ] && [ ! -s out ] || fail "$what: something was written"
	grep -Eq "would tell '.*' \(line [0-9]+, column [0-9]+" err || fail "$what: $(cat err)"
	[ "$(find . -name 'leak*' | wc -l)" -eq 0 ] || fail "$what: left something"
}
for name in wekafs-prod WEKAFS_PROD WekafsProd 'wekafs&#45;prod' wekafs%2Dprod; do
	jq --arg name "$name" \
		'(.storages[] | select(.name == "wekafs-prod") | .alias) = $name' \
		map.json >mended.json
	refused "an alias that is the name ($name)" --map mended.json
	cmp -s <(jq -S . mended.json) <(jq --arg name "$name" -S \
		'(.storages[] | select(.name == "wekafs-prod") | .alias) = $name' map.json) ||
		fail "the map was rewritten for a report that failed"
done

# what reports are written in is known to the stop list: else the scan would take it for
# a secret as soon as a database holds the same word
grep -o '"[a-z]*"' "${abs_top_srcdir:-.}/controller/anonymise/words-list.c" | tr -d '"' |
	LC_ALL=C sort >known
volley import csv "${abs_top_srcdir:-.}/tests/analysis/poc.csv" --db poc.db --link 400G \
	--mtu 9000 >log 2>&1 || fail "import csv: $(cat log)"
volley report run.db poc.db --anonymise -o md | tr -cs 'A-Za-z0-9' '\n' | tr A-Z a-z |
	grep -E '^[a-z]{4,}$' | LC_ALL=C sort -u | LC_ALL=C comm -23 - known >new
[ ! -s new ] || fail "words to review for the stop list: $(tr '\n' ' ' <new)"

# words of the user's own
echo 'checkpoint  # a word of ours' >words
refused "a word that must not appear" --redact words
volley report run.db --level figures >out 2>err
[ $? -eq 2 ] && grep -q -- '--level needs --anonymise' err || fail "--level alone: $(cat err)"
volley report run.db --anonymise --level none >out 2>err
[ $? -eq 2 ] && grep -q "there are names, figures" err || fail "--level none: $(cat err)"
echo '{"schema": 1}' >bad.json
volley report run.db --anonymise --map bad.json >out 2>err
[ $? -eq 2 ] && grep -q 'bad.json: not a map' err || fail "a bad map: $(cat err)"

[ "$failed" -eq 0 ] && echo "nothing leaks, and what would is stopped"
exit "$failed"
