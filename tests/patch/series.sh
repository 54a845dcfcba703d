#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# shellcheck disable=SC2317
#
# The patches of `make patch`, for each kernel, apply to unchanged files and result in exactly the
# tree that the guest's kernel is built from: so it builds.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
work=$top/build/patch-test
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost

# changes old|new: the files that the series starts from, or results in.
changes()
{
	local mark='--- a/'

	[ "$1" = old ] || mark='+++ b/'
	sed -n "s@^$mark@@p" "${patches[@]}" | sort -u
}

# The files of a pristine tree that the series changes: `git am` needs only these.
pristine()
{
	rm -rf "$work"
	mkdir -p "$work"
	changes old | sed "s@^@${tree##*/}/@" >"$work/old"
	tar -C "$work" -T "$work/old" -xf "/usr/src/${tree##*/}.tar.xz" || return 1
	git init -q -b series "$tree" && git -C "$tree" add -f . &&
		git -C "$tree" commit -q --author='test <test@localhost>' -m pristine
}

# The guest's kernel differs from the package in the files of its manifest: the series creates all
# of them, and with the same contents.
same_tree()
{
	local file

	diff <(changes new) "$base/manifest" || return 1
	while read -r file; do
		cmp "$tree/$file" "$base/src/$file" || return 1
	done <"$base/manifest"
}

# Another build, real or simulated, has the tree's lock.
beside_a_build()
{
	(
		flock -n 9
		timeout "$((60 * ${PERFMON_PATIENCE:-1}))" "$top/tools/vm/kernel" --kernel "$version" source
	) 9>>"$base/lock"
}

# The guest's kernel is up to date, and perfmon is in it.
whole_kernel()
{
	local flavour=plain

	[ "$version" = 6.1 ] || flavour=debug
	"$top/tools/vm/kernel" --kernel "$version" "$flavour" &&
		grep -q ' T __x64_sys_perfmonctl$' "$base/$flavour/System.map"
}

plan 12
for version in 6.1 6.12; do
	base=$top/build/kernel-$version
	tree=$work/linux-source-$version
	passes "make_patch_writes_the_series_for_$version" "$top/tools/build/patch" "$version"
	passes "a_tree_of_${version}_that_is_up_to_date_waits_for_no_build" beside_a_build
	patches=("$top/build/patch/$version"/*.patch)
	passes "there_are_pristine_files_of_${version}_to_apply_it_to" pristine
	passes "each_patch_applies_with_git_am_to_$version" git -C "$tree" am -q "${patches[@]}"
	passes "the_result_is_the_tree_that_the_guests_${version}_is_built_from" same_tree
	passes "the_whole_${version}_builds_from_the_same_tree" whole_kernel
done
rm -rf "$work"
finish
