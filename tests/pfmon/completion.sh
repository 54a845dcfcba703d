#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Completion in bash and in zsh, over a double of the kernel: the test calls the shell's own
# function with the words that the user has typed.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

completion=$top/tools/pfmon/completion

# completed LINE: bash's completions of it, sorted, in one line
completed()
{
	mkdir -p bin
	ln -sf "$fake" bin/pfmon
	PATH=$PWD/bin:$PATH bash -c '
		. "$1"
		[[ $(complete -p pfmon) == *"-F _pfmon "* ]] || exit
		COMP_LINE=$2
		COMP_POINT=${#2}
		read -ra COMP_WORDS <<<"$2"
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_pfmon
		[ ${#COMPREPLY[@]} -eq 0 ] || printf "%s\n" "${COMPREPLY[@]}"' - \
		"$completion/pfmon" "$1" | sort | paste -sd' '
}

test_verbs_are_those_of_the_help()
{
	is "re" "$(completed 'pfmon re')" "record report"
	is all "$(completed 'pfmon ' | tr ' ' '\n' | grep -c .)" \
		"$("$fake" help | grep -cE '^  [a-z]+  ')"
}

test_options_are_those_of_the_verb()
{
	is options "$(completed 'pfmon list --')" "--help --json --names"
	is options "$(completed 'pfmon stat --tim')" "--timeout="
	is options "$(completed 'pfmon info -P x --p')" "--pmu="
	has options "$(completed 'pfmon record -')" '(^| )--frequency= .*-F( |$)'
}

# zsh_offers VERB WORD [BEFORE]: the completions that zsh's function adds, sorted, in one line
zsh_offers()
{
	mkdir -p bin
	ln -sf "$fake" bin/pfmon
	PATH=$PWD/bin:$PATH zsh -f -c '
		compadd()
		{
			[[ $1 != -a ]] || { print -l -- ${(P)2}; return }
			print -l -- ${@:#--}
		}
		words=(pfmon $2 ${4:-} "$3")
		CURRENT=$#words PREFIX=$3
		source $1' - "$completion/_pfmon" "$@" | sort | paste -sd' '
}

# The options of getopt_long(), the words of the help, and each shell's completions are the same.
test_every_long_option_of_every_verb_is_there()
{
	local verb word offered zsh n=0

	for verb in $("$fake" help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -vx pfmon); do
		[ "$verb" != help ] || continue
		"$fake" "$verb" --list-options | grep -o -- '--[^=[]*' | sort -u >has
		offered=$(completed "pfmon $verb --" | tr -d =)
		is "$verb" "$(tr ' ' '\n' <<<"$offered" | sort | paste -sd' ')" "$(paste -sd' ' has)"
		for word in $("$fake" "$verb" --help | grep -oE -- '(^|[ (])--[a-z0-9-]+' | tr -d ' ('); do
			grep -qx -- "$word" has || fail "$verb: its help has $word"
		done
		if command -v zsh >/dev/null; then
			zsh=$(zsh_offers "$verb" -- | tr ' ' '\n' | grep -- '^--' | sort -u | paste -sd' ')
			is "$verb in zsh" "$zsh" "$(paste -sd' ' has)"
		fi
		n=$((n + $(wc -l <has)))
	done
	[ "$n" -ge 120 ] || fail "$n options"
}

test_values_are_those_that_the_tool_knows()
{
	is formats "$(completed 'pfmon record --format ')" "branch compact default hist ibs ring stack"
	is formats "$(completed 'pfmon record --format=r')" "ring"
	is "formats that are refused" "$(for name in $(completed 'pfmon record --format ') none; do
		"$fake" record --format="$name" 2>&1 | grep -q 'is wanted' && echo "$name"
	done)" none
	is "types of alike cores" "$(completed 'pfmon stat --core-type ')" ""
	is colours "$(completed 'pfmon report --color ')" "always auto never"
	command -v zsh >/dev/null || return 0
	is "formats in zsh" "$(zsh_offers record '' --format)" "branch compact default hist ibs ring stack"
	is "of export" "$(zsh_offers export '' --to)" "$(completed 'pfmon export --to ')"
	is "types in zsh" "$(zsh_offers record '' --core-type)" ""
	is "colours in zsh" "$(zsh_offers report '' --color)" "always auto never"
}

# The beginning of a list stays; readline replaces the part behind the last colon.
test_events_are_those_that_are_accepted()
{
	is events "$(completed 'pfmon stat -e inst_r')" \
		"INST_RETIRED INST_RETIRED:ANY_P INST_RETIRED:X87"
	is masks "$(completed 'pfmon stat -e INST_RETIRED:')" "ANY_P X87"
	is list "$(completed 'pfmon record --event=cycles,branch-i')" "cycles,branch-instructions"
	is group "$(completed "pfmon stat -e '{cycles,INST_RETIRED:X")" "X87"
	is pattern "$(completed 'pfmon list cpu-')" "cpu-clock cpu-cycles cpu-migrations"
	is "a mask that is modelled" "$(completed 'pfmon stat -e L1D:REP')" "REPL"
	PFMON_EMULATED=1
	is "not modelled" "$(completed 'pfmon stat -e L1D:')" ""
}

test_files_and_other_choices()
{
	touch one.data two.data
	is recordings "$(completed 'pfmon report one')" "one.data"
	is outputs "$(completed 'pfmon record -o tw')" "two.data"
	has PMUs "$(completed 'pfmon info --pmu sky')" '^skylake'
	is formats "$(completed 'pfmon export --to p')" "perf.data pprof"
}

test_the_command_of_stat_is_a_command()
{
	has command "$(completed 'pfmon stat -e cycles gzi')" '(^| )gzip( |$)'
	has command "$(completed 'pfmon record -- gzi')" '(^| )gzip( |$)'
}

# zsh's own line editor, on a terminal of zpty: it prints the line after TAB.
test_zsh_completes_as_well()
{
	command -v zsh >/dev/null || skip "zsh is not installed"
	mkdir -p bin functions
	ln -sf "$fake" bin/pfmon
	ln -sf "$completion/_pfmon" functions
	cat >drive.zsh <<'Z'
zmodload zsh/zpty
zpty shell "PATH=$PWD/bin:$PATH TERM=dumb zsh -f -i"
zpty -w shell "fpath=($PWD/functions \$fpath); autoload -U compinit; compinit -u -d dump; PS1=; echo rea''dy"
zpty -r shell out '*ready*'
for line in 'pfmon recor' 'pfmon list --nam' 'pfmon stat -e cycles,branch-i' 'pfmon info --pmu skyl'; do
	zpty -wn shell "$line"$'\t'
	zpty -wn shell $'\C-aprint -r -- "=\C-e="\n'
	zpty -r shell out '*=pfmon*=*=pfmon*=*'
	print -r -- "$out"
done
zpty -d shell
Z
	timeout 300 zsh -f drive.zsh >typed 2>&1 || fail "$(cat -v typed)"
	grep -q '^=pfmon record *=' typed || fail "$(cat -v typed)"
	grep -q '^=pfmon list --names *=' typed || fail "$(cat -v typed)"
	grep -q '^=pfmon stat -e cycles,branch-instructions *=' typed || fail "$(cat -v typed)"
	grep -q '^=pfmon info --pmu skylake *=' typed || fail "$(cat -v typed)"
}

run_tests "$@"
