#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The checks of tests/lint that concern files, without "kernel": shellcheck passes every shell
# script, every file names its license, the kernel part has the kernel's style and comments, gcc's
# analyzer finds nothing in the tools, manual pages are well-formed, no word is misspelt, and each
# row of the conformance matrix has a test. The form of commits is for `make lint`: a commit that is
# published cannot be mended.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# clean CHECK MINIMUM: it has no finding in at least this number of files, as a search
# without a file would always be clean. Otherwise print its findings, which are above its line.
clean()
{
	local line number

	line=$(grep "^  $1: " "$work/out")
	number=${line#"  $1: "} number=${number%%,*}
	if [ "$line" = "  $1: $number, clean" ] && [ "$number" -ge "$2" ]; then
		report "${1//-/_}_is_clean" ok
	else
		report "${1//-/_}_is_clean" no "at least $2 wanted; ${line:-no result}" \
			"$(awk -v check="$1" '
				/^  [a-z-]+: [0-9]+, (clean|see above)$/ {
					if ($1 == check ":") printf "%s", found
					found = ""
					next
				}
				{ found = found $0 "\n" }' "$work/out")" "$(cat "$work/err")"
	fi
}

plan 8
"$here/../lint" shell license checkpatch kernel-doc analyzer man words conformance \
	>"$work/out" 2>"$work/err"
clean shell 60
clean license 500
clean checkpatch 100
clean kernel-doc 100
clean analyzer 60
clean man 10
clean words 600
clean conformance 1
finish
