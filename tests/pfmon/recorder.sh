# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # $here comes from the caller, the rest is for it
#
# For tests that record in the guest: the programs, and a kernel that takes any number of samples.
# Source it with $here set.

# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=unthrottled.sh
. "$here/../unthrottled.sh"

top=$(dirname "$(dirname "$here")")
pfmon=${PFMON:-$top/build/bin/pfmon} # or pfmon-asan
bin=$top/build/bin/tests/pfmon
sampled=$bin/sampled
victim=$bin/victim

# One instruction takes a nanosecond here: short periods cause more interrupts than usual.
no_throttle_of_perfmon
