#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The Debian packages: their contents, and, in a guest with Debian's own kernel, their installation
# by dpkg, and counts by pfmon through the module that DKMS built.
# shellcheck disable=SC2317 # passes calls functions by name
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
deb=$top/build/deb

contents()
{
	dpkg-deb -c "$deb/$1"_*.deb | awk '$1 !~ /^d/ { print $6 }'
}

# holds PACKAGE PATH...: it has exactly these files, besides the package's documents
holds()
{
	local package=$1
	shift

	is "${package//-/_}_has_its_files" "$(contents "$package" | grep -v /usr/share/doc/ |
		grep -vE '/man[0-9]/|/usr/src/perfmon2-[^/]*/(arch|formats|include|kernel)/' |
		sort | paste -sd' ')" "$*"
}

# Built by DKMS itself, in trees of its own.
dkms_builds()
{
	local options=(--dkmstree "$work/dkms" --sourcetree "$work/source/usr/src" -m perfmon2 -v "$version")

	mkdir "$work/dkms"
	dpkg-deb -x "$deb"/perfmon2-dkms_*.deb "$work/source" &&
		dkms add "${options[@]}" &&
		dkms build "${options[@]}" -k "$release" --kernelsourcedir "/usr/src/linux-headers-$release" &&
		cp "$work/dkms/perfmon2/$version/$release/x86_64/module/perfmon.ko"* "$deb/"
}

guest()
{
	PERFMON_VM_CONSOLE=$work/console "$top/tools/vm/run" --kernel debian --no-module --mem 4096 \
		--timeout 800 -- "$here/guest" "$deb" "$deb"/perfmon.ko* >"$work/out" 2>&1
}

"$top/tools/vm/distribution" debian >&2 || exit 1
release=$(cat "$top/build/kernel-debian/release")
"$top/tools/build/need" dkms lintian "linux-headers-$release"
plan 10
passes the_packages_are_built make -s -C "$top" deb
is lintian_finds_no_error "$(lintian --allow-root "$deb"/*.deb 2>&1 | grep '^E:')" ''
version=$(dpkg-deb -f "$deb"/pfmon_*.deb Version)
libraries=./usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
holds pfmon ./usr/bin/pfmon ./usr/share/bash-completion/completions/pfmon \
	./usr/share/pfmon/metrics/{branches,caches,ipc,tlb,topdown}.txt \
	./usr/share/zsh/vendor-completions/_pfmon
holds libperfmon0 "$libraries/libperfmon.so.0"
holds libperfmon-dev ./usr/include/perfmon2/perfmon{,_branch_smpl,_compact_smpl,_default_smpl,_events,_hist_smpl,_ibs_smpl,_ita,_lib,_regions,_ring_smpl,_soft,_stack_smpl}.h \
	"$libraries"/{libperfmon.a,libperfmon.so,pkgconfig/libperfmon.pc}
holds perfmon2-dkms ./lib/udev/rules.d/60-perfmon2-dkms.rules \
	"./usr/src/perfmon2-$version"/{Kbuild,dkms.conf,features}
passes dkms_builds_the_module dkms_builds
passes they_are_installed_count_and_go_again guest
is nothing_loads_the_module_by_itself "$(grep -c '^loaded by itself' "$work/out")" 0
passes the_guest_has_no_complaints "$top/tools/vm/complaints" "$work/console"
finish
