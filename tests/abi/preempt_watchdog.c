// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions that give way to users with privilege do not give way to the NMI watchdog, as it belongs
 * to no user.
 */
#include "preempt.h"

#define PAUSE	PERFMON_SYSFS "limits/watchdog_pause"

static void switch_watchdog_on(void *unused)
{
	struct subject s = subject_of(NOBODY);

	(void)unused;
	write_file(WATCHDOG, "1");
	check_state(s.fd, "loaded");
	check_no_message(s.fd);
	write_file(WATCHDOG, "0");
	check_state(s.fd, "loaded");
	subject_end(&s);
}

static void never_pause(void *unused)
{
	(void)unused;
	sleep_ms(2500);
	with_file(PAUSE, "never", switch_watchdog_on, NULL);
}

/* covers: D.3-5 D.3-11 */
TEST(nothing_gives_way_to_the_nmi_watchdog)
{
	need_shared_pmu();
	with_file(WATCHDOG, "0", never_pause, NULL);
}

static void stay_paused(void *unused)
{
	struct subject s = subject_of(NOBODY);
	int fd;

	(void)unused;
	fd = perf_hardware();
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	fd = perf_hardware();
	/* Long enough for the watchdog to resume. */
	sleep_ms(2500);
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	CHECK_GE(count_of_a_run(&s), 2 * LOOPS);
	subject_end(&s);
}

/* covers: D.3-5 */
TEST(the_nmi_watchdog_is_paused_while_sessions_are_suspended)
{
	need_shared_pmu();
	with_file(WATCHDOG, "1", stay_paused, NULL);
}
