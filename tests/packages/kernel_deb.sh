#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make kernel-deb, on the guests' configuration: its packages hold a kernel that boots and has
# the system call. Debian's own configuration takes hours.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

plan 5
rm -rf "$top/build/kernel-deb"
make -s -C "$top" kernel-deb CONFIG="$top/build/kernel-6.1/plain/.config" >"$work/out" 2>&1
verdict the_packages_are_built $? "$(tail -n 20 "$work/out")"
image=$(ls "$top"/build/kernel-deb/linux-image-*.deb)
release=$(dpkg-deb -f "$image" Package)
release=${release#linux-image-}
is it_has_headers_too "$(dpkg-deb -f "$top"/build/kernel-deb/linux-headers-*.deb Package)" "linux-headers-$release"
dpkg-deb -x "$image" "$work/image"
PERFMON_VM_KERNEL=$work/image/boot/vmlinuz-$release "$top/tools/vm/run" --timeout 120 -- \
	sh -c "uname -r; '$top/build/bin/pfmon' info | sed -n 's/.*, by //p'
		'$top/build/bin/pfmon' stat -x, -e instructions:u -- true" >"$work/counts" 2>&1
is its_kernel_boots "$(head -n 1 "$work/counts")" "$release"
is it_has_the_system_call "$(sed -n 2p "$work/counts")" "the system call perfmonctl()"
passes pfmon_counts_there grep -qE '^[1-9][0-9]*,,instructions:u' "$work/counts"
finish
