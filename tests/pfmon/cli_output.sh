#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The output of pfmon stat, over a double of the kernel: as text, fields and JSON, and for repeated
# runs.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

test_the_commands_output_stays_clean()
{
	status 0 "$fake" stat sh -c 'echo to stdout; echo to stderr >&2'
	is stdout "$(cat out)" "to stdout"
	is "first line of stderr" "$(head -n 1 err)" "to stderr"
	says "$(cat err)" "seconds time elapsed"
}

test_output_goes_to_a_file()
{
	status 0 "$fake" stat -o report sh -c 'echo x >&2'
	is stderr "$(cat err)" x
	says "$(cat report)" instructions
	status 0 "$fake" stat --output=report true
	is headings "$(grep -c 'Counts for' report)" 1
}

# By launchers; pfmon that is started in a job of Slurm's counts its ranks itself.
test_each_rank_has_a_file()
{
	local variable rank=0

	unset OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK MV2_COMM_WORLD_RANK
	export SLURM_PROCID=7
	for variable in OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK MV2_COMM_WORLD_RANK; do
		status 0 env "$variable=$rank" "$fake" stat -x, -e instructions -o counts.%r true
		rank=$((rank + 1))
	done
	status 0 "$fake" stat -x, -e instructions -o counts.%r true
	is files "$(echo counts.*)" "counts.0 counts.1 counts.2 counts.3 counts.7"
	is counts "$(cut -d, -f1 counts.* | grep -c 17000)" 5
}

test_a_file_is_named_after_the_host_and_the_process()
{
	status 0 "$fake" stat -o "%h-%p-%%-%%r" true
	set -- *-%-%r
	[[ $1 =~ ^$(uname -n)-[0-9]+-%-%r$ ]] || fail "$(ls)"
	[ -s "$1" ] || fail "nothing in $1"
}

test_text_looks_like_this()
{
	status 0 "$fake" stat -e instructions,cycles:u,branches sh -c 'exit 0'
	sed -i 's/[0-9]*\.[0-9]* \(  *sec\|seconds\)/N seconds/; s/[0-9.]* \([ KMG]\)\(\/sec\|GHz\)/N \1\2/; s/# *N/# N/; s/^ *N/N/' err
	sed -e 's/^|//' >want <<'WANT'
|
| Counts for 'sh -c exit 0':
|
|              17,000      instructions
|              18,000      cycles:u
|               1,000      branches
|
WANT
	cut -d'#' -f1 err | sed 's/ *$//' | head -n 7 | diff - <(sed 's/ *$//' want) || exit 1
	grep -q '^N seconds time elapsed$' err || fail "$(cat err)"
	grep -q '^N seconds user$' err || fail "$(cat err)"
	grep -q '^N seconds sys$' err || fail "$(cat err)"
}

test_ipc_needs_the_same_levels()
{
	status 0 "$fake" stat -e instructions,cycles true
	says "$(cat err)" "0.944  insn per cycle"
	status 0 "$fake" stat -e instructions:u,cycles true
	says_not "$(cat err)" "insn per cycle"
}

test_separated_lines_have_ten_fields()
{
	status 0 "$fake" stat -x ';' true
	is "numbers of fields" "$(awk -F';' '{ print NF }' err | sort -u)" 10
	is names "$(cut -d';' -f3 err | paste -sd' ')" \
		"cycles instructions ref-cycles branches loads stores elapsed user sys"
	status 0 "$fake" stat -x ';' -r 2 true
	is "numbers of fields" "$(awk -F';' '{ print NF }' err | sort -u)" 10
	is deviation "$(sed -n '1s/^18000;;cycles;\([^;]*\);100.00;.*;18000;0;$/\1/p' err)" 0.00
}

test_a_tab_can_be_written_as_backslash_t()
{
	status 0 "$fake" stat -x '\t' -e branches true
	is fields "$(head -n 1 err | cut -f1,3)" "$(printf '1000\tbranches')"
}

test_a_separator_that_is_in_a_name_is_refused()
{
	status 125 "$fake" stat -x : -e branches:u true
	says "$(cat err)" "occurs in the event name branches:u"
}

test_json_is_one_valid_object()
{
	status 3 "$fake" stat -j -e instructions,branches:u sh -c 'exit 3'
	is figures "$(jq -r '[.format, .runs, .sessions, .status, .interrupted,
		.events[0].event, .events[0].count, .events[0].kernel, .events[0].pmd,
		.events[1].event, .events[1].count, .events[1].kernel,
		.target.kind, (.target.command | length), (.notes | length)] | join(" ")' err)" \
		"1 1 1 3 false instructions 17000 true 16 branches:u 1000 false command 3 0"
	jq -e '.elapsed_seconds > 0 and .user_seconds >= 0 and .system_seconds >= 0' err >out ||
		fail "$(cat err)"
}

test_json_takes_any_argument()
{
	status 0 "$fake" stat -j sh -c 'exit 0' "$(printf 'quote" back\\ nl\n bad\xff \xc3\xa4')"
	jq -e . err >out || fail "$(cat err)"
	is argument "$(jq -r '.target.command[3]' err)" "$(printf 'quote" back\\ nl\n bad\xef\xbf\xbd \xc3\xa4')"
}

test_json_of_repeated_runs_has_each_count()
{
	status 0 "$fake" stat -j -r 3 -e cycles "$victim" forks 1
	is counts "$(jq -c '.events[0].counts' err)" "[36000,36000,36000]"
	is mean "$(jq '.events[0].count == 36000 and .events[0].deviation_percent == 0' err)" true
}

test_repeat_shows_mean_and_deviation()
{
	# One task in the first run, two in the second, three in the third: 17000 * 2.
	echo 0 >runs
	cat >grow <<'SH'
read -r n <runs
echo $((n + 1)) >runs
exec "$1" forks "$n"
SH
	status 0 "$fake" stat -r 3 -e instructions sh grow "$victim"
	says "$(cat err)" "(3 runs)"
	grep -q '34,000 .*( ± 28.87% )' err || fail "$(cat err)" # 17000/sqrt(3)/34000
	is runs "$(cat runs)" 3
}

test_repeat_returns_the_first_failure()
{
	status 4 "$fake" stat -r 3 sh -c 'echo >>runs; [ "$(wc -l <runs)" -ne 2 ] || exit 4'
	is runs "$(wc -l <runs)" 3
}

test_repeat_of_a_missing_command_stops_at_once()
{
	status 127 "$fake" stat -r 1000 /no/such/command
	is complaints "$(wc -l <err)" 1
}

run_tests "$@"
