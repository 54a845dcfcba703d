// SPDX-License-Identifier: GPL-2.0
/* One typed function for each command. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "backend.h"

/* The smallest limit that the interface allows for one vector, in bytes. */
#define ARG_SIZE_MIN	4096

int perfmon_create_context(pfarg_ctx_t *ctx)
{
	int error;

	if (perfmonctl(0, PFM_CREATE_CONTEXT, ctx, 1))
		return -1;
	/*
	 * A monitored command that inherits the descriptor would count as a
	 * controller of its own context, and then its end is not announced.
	 */
	if (fcntl(ctx->ctx_fd, F_SETFD, FD_CLOEXEC)) {
		error = errno;
		perfmon_close(ctx->ctx_fd);
		errno = error;
		return -1;
	}
	return ctx->ctx_fd;
}

/*
 * A vector in pieces that the kernel accepts. The pieces fit the limit's lower bound,
 * so no administrator's setting can make a call fail with E2BIG.
 */
static int vector_command(int fd, int cmd, void *arg, int narg, size_t element)
{
	const int most = (int)(ARG_SIZE_MIN / element);
	char *at = arg;
	int n;

	if (narg <= 0) /* the kernel refuses it */
		return perfmonctl(fd, cmd, arg, narg);

	for (; narg > 0; narg -= n, at += (size_t)n * element) {
		n = narg < most ? narg : most;
		if (perfmonctl(fd, cmd, at, n))
			return -1;
	}
	return 0;
}

int perfmon_write_pmcs(int fd, pfarg_pmc_t *pmcs, int n)
{
	return vector_command(fd, PFM_WRITE_PMCS, pmcs, n, sizeof(*pmcs));
}

int perfmon_write_pmds(int fd, pfarg_pmd_t *pmds, int n)
{
	return vector_command(fd, PFM_WRITE_PMDS, pmds, n, sizeof(*pmds));
}

int perfmon_read_pmds(int fd, pfarg_pmd_t *pmds, int n)
{
	return vector_command(fd, PFM_READ_PMDS, pmds, n, sizeof(*pmds));
}

int perfmon_create_evtsets(int fd, pfarg_setdesc_t *sets, int n)
{
	return vector_command(fd, PFM_CREATE_EVTSETS, sets, n, sizeof(*sets));
}

int perfmon_delete_evtsets(int fd, pfarg_setdesc_t *sets, int n)
{
	return vector_command(fd, PFM_DELETE_EVTSETS, sets, n, sizeof(*sets));
}

int perfmon_getinfo_evtsets(int fd, pfarg_setinfo_t *sets, int n)
{
	return vector_command(fd, PFM_GETINFO_EVTSETS, sets, n, sizeof(*sets));
}

/* Set identifiers have 16 bits: a larger one is no set, and not another one. */
static bool is_set_id(unsigned int set)
{
	if (set <= UINT16_MAX)
		return true;
	errno = EINVAL;
	return false;
}

int perfmon_load(int fd, pid_t tid)
{
	return perfmon_load_set(fd, tid, 0);
}

int perfmon_load_set(int fd, pid_t tid, unsigned int set)
{
	pfarg_load_t load;

	if (!is_set_id(set))
		return -1;
	memset(&load, 0, sizeof(load));
	load.load_pid = tid;
	load.load_set = (__u16)set;
	return perfmonctl(fd, PFM_LOAD_CONTEXT, &load, 1);
}

int perfmon_unload(int fd)
{
	return perfmonctl(fd, PFM_UNLOAD_CONTEXT, NULL, 0);
}

int perfmon_start(int fd)
{
	return perfmonctl(fd, PFM_START, NULL, 0);
}

int perfmon_start_set(int fd, unsigned int set)
{
	pfarg_start_t start;

	if (!is_set_id(set))
		return -1;
	start.start_set = (__u16)set;
	return perfmonctl(fd, PFM_START, &start, 1);
}

int perfmon_stop(int fd)
{
	return perfmonctl(fd, PFM_STOP, NULL, 0);
}

int perfmon_restart(int fd)
{
	return perfmonctl(fd, PFM_RESTART, NULL, 0);
}

int perfmon_getinfo_pmcs(pfarg_pmcinfo_t *pmcs, int n)
{
	return vector_command(0, PFM_GETINFO_PMCS, pmcs, n, sizeof(*pmcs));
}

int perfmon_getinfo_pmds(pfarg_pmdinfo_t *pmds, int n)
{
	return vector_command(0, PFM_GETINFO_PMDS, pmds, n, sizeof(*pmds));
}

int perfmon_get_config(pfarg_config_t *config)
{
	return perfmonctl(0, PFM_GET_CONFIG, config, 1);
}

int perfmon_set_config(pfarg_config_t *config)
{
	return perfmonctl(0, PFM_SET_CONFIG, config, 1);
}

int perfmon_read_message(int fd, pfm_msg_t *msg)
{
	return perfmon_this_backend()->read_message(fd, msg);
}

void *perfmon_map_buffer(int fd, size_t size)
{
	return perfmon_this_backend()->map_buffer(fd, size);
}

int perfmon_sync_buffer(int fd)
{
	return perfmon_this_backend()->sync_buffer(fd);
}

int perfmon_read_fdinfo(int fd, char *buf, size_t size)
{
	if (!size) {
		errno = EINVAL;
		return -1;
	}
	return perfmon_this_backend()->read_fdinfo(fd, buf, size);
}

int perfmon_close(int fd)
{
	return perfmon_this_backend()->close(fd);
}

const char *perfmon_backend(void)
{
	return perfmon_this_backend()->name;
}

bool perfmon_in_kernel(void)
{
	return perfmon_this_backend()->in_kernel;
}

const char *perfmon_version(void)
{
	return PERFMON_VERSION;
}
