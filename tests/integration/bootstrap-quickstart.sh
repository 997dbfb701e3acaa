#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bootstrap quickstart removes only the folder that it made: what was there before, a
# link, another quickstart's folder and files of others are refused or left. Building
# and running are stood in for; what is tried is bootstrap.
set -u

for tool in flock stat; do
	command -v "$tool" >/dev/null || {
		echo "$tool is not here"
		exit 77
	}
done
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
scratch=$dir/scratch
bad=0

mkdir "$dir/src" "$dir/bin" "$dir/cwd"
sed "s|^scratch=[^ ]*|scratch=$scratch|" "$abs_top_srcdir/bootstrap" >"$dir/src/bootstrap"
printf '#!/bin/sh\n' >"$dir/bin/autoreconf"
printf '#!/bin/sh\necho installed\n' >"$dir/bin/dpkg-query"
# "volley": leaves data as volley does, then waits for a line if it is told to
cat >"$dir/src/configure" <<'EOF'
#!/bin/sh
printf 'all:\n' >Makefile
cat >volley <<'IN'
#!/bin/sh
[ "$1" = run ] || { echo "$*" >>asked; exit; }
mkdir -p "$SCRATCH/volley-data/local"
echo x >"$SCRATCH/volley-data/local/file"
[ -z "$FIFO" ] || { echo running >"$FIFO.up"; read line <"$FIFO"; }
exit ${STATUS:-0}
IN
chmod +x volley
EOF
chmod +x "$dir"/bin/* "$dir/src/configure" "$dir/src/bootstrap"
export PATH="$dir/bin:$PATH" SCRATCH=$scratch VOLLEY_BUILD=$dir/build FIFO=
cd "$dir/cwd" || exit 99

quickstart() {
	bash "$dir/src/bootstrap" quickstart >"$dir/out" 2>"$dir/err" </dev/null
}

# check WHAT COMMAND...
check() {
	local what=$1
	shift
	"$@" && return
	echo "FAIL $what"
	cat "$dir/err"
	bad=1
}

# refused WHAT TEXT: it says so and does not get to the build
refused() {
	quickstart
	check "$1: exit status $?" test $? -eq 1
	check "$1: says why" grep -qF -- "$2" "$dir/err"
	check "$1: no build" test ! -e "$dir/build"
}

# A user's own folder, with and without a marker that says another user
mkdir "$scratch"
echo precious >"$scratch/mine"
refused "a folder of the user" "was not made by 'bootstrap quickstart'"
echo "made by bootstrap quickstart for user 4711" >"$scratch/.made-by-volley-bootstrap"
chmod 700 "$scratch"
refused "a marker of another user" "was not made by 'bootstrap quickstart'"
check "the user's file is there" grep -q precious "$scratch/mine"

# A link to a folder that would do, and one to nowhere
echo "made by bootstrap quickstart for user $(id -u)" >"$scratch/.made-by-volley-bootstrap"
mv "$scratch" "$dir/elsewhere"
ln -s "$dir/elsewhere" "$scratch"
refused "a link" "was not made by 'bootstrap quickstart'"
check "the link's target is whole" grep -q precious "$dir/elsewhere/mine"
rm "$scratch"
ln -s "$dir/nowhere" "$scratch"
refused "a dangling link" "was not made by 'bootstrap quickstart'"
rm "$scratch"

# It goes through, and what it made is gone; also when the run fails
quickstart
check "a quickstart: exit status" test $? -eq 0
check "it ends with a report" grep -qx 'report results.db -o html --out report.html' asked
check "its folder is gone" test ! -e "$scratch"
STATUS=4 quickstart
check "a failing quickstart: exit status 4" test $? -eq 4
check "its folder is gone, too" test ! -e "$scratch"

# A second one while the first runs
mkfifo "$dir/fifo" "$dir/fifo.up"
FIFO=$dir/fifo bash "$dir/src/bootstrap" quickstart >"$dir/out1" 2>&1 </dev/null &
first=$!
read -r _ <"$dir/fifo.up"
quickstart
check "a second quickstart: exit status $?" test $? -eq 1
check "it says why" grep -q "another quickstart is running" "$dir/err"
check "it removes nothing" test -e "$scratch/volley-data/local/file"
echo other >"$scratch/other"
echo go >"$dir/fifo"
wait "$first"
check "the first goes through" test $? -eq 0
check "its data is gone" test ! -e "$scratch/volley-data"
check "what others put there stays" grep -q other "$scratch/other"
rm -rf "$scratch"

# What a killed one left is taken over
mkdir -m 700 -p "$scratch/volley-data"
chmod 700 "$scratch"
echo "made by bootstrap quickstart for user $(id -u)" >"$scratch/.made-by-volley-bootstrap"
quickstart
check "after a killed one: exit status" test $? -eq 0
check "what it left is gone" test ! -e "$scratch"

exit "$bad"
