// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain.h"
#include "session.h"

static pfarg_pmc_t *plan_pmc(struct plan *plan, const struct pmu *pmu, unsigned int num)
{
	pfarg_pmc_t *pmc;
	int i;

	for (i = 0; i < plan->npmcs; i++)
		if (plan->pmcs[i].reg_num == num)
			return &plan->pmcs[i];
	pmc = &plan->pmcs[plan->npmcs++];
	pmc->reg_num = (__u16)num;
	pmc->reg_value = pmu_find_pmc(pmu, num)->def_value;
	return pmc;
}

void plan_make(struct plan *plan, const struct events *events, const struct pmu *pmu)
{
	size_t i;

	memset(plan, 0, sizeof(*plan));
	plan->pmcs = xcalloc(events->n + events->nraw, sizeof(*plan->pmcs));
	plan->pmds = xcalloc(events->n, sizeof(*plan->pmds));
	plan->npmds = (int)events->n;

	for (i = 0; i < events->nraw; i++)
		plan_pmc(plan, pmu, events->raw[i].num)->reg_value = events->raw[i].value;
	for (i = 0; i < events->n; i++) {
		const struct event *event = &events->event[i];
		const struct counter *counter = &pmu->counters[event->counter];
		pfarg_pmc_t *pmc;

		plan->pmds[i].reg_num = (__u16)counter->pmd;
		if (event->raw)
			continue;
		pmc = plan_pmc(plan, pmu, counter->pmc);
		pmc->reg_value = pmu->arch->program(pmu, counter, event->code,
						    pmc->reg_value);
	}
}

void plan_free(struct plan *plan)
{
	free(plan->pmcs);
	free(plan->pmds);
	memset(plan, 0, sizeof(*plan));
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
	explain(why, PFM_CREATE_CONTEXT, error, NULL, 0);
	if (error == EPERM && system_wide)
		problem_hint(why, "%s", system_wide_hint());
	else if (error == EPERM)
		problem_hint(why, "Contexts are open to one group of users: see limits/thread_gid in /sys/kernel/perfmon.");
	errno = error;
	return -1;
}

int session_open(const struct plan *plan, bool system_wide, struct problem *why)
{
	const size_t size = (size_t)plan->npmcs * sizeof(*plan->pmcs);
	const int fd = create(system_wide, why);
	pfarg_pmc_t *pmcs;
	int error = 0;

	if (fd < 0 || !plan->npmcs)
		return fd;
	pmcs = xcalloc(1, size); /* the kernel writes flags back: not into the plan */
	memcpy(pmcs, plan->pmcs, size);
	if (perfmon_write_pmcs(fd, pmcs, plan->npmcs)) {
		error = errno;
		explain(why, PFM_WRITE_PMCS, error, pmcs, plan->npmcs);
		close(fd);
	}
	free(pmcs);
	errno = error;
	return error ? -1 : fd;
}

bool session_load(int fd, pid_t tid, struct problem *why)
{
	int error;

	if (!perfmon_load(fd, tid))
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
	errno = error;
	return false;
}

void session_stop(int fd)
{
	perfmon_stop(fd); /* fails when unloaded already, and then it does not count */
}

bool session_read(const struct plan *plan, int fd, uint64_t *sums, struct problem *why)
{
	const size_t size = (size_t)plan->npmds * sizeof(*plan->pmds);
	pfarg_pmd_t *pmds;
	bool ok;
	int i;

	if (!plan->npmds)
		return true;
	pmds = xcalloc(1, size);
	memcpy(pmds, plan->pmds, size);
	ok = !perfmon_read_pmds(fd, pmds, plan->npmds);
	if (!ok)
		explain(why, PFM_READ_PMDS, errno, pmds, plan->npmds);
	for (i = 0; ok && i < plan->npmds; i++)
		sums[i] += pmds[i].reg_value;
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

bool rights_ask(struct rights *rights, const struct pmu *pmu, bool system_wide,
		struct problem *why)
{
	const int fd = create(system_wide, why);
	const struct counter *counter;
	pfarg_pmc_t pmc;

	if (fd < 0)
		return false;
	rights->levels = LEVEL_ALL;
	if (pmu->arch) {
		/* Nothing is loaded: this only asks. */
		counter = &pmu->counters[0];
		memset(&pmc, 0, sizeof(pmc));
		pmc.reg_num = (__u16)counter->pmc;
		pmc.reg_value = pmu->arch->program(pmu, counter, pmu->arch->kernel_code,
						   pmu_find_pmc(pmu, counter->pmc)->def_value);
		if (perfmon_write_pmcs(fd, &pmc, 1) && errno == EPERM)
			rights->levels = LEVEL_USER;
	}
	close(fd);
	return true;
}
