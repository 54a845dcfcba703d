# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # $here comes from the caller, the rest is for it
#
# Recordings for tests of the verbs that read them, and a program that their samples are in. Source
# it with $here set.

# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
pfmon=$top/build/bin/tests/pfmon/pfmon-fake # built with the sanitizers
unset PFMON_PAGER PAGER NO_COLOR LESS

# recording FILE: make one of the lines on standard input; see samples.py
recording()
{
	python3 "$here/samples.py" "$1" || fail "samples.py"
}

# offset_of FUNCTION [PROGRAM]: its offset in the program's file, whose addresses are its offsets
# but for the segments' alignment
offset_of()
{
	local program=${2-program} at file memory

	at=0x$(nm "$program" | awk -v name="$1" '$3 == name { print $1 }')
	read -r file memory < <(readelf -lW "$program" | awk '$1 == "LOAD" && / E / { print $2, $3 }')
	printf '%#x\n' $((at - memory + file))
}

# A program of three functions, in C.
program()
{
	cat >program.c <<'C'
int inner(int n)
{
	return n * 3 + 1;
}
int outer(int n)
{
	return inner(n) + 1;
}
int main(int c, char **v)
{
	return outer(c) + !v;
}
C
	gcc -O0 -g -o program program.c || fail "gcc"
	inner=$(offset_of inner)
	outer=$(offset_of outer)
}

# fields WORD...: the report as lines of fields, without notes
fields()
{
	"$pfmon" report -x ';' "$@" | grep -v '^#'
}
