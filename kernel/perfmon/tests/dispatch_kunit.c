// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the commands that come by a context's own file, as the module's do.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <uapi/perfmon.h>
#include "../dispatch.h"
#include "context.h"
#include "model.h"

static const struct pfm_pmu_ops model_ops = {
	.acquire	= pfm_model_acquire,
	.release	= pfm_model_nothing,
};

static const struct pfm_pmu model_pmu = PFM_MODEL(&model_ops);

static int dispatch_test_init(struct kunit *test)
{
	return pfm_test_context_init(test, &model_pmu);
}

struct dispatch_call {
	int	cmd;
	int	narg;
	int	result;
};

static void a_contexts_file_takes_the_commands_of_a_context(struct kunit *test)
{
	static const struct dispatch_call calls[] = {
		/* There are no such commands. */
		{ -1, 0, -ENOTTY }, { 0, 0, -ENOTTY }, { 0xff, 0, -ENOTTY },
		/* These have no context. */
		{ PFM_CREATE_CONTEXT, 0, -ENOTTY }, { PFM_GET_CONFIG, 0, -ENOTTY },
		/* This needs the number of the descriptor. */
		{ PFM_LOAD_CONTEXT, 1, -ENOTTY },
		/* The argument is checked before the state. */
		{ PFM_STOP, 1, -EINVAL }, { PFM_WRITE_PMDS, 0, -EINVAL },
		{ PFM_STOP, 0, -EBUSY }, { PFM_UNLOAD_CONTEXT, 0, -EBUSY },
	};
	struct pfm_test_context *s = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		KUNIT_EXPECT_EQ_MSG(test, pfm_dispatch_context(s->ctx, calls[i].cmd, NULL,
							       calls[i].narg),
				    (long)calls[i].result, "command %d", calls[i].cmd);
}

static struct kunit_case dispatch_cases[] = {
	KUNIT_CASE(a_contexts_file_takes_the_commands_of_a_context),
	{ }
};

static struct kunit_suite dispatch_suite = {
	.name = "perfmon_dispatch",
	.init = dispatch_test_init,
	.exit = pfm_test_context_exit,
	.test_cases = dispatch_cases,
};

kunit_test_suite(dispatch_suite);
