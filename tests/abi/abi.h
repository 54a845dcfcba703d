/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the ABI tests: the commands in the form that tests want.
 *
 * Functions named after a command end the test when the command fails; functions that start with
 * try_ return the system call's result, for CHECK_ERRNO().
 */
#ifndef TESTS_ABI_ABI_H
#define TESTS_ABI_ABI_H

#include "../harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <perfmon.h>

#include "../command_table.h"
#include "inject.h"

#define NS_PER_SEC	1000000000ULL
#define NS_PER_MS	1000000ULL

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define BIT_ULL(n)		(1ULL << (n))

/*
 * The commands have two forms: perfmonctl(), and a system call each. A test program uses the second
 * with PERFMON_FORM=direct in its environment, see lane direct; it uses the first where only that
 * can express a call.
 */
static bool direct_form;

/* If perfmon is a module there is no system call: this descriptor's ioctl() does the same. */
static int device = -1;

__attribute__((constructor(102))) static void choose_form(void)
{
	const char *form = getenv("PERFMON_FORM");
	int fd;

	direct_form = form && !strcmp(form, "direct");
	if (syscall(__NR_perfmonctl, -1, -1, NULL, 0) == 0 || errno != ENOSYS)
		return;
	fd = open("/dev/perfmon", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	/* Far away from the numbers of tests that count descriptors. */
	device = fcntl(fd, F_DUPFD_CLOEXEC, 700);
	close(fd);
}

/* The module's backend: the file's mode decides which users may open it, paranoid 3 does not. */
static inline bool through_device(void)
{
	return device >= 0;
}

static inline int perfmon_call(int fd, int cmd, void *arg, int narg)
{
	struct pfm_ioctl_call call = {
		.fd = fd, .cmd = cmd, .arg = (uintptr_t)arg, .narg = narg,
	};

	static unsigned int turn;
	int ret;

	if (!through_device())
		return syscall(__NR_perfmonctl, fd, cmd, arg, narg);
	/* Commands of a context have a second form: use the two alternately. */
	if (has_short_form(command_of(cmd), narg) && turn++ % 2) {
		ret = ioctl(fd, PFM_IOCTL_COMMAND(cmd, narg), arg);
		if (!ret || errno != ENOTTY)
			return ret;
	}
	return ioctl(device, PFM_IOCTL_CALL, &call);
}

static inline int either_form(int fd, int cmd, void *arg, int narg)
{
	const struct command *c = direct_form ? command_of(cmd) : NULL;

	if (c && has_direct_form(c, arg, narg))
		return direct_call(c, fd, arg, narg);
	return perfmon_call(fd, cmd, arg, narg);
}

/*
 * A program executes some instructions before and after a system call; for the software PMU, these
 * events stand for them.
 */
static bool quiet;	/* soft.c has none of them */

static inline void some_events(void)
{
	int error = errno;

	if (soft_pmu && !quiet)
		inject(8);
	errno = error;
}

static inline int perfmonctl(int fd, int cmd, void *arg, int narg)
{
	int result = either_form(fd, cmd, arg, narg);

	some_events();
	return result;
}

/* Contexts. */

static inline int try_create(__u32 flags)
{
	pfarg_ctx_t ctx = { .ctx_flags = flags, .ctx_fd = -1 };

	return perfmonctl(-1, PFM_CREATE_CONTEXT, &ctx, 1) ? -1 : ctx.ctx_fd;
}

static inline int create(__u32 flags)
{
	int fd = try_create(flags);

	if (fd < 0)
		FAIL("no context with flags %#x: %s", flags, strerror(errno));
	return fd;
}

static inline int try_load_set(int fd, pid_t tid, __u16 set)
{
	pfarg_load_t load = { .load_pid = tid, .load_set = set };

	return perfmonctl(fd, PFM_LOAD_CONTEXT, &load, 1);
}

static inline int try_load(int fd, pid_t tid)
{
	return try_load_set(fd, tid, 0);
}

static inline int try_unload(int fd)
{
	return perfmonctl(fd, PFM_UNLOAD_CONTEXT, NULL, 0);
}

static inline int try_start(int fd)
{
	return perfmonctl(fd, PFM_START, NULL, 0);
}

static inline int try_stop(int fd)
{
	return perfmonctl(fd, PFM_STOP, NULL, 0);
}

static inline int try_start_set(int fd, __u16 set)
{
	pfarg_start_t arg = { .start_set = set };

	return perfmonctl(fd, PFM_START, &arg, 1);
}

static inline int try_restart(int fd)
{
	return perfmonctl(fd, PFM_RESTART, NULL, 0);
}

static inline void load(int fd, pid_t tid)
{
	CHECK_OK(try_load(fd, tid));
}

static inline void load_self(int fd)
{
	CHECK_OK(try_load(fd, gettid()));
}

static inline void unload(int fd)
{
	CHECK_OK(try_unload(fd));
}

static inline void start(int fd)
{
	CHECK_OK(try_start(fd));
}

static inline void stop(int fd)
{
	CHECK_OK(try_stop(fd));
}

static inline void start_set(int fd, __u16 set)
{
	CHECK_OK(try_start_set(fd, set));
}

static inline void restart(int fd)
{
	CHECK_OK(try_restart(fd));
}

/* The context is not loaded: commands that need a loaded context fail. */
static inline void check_unloaded(int fd)
{
	CHECK_ERRNO(try_stop(fd), EBUSY);
}

/* The context is loaded, and remains started or stopped. */
static inline void check_loaded(int fd)
{
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
}

/* Registers of event set 0. */

static inline int try_write_pmc(int fd, unsigned int pmc, __u64 value)
{
	pfarg_pmc_t arg = { .reg_num = pmc, .reg_value = value };

	return perfmonctl(fd, PFM_WRITE_PMCS, &arg, 1);
}

static inline int try_write_pmd(int fd, unsigned int pmd, __u64 value)
{
	pfarg_pmd_t arg = { .reg_num = pmd, .reg_value = value };

	return perfmonctl(fd, PFM_WRITE_PMDS, &arg, 1);
}

static inline void write_pmc(int fd, unsigned int pmc, __u64 value)
{
	CHECK_OK(try_write_pmc(fd, pmc, value));
}

static inline void write_pmd(int fd, unsigned int pmd, __u64 value)
{
	CHECK_OK(try_write_pmd(fd, pmd, value));
}

static inline __u64 read_pmd(int fd, unsigned int pmd)
{
	pfarg_pmd_t arg = { .reg_num = pmd };

	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &arg, 1));
	return arg.reg_value;
}

/* The global settings. */

static inline pfarg_config_t get_config(void)
{
	pfarg_config_t config;

	CHECK_OK(perfmonctl(-1, PFM_GET_CONFIG, &config, 1));
	return config;
}

static inline bool has_bit(const __u64 *bitvector, unsigned int bit)
{
	return bitvector[bit / 64] >> (bit % 64) & 1;
}

static inline void add_bit(__u64 *bitvector, unsigned int bit)
{
	bitvector[bit / 64] |= 1ULL << (bit % 64);
}

static inline bool has_pmc(unsigned int pmc)
{
	pfarg_config_t config = get_config();

	return has_bit(config.cf_impl_pmcs, pmc);
}

static inline bool has_pmd(unsigned int pmd)
{
	pfarg_config_t config = get_config();

	return has_bit(config.cf_impl_pmds, pmd);
}

/* Requirements of a test on the machine. */

static inline void need_pmu(void)
{
	if (!has_pmc(0) || !has_pmd(0))
		SKIP("no PMU that perfmon knows; tools/vm/run without --no-pmu has one");
}

static inline void need_cpus(int n)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (online < n)
		SKIP("needs %d CPUs, there is %ld; tools/vm/run --smp %d", n, online, n);
}

/* Run on this CPU only. */
static inline void pin_thread(pid_t tid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	CHECK_OK(sched_setaffinity(tid, sizeof(set), &set));
}

static inline void pin(int cpu)
{
	pin_thread(0, cpu);
}

/* Fails if the clock does not exist. */
static inline __u64 clock_ns(clockid_t clock)
{
	struct timespec time;

	CHECK_OK(clock_gettime(clock, &time));
	return time.tv_sec * NS_PER_SEC + time.tv_nsec;
}

static inline void sleep_ms(unsigned int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

/* Wait for a condition that becomes true by itself, soon. */
#define WAIT_UNTIL(cond)						\
	do {								\
		int wait_left = 5000;					\
									\
		while (!(cond)) {					\
			if (!wait_left--)				\
				FAIL("%s did not come true in 5 s", #cond); \
			sleep_ms(1);					\
		}							\
	} while (0)

/* Open descriptors of this process. */
static inline unsigned int count_fds(void)
{
	unsigned int n = 0;
	DIR *dir = opendir("/proc/self/fd");

	if (!dir)
		FAIL("/proc/self/fd: %s", strerror(errno));
	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 3;	/* ".", ".." and the descriptor of opendir() */
}

#endif /* TESTS_ABI_ABI_H */
