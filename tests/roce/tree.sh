# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Root trees of guests: programs with the libraries they need, packed as cpio archives.
# To be sourced; TREE_LIBS holds folders of libraries beside those of the system.

TREE_LIBS=

skip() {
	echo "SKIP: $*"
	exit 77
}

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# tree_new ROOT: the folders of a merged /usr
tree_new() {
	local dir
	mkdir -p "$1"/usr/{bin,lib/x86_64-linux-gnu,lib64} "$1"/{dev,etc,proc,root,run,sys,tmp}
	for dir in bin lib lib64; do
		ln -sfn "usr/$dir" "$1/$dir"
	done
	ln -sfn usr/bin "$1/sbin"
	ln -sfn bin "$1/usr/sbin"
}

# tree_libs ROOT FILE: what the dynamic linker would load for it
tree_libs() {
	local root=$1 name arrow path _
	# A program that is not dynamic has none.
	while read -r name arrow path _; do
		[ "$arrow $path" != "=> not" ] || die "$2 lacks $name"
		case $name in
		*/ld-linux-*) cp -nL "$name" "$root/usr/lib64/" ;;
		*)
			[ -f "$path" ] || continue
			cp -nL "$path" "$root/usr/lib/x86_64-linux-gnu/${path##*/}"
			;;
		esac
	done < <(LD_LIBRARY_PATH=$TREE_LIBS ldd "$2" 2>/dev/null)
}

# tree_program ROOT FILE [NAME]
tree_program() {
	rm -f "$1/usr/bin/${3:-${2##*/}}"
	install -m 755 "$2" "$1/usr/bin/${3:-${2##*/}}" && tree_libs "$1" "$2"
}

# tree_pack ROOT FILE: all belongs to root; the file appears whole or not at all
tree_pack() {
	(cd "$1" && find . | cpio -o -H newc -R 0:0 --quiet) >"$2.part" && mv "$2.part" "$2"
}
