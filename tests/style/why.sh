#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Documentation/why.md names tests that exist.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

cd "$top" || exit 1

# source_of AREA/PROGRAM
source_of()
{
	local file

	case $1 in
	kunit/*) git ls-files "*/${1#kunit/}.c" ;;
	*)
		for file in tests/"$1".c tests/"$1".sh; do
			[ ! -e "$file" ] || echo "$file"
		done ;;
	esac
}

# shellcheck disable=SC2016 # the quotes are Markdown's
named=$(grep -oE '`[a-z0-9]+/[a-z0-9_]+(:[a-z0-9_]+)?`' Documentation/why.md | tr -d '`' |
	grep -vE '^(tests|area)/' | sort -u)
missing=''
for name in $named; do
	file=$(source_of "${name%%:*}")
	if [ -z "$file" ]; then
		missing+=" $name"
	elif [ "$name" != "${name#*:}" ] && ! grep -qw "${name#*:}" "$file"; then
		missing+=" $name"
	fi
done

plan 2
passes many_tests_are_named test "$(wc -w <<<"$named")" -ge 30
is each_of_them_exists "$missing" ''
finish
