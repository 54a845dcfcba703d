// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the system calls.
 */
#include <linux/syscalls.h>
#include <uapi/perfmon.h>
#include "dispatch.h"

SYSCALL_DEFINE4(perfmonctl, int, fd, int, cmd, void __user *, arg, int, narg)
{
	return pfm_dispatch(fd, cmd, arg, narg);
}

/*
 * The second form of the commands: a system call for each. Arguments that are fixed in the
 * first form, such as a number of arguments that can only be one, are left out.
 */

SYSCALL_DEFINE2(pfm_create_context, void __user *, arg, int, narg)
{
	return pfm_dispatch(-1, PFM_CREATE_CONTEXT, arg, narg);
}

SYSCALL_DEFINE3(pfm_write_pmcs, int, fd, void __user *, arg, int, narg)
{
	return pfm_dispatch(fd, PFM_WRITE_PMCS, arg, narg);
}

SYSCALL_DEFINE3(pfm_write_pmds, int, fd, void __user *, arg, int, narg)
{
	return pfm_dispatch(fd, PFM_WRITE_PMDS, arg, narg);
}

SYSCALL_DEFINE3(pfm_read_pmds, int, fd, void __user *, arg, int, narg)
{
	return pfm_dispatch(fd, PFM_READ_PMDS, arg, narg);
}

SYSCALL_DEFINE2(pfm_getinfo_pmcs, void __user *, arg, int, narg)
{
	return pfm_dispatch(-1, PFM_GETINFO_PMCS, arg, narg);
}

SYSCALL_DEFINE2(pfm_getinfo_pmds, void __user *, arg, int, narg)
{
	return pfm_dispatch(-1, PFM_GETINFO_PMDS, arg, narg);
}

SYSCALL_DEFINE2(pfm_start, int, fd, void __user *, arg)
{
	return pfm_dispatch(fd, PFM_START, arg, arg ? 1 : 0);
}

SYSCALL_DEFINE1(pfm_stop, int, fd)
{
	return pfm_dispatch(fd, PFM_STOP, NULL, 0);
}

SYSCALL_DEFINE2(pfm_load_context, int, fd, void __user *, arg)
{
	return pfm_dispatch(fd, PFM_LOAD_CONTEXT, arg, 1);
}

SYSCALL_DEFINE1(pfm_unload_context, int, fd)
{
	return pfm_dispatch(fd, PFM_UNLOAD_CONTEXT, NULL, 0);
}

SYSCALL_DEFINE1(pfm_restart, int, fd)
{
	return pfm_dispatch(fd, PFM_RESTART, NULL, 0);
}

SYSCALL_DEFINE3(pfm_create_evtsets, int, fd, void __user *, arg, int, narg)
{
	return pfm_dispatch(fd, PFM_CREATE_EVTSETS, arg, narg);
}

SYSCALL_DEFINE3(pfm_delete_evtsets, int, fd, void __user *, arg, int, narg)
{
	return pfm_dispatch(fd, PFM_DELETE_EVTSETS, arg, narg);
}

SYSCALL_DEFINE3(pfm_getinfo_evtsets, int, fd, void __user *, arg, int, narg)
{
	return pfm_dispatch(fd, PFM_GETINFO_EVTSETS, arg, narg);
}

SYSCALL_DEFINE1(pfm_get_config, void __user *, arg)
{
	return pfm_dispatch(-1, PFM_GET_CONFIG, arg, 1);
}

SYSCALL_DEFINE1(pfm_set_config, void __user *, arg)
{
	return pfm_dispatch(-1, PFM_SET_CONFIG, arg, 1);
}
