#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record -e ibs_op and ibs_fetch: AMD's Instruction-Based Sampling, on the emulated processor,
# in one guest; its recordings are checked here.
set -u

here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR source=known.sh
. "$here/known.sh"

# shellcheck disable=SC2034 # for fragments.sh
man=$top/Documentation/man
# shellcheck source-path=SCRIPTDIR source=fragments.sh
. "$here/fragments.sh"

pfmon=$top/build/bin/pfmon
known=$top/build/bin/tests/pfmon/known_long_one
insns=$((40 * loops + 5))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The examples of perfmon_ibs_smpl(5): the commands, and the sampler in C.
commands perfmon_ibs_smpl.5 EXAMPLES | sed "s,\./prog,$known,; s,^pfmon,\"$pfmon\"," >"$work/page"
sampler ibs >"$work/sampler.c"
gcc -D_GNU_SOURCE -O1 -I"$top/tools/lib" -I"$top/include/uapi" -o "$work/sampler" "$work/sampler.c" \
	"$top/build/lib/libperfmon.a"

cat >"$work/inside" <<END
cd "$work" || exit
"$pfmon" record -i -e ibs_op -c 16384 -o op "$known"
"$pfmon" record -i -e ibs_op -c 3M -o long "$known"
"$pfmon" record -i -e ibs_fetch -c 20000 -o fetch "$known"
"$pfmon" record -e ibs_op -c 100 "$known"
"$pfmon" record -e ibs_op -F 100 "$known"
"$pfmon" record -e ibs_op,cycles "$known"
"$pfmon" record -e ibs_op --random 0xff "$known"
"$pfmon" record -e ibs_op --with cs "$known"
"$pfmon" record -i -e ibs_op -c 20000 --with instructions:u,branches:u -o with "$known"
"$pfmon" record -i -e ibs_op -c 16384 --format ibs -o decoded "$known"
"$pfmon" record -i -e ibs_op -c 16384 --format ibs --buffer 4K -o small "$known"
"$pfmon" record -i -e ibs_fetch -c 20000 --format ibs -o decoded_fetch "$known"
"$pfmon" record -e ibs_op --format ibs --with branches:u "$known"
"$pfmon" record -e cycles --format ibs "$known"
bash -e page >page.out
./sampler >loads
END
"$top/tools/vm/run" --timeout 200 --cpu EPYC --rw "$work" bash "$work/inside" >"$work/said" 2>&1

# fields FILE FIELDS: the fields of its samples at user level, in the program
fields()
{
	"$pfmon" script -1 -F "ip,$2" "$work/$1" | grep '^ *4[0-9a-f]* '
}

plan 25
# The unit counts the kernel's instructions as well: there may be more samples, not fewer.
passes each_sample_is_of_a_period test "$(fields op values | wc -l)" -ge $((insns / 16384 - 1))
is a_sample_stands_for_its_period "$("$pfmon" script -1 -F period "$work/op" | sort -u | tr -d ' ')" 16384
is a_long_period_is_some_of_the_hardware "$("$pfmon" script -1 -F period "$work/long" | sort -u | tr -d ' ')" 3000000
# IBS_OP_DATA3 has a bit for loads and one for stores: the first and the second of the four
# instructions in the loop, which are two bytes each.
loop=$((0x$(nm "$known" | sed -n 's/ . leave$//p') - 8))
{
	printf '%x 0x1\n%x 0x2\n' $loop $((loop + 2))
	printf '%x 0x0\n' $((loop + 4)) $((loop + 6))
} >"$work/right"
fields op values | sed -n 's/^ *\([0-9a-f]*\) .* IBS_OP_DATA3=\(0x[0-9a-f]*\) .*/\1 \2/p' |
	sort -u >"$work/places"
is the_place_is_that_of_the_instruction "$(grep -vxcFf "$work/right" "$work/places")" 0
passes of_several_instructions test "$(wc -l <"$work/places")" -ge 2
is its_address_is_among_the_values \
	"$(fields op values | awk '{ match($0, /IBS_OP_RIP=0x[0-9a-f]*/); if (substr($0, RSTART + 13, RLENGTH - 13) != $1) n++ } END { print n + 0 }')" 0
is fetches_are_sampled_as_well \
	"$(fields fetch values | awk '{ match($0, /IBS_FETCH_LINADDR=0x[0-9a-f]*/); if (substr($0, RSTART + 20, RLENGTH - 20) == $1) n++ } END { print (n >= 150) }')" 1
has the_report_names_the_program "$("$pfmon" report -x ';' "$work/op")" "^[0-9]*;[0-9.]*;ibs_op;(_start|child);$known"
has a_short_period_is_refused "$(cat "$work/said")" '^pfmon: -c 100: the shortest period of ibs_op is 16384'
has a_frequency_is_refused "$(cat "$work/said")" '^pfmon: -e ibs_op: -F adapts the period of a counter, and the unit keeps its own'
has random_periods_are_refused "$(cat "$work/said")" '^pfmon: -e ibs_op: --random is of a counter'
has counts_of_the_kernel_are_refused "$(cat "$work/said")" '^pfmon: --with cs: with samples of ibs_op come registers of its unit'
is other_events_are_refused "$(grep -c '^pfmon: -e ibs_op.*: it is sampled alone' "$work/said")" 1
# The same samples, decoded by the kernel; addresses and page sizes are not emulated.
{
	printf '%x %s 0x0\n' $loop load $((loop + 2)) store $((loop + 4)) 0
	printf '%x branch|taken 0x%x\n' $((loop + 6)) $loop
} >"$work/right"
decoded=' *\([0-9a-f]*\) .*tag_to_retire=0 .* source=0 valid=ip|\(target|\)\?retire|memory flags=\([0a-z_|]*\) ip=0x\1 target=\(0x[0-9a-f]*\) linear=0x0 physical=0x0'
for each in decoded small; do
	fields $each values | sed -n "s/^$decoded$/\1 \3 \4/p" >"$work/places"
	passes "each_sample_is_decoded ($each)" \
		test "$(wc -l <"$work/places")" -ge $((insns / 16384 - 1))
	is "fields_are_those_of_the_instruction ($each)" "$(grep -vxcFf "$work/right" "$work/places")" 0
done
passes fetches_are_decoded_as_well test "$(fields decoded_fetch values | grep -cx \
	' *\([0-9a-f]*\) .*latency=0 tlb_latency=0 page_size=0 valid=ip|linear|fetch|latency flags=complete ip=0x\1 physical=0x0')" -ge 150
has values_do_not_come_with_these "$(cat "$work/said")" '^pfmon: --with and --format ibs: its samples have the fields of ibs_op'
has other_events_are_not_decoded "$(cat "$work/said")" "^pfmon: --format ibs: it decodes samples of AMD's Instruction-Based Sampling, and of no other events"
# A branch for each four instructions of the loop, and both counted from the first instruction on.
fields with values | sed -n 's/.* instructions:u=\([0-9]*\) branches:u=\([0-9]*\) IBS_.*/\1 \2/p' >"$work/counts"
passes values_of_counters_come_with_it test "$(wc -l <"$work/counts")" -ge $((insns / 20000 - 1))
is they_are_those_of_the_moment "$(awk '
	$1 < last || $1 > '$insns' || $2 < int($1 / 4) - 2 || $2 > int($1 / 4) + 2 { bad++ }
	{ last = $1 } END { print bad + 0 }' "$work/counts")" 0
is the_place_is_right_beside_them "$(fields with values |
	awk '{ match($0, /IBS_OP_RIP=0x[0-9a-f]*/); if (substr($0, RSTART + 13, RLENGTH - 13) != $1) n++ } END { print n + 0 }')" 0
has the_commands_of_the_page_run "$(cat "$work/page.out")" '_start .*valid=ip[|](target[|])?retire[|]memory '
passes the_loads_are_read test "$(grep -c '^load at 0x[0-9a-f]*$' "$work/loads")" -ge 8
finish
