#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# suspend.c in a guest of its own: other programs, as prove, would wait for a file system that
# sleeps.
top=$(cd "$(dirname "$0")/../.." && pwd)
exec "$top/tools/vm/run" --smp 2 --timeout 300 -- "$top/build/bin/tests/vm/suspend"
