// SPDX-License-Identifier: GPL-2.0
/*
 * Other handlers of NMIs come first and leave little of an overflow: no sample is lost by that,
 * and no NMI is unknown. In a guest with perfmon.ko.
 */
#include "../abi/modules.h"
#include "../abi/sampling.h"

#define PLACE	"kernel/perfmon/tests"
#define PERIOD	10000
#define SAMPLES	2000

/* Lines of the kernel's log from now on. */
static int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	CHECK_OK(fd);
	CHECK_OK(lseek(fd, 0, SEEK_END));
	return fd;
}

static void check_no_nmi_is_unknown(int log)
{
	char line[8192];
	ssize_t n;

	while ((n = read(log, line, sizeof(line) - 1)) > 0) {
		line[n] = '\0';
		if (strstr(line, "reason") || strstr(line, "dazed"))
			FAIL("the kernel's log: %s", line);
	}
}

/* Each overflow is recorded, whatever @parameters have another handler do. */
static void check_samples_beside(const char *parameters)
{
	struct buffer buffer;
	char hits[16];
	int log;

	need_pmu();
	log = log_open();
	CHECK_OK(load_module(PLACE, "perfmon_hurt", parameters));
	buffer = create_buffer(0, 1 << 20, 0);
	program(buffer.fd, (struct event){ .reg = 0, .period = PERIOD });
	load_self(buffer.fd);
	start(buffer.fd);
	loop(PERIOD / 2 * SAMPLES);
	stop(buffer.fd);
	read_file("/sys/module/perfmon_hurt/parameters/hits", hits, sizeof(hits));
	CHECK_OK(unload_module("perfmon_hurt"));
	CHECK_GE(ledger(buffer.fd, "overflows"), SAMPLES);
	CHECK_EQ(ledger(buffer.fd, "recorded"), ledger(buffer.fd, "overflows"));
	/* It was there, and first: how often depends on how many came at a time. */
	CHECK_GE(atoi(hits), SAMPLES / 2);
	check_no_nmi_is_unknown(log);
}

TEST(a_handler_may_unmask_the_entry)
{
	check_samples_beside("nmi=unmask");
}

TEST(a_handler_may_clear_the_overflows)
{
	check_samples_beside("nmi=clear");
}

TEST(a_handler_may_stop_the_counters)
{
	check_samples_beside("nmi=stop");
}
