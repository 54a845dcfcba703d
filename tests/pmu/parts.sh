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
