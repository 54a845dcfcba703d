#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# runs: host
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
	"pmu-version=5,pmu-counters=6,pmu-width=56,$full,lbr-fmt=3"
	"pmu-version=2,pmu-counters=1,pmu-fixed=0"
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
		'#'*) echo "$line" ;;
		esac
	done <"$scratch/console"
	sed -n 's/^ok [0-9]* - //p' "$scratch/console" >>"$scratch/passed"
	# isa-debug-exit makes 1 of 0.
	if [ "$status" -eq 1 ] && [ "$seen" = "${planned:-0}" ] && [ "$seen" -gt 0 ]; then
		report "all_tests_ran ($model)" ok
	else
		report "all_tests_ran ($model)" no "QEMU's status was $status" \
			"$seen of ${planned:-an unknown number of} tests ran" "$(cat "$scratch/qemu")"
	fi
}

"$top/tools/qemu/build" || exit 1
: >"$scratch/elsewhere"
: >"$scratch/passed"
for model in "${models[@]}"; do
	run_model "$model"
done

# A test that applies to none of the models would never fail.
missing=$(sort -u "$scratch/elsewhere" | grep -vxFf "$scratch/passed")
is every_test_applies_to_some_model "$missing" ''
finish
