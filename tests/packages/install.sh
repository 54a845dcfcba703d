#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make install installs the files for users and programmers below PREFIX, and make uninstall removes
# these files, and nothing else.
# shellcheck disable=SC2317 # passes calls functions by name
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
prefix=$root/opt
library=$prefix/lib/libperfmon.so.0

installs()
{
	make -s -C "$top" "$1" DESTDIR="$root" PREFIX=/opt "${@:2}"
}

# The package's flags for files below PREFIX, without DESTDIR.
flags()
{
	PKG_CONFIG_PATH=$prefix/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root pkg-config "$@" libperfmon
}

# A program that includes the library's header and calls it, compiled with pkg-config's flags.
compiles()
{
	cat >"$root/program.c" <<-'END'
		#include <perfmon_lib.h>

		int main(void)
		{
			return !perfmon_command_name(PFM_START);
		}
	END
	# shellcheck disable=SC2046 # words
	gcc -o "$root/program" "$root/program.c" $(flags --cflags --libs) &&
		LD_LIBRARY_PATH=$prefix/lib "$root/program"
}

# The functions that the headers declare, without the functions that they define.
declared()
{
	grep -ohE '\b(perfmonctl|perfmon_[a-z0-9_]+)\(' "$top"/tools/lib/perfmon_{lib,events,regions}.h |
		tr -d '(' | grep -vxE 'perfmon_bv_(set|clear|test|for_each)' | sort -u | paste -sd' '
}

exported()
{
	nm -D --defined-only "$library" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' |
		sort -u | paste -sd' '
}

without_a_build()
{
	mkdir -p "$root/empty/tools/build" "$root/empty/packaging"
	cp "$top/tools/build/install" "$root/empty/tools/build/"
	DESTDIR=$root/nothing "$root/empty/tools/build/install"
}

"$top/tools/build/need" pkgconf gcc libc6-dev make binutils
plan 10
passes it_installs installs install
is pfmon_runs_from_there "$("$prefix/bin/pfmon" --version | head -c 5)" pfmon
passes a_program_is_compiled_and_linked_by_pkg_config compiles
is it_needs_the_shared_library "$(readelf -d "$root/program" | grep -o 'libperfmon.so.0')" libperfmon.so.0
is the_library_shows_what_its_header_declares "$(exported)" "$(declared)"
is each_manual_page_is_there "$(find "$prefix/share/man" -type f -printf '%f\n' | sort | paste -sd' ')" \
	"$(find "$top/Documentation/man" -name '*.[1-8]' -printf '%f\n' | sort | paste -sd' ')"
is bash_and_zsh_find_their_completions "$(cd "$prefix/share" && find bash-completion zsh -type f | sort | paste -sd' ')" \
	"bash-completion/completions/pfmon zsh/site-functions/_pfmon"
echo mine >"$prefix/lib/other"
installs uninstall
is nothing_but_what_was_installed_goes "$(find "$root/opt" ! -type d)" "$prefix/lib/other"
is what_was_not_built_is_named \
	"$(without_a_build 2>&1)" "install: there is no build/bin/pfmon: make tools builds it"
fails and_that_is_an_error without_a_build
finish
