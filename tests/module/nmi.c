// SPDX-License-Identifier: GPL-2.0
/*
 * Other handlers of NMIs run first and clear most of an overflow's traces: no sample is lost by
 * that, and no NMI is unknown. In a guest with perfmon.ko.
 */
#include "../abi/hurt.h"
#include "../abi/log.h"
#include "../abi/sampling.h"

#define PERIOD	10000
#define SAMPLES	2000

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

static int sample(void)
{
	struct buffer buffer;

	need_pmu();
	buffer = create_buffer(0, 1 << 20, 0);
	program(buffer.fd, (struct event){ .reg = 0, .period = PERIOD });
	load_self(buffer.fd);
	start(buffer.fd);
	return buffer.fd;
}

static void take_samples(unsigned int n)
{
	loop(PERIOD / 2 * n);
}

/* Each overflow is recorded. */
static void check_samples(int fd)
{
	stop(fd);
	CHECK_GE(ledger(fd, "overflows"), SAMPLES);
	CHECK_EQ(ledger(fd, "recorded"), ledger(fd, "overflows"));
}

/* @parameters make another handler act. */
static void check_samples_beside(const char *parameters)
{
	int log = log_open(), fd;

	hurt(parameters);
	fd = sample();
	take_samples(SAMPLES);
	/* The number of calls depends on the number of overflows that came together. */
	CHECK_GE(heal(), SAMPLES / 2);
	check_samples(fd);
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

/* Then the handler of perf_events, which runs first, takes all overflows. */

TEST(intel_pt_may_be_in_use_before)
{
	int log = log_open(), fd;

	hurt("pt=1");
	fd = sample();
	take_samples(SAMPLES);
	check_samples(fd);
	heal();
	check_no_nmi_is_unknown(log);
}

TEST(intel_pt_may_begin_and_end_meanwhile)
{
	int log = log_open(), fd = sample();

	take_samples(SAMPLES / 4);
	hurt("pt=1");
	take_samples(SAMPLES / 2);
	heal();
	take_samples(SAMPLES / 4);
	check_samples(fd);
	check_no_nmi_is_unknown(log);
}
