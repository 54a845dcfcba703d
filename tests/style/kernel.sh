#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel part compiles without a warning of W=1 and of sparse.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

plan 1
if said=$("$here/../lint" kernel 2>&1) && grep -qxE '  kernel: [0-9]{3}, clean' <<<"$said"; then
	report there_is_no_warning_of_W1_and_sparse ok
else
	report there_is_no_warning_of_W1_and_sparse no "$said"
fi
finish
