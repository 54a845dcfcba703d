# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The guests' kernels; sourced by the scripts that build, boot or test them. Every flavour but the
# plain one checks itself: its reports are failures. These are of the newer version, so that the
# tests on both find the faults of either.

# flavour_version FLAVOUR: the version of Linux if none is requested.
flavour_version()
{
	case $1 in
	plain) echo 6.1 ;;
	*) echo 6.12 ;;
	esac
}
