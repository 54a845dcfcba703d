// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: perfmonctl() on the model of the Itanium, by the core itself, for KUnit.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/irqflags.h>
#include <linux/sched/task_stack.h>
#include "../../../../kernel/perfmon/tests/pin.h"
#include "driver.h"

int pfm_driver_init(struct kunit *test, const struct pfm_ita_model *what)
{
	struct pfm_driver *d = kunit_kzalloc(test, sizeof(*d), GFP_KERNEL);
	const struct pfm_pmu *pmu = pfm_ita_use(what);

	if (!d)
		return -ENOMEM;
	kunit_info(test, "machine: %s, register model\n", pmu->name);
	test->priv = d;
	pfm_model_use(&d->model, what);
	d->self = pfm_model_add_task(current, false);
	pfm_model_enter_user(d->self);
	d->before = pfm_pmu_use(pmu);
	/* The model has one CPU. */
	pfm_test_pin(true);
	return 0;
}

void pfm_driver_exit(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	if (!d)
		return;
	pfm_do_close(d);
	KUNIT_EXPECT_FALSE(test, d->model.unserialized);
	pfm_pmu_use(d->before);
	pfm_model_use(NULL, NULL);
}

/* A command whose handler needs the context's lock. */
static int locked_call(struct pfm_driver *d, int (*handler)(struct pfm_call *call),
		       void *args, unsigned int n)
{
	struct pfm_call call = { .ctx = d->ctx, .args = args, .n = n };
	int err;

	pfm_model_interruption();
	mutex_lock(&d->ctx->lock);
	err = handler(&call);
	mutex_unlock(&d->ctx->lock);
	pfm_model_rfi();
	return err;
}

int pfm_do_create(struct pfm_driver *d, u32 flags)
{
	pfarg_ctx_t req = { .ctx_flags = flags };
	struct pfm_call call = { .args = &req, .n = 1 };
	int err;

	pfm_model_interruption();
	err = pfm_create_context(&call);
	pfm_model_rfi();
	if (err)
		return err;
	put_unused_fd(call.new_fd);
	d->file = call.new_file;
	d->ctx = d->file->private_data;
	return 0;
}

int pfm_do_evtset(struct pfm_driver *d, u16 set, u32 flags)
{
	pfarg_setdesc_t req = { .set_id = set, .set_flags = flags };

	return locked_call(d, pfm_create_evtsets, &req, 1);
}

int pfm_do_pmcs(struct pfm_driver *d, pfarg_pmc_t *req, unsigned int n)
{
	return locked_call(d, pfm_write_pmcs, req, n);
}

int pfm_do_pmc(struct pfm_driver *d, u16 set, u16 pmc, u64 value)
{
	pfarg_pmc_t req = { .reg_num = pmc, .reg_set = set, .reg_value = value };

	return pfm_do_pmcs(d, &req, 1);
}

int pfm_do_pmd(struct pfm_driver *d, u16 set, u16 pmd, u64 value)
{
	pfarg_pmd_t req = { .reg_num = pmd, .reg_set = set, .reg_value = value };

	return locked_call(d, pfm_write_pmds, &req, 1);
}

u64 pfm_do_read(struct pfm_driver *d, u16 set, u16 pmd)
{
	pfarg_pmd_t req = { .reg_num = pmd, .reg_set = set };

	return locked_call(d, pfm_read_pmds, &req, 1) ? ~0ULL : req.reg_value;
}

int pfm_do_load(struct pfm_driver *d)
{
	pfarg_load_t req = { .load_pid = task_pid_vnr(current) };
	struct pfm_call call = { .ctx = d->ctx, .args = &req, .n = 1 };
	int err;

	pfm_model_interruption();
	err = pfm_load_context(&call);
	pfm_model_rfi();
	return err;
}

int pfm_do_start(struct pfm_driver *d)
{
	return locked_call(d, pfm_start, NULL, 0);
}

int pfm_do_start_set(struct pfm_driver *d, u16 set)
{
	pfarg_start_t req = { .start_set = set };

	return locked_call(d, pfm_start, &req, 1);
}

int pfm_do_stop(struct pfm_driver *d)
{
	return locked_call(d, pfm_stop, NULL, 0);
}

int pfm_do_unload(struct pfm_driver *d)
{
	return locked_call(d, pfm_unload_context, NULL, 0);
}

void pfm_do_close(struct pfm_driver *d)
{
	if (!d->file)
		return;
	pfm_model_interruption();
	/* As close() of the last descriptor does: flush, then release, before it returns. */
	filp_close(get_file(d->file), NULL);
	__fput_sync(d->file);
	pfm_model_rfi();
	d->file = NULL;
	d->ctx = NULL;
}

void pfm_do_interrupt(struct pfm_driver *d)
{
	unsigned long flags;

	pfm_model_interruption();
	local_irq_save(flags);
	pfm_pmu_interrupt(task_pt_regs(current));
	local_irq_restore(flags);
	pfm_model_rfi();
}
