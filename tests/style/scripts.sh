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
complaints=$(xargs -n 1 shellcheck -x -P SCRIPTDIR <<<"$scripts")
# As many as there are at least: a search that finds nothing finds nothing wrong.
plan 3
has scripts_are_found "$(wc -l <<<"$scripts")" '^([6-9].|1..)$'
is every_script_passes_shellcheck "$complaints" ''

unlicensed=$(sources | grep -v '\.patch$' |
	xargs awk 'FNR == 3 { nextfile } /SPDX-License-Identifier/ { print FILENAME; nextfile }' |
	sort | comm -13 - <(sources | grep -v '\.patch$' | sort))
is every_file_names_its_license "$unlicensed" ''
finish
