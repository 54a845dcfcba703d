#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bare.sh - run the bare-metal tests of the emulated PMU (bare/) on several models of it.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
qemu=$top/build/qemu/qemu-system-x86_64
image=$top/build/bin/tests/pmu/bare.elf
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

full=pdcm=on,full-width-write=on
models=(
	default
	pmu-version=1
	"pmu-version=2,pmu-counters=8,pmu-width=40"
	"pmu-version=3,$full,lbr-fmt=3"
	"pmu-version=4,pmu-width=32,$full"
	"pmu-version=4,$full,lbr-fmt=5"
	"pmu-version=5,pmu-counters=6,pmu-width=56,$full,lbr-fmt=3"
	"pmu-version=2,pmu-counters=1,pmu-fixed=0"
	pmu-hybrid=on
	"pmu-hybrid=on,pmu-atom-cpus=1,pmu-atom-fixed=1,pmu-atom-width=40"
)

boot()
{
	local options=

	[ "$1" = default ] || options=,$1
	timeout "$((60 * ${PERFMON_PATIENCE:-1}))" "$qemu" -L "$top/build/qemu/share" -nodefaults -no-user-config -display none \
		-no-reboot -machine pc,accel=tcg,hpet=off -cpu "Nehalem,pmu=on$options" -m 64 \
		-icount shift=0 -kernel "$image" -chardev "file,id=console,path=$scratch/console" \
		-device isa-debugcon,iobase=0xe9,chardev=console \
		-device isa-debug-exit,iobase=0xf4 >"$scratch/qemu" 2>&1 </dev/null
}

measurements()
{
	sed -n 's/^# measured //p' "$scratch/console" | paste -sd' '
}

# The results of an ideal PMU in bare/unkind.c.
kind='delay=0 two_overflows=2 interrupts=7 strays=0 added=0 stolen=0'
kind+=' fourth=1 fourth_aborting=1 another=1 another_reset=1'

run_model()
{
	local model=$1 status planned seen=0 line

	: >"$scratch/console"
	boot "$model"
	status=$?
	planned=$(sed -n '1s/^1\.\.//p' "$scratch/console")
	while IFS= read -r line; do
		case $line in
		'ok '*) seen=$((seen + 1)); report "${line#* - } ($model)" ok ;;
		'not ok '*) seen=$((seen + 1)); report "${line#* - } ($model)" no ;;
		'# elsewhere: '*) echo "${line#*: }" >>"$scratch/elsewhere" ;;
		'# measured '*) ;;
		'#'*) echo "$line" ;;
		esac
	done <"$scratch/console"
	sed -n 's/^ok [0-9]* - //p' "$scratch/console" >>"$scratch/passed"
	# isa-debug-exit turns 1 into this.
	if [ "$status" -eq 1 ] && [ "$seen" = "${planned:-0}" ] && [ "$seen" -gt 0 ]; then
		report "all_tests_ran ($model)" ok
	else
		report "all_tests_ran ($model)" no "QEMU's status was $status" \
			"$seen of ${planned:-an unknown number of} tests ran" "$(cat "$scratch/qemu")"
	fi
	[ -z "$(measurements)" ] || is "it_is_ideal ($model)" "$(measurements)" "$kind"
}

# Exactly these tests fail with a switch that makes the PMU unkind.
unkind()
{
	local switch=$1

	shift
	: >"$scratch/console"
	boot "$switch"
	is "only_what_it_is_for_fails ($switch)" \
		"$(sed -n 's/^not ok [0-9]* - //p' "$scratch/console" | paste -sd' ')" "$*"
}

# Its only differences from an ideal PMU: measured NAME=VALUE...
measured()
{
	local switch=$1 expected=$kind each

	shift
	for each; do
		expected=$(sed -E "s/\<${each%%=*}=[0-9]+/$each/" <<<"$expected")
	done
	: >"$scratch/console"
	boot "$switch"
	is "it_differs_as_it_is_to ($switch)" "$(measurements)" "$expected"
}

"$top/tools/qemu/build" || exit 1
: >"$scratch/elsewhere"
: >"$scratch/passed"
for model in "${models[@]}"; do
	run_model "$model"
done

# The last test finds the interrupt of the test before, which ends before the interrupt is taken.
unkind pmu-lvtpc-mask=off delivery_masks_the_lvt_entry \
	fixed_delivery_waits_for_the_interrupt_flag fixed_delivery_is_as_exact

measured pmu-pmi-delay=3 delay=3 interrupts=6
measured pmu-pmi-delay=20 delay=20 two_overflows=1 interrupts=6
measured pmu-stray-pmi=3 two_overflows=3 interrupts=9 strays=2
measured pmu-second-owner=on stolen=1
measured pmu-overcount=on added=7
measured pmu-tsx-force-abort=on fourth=0
measured pmu-nehalem-erratum=on delay=999 two_overflows=0 interrupts=0 fourth=0 \
	fourth_aborting=0 another=0

# A test that applies to none of the models would never fail.
missing=$(sort -u "$scratch/elsewhere" | grep -vxFf "$scratch/passed")
is every_test_applies_to_some_model "$missing" ''
finish
