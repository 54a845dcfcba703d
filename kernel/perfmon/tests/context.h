/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: a context on a model of a PMU, for tests of functions that work on contexts.
 */
#ifndef _KERNEL_PERFMON_TESTS_CONTEXT_H
#define _KERNEL_PERFMON_TESTS_CONTEXT_H

#include <kunit/test.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include "../call.h"
#include "../context.h"
#include "../create.h"
#include "../pmu.h"
#include "../pmu_register.h"
#include "pin.h"

struct pfm_test_context {
	const struct pfm_pmu	*before;
	struct file		*file;
	struct pfm_context	*ctx;
};

/*
 * Make @pmu the machine's PMU, and test->priv a context, which is not loaded but can count as a
 * session does.
 */
static inline int pfm_test_context_init(struct kunit *test, const struct pfm_pmu *pmu)
{
	struct pfm_test_context *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	pfarg_ctx_t req = { };
	struct pfm_call call = { .args = &req, .n = 1 };
	int err;

	if (!s)
		return -ENOMEM;
	test->priv = s;
	s->before = pfm_pmu_use(pmu);
	pfm_test_pin(true);
	err = pfm_create_context(&call);
	if (err)
		return err;
	put_unused_fd(call.new_fd);
	s->file = call.new_file;
	s->ctx = s->file->private_data;
	s->ctx->share = PFM_KEEPS;
	return 0;
}

static inline void pfm_test_context_exit(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;

	if (!s)
		return;
	if (s->file) {
		filp_close(get_file(s->file), NULL);
		__fput_sync(s->file);
	}
	pfm_pmu_use(s->before);
	pfm_test_pin(false);
}

/* Run a command with one element, which succeeds. */
static inline void pfm_test_command(struct kunit *test, int (*handler)(struct pfm_call *call),
				    void *args)
{
	struct pfm_test_context *s = test->priv;
	struct pfm_call call = { .ctx = s->ctx, .args = args, .n = 1 };

	mutex_lock(&s->ctx->lock);
	KUNIT_EXPECT_EQ(test, handler(&call), 0);
	mutex_unlock(&s->ctx->lock);
}

#endif /* _KERNEL_PERFMON_TESTS_CONTEXT_H */
