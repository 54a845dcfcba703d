#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# An idle guest's time goes on, whatever QEMU's main thread is doing as the processors become idle.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

"$top/tools/build/need" python3 || exit 1
"$top/tools/qemu/build" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
rounds=40

cat >"$scratch/qemu" <<END
#!/bin/sh
LD_PRELOAD=$top/build/bin/tests/vm/late_lock.so LATE_LOCK=$scratch/late \\
	exec $top/build/qemu/qemu-system-x86_64 "\$@" -L $top/build/qemu/share \\
	-name guest,debug-threads=on -qmp unix:$scratch/monitor,server=on,wait=off
END
chmod +x "$scratch/qemu"
export PERFMON_VM_QEMU=$scratch/qemu

cat >"$scratch/naps" <<'END'
$| = 1;
for (1 .. shift) {
	print "a\n";
	for my $i (1 .. 60000) { }
	print "b\n";
	select(undef, undef, undef, 0.3);
}
END

# becomes_idle CPUS: what goes wrong
becomes_idle()
{
	rm -f "$scratch/monitor" "$scratch/late"
	"$here/idle.py" "$scratch" "$rounds" "$top/tools/vm/run" --smp "$1" --timeout 300 -- \
		perl "$scratch/naps" "$rounds" 2>&1
}

plan 2
is one_processor_wakes_up "$(becomes_idle 1)" ''
is two_processors_wake_up "$(becomes_idle 2)" ''
finish
