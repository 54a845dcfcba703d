# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $scratch comes from the caller
#
# What a guest printed, in $scratch/out: parts that lines "@ NAME STATUS" begin. For
# scripts of this directory that boot other guests than the usual ones.

# part NAME: what the guest printed for it.
part()
{
	sed -n "/^@ $1 /,/^@ /p" "$scratch/out" | sed '/^@ /d'
}

# status_of NAME: with which status it ended
status_of()
{
	sed -n "s/^@ $1 //p" "$scratch/out"
}

# check_part PROGRAM NAME some|none: a program with tests came to its end with status 0; and
# some of them were not skipped, or none.
check_part()
{
	local text ran=none

	text=$(part "$1")
	! grep '^ok' <<<"$text" | grep -qv '# SKIP' || ran=some
	is "$2" "$(status_of "$1") $ran $(grep -A 8 '^not ok' <<<"$text")" "0 $3 "
	inner_skips "$1" "$text"
}
