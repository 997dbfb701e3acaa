#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What all guests share, made once into a folder: Debian's stock kernel (vmlinux), and an
# archive (base.cpio) of its RDMA, NFS and NVMe modules and of the tools that tests use.
# The kernel and the NFS tools are downloaded and unpacked, never installed.
#
#   image.sh FOLDER
#
# VOLLEY_ROCE_KERNEL names a linux-image .deb to use instead of the archive's newest.
# Exits 77 with the reason when something cannot be had.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=tests/roce/tree.sh
. "$here/tree.sh"

cache=$1
root=$cache/root
extra=$cache/extra
deb=

tools="bash timeout kmod ip rdma jq fio rping ibv_devinfo ib_write_bw ib_read_bw
	ib_read_lat mount.nfs rpc.nfsd rpc.mountd exportfs sqlite3"
extra_packages="nfs-common nfs-kernel-server libwrap0 libevent-core-2.1-7 libnfsidmap1
	libtirpc3 libkeyutils1"

# With the modules these depend on. The crc32 ones are asked for by name through the
# kernel's crypto interface, which no list of dependencies knows.
modules="virtio_pci virtio_net 9pnet_virtio 9p veth
	crc32_generic crc32c_generic crc32_pclmul crc32c_intel
	rdma_rxe rdma_ucm ib_uverbs
	sunrpc auth_rpcgss rpcrdma nfsd nfs nfsv4
	nvmet nvmet_tcp nvmet_rdma nvme_fabrics nvme_tcp nvme_rdma brd null_blk loop
	sch_netem ext4"

require() {
	local tool
	[ "$(uname -m)" = x86_64 ] || skip "guests are x86-64 only"
	for tool in cpio depmod modprobe ldd od xz busybox dpkg-deb apt-get; do
		PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null || skip "needs $tool"
	done
}

# The real version behind Debian's metapackage
kernel_package() {
	apt-cache depends linux-image-amd64 2>/dev/null |
		sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1
}

# download PACKAGE...: into the folder, and unpacked into $extra
download() {
	local package
	mkdir -p "$cache/deb"
	for package; do
		(cd "$cache/deb" && timeout 300 apt-get -q download "$package") \
			>>"$cache/download.log" 2>&1 || skip "cannot download $package"
	done
}

fetch() {
	local package debs
	rm -rf "$cache/deb" "$extra"
	mkdir -p "$extra"
	# shellcheck disable=SC2086 # lists of words
	download $extra_packages
	for debs in "$cache"/deb/*.deb; do
		dpkg-deb -x "$debs" "$extra"
	done
	deb=${VOLLEY_ROCE_KERNEL:-}
	if [ -z "$deb" ]; then
		package=$(kernel_package)
		[ -n "$package" ] || skip "no linux-image-amd64 among the packages here"
		download "$package"
		deb=$(ls "$cache/deb/$package"_*.deb)
	fi
	dpkg-deb -x "$deb" "$cache/kernel" || skip "cannot unpack $deb"
}

# number FILE OFFSET BYTES
number() {
	od -An -t "u$3" -j "$(($2))" -N "$3" "$1" | tr -d ' '
}

# An emulated CPU takes long to unpack a kernel, so it is done here, and QEMU starts the
# ELF image directly. Where the payload lies: Linux, Documentation/arch/x86/boot.rst.
unpack_kernel() {
	local bz=$1 start length
	start=$((($(number "$bz" 0x1f1 1) + 1) * 512 + $(number "$bz" 0x248 4)))
	length=$(($(number "$bz" 0x24c 4) - 4)) # the last word is the unpacked size
	dd if="$bz" iflag=skip_bytes,count_bytes skip="$start" count="$length" bs=1M \
		of="$cache/payload" status=none
	if ! xz -dc <"$cache/payload" >"$cache/vmlinux.part" 2>/dev/null &&
		! zstd -dcq <"$cache/payload" >"$cache/vmlinux.part" 2>/dev/null; then
		cp "$bz" "$cache/vmlinux.part"
	fi
	rm "$cache/payload"
	mv "$cache/vmlinux.part" "$cache/vmlinux"
}

add_modules() {
	local kernel=$cache/kernel version=$1 name file
	depmod -b "$kernel" "$version"
	for name in $modules; do
		modprobe -d "$kernel" -S "$version" -D "$name" 2>/dev/null ||
			die "the kernel has no module $name"
	done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | sort -u | while read -r file; do
		install -m 644 -D "$file" "$root/lib/modules/${file#*/lib/modules/}"
	done
	cp "$kernel/lib/modules/$version"/modules.{order,builtin,builtin.modinfo} \
		"$root/lib/modules/$version/"
	depmod -b "$root" "$version"
}

find_tool() {
	local path=$extra/usr/sbin:$extra/usr/bin:$extra/sbin:$extra/bin:$PATH:/usr/sbin:/sbin
	PATH=$path type -P "$1" || skip "needs $1"
}

add_tools() {
	local name file
	TREE_LIBS=$extra/usr/lib/x86_64-linux-gnu:$extra/lib/x86_64-linux-gnu
	file=$(find_tool busybox) || { echo "$file"; exit 77; }
	! ldd "$file" >/dev/null 2>&1 || skip "needs busybox-static"
	tree_program "$root" "$file"
	for name in $("$file" --list); do
		ln -s busybox "$root/usr/bin/$name" 2>/dev/null || : # itself
	done
	# Real tools take the place of busybox's; bash as the shell, since busybox's own
	# runs its applets whatever the path says.
	for name in $tools; do
		file=$(find_tool "$name") || { echo "$file"; exit 77; }
		tree_program "$root" "$(realpath "$file")" "$name"
	done
	ln -sf bash "$root/usr/bin/sh"
	for name in modprobe lsmod insmod rmmod modinfo; do
		ln -sf kmod "$root/usr/bin/$name"
	done
	add_rdma_provider
	add_etc
}

# libibverbs loads it by name
add_rdma_provider() {
	local lib
	lib=$(find /usr/lib/x86_64-linux-gnu/libibverbs -name 'librxe-rdmav*.so' 2>/dev/null)
	[ -n "$lib" ] || skip "needs ibverbs-providers"
	mkdir -p "$root/etc/libibverbs.d"
	echo "driver rxe" >"$root/etc/libibverbs.d/rxe.driver"
	install -D -t "$root/usr/lib/x86_64-linux-gnu/libibverbs" "$lib"
	tree_libs "$root" "$lib"
}

add_etc() {
	local etc=$root/etc
	mkdir -p "$root"/{run/nfs,var/lib/nfs/v4recovery,mnt,srv,guest,out}
	printf 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n' >"$etc/passwd"
	printf 'root:x:0:\nnogroup:x:65534:\n' >"$etc/group"
	printf '127.0.0.1 localhost\n' >"$etc/hosts"
	printf '%s: files\n' passwd group hosts protocols services rpc >"$etc/nsswitch.conf"
	printf 'tcp 6 TCP\nudp 17 UDP\n' >"$etc/protocols"
	printf 'nfs 2049/tcp\nnfsrdma 20049/tcp\n' >"$etc/services"
	# columns of libtirpc: the transports that names of NFS's tools stand for
	printf '%s\n' 'tcp tpi_cots_ord v inet tcp - -' 'udp tpi_clts v inet udp - -' \
		>"$etc/netconfig"
	ln -sf /proc/self/mounts "$etc/mtab"
	cp -L /lib/x86_64-linux-gnu/libgcc_s.so.1 "$root/usr/lib/x86_64-linux-gnu/"
}

make_image() {
	local bz
	rm -rf "$root" "$cache/kernel"
	fetch
	bz=$(ls "$cache"/kernel/boot/vmlinuz-* 2>/dev/null) || skip "no kernel in $deb"
	unpack_kernel "$bz"
	tree_new "$root"
	add_modules "${bz##*/vmlinuz-}"
	add_tools
	tree_pack "$root" "$cache/base.cpio"
	rm -rf "$root" "$extra" "$cache/kernel" "$cache/deb"
}

require
mkdir -p "$cache"
exec 8>"$cache/lock"
flock 8
made_by=$(cat "$here/image.sh" "$here/tree.sh" | cksum)${VOLLEY_ROCE_KERNEL:-}
[ "$(cat "$cache/made-by" 2>/dev/null)" != "$made_by" ] || exit 0
make_image
echo "$made_by" >"$cache/made-by"
