#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The interface on POWER9 again, on Linux 6.12.
exec "$(dirname "$0")/guests.sh" 6.12
