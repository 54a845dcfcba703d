#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon's directories use each other as the table in its README.md states, and its files do not use
# each other in a circle. The test reads the symbols of their objects, as a declaration can be in
# any header.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
source=$top/tools/pfmon
library=$top/tools/lib
objects=$top/build/obj/pfmon
parts=$top/build/obj/libperfmon

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# "USER USED", a line for each directory of a row
table()
{
	awk -F'|' '/^\| `[a-z]+\/`/ {
		gsub(/[ `\/]/, "", $2)
		n = split($4, used, ",")
		for (i = 1; i <= n; i++) {
			gsub(/[ `]/, "", used[i])
			if (used[i]) print $2, used[i]
		}
	}' "$source/README.md"
}

# The same by the includes of the sources, of the library as well, which pfmon has parts of. Files
# at the top are for all.
included()
{
	local directory

	for directory in "$source"/*/ "$library"/*/; do
		directory=${directory%/}
		directory=${directory##*/}
		case $directory in
		kernel|metrics|completion) continue ;; # directories without sources of pfmon
		esac
		cat {"$source","$library"}/"$directory"/*.[ch] 2>/dev/null | sed -n 's,^#include "\([a-z]*\)/.*,\1,p' |
			grep -vxE "$directory|lib|qemu|arch|kernel" | sed "s/^/$directory /"
	done
}

# "USER USED" by objects. The tables are the kernel's.
used_objects()
{
	{
		(cd "$source" && find . -name '*.c' ! -path './kernel/*' -printf "$objects/%P\\n")
		(cd "$library" && find . -name '*.c' -printf "$parts/%P\\n")
	} | sed 's/\.c$/.o/' >"$work/objects"
	xargs nm -A <"$work/objects" | awk '
		{ file = $1; sub(/:.*/, "", file) }
		$(NF - 1) == "U" { uses[file, $NF]; next }
		$(NF - 1) ~ /^[A-TV-Z]$/ { defined[$NF] = file }
		END {
			for (pair in uses) {
				split(pair, part, SUBSEP)
				if (part[2] in defined)
					print part[1], defined[part[2]]
			}
		}'
}

plan 4
is directories_use_what_the_table_says "$(included | sort -u)" "$(table | sort -u)"
used_objects >"$work/used"
passes objects_were_found test "$(wc -l <"$work/used")" -gt 100
passes files_use_each_other_in_no_circle tsort "$work/used"
echo "$objects/util.o $objects/main.o" >>"$work/used"
fails a_circle_would_be_noticed tsort "$work/used"
finish
