// SPDX-License-Identifier: GPL-2.0
/*
 * perfmonctl() without a kernel: linked into pfmon-fake in place of the system call, so that
 * pfmon's own behaviour (options, following, forms of output, exit statuses, errors) is tested on
 * any machine. Counts are tested in the guest.
 *
 * The PMU is a Nehalem's. Every context that was started has counted, at its end, 1000 * (1 + the
 * PMD's number) on each PMD that a programmed PMC controls. Of several event sets, set N was then
 * active for N + 1 ms, in as many turns. A timeout is at least 0.1 ms.
 *
 * PERFMON_FAKE is a list of words that make calls fail: nosys, kernel (level not allowed), system
 * (no system-wide contexts), thread (no others), busy (the PMU is taken), load (the thread may not
 * be monitored), second (as load, for all but the first context), oldkernel (no event sets), locked
 * (no memory for event sets), gone (each thread ends just before it is started, with a message).
 * With short, only the set that is loaded first has a turn.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../../tools/lib/backend.h"

#define GENERAL		4
#define FIXED		3
#define FIXED_CTRL	16	/* PMC16, PMD16.. */
#define MAX_FD		4096
#define SEL_OS		(1ULL << 17)
#define MAX_SETS	16
#define TIMEOUT_MIN	100000

static struct context {
	bool	used, system_wide, loaded, started;
	int	teller;		/* the descriptor to write a message to */
	__u16	first_set;
	int	nsets;
	__u64	pmc[MAX_SETS][FIXED_CTRL + 1];
} contexts[MAX_FD];

static unsigned int loads;

static bool fault(const char *word)
{
	const char *words = getenv("PERFMON_FAKE");

	return words && strstr(words, word);
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static bool is_pmc(unsigned int num)
{
	return num < GENERAL || num == FIXED_CTRL;
}

static bool is_pmd(unsigned int num)
{
	return num < GENERAL || (num >= FIXED_CTRL && num < FIXED_CTRL + FIXED);
}

static int create(pfarg_ctx_t *ctx)
{
	const bool system_wide = ctx->ctx_flags & PFM_FL_SYSTEM_WIDE;
	int fd, ends[2] = { -1, -1 };

	if (fault(system_wide ? "system" : "thread"))
		return fail(EPERM);
	if (fault("gone"))
		fd = pipe(ends) ? -1 : ends[0];
	else
		fd = eventfd(0, 0); /* never readable: no messages */
	if (fd < 0)
		return -1;
	if (fd >= MAX_FD)
		return fail(EMFILE);
	memset(&contexts[fd], 0, sizeof(contexts[0]));
	contexts[fd].used = true;
	contexts[fd].teller = ends[1];
	contexts[fd].nsets = 1;
	contexts[fd].system_wide = system_wide;
	ctx->ctx_fd = fd;
	return 0;
}

/* True if this set has been active. */
static bool had_turn(const struct context *context, unsigned int set)
{
	return context->started && (set == context->first_set || !fault("short"));
}

/* Sets are created in order, and all at once. */
static int create_sets(struct context *context, pfarg_setdesc_t *sets, int n)
{
	int i;

	if (fault("oldkernel"))
		return fail(EINVAL);
	if (fault("locked"))
		return fail(ENOMEM);
	if (context->loaded)
		return fail(EBUSY);
	for (i = 0; i < n; i++) {
		if (sets[i].set_id != i || i >= MAX_SETS ||
		    sets[i].set_flags != PFM_SETFL_TIME_SWITCH) {
			sets[i].set_flags = PFM_SET_RETFL_EINVAL;
			return fail(EINVAL);
		}
		if (!sets[i].set_timeout.tv_sec && sets[i].set_timeout.tv_nsec < TIMEOUT_MIN)
			sets[i].set_timeout.tv_nsec = TIMEOUT_MIN;
	}
	context->nsets = n;
	return 0;
}

static int getinfo_sets(const struct context *context, pfarg_setinfo_t *sets, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		const unsigned int set = sets[i].set_id;

		if ((int)set >= context->nsets) {
			sets[i].set_flags = PFM_SET_RETFL_NOSET;
			return fail(EINVAL);
		}
		memset(&sets[i], 0, sizeof(sets[i]));
		sets[i].set_id = (__u16)set;
		if (!had_turn(context, set))
			continue;
		sets[i].set_runs = set + 1;
		sets[i].set_act_duration.tv_nsec = 1000000 * (set + 1);
	}
	return 0;
}

static int write_pmcs(struct context *context, pfarg_pmc_t *pmcs, int n)
{
	__u64 kernel;
	int i;

	for (i = 0; i < n; i++) {
		pmcs[i].reg_flags = 0;
		if (!is_pmc(pmcs[i].reg_num)) {
			pmcs[i].reg_flags = PFM_REG_RETFL_NOTAVAIL;
			return fail(EINVAL);
		}
		kernel = pmcs[i].reg_num == FIXED_CTRL ? 0x111 : SEL_OS;
		if (pmcs[i].reg_value & kernel && fault("kernel")) {
			pmcs[i].reg_flags = PFM_REG_RETFL_EINVAL;
			return fail(EPERM);
		}
		if (pmcs[i].reg_set >= context->nsets) {
			pmcs[i].reg_flags = PFM_REG_RETFL_NOSET;
			return fail(EINVAL);
		}
		context->pmc[pmcs[i].reg_set][pmcs[i].reg_num] = pmcs[i].reg_value;
	}
	return 0;
}

static bool controlled(const struct context *context, unsigned int set, unsigned int pmd)
{
	if (pmd < GENERAL)
		return context->pmc[set][pmd] & 1ULL << 22;
	return context->pmc[set][FIXED_CTRL] >> 4 * (pmd - FIXED_CTRL) & 3;
}

static int read_pmds(const struct context *context, pfarg_pmd_t *pmds, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (!is_pmd(pmds[i].reg_num)) {
			pmds[i].reg_flags = PFM_REG_RETFL_NOTAVAIL;
			return fail(EINVAL);
		}
		if (pmds[i].reg_set >= context->nsets) {
			pmds[i].reg_flags = PFM_REG_RETFL_NOSET;
			return fail(EINVAL);
		}
		pmds[i].reg_value = had_turn(context, pmds[i].reg_set) &&
						    controlled(context, pmds[i].reg_set,
							       pmds[i].reg_num) ?
					    1000ULL * (pmds[i].reg_num + 1) :
					    0;
	}
	return 0;
}

/* No such task, or a zombie. */
static bool is_gone(pid_t tid)
{
	char path[64], line[256] = "", state = 'X';
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)tid);
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT;
	if (fgets(line, sizeof(line), file) && strrchr(line, ')'))
		sscanf(strrchr(line, ')') + 1, " %c", &state);
	fclose(file);
	return state == 'Z' || state == 'X';
}

static int load(struct context *context, const pfarg_load_t *arg)
{
	if (fault("busy"))
		return fail(EBUSY);
	if (fault("load") || (fault("second") && loads))
		return fail(EPERM);
	if (is_gone(arg->load_pid))
		return fail(ESRCH);
	if (context->system_wide && arg->load_pid != gettid())
		return fail(EINVAL);
	if (arg->load_set >= context->nsets)
		return fail(EINVAL);
	context->first_set = arg->load_set;
	context->loaded = true;
	loads++;
	return 0;
}

static int getinfo(bool pmc, pfarg_pmcinfo_t *info, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		const unsigned int num = info[i].reg_num;

		if (pmc ? !is_pmc(num) : !is_pmd(num))
			return fail(EINVAL);
		info[i].reg_type = PFM_REG_TYPE_MSR;
		if (pmc) {
			info[i].reg_index = num < GENERAL ? 0x186 + num : 0x38d;
			info[i].reg_def_value = num < GENERAL ? 1 << 20 : 0x888;
			info[i].reg_rsvd_mask = num < GENERAL ? 0xffffffff00380000 :
								0xfffffffffffffccc;
		} else {
			info[i].reg_index = num < GENERAL ? 0xc1 + num : 0x309 + num - FIXED_CTRL;
		}
	}
	return 0;
}

static int get_config(pfarg_config_t *config)
{
	unsigned int i;

	memset(config, 0, sizeof(*config));
	config->cf_version = PFM_VERSION;
	config->cf_counter_width = 48;
	config->cf_sys_gid = PFM_GROUP_ANY;
	config->cf_thread_gid = PFM_GROUP_ANY;
	config->cf_arg_size_max = 4096;
	for (i = 0; i < PFM_MAX_PMCS; i++) {
		if (is_pmc(i))
			perfmon_bv_set(config->cf_impl_pmcs, i);
		if (is_pmd(i))
			perfmon_bv_set(config->cf_impl_pmds, i);
	}
	return 0;
}

static int start(struct context *context)
{
	const pfm_msg_t end = { .msg_type = PFM_MSG_END };

	if (context->loaded && fault("gone")) {
		context->loaded = false;
		if (write(context->teller, &end, sizeof(end)) != sizeof(end))
			abort();
	}
	if (!context->loaded)
		return fail(EBUSY);
	context->started = true;
	return 0;
}

static int with_context(struct context *context, int cmd, void *arg, int narg)
{
	switch (cmd) {
	case PFM_WRITE_PMCS:
		return write_pmcs(context, arg, narg);
	case PFM_READ_PMDS:
		return read_pmds(context, arg, narg);
	case PFM_CREATE_EVTSETS:
		return create_sets(context, arg, narg);
	case PFM_GETINFO_EVTSETS:
		return getinfo_sets(context, arg, narg);
	case PFM_LOAD_CONTEXT:
		return load(context, arg);
	case PFM_START:
		return start(context);
	case PFM_STOP:
		return context->loaded ? 0 : fail(EBUSY);
	default:
		return fail(EINVAL);
	}
}

const struct perfmon_backend *perfmon_this_backend(void)
{
	return &perfmon_syscall_backend;
}

int perfmonctl(int fd, int cmd, void *arg, int narg)
{
	if (fault("nosys"))
		return fail(ENOSYS);
	switch (cmd) {
	case PFM_GET_CONFIG:
		return get_config(arg);
	case PFM_GETINFO_PMCS:
		return getinfo(true, arg, narg);
	case PFM_GETINFO_PMDS:
		return getinfo(false, arg, narg);
	case PFM_CREATE_CONTEXT:
		return create(arg);
	default:
		if (fd < 0 || fd >= MAX_FD || !contexts[fd].used)
			return fail(EBADF);
		return with_context(&contexts[fd], cmd, arg, narg);
	}
}
