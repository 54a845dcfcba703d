// SPDX-License-Identifier: GPL-2.0
/* The checks of `pfmon test` for the other users of the PMU. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test/measure.h"

/* Open a hardware event of perf's for this thread. Returns 0 or an errno. */
static int try_perf(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS, .exclude_kernel = 1, .exclude_hv = 1,
	};
	int fd = (int)syscall(__NR_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* With a loaded session the hardware belongs to perfmon, and afterwards to perf again. */
static void leave_perf_alone(const struct tester *tester, struct finding *finding)
{
	int before = try_perf(), meanwhile, after, fd;
	struct problem why = { "", "" };
	struct measurement m;

	if (!perfmon_in_kernel() || before) {
		found(finding, VERDICT_NOT_HERE, "%s",
		      before ? "perf_events counts no instructions for you here" :
			       "it is what counts: there is no perfmon in this kernel");
		return;
	}
	if (!measurement_make(&m, tester, tester->program->event, false, &why)) {
		found_refusal(finding, &why);
		return;
	}
	fd = measurement_load(&m, &why);
	if (fd < 0) {
		found_refusal(finding, &why);
	} else {
		meanwhile = try_perf();
		perfmon_close(fd);
		after = try_perf();
		if (after)
			found(finding, VERDICT_BROKEN, "after a session perf gets %s",
			      strerror(after));
		else if (meanwhile != EBUSY)
			found(finding, VERDICT_BROKEN, "beside a session perf gets %s, not EBUSY",
			      meanwhile ? strerror(meanwhile) : "counters");
		else
			found(finding, VERDICT_RIGHT,
			      "EBUSY beside a session, and counters after it");
	}
	measurement_free(&m);
}

int watchdog_state(void)
{
	FILE *file = fopen("/proc/sys/kernel/nmi_watchdog", "re");
	int on = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%d", &on) != 1)
		on = -1;
	fclose(file);
	return on;
}

/* The watchdog is paused for a session, and works again a second later. */
static void leave_watchdog_as_it_was(const struct tester *tester, struct finding *finding)
{
	static const char *const words[] = { "off", "on" };
	int tries, after;

	if (tester->watchdog < 0) {
		found(finding, VERDICT_NOT_HERE, "this kernel has none");
		return;
	}
	for (tries = 0; tries < 30 && watchdog_state() != tester->watchdog; tries++)
		usleep(100000);
	after = watchdog_state();
	found(finding, after == tester->watchdog ? VERDICT_RIGHT : VERDICT_BROKEN,
	      "%s before all of this, and %s now", words[!!tester->watchdog], words[after > 0]);
}

const struct check neighbour_checks[] = {
	{ "perf_events", leave_perf_alone },
	{ "the NMI watchdog", leave_watchdog_as_it_was },
	{ NULL, NULL }
};
