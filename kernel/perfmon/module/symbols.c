// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2 as a module: functions that the kernel has and does not export.
 *
 * kallsyms_lookup_name() is found by a kprobe, which takes a name, and finds the rest.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/perfmon_host.h>
#include <linux/printk.h>

DEFINE_STATIC_CALL_NULL(pfm_kallsyms_lookup_name, kallsyms_lookup_name);

#undef free_uid
#undef perf_callchain_kernel
#undef perf_callchain_user
#undef ptrace_may_access
#undef task_call_func
#undef task_curr
#undef task_work_add
#undef task_work_cancel_match
#undef security_perf_event_open
#define X(name) DEFINE_STATIC_CALL_NULL(pfm_##name, name);
PFM_SYMBOLS(X)
PFM_UNWINDER_SYMBOLS(X)
#undef X

bool pfm_unwinders_found;
int *pfm_perf_event_paranoid;

static int __init pfm_symbols_begin(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	int err = register_kprobe(&probe);

	if (err) {
		pr_err("cannot find the kernel's functions (%d): it needs CONFIG_KPROBES and CONFIG_KALLSYMS, and no lockdown\n",
		       err);
		return err;
	}
	/* Perhaps after the landing pad of indirect branches, which a direct call does not need. */
	static_call_update(pfm_kallsyms_lookup_name, (void *)probe.addr);
	unregister_kprobe(&probe);
	return 0;
}

static void * __init pfm_symbol(const char *name)
{
	void *symbol = (void *)static_call(pfm_kallsyms_lookup_name)(name);

	if (!symbol)
		pr_err("this kernel has no %s, which perfmon needs: is it newer than perfmon knows?\n",
		       name);
	return symbol;
}

static void __init pfm_unwinders_find(void)
{
	void *symbol;

#define X(name)									\
	symbol = (void *)static_call(pfm_kallsyms_lookup_name)(#name);		\
	if (!symbol) {								\
		pr_info("this kernel has no %s: no call chains\n", #name);	\
		return;								\
	}									\
	static_call_update(pfm_##name, symbol);
	PFM_UNWINDER_SYMBOLS(X)
#undef X
	pfm_unwinders_found = true;
}

/**
 * pfm_symbols_init() - Find all symbols.
 *
 * Return: 0; -ENOENT when a symbol is missing that perfmon cannot do without, which the log
 * names.
 */
int __init pfm_symbols_init(void)
{
	void *symbol;
	int err = pfm_symbols_begin();

	if (err)
		return err;
#define X(name)						\
	symbol = pfm_symbol(#name);			\
	if (!symbol)					\
		return -ENOENT;				\
	static_call_update(pfm_##name, symbol);
	PFM_SYMBOLS(X)
#undef X
	pfm_unwinders_find();
	pfm_perf_event_paranoid = pfm_symbol("sysctl_perf_event_paranoid");
	return pfm_perf_event_paranoid ? 0 : -ENOENT;
}
