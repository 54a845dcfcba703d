#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# branches.sh - last branch records, on the processors that have them: what perfmon finds, and stock
# perf, which was not written for this emulation. perfmon's own tests have lanes; here they pass once
# more after themselves.
# shellcheck disable=SC2317 # section calls functions by name
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
bin=$top/build/bin/tests/pmu
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$here/../sections.sh"
# shellcheck source-path=SCRIPTDIR/.. source=unthrottled.sh
. "$here/../unthrottled.sh"

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

few=60 period=37

register_names()
{
	cat /sys/kernel/perfmon/pmu/pm{c22,c23,c24,d32,d47,d48,d63}/name 2>/dev/null | paste -sd' '
}

perf_stacks()
{
	perf record -q -b -e branches:u -c "$period" -o /dev/shm/data -- "$bin/yardstick" "$few"
	perf script -i /dev/shm/data -F ip,brstack 2>&1
}

in_guest()
{
	section model cat /sys/kernel/perfmon/pmu/model
	section registers register_names
	# Tests run as another user, and the watchdog would not pause for that user's load.
	echo any >/sys/kernel/perfmon/limits/watchdog_pause
	section first "$bin/lbr" 2>&1
	section second "$bin/lbr" 2>&1
	no_throttle
	section perf perf_stacks
	section steps "$bin/steps" "$bin/yardstick" "$few"
	section end true
}

# part NAME: the guest's output in this section
part()
{
	section_text "$1" "$scratch/out"
}

# guest MODEL: its output is in $scratch/out, the registers' names are in $names, and $tests is the
# number of perfmon's own tests that run there.
guest()
{
	local status

	PERFMON_VM_CONSOLE=$scratch/console "$top/tools/vm/run" --timeout 600 --smp 2 \
		--cpu "$1" -- "$0" --in-guest >"$scratch/out" 2>"$scratch/err"
	status=$?
	on_machine "$(part model)" 'emulated hardware' 6.1
	is "the_guest_runs_to_its_end ($1)" "$status $(tail -n 1 "$scratch/out")" "0 @@end end 0"
	is "the_registers_are_found ($1)" "$(part registers)" \
		"$names LASTBRANCH_0_FROM_IP LASTBRANCH_15_FROM_IP LASTBRANCH_0_TO_IP LASTBRANCH_15_TO_IP"
	is "all_tests_pass_the_second_time ($1)" \
		"$(part second | grep '^ok' | grep -cv '# SKIP')$(part second | grep -A 5 '^not ok')" "$tests"
	passes "the_kernel_does_not_complain ($1)" "$top/tools/vm/complaints" "$scratch/console"
}

# From the program's steps and its disassembly: the address after each period of branches, and the
# branches taken until then, the latest one first. The branch of a system call ends in the kernel.
expected_stacks()
{
	objdump -d "$bin/yardstick" | awk -F'\t' 'NF > 1 {
		sub(/:.*/, "", $1); gsub(/ /, "", $1)
		if (branch) print branch, $1, call
		branch = ""
		if ($3 ~ /^(bnd )?(j|call|ret|loop|syscall)/) { branch = $1; call = $3 ~ /^syscall/ }
	}' >"$scratch/branches"
	part steps | awk -v period=$period '
		FILENAME != "-" { next_to[$1] = $2; call[$1] = $3; next }
		from != "" && $1 != next_to[from] && !call[from] { taken[++n] = "0x" from "/0x" $1 }
		due { print $1 stack(); due = 0 }
		{ from = "" }
		$1 in next_to { from = $1; if (++count % period == 0) due = 1 }
		function stack(i, s) {
			for (i = n; i > n - 16 && i > 0; i--)
				s = s " " taken[i]
			return s
		}' "$scratch/branches" -
}

# check_perf MODEL FLAGS: stock perf's output in the guest is right, with these flags behind each
# branch.
check_perf()
{
	expected_stacks >"$scratch/expected"
	part perf | sed "s,$2,,g; s/  */ /g; s/^ //; s/ \$//" | grep . >"$scratch/got"
	is "perf_takes_as_many_samples ($1)" "$(wc -l <"$scratch/got")" "$(wc -l <"$scratch/expected")"
	# Returns from page faults take records, which perf does not show: then it shows fewer
	# branches.
	awk 'NR == FNR { want[NR] = $0; next }
		index(want[FNR] " ", $0 " ") != 1 { print "sample " FNR ": " $0 "\nwanted: " want[FNR]; bad = 1 }
		END { exit bad || !FNR }' "$scratch/expected" "$scratch/got" >"$scratch/diff"
	passes "perf_shows_the_branches_that_were_taken ($1)" \
		sh -c "cat $scratch/diff; ! test -s $scratch/diff"
	has "most_of_perfs_samples_have_all_16 ($1)" \
		"$(awk 'NF == 17 { n++ } END { print (2 * n > NR) ? "most" : n " of " NR }' "$scratch/got")" most
	has "the_steps_have_branches ($1)" \
		"$(wc -l <"$scratch/branches") $(part steps | wc -l)" '^[1-9][0-9]+ [1-9][0-9]{3}'
}

if [ "${1-}" = --in-guest ]; then
	in_guest
	exit
fi
"$top/tools/build/need" binutils linux-perf || exit 1
plan 20
names='MSR_LBR_SELECT IA32_DEBUGCTL' tests=11
guest Nehalem,pdcm=on,lbr-fmt=3,pmu-version=4
guest Nehalem,pdcm=on,lbr-fmt=3
check_perf Nehalem '/P/-/-/[0-9]*/'
# One of the tests is about the other bits of IA32_DEBUGCTL.
names=IA32_LBR_CTL tests=10
# QEMU reads the stack of a far return of user level with the kernel's rights: SMAP forbids it.
guest Icelake-Server,model=143,smap=off,pmu-version=5,arch-lbr=on
check_perf "Sapphire Rapids" '/P/-/-/[0-9]*/[A-Z_]*'
finish
