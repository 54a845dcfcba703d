// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registry of sampling buffer formats, and its part of sysfs.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/errno.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include "format.h"

/**
 * struct pfm_format - A registered format; also its directory in sysfs.
 * @list: in pfm_formats
 * @kobj: the directory, added once formats/ exists
 * @fmt: the format
 */
struct pfm_format {
	struct list_head	list;
	struct kobject		kobj;
	const pfm_buffer_fmt_t	*fmt;
};

static LIST_HEAD(pfm_formats);
/* Guards the list, and formats against leaving while they are looked up. */
static DEFINE_MUTEX(pfm_formats_mutex);
/* /sys/kernel/perfmon/formats; NULL until it is there. */
static struct kobject *pfm_formats_kobj;

/* sysfs waits for readers before it removes a directory, so the format still exists here. */
static ssize_t uuid_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const u8 *uuid = container_of(kobj, struct pfm_format, kobj)->fmt->fmt_uuid;

	return sysfs_emit(buf, "%pUb\n", uuid);
}

static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	u32 version = container_of(kobj, struct pfm_format, kobj)->fmt->fmt_version;

	return sysfs_emit(buf, "%u.%u\n", PFM_VERSION_MAJOR(version), PFM_VERSION_MINOR(version));
}

static struct kobj_attribute uuid_attr = __ATTR_RO(uuid);
static struct kobj_attribute version_attr = __ATTR_RO(version);

static struct attribute *pfm_format_attrs[] = {
	&uuid_attr.attr,
	&version_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(pfm_format);

static void pfm_format_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct pfm_format, kobj));
}

static struct kobj_type pfm_format_ktype = {
	.release	= pfm_format_release,
	.sysfs_ops	= &kobj_sysfs_ops,
	.default_groups	= pfm_format_groups,
};

static int pfm_format_publish(struct pfm_format *format)
{
	if (!pfm_formats_kobj)
		return 0;
	return kobject_add(&format->kobj, pfm_formats_kobj, "%s", format->fmt->fmt_name);
}

/**
 * pfm_formats_publish() - Show the formats in sysfs, present and future ones.
 * @top: /sys/kernel/perfmon
 *
 * Return: 0 or an errno.
 */
int pfm_formats_publish(struct kobject *top)
{
	struct pfm_format *format;
	int err;

	mutex_lock(&pfm_formats_mutex);
	pfm_formats_kobj = kobject_create_and_add("formats", top);
	err = pfm_formats_kobj ? 0 : -ENOMEM;
	list_for_each_entry(format, &pfm_formats, list) {
		if (!err)
			err = pfm_format_publish(format);
	}
	mutex_unlock(&pfm_formats_mutex);
	return err;
}

/**
 * pfm_formats_withdraw() - Undo pfm_formats_publish(); no format is registered.
 */
void pfm_formats_withdraw(void)
{
	kobject_put(pfm_formats_kobj);
	pfm_formats_kobj = NULL;
}

static struct pfm_format *pfm_format_find(const pfm_uuid_t uuid)
{
	struct pfm_format *format;

	lockdep_assert_held(&pfm_formats_mutex);
	list_for_each_entry(format, &pfm_formats, list) {
		if (!memcmp(format->fmt->fmt_uuid, uuid, sizeof(pfm_uuid_t)))
			return format;
	}
	return NULL;
}

/**
 * pfm_format_get() - Find a format and pin it.
 * @uuid: the format's UUID
 *
 * Return: the format, to be given back with pfm_format_put(), or NULL.
 *
 * Context: may sleep.
 */
const pfm_buffer_fmt_t *pfm_format_get(const pfm_uuid_t uuid)
{
	const pfm_buffer_fmt_t *fmt = NULL;
	struct pfm_format *format;

	mutex_lock(&pfm_formats_mutex);
	format = pfm_format_find(uuid);
	if (format && try_module_get(format->fmt->owner))
		fmt = format->fmt;
	mutex_unlock(&pfm_formats_mutex);
	return fmt;
}

/**
 * pfm_format_put() - Give a format back.
 * @fmt: the format, or NULL
 */
void pfm_format_put(const pfm_buffer_fmt_t *fmt)
{
	if (fmt)
		module_put(fmt->owner);
}

static bool pfm_format_valid(const pfm_buffer_fmt_t *fmt)
{
	return fmt && fmt->fmt_name && *fmt->fmt_name && fmt->fmt_handler &&
	       memchr_inv(fmt->fmt_uuid, 0, sizeof(fmt->fmt_uuid)) &&
	       !(fmt->fmt_flags & ~(PFM_FMTFL_NOSET | PFM_FMTFL_READER)) &&
	       fmt->fmt_msgq_depth <= PFM_FMT_MSGQ_DEPTH_MAX &&
	       fmt->fmt_arg_size <= PFM_FMT_ARG_SIZE_MAX;
}

/* With another contract, only the name can be relied on. */
static bool pfm_format_agrees(const pfm_buffer_fmt_t *fmt, u32 contract)
{
	if (contract == PFM_FMT_CONTRACT)
		return true;
	pr_err("sampling format %s was built for contract %u, this kernel has %u: build it again\n",
	       fmt && fmt->fmt_name ? fmt->fmt_name : "without a name", contract, PFM_FMT_CONTRACT);
	return false;
}

/**
 * __pfm_register_buffer_fmt() - pfm_register_buffer_fmt(), for a caller of a given contract.
 * @fmt: the format
 * @contract: the caller's PFM_FMT_CONTRACT
 *
 * Return: as pfm_register_buffer_fmt().
 *
 * Context: may sleep.
 */
int __pfm_register_buffer_fmt(const pfm_buffer_fmt_t *fmt, u32 contract)
{
	struct pfm_format *format;
	int err;

	if (!pfm_format_agrees(fmt, contract) || !pfm_format_valid(fmt))
		return -EINVAL;
	format = kzalloc(sizeof(*format), GFP_KERNEL);
	if (!format)
		return -ENOMEM;
	format->fmt = fmt;
	kobject_init(&format->kobj, &pfm_format_ktype);

	mutex_lock(&pfm_formats_mutex);
	err = pfm_format_find(fmt->fmt_uuid) ? -EEXIST : pfm_format_publish(format);
	if (!err)
		list_add_tail(&format->list, &pfm_formats);
	mutex_unlock(&pfm_formats_mutex);
	if (err)
		kobject_put(&format->kobj);
	return err == -EEXIST ? -EBUSY : err;
}
EXPORT_SYMBOL_GPL(__pfm_register_buffer_fmt);

/**
 * pfm_unregister_buffer_fmt() - Forget a format.
 * @uuid: its UUID; no context uses the format: the core pins the module while one does
 *
 * Return: 0; -EINVAL when there is no such format.
 *
 * Context: may sleep.
 */
int pfm_unregister_buffer_fmt(const pfm_uuid_t uuid)
{
	struct pfm_format *format;

	mutex_lock(&pfm_formats_mutex);
	format = pfm_format_find(uuid);
	if (format)
		list_del(&format->list);
	mutex_unlock(&pfm_formats_mutex);
	if (!format)
		return -EINVAL;
	kobject_del(&format->kobj);
	kobject_put(&format->kobj);
	return 0;
}
EXPORT_SYMBOL_GPL(pfm_unregister_buffer_fmt);
