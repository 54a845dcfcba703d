# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For the scripts of this directory: TAP, perf, and the counts of yardstick.

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
bin=$top/build/bin/tests/pmu
# shellcheck disable=SC2034 # for scripts that include this
yardstick=$bin/yardstick
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

# The yardstick's events as perf names them, in the order of expect's output.
# shellcheck disable=SC2034
events=instructions:u,branches:u,r010b:u,r020b:u

# The kernel's log, without perfmon's lines about the NMI watchdog: these come a second after the
# last session of the test before.
kernel_log()
{
	dmesg | grep -v '\] perfmon: NMI watchdog'
}

# Print the output of a command only if the command fails.
run()
{
	"$@" >"$scratch/out" 2>&1 || {
		echo "# $* failed:"
		sed 's/^/# /' "$scratch/out"
		return 1
	}
}

# count EVENTS COMMAND...: perf's counts, as words; the command's output is in out. The words in
# $with run perf.
with=
count()
{
	wanted=$1
	shift
	# shellcheck disable=SC2086
	$with perf stat -x, -o "$scratch/stat" -e "$wanted" -- "$@" >"$scratch/out" 2>&1
	awk -F, '/^[^#]/ && NF > 2 { printf "%s%s", separator, $1; separator = " " }' "$scratch/stat"
}

# expected ARGUMENTS OF EXPECT...: the hand count, as words.
expected()
{
	"$here/expect" "$@" | sed 's/.*=//' | paste -sd' '
}
