# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # $here comes from the caller, the rest is for it
#
# A recording of two processes, which history.py makes, for script.sh and export.sh. Source it
# with $here set.

# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
pfmon=$top/build/bin/tests/pfmon/pfmon-fake # built with the sanitizers

# history [WORD...]: the recording "data" of a program with the function inner()
history()
{
	[ -e program ] ||
		echo 'int inner(int n) { return n * 3 + 1; } int main(int c, char **v) { (void)v; return inner(c); }' |
		gcc -O0 -g -xc -o program - || fail "gcc"
	inner=$(nm program | awk '$3 == "inner" { print $1 }')
	inner=$(printf '%x' $((0x$inner + 4)))
	python3 "$here/history.py" data "$PWD/program" "$inner" "$@" || fail "history.py"
}
