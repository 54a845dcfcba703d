// SPDX-License-Identifier: GPL-2.0
/* The checks of `pfmon test` that need the PMU's interrupt. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <perfmon_default_smpl.h>

#include "explain.h"
#include "session/sampler.h"
#include "test/measure.h"

/* The message of an overflow comes at once; wait a second at most, as the interrupt may be lost. */
static bool wait_for_message(int fd, pfm_msg_t *msg)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };

	return poll(&poller, 1, 1000) == 1 && perfmon_read_message(fd, msg) == 1;
}

/* Set a period that ends in the middle of the program's run. */
static bool arm(const struct measurement *m, const struct program *program, int fd,
		struct problem *why)
{
	pfarg_pmc_t pmc = m->plan.pmcs[0];
	pfarg_pmd_t pmd = m->plan.pmds[0];

	pmc.reg_flags = PFM_REGFL_OVFL_NOTIFY;
	pmd.reg_value = -(program->rounds * program->per_round / 2);
	pmd.reg_long_reset = pmd.reg_value;
	if (perfmon_write_pmcs(fd, &pmc, 1))
		return explain(why, PFM_WRITE_PMCS, errno, &pmc, 1);
	if (perfmon_write_pmds(fd, &pmd, 1))
		return explain(why, PFM_WRITE_PMDS, errno, &pmd, 1);
	return true;
}

/*
 * An overflow stops the counter until PFM_RESTART, so the count is the number of events between the
 * overflow and the interrupt. Without interrupts the kernel finds the overflow where it stops the
 * counter anyway, at the end, or when the thread is switched.
 */
static void judge_message(const struct measurement *m, const struct program *program, int fd,
			  struct finding *finding)
{
	const uint64_t half = program->rounds * program->per_round / 2;
	const unsigned int pmd = m->plan.pmds[0].reg_num;
	struct problem why = { "", "" };
	pfm_msg_t msg = { 0 };
	char number[40] = "";
	uint64_t late = 0;

	if (!wait_for_message(fd, &msg))
		found(finding, VERDICT_BROKEN,
		      "no message: the PMU's interrupt does not arrive, as under some hypervisors");
	else if (msg.msg_type != PFM_MSG_OVFL ||
		 !perfmon_bv_test(msg.pfm_ovfl_msg.msg_ovfl_pmds, pmd))
		found(finding, VERDICT_BROKEN, "the message is of type %u, and not of PMD%u",
		      msg.msg_type, pmd);
	else if (!session_read(&m->plan, fd, &late, NULL, &why))
		found_refusal(finding, &why);
	else if (late > half / 10)
		found(finding, VERDICT_BROKEN,
		      "no interrupt: the overflow was found %s %s later, where the counter was stopped",
		      with_thousands(late, number, sizeof(number)), program->what);
	else
		found(finding, VERDICT_RIGHT, "an interrupt, and a message of PMD%u", pmd);
}

static void notify_of_overflow(const struct tester *tester, struct finding *finding)
{
	const struct program *program = tester->program;
	struct problem why = { "", "" };
	struct measurement m;
	int fd;

	if (!measurement_make(&m, tester, program->event, false, &why)) {
		found_refusal(finding, &why);
		return;
	}
	fd = measurement_load(&m, &why);
	if (fd < 0 || !arm(&m, program, fd, &why) || !session_start(fd, &why)) {
		found_refusal(finding, &why);
	} else {
		program->run(program->rounds);
		session_stop(fd);
		judge_message(&m, program, fd, finding);
	}
	if (fd >= 0)
		perfmon_close(fd);
	measurement_free(&m);
}

#define SAMPLES		100

/* The number of samples of the program's own instructions. */
static uint64_t inside(const struct program *program, const struct batch *batch)
{
	const pfm_default_smpl_entry_t *sample = batch->samples;
	uint64_t i, n = 0;

	for (i = 0; i < batch->count; i++)
		n += sample[i].ip >= (uintptr_t)program->begin &&
		     sample[i].ip <= (uintptr_t)program->end;
	return n;
}

static void judge_samples(const struct program *program, const struct batch *batch,
			  struct finding *finding)
{
	const unsigned long long n = batch->count;
	unsigned long long here;

	/* The child's code around the program adds some samples. */
	if (n < SAMPLES - 1 || n > SAMPLES + SAMPLES / 5) {
		found(finding, VERDICT_BROKEN, "%llu samples, not %d", n, SAMPLES);
		return;
	}
	if (!program->begin) {
		found(finding, VERDICT_RIGHT, "%llu samples", n);
		return;
	}
	here = inside(program, batch);
	if (here < SAMPLES / 2)
		found(finding, VERDICT_BROKEN, "of %llu samples just %llu are where the program was",
		      n, here);
	else
		found(finding, here >= SAMPLES - 1 ? VERDICT_RIGHT : VERDICT_OFF,
		      "%llu samples, %llu of them where the program was%s", n, here,
		      here >= SAMPLES - 1 ? "" : ": usual where the interrupt comes late");
}

static bool sample_child(const struct program *program, struct sampler *sampler,
			 struct problem *why)
{
	pid_t pid;
	bool ok;

	pid = program_fork(program, program->rounds);
	if (pid < 0)
		return problem(why, "cannot start a child");
	ok = sampler_begin(sampler, pid, 0, why);
	return program_go(pid) && ok;
}

static void sample(const struct tester *tester, struct finding *finding)
{
	const struct program *program = tester->program;
	const uint64_t period = program->rounds * program->per_round / SAMPLES;
	struct problem why = { "", "" };
	struct sampling sampling = { .nsampled = 1, .period = &period, .buffer = 64 << 10 };
	struct sampler sampler;
	struct measurement m;
	struct batch batch;

	if (!measurement_make(&m, tester, program->event, false, &why)) {
		found_refusal(finding, &why);
		return;
	}
	sampling.plan = &m.plan;
	if (!sampler_open(&sampler, &sampling, &why)) {
		found_refusal(finding, &why);
	} else {
		if (!sample_child(program, &sampler, &why)) {
			found_refusal(finding, &why);
		} else {
			perfmon_sync_buffer(sampler.fd);
			batch = sampler_take(&sampler);
			judge_samples(program, &batch, finding);
		}
		sampler_close(&sampler);
	}
	measurement_free(&m);
}

const struct check overflow_checks[] = {
	{ "overflow", notify_of_overflow },
	{ "sampling", sample },
	{ NULL, NULL }
};
