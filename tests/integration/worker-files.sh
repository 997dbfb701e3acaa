#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Options that look for files, or say what an error or an end means, beside the real fio:
# opendir, file_append, exit_what, ignore_error, verify_dump.
# shellcheck source=tests/support/alone.sh
. "${abs_top_srcdir:-.}/tests/support/alone.sh"
need fio
need jq

figures='[.jobs[] | [.jobname, .error, .read.total_ios, .read.io_bytes, .write.total_ios, .write.io_bytes]]'

# same WHAT: j.fio in both folders gives the same figures; $got are ours
same()
{
	(cd ours && "$io" --output-format=json ../j.fio) >ours.json 2>ours.err
	(cd theirs && fio --output-format=json ../j.fio) 2>theirs.err | sed -n '/^{/,$p' >theirs.json
	got=$(jq -c "$figures" ours.json) || fail "$1: $(cat ours.err)"
	[ "$got" = "$(jq -c "$figures" theirs.json)" ] ||
		fail "$1: $got, fio: $(jq -c "$figures" theirs.json)"
}
mkdir ours theirs tree tree/deep tree/deep/er
head -c 100k /dev/urandom >tree/a
head -c 300k /dev/urandom >tree/deep/b
head -c 40k /dev/urandom >tree/deep/er/c
ln -s /etc/passwd tree/link

# ---- opendir
printf '[j]\nopendir=%s\nrw=read\nbs=4k\n' "$dir/tree" >j.fio
same 'opendir'
[ "$got" = '[["j",0,110,450560,0,0]]' ] || fail "opendir: $got"
printf '[j]\nopendir=%s\nrw=read\nbs=4k\nsize=220k\n' "$dir/tree" >j.fio
same 'opendir with a size'
truncate -s 40k tree/deep/er/c # fio made it longer
"$io" --name=j --opendir="$dir/tree" --rw=write --bs=4k --size=100% >out 2>&1 &&
	fail "opendir: files of somebody else were written"
grep -q 'volley did not make this file' out || fail "opendir: $(cat out)"
mkdir none
"$io" --name=j --opendir="$dir/none" --rw=read --size=100% >out 2>&1 && fail "opendir: no files"
grep -q 'no file there holds a block' out || fail "opendir: $(cat out)"
"$io" --name=j --opendir="$dir/nowhere" --rw=read --size=100% >out 2>&1 && fail "opendir: no folder"

# Another folder than the agent allows is none of the job's business.
if command -v volley >/dev/null && command -v volleyd >/dev/null; then
	cat >plan.yaml <<-PLAN
		plan: p
		storage: [{name: s, paths: {local: $dir/tree}}]
		clients: 2
		repeat: 1
		workloads:
		  - {name: w, rw: read, bs: 4k, size: 100%, opendir: OPENDIR}
	PLAN
	sed "s,OPENDIR,$dir/tree," plan.yaml >good.yaml
	volley run good.yaml --local 2 --db good.db -o json >good.json 2>good.err ||
		jq -e '.cases[0].reasons' good.json >/dev/null || fail "volley run: $(cat good.err)"
	[ "$(jq -c '[.cases[0].per_client[].read.ios]' good.json)" = '[110,110]' ] ||
		fail "opendir through agents: $(cat good.err)"
	sed "s,OPENDIR,/etc," plan.yaml >bad.yaml
	volley run bad.yaml --local 2 --allow "$dir/tree" --db bad.db -o json >bad.json 2>bad.err &&
		fail "opendir: a folder that is not allowed"
	grep -q -e '--allow' bad.err bad.json || fail "opendir: $(cat bad.err)"
fi

# ---- file_append
printf '[j]\nfilename=log\nrw=write\nbs=4k\nsize=64k\nfile_append=1\n' >j.fio
for bytes in 65536 131072 196608; do
	same 'file_append'
	[ "$(stat -c %s ours/log)" = $bytes ] || fail "file_append: $(stat -c %s ours/log), not $bytes"
	[ "$(stat -c %s theirs/log)" = $bytes ] || fail "file_append: fio: $(stat -c %s theirs/log)"
done
"$io" --name=j --filename="$dir/ours/log" --rw=read --size=64k --file_append=1 >out 2>&1 &&
	fail "file_append of a job that reads"
grep -q 'file_append is for jobs that only write' out || fail "file_append: $(cat out)"

# ---- exit_what
for what in group stonewall all; do
	printf '[global]\nioengine=null\nsize=1m\nexitall\nexit_what=%s\n[a]\n[b]\nstonewall\n' $what >j.fio
	(cd ours && "$io" --output-format=json ../j.fio) >ours.json || fail "exit_what=$what"
	ran=$(jq -c '[.jobs[] | select(.read.total_ios > 0) | .jobname]' ours.json)
	(cd theirs && fio --output-format=json ../j.fio) >theirs.json
	[ "$ran" = "$(jq -c '[.jobs[] | select(.read.total_ios > 0) | .jobname]' theirs.json)" ] ||
		fail "exit_what=$what: $ran ran"
done
[ "$ran" = '["a"]' ] || fail "exit_what=all: $ran ran"

# ---- unlink_each_loop: between two passes the files are made anew, by each thread its own
(cd theirs && fio --name=u --rw=write --size=64k --unlink_each_loop=1) >out || fail "fio: $(cat out)"
[ -s theirs/u.0.0 ] || fail "fio removes what the last loop made"
(cd ours && "$io" --name=u --rw=write --size=64k --unlink_each_loop=1) >out 2>&1 || fail "$(cat out)"
[ -s ours/volley-data/local/u.0.0 ] || fail "unlink_each_loop: what the last loop made is gone"
renew()
{
	(cd ours && "$io" --name=u --rw=randwrite --bs=4k --size=128k --nrfiles=2 --numjobs=2 \
		--output-format=json "$@") >u.json || fail "$*"
}
# names LINKS: how many names the file has that was there before
before() { exec 9<ours/volley-data/local/u.1.1; }
names() { [ "$(stat -L -c %h /proc/$$/fd/9)" -eq "$1" ]; }
renew --loops=3
before
renew --loops=3
names 1 || fail "without unlink_each_loop files are made anew"
for engine in psync libaio io_uring; do
	before
	renew --ioengine=$engine --loops=3 --unlink_each_loop=1
	names 0 || fail "loops: $engine: the files are the old ones"
	[ "$(jq '[.jobs[].write.total_ios] | add' u.json)" -eq 192 ] || fail "loops: $engine: I/Os"
	for file in u.0.0 u.0.1 u.1.0 u.1.1; do
		[ "$(stat -c %s ours/volley-data/local/$file)" -eq 65536 ] || fail "loops: $file"
	done
done
exec 9<&-
echo theirs >ours/volley-data/local/u.1.1.new && mv ours/volley-data/local/u.1.1.new ours/volley-data/local/u.1.1
(cd ours && "$io" --name=u --rw=write --bs=4k --size=128k --nrfiles=2 --numjobs=2 --loops=2 \
	--unlink_each_loop=1) >out 2>&1 && fail "a foreign file was taken for volley's"
grep -q theirs ours/volley-data/local/u.1.1 || fail "a foreign file is gone"
rm ours/volley-data/local/u.1.1
"$io" --name=u --rw=read --size=64k --loops=2 --unlink_each_loop=1 >out 2>&1 &&
	fail "loops: what would be read is removed"
grep -q 'is for jobs that only write' out || fail "loops: $(cat out)"

# ---- allrandrepeat alone makes the sequence the same, too
for run in 1 2 3; do
	every=1
	[ $run = 3 ] && every=0
	"$io" --name=j --ioengine=null --rw=randread --bs=4k --size=256k --randrepeat=0 \
		--allrandrepeat=$every --write_lat_log=r$run --log_offset=1 >out || fail "allrandrepeat"
	cut -d, -f5 r${run}_lat.1.log >r$run
done
cmp -s r1 r2 || fail "allrandrepeat=1: another sequence in each run"
cmp -s r1 r3 && fail "randrepeat=0: the same sequence in each run"

# ---- jobs that are alike have sequences of their own, of places and of data, as in fio
alike='[global]\nbs=4k\nsize=256k\nlog_offset=1\nwrite_lat_log=s\n'
printf "$alike"'rw=randrw\n[a]\n[b]\n[c]\nstonewall\n' >alike.fio
(cd theirs && fio ../alike.fio) >out || fail "fio: $(cat out)"
(cd ours && "$io" ../alike.fio) >out || fail "$(cat out)"
for of in theirs ours; do
	n=$(for job in 1 2 3; do cut -d, -f3,5 $of/s_lat.$job.log | cksum; done | sort -u | wc -l)
	[ "$n" = 3 ] || fail "$of: three jobs that are alike have $n sequences"
done
printf "$alike"'rw=write\n[a]\n[b]\n' >alike.fio
(cd ours && "$io" ../alike.fio) >out || fail "$(cat out)"
cmp -s ours/volley-data/local/a.0.0 ours/volley-data/local/b.0.0 && fail "two jobs write the same data"

# ---- ignore_error
null="--name=j --ioengine=null --rw=read --bs=4k --size=64k --fault_error_every=4"
"$io" $null --fault_errno=ENOSPC --ignore_error=EIO:28 --output-format=json >out 2>err ||
	fail "ignore_error by number: $(cat err)"
[ "$(jq -c '.jobs[0] | [.error, .read.total_ios]' out)" = '[0,12]' ] || fail "ignore_error: $(cat out)"
for list in EIO ,ENOSPC ,,ENOSPC; do
	"$io" $null --fault_errno=ENOSPC --ignore_error=$list >out 2>&1 &&
		fail "ignore_error=$list: ENOSPC of a read does not end the job"
done
"$io" $null --fault_errno=ENOSPC --continue_on_error=all >out 2>&1 &&
	fail "continue_on_error=all takes ENOSPC"
"$io" $null --ignore_error=EFOO >out 2>&1 && fail "ignore_error=EFOO"
grep -q "ignore_error: 'EFOO' is not one of" out || fail "ignore_error=EFOO: $(cat out)"

# ---- verify_dump: the wrong block and the right one, under fio's names
for who in ours theirs; do
	printf '\xab\xcd%.0s' {1..8192} >$who/v
	printf X | dd of=$who/v bs=1 seek=5000 conv=notrunc 2>dd.err || fail "$(cat dd.err)"
done
printf '[j]\nfilename=v\nrw=read\nbs=4k\nsize=16k\nverify=pattern\nverify_pattern=0xabcd\nverify_dump=1\n' >j.fio
(cd ours && "$io" ../j.fio) >out 2>&1 && fail "verify: nothing was found"
(cd theirs && fio ../j.fio) >out 2>&1
[ "$(cd ours && echo v.*)" = "$(cd theirs && echo v.*)" ] ||
	fail "verify_dump: $(cd ours && echo v.*), fio: $(cd theirs && echo v.*)"
for kind in received expected; do
	cmp ours/v.4096.$kind theirs/v.4096.$kind || fail "verify_dump: $kind"
done
echo "files, ends and errors are as fio's"
