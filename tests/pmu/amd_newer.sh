#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host needs=6.12 seconds=900 all
#
# The interface on AMD's PMU once more, on Linux 6.12.
exec "$(dirname "$0")/amd_interface.sh" 6.12
