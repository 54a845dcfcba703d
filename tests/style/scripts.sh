#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host
#
# Every shell script passes shellcheck, and every file names its license.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

cd "$top" || exit 1
"$top/tools/build/need" shellcheck >&2 || exit 1

sources()
{
	find .ci Makefile arch bench formats include kernel tests tools patches -type f \
		! -name '*~' ! -name '.*.swp' ! -name '*.md' ! -name series 2>/dev/null
}

scripts=$(sources | xargs grep -lE '^#!/bin/(ba)?sh|^# shellcheck shell=')
plan "$(($(wc -l <<<"$scripts") + 1))"
while read -r script; do
	passes "shellcheck_$script" shellcheck -x -P SCRIPTDIR "$script"
done <<<"$scripts"

unlicensed=$(sources | grep -v '\.patch$' |
	xargs awk 'FNR == 3 { nextfile } /SPDX-License-Identifier/ { print FILENAME; nextfile }' |
	sort | comm -13 - <(sources | grep -v '\.patch$' | sort))
is every_file_names_its_license "$unlicensed" ''
finish
