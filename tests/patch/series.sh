#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host needs=debug seconds=2400
#
# shellcheck disable=SC2317
#
# What `make patch` writes applies to a kernel tree that nobody has touched, gives the
# very tree that the guest's kernel is built from, and builds.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
version=6.1
base=$top/build/kernel-$version
work=$top/build/patch-test
src=$work/src
obj=$work/obj
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost

touched()
{
	sed -n 's@^diff --git a/\(.*\) b/.*@\1@p' "$top/build/patch/$version"/*.patch | sort -u
}

# A pristine tree; git is told only of the files that the series touches, which is
# what `git am` looks at and takes a second instead of minutes.
pristine()
{
	local file

	rm -rf "$work/saved"
	if [ -d "$src" ]; then
		mkdir "$work/saved"
		(cd "$src" && touched | xargs -r cp -p --parents -t "$work/saved" 2>/dev/null)
	fi
	rm -rf "$src" "$work/linux-source-$version"
	tar -C "$work" -xf "/usr/src/linux-source-$version.tar.xz" || return 1
	mv "$work/linux-source-$version" "$src"
	cd "$src" || return 1
	git init -q -b series
	while read -r file; do
		[ ! -e "$file" ] || git add -f "$file"
	done < <(touched)
	git commit -q --author='test <test@localhost>' -m pristine
}

# A file that is as it was after the last test keeps its time, and is not built again.
keep_times()
{
	local file

	while read -r file; do
		if cmp -s "$work/saved/$file" "$src/$file"; then
			touch -r "$work/saved/$file" "$src/$file"
		fi
	done < <(touched)
}

# Content alone: what git and the build leave behind does not count.
same_tree()
{
	diff -rq --exclude=.git "$base/src" "$src"
}

# What the series touches, as make calls it: directories that are new, files that changed.
targets()
{
	echo kernel/perfmon/ formats/ arch/x86/perfmon/
	touched | sed -n 's/\.c$/.o/p' | grep -vE '^(kernel/perfmon|formats|arch/x86/perfmon|arch/powerpc|arch/ia64)/'
}

# The whole kernel builds: the guest's was built from the very same tree. Here, all that
# the series touches is built once more, from what `git am` left.
build()
{
	mkdir -p "$obj"
	cp "$base/plain/.config" "$obj/.config"
	# shellcheck disable=SC2046 # several words
	"$top/tools/build/step" "building the patched tree" "$work/build.log" \
		env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS KBUILD_BUILD_TIMESTAMP=0 \
		make -C "$src" O="$obj" ARCH=x86_64 -j"$(nproc)" olddefconfig $(targets)
}

# The guest's kernel is up to date, and perfmon is in it.
whole_kernel()
{
	"$top/tools/vm/kernel" --kernel "$version" plain &&
		grep -q ' T __x64_sys_perfmonctl$' "$base/plain/System.map"
}

plan 6
mkdir -p "$work"
passes make_patch_writes_the_series "$top/tools/build/patch" "$version"
passes there_is_a_pristine_tree_to_apply_it_to pristine
cd "$src" || exit 1
passes each_patch_applies_with_git_am git am -q "$top/build/patch/$version"/*.patch
keep_times
passes the_result_is_the_tree_that_the_guest_is_built_from same_tree
passes what_the_series_touches_builds build
passes the_whole_kernel_builds_from_the_same_tree whole_kernel
finish
