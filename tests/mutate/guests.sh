# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $top and $work come from the caller
#
# The tests for a file, their guests, and their order; sourced by run. $work/killers has the tests
# that noticed changes of a file, of earlier runs as well; $work/seconds has the time that a test
# takes in a guest.

# The guests that can see a file, one a line: options of tools/vm/run | tests, of which "abi" is all
# of tests/abi that a guest can run, and kunit the kernel's own; "alone TEST" is a program that is
# the guest's only command. The fuzzer comes last: no test may check for the faults that it finds
# after a round (a remaining session, memory, a CPU that does not count). After it comes the search
# for leaks.
guests_of()
{
	local -r few="abi/getinfo abi/pmcs abi/pmds abi/counting abi/width abi/notify"
	local samples="abi/branch abi/buffer abi/buffer_pmds abi/chains abi/compact abi/format_handler"
	samples+=" abi/format_restart abi/formats abi/hist abi/ledgers abi/restart abi/ring"
	samples+=" abi/ring_readers abi/sampling abi/sampling_buffer abi/stack abi/throttle"

	case $1 in
	arch/x86/perfmon/p[46]*)
		echo "|kunit $few" ;;
	arch/x86/perfmon/amd_ibs*)
		echo "--cpu EPYC|kunit pmu/ibs_amd $few" ;;
	formats/ibs*)
		echo "--smp 2 --cpu EPYC|kunit abi/ibs" ;;
	formats/*)
		echo "--smp 2 --cpu Nehalem,pdcm=on,lbr-fmt=3|kunit $samples fuzz/fuzz mutate/leaks" ;;
	arch/x86/perfmon/amd*)
		echo "--smp 2 --cpu EPYC|kunit pmu/devmsr_amd $few abi/exact abi/sampling"
		echo "--smp 2 --cpu EPYC-Milan,pmu-perfmon-v2=on|$few abi/system_smp abi/exclusion"
		echo "--smp 2 --cpu phenom|$few" ;;
	arch/x86/perfmon/intel_lbr*)
		echo "--smp 2 --cpu Nehalem,pdcm=on,lbr-fmt=3|kunit pmu/lbr $few"
		echo "--smp 2 --cpu Nehalem,pdcm=on,lbr-fmt=3,pmu-version=4|pmu/lbr"
		echo "--smp 2 --cpu Icelake-Server,model=143,smap=off,pmu-version=5,arch-lbr=on|pmu/lbr $few" ;;
	arch/x86/perfmon/intel_hybrid*)
		echo "--smp 2|kunit $few"
		echo "--smp 2 --cpu Nehalem,model=151,pmu-version=5,pmu-hybrid=on,pmu-counters=6,pmu-atom-counters=4|$few" ;;
	arch/x86/perfmon/perfmon.c)
		echo "--smp 2|kunit $few abi/system_smp abi/exclusion"
		echo "--smp 2 --append nmi_watchdog=0|abi/counting"
		echo "--smp 2 --cpu EPYC|$few"
		echo "--smp 2|alone abi/suspend" ;;
	arch/x86/perfmon/*)
		echo "--smp 2|kunit $few abi/exact abi/exclusion abi/system_smp abi/switching abi/switching_triggers abi/switching_restart"
		echo "--cpu Nehalem,model=14,pmu-version=1|abi/getinfo abi/pmcs abi/pmds"
		echo "--smp 2 --cpu Nehalem,hypervisor=off|$few"
		echo "--cpu Nehalem,pmu-version=2,pmu-width=40|$few"
		echo "--cpu Nehalem,pmu-version=4,pmu-counters=8,pdcm=on,full-width-write=on|$few"
		echo "--smp 2 --cpu EPYC|$few" ;;
	kernel/perfmon/soft*)
		echo "--append perfmon.pmu=soft --smp 2|kunit abi/soft abi/soft_sampling abi/counting abi/notify abi/sampling abi/system_sets" ;;
	kernel/perfmon/hotplug*)
		echo "--smp 2|kunit abi/hotplug abi/system abi/system_smp"
		echo "--smp 2|alone abi/suspend" ;;
	kernel/perfmon/run.c)
		echo "--smp 2|kunit abi fuzz/fuzz mutate/leaks"
		echo "--smp 2|alone abi/suspend" ;;
	*)
		echo "--smp 2 --cpu Nehalem,pdcm=on,lbr-fmt=3|kunit abi fuzz/fuzz mutate/leaks"
		echo "--smp 2 --cpu EPYC|abi/idle"
		echo "--append perfmon.pmu=soft --smp 2|abi/soft abi/soft_sampling"
		echo "--cpu Nehalem,pdcm=on,lbr-fmt=3|pmu/lbr" ;;
	esac
}

# All programs of tests/abi in lane plain, the quickest first.
abi_tests()
{
	awk -v lanes=plain -f tests/plan.awk <(printf '%s\n' tests/abi/*.c |
		sed 's,^tests/\(.*\)\.c$,\1 &,') tests/lanes |
		cut -d' ' -f 2 | grep -vxE "abi/(compat32|regressions|lifetime)" |
		awk 'FILENAME == ARGV[1] { seconds[$1] = $2; next } { print seconds[$1] + 0, $1 }' \
			"$work/seconds" - | sort -k 1,1n -k 2 | cut -d' ' -f 2
}

# order FILE TEST...: the tests that noticed a change of the file, the latest first; the tests with
# its name, or the first word of that; the others.
order()
{
	local file=$1 name stem
	stem=$(basename "${file%.*}")
	shift

	for name; do
		case $name in
		kunit) ;;
		abi) abi_tests ;;
		*) echo "$name" ;;
		esac
	done >"$place/tests"
	{
		tac "$work/killers" | sed -n "s,^$file ,,p" | grep -vxF mutate/leaks
		grep -E "/(.*_)?($stem|${stem%%_*})(_|\$)" "$place/tests"
		cat "$place/tests"
	} | awk 'FILENAME == ARGV[1] { there[$1] = 1; next } ($1 in there) && !seen[$1]++' "$place/tests" -
}

# write_list FILE TEST...: for the part in the guest: seconds, name, path. The limit is five times
# the time of the test: the guest's clock depends on the instructions that it executes.
write_list()
{
	order "$@" | awk -v bin="$top/build/bin/tests" -v mutate="$here" '
		BEGIN {
			path["fuzz/fuzz"] = bin "/fuzz/fuzz -n 12 -s 1"
			path["mutate/leaks"] = mutate "/leaks"
		}
		FILENAME == ARGV[1] { seconds[$1] = $2; next }
		{
			print ($1 in seconds ? int(5 * seconds[$1]) + 20 : 300), $1,
				($1 in path ? path[$1] : bin "/" $1)
		}' "$work/seconds" -
}
