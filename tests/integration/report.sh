#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reports from file to document: byte for byte as in tests/golden in every form, without
# gnuplot and with one that only keeps its scripts; figures of CSV and JSON as in the
# database; with the real gnuplot one page that a validator accepts, that a browser shows
# without complaint and without a request. GOLDEN_UPDATE=1 writes the golden files instead.
set -u

golden=${abs_top_srcdir:?}/tests/golden
make=${abs_top_builddir:?}/tests/unit/document/make-report-db
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

fail()
{
	echo "FAIL: $*"
	failed=1
}

# expect STATUS COMMAND...: runs it; its output goes to out and err
expect()
{
	local want=$1 got
	shift
	"$@" >out 2>err
	got=$?
	[ "$got" -eq "$want" ] || fail "exit $got instead of $want: $*: $(cat err)"
}

# same GOLDEN FILE: but for the version of the program
same()
{
	sed -E 's/volley [0-9]+\.[0-9]+\.[0-9]+/volley VERSION/g' "$2" >"$2.plain"
	[ -z "${GOLDEN_UPDATE:-}" ] || cp "$2.plain" "$golden/$1"
	diff -u "$golden/$1" "$2.plain" >"$2.diff" ||
		fail "not as in tests/golden/$1: $(head -30 "$2.diff")"
}

# with_gnuplot SCRIPT: a PATH whose only gnuplot is this
with_gnuplot()
{
	mkdir -p fake
	printf '#!/bin/bash\n%s\n' "$1" >fake/gnuplot
	chmod +x fake/gnuplot
}

volley=$(command -v volley) || exit 1
mkdir none
expect 0 "$make" results.db

# ---- every form, without gnuplot
for form in html:html md:md csv:csv json:json text:txt; do
	expect 0 env PATH="$dir/none" "$volley" report results.db -o "${form%:*}" --out "report.${form#*:}"
	same "report.${form#*:}" "report.${form#*:}"
	[ ! -e "report.${form#*:}.part" ] || fail "a part of the report is left"
done
grep -q 'gnuplot is not installed' report.html || fail "missing charts go unmentioned"

# ---- the scripts; each drawing is the same
with_gnuplot "/bin/cat >>'$dir/charts.gp'
echo '<svg viewBox=\"0 0 760 400\"><g id=\"gnuplot_canvas\"></g></svg>'"
expect 0 env PATH="$dir/fake" "$volley" report results.db -o html --out fake.html
same report-charts.gp charts.gp
# shellcheck disable=SC2016 # a name of a storage, as it is
grep -F '$(id)' charts.gp | grep -qvE "'[^']*\\\$\(id\)" && fail "a name stands outside of quotes"
[ "$(grep -c '^set terminal' charts.gp)" -eq "$(grep -c '<svg ' fake.html)" ] ||
	fail "not a drawing for each script"

# ---- one that fails, and one that prints nonsense, cost the charts
for fault in 'exit 1' 'echo nonsense'; do
	with_gnuplot "$fault"
	expect 0 env PATH="$dir/fake:/usr/bin:/bin" "$volley" report results.db -o html --out fake.html
	grep -q 'gnuplot could not draw this chart' fake.html || fail "'$fault' goes unmentioned"
	grep -q 'vendor-one' fake.html || fail "'$fault' costs the report"
done

# ---- one that hangs is ended, and not asked again and again
with_gnuplot "echo \$\$ >>'$dir/hung'; exec sleep 1000"
expect 0 env PATH="$dir/fake:/usr/bin:/bin" "$volley" report results.db -o html --out fake.html
[ "$(wc -l <hung)" -eq 2 ] || fail "a gnuplot that hangs is asked $(wc -l <hung) times"
while read -r pid; do
	kill -0 "$pid" 2>/dev/null && fail "a gnuplot that hangs goes on"
done <hung

# ---- errors
expect 2 volley report results.db -o pdf
expect 1 volley report missing.db
expect 1 volley report results.db --out none/no/report.txt
expect 2 volley report results.db /dev/null

# ---- figures as in the database
if command -v sqlite3 >/dev/null && command -v jq >/dev/null; then
	want="SELECT c.id, f.direction, count(*), printf('%.3f', avg(f.bytes_per_s)),
		printf('%.3f', avg(f.iops)) FROM v_latest a JOIN \"case\" c ON c.id = a.\"case\"
		JOIN figure f ON f.attempt = a.id AND f.client IS NULL WHERE a.state = 'VALID'
		GROUP BY c.id, f.direction ORDER BY 1, 2"
	sqlite3 -readonly results.db "$want" >want.txt
	jq -r '.cells[] | .case_id as $id | .figures[] | select(.state == "VALID") |
		[$id, .direction, .repeats, .bytes_per_s, .iops] | @tsv' report.json |
		sort | awk '{printf "%s|%s|%d|%.3f|%.3f\n", $1, $2, $3, $4, $5}' >json.txt
	cmp want.txt json.txt || fail "JSON says other figures than the database"
	sqlite3 :memory: '.mode csv' '.import report.csv r' '.mode list' \
		"SELECT a.case_id, a.direction, a.repeats, printf('%.3f', a.value_bytes_per_s),
		printf('%.3f', b.value_ios_per_s) FROM r a JOIN r b ON b.case_id = a.case_id AND
		b.state = a.state AND b.metric = 'iops_mean' WHERE a.metric = 'throughput_mean' AND
		a.state = 'VALID' ORDER BY 1, 2" >csv.txt
	cmp want.txt csv.txt || fail "CSV says other figures than the database"
	[ "$(wc -l <want.txt)" -ge 20 ] || fail "too few figures were compared"
	# latencies to the last bit where one repeat is the cell
	sqlite3 -readonly results.db "SELECT a.\"case\", printf('%.3f', l.mean_ns),
		printf('%.1f', l.p99_ns) FROM v_latest a JOIN figure f ON f.attempt = a.id AND
		f.client IS NULL JOIN latency l ON l.figure = f.id AND l.kind = 'lat'
		WHERE a.state = 'VALID' GROUP BY a.\"case\" HAVING count(*) = 1 ORDER BY 1" >want.txt
	jq -r '.cells[] | .case_id as $id | .figures[] | select(.repeats == 1 and .state == "VALID") |
		[$id, .lat_mean_ns, .lat_p99_ns] | @tsv' report.json | sort |
		awk '{printf "%s|%.3f|%.1f\n", $1, $2, $3}' >json.txt
	cmp want.txt json.txt || fail "JSON says other latencies than the database"
	[ "$(wc -l <want.txt)" -ge 4 ] || fail "too few latencies were compared"
else
	echo "sqlite3 or jq is not installed: figures were not compared"
fi

# ---- the page as it is sent
if command -v gnuplot >/dev/null; then
	expect 0 volley report results.db -o html --out page.html
	grep -q 'could not draw' page.html && fail "gnuplot refuses a script"
	[ "$(grep -c '<svg ' page.html)" -eq "$(grep -c '^set terminal' charts.gp)" ] ||
		fail "charts are missing"
	grep -oE ' id=["'\''][^"'\'']*' page.html | sort | uniq -d | grep . && fail "ids stand twice"
else
	echo "gnuplot is not installed: the page was looked at without charts"
	cp report.html page.html
fi
grep -niE '<script|<iframe|<object|@import|src=|https?:|url\([^#]|href=["'\''][^#"d]' page.html |
	head -3 | grep . && fail "the page needs something else"
expect 0 volley import csv "$abs_top_srcdir/tests/analysis/poc.csv" --db poc.db --link 400G --mtu 9000
expect 0 volley report poc.db -o html --out poc.html
grep -q -- '-64.0 %' poc.html || fail "the published inversion is not in the report"
expect 0 volley report poc.db results.db -o html --out two.html
grep -q 'file 2' two.html || fail "two files cannot be told apart"

if command -v tidy >/dev/null; then
	for page in page poc two report; do
		tidy -e -q "$page.html" >tidy.txt 2>&1 || fail "tidy: $page: $(head -3 tidy.txt)"
	done
else
	echo "tidy is not installed: no validator has seen the page"
fi

# browse FILE: what the console says goes to console.txt, what is asked for to asked.txt
browse()
{
	timeout 120 unshare -rn chromium --headless=new --no-sandbox --disable-gpu \
		--user-data-dir="$dir/profile" --disable-background-networking \
		--disable-component-update --no-first-run --disable-sync \
		--disable-extensions --disable-default-apps --log-net-log="$dir/net.json" \
		--enable-logging=stderr --dump-dom "file://$dir/$1" >dom.txt 2>browser.txt
	grep 'CONSOLE.*source: file:' browser.txt >console.txt
	# the browser's own errands are its own
	jq -r '.events[].params.url? // empty' net.json 2>/dev/null |
		grep -vE '^https?://[a-z0-9.]*\.(google|googleapis|gvt1)\.com/' >asked.txt
}

if command -v chromium >/dev/null && command -v jq >/dev/null && unshare -rn true 2>/dev/null; then
	# what must be seen is seen
	echo '<!DOCTYPE html><title>x</title><img src="http://192.0.2.1/x.png">
		<script>console.error("boo")</script>' >control.html
	browse control.html
	if [ -s console.txt ] && [ -s asked.txt ]; then
		browse page.html
		grep -q '<svg\|<table' dom.txt || fail "the browser shows nothing"
		[ ! -s console.txt ] || fail "the browser complains: $(head -3 console.txt)"
		[ ! -s asked.txt ] || fail "the page asks for $(head -3 asked.txt)"
	else
		echo "chromium shows nothing of what it does: no browser has seen the page"
	fi
else
	echo "chromium, jq or a network namespace is missing: no browser has seen the page"
fi

[ "$failed" -eq 0 ] && echo "reports are as they should be"
exit "$failed"
