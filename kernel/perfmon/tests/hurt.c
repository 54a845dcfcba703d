// SPDX-License-Identifier: GPL-2.0
/*
 * For tests: delays where races are, and calls of perfmon.ko that fail. Parameters:
 *
 * after=FUNCTION ms=N, or us=N: each return from the function is delayed by that, in the context
 * in which it returns (interrupts off stay off), which makes the window behind it as wide:
 * tests/delays.
 * fail=FUNCTION nth=N: the Nth call of the function, which is perfmon.ko's or called by it,
 * does nothing and returns -ENOMEM. perfmon.ko is loaded after this module.
 * comm=NAME: only in threads of that name.
 * nmi=unmask: at each NMI this module's handler comes first, and unmasks the PMU's entry of the
 * local APIC. nmi=clear: and clears all overflows. nmi=stop: and stops all counters before, as
 * the handler of perf_events does while it has an event of Intel PT.
 * pt=1: the handler of perf_events finds that there is such an event.
 */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/nmi.h>

static char *after;
module_param(after, charp, 0);

static unsigned int ms = 50;
module_param(ms, uint, 0);

static unsigned int us;
module_param(us, uint, 0);

static char *fail;
module_param(fail, charp, 0);

static unsigned int nth = 1;
module_param(nth, uint, 0);

static char *comm;
module_param(comm, charp, 0);

static char *nmi;
module_param(nmi, charp, 0);

static bool pt;
module_param(pt, bool, 0);

/* Number of delays and failures made, for the test to check. */
static unsigned int hits;
module_param(hits, uint, 0444);

static bool is_meant(void)
{
	return !comm || !strcmp(current->comm, comm);
}

static int delay_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return !is_meant();
}

static int delay_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	hits++;
	if (us)
		udelay(us);
	else
		mdelay(ms);
	return 0;
}

static struct kretprobe delay = {
	.entry_handler	= delay_entry,
	.handler	= delay_return,
	.maxactive	= 64,
};

static const struct module *perfmon;

static noinline void do_nothing(void)
{
	barrier();
}

/* The return address is on top of the stack, where do_nothing() finds it. */
static int fail_call(struct kprobe *probe, struct pt_regs *regs)
{
	const unsigned long caller = *(unsigned long *)kernel_stack_pointer(regs);
	const unsigned long called = (unsigned long)probe->addr;
	static unsigned int calls;

	if (!is_meant() || !perfmon)
		return 0;
	if (!within_module(caller, perfmon) && !within_module(called, perfmon))
		return 0;
	if (++calls != nth)
		return 0;
	hits++;
	regs_set_return_value(regs, -ENOMEM);
	instruction_pointer_set(regs, (unsigned long)do_nothing);
	return 1;
}

static struct kprobe failure = { .pre_handler = fail_call };
static bool failure_is_there;

static int on_module(struct notifier_block *block, unsigned long state, void *data)
{
	const struct module *module = data;

	if (strcmp(module->name, "perfmon"))
		return NOTIFY_OK;
	perfmon = state == MODULE_STATE_GOING ? NULL : module;
	if (state == MODULE_STATE_COMING && !failure_is_there)
		failure_is_there = !register_kprobe(&failure);
	return NOTIFY_OK;
}

static struct notifier_block watch = { .notifier_call = on_module };

/* Since Linux 6.12 apic_write() is a patched call, which is not exported. */
static int on_nmi(unsigned int cmd, struct pt_regs *regs)
{
	u64 status;

	if (!(apic->read(APIC_LVTPC) & APIC_LVT_MASKED))
		return NMI_DONE;
	hits++;
	if (!strcmp(nmi, "stop"))
		wrmsrl(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	if (strcmp(nmi, "unmask")) {
		rdmsrl(MSR_CORE_PERF_GLOBAL_STATUS, status);
		wrmsrl(MSR_CORE_PERF_GLOBAL_OVF_CTRL, status);
	}
	apic->write(APIC_LVTPC, APIC_DM_NMI);
	return NMI_DONE;
}

/* From arch/x86/events/perf_event.h. */
#define X86_LBR_EXCLUSIVE_PT	2

typedef int pt_add_fn(unsigned int what);
typedef void pt_del_fn(unsigned int what);

/*
 * Functions of perf_events. A probe may begin behind the landing pad of indirect branches, which
 * a direct call does not need.
 */
DEFINE_STATIC_CALL_NULL(pt_add, pt_add_fn);
DEFINE_STATIC_CALL_NULL(pt_del, pt_del_fn);

static void *function(const char *name)
{
	struct kprobe probe = { .symbol_name = name };

	if (register_kprobe(&probe))
		return NULL;
	unregister_kprobe(&probe);
	return probe.addr;
}

static int __init pt_init(void)
{
	void *add = function("x86_add_exclusive"), *del = function("x86_del_exclusive");

	if (!add || !del)
		return -ENOENT;
	static_call_update(pt_add, add);
	static_call_update(pt_del, del);
	return static_call(pt_add)(X86_LBR_EXCLUSIVE_PT);
}

static int __init hurt_init(void)
{
	int err = 0;

	if (pt)
		return pt_init();
	if (nmi)
		err = register_nmi_handler(NMI_LOCAL, on_nmi, NMI_FLAG_FIRST, "hurt");
	if (err || nmi)
		return err;

	delay.kp.symbol_name = after;
	if (after)
		err = register_kretprobe(&delay);
	if (err || !fail)
		return err;
	failure.symbol_name = fail;
	failure_is_there = !register_kprobe(&failure);
	return register_module_notifier(&watch);
}
module_init(hurt_init);

static void __exit hurt_exit(void)
{
	if (pt)
		static_call(pt_del)(X86_LBR_EXCLUSIVE_PT);
	if (nmi)
		unregister_nmi_handler(NMI_LOCAL, "hurt");
	if (fail)
		unregister_module_notifier(&watch);
	if (failure_is_there)
		unregister_kprobe(&failure);
	if (after)
		unregister_kretprobe(&delay);
}
module_exit(hurt_exit);

MODULE_DESCRIPTION("delays and failures for tests of perfmon.ko");
MODULE_LICENSE("GPL");
