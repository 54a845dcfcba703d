#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# schemata.sh - a file that contains all its changes behaves as the file with one of them, if that
# is chosen, and otherwise as the unchanged file.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

cat >file.c <<'TEXT'
#include <stdio.h>
#include <stdlib.h>

int pfm_mutant;

static const int table[] = { 3, 5, };

static inline int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* A label, and a body that ends without a return. */
static void count(int *to,
		  int n)
{
	if (n == 2)
		goto out;
	*to += n;
out:
	*to += 1;
}

static const char *name_of(int (*fn)(int a, int b), const int *of)
{
	static const char *const names[] = { "none", "one", "two", "three", "four" };

	if (!of)
		return NULL;
	return names[fn(of[0], 4)];
}

int __attribute__((noinline)) first(int n, ...)
{
	return n + 1;
}

#ifdef NOT_DEFINED
static int choice(void)
{
	return 7;
}
#else
static int choice(void)
{
	return 8;
}
#endif

static int constant(void)
{
	static const int one[] = { 1 };

	_Static_assert(sizeof(one) == 4, "not one");
	return one[0];
}

int main(int argc, char **argv)
{
	int total = 0;

	pfm_mutant = argc > 1 ? atoi(argv[1]) : 0;
	count(&total, 2);
	count(&total, 3);
	printf("%d %d %s\n", smaller(4, 4), smaller(1, 2), name_of(smaller, table));
	printf("%d %d %d %d\n", total, first(3, 1, 2, 3), choice(), constant());
	return 0;
}
TEXT

# Without main(), which sets pfm_mutant.
awk -f "$here/candidates.awk" file.c | awk -F'\001' -v main="$(grep -n '^int main' file.c | cut -d: -f 1)" \
	'$2 < main { print ++n FS $0 }' >changes

compile()
{
	gcc -O2 -w -o "$@" 2>log
}

# behaviour PROGRAM [NUMBER]
behaviour()
{
	timeout 5 "./$1" "${@:2}" 2>&1
	echo "status $?"
} 2>/dev/null

# generate: all.c without those changes that do not compile, which are in "refused".
# shellcheck disable=SC2317 # "passes" calls it
generate()
{
	local number

	: >refused
	cp changes left
	: >outside
	awk -v outside=outside -f "$here/schemata.awk" left file.c >all.c
	compile all all.c && return
	awk -f "$here/blame.awk" log | sort -n >refused
	awk -F'\001' 'FILENAME == ARGV[1] { gone[$1] = 1; next } !($1 in gone)' refused changes >left
	awk -f "$here/schemata.awk" left file.c >all.c
	compile all all.c
}

plan 9
passes it_compiles_without_those_that_do_not generate
compile file file.c
is without_a_change_it_is_the_file "$(behaviour all 0)" "$(behaviour file)"

compared=0 other='' wrong='' unbuilt=''
while IFS=$'\001' read -r number _ line what text; do
	TEXT=$text awk -v line="$line" 'NR == line { print ENVIRON["TEXT"]; next } { print }' \
		file.c >one.c
	if ! compile one one.c; then
		unbuilt+="$number "
	elif ! grep -qx "$number" outside; then
		compared=$((compared + 1))
		[ "$(behaviour one)" = "$(behaviour all "$number")" ] ||
			wrong+="$line: $what; "
		[ "$(behaviour one)" = "$(behaviour file)" ] || other+="$line "
	fi
done <changes
is each_change_is_in_effect_when_chosen "$wrong" ''
passes many_were_compared test "$compared" -ge 15
passes most_make_a_difference test "$(wc -w <<<"$other")" -gt $((compared / 2))
is those_refused_are_those_that_do_not_compile "$(paste -sd' ' refused) " "$unbuilt"
passes some_are_refused test -n "$unbuilt"
is changes_of_tables_are_left_out "$(while read -r number; do
	sed -n "${number}p" changes | cut -d $'\001' -f 3; done <outside | sort -u)" \
	"$(grep -n '^static const int table' file.c | cut -d: -f 1)"

# An error in a macro or in inlined code belongs to the copy that the notes name; a warning is no
# error.
cat >log <<'TEXT'
file.c: In function 'f':
mutant-4:3:9: warning: unused variable [-Wunused-variable]
In function 'g',
    inlined from 'f' at mutant-5:8:2:
header.h:3:1: error: call to '__compiletime_assert_1' declared with attribute error
In file included from other.h:3:
header.h:7:2: error: expected expression before ')' token
mutant-6:9:2: note: in expansion of macro 'M'
mutant-7:9:2: warning: comparison is always false
header.h:7:2: note: in definition of macro
TEXT
is an_error_is_its_notes_as_well "$(awk -f "$here/blame.awk" log | sort -n | paste -sd' ')" '5 6'
finish
