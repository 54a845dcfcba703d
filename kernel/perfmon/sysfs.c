// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: /sys/kernel/perfmon. Documentation/ABI/testing/sysfs-kernel-perfmon
 * describes every file.
 */
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/perfmon_host.h>
#include <linux/slab.h>
#include <linux/stringify.h>
#include <linux/sysfs.h>
#include "config.h"
#include "format.h"
#include "pmu.h"
#include "sessions.h"
#include "set_switch.h"
#include "stats.h"
#include "throttle.h"

#define PFM_ATTR(_name, fmt, expr)						\
static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr,	\
			    char *buf)						\
{										\
	return sysfs_emit(buf, fmt "\n", expr);					\
}										\
static struct kobj_attribute _name##_attr = __ATTR_RO(_name)

PFM_ATTR(version, "%s", __stringify(PFM_VERSION_MAJ) "." __stringify(PFM_VERSION_MIN));

static struct attribute *pfm_attrs[] = {
	&version_attr.attr,
	NULL
};

static const struct attribute_group pfm_group = { .attrs = pfm_attrs };

/* sessions/ */

static unsigned int pfm_session_count(bool system_wide)
{
	unsigned int threads, cpus;

	pfm_session_counts(&threads, &cpus);
	return system_wide ? cpus : threads;
}

PFM_ATTR(thread, "%u", pfm_session_count(false));
PFM_ATTR(system, "%u", pfm_session_count(true));

static struct attribute *pfm_sessions_attrs[] = {
	&thread_attr.attr,
	&system_attr.attr,
	NULL
};

static const struct attribute_group pfm_sessions_group = {
	.name = "sessions", .attrs = pfm_sessions_attrs,
};

/* limits/: the limits that PFM_GET_CONFIG reports. */

static ssize_t pfm_emit_gid(char *buf, kgid_t gid)
{
	return gid_valid(gid) ? sysfs_emit(buf, "%u\n", pfm_gid_to_user(gid)) :
				sysfs_emit(buf, "any\n");
}

static ssize_t sys_gid_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return pfm_emit_gid(buf, pfm_limits_get().sys_gid);
}

static ssize_t thread_gid_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return pfm_emit_gid(buf, pfm_limits_get().thread_gid);
}

PFM_ATTR(arg_size_max, "%llu", pfm_limits_get().arg_size_max);
PFM_ATTR(smpl_buf_size_max, "%llu", pfm_limits_get().smpl_buf_size_max);

/* Limits that only exist here: root may change them. */
#define PFM_LIMIT(_name, var, min, max)						\
static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr,	\
			    char *buf)						\
{										\
	return sysfs_emit(buf, "%u\n", READ_ONCE(var));				\
}										\
static ssize_t _name##_store(struct kobject *kobj, struct kobj_attribute *attr,	\
			     const char *buf, size_t count)			\
{										\
	return pfm_store_limit(&(var), (min), (max), buf, count);		\
}										\
static struct kobj_attribute _name##_attr = __ATTR_RW(_name)

static ssize_t pfm_store_limit(unsigned int *var, unsigned int min, unsigned int max,
			       const char *buf, size_t count)
{
	unsigned int value;
	int err = kstrtouint(buf, 0, &value);

	if (err)
		return err;
	if (value < min || value > max)
		return -EINVAL;
	WRITE_ONCE(*var, value);
	return count;
}

/*
 * Least values: one interrupt in each window of 10 ms; one per cent; the timer's own overhead.
 * 100 per cent is no bound.
 */
PFM_LIMIT(interrupt_rate_max, pfm_interrupt_rate_max, 100, UINT_MAX);
PFM_LIMIT(cpu_time_max_percent, pfm_cpu_time_max_percent, 1, 100);
PFM_LIMIT(switch_timeout_min_ns, pfm_timeout_min_ns, 10000, UINT_MAX);

static const char * const pfm_pause_names[] = {
	[PFM_PAUSE_ANY]		= "any",
	[PFM_PAUSE_CAPABLE]	= "capable",
	[PFM_PAUSE_NEVER]	= "never",
};

static ssize_t watchdog_pause_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", pfm_pause_names[READ_ONCE(pfm_watchdog_pause_by)]);
}

static ssize_t watchdog_pause_store(struct kobject *kobj, struct kobj_attribute *attr,
				    const char *buf, size_t count)
{
	int by = sysfs_match_string(pfm_pause_names, buf);

	if (by < 0)
		return by;
	WRITE_ONCE(pfm_watchdog_pause_by, by);
	return count;
}

static struct kobj_attribute watchdog_pause_attr = __ATTR_RW(watchdog_pause);
static struct kobj_attribute sys_gid_attr = __ATTR_RO(sys_gid);
static struct kobj_attribute thread_gid_attr = __ATTR_RO(thread_gid);

static struct attribute *pfm_limits_attrs[] = {
	&arg_size_max_attr.attr,
	&smpl_buf_size_max_attr.attr,
	&sys_gid_attr.attr,
	&thread_gid_attr.attr,
	&interrupt_rate_max_attr.attr,
	&cpu_time_max_percent_attr.attr,
	&switch_timeout_min_ns_attr.attr,
	&watchdog_pause_attr.attr,
	NULL
};

static const struct attribute_group pfm_limits_group = {
	.name = "limits", .attrs = pfm_limits_attrs,
};

/* stats/: one file per counter of PFM_STATS. */

#define X(_name, help) PFM_ATTR(_name, "%llu", pfm_stats_sum(offsetof(struct pfm_stats, _name)));
PFM_STATS(X)
#undef X

static struct attribute *pfm_stats_attrs[] = {
#define X(_name, help) &_name##_attr.attr,
	PFM_STATS(X)
#undef X
	NULL
};

static const struct attribute_group pfm_stats_group = {
	.name = "stats", .attrs = pfm_stats_attrs,
};

static const struct attribute_group *pfm_groups[] = {
	&pfm_group, &pfm_sessions_group, &pfm_limits_group, &pfm_stats_group, NULL
};

/* pmu/: the machine's PMU, and a directory per logical register. */

PFM_ATTR(model, "%s", pfm_pmu->name);
PFM_ATTR(counter_width, "%u", pfm_pmu->counter_width);

static ssize_t core_types_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct pfm_core_type *type;
	int n = 0;

	for (type = pfm_pmu->core_types; type->name; type++) {
		if (!cpumask_empty(type->cpus))
			n += sysfs_emit_at(buf, n, "%s %*pbl\n", type->name,
					   cpumask_pr_args(type->cpus));
	}
	return n;
}

static struct kobj_attribute core_types_attr = __ATTR_RO(core_types);

static struct attribute *pfm_pmu_attrs[] = {
	&model_attr.attr,
	&counter_width_attr.attr,
	&core_types_attr.attr,
	NULL
};

/* core_types exists on hybrid processors only. */
static umode_t pfm_pmu_attr_mode(struct kobject *kobj, struct attribute *attr, int n)
{
	return attr != &core_types_attr.attr || pfm_pmu->core_types ? attr->mode : 0;
}

static const struct attribute_group pfm_pmu_group = {
	.attrs = pfm_pmu_attrs, .is_visible = pfm_pmu_attr_mode,
};

struct pfm_reg_kobj {
	struct kobject			kobj;
	struct list_head		list;
	const struct pfm_reg_desc	*desc;
};

static const char * const pfm_type_names[] = {
	[PFM_REG_TYPE_PMC]	= "PMC",
	[PFM_REG_TYPE_PMD]	= "PMD",
	[PFM_REG_TYPE_MSR]	= "MSR",
	[PFM_REG_TYPE_SPR]	= "SPR",
	[PFM_REG_TYPE_IBR]	= "IBR",
	[PFM_REG_TYPE_DBR]	= "DBR",
	[PFM_REG_TYPE_SOFT]	= "SOFT",
};

#define PFM_REG_ATTR(_name, fmt, expr)						\
static ssize_t reg_##_name##_show(struct kobject *kobj, struct kobj_attribute *attr, \
				  char *buf)					\
{										\
	const struct pfm_reg_desc *desc =					\
		container_of(kobj, struct pfm_reg_kobj, kobj)->desc;		\
										\
	return sysfs_emit(buf, fmt "\n", expr);					\
}										\
static struct kobj_attribute reg_##_name##_attr =				\
	__ATTR(_name, 0444, reg_##_name##_show, NULL)

PFM_REG_ATTR(name, "%s", desc->name);
PFM_REG_ATTR(type, "%s", pfm_type_names[desc->type]);
PFM_REG_ATTR(address, "0x%llx", desc->addr);
PFM_REG_ATTR(default, "0x%llx", desc->def);
PFM_REG_ATTR(reserved, "0x%llx", desc->rsvd);
PFM_REG_ATTR(width, "%u", desc->width);

static struct attribute *pfm_reg_attrs[] = {
	&reg_name_attr.attr,
	&reg_type_attr.attr,
	&reg_address_attr.attr,
	&reg_default_attr.attr,
	&reg_reserved_attr.attr,
	&reg_width_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(pfm_reg);

static void pfm_reg_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct pfm_reg_kobj, kobj));
}

static const struct kobj_type pfm_reg_ktype = {
	.release	= pfm_reg_release,
	.sysfs_ops	= &kobj_sysfs_ops,
	.default_groups	= pfm_reg_groups,
};

static LIST_HEAD(pfm_reg_kobjs);

static int __init pfm_sysfs_add_reg(struct kobject *parent, const char *prefix,
				    const struct pfm_reg_desc *desc, unsigned int index)
{
	struct pfm_reg_kobj *reg;
	int err;

	if (!desc->name)
		return 0;
	reg = kzalloc(sizeof(*reg), GFP_KERNEL);
	if (!reg)
		return -ENOMEM;
	reg->desc = desc;
	err = kobject_init_and_add(&reg->kobj, (struct kobj_type *)&pfm_reg_ktype,
				   parent, "%s%u", prefix, index);
	if (err)
		kobject_put(&reg->kobj);
	else
		list_add(&reg->list, &pfm_reg_kobjs);
	return err;
}

static int __init pfm_sysfs_add_regs(struct kobject *pmu)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < pfm_pmu->num_pmcs && !err; i++)
		err = pfm_sysfs_add_reg(pmu, "pmc", &pfm_pmu->pmcs[i], i);
	for (i = 0; i < pfm_pmu->num_pmds && !err; i++)
		err = pfm_sysfs_add_reg(pmu, "pmd", &pfm_pmu->pmds[i], i);
	for (i = PFM_VIRTUAL_PMD; i < PFM_VIRTUAL_PMD + PFM_NUM_VIRTUAL_PMDS && !err; i++)
		err = pfm_sysfs_add_reg(pmu, "pmd", pfm_virtual_desc(i), i);
	return err;
}

static struct kobject *pfm_top_kobj, *pfm_pmu_kobj;

/**
 * pfm_sysfs_exit() - Undo pfm_sysfs_init(), or as much as it did; no format is registered.
 */
void pfm_sysfs_exit(void)
{
	struct pfm_reg_kobj *reg, *next;

	list_for_each_entry_safe(reg, next, &pfm_reg_kobjs, list)
		kobject_put(&reg->kobj);
	kobject_put(pfm_pmu_kobj);
	pfm_formats_withdraw();
	kobject_put(pfm_top_kobj);
}

static int __init pfm_sysfs_fill(void)
{
	int err = pfm_formats_publish(pfm_top_kobj);

	if (err)
		return err;
	pfm_pmu_kobj = kobject_create_and_add("pmu", pfm_top_kobj);
	if (!pfm_pmu_kobj)
		return -ENOMEM;
	err = sysfs_create_groups(pfm_top_kobj, pfm_groups);
	if (!err)
		err = sysfs_create_group(pfm_pmu_kobj, &pfm_pmu_group);
	if (!err)
		err = pfm_sysfs_add_regs(pfm_pmu_kobj);
	return err;
}

/**
 * pfm_sysfs_init() - Show everything, or else nothing.
 *
 * Runs after the registration of the PMU.
 *
 * Return: 0 or an errno.
 */
int __init pfm_sysfs_init(void)
{
	int err;

	pfm_top_kobj = kobject_create_and_add("perfmon", kernel_kobj);
	if (!pfm_top_kobj)
		return -ENOMEM;
	err = pfm_sysfs_fill();
	if (err)
		pfm_sysfs_exit();
	return err;
}
pfm_initcall(late, pfm_sysfs_init);
