#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A newcomer's steps, from "On your own machine" in Documentation/install.md: a new Debian 12 with
# nothing but its own packages and ours, DKMS's build in it, and Debian's kernel, in a guest. The
# output is in build/newcomer.txt.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work" "$root"' EXIT
root=$top/build/newcomer
transcript=$top/build/newcomer.txt

# Run a command in the new system, with mounts that end with the command.
in_root()
{
	# shellcheck disable=SC2016 # expanded by that shell
	unshare --mount sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
			chroot "$0" "$@"' "$root" "$@"
}

# Debian's archives, from this machine's own list: address, release.
archives()
{
	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(CODENAME) $(ORIGIN)' 'Created-By: Packages' |
		awk '$3 ~ /^bookworm/ && $4 == "Debian" { print $1, $2 }' | sort -u
}

new_debian()
{
	rm -rf "$root"
	debootstrap --variant=minbase bookworm "$root" "$(archives | awk '$2 == "bookworm" { print $1 }')" &&
		archives | sed 's/.*/deb & main/' >"$root/etc/apt/sources.list" &&
		in_root apt-get -q update &&
		in_root apt-get -q -y install man-db sudo kmod procps
}

# The command of that document, for the guest's kernel in place of the running one.
install()
{
	mkdir "$root/root/deb" &&
		cp "$top"/build/deb/{perfmon2-dkms,libperfmon0,pfmon}_*.deb "$root/root/deb/" &&
		in_root sh -c "apt-get -q -y install dkms linux-headers-$release /root/deb/*.deb"
}

# The user's input in the guest.
session()
{
	cat <<-'TEXT'
	modprobe perfmon
	pfmon test
	pfmon stat ls /
	pfmon record -o /tmp/recording -- python3 -c 'print(sum(i * i for i in range(300000)))'
	pfmon report -i /tmp/recording | head -n 16
	rmmod perfmon
	apt-get -q -y purge perfmon2-dkms pfmon
	ls /usr/src
	TEXT
}

# Each line after a prompt, as on a terminal.
play()
{
	cat <<-TEXT
	mount -t proc proc "$root/proc"
	mount -t sysfs sysfs "$root/sys"
	mount --bind /dev "$root/dev"
	mount -t tmpfs tmpfs "$root/tmp"
	chroot "$root" /bin/bash -c 'export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8
	while IFS= read -r line; do echo "# \$line"; eval "\$line" </dev/null 2>&1; echo "[\$?]"; done'
	TEXT
}

in_guest()
{
	session >"$work/session"
	play >"$work/play"
	PERFMON_VM_CONSOLE=$work/console "$top/tools/vm/run" --kernel debian --no-module --mem 3072 \
		--timeout 1200 -- sh -c ". '$work/play' <'$work/session'" >"$transcript" 2>&1
}

"$top/tools/build/need" debootstrap
"$top/tools/vm/distribution" debian >&2 || exit 1
release=$(cat "$top/build/kernel-debian/release")
make -s -C "$top" deb >"$work/deb" 2>&1
plan 7
new_debian >"$work/new" 2>&1
verdict there_is_a_new_debian $? "$(tail -n 20 "$work/new")"
in_root apt-get -q -y install python3-minimal >>"$work/new" 2>&1
install >"$work/install" 2>&1
verdict the_packages_install $? "$(tail -n 30 "$work/install")"
passes dkms_built_the_module_there test -e "$root/lib/modules/$release/updates/dkms/perfmon.ko"
in_guest
is every_command_succeeds "$(grep -cx '\[0\]' "$transcript") $(grep -x '\[[^0].*\]' "$transcript")" '8 '
passes pfmon_test_finds_all_right grep -qx '10 right, 0 off, 0 broken, 0 not here' "$transcript"
passes the_profile_names_the_interpreter grep -q 'python3' "$transcript"
passes the_guest_has_no_complaints "$top/tools/vm/complaints" "$work/console"
finish
