// SPDX-License-Identifier: GPL-2.0
/*
 * Have code of a module run that can be sampled: `probed N` creates N contexts with the format for
 * tests, which is a module and must be loaded.
 */
#include <err.h>
#include <stdlib.h>
#include <unistd.h>

#include <perfmon.h>

#include "../../kernel/perfmon/tests/fmt_probe.h"
#include "../../tools/lib/perfmon_lib.h"

int main(int argc, char **argv)
{
	int left = argc > 1 ? atoi(argv[1]) : 0;

	while (left-- > 0) {
		struct {
			pfarg_ctx_t	context;
			pfm_probe_arg_t	probe;
		} create = {
			.context = { .ctx_fd = -1, .ctx_smpl_buf_id = PFM_PROBE_UUID },
			.probe = { .buf_size = 4096 },
		};

		if (perfmonctl(-1, PFM_CREATE_CONTEXT, &create, 1))
			err(1, "PFM_CREATE_CONTEXT");
		close(create.context.ctx_fd);
	}
	return 0;
}
