# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $top comes from the caller
#
# The files that this repository adds to a kernel tree; sourced with $top set.

# The directories whose paths here are those in the kernel.
overlay_dirs="include kernel arch formats Documentation/ABI"

# overlay_files VERSION: the files to lay over a kernel tree: the path there, and the path here;
# none for stock-VERSION, as the module is for trees without them.
# Each version has one header with the features that it has or lacks.
overlay_files()
{
	local dir

	[ "${1#stock-}" = "$1" ] || return 0
	for dir in $overlay_dirs; do
		[ -d "$top/$dir" ] || continue
		(cd "$top" && find "$dir" -path kernel/perfmon/module -prune -o -type f \
			! -name '.*' ! -name '*~' ! -name '*.o' -printf "%p $top/%p\n")
	done | sort
	echo "include/linux/perfmon_features.h $top/patches/$1/perfmon_features.h"
}

# The hooks for this kernel version, in the order of the series.
patch_files()
{
	[ -e "$top/patches/$1/series" ] || return 0
	sed -n "s@^[^#[:space:]].*@$top/patches/$1/&@p" "$top/patches/$1/series"
}

# The files that the hooks change.
patched_files()
{
	local patch

	patch_files "$1" | while read -r patch; do
		sed -n 's@^\(---\|+++\) [ab]/\([^[:space:]]*\).*@\2@p' "$patch"
	done | sort -u
}

# tree_fingerprint VERSION: all inputs of a tree with the overlay, as one hash.
tree_fingerprint()
{
	{
		dpkg-query -W -f='${Version}\n' "linux-source-${1#stock-}" 2>/dev/null || true
		overlay_files "$1" | while read -r path ours; do
			echo "$path"
			cat "$ours"
		done
		patch_files "$1" | xargs -r cat
		cat "$top/tools/vm/source"
	} | sha256sum | cut -d' ' -f1
}
