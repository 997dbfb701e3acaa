#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Boots one or two emulated machines with soft-RoCE and this build's volley inside, runs
# a test script (TEST.vm) there, and passes on what it printed and its exit status.
#
#   vm.sh FILE.vm
#
# Lines "# vm: guests=1 cpus=2 memory=1500M limit=150" of the script say what it needs;
# with=PROGRAM,PROGRAM takes other programs of the build folder along;
# limit is in seconds of this machine, for the whole machine. What the script leaves in
# $OUT is afterwards in tests/roce/TEST.out below the build folder. README.md has more.
#
# VOLLEY_ROCE_CACHE: folder of the kernel and the tools (default: in the build folder).
# Only one test at a time runs from one such folder.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=tests/roce/tree.sh
. "$here/tree.sh"

[ $# -eq 1 ] && [ -r "$1" ] || { echo "usage: vm.sh FILE.vm" >&2; exit 2; }
script=$1
test=$(basename "$script" .vm)
build=${abs_top_builddir:-.}
cache=${VOLLEY_ROCE_CACHE:-$build/tests/roce/cache}
out=$build/tests/roce/$test.out
work=
guests=1 cpus=2 memory=1500M limit=150 with=
pids=()

cleanup() {
	[ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null
	[ -z "$work" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 143' TERM INT HUP

read_needs() {
	local word
	for word in $(sed -n 's/^# vm: //p' "$script"); do
		case $word in
		guests=[12] | cpus=[1-4] | memory=*[0-9]M | limit=*[0-9] | with=*) declare -g "$word" ;;
		*) die "$script: what is '$word'?" ;;
		esac
	done
}

# This build's programs, and all that is in this folder
pack_own() {
	local root=$work/root name
	tree_new "$root"
	for name in volley volleyd volley-io ${with//,/ }; do
		tree_program "$root" "$build/$name" || return
		strip "$root/usr/bin/${name##*/}" 2>/dev/null
	done
	mkdir "$root/guest"
	cp "$here"/*.sh "$here"/*.vm "$root/guest/"
	cp "$script" "$root/guest/"
	install -m 755 "$here/init.sh" "$root/init"
	tree_pack "$root" "$work/own.cpio" &&
		cat "$cache/base.cpio" "$work/own.cpio" >"$work/initrd"
}

# The cable between two guests: the first listens, the second connects.
cable() {
	local server=on
	[ "$1" = 1 ] || server=off
	echo "-netdev stream,id=cable,server=$server,addr.type=unix,addr.path=$work/cable" \
		"-device virtio-net-pci,netdev=cable,host_mtu=4500,mac=52:54:00:00:00:0$1"
}

boot() {
	local guest=$1 net=
	[ "$guests" -eq 1 ] || net=$(cable "$guest")
	# shellcheck disable=SC2086 # words of options
	exec timeout -k 5 "$limit" qemu-system-x86_64 -nodefaults -no-user-config \
		-machine pc -accel "${VOLLEY_ROCE_ACCEL:-tcg,thread=multi}" -cpu Nehalem \
		-smp "$cpus" -m "$memory" -kernel "$cache/vmlinux" -initrd "$work/initrd" \
		-append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable VOLLEY_TEST=$test.vm VOLLEY_GUEST=$guest" \
		-display none -vga none -monitor none -serial stdio -no-reboot \
		-fsdev "local,id=out,path=$out,security_model=none" \
		-device virtio-9p-pci,fsdev=out,mount_tag=out $net </dev/null
}

# A guest's console, line by line; which guest said it, where there are two
show() {
	local prefix=
	[ "$guests" -eq 1 ] || prefix="$1: "
	sed -u -e "s/\r//g" -e "/reboot: Power down/d" -e "s/^/$prefix/"
}

# ended GUEST CODE: the status that its script left, or why there is none
ended() {
	local status
	if status=$(cat "$out/status-$1" 2>/dev/null) && [ -n "$status" ]; then
		return "$status"
	elif [ "$2" -eq 124 ] || [ "$2" -eq 137 ]; then
		echo "FAIL: guest $1 was stopped after $limit s"
	else
		echo "FAIL: guest $1 ended without a status (QEMU's was $2)"
	fi
	return 1
}

run_guests() {
	local guest code status=0 one
	for ((guest = 1; guest <= guests; guest++)); do
		boot "$guest" > >(show "$guest") 2>&1 &
		pids[guest]=$!
		[ "$guest" -eq "$guests" ] || wait_until_up "$guest"
	done
	for ((guest = 1; guest <= guests; guest++)); do
		wait "${pids[guest]}"
		code=$?
		unset "pids[guest]"
		ended "$guest" "$code"
		one=$?
		# A failure counts more than a reason not to run.
		if [ $one -ne 0 ] && { [ $status -eq 0 ] || [ $status -eq 77 ]; }; then
			status=$one
		fi
	done
	return $status
}

# One after the other: a boot takes all of a small machine, and clocks that count from it
# are far apart.
wait_until_up() {
	until [ -e "$out/up-$1" ] || ! kill -0 "${pids[$1]}" 2>/dev/null; do
		read -r -t 0.2 _ <> <(:)
	done
}

command -v qemu-system-x86_64 >/dev/null || skip "needs qemu-system-x86_64"
read_needs
for program in ${with//,/ }; do
	[ -x "$build/$program" ] || skip "needs $program, which this build has not"
done
bash "$here/image.sh" "$cache" || exit
exec 9>"$cache/running"
flock 9
work=$(mktemp -d "${TMPDIR:-/tmp}/volley-roce.XXXXXX") || exit 1
rm -rf "$out"
mkdir -p "$out"
out=$(realpath "$out")
pack_own || die "cannot pack the programs in $build"
run_guests
status=$?
wait # for what they printed
exit $status
