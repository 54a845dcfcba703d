// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the questions to security modules.
 */
#include <kunit/test.h>
#include <linux/perf_event.h>
#include "../config.h"

#ifdef CONFIG_PERF_EVENTS

/* A module may allow user level alone. */
static void security_modules_hear_of_kernel_level_if_it_is_asked_for(struct kunit *test)
{
	static const int accesses[] = {
		PERF_SECURITY_OPEN, PERF_SECURITY_CPU, PERF_SECURITY_KERNEL,
	};
	struct perf_event_attr attr;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(accesses); i++) {
		attr = pfm_security_attr(accesses[i]);
		KUNIT_EXPECT_EQ(test, attr.type, PERF_TYPE_RAW);
		KUNIT_EXPECT_EQ(test, attr.size, sizeof(attr));
		KUNIT_EXPECT_EQ(test, !attr.exclude_kernel, accesses[i] == PERF_SECURITY_KERNEL);
	}
}

static struct kunit_case config_cases[] = {
	KUNIT_CASE(security_modules_hear_of_kernel_level_if_it_is_asked_for),
	{ }
};

static struct kunit_suite config_suite = {
	.name = "perfmon_config",
	.test_cases = config_cases,
};

kunit_test_suite(config_suite);

#endif /* CONFIG_PERF_EVENTS */
