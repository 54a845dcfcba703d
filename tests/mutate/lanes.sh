# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154,SC2034 # variables of the caller
#
# The lanes that see changes, and the programs that execute a line; sourced by run.

# Lanes of tests/lanes, in the order of their use: the programs of tests/abi and tests/pmu in them.
# The fuzzer comes after the first lane's: no test may check for the faults that it finds after a
# round (a remaining session, memory, a CPU that does not count). After it comes the search for
# leaks.
lanes=(plain epyc soft lbr lbr-4 arch-lbr hybrid hybrid-uneven hardware unwatched version-1 version-2
	version-4 version-5 zhaoxin perfmonv2 family-10h)
# They judge a change of code that runs at boot, with the programs that execute its line as well.
first_programs=(abi/getinfo abi/pmcs abi/pmds abi/counting abi/width abi/sysfs abi/notify abi/sampling
	abi/system_smp abi/smp abi/soft abi/soft_sampling pmu/lbr pmu/devmsr_amd pmu/ibs_amd abi/ibs)

# $work/programs: LANE NAME PATH, for each program of each lane, and $work/where: LANE, tab, its
# options of tools/vm/run.
list_programs()
{
	make -s -C tests list AREAS="abi pmu" | sed 's,.*/\(build/bin/tests/\)\(.*\),\2 \1\2,' |
		awk -v lanes="${lanes[*]}" -f tests/plan.awk - tests/lanes |
		grep -v 'abi/suspend ' >"$work/programs" || return
	echo "plain fuzz/fuzz build/bin/tests/fuzz/fuzz -n 12 -s 1
plain mutate/leaks $here/leaks" >>"$work/programs"
	awk -F'\t+' '!/^#/ && NF == 4 { print $1 "\t" $3 }' tests/lanes >"$work/where"
}

# guest LANE MUTANT OPTION...: run the guest's part in a guest of that lane, with the change's kernel if
# it has one. --fresh before LANE: with the lane's whole command line, by which the kernel's own tests
# run.
guest()
{
	local fresh='' append image=$images/all options=() words i

	[ "$1" != --fresh ] || { fresh=yes; shift; }
	append="pfm_mutant=$2 slub_debug=FZP"
	[ ! -e "$images/$2" ] || image=$images/$2
	read -ra words <<<"$(awk -F'\t' -v lane="$1" '$1 == lane { print $2 }' "$work/where")"
	for ((i = 0; i < ${#words[@]}; i++)); do
		case ${words[i]} in
		--append) i=$((i + 1)); append+=" ${words[i]}" ;;
		*) options+=("${words[i]}") ;;
		esac
	done
	[ -n "$fresh" ] || append=${append/kunit.enable=1/}
	shift 2
	local command=("$here/guest" "$@")
	[ -z "${only-}" ] || command=("$only")
	: >"$place/console"
	: >"$place/out"
	attend env PERFMON_VM_KERNEL="$image" PERFMON_VM_CONSOLE="$place/console" PERFMON_PATIENCE=4 \
		"$tree/tools/vm/run" --timeout 3600 --rw "$place" "${options[@]}" --append "$append" -- \
		"${command[@]}" >"$place/out" 2>"$place/err" </dev/null
}

# prove LANE: without a change all programs pass. Their times and skips go to $place/ran, and the
# lines that they execute to $place/lines.
prove()
{
	patience=1200
	mkdir "$place/cover" "$place/plan"
	awk -v lane="$1" '$1 == lane { $1 = ""; sub(/^ [^ ]+/, "& 3600 1000000"); print substr($0, 2) }' \
		"$work/programs" >"$place/plan/0"
	guest --fresh "$1" 0 --cover "$place/cover" "$place/plan" 0
	if [ "$(tail -n 1 "$place/out")" != "survived 0" ]; then
		echo "without a change, in lane $1: status $status" "$(tail -n 1 "$place/out")" >&2
		cat "$place/err" >&2
		exit 1
	fi
	# The programs' times, in the guest's seconds: a program begins when the one before it ends.
	awk -v lane="$1" '$1 == "ran" { print lane, $2, $3 - before, $4; before = $3 }' "$place/out" >"$place/ran"
	echo "$((5 * silence + 60))" >"$place/patience"
	lines "$1" >"$place/lines"
	rm -rf "$place/cover"
}

prove_ended()
{
	patience_of[$1]=$(cat "$place/patience")
	mv "$place/ran" "$work/ran-$1"
	mv "$place/lines" "$work/lines-$1"
	echo "  lane $1: $(wc -l <"$work/ran-$1") programs pass without a change"
}

# lines LANE: for each line of our code in each of the lane's programs: LANE PROGRAM FILE LINE COUNT.
# A line that none executes is given once, by the boot.
lines()
{
	local each directory program filter

	# shellcheck disable=SC2016 # for jq
	filter='.files[] | (.file | capture("(?<name>(kernel/perfmon|formats|arch/x86/perfmon)/[^/]*$)").name) as $file |
		.lines[] | "\($file) \(.line_number) \(.count)"'

	for each in "$place/cover"/*; do
		program=$(basename "$each" | tr + /)
		for directory in "$each"/{kernel/perfmon,arch/x86/perfmon,formats}; do
			(cd "$directory" && for name in *.gcda; do
				ln -s "$work/gcno/${directory#"$each"/}/${name%.gcda}.gcno" .
			done && gcov -i -t ./*.gcda 2>/dev/null)
		done | gojq -r "$filter" |
			awk -v lane="$1" -v program="$program" '
				{ n[$1 " " $2] += $3 }
				END { for (i in n) if (n[i] || program == "boot") print lane, program, i, n[i] }'
	done
}

# For each drawn change, NUMBER LANE PROGRAM, in $work/selected. The search for leaks executes no
# line.
select_programs()
{
	for each in "${lanes[@]}"; do
		cat "$work/lines-$each"
	done | awk -f "$here/select.awk" - "$work/changes" >"$work/selected"
	awk -F'\001' '$2 !~ /^arch/ { print $1, "plain mutate/leaks" }' "$work/changes" >>"$work/selected"
	# gcov does not count in the kernel's own tests, which may include a header.
	awk -v lane="${lanes[0]}" -F'\001' '$2 ~ /\.h$/ { print $1, lane, "boot" }' "$work/changes" >>"$work/selected"
	cat "$work"/ran-* >"$work/ran"
}

# programs_of LANE NUMBER: those that execute the change in this lane.
programs_of()
{
	awk -v lane="$1" -v number="$2" '$1 == number && $2 == lane { print $3 }' "$work/selected"
}

# write_plan LANE NUMBER FILE PROGRAM...: $place/plan/NUMBER, of these programs: first those that
# noticed changes of the file, the latest first; then those with its name, or the first word of that;
# then the quickest. The limit is five times the time of the program.
write_plan()
{
	local stem
	stem=$(basename "${3%.*}")

	{ tac "$work/killers" | sed -n "s,^$3 ,killer ,p"
		sed 's/^/ran /' "$work/ran"
		sed 's/^/program /' "$work/programs"
		printf '%s\n' "${@:4}" | sed 's/^/use /'
	} | awk -v lane="$1" -v stem="$stem" '
		$1 == "killer" { if (!($2 in rank)) rank[$2] = --first }
		$1 == "ran" && $2 == lane { seconds[$3] = $4; skips[$3] = $5 }
		$1 == "program" && $2 == lane { name = $3; $1 = $2 = $3 = ""; sub(/^ +/, ""); path[name] = $0 }
		$1 == "use" && ($2 in path) && ($2 in seconds) && !used[$2]++ {
			word = stem
			sub(/_.*/, "", word)
			at = 1000 + seconds[$2]
			if ($2 ~ "/(.*_)?(" stem "|" word ")(_|$)")
				at -= 1000
			if ($2 in rank)
				at = rank[$2] - 1000000
			if ($2 ~ /^fuzz/)
				at = 2000000
			if ($2 == "mutate/leaks")
				at = 3000000
			print at, $2, int(5 * seconds[$2]) + 20, skips[$2], path[$2]
		}
		' | sort -k 1,1n -k 2 | cut -d' ' -f 2- >"$place/plan/$2"
}
