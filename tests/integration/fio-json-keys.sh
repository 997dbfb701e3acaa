#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fio-json+ has the keys of `fio --client --output-format=json+` for the same job, but for
# those that volley does not measure, which are absent and listed here; and none that fio
# lacks but "volley".
set -u

VOLLEY=${abs_top_builddir:-.}/volley
DIR=$(mktemp -d)
SERVER=
trap '[ -z "$SERVER" ] || kill "$SERVER" 2>/dev/null; rm -rf "$DIR"' EXIT

fail() {
	echo "FAIL: $*" >&2
	exit 1
}
for tool in fio jq python3; do
	command -v $tool >/dev/null || {
		echo "SKIP: needs $tool"
		exit 77
	}
done
case $(fio --version) in
fio-3.33) ;;
*)
	echo "SKIP: the keys are those of fio 3.33, here is $(fio --version)"
	exit 77
	;;
esac

mkdir "$DIR/data"
cat >"$DIR/keys.fio" <<-JOB
	[keys]
	directory=$DIR/data
	size=2m
	bs=4k
	rw=randrw
	ioengine=libaio
	iodepth=4
	runtime=1
	time_based
	numjobs=2
	group_reporting
	fsync=64
	lat_percentiles=1
	slat_percentiles=1
	percentile_list=50:99:99.9
JOB

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
fio --server=127.0.0.1,"$port" >"$DIR/server.log" 2>&1 &
SERVER=$!
python3 - "$port" <<-'EOF' || fail "fio --server: $(cat "$DIR/server.log")"
	import socket, sys, time
	end = time.monotonic() + 10
	while True:
	    try:
	        socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1).close()
	        break
	    except OSError:
	        if time.monotonic() > end:
	            sys.exit(1)
EOF
fio --client=127.0.0.1,"$port" "$DIR/keys.fio" --output-format=json+ \
	--output="$DIR/fio.txt" >/dev/null 2>&1 || fail "fio --client"
sed -n '/^{/,$p' "$DIR/fio.txt" >"$DIR/fio.json"

STATUS=0
"$VOLLEY" run "$DIR/keys.fio" --local 2 --max-skew 10s --db "$DIR/r.db" -o fio-json+ \
	>"$DIR/ours.json" 2>"$DIR/run.log" || STATUS=$?
[ $STATUS -eq 0 ] || fail "volley run ended with $STATUS: $(cat "$DIR/run.log")"

cat >"$DIR/keys.py" <<-'EOF'
	import json, sys

	def keys(value, path=""):
	    found = set()
	    if isinstance(value, dict) and not path.endswith(("bins", "percentile")):
	        for key, inner in value.items():
	            found |= {path + "." + key} | keys(inner, path + "." + key)
	    return found

	fio, ours = (json.load(open(path)) for path in sys.argv[1:3])
	unknown = {"." + key for key in "port".split()}
	for kind in ("level", "submit", "complete"):
	    unknown |= {k for k in keys(fio["client_stats"][0])
	        if k.startswith(".iodepth_" + kind)}
	for way in ("read", "write"):
	    unknown |= {".%s.%s" % (way, key) for key in ("short_ios", "drop_ios")}
	entries = ours["client_stats"]
	assert [e["hostname"] for e in entries] == ["local-1", "local-2", "All clients"]
	there = keys(fio["client_stats"][0])
	for entry in entries:
	    mine = {k for k in keys(entry)
	        if not k.startswith((".volley", ".job options."))}
	    theirs = {k for k in there if not k.startswith(".job options.")}
	    assert mine == theirs - unknown, (
	        entry["hostname"], sorted(theirs - unknown - mine), sorted(mine - theirs))
	    missing = set(fio["client_stats"][0]["job options"]) - set(entry["job options"])
	    assert not missing, missing
	    for way in ("read", "write"):
	        for kind in ("slat_ns", "clat_ns", "lat_ns"):
	            got = list(entry[way][kind]["percentile"])
	            want = list(fio["client_stats"][0][way][kind]["percentile"])
	            assert got == want, (way, kind, got, want)
	assert set(fio) - set(ours) == {"disk_util"}, set(fio) - set(ours)
	assert set(ours) - set(fio) == {"timestamp_ms"}, set(ours) - set(fio)
	for key in ("latency_depth", "latency_target", "latency_percentile",
	    "latency_window", "trim"):
	    a, b = (d["client_stats"][0][key] for d in (fio, ours))
	    assert a == b, (key, a, b)
EOF
python3 "$DIR/keys.py" "$DIR/fio.json" "$DIR/ours.json" || fail "the keys differ"
echo "the keys are fio's"
