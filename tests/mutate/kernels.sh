# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $top, $work, $tree and $images come from the caller
#
# The kernels with the changes; sourced by run. $work/changes has the drawn changes, with their
# numbers, in the form of schemata.awk; $work/together has those that one kernel can contain side by
# side.

log=$tree/build/kernel-6.1/plain/build.log

# The copy equals the checkout, with a parameter that chooses the change; a build of an earlier run
# serves this one.
copy_tree()
{
	local directory

	mkdir -p "$tree/build"
	rm -rf "$tree"/{include,kernel,arch,formats,patches,tools,Documentation} "$images"
	cp -a include kernel arch formats patches tools Documentation "$tree" || exit 1
	ln -sfn "$top/build/qemu" "$tree/build/qemu"
	mkdir "$images"
	: >"$work/changes"
	: >"$work/together"
	# The checkers of locks, contexts, leaks and indices find changes that tests cannot; so does
	# slub_debug in the guest's command line. gcov counts the lines that a program executes.
	cat tools/vm/config/checked.config - >>"$tree/tools/vm/config/x86_64.config" <<-'TEXT'
		CONFIG_PREEMPT=y
		CONFIG_DEBUG_KMEMLEAK=y
		CONFIG_DEBUG_KMEMLEAK_MEM_POOL_SIZE=16000
		# CONFIG_DEBUG_KMEMLEAK_AUTO_SCAN is not set
		CONFIG_UBSAN=y
		CONFIG_UBSAN_BOUNDS=y
		CONFIG_UBSAN_SHIFT=y
		# CONFIG_UBSAN_SANITIZE_ALL is not set
		CONFIG_GCOV_KERNEL=y
		# CONFIG_GCOV_PROFILE_ALL is not set
	TEXT
	for directory in kernel/perfmon arch/x86/perfmon formats; do
		printf '%s := y\n' GCOV_PROFILE UBSAN_SANITIZE >>"$tree/$directory/Makefile"
	done
	echo "obj-y += mutant.o" >>"$tree/kernel/perfmon/Makefile"
	cat >"$tree/kernel/perfmon/mutant.c" <<-'TEXT'
		// SPDX-License-Identifier: GPL-2.0
		#include <linux/cache.h>
		#include <linux/export.h>
		#include <linux/moduleparam.h>
		extern int pfm_mutant;
		int pfm_mutant __read_mostly;
		EXPORT_SYMBOL_GPL(pfm_mutant);
		core_param(pfm_mutant, pfm_mutant, int, 0644);
	TEXT
}

# The log must have all errors of the compiler.
build()
{
	GNUMAKEFLAGS=-k attend "$tree/tools/vm/kernel" plain >"$work/build.out" 2>&1
	[ "$status" -eq 0 ]
}

# forget NUMBER...: remove them from the kernel with many changes.
forget()
{
	printf '%s\n' "$@" | awk -F'\001' 'FILENAME == ARGV[1] { gone[$1] = 1; next } !($1 in gone)' \
		- "$work/together" >"$work/together.new"
	mv "$work/together.new" "$work/together"
}

# The changes in files whose objects were not built, even if no message names a change; if there are
# none, all.
suspects()
{
	sed -n 's/^make.*\*\*\* \[[^ ]* \([^ ]*\)\.o\] Error.*/\1.c/p' "$log" | awk -F'\001' '
		FILENAME == ARGV[1] { file[$1] = 1; next }
		{ all[NR] = $1 } $2 in file { print $1; found = 1 }
		END { if (!found) for (i in all) print all[i] }' - "$work/together"
}

# A kernel with all changes within functions. The changes in $refused do not build; those in $apart
# need a kernel each: they are outside of functions, or their file does not build, for an unknown
# reason.
refused=()
apart=()
build_together()
{
	local blamed file

	while :; do
		: >"$work/outside"
		while read -r file; do
			awk -v outside="$work/outside" -f "$here/schemata.awk" "$work/together" \
				"$file" >"$tree/$file"
		done < <(cut -d $'\001' -f 2 "$work/changes" | sort -u)
		mapfile -t blamed <"$work/outside"
		apart+=("${blamed[@]}")
		[ ${#blamed[@]} -eq 0 ] || forget "${blamed[@]}"
		! build || break
		mapfile -t blamed < <(awk -f "$here/blame.awk" "$log")
		if [ ${#blamed[@]} -gt 0 ]; then
			refused+=("${blamed[@]}")
		else
			mapfile -t blamed < <(suspects)
			[ ${#blamed[@]} -gt 0 ] || { tail -n 20 "$work/build.out" >&2; exit 1; }
			apart+=("${blamed[@]}")
		fi
		forget "${blamed[@]}"
	done
	ln -f "$tree/build/kernel-6.1/plain.image" "$images/all"
	# gcov's notes on these objects; the next builds replace them.
	for file in kernel/perfmon arch/x86/perfmon formats; do
		mkdir -p "$work/gcno/$file"
		cp "$tree/build/kernel-6.1/plain/$file"/*.gcno "$work/gcno/$file"
	done
}

# changed NUMBER: the file with this change and without any other one.
changed()
{
	awk -F'\001' -v number="$1" '
		FILENAME == ARGV[1] { if ($1 == number) { line = $3; text = $5 } next }
		{ print FNR == line ? text : $0 }' "$work/changes" "$2"
}

# build_apart NUMBER FILE: a kernel with this change.
build_apart()
{
	local built=1

	cp "$tree/$2" "$work/before"
	changed "$1" "$2" >"$tree/$2"
	! build || { built=0; ln -f "$tree/build/kernel-6.1/plain.image" "$images/$1"; }
	cp "$work/before" "$tree/$2"
	return $built
}
