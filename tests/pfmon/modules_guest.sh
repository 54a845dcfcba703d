#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record over the real perfmonctl(): names of the kernel's code that comes while it is
# sampled, of modules.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are sampled expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=200
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"

module=/lib/modules/$(uname -r)/kernel/kernel/perfmon/tests/perfmon_fmt_probe.ko

# The kernel's names are known before the module is there: those of the calls are written.
first='"$0/sampled" calls; insmod "$1" && "$0/probed" '

# named LEAST: so many samples are in the module, each in a function of it
named()
{
	"$pfmon" report -x ';' >shown
	awk -F';' -v least="$1" '
		$5 == "[perfmon_fmt_probe]" { n += $1; if ($4 !~ /^probe_|_module$/) bad = 1 }
		END { exit !(n >= least && !bad) }' shown ||
		fail "not these names:" "$(grep -F '[perfmon_fmt' shown)" "$(head -n 20 shown)"
	"$bin/recording_dump" pfmon.data | grep '^ksymbol.*perfmon_fmt_probe' | sort | uniq -d >twice
	[ ! -s twice ] || fail "names are written more than once:" "$(cat twice)"
}

unload()
{
	grep -q '^perfmon_fmt_probe ' /proc/modules || return 0
	rmmod perfmon_fmt_probe
}

test_a_module_that_is_loaded_meanwhile_has_names()
{
	unload
	status 0 "$pfmon" record -e instructions:k -c 1009 sh -c "$first 1000" "$bin" "$module"
	named 50
	unload
	status 0 "$pfmon" record -a -e instructions:k -c 1009 -- sh -c "$first 1000" "$bin" "$module"
	named 50
}

# It is there for longer than a tenth of a second: see pfmon-record(1).
test_a_module_that_comes_and_goes_has_names()
{
	unload
	status 0 "$pfmon" record --buffer 8K -e instructions:k -c 1009 sh -c \
		"$first 10000; rmmod perfmon_fmt_probe" "$bin" "$module"
	named 50
}

run_tests "$@"
