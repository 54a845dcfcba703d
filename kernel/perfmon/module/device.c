// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2 as a module: /dev/perfmon, whose ioctl is the system call, and the shorter way of
 * a context's own ioctl: no second descriptor, nothing to copy in but the elements.
 */
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/perfmon_host.h>
#include <linux/uaccess.h>
#include <uapi/perfmon.h>
#include "../dispatch.h"

static long pfm_device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct pfm_ioctl_call call;

	if (cmd != PFM_IOCTL_CALL)
		return -ENOTTY;
	if (copy_from_user(&call, (void __user *)arg, sizeof(call)))
		return -EFAULT;
	if (call.pad)
		return -EINVAL;
	/* An address that a 32-bit kernel cannot have is a bad one. */
	if (call.arg != (unsigned long)call.arg)
		return -EFAULT;
	return pfm_dispatch(call.fd, call.cmd, (void __user *)(unsigned long)call.arg, call.narg);
}

/**
 * pfm_context_ioctl() - A command, PFM_IOCTL_COMMAND(), on the descriptor of its context.
 * @file: the context's
 * @cmd: the command, with the number of elements
 * @arg: the elements
 *
 * Return: as perfmonctl(); -ENOTTY for a command that cannot come this way.
 *
 * Context: process context, no locks.
 */
long pfm_context_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd != PFM_IOCTL_COMMAND(_IOC_NR(cmd), _IOC_SIZE(cmd)))
		return -ENOTTY;
	return pfm_dispatch_context(file->private_data, _IOC_NR(cmd), (void __user *)arg,
				    _IOC_SIZE(cmd));
}

static const struct file_operations pfm_device_ops = {
	.owner		= THIS_MODULE,
	.open		= nonseekable_open,
	.unlocked_ioctl	= pfm_device_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
};

/* The administrator sets its owner, group and mode. */
static struct miscdevice pfm_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "perfmon",
	.mode	= 0600,
	.fops	= &pfm_device_ops,
};

/**
 * pfm_device_init() - Make /dev/perfmon.
 *
 * Return: 0 or an errno.
 */
int __init pfm_device_init(void)
{
	return misc_register(&pfm_device);
}

/**
 * pfm_device_exit() - Undo pfm_device_init(); the device is not in use.
 */
void pfm_device_exit(void)
{
	misc_deregister(&pfm_device);
}
