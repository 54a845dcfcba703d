#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# include/uapi/perfmon.h in every language and mode of programs.
# shellcheck disable=SC2317 # functions are called by passes and fails
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"
here=$top/tests/abi/header
warnings=(-Wall -Wextra -Werror -pedantic -pedantic-errors)
modes=(c99 c11 c17 gnu11 c++98 c++11 c++17 c++20)

# compile STANDARD FILE [FLAG...]: syntax and types only.
compile()
{
	local standard=$1 file=$2 compiler=(gcc -x c)
	shift 2

	case $standard in
	*++*) compiler=(g++ -x c++) ;;
	esac
	# The directory in which -m32 finds <asm/*>, see area.mk.
	"${compiler[@]}" "-std=$standard" "${warnings[@]}" "$@" -I "$top/include/uapi" \
		-idirafter /usr/include/x86_64-linux-gnu -fsyntax-only "$file"
}

# in_all_modes FILE [FLAG...]
in_all_modes()
{
	local standard width
	for standard in "${modes[@]}"; do
		for width in -m64 -m32; do
			compile "$standard" "$@" "$width" || {
				echo "with -std=$standard $width"
				return 1
			}
		done
	done
}

# A layout that differs from the pinned one: each member moved, or of another size.
mutant()
{
	sed "s/$1/$2/" "$top/include/uapi/perfmon.h" >"$work/perfmon.h"
	! cmp -s "$work/perfmon.h" "$top/include/uapi/perfmon.h" || return 0
	gcc -x c -std=c11 -I "$work" -I "$top/include/uapi" -fsyntax-only "$here/$3" 2>/dev/null
}

# stdc-predef.h is included by the compiler itself.
only_kernel_headers()
{
	! gcc -x c -std=c11 -I "$top/include/uapi" -M "$here/alone.c" | tr ' ' '\n' |
		grep -E '^/usr' | grep -vE '/(linux|asm|asm-generic)/|/stdc-predef.h$'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

plan 8
# covers: D.2-1
passes the_header_compiles_alone_everywhere in_all_modes "$here/alone.c"
# covers: 3.5.3-3
passes the_header_has_no_hidden_padding in_all_modes "$here/alone.c" -Wpadded
# covers: 3.1.2-39 3.1.13-19 3.1.17-15 3.3.2-1 3.3.9-1 3.5.2-1 3.5.3-3 3.6.3-13 3.6.4-11
# covers: D.2-2
passes the_layout_is_the_same_everywhere in_all_modes "$here/layout.c"
# covers: 3.1.2-39 3.1.13-12 D.2-2
passes the_numbers_and_names_are_the_same_everywhere in_all_modes "$here/names.c"
# covers: D.2-1
passes the_header_needs_the_kernels_headers_only only_kernel_headers
# covers: D.2-2
fails a_changed_layout_would_be_noticed mutant 'ctx_smpl_buf_size;' 'ctx_smpl_buf_size, more;' layout.c
# covers: D.2-2
fails a_moved_member_would_be_noticed mutant '__u16		reg_set;' '__u32		reg_set;' layout.c
# covers: D.2-2
fails a_changed_number_would_be_noticed mutant '0x18$' '0x19' names.c
finish
