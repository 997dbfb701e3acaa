#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Jobs that run at the same time: a job file beside fio's own run of it, shares of the
# clients in a plan, and what is said when one client of a job is lost.
set -u

command -v jq >/dev/null || {
	echo "jq is not here"
	exit 77
}
command -v fio >/dev/null || {
	echo "fio is not here"
	exit 77
}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
mkdir -p data/a data/b theirs/a theirs/b
bad=0

fail() {
	echo "$*"
	bad=1
}

# is FILE FILTER VALUE
is() {
	local got
	got=$(jq -c "$2" "$1")
	[ "$got" = "$3" ] || fail "$1: $2: $got, not $3"
}

# ---- a job file, by both ----
# jobs FOLDER: three at once below two folders, then one alone
jobs() {
	cat <<JOB
[global]
size=8m
ioengine=psync
[reader]
directory=$1/a
rw=randread
bs=4k
number_ios=700
[writer]
directory=$1/b
rw=write
bs=64k
numjobs=2
[mixed]
directory=$1/a
rw=randrw
bs=8k
[after]
stonewall
directory=$1
rw=read
bs=1m
JOB
}
jobs "$dir/data" >pair.fio
jobs "$dir/theirs" >theirs.fio

fio --output-format=json --output=theirs.json theirs.fio >/dev/null || fail "fio failed"
volley run pair.fio --local 2 --db r.db --max-skew 2000 -o json >ours.json 2>/dev/null

is ours.json '[.cases[].workload]' '["reader-writer-mixed","after"]'
is ours.json '[.cases[0].jobs[].name]' '["reader","writer","mixed"]'
is ours.json '.cases[0].clients_reported' 2
is ours.json '.cases[0].params.rw' '"randread+write+randrw"'
is ours.json '[.cases[0].jobs[].params.rw]' '["randread","write","randrw"]'
is ours.json '.cases[1].jobs' null
for job in reader writer mixed; do
	theirs=$(jq "[.jobs[] | select(.jobname == \"$job\") | .read.total_ios + .write.total_ios] | add" theirs.json)
	# completed in all: size-bound jobs have no window, so all I/Os are inside
	for client in 0 1; do
		is ours.json "[.cases[0].jobs[] | select(.name == \"$job\") | .per_client[$client] | (.read.ios // 0) + (.write.ios // 0)] | add" "$theirs"
	done
done
is ours.json '.cases[0].per_client[0] | .read.ios + .write.ios' \
	"$(jq '[.cases[0].jobs[].per_client[0] | (.read.ios // 0) + (.write.ios // 0)] | add' ours.json)"
find data/b -name 'writer.*' | grep -q . || fail "writer's files are not below b"
find data/a -name 'writer.*' | grep -q . && fail "writer's files are below a"

# fio's shape: an entry for each host and job, All clients last; one with a group's
volley export r.db --fio-json "$(jq -r '.cases[0].id' ours.json)" >entries.json 2>err ||
	fail "export: $(cat err)"
is entries.json '[.client_stats[] | .jobname + "@" + .hostname]' \
	'["reader@local-1","writer@local-1","mixed@local-1","reader@local-2","writer@local-2","mixed@local-2","All clients@All clients"]'
is entries.json '.client_stats[0].read.total_ios' 700
is entries.json '.client_stats[1]["job options"].bs' '"65536"'
sed 's/^\[global\]/&\ngroup_reporting/; /^\[after\]/,$d' pair.fio >grouped.fio
volley run grouped.fio --local 2 --db g.db --max-skew 2000 -o fio-json >grouped.json 2>/dev/null
is grouped.json '[.client_stats[] | .jobname + "@" + .hostname]' \
	'["reader-writer-mixed@local-1","reader-writer-mixed@local-2","All clients@All clients"]'

# The plan that it means has the same jobs, and the same cases
volley plan from-fio pair.fio >pair.yaml || fail "from-fio"
volley plan check pair.yaml >check || fail "plan check"
grep -q 'job writer: write 64 KiB, iodepth 1, numjobs 2, clients 1 to 1 of 1' check ||
	fail "$(cat check)"
volley plan check pair.fio | grep -o '^[0-9a-f]\{16\}' >ids
diff <(grep -o '^[0-9a-f]\{16\}' check) ids || fail "other cases after a round trip"

# ---- the real fio as the engine of each job ----
sed 's/^repeat: 1/&\ndefaults: {runner: fio}/' pair.yaml >runner.yaml
volley run runner.yaml --local 1 --db f.db --max-skew 5000 -o json >runner.json 2>/dev/null
is runner.json '[.cases[0].jobs[] | .per_client[0] | (.read.ios // 0) + (.write.ios // 0)]' \
	'[700,256,1024]'

# ---- shares of the clients ----
cat >share.yaml <<PLAN
plan: share
storage: [{name: s, paths: {local: $dir/data}}]
clients: 10
repeat: 1
defaults: {size: 1M, ioengine: psync, time_based: 1, runtime: 1s, rate_iops: 500}
workloads:
  - name: seven-three
    bs: 4k
    jobs:
      - {name: readers, clients: 70%, rw: randread}
      - {name: writers, clients: 30%, rw: write}
PLAN
volley run share.yaml --local 10 --db s.db --max-skew 2000 -o json >share.json 2>err
is share.json '.cases[0].clients_reported' 10
is share.json '[.cases[0].jobs[] | [.name, .clients, .clients_expected]]' \
	'[["readers",7,7],["writers",3,3]]'
is share.json '[.cases[0].per_client[] | has("read")]' \
	'[true,true,true,true,true,true,true,false,false,false]'
is share.json '[.cases[0].jobs[1].per_client[].agent]' '["local-8","local-9","local-10"]'
is share.json '.cases[0].window_kind' '"fixed"'
is share.json '.cases[0].all_clients.read.ios == .cases[0].jobs[0].all_clients.read.ios' true
is share.json '.cases[0].jobs[0].all_clients.write' null
is share.json '.cases[0].all_clients.read.lat_ns == .cases[0].jobs[0].all_clients.read.lat_ns' true
volley show s.db seven-three >shown || fail "show"
grep -q 'job writers, 3 of 3 clients' shown || fail "$(cat shown)"
got=$(volley show s.db -o csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ print $at["direction"], $NF == "" ? "all" : $(NF - 1) " of " $NF }' | tr '\n' ';')
[ "$got" = 'read all;write all;read readers of 7;write writers of 3;' ] || fail "csv: $got"
got=$(sqlite3 s.db "SELECT job || ' ' || job_clients || ' ' || direction FROM v_jobs" 2>/dev/null) &&
	[ "$got" != "$(printf 'readers 7 read\nwriters 3 write')" ] && fail "v_jobs: $got"

# ---- clients by name ----
sed "s/clients: 10/clients: 3/; s/clients: 70%/clients: 'local-[1,3]'/; s/clients: 30%/clients: local-2/" \
	share.yaml >named.yaml
volley run named.yaml --local 3 --db n.db --max-skew 2000 -o json >named.json 2>err
is named.json '[.cases[0].jobs[].per_client | map(.agent)]' '[["local-1","local-3"],["local-2"]]'
is named.json '.cases[0].state' '"VALID"'
sed -i 's/clients: local-2/clients: local-9/' named.yaml
volley run named.yaml --local 3 --db n.db >/dev/null 2>err
[ $? -eq 2 ] && grep -q "workload 'seven-three' has no job for client local-2" err ||
	fail "named: $(cat err)"
# of names that nobody has, none is expected
sed "s/clients: 'local-\[1,3\]'/clients: 'local-[1-3]'/; s/clients: local-9/clients: 'local-[2-9]'/" \
	named.yaml >some.yaml
volley run some.yaml --local 3 --db some.db --max-skew 2000 -o json >some.json 2>err
is some.json '[.cases[0].jobs[] | [.name, .clients, .clients_expected]]' \
	'[["readers",3,3],["writers",2,2]]'
# a job of nobody beside one of all is no reason to go on without it
sed -i "s/clients: 'local-\[1,3\]'/clients: 'local-[1-3]'/" named.yaml
volley run named.yaml --local 3 --db nobody.db >/dev/null 2>err
[ $? -eq 2 ] && grep -q "job 'writers' gets no client: 'local-9' is not among the case's clients, of which 3 of 3 are there" err ||
	fail "named, nobody: $(cat err)"
[ ! -s nobody.db ] || [ "$(sqlite3 nobody.db 'SELECT count(*) FROM attempt' 2>&1)" = 0 ] ||
	fail "named, nobody: something ran"

# ---- one file for jobs of different clients: one of them makes it ready ----
sed "s/clients: 10/clients: 3/; s/clients: 70%/clients: 2/; s/clients: 30%/clients: 1/; s/size: 1M/&, shared: 1/" \
	share.yaml | sed '/name: readers/s/rw:/filename: one, rw:/; /name: writers/s/rw:/filename: one, rw:/' >one.yaml
volley run one.yaml --local 3 --db one.db --max-skew 2000 -o json >one.json 2>err
is one.json '.cases[0].state' '"VALID"'
[ "$(stat -c %s data/one)" = 1048576 ] || fail "one: $(ls -l data; cat err)"

# ---- clients with folders and CPUs of their own ----
mkdir -p own-local-1 own-local-2/sub
cat >own.yaml <<PLAN
plan: own
storage: [{name: s, paths: {local: "$dir/own-\${client}"}}]
clients: 2
repeat: 1
defaults: {size: 1M, ioengine: psync, time_based: 1, runtime: 1s, rate_iops: 500}
per_client:
  - {hosts: "local-[2-3]", directory: sub, cpus_allowed: 0}
workloads: [{name: w, rw: write}]
PLAN
volley run own.yaml --local 2 --db o.db --max-skew 2000 -o json >own.json 2>err
is own.json '.cases[0].state' '"VALID"'
[ -s own-local-1/volley-data/local-1/w.0.0 ] || fail "local-1: $(find own-*; cat err)"
[ -s own-local-2/sub/volley-data/local-2/w.0.0 ] || fail "local-2: $(find own-*; cat err)"
sed 's/local-\[2-3\]/local-7/' own.yaml >nobody.yaml
volley run nobody.yaml --local 2 --db o.db >/dev/null 2>err
[ $? -eq 2 ] && grep -q "nobody.yaml:7:13: per_client: no agent has the name 'local-7'" err ||
	fail "nobody: $(cat err)"

# ---- a client that is lost is lost to its job ----
sed 's/runtime: 1s/runtime: 4s/; s/plan: share/plan: lost/' share.yaml >lost.yaml
volley run lost.yaml --local 10 --db l.db --max-skew 2000 --lease 2 -o json >lost.json 2>err &
run=$! victim= worker=
# its worker has written more than the 1 MiB of its file once the run is under way
written() {
	awk '/^wchar/ { print $2 }' "/proc/$1/io" 2>/dev/null || echo 0
}
until victim=$(pgrep -P "$run" -f -- '--name local-10( |$)') &&
	worker=$(pgrep -P "$victim") && [ "$(written "$worker")" -gt 1500000 ]; do
	kill -0 "$run" 2>/dev/null || break
done
kill -KILL "$victim" "$worker"
wait "$run"
is lost.json '.cases[0].state' '"PARTIAL"'
is lost.json '[.cases[0].jobs[] | [.name, .clients, .clients_expected]]' \
	'[["readers",7,7],["writers",2,3]]'
jq -r '.cases[0].reasons[].text' lost.json | grep -q '9 of 10 clients: local-10 (job writers) ' ||
	fail "$(jq -r '.cases[0].reasons[].text' lost.json)"

exit $bad
