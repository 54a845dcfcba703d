# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The guests' kernels; sourced by what builds, boots or tests them. Every flavour but the
# plain one checks itself: what it reports is a failure. They are of the newer version, so
# that the tests on both find the faults of either.

# flavour_version FLAVOUR: the version of Linux where none is asked for.
flavour_version()
{
	case $1 in
	plain) echo 6.1 ;;
	*) echo 6.12 ;;
	esac
}
