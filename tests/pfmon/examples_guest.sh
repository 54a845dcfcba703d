#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The programs of examples/ print the right counts, to the unit, by the system call and by
# perf_event_open().
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
top=$(dirname "$(dirname "$here")")
bin=$top/build/bin/tests/pfmon/examples # built by area.mk
# shellcheck source=tests/pfmon/known.sh
. "$here/known.sh"
known=$top/build/bin/tests/pfmon/known_one

LIMIT=120
export LD_BIND_NOW=1 LD_LIBRARY_PATH=$bin/root/lib

# counts N [EVENT]: its counts for a loop of N turns
counts()
{
	"$bin/count" "$@" | awk '{ print $1 }' | paste -sd' '
}

check_count()
{
	local none many

	none=$(counts 1)
	many=$(counts 100001)
	is instructions $((${many% *} - ${none% *})) 200000
	is branches $((${many#* } - ${none#* })) 100000
}

test_count()
{
	check_count
	PERFMON=perf check_count
}

test_count_of_a_static_program()
{
	bin=$bin/static check_count
}

test_count_of_sets_says_that_it_is_estimated()
{
	"$bin/count" 10000000 branches:u,stores:u,loads:u,loads:k,stores:k >counts || fail "count"
	is estimated "$(grep -c '(estimated)$' counts)" 5
}

# Loading its tables takes longer than anything else at the start of a small program.
test_libpfm4_is_loaded_when_an_event_is_named()
{
	LD_DEBUG=files "$bin/regions" 1 0 2>without || fail "regions"
	is 'without regions' "$(grep -c 'libpfm\.so' without)" 0
	LD_DEBUG=files "$bin/count" 1 2>with >counts || fail "count"
	[ "$(grep -c 'libpfm\.so' with)" -ge 1 ] || fail "$(cat with)"
}

# counted TURNS: the branches of registers, by a context of its own
counted()
{
	"$bin/registers" "$1" instructions:u,branches:u | awk '$3 ~ /^branches/ { print $2 }'
}

check_registers()
{
	is branches $(($(counted 100001) - $(counted 1))) 100000
}

test_registers()
{
	check_registers
	PERFMON=perf check_registers
	"$bin/registers" 1 >out || fail "registers"
	is 'values of PMCs' "$(grep -Ec '^PMC[0-9]+ 0x[0-9a-f]+$' out)" 2
	is counters "$(grep -Ec '^PMD[0-9]+ [0-9]+ ' out)" 2
}

# One set has room for four programmable events and those of the fixed counters.
test_registers_of_events_that_do_not_fit()
{
	status 1 "$bin/registers" 1 branches:u,stores:u,loads:u,loads:k,stores:k
	says "$(cat err)" "these events do not fit on the counters at once"
}

test_an_unknown_event_is_named()
{
	status 1 "$bin/count" 1 instrucions:u
	says "$(cat err)" "this CPU has no event 'instrucions'"
	says "$(cat err)" "Did you mean instructions"
}

# region FILE NAME [WHERE]: "CALLS INSTRUCTIONS BRANCHES"
region()
{
	awk -v name="$2" '$5 == name { print $1, $3, $4 }' "$1"
}

check_regions()
{
	local empty loop

	PERFMON_REGIONS=report PERFMON_EVENTS=instructions:u,branches:u "$bin/regions" 100000 "$1" ||
		fail "regions"
	read -r -a empty <<<"$(region report empty)"
	read -r -a loop <<<"$(region report loop)"
	is calls "${empty[0]} ${loop[0]}" "$((3 * ($1 + 1))) $((3 * ($1 + 1)))"
	# The call of the loop and its return: the same in each region.
	is remainder $(((loop[1] - empty[1]) % loop[0])) 0
	is instructions $(((loop[1] - empty[1]) / loop[0] / 100)) 2000
	is branches $(((loop[2] - empty[2]) / loop[0] / 100)) 1000
}

test_regions()
{
	check_regions 3
	says "$(head -n 1 report)" "# regions of regions, process "
	PERFMON=perf check_regions 0
}

test_regions_in_json()
{
	PERFMON_REGIONS=%p.json PERFMON_EVENTS=instructions:u "$bin/regions" 1000 2 || fail "regions"
	is file "$(jq -r '"\(.pid).json"' [0-9]*.json)" "$(echo [0-9]*.json)"
	is events "$(jq -c .events [0-9]*.json)" '["instructions:u"]'
	is regions "$(jq -c '.regions[] | [.name, .calls, .threads, [.regions[].name]]' [0-9]*.json)" \
		'["work",3,3,["empty","loop"]]'
}

test_regions_of_a_thread_that_is_counted_already()
{
	PERFMON_REGIONS=- "$top/build/bin/pfmon" stat -e cycles -o counts "$bin/regions" 1000 0 >out 2>err
	says "$(cat err)" "regions are not counted: PFM_LOAD_CONTEXT"
	says "$(cat err)" "# threads without counters: 1"
}

# A program of known length; the instructions of the child before it are less than a period.
test_samples()
{
	"$bin/samples" 20000 instructions:u,branches:u "$known" >samples 2>err || fail "$(cat err)"
	is said "$(cat err)" "$((one_insns / 20000)) samples, 0 lost"
	is lines "$(wc -l <samples)" $((one_insns / 20000))
	is 'branches between two' \
		"$(awk 'NR > 2 { print $4 - last } { last = $4 }' samples | sort -u)" 5000
	is 'in order' "$(sort -nc samples 2>&1)" ''
}

test_samples_with_callers()
{
	gcc -O0 -xc -o program - <<-'END' || fail "gcc"
	static int inner(int n)
	{
		int i, sum = 0;

		for (i = 0; i < n; i++)
			sum += i & 1;
		return sum;
	}

	static int outer(int n)
	{
		return inner(n) + 1;
	}

	int main(void)
	{
		return outer(100000) < 0;
	}
	END
	"$bin/samples" -g 10007 branches:u ./program >samples 2>err || fail "$(cat err)"
	# inner(), from outer(), from main(), of which the loader's code is the caller.
	has "callers" "$(sort samples | uniq -c)" " <- 0x[0-9a-f]+ <- 0x[0-9a-f]+ <- 0x"
	awk '{ seen[$5 $7]++ } END { for (k in seen) if (seen[k] >= 8) ok = 1; exit !ok }' samples ||
		fail "few samples have the same two callers:" "$(cat samples)"
	"$bin/samples" 10007 branches:u ./program >samples || fail "samples"
	is callers "$(grep -c '<-' samples)" 0
}

test_samples_by_perf_events()
{
	PERFMON=perf "$bin/samples" 20000 instructions:u "$known" >samples 2>err || fail "$(cat err)"
	is lines "$(wc -l <samples)" $((one_insns / 20000))
}

test_scope()
{
	local counted

	counted=$("$bin/scope" 100001 2>err | paste -sd' ')
	is output "$(cat err)" "scope: this step fails"
	is branches "$(((${counted#* } - 1) / 100 ))" 1000
	PERFMON_REGIONS=scope.json PERFMON_EVENTS=branches:u "$bin/scope" 2>err
	is regions "$(jq -c '[.regions[] | .name, .calls, .regions[].name, .regions[].calls], .regions_open' scope.json | paste -sd' ')" \
		'["all",1,"step",2] 0'
}

run_tests "$@"
