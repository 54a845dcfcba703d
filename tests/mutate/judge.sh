# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154,SC2034 # variables of the caller
#
# The changes without a verdict, and how they get theirs; sourced by run.

declare -A waiting=() doubted=() patience_of=()

# undecided STAGE [LANE]: the changes without a verdict that are for this stage: "programs" of the lane
# that execute it, its "boot", or "alone", if no lane executes it. Those with a kernel of their own boot
# with it, and so do, in the first lane, those that no lane executes: the kernel's own tests may, and
# gcov does not count in them.
undecided()
{
	find "$images" -name '[0-9]*' -printf 'own %f\n' |
		awk -v stage="$1" -v lane="${2-}" -v first="${lanes[0]}" -v numbers="${!waiting[*]}" '
			BEGIN { for (i = split(numbers, each, " "); i; i--) waits[each[i]] }
			$1 == "own" { own[$2]; next }
			$3 == "mutate/leaks" { next }
			{ reached[$1] }
			$2 == lane { has[$1, $3 == "boot" || $1 in own ? "boot" : "programs"] }
			END { for (i in waits)
				if ((i, stage) in has || !(i in reached) &&
				    (stage == "alone" || stage == "boot" && lane == first))
					print i }' - "$work/selected" | sort -n
}

# formats_only [-v]: of the changes in the input, those of sampling formats; with -v, the others.
formats_only()
{
	local i

	grep "$@" -xFf <(for i in "${!file_of[@]}"; do
		[[ ${file_of[$i]} != formats/* ]] || echo "$i"
	done)
}

# The messages of the guest's kernel, without the time.
console()
{
	tr -d '\r' <"$place/console" | sed 's/^\[[ 0-9.]*\] *//'
}

# verdicts NUMBER...: of the guest's output, for the changes that it was to judge; see guest. A guest
# that died because of its first change has noticed it; one that hung is tried again, as the machine
# may have been busy. None for those that it did not reach.
verdicts()
{
	local at name last

	grep -aE '^(killed|survived|doubt) ' "$place/out"
	[ "$status" -ne 0 ] || return 0
	read -r at name < <(sed -n 's/^run //p' "$place/out" | tail -n 1)
	at=${at:-$1}
	! grep -aqE "^(killed|survived|doubt) $at( |\$)" "$place/out" || return 0
	last=$(console | grep -m 1 -E '^(BUG: |Kernel panic)')
	if [ "$at" != "$1" ] || [ -z "$last${doubted[$at]-}" ]; then
		echo "doubt $at"
	else
		echo "killed $at ${name:-boot}: the guest: status $status${last:+: $last}"
	fi
}

# judge LANE NUMBER...: the verdicts of a guest about some changes, one after the other.
judge()
{
	local number lane=$1
	shift

	mkdir "$place/plan"
	for number; do
		write_plan "$lane" "$number" "${file_of[$number]}" "$(programs_of "$lane" "$number")"
	done
	patience=${patience_of[$lane]}
	guest "$lane" 0 "$place/plan" "$@"
	if ! grep -qE '^(run|survived) ' "$place/out"; then
		echo "a guest without a change did not start: status $status" >&2
		cat "$place/err" >&2
		exit 1
	fi
	verdicts "$@" >"$place/verdicts"
}

# judge_kunit LANE NUMBER: the verdict of the kernel's own tests, in a guest that boots with the change;
# and of a program after them, as in the lane: they may leave something behind.
judge_kunit()
{
	mkdir "$place/plan"
	write_plan "$1" "$2" "${file_of[$2]}" abi/sampling
	patience=${patience_of[$1]}
	guest --fresh "$1" "$2" "$place/plan" "$2"
	verdicts "$2" >"$place/verdicts"
	! grep -q '^survived' "$place/verdicts" || console | grep -q '^ok .* perfmon_pmu' ||
		echo "killed $2 kunit: it did not run" >"$place/verdicts"
}

# judge_boot LANE NUMBER: the verdict of programs in a guest that boots with the change, if a boot
# executes it without the kernel's own tests, or it has a kernel of its own.
judge_boot()
{
	mkdir "$place/plan"
	patience=${patience_of[$1]}
	if [ -e "$images/$2" ]; then
		write_plan "$1" "$2" "${file_of[$2]}" "${first_programs[@]}" "$(programs_of "$1" "$2")"
	elif is_early "$2"; then
		write_plan "$1" "$2" "${file_of[$2]}" "${first_programs[@]}"
	else
		echo "survived $2" >"$place/verdicts"
		return 0
	fi
	guest "$1" "$2" "$place/plan" "$2"
	verdicts "$2" >"$place/verdicts"
}

# judge_alone LANE NUMBER: a change that no lane executes, by a program that is its guest's only one, and
# passes without the change.
judge_alone()
{
	local only=$top/build/bin/tests/abi/suspend

	patience=600
	echo "survived $2" >"$place/verdicts"
	guest "$1" "$2"
	[ "$status" -ne 0 ] || return 0
	echo "killed $2 abi/suspend: $(grep -m 1 '^not ok' "$place/out" || echo "status $status")" >"$place/verdicts"
	guest "$1" 0
	[ "$status" -eq 0 ] || { echo "abi/suspend fails without a change" >&2; exit 1; }
}

# True if the kernel executes it as it boots, its own tests apart, which run in the first lane.
is_early()
{
	grep -q "^$1 .* boot\$" <(grep -v " ${lanes[0]} " "$work/selected")
}

# judge_ended LANE NUMBER...: what a guest has not reached, or is in doubt about, is for another one:
# first what is in doubt.
judge_ended()
{
	local verdict number text doubts=() unreached=()
	local -A reached=()
	shift

	while read -r verdict number text; do
		reached[$number]=1
		case $verdict in
		killed) killed "$number" "$text" ;;
		doubt) doubts+=("$number"); doubted[$number]=1 ;;
		esac
	done <"$place/verdicts"
	for number; do
		[ -n "${reached[$number]-}" ] || unreached+=("$number")
	done
	queue=("${doubts[@]}" "${unreached[@]}" "${queue[@]}")
}

title()
{
	echo "$1 ${file_of[$1]}:${line_of[$1]}: ${what_of[$1]}"
}

killed()
{
	local -r killer=${2%%:*}
	unset "waiting[$1]"
	echo "killed    $(title "$1") ($2)" | tee -a "$record"
	[[ $killer != */* ]] || echo "${file_of[$1]} $killer" >>"$work/killers"
}

survived()
{
	unset "waiting[$1]"
	{ echo "SURVIVED  $(title "$1")"
	changed "$1" "${file_of[$1]}" | diff -U 3 --label "${file_of[$1]}" --label "${file_of[$1]}" "${file_of[$1]}" - |
		sed 's/^/    /'; } | tee -a "$record"
}
