#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon on the debug kernel, on which it takes ten times as long: the tests of guest.sh that cover
# most of the kernel's part.
set -u

here=$(cd "$(dirname "$0")" && pwd)
exec "$here/guest.sh" threads_add_up_exactly an_exec_is_counted_through \
	a_killed_command_is_counted perf_and_pfmon_exclude_each_other \
	a_change_of_user_after_release_ends_counting_with_a_note nothing_is_left_behind
