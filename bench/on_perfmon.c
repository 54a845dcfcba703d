// SPDX-License-Identifier: GPL-2.0
/*
 * The bench: the perfmon side: one context on the calling thread, by the system call or by
 * /dev/perfmon.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <perfmon.h>
#include <perfmon_compact_smpl.h>
#include <perfmon_default_smpl.h>
#include <perfmon_hist_smpl.h>
#include <perfmon_ring_smpl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bench.h"

/* PERFEVTSEL: user, kernel, enable. */
#define EVENTSEL_ON	0x430000

static int fd;
static pfarg_pmd_t pmds[MAX_COUNTERS];

/* /dev/perfmon, where perfmon is a module: used in the same way as by libperfmon. */
static int device = -1;

static int device_call(int cmd, void *arg, int n)
{
	struct pfm_ioctl_call all = {
		.fd = fd, .cmd = cmd, .arg = (uintptr_t)arg, .narg = n,
	};

	if (cmd == PFM_READ_PMDS || cmd == PFM_START || cmd == PFM_STOP)
		return ioctl(fd, PFM_IOCTL_COMMAND(cmd, n), arg);
	return ioctl(device, PFM_IOCTL_CALL, &all);
}

void perfmon_find(void)
{
	if (!syscall(__NR_perfmonctl, -1, -1, NULL, 0) || errno != ENOSYS)
		return;
	device = open("/dev/perfmon", O_RDWR | O_CLOEXEC);
	if (device < 0)
		bench_die("/dev/perfmon");
}

static void call(int cmd, void *arg, int n)
{
	if (device < 0 ? syscall(__NR_perfmonctl, fd, cmd, arg, n) : device_call(cmd, arg, n))
		bench_die("perfmonctl() command %#x", cmd);
}

static void load_start(void)
{
	pfarg_load_t load = { .load_pid = gettid() };

	call(PFM_LOAD_CONTEXT, &load, 1);
	call(PFM_START, NULL, 0);
}

/* A session of @n counters on the calling thread, or on its CPU. */
static void open_session(uint32_t flags, int n)
{
	pfarg_pmc_t pmcs[MAX_COUNTERS] = { };
	pfarg_ctx_t ctx = { .ctx_flags = flags };
	int i;

	call(PFM_CREATE_CONTEXT, &ctx, 1);
	fd = ctx.ctx_fd;
	for (i = 0; i < n; i++) {
		pmcs[i].reg_num = i;
		pmcs[i].reg_value = EVENTSEL_ON | bench_events[i];
		pmds[i].reg_num = i;
	}
	call(PFM_WRITE_PMCS, pmcs, n);
	load_start();
}

static void perfmon_open(int n)
{
	open_session(0, n);
}

static void perfmon_read(int n)
{
	call(PFM_READ_PMDS, pmds, n);
}

static void perfmon_stop_start(void)
{
	call(PFM_STOP, NULL, 0);
	call(PFM_START, NULL, 0);
}

/* PERFEVTSEL: user, enable. */
#define EVENTSEL_USER	0x410000
#define BUFFER_SIZE	(64 * 4096)

static const void *buffer;
static size_t buffer_size;
static enum { WHOLE, PARTS, SUMS, DIFFERENCES } recorded;

static void perfmon_close(void)
{
	call(PFM_UNLOAD_CONTEXT, NULL, 0);
	close(fd);
	if (buffer)
		munmap((void *)buffer, buffer_size);
	buffer = NULL;
}

static void open_sampling(const pfm_uuid_t format, const void *arg, size_t arg_size,
			  uint64_t period)
{
	pfarg_pmc_t pmc = { .reg_value = EVENTSEL_USER | bench_events[0] };
	pfarg_pmd_t pmd = {
		.reg_value = -period, .reg_short_reset = -period, .reg_long_reset = -period,
	};
	struct {
		pfarg_ctx_t	ctx;
		char		arg[32];
	} req = { };

	memcpy(req.ctx.ctx_smpl_buf_id, format, sizeof(pfm_uuid_t));
	memcpy(req.arg, arg, arg_size);
	call(PFM_CREATE_CONTEXT, &req, 1);
	fd = req.ctx.ctx_fd;
	buffer_size = req.ctx.ctx_smpl_buf_size;
	buffer = mmap(NULL, buffer_size, PROT_READ, MAP_SHARED, fd, 0);
	if (buffer == MAP_FAILED)
		bench_die("mmap() of the sampling buffer");
	call(PFM_WRITE_PMCS, &pmc, 1);
	call(PFM_WRITE_PMDS, &pmd, 1);
	load_start();
}

static void perfmon_sample_open(uint64_t period)
{
	const pfm_default_smpl_arg_t arg = { .buf_size = BUFFER_SIZE };

	recorded = WHOLE;
	open_sampling((pfm_uuid_t)PFM_DEFAULT_SMPL_UUID, &arg, sizeof(arg), period);
}

static void perfmon_parts_open(uint64_t period)
{
	const pfm_ring_smpl_arg_t arg = { .ring_part_size = BUFFER_SIZE, .ring_parts = 2 };

	recorded = PARTS;
	open_sampling((pfm_uuid_t)PFM_RING_SMPL_UUID, &arg, sizeof(arg), period);
}

static void perfmon_sums_open(uint64_t period)
{
	const pfm_hist_smpl_arg_t arg = {
		.buf_size = BUFFER_SIZE, .buf_flags = PFM_HIST_SMPL_PID,
	};

	recorded = SUMS;
	open_sampling((pfm_uuid_t)PFM_HIST_SMPL_UUID, &arg, sizeof(arg), period);
}

static void perfmon_compact_open(uint64_t period)
{
	const pfm_compact_smpl_arg_t arg = {
		.buf_size = BUFFER_SIZE, .buf_block_size = PFM_COMPACT_SMPL_BLOCK_SIZE,
	};

	recorded = DIFFERENCES;
	open_sampling((pfm_uuid_t)PFM_COMPACT_SMPL_UUID, &arg, sizeof(arg), period);
}

static uint64_t perfmon_samples(uint64_t *bytes)
{
	const pfm_default_smpl_hdr_t *samples = buffer;
	const pfm_compact_smpl_hdr_t *compact = buffer;
	const pfm_hist_smpl_hdr_t *table = buffer;
	const pfm_ring_smpl_hdr_t *ring = buffer;
	const pfm_ring_smpl_part_t *first;

	if (recorded == PARTS) {
		/* It takes all samples of a measurement. */
		first = (const void *)((const char *)buffer + ring->hdr_parts_offs);
		*bytes = first->part_bytes;
		return first->part_count;
	}
	if (recorded == SUMS) {
		*bytes = table->hdr_used * table->hdr_slot_size;
		return table->hdr_count;
	}
	if (recorded == DIFFERENCES) {
		*bytes = compact->hdr_cur_offs - compact->hdr_blocks_offs;
		return compact->hdr_count;
	}
	*bytes = samples->hdr_cur_offs - sizeof(*samples);
	return samples->hdr_count;
}

static int sets;

static void create_set(int id)
{
	pfarg_setdesc_t set = {
		.set_id = id, .set_flags = PFM_SETFL_TIME_SWITCH, .set_timeout.tv_nsec = 1000000,
	};
	pfarg_pmc_t pmcs[GROUP_COUNTERS] = { };
	int i;

	for (i = 0; i < GROUP_COUNTERS; i++) {
		pmcs[i].reg_num = i;
		pmcs[i].reg_set = id;
		pmcs[i].reg_value = EVENTSEL_ON | bench_events[i];
	}
	call(PFM_CREATE_EVTSETS, &set, 1);
	call(PFM_WRITE_PMCS, pmcs, GROUP_COUNTERS);
}

static void perfmon_turns_open(int groups)
{
	pfarg_ctx_t ctx = { };

	call(PFM_CREATE_CONTEXT, &ctx, 1);
	fd = ctx.ctx_fd;
	for (sets = 0; sets < groups; sets++)
		create_set(sets);
	load_start();
}

/* One by one: an array of many would be above the limit of an argument's size. */
static uint64_t perfmon_turns(void)
{
	uint64_t turns = 0;
	int i;

	for (i = 0; i < sets; i++) {
		pfarg_setinfo_t info = { .set_id = i };

		call(PFM_GETINFO_EVTSETS, &info, 1);
		turns += info.set_runs;
	}
	return turns - 1;
}

static void perfmon_reload(void)
{
	call(PFM_UNLOAD_CONTEXT, NULL, 0);
	load_start();
}

static int cpu_fds[MAX_CPUS], num_cpus;

/* A system-wide context is loaded onto the CPU on which its creator runs. */
static void perfmon_cpus_open(int cpus)
{
	for (num_cpus = 0; num_cpus < cpus; num_cpus++) {
		bench_pin(num_cpus);
		open_session(PFM_FL_SYSTEM_WIDE, GROUP_COUNTERS);
		cpu_fds[num_cpus] = fd;
	}
	bench_pin(0);
}

static void perfmon_cpus_close(void)
{
	while (num_cpus) {
		fd = cpu_fds[--num_cpus];
		perfmon_close();
	}
}

const struct side perfmon_side = {
	.name = "perfmon", .open = perfmon_open, .read = perfmon_read,
	.stop_start = perfmon_stop_start, .close = perfmon_close,
	.sample_open = perfmon_sample_open, .parts_open = perfmon_parts_open,
	.sums_open = perfmon_sums_open,
	.compact_open = perfmon_compact_open,
	.samples = perfmon_samples,
	.turns_open = perfmon_turns_open, .turns = perfmon_turns,
	.reload = perfmon_reload,
	.cpus_open = perfmon_cpus_open, .cpus_close = perfmon_cpus_close,
};
