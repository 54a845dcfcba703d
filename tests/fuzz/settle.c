// SPDX-License-Identifier: GPL-2.0
/* After a round nothing of it may be left, and the machine must work as before. */
#include "backend.h"
#include "registers.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <perfmon_soft.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ONLINE		"/sys/devices/system/cpu/cpu1/online"
#define WAIT_MS		3000

/* A round may make a cache grow, but not by one object for each round. */
static const char *const caches[] = {
	"task_struct", "filp", "files_cache", "mm_struct", "vm_area_struct", "signal_cache",
	"sighand_cache", "pid", "cred_jar", "pid_namespace",
};

static uint64_t objects_before[ARRAY_SIZE(caches)];
static unsigned int fds_before;
static int kernel_log = -1;

static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);

	close(fd);
	text[got < 0 ? 0 : got] = '\0';
	return got >= 0;
}

static uint64_t read_number(const char *path)
{
	char text[64];

	return read_text(path, text, sizeof(text)) ? strtoull(text, NULL, 0) : 0;
}

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0)
		(void)!write(fd, text, strlen(text));
	close(fd);
}

static void write_number(const char *path, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	write_text(path, text);
}

/* The time by the host's clock: the guest's clock depends on its instructions. */
uint64_t wall_seconds(void)
{
	return read_number("/sys/class/rtc/rtc0/since_epoch");
}

static unsigned int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

/*
 * The number of objects in a cache. Shrinking frees its free lists, and the quarantine in which
 * KASAN keeps freed objects.
 */
static uint64_t count_objects(const char *cache)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/slab/%s/shrink", cache);
	write_text(path, "1");
	snprintf(path, sizeof(path), "/sys/kernel/slab/%s/objects", cache);
	return read_number(path);
}

static int perfmonctl(int fd, int cmd, void *arg, int narg)
{
	return backend_call(fd, cmd, arg, narg);
}

/* Prepare the machine for a round. */
void settle_in(const struct plan *plan)
{
	write_number(SYSFS "limits/interrupt_rate_max", plan->interrupt_rate_max);
	delays_begin(plan);
}

static void restore(void)
{
	pfarg_config_t config = machine.config;

	delays_end(&world->plan);
	if (machine.cpus > 1)
		write_text(ONLINE, "1");
	write_number(SYSFS "limits/interrupt_rate_max", machine.interrupt_rate_max);
	write_number(SYSFS "limits/switch_timeout_min_ns", machine.switch_timeout_min_ns);
	if (perfmonctl(-1, PFM_SET_CONFIG, &config, 1))
		violation(NULL, "the limits cannot be restored: %s", strerror(errno));
}

static void check_sessions(void)
{
	uint64_t thread, cpu;
	int tries;

	for (tries = 0; tries < WAIT_MS; tries++) {
		thread = read_number(SYSFS "sessions/thread");
		cpu = read_number(SYSFS "sessions/system");
		if (!thread && !cpu)
			return;
		usleep(1000);
	}
	violation(NULL, "all processes are gone, and there are %llu thread and %llu CPU sessions",
		  (unsigned long long)thread, (unsigned long long)cpu);
}

static int new_context(__u32 flags)
{
	pfarg_ctx_t context = { .ctx_flags = flags, .ctx_fd = -1 };

	if (perfmonctl(-1, PFM_CREATE_CONTEXT, &context, 1))
		return -1;
	return context.ctx_fd;
}

/* A counter whose event never pauses: of instructions, on the software PMU of time. */
static unsigned int busy_counter(void)
{
	char model[32] = "";
	int fd = open("/sys/kernel/perfmon/pmu/model", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, model, sizeof(model) - 1) < 0)
		model[0] = '\0';
	if (fd >= 0)
		close(fd);
	return strcmp(model, PFM_SOFT_MODEL "\n") ? 0 : PFM_SOFT_TASK_CLOCK;
}

/* Count our own events. The value enables either counter. */
static bool counts(__u32 flags)
{
	const unsigned int reg = busy_counter();
	pfarg_load_t load = { .load_pid = gettid() };
	pfarg_pmc_t pmc = {
		.reg_num = reg, .reg_value = COUNT_USER | COUNT_ENABLE | INSTRUCTIONS,
	};
	pfarg_pmd_t pmd = { .reg_num = reg };
	int fd = new_context(flags);
	volatile unsigned int i;
	bool good;

	if (fd < 0)
		return false;
	good = !perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1) &&
	       !perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1) &&
	       !perfmonctl(fd, PFM_LOAD_CONTEXT, &load, 1) &&
	       !perfmonctl(fd, PFM_START, NULL, 0);
	for (i = 0; i < 1000; i++)
		;
	good = good && !perfmonctl(fd, PFM_READ_PMDS, &pmd, 1) &&
	       pmd.reg_value > 1000 && pmd.reg_value < 1000000000;
	close(fd);
	return good;
}

static void check_counting(void)
{
	cpu_set_t set, all;
	unsigned int cpu;

	sched_getaffinity(0, sizeof(all), &all);
	for (cpu = 0; cpu < machine.cpus; cpu++) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			violation(NULL, "CPU %u is not there any more", cpu);
		else if (!counts(0))
			violation(NULL, "a thread on CPU %u does not count any more", cpu);
		else if (!counts(PFM_FL_SYSTEM_WIDE))
			violation(NULL, "CPU %u does not count any more", cpu);
	}
	sched_setaffinity(0, sizeof(all), &all);
}

/* perf_events must have the hardware back; ENOENT: it has no PMU either. */
static void check_perf(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
					.config = PERF_COUNT_HW_INSTRUCTIONS };
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && errno != ENOENT)
		violation(NULL, "perf_events do not get the PMU back: %s", strerror(errno));
	close(fd);
}

/* No context with a format is left: so its module can be removed. */
static void check_module(void)
{
	int fd, tries;

	if (!machine.module)
		return;
	for (tries = 0; tries < WAIT_MS; tries++) {
		if (!syscall(SYS_delete_module, PROBE_MODULE, O_NONBLOCK) || errno != EWOULDBLOCK)
			break;
		usleep(1000);
	}
	if (tries == WAIT_MS)
		violation(NULL, PROBE_MODULE " has no user, and is in use");
	fd = open(machine.module, O_RDONLY | O_CLOEXEC);
	if (!module_load(fd))
		violation(NULL, PROBE_MODULE " cannot be loaded again: %s", strerror(errno));
	close(fd);
}

/* True if a context can have a buffer of four pages, where the limit is four pages. */
static bool has_room_for_buffer(void)
{
	struct {
		pfarg_ctx_t		context;
		pfm_default_smpl_arg_t	arg;
	} request = { .context.ctx_smpl_buf_id = PFM_DEFAULT_SMPL_UUID };
	int tries;

	request.arg.buf_size = 4 * PAGE;
	for (tries = 0; tries < WAIT_MS; tries++) {
		if (!perfmonctl(-1, PFM_CREATE_CONTEXT, &request, 1)) {
			close(request.context.ctx_fd);
			return true;
		}
		usleep(1000);
	}
	return false;
}

/* An unprivileged root of a user namespace has all of its locked memory free. */
static void check_locked_memory(void)
{
	struct rlimit limit = { 4 * PAGE, 4 * PAGE };
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct none[2] = { };
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		setrlimit(RLIMIT_MEMLOCK, &limit);
		syscall(SYS_capset, &header, none);
		_exit(has_room_for_buffer() ? 0 : errno);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		violation(NULL, "no buffer is left, and there is no locked memory for one: %s",
			  strerrorname_np(WEXITSTATUS(status)));
}

/* No buffer is left: a buffer as large as the limit can be created. */
static void check_buffers(void)
{
	pfarg_config_t config = machine.config;

	config.cf_smpl_buf_size_max = 4 * PAGE;
	perfmonctl(-1, PFM_SET_CONFIG, &config, 1);
	if (!has_room_for_buffer())
		violation(NULL, "sampling buffers are left over: %s", strerror(errno));
	config = machine.config;
	perfmonctl(-1, PFM_SET_CONFIG, &config, 1);
}

/* The kernel's complaints, by the patterns of tools/vm/complaints: here the seed is known. */
static void check_kernel_log(void)
{
	static const char *const words[] = {
		"WARNING: ", "BUG: ", "INFO: ", "UBSAN: ", "cut here", "Call Trace", "Oops",
		"general protection", "refcount_t", "corruption", "unchecked MSR", "Uhhuh",
		"possible circular", "possible recursive", "RCU usage", "lockup", "stall",
	};
	char record[8192];
	ssize_t got;
	size_t i;

	while ((got = read(kernel_log, record, sizeof(record) - 1)) > 0 || errno == EPIPE) {
		record[got < 0 ? 0 : got] = '\0';
		for (i = 0; i < ARRAY_SIZE(words); i++)
			if (strstr(record, words[i]))
				violation(NULL, "the kernel complains: %s", strchr(record, ';') + 1);
		errno = 0;
	}
}

void settle_open(void)
{
	kernel_log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lseek(kernel_log, 0, SEEK_END);
}

/* The numbers of objects after a few rounds must be those after many. */
void settle_baseline(void)
{
	unsigned int i;

	fds_before = count_fds();
	for (i = 0; i < ARRAY_SIZE(caches); i++)
		objects_before[i] = count_objects(caches[i]);
}

bool settle(void)
{
	restore();
	check_sessions();
	check_kernel_log();
	if (!world->failed) {
		check_counting();
		check_perf();
		check_buffers();
		check_locked_memory();
		check_module();
	}
	if (fds_before && count_fds() != fds_before)
		violation(NULL, "the fuzzer has %u descriptors, it had %u", count_fds(), fds_before);
	return !world->failed;
}

/* By then, the kernel has freed what it frees late. */
bool settle_end(unsigned int rounds)
{
	uint64_t now, allowed = 20 + rounds / 4;
	unsigned int i, tries;

	for (i = 0; i < ARRAY_SIZE(caches); i++) {
		for (tries = 0; tries < 50; tries++) {
			now = count_objects(caches[i]);
			if (now <= objects_before[i] + allowed)
				break;
			usleep(100000);
		}
		if (world->verbose)
			printf("  %s: %llu objects before, %llu after\n", caches[i],
			       (unsigned long long)objects_before[i], (unsigned long long)now);
		if (now > objects_before[i] + allowed)
			violation(NULL, "%s: %llu objects before, %llu after %u rounds", caches[i],
				  (unsigned long long)objects_before[i], (unsigned long long)now,
				  rounds);
	}
	check_kernel_log();
	return !world->failed;
}
