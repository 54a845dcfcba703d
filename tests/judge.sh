# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $results, $here and others come from the caller
#
# After everything ran: was it what should have run? Sourced by tests/run.

# place_of DIRECTORY: where the tests ran whose results are in it; see places().
place_of()
{
	local name=${1##*/}

	case $name in
	host-*) echo host ;;
	*-[0-9]-*) echo "${name%-*}" ;;
	esac
}

# Each result: test, place, cases, failures.
totals()
{
	local file place

	for file in "$results"/*/results; do
		place=$(place_of "${file%/results}")
		[ -z "$place" ] ||
			awk -v place="$place" '{ print $1, place, $2 + $3 + $4, $3 }' "$file"
	done
}

# Each test of the list has one result in each of its places.
check_tasks()
{
	local place names

	while read -r place names; do
		fail "$results/tasks-$place" "no-result-$place" "these have no result: $names" \
			"$(wc -w <<<"$names")"
	done < <(awk 'FILENAME == ARGV[1] { has[$1, $2]++; next }
		has[$1, $2] != 1 { lost[$2] = lost[$2] " " $1 }
		END { for (place in lost) print place lost[place] }' "$results/totals" "$results/tasks")
}

# Many tests run in several places.
say_how_many()
{
	awk 'FNR == 1 { name = FILENAME; sub(/.*\//, "", name) }
		match($0, /^ *(not )?ok [0-9]+ (- )?/) && !/# SKIP/ {
			if (name == "kunit.tap" && !/^    [on]/)
				next
			text = substr($0, RLENGTH + 1)
			sub(/ *#.*/, "", text)
			cases[name, text]
		}
		END {
			for (each in cases)
				n++
			printf "%d different tests, on ", n
		}' "$results"/*/*.tap
	cut -d' ' -f2 "$results/totals" | sort -u | awk '
		{ list = list (list ? ", " : "") $0 }
		END { printf "%d machine%s: %s\n", NR, NR == 1 ? "" : "s", list }'
}

# The verdict; fails as the run did.
judge()
{
	check_lanes
	check_builder
	totals >"$results/totals"
	check_tasks
	cat "$results"/*/failures 2>/dev/null >"$results/failures"
	[ ! -s "$results/failures" ] || { echo "What failed:"; cat "$results/failures"; }
	say_how_many
	awk '{ passed += $2; failed += $3; skipped += $4 }
		END {
			if (skipped)
				printf "%d skipped (reasons above)\n", skipped
			printf "%d passed, %d failed\n", passed, failed
			exit failed > 0 || passed == 0
		}' "$results"/*/results
}
