#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# net-tcp against volley-io serve on loopback: data written over it verifies, exports keep
# their sizes and rights, nobody gets in without the key, files stay within what is
# allowed, a target that is killed ends the job with a reason, and a plan takes a target
# for a storage without a key on any agent.
set -u

dir=$(mktemp -d) || exit 99
SERVE=
cleanup() {
	[ -z "$SERVE" ] || kill "$SERVE" 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir" || exit 99
(umask 077 && echo 0123456789abcdef0123456789abcdef >key && echo another-key-of-some-length >other)
truncate -s 8M disk
mkdir allowed

fail() {
	echo "FAIL: $*"
	tail -n 5 ./*.log 2>/dev/null
	exit 1
}

# serve OPTION...: sets SERVE and PORT
serve() {
	volley-io serve --listen 127.0.0.1:0 "$@" >serve.log 2>&1 &
	SERVE=$!
	for ((i = 0; i < 600; i++)); do
		PORT=$(sed -n 's/^volley-io serve: port \([0-9]*\),.*/\1/p' serve.log)
		[ -z "$PORT" ] || return
		read -r -t 0.05 _ <> <(:)
	done
	fail "no target"
}

# io NAME OPTION...
io() {
	local name=$1
	shift
	timeout 60 volley-io --name=j --ioengine=net-tcp --hostname=127.0.0.1 --port="$PORT" \
		--keyfile=key "$@" >"$name.log" 2>&1
}

# refused NAME PATTERN OPTION...
refused() {
	local name=$1 pattern=$2
	shift 2
	io "$name" "$@" && fail "$name was taken"
	grep -qE "$pattern" "$name.log" || fail "$name: not '$pattern'"
}

serve --key key --export ram=mem:8M --export rom=mem:1M,ro --export disk=file:"$dir/disk",rw
for export in ram disk; do
	io "verify-$export" --export=$export --rw=randwrite --bs=4k,16k --size=8M --iodepth=16 \
		--verify=crc32c --checked=1 --fault_delay=1us || fail "verify $export"
done
cmp -s disk <(head -c 8M /dev/zero) && fail "nothing was written to the file"
io write-file --export=disk --rw=write --bs=64k --size=8M --iodepth=4 --verify=crc32c ||
	fail "write"
io read-file --export=disk --rw=read --bs=64k --size=8M --iodepth=4 --verify=crc32c \
	--verify_only=1 || fail "another job does not find what was written"
io two --export=ram --rw=randrw --bs=4k --size=4M --offset_increment=4M --numjobs=2 \
	--iodepth=8 || fail "two threads"

refused writes 'the export is read-only, and the job writes' --export=rom --rw=write --size=1M
refused size 'wants bytes up to 2097152, but it has 1048576' --export=rom --rw=read --size=2M
refused name 'it has no such export' --export=none --rw=read --size=1M
refused key "the key is not the target's" --export=ram --rw=read --size=1M --keyfile=other
volley-io --name=j --ioengine=net-tcp --hostname=127.0.0.1 --port="$PORT" --export=ram \
	--rw=read --size=1M >nokey.log 2>&1 && fail "no key, and let in"
grep -q 'its key is missing' nokey.log || fail "no word of the missing key"
chmod 644 other
refused open 'others may read it' --export=ram --rw=read --size=1M --keyfile=other
refused fsync 'fsync is not possible with ioengine net-tcp' --export=ram --rw=write --size=1M \
	--fsync=1
refused file 'filename is not possible' --export=ram --rw=read --size=1M --filename=x

# What is no client, and one that says no more than hello, keep nobody else out.
printf 'GET / HTTP/1.1\r\n\r\n' >"/dev/tcp/127.0.0.1/$PORT"
exec 7<>"/dev/tcp/127.0.0.1/$PORT"
io beside --export=ram --rw=read --bs=64k --size=8M || fail "a silent connection blocks others"
exec 7>&-

# A plan has it for a storage; agents are given the key, and have none.
cat >plan.yaml <<PLAN
plan: target
storage:
  - {name: ram, paths: {tcp: "volley://127.0.0.1:$PORT/ram"}, key: key}
clients: [1, 2]
repeat: 1
max_skew: 10s
defaults: {ioengine: libaio, iodepth: 8, size: 4m, time_based: 1, runtime: 1s}
workloads:
  - {name: mixed, rw: randrw, bs: 16k}
PLAN
volley run plan.yaml --local 2 --db r.db -o json >run.json 2>run.log || {
	cat run.log >&2
	fail "the plan: $(jq -c '[.cases[] | .state, .reasons]' run.json)"
}
jq -e '[.cases[] | .state == "VALID" and .params.ioengine == "net-tcp" and
	.clients_reported == .clients] | length == 2 and all' run.json >/dev/null ||
	fail "the plan's cases"
! grep -q 0123456789abcdef run.json || fail "the key is among the results"
sed -i 's/key: key/key: other2/' plan.yaml
volley run plan.yaml --local 2 --db r2.db >/dev/null 2>nokey.log && fail "ran without its key"
grep -q 'storage ram: key other2: No such file' nokey.log || fail "no word of the key"

# Killed under load: the job ends at once, and says what became of the connection.
io killed --export=ram --rw=randread --bs=4k --size=8M --iodepth=8 --runtime=50 --time_based &
JOB=$!
until [ "$(ls "/proc/$SERVE/task" 2>/dev/null | wc -l)" -gt 2 ]; do
	kill -0 $JOB 2>/dev/null || fail "the job ended by itself"
	read -r -t 0.05 _ <> <(:)
done
kill -9 "$SERVE"
wait "$SERVE" 2>/dev/null
SERVE=
wait $JOB && fail "the job went on without its target"
grep -qE 'volley://127.0.0.1:[0-9]+/ram: (the target closed the connection|the connection is lost): (Connection reset|Broken pipe)' \
	killed.log || fail "why the job ended"
refused gone 'connect: Connection refused' --export=ram --rw=read --size=1M

# What may not be served
! volley-io serve --export a=mem:1M >none.log 2>&1 && grep -q -- '--key FILE is missing' none.log ||
	fail "served without a key"
! volley-io serve --key key --export a=tape:1 >none.log 2>&1 &&
	grep -q 'neither mem:SIZE nor file:PATH' none.log || fail "served a tape"
! volley-io serve --key key --export a=mem:1M --export a=mem:1M >none.log 2>&1 &&
	grep -q 'the name is taken' none.log || fail "the same name twice"
head -n 1 key | timeout 20 volley-io serve --key - --listen 127.0.0.1:0 --allow "$dir/allowed" \
	--export d=file:"$dir/disk" >none.log 2>&1 && fail "served a file that is not allowed"
grep -q 'disk' none.log || fail "no word of the file"
# Its standard input ends, and so does it.
head -n 1 key | timeout 20 volley-io serve --key - --listen 127.0.0.1:0 --export m=mem:1M \
	>ended.log 2>&1 || fail "did not end with its standard input"
exit 0
