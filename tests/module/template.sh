#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The sampling format to start from: the commands of Documentation/writing-a-format.md, one by one,
# on the kernel with patches and on Debian's own.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=400
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")

# The page's commands: copy and build the module, build the tool, show the result.
steps()
{
	local number=$1

	awk -v number="$number" '
		/^ *```$/ { on = 0 }
		on { sub(/^ */, ""); print }
		/^ *```sh$/ { on = ++n == number }
	' "$top/Documentation/writing-a-format.md"
}

# follow KERNEL KDIR [PERFMON_DIR]: run them in a guest with that kernel. Leaves: out, samples
follow()
{
	local kernel=$1

	export KDIR=$2 PERFMON_DIR=${3-}
	ln -s "$top/formats" formats
	PREFIX=$PWD/root "$top/tools/build/install" >/dev/null
	export PKG_CONFIG_PATH=$PWD/root/lib/pkgconfig LD_LIBRARY_PATH=$PWD/root/lib
	{ steps 1; steps 2; } >build
	is "commands to build" "$(wc -l <build)" 4
	bash -e build >log 2>&1 || fail "$(tail -n 20 log)"
	steps 3 >look
	is "commands to look" "$(wc -l <look)" 5
	# The guest sees the host's files, and may write to one directory.
	sed -i "s,>samples,>$PWD/rw/samples,; s,^tail.*,," look
	mkdir rw
	(cd my-format && "$top/tools/vm/run" --kernel "$kernel" --rw "$PWD/../rw" -- \
		bash -ex ../look) >out 2>err || fail "$(cat out err)"
	tail -n 17 rw/samples | tr -d '\0' >shown
	is "the format" "$(cat out)" a5f45c86-b50c-4a7e-907b-45d60b0a273e
	has "number of samples" "$(head -n 1 shown)" '[0-9]{4,} samples, the last ones:$'
	is "addresses" "$(grep -cxE '0x[0-9a-f]{8,12}' shown)" 16
}

test_the_page_works_with_patches()
{
	"$top/tools/vm/kernel" plain >&2
	follow 6.1 "$top/build/kernel-6.1/plain"
}

test_the_page_works_on_debians_kernel()
{
	local release

	"$top/tools/vm/distribution" debian >&2
	release=$(basename "$top"/build/kernel-debian/modules/lib/modules/*)
	follow debian "/lib/modules/$release/build" "$top/build/kernel-debian/module"
}

run_tests "$@"
