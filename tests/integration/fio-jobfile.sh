#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Job files through the programs: volley-io and volley run take them, plan from-fio
# writes the plan they mean, plans name them, and what is wrong is named with its place.
set -u

command -v jq >/dev/null || {
	echo "jq is not here"
	exit 77
}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
mkdir data jobs
bad=0

# expect WHAT STATUS COMMAND...: the exit status; out and err hold what it said
expect() {
	local what=$1 status=$2 got
	shift 2
	"$@" >out 2>err </dev/null
	got=$?
	[ "$got" -eq "$status" ] && return
	echo "$what: exit status $got, not $status"
	cat err
	bad=1
}

# said FILE TEXT
said() {
	grep -qF -- "$2" "$1" && return
	echo "'$2' is not in:"
	cat "$1"
	bad=1
}

# is FILTER VALUE: of the JSON in out
is() {
	local got
	got=$(jq -c "$1" out)
	[ "$got" = "$2" ] && return
	echo "$1: $got, not $2"
	bad=1
}

printf 'ioengine=psync\nbs=8k\n' >jobs/common.inc
cat >jobs/two.fio <<JOB
[global]
include common.inc
directory=\${DATA}
size=256k
clocksource=cpu
[write]
rw=write
bs=64KiB
[read]
stonewall
rw=randread
filename=one
JOB

# Parsing alone
DATA=$dir/data expect 'a good file' 0 volley-io --parse-only jobs/two.fio
said err 'jobs/two.fio:8: bs: 64KiB is 64000 bytes'
expect 'a variable that is not set' 2 env -u DATA volley-io --parse-only jobs/two.fio
said err "jobs/two.fio:3: \${DATA}: the variable is not set"
expect 'no such file' 2 volley-io --parse-only jobs/nope.fio
printf '[a]\nsize=1m\nbs=4k-64k\n' >odd.fio
expect 'odd syntax' 2 volley-io --parse-only odd.fio
said err "odd.fio:3: bs: '4k-64k' ends with 'k-64k'"
expect 'odd syntax as fio takes it' 0 volley-io --parse-only --as-fio odd.fio
said err "odd.fio:3: bs: '4k-64k' ends with 'k-64k', which is no unit; fio would read"
printf '[a]\nsize=1m\nread_iolog=x\n' >refused.fio
expect 'a refused option' 2 volley-io --parse-only refused.fio
said err 'refused.fio:3: read_iolog: traces are neither recorded nor replayed'
expect 'a refused option ignored' 0 volley-io --parse-only --ignore-unsupported refused.fio
said err 'refused.fio:3: read_iolog is ignored'

# Running it here: 256 KiB by 64,000 bytes is 4 writes and what is left of the size
export DATA=$dir/data
expect 'volley-io' 0 volley-io --output-format=json jobs/two.fio
is '[.jobs[].jobname]' '["write","read"]'
is '[.jobs[].groupid]' '[0,1]'
is '.jobs[1].read.total_ios' 32

# The options in base units
expect 'from-fio as JSON' 0 volley plan from-fio -o json jobs/two.fio
is '.jobs[0].options.bs' '{"read":64000,"write":64000,"trim":64000}'
is '.jobs[1].options.bs.read' 8192
is '.jobs[1].options.size' 262144
is '.jobs[1].options.filename' '"one"'
is '.jobs[0].marks.clocksource' '"translated"'
is '.jobs[0].marks.bs' '"honoured"'
is '.jobs[0].warnings | length' 1

# The plan, and the same cases from it as from the file itself
expect 'from-fio as YAML' 0 volley plan from-fio --clients 3 jobs/two.fio
cp out plan.yaml
said plan.yaml 'notes:'
said plan.yaml '{kind: translated, job: write, option: clocksource, value: cpu, place: '
expect 'check of that plan' 0 volley plan check plan.yaml
grep -E '^[0-9a-f]{16} ' out >ids
[ "$(wc -l <ids)" -eq 2 ] || {
	echo "not two cases"
	bad=1
}
expect 'check of the file' 0 volley plan check --clients 3 jobs/two.fio
grep -E '^[0-9a-f]{16} ' out | diff ids - || bad=1

# What was ignored stays with the plan, and with the results of running it
printf '[a b]\nioengine=null\nsize=1m\nread_iolog="x: \\y"\nbs=4k-64k\ntime_based\nruntime=300ms\n' >lost.fio
printf '[b]\nioengine=null\nsize=1m\nflow=2\ntime_based\nruntime=300ms\n' >>lost.fio
expect 'a plan of what was ignored' 0 volley plan from-fio --as-fio --ignore-unsupported lost.fio
cp out lost.yaml
expect 'running the file' 0 volley run lost.fio --as-fio --ignore-unsupported --local 1 --db lost-f.db --max-skew 500 -o json
jq -c '.cases[] | [.warnings, .skipped_options, .translated_options]' out >said-by-file
is '.cases[0].skipped_options | map(.option)' '["read_iolog","flow"]'
is '.cases[0].skipped_options[0].value' '"\"x: \\y\""'
is '.cases[0].warnings | length' 1
expect 'running its plan' 0 volley run lost.yaml --local 1 --db lost-y.db --max-skew 500 -o json
said err 'lost.fio:4: read_iolog='
jq -c '.cases[] | [.warnings, .skipped_options, .translated_options]' out | diff said-by-file - || bad=1

# What is a job file when the name does not say: two lines tell
printf '# c\n\n [seq:read] ; c\n\ttime_based\nsize=1m\nruntime=1\n' >noname
expect 'a job file without its ending' 0 volley plan check noname
said out 'seq'
printf '[global]\ninclude jobs/common.inc\n[x]\nsize=1m\n' >noname
expect 'an include first' 0 volley plan check noname
printf '[global]\n[x]\nsize=1m\n' >noname
expect 'an empty section first' 0 volley plan check noname
for text in '[a]\n' '[a]\nplan: x\n' '[a]\n- b\n' '[{a: b}]\n' '[a, b]:\n'; do
	printf "$text" >noname
	expect "YAML that begins with a list: $text" 2 volley plan check noname
	said err 'volley: noname:' # of the plan's reader: with a column
	grep -qE 'noname:[12]:[0-9]+: ' err || {
		cat err
		bad=1
	}
done
printf '[a]\nsize=1m\n' >noname.yaml
expect 'a job file that says it is YAML' 2 volley plan check noname.yaml
said err 'volley: noname.yaml:'

# File names of one folder become names below it
printf '[a]\nsize=1m\nfilename=/d/x\\:1:/d/y\n' >list.fio
expect 'a list of files' 0 volley plan from-fio list.fio
said out 'paths: {local: /d}'
said out 'filename: "x\\:1:y"'
expect 'its JSON' 0 volley plan from-fio -o json list.fio
is '.jobs[0].options.filename' '["/d/x:1","/d/y"]'
printf '[a]\nsize=1m\nfilename=/d/x:/e/y\n' >list.fio
expect 'files of two folders' 2 volley plan from-fio list.fio
said err 'files in several folders; a plan has one path'

# In a plan, found beside it
cat >jobs/with.yaml <<PLAN
plan: with
storage: [{name: s, paths: {local: $dir/data}}]
clients: 1
repeat: 1
defaults: {bs: 1k}
workloads:
  - {name: f, jobfile: two.fio}
PLAN
expect 'a plan with a job file' 0 volley plan check jobs/with.yaml
said out 'f-write'
said out '8 KiB'
said err "jobs/two.fio:6: job 'write': directory $dir/data gives way to the storage's path"
sed -i 's/two.fio/nope.fio/' jobs/with.yaml
expect 'a plan with a job file that is not there' 2 volley plan check jobs/with.yaml
said err 'jobs/with.yaml:7:24: jobs/nope.fio: open: No such file or directory'

# On two clients
cat >run.fio <<JOB
[global]
directory=$dir/data
size=1m
bs=4k
time_based
runtime=1
[a]
rw=randread
JOB
expect 'volley run' 0 volley run run.fio --local 2 --db r.db --max-skew 500 -o json
is '.cases | length' 1
is '.cases[0].state' '"VALID"'
is '.cases[0].clients_reported' 2
is '.cases[0].workload' '"a"'

# Writing and reading back each have their own window
cat >back.fio <<JOB
[back]
directory=$dir/data
size=32m
bs=64k
rate=,40m
verify=sha256
rw=write
JOB
expect 'a job that reads back' 0 volley run back.fio --local 2 --db b.db --max-skew 500 -o json
is '.cases[0] | .all_clients.write.window_ns < .window_ns' true
is '.cases[0].all_clients.write | (.bytes_per_s / (2 * 41943040) * 100 - 100) | fabs < 6' true
is '.cases[0].per_client | map((.write.bytes_per_s / 41943040 * 100 - 100) | fabs < 6)' \
	'[true,true]'
is '.cases[0].per_client | map(.read.bytes_per_s > 2 * .write.bytes_per_s)' '[true,true]'
expect 'shows it' 0 volley show b.db back
said out 'write: window of its own: '
expect 'and for fio' 0 volley export b.db --fio-json back
is '.client_stats | map(.write.runtime > 700 and .write.runtime < 1000)' '[true,true,true]'
is '.client_stats[-1].write | (.bw_bytes / (2 * 41943040) * 100 - 100) | fabs < 6' true

# Clients dump no blocks, and that is said
printf '[d]\ndirectory=%s\nsize=1m\nrw=write\nverify=crc32c\nverify_dump=1\n' "$dir/data" >dump.fio
volley run dump.fio --local 1 --db dump.db --max-skew 500 -o json >out 2>err
said err "dump.fio:1: job 'd': verify_dump: clients dump no blocks"
is '.cases[0].per_client[0].state' '"OK"'
is '.cases[0].warnings | length' 1

# What is only written is made anew and grows, as with fio; what is read is there before
cat >fresh.fio <<JOB
[fresh]
directory=$dir/data
size=64m
io_size=1m
rate=1m
fallocate=none
rw=write
JOB
expect 'a job that only writes' 0 volley run fresh.fio --local 1 --db r.db
file=$(find data -name fresh.0.0)
[ "$(stat -c %s "$file")" -eq 1048576 ] || {
	echo "the file was laid out before: $(stat -c %s "$file") bytes"
	bad=1
}
printf 'plan: p\nstorage: [{name: s, paths: {local: /mnt}}]\nclients: 1\nworkloads:\n' >jobs/laid.yaml
printf '  - {name: f, jobfile: ../fresh.fio, layout: files}\n' >>jobs/laid.yaml
expect 'the plan has the last word' 0 volley plan check jobs/laid.yaml
expect 'its plan' 0 volley plan from-fio fresh.fio
said out 'layout: fio'
sed -i s/rw=write/rw=rw/ fresh.fio
expect 'one that reads, too' 0 volley plan from-fio fresh.fio
! grep -q 'layout' out || {
	echo 'a job that reads has files that are made anew'
	bad=1
}

# What a job has come by is dropped from the page cache before it begins anew, as in fio
if command -v fincore >/dev/null && [ "$(stat -f -c %T data)" != tmpfs ]; then
	for drops in 1 0; do
		printf '[again]\ndirectory=%s\nsize=1m\nio_size=1088k\nfadvise_hint=random\ninvalidate=%s\n' \
			"$dir/data" $drops >again.fio
		expect "invalidate=$drops" 0 volley-io again.fio
		pages=$(fincore -n -o PAGES "$(find data -name again.0.0)")
		[ "$pages" -eq $((drops ? 16 : 256)) ] || {
			echo "invalidate=$drops: $pages pages in the cache"
			bad=1
		}
	done
fi

# Jobs at the same time: each for a second, and not two in all
printf '[global]\nioengine=null\nsize=1m\nrate_iops=100\ntime_based\nruntime=1\n[a]\n[b]\nrw=write\n' >same.fio
expect 'two jobs at once' 0 volley-io --output-format=json same.fio
is '[.jobs[] | .jobname, .groupid]' '["a",0,"b",0]'
is '[.jobs[] | .read.total_ios, .write.total_ios]' '[100,0,0,100]'
is '[.jobs[] | .job_runtime < 1900] | all' true
printf '[global]\nioengine=null\nsize=1m\n[a]\nopendir=/nowhere\nioengine=psync\n[b]\n' >same.fio
expect 'one of two jobs cannot start' 1 volley-io same.fio
said err 'a: opendir: '
exit $bad
