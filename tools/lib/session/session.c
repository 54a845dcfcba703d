// SPDX-License-Identifier: GPL-2.0
/*
 * Contexts with the registers and event sets of a plan: opened, loaded, started, read. On
 * failure errno is the command's, because callers recognise the end of a thread by it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "ledger.h"
#include "nanoseconds.h"
#include "pmu/registers.h"
#include "session/session.h"

static uint64_t kernel_nanoseconds(const struct __kernel_timespec *time)
{
	return (uint64_t)time->tv_sec * NSEC_PER_SEC + (uint64_t)time->tv_nsec;
}

static int create(bool system_wide, struct problem *why)
{
	pfarg_ctx_t ctx;
	int fd, error;

	memset(&ctx, 0, sizeof(ctx));
	ctx.ctx_flags = system_wide ? PFM_FL_SYSTEM_WIDE : 0;
	fd = perfmon_create_context(&ctx);
	if (fd >= 0)
		return fd;
	error = errno;
	explain_create(why, error, system_wide);
	errno = error;
	return -1;
}

/* Explain why there are no event sets: the kernel's reason, and the way out. */
static void explain_sets(const struct plan *plan, int error, const pfarg_setdesc_t *sets,
			 struct problem *why)
{
	static const char leave_out[] =
		"Leave events out, so that the rest fits into one set; or count in separate runs.";

	if (error == EINVAL &&
	    perfmon_bad_element(PFM_CREATE_EVTSETS, sets, (int)plan->nsets) < 0) {
		problem(why, "the events take %u sets of counters, and this kernel has no event sets",
			plan->nsets);
		problem_hint(why, "%s", leave_out);
		return;
	}
	explain(why, PFM_CREATE_EVTSETS, error, sets, (int)plan->nsets);
	if (error == ENOMEM)
		problem_hint(why, "The events take %u sets, in each context: raise the limit (ulimit -l), or:\n%s",
			     plan->nsets, leave_out);
}

/* *@effective_ns is the timeout that the kernel makes of the plan's. */
static bool create_sets(const struct plan *plan, int fd, uint64_t *effective_ns,
			struct problem *why)
{
	pfarg_setdesc_t *sets = xcalloc(plan->nsets, sizeof(*sets));
	unsigned int i;
	int error = 0;

	for (i = 0; i < plan->nsets; i++) {
		sets[i].set_id = (__u16)i;
		sets[i].set_flags = PFM_SETFL_TIME_SWITCH;
		sets[i].set_timeout.tv_sec = (__s64)(plan->timeout_ns / NSEC_PER_SEC);
		sets[i].set_timeout.tv_nsec = (long long)(plan->timeout_ns % NSEC_PER_SEC);
	}
	if (perfmon_create_evtsets(fd, sets, (int)plan->nsets)) {
		error = errno;
		explain_sets(plan, error, sets, why);
	}
	*effective_ns = kernel_nanoseconds(&sets[0].set_timeout);
	free(sets);
	errno = error;
	return !error;
}

bool session_create_sets(const struct plan *plan, int fd, struct problem *why)
{
	uint64_t effective_ns;

	return create_sets(plan, fd, &effective_ns, why);
}

static bool write_pmcs(const struct plan *plan, int fd, struct problem *why)
{
	const size_t size = (size_t)plan->npmcs * sizeof(*plan->pmcs);
	pfarg_pmc_t *pmcs;
	int error = 0;

	if (!plan->npmcs)
		return true;
	pmcs = xcalloc(1, size); /* the kernel writes flags back: not into the plan */
	memcpy(pmcs, plan->pmcs, size);
	if (perfmon_write_pmcs(fd, pmcs, plan->npmcs)) {
		error = errno;
		explain(why, PFM_WRITE_PMCS, error, pmcs, plan->npmcs);
	}
	free(pmcs);
	errno = error;
	return !error;
}

static int open_effective(const struct plan *plan, bool system_wide, uint64_t *effective_ns,
			  struct problem *why)
{
	const int fd = create(system_wide, why);
	int error;

	if (fd < 0 || ((plan->nsets < 2 || create_sets(plan, fd, effective_ns, why)) &&
		       write_pmcs(plan, fd, why)))
		return fd;
	error = errno;
	perfmon_close(fd);
	errno = error;
	return -1;
}

int session_open(const struct plan *plan, bool system_wide, struct problem *why)
{
	uint64_t effective_ns;

	return open_effective(plan, system_wide, &effective_ns, why);
}

bool plan_try(struct plan *plan, bool system_wide, struct problem *why)
{
	int fd;

	if (plan->nsets < 2)
		return true;
	fd = open_effective(plan, system_wide, &plan->timeout_ns, why);
	if (fd < 0)
		return false;
	perfmon_close(fd);
	return true;
}

bool session_load(int fd, pid_t tid, unsigned int set, struct problem *why)
{
	int error;

	if (!perfmon_load_set(fd, tid, set))
		return true;
	error = errno;
	explain(why, PFM_LOAD_CONTEXT, error, NULL, 0);
	errno = error;
	return false;
}

bool session_start(int fd, struct problem *why)
{
	int error;

	if (!perfmon_start(fd))
		return true;
	error = errno;
	explain(why, PFM_START, error, NULL, 0);
	if (error == EBUSY) { /* not loaded any more */
		error = ESRCH;
		problem(why, "the thread has ended, or the CPU went offline");
	}
	errno = error;
	return false;
}

void session_stop(int fd)
{
	perfmon_stop(fd); /* fails when unloaded already, and then it does not count */
}

static bool read_times(const struct plan *plan, int fd, struct set_time *times,
		       struct problem *why)
{
	pfarg_setinfo_t *sets = xcalloc(plan->nsets, sizeof(*sets));
	unsigned int i;
	bool ok;

	for (i = 0; i < plan->nsets; i++)
		sets[i].set_id = (__u16)i;
	ok = !perfmon_getinfo_evtsets(fd, sets, (int)plan->nsets);
	if (!ok)
		explain(why, PFM_GETINFO_EVTSETS, errno, sets, (int)plan->nsets);
	for (i = 0; ok && i < plan->nsets; i++) {
		times[i].active_ns += kernel_nanoseconds(&sets[i].set_act_duration);
		times[i].turns += sets[i].set_runs;
	}
	free(sets);
	return ok;
}

/* The PMDs of the plan, without the places of the kernel's events; returns how many. */
static int copy_pmds(const struct plan *plan, pfarg_pmd_t *pmds)
{
	int i, n = 0;

	for (i = 0; i < plan->npmds; i++)
		if (!plan_software(plan, i))
			pmds[n++] = plan->pmds[i];
	return n;
}

bool session_read(const struct plan *plan, int fd, uint64_t *sums, struct set_time *times,
		  struct problem *why)
{
	pfarg_pmd_t *pmds, *pmd;
	bool ok;
	int i, n;

	if (!plan->npmds)
		return true;
	pmds = xcalloc((size_t)plan->npmds, sizeof(*pmds));
	n = copy_pmds(plan, pmds);
	ok = !n || !perfmon_read_pmds(fd, pmds, n);
	if (!ok)
		explain(why, PFM_READ_PMDS, errno, pmds, n);
	ok = ok && (plan->nsets < 2 || read_times(plan, fd, times, why));
	for (i = 0, pmd = pmds; ok && i < plan->npmds; i++)
		if (!plan_software(plan, i))
			sums[i] += pmd++->reg_value;
	free(pmds);
	return ok;
}

bool session_ended(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	pfm_msg_t msg;

	while (poll(&poller, 1, 0) > 0 && poller.revents & POLLIN) {
		if (perfmon_read_message(fd, &msg) != 1)
			return false;
		if (msg.msg_type == PFM_MSG_END)
			return true;
	}
	return false;
}

uint64_t session_suspended_ns(int fd)
{
	struct ledger ledger = { 0 };

	ledger_add(&ledger, fd);
	return ledger.suspended_ns;
}

void session_note_suspended(struct strings *notes, uint64_t ns)
{
	if (ns)
		strings_add(notes,
			    xasprintf("the PMU was taken for %.6f s by a privileged user",
				      (double)ns / 1e9));
}

bool rights_ask(struct rights *rights, const struct pmu *pmu, bool system_wide,
		struct problem *why)
{
	const int fd = create(system_wide, why);
	const struct counter *counter;
	pfarg_pmc_t pmc;

	if (fd < 0)
		return false;
	rights->levels = LEVEL_ALL;
	rights->use = SOFTWARE_COUNT;
	if (pmu->ncounters) {
		/* Nothing is loaded: this only asks. */
		counter = &pmu->counters[0];
		memset(&pmc, 0, sizeof(pmc));
		pmc.reg_num = (__u16)counter->pmc;
		pmc.reg_value = pmu->arch->program(pmu, counter, pmu->arch->kernel_code,
						   pmu_find_pmc(pmu, counter->pmc)->def_value);
		if (perfmon_write_pmcs(fd, &pmc, 1) && errno == EPERM)
			rights->levels = LEVEL_USER;
	}
	perfmon_close(fd);
	return true;
}
