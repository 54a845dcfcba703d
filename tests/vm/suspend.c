// SPDX-License-Identifier: GPL-2.0
/* The guest can suspend to memory, and the alarm of its clock wakes it up. */
#include "../harness.h"
#include "../resident.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void tell(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	CHECK_OK(fd);
	CHECK_EQ(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static double seconds(clockid_t clock)
{
	struct timespec time;

	CHECK_OK(clock_gettime(clock, &time));
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* Every step but the last one, which is the machine's own. */
TEST(devices_and_processors_suspend_and_resume)
{
	tell("/sys/module/suspend/parameters/pm_test_delay", "0");
	tell("/sys/power/pm_test", "core");
	tell("/sys/power/state", "mem");
	tell("/sys/power/pm_test", "none");
}

TEST(the_guest_sleeps_until_the_alarm)
{
	double slept;

	slept = seconds(CLOCK_BOOTTIME) - seconds(CLOCK_MONOTONIC);
	tell("/sys/class/rtc/rtc0/wakealarm", "+3");
	tell("/sys/power/state", "mem");
	slept = seconds(CLOCK_BOOTTIME) - seconds(CLOCK_MONOTONIC) - slept;
	printf("slept %.1f s\n", slept);
	CHECK(slept > 0.5 && slept < 60);
}
