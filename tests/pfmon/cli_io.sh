#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# All verbs, over a double of the kernel: their standard output, a wrong command line, and --help.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

# All verbs, from the text that lists them.
verbs()
{
	"$fake" help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | grep -vx pfmon
}

# Command lines that write to standard output, one a line.
writers()
{
	python3 "$here/recording.py" data /nonexistent 0x10 kernel end || fail "recording.py"
	cat <<-'LINES'
		list
		info
		info --json
		info --registers --pmu list
		report --no-pager data
		report --json data
		diff --no-pager data data
		script data
		export --to folded -o - data
		export --to json -o - data
		stat -o - true
		stat -j -o - true
		stat --pfmon3 true
		test
		--version
		-l
	LINES
	verbs | sed 's/$/ --help/'
}

# Call COMMAND LINE... for each line of the file, with the line's words.
each_writer()
{
	local line words

	writers >lines
	[ "$(wc -l <lines)" -ge 24 ] || fail "$(cat lines)"
	while read -r line; do
		read -ra words <<<"$line"
		"$@" "${words[@]}"
	done <lines
}

to_a_full_device()
{
	"$fake" "$@" >/dev/full 2>err </dev/null && fail "status 0: $*"
	is "$*: complaints" "$(grep -c '^pfmon: cannot write ' err)" 1
}

test_a_full_device_is_an_error()
{
	each_writer to_a_full_device
}

to_nowhere()
{
	"$fake" "$@" >&- 2>err </dev/null && fail "status 0: $*"
	is "$*: complaints" "$(grep -c '^pfmon: cannot write ' err)" 1
}

test_a_closed_standard_output_is_an_error()
{
	each_writer to_nowhere
}

to_one_line()
{
	"$fake" "$@" 2>err </dev/null | head -n 1 >line
	[ -s line ] || fail "$*: nothing is written"
	case $1 in
	test) ;; # prints that it cannot test
	*) ! grep -v '^pfmon: \(a note\|no symbols[a-z0-9, ]*: /nonexistent\)' err || fail "$*: not quiet" ;;
	esac
}

test_a_reader_that_goes_away_is_met_quietly()
{
	each_writer to_one_line
}

test_what_nothing_is_written_to_may_be_closed()
{
	"$fake" stat -o counts true >&- 2>err || fail "status $?" "$(cat err)"
	says "$(cat counts)" instructions
	"$fake" stat true >/dev/full 2>err || fail "status $?" "$(cat err)"
}

# As env(1): pfmon's own failure has a status that commands do not use.
test_a_wrong_command_line_has_the_verbs_status()
{
	local verb want

	verbs >all
	[ "$(wc -l <all)" -ge 9 ] || fail "$(cat all)"
	while read -r verb; do
		[ "$verb" != help ] || continue
		want=1
		case $verb in
		stat|record|top) want=125 ;;
		esac
		status "$want" "$fake" "$verb" --no-such-option
		says "$(cat err)" "unrecognized option '--no-such-option'"
		grep -q "pfmon $verb" err || fail "the verb is not named:" "$(cat err)"
		is "$verb: standard output" "$(cat out)" ""
	done <all
	status 125 "$fake" no_such_verb
	says "$(cat err)" "there is no verb 'no_such_verb'"
	status 125 "$fake"
	says "$(cat err)" "usage: pfmon"
}

test_help_fits_a_screen()
{
	local verb lines

	while read -r verb; do
		lines=24
		case $verb in
		help) status 0 "$fake" help ;;
		stat|record) lines=40; status 0 "$fake" "$verb" --help ;;
		*) status 0 "$fake" "$verb" --help ;;
		esac
		[ "$(wc -l <out)" -le "$lines" ] || fail "$verb --help has more than $lines lines"
		! grep -E '.{81}' out || fail "$verb --help has lines of more than 80 columns"
		is "$verb: errors" "$(cat err)" ""
	done < <(verbs)
}

test_version_is_that_of_the_package_and_of_the_interface()
{
	local package

	package=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$top/packaging/debian/changelog")
	[ -n "$package" ] || fail "the package has no version"
	status 0 "$fake" --version
	is version "$(cat out)" "pfmon $package, perfmon interface 0.6"
	status 0 "$fake" -V
	is "version, shortly" "$(cat out)" "pfmon $package, perfmon interface 0.6"
}

run_tests "$@"
