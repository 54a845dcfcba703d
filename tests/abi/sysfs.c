// SPDX-License-Identifier: GPL-2.0
/* /sys/kernel/perfmon: every documented file, its form, and its contents. */
#include "count.h"
#include "messages.h"
#include "settings.h"

#include <fnmatch.h>
#include <ftw.h>
#include <regex.h>
#include <sys/stat.h>

#define NUMBER	"^(0|[1-9][0-9]*)$"
#define HEX	"^0x[0-9a-f]+$"
#define GROUP	"^(any|0|[1-9][0-9]*)$"
#define PAUSE	"^(any|capable|never)$"
#define CORES	"^((core|atom|other) [0-9,-]+\n?)+$"
#define UUID	"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"

/* Documentation/ABI/testing/sysfs-kernel-perfmon, as patterns. */
static const struct entry {
	const char	*path;
	const char	*form;
	enum { ONE, SETTING, PER_REGISTER, PER_FORMAT, PER_HYBRID } kind;
} entries[] = {
	{ "version", "^[0-9]+\\.[0-9]+$", ONE },
	{ "sessions/thread", NUMBER, ONE },
	{ "sessions/system", NUMBER, ONE },
	{ "limits/arg_size_max", NUMBER, ONE },
	{ "limits/smpl_buf_size_max", NUMBER, ONE },
	{ "limits/sys_gid", GROUP, ONE },
	{ "limits/thread_gid", GROUP, ONE },
	{ "limits/interrupt_rate_max", NUMBER, SETTING },
	{ "limits/cpu_time_max_percent", NUMBER, SETTING },
	{ "limits/switch_timeout_min_ns", NUMBER, SETTING },
	{ "limits/watchdog_pause", PAUSE, SETTING },
	{ "stats/activations", NUMBER, ONE },
	{ "stats/activations_lazy", NUMBER, ONE },
	{ "stats/interrupts", NUMBER, ONE },
	{ "stats/interrupts_late", NUMBER, ONE },
	{ "stats/overflows", NUMBER, ONE },
	{ "stats/samples", NUMBER, ONE },
	{ "stats/samples_lost_full", NUMBER, ONE },
	{ "stats/samples_lost_error", NUMBER, ONE },
	{ "stats/samples_lost_throttled", NUMBER, ONE },
	{ "stats/samples_lost_late", NUMBER, ONE },
	{ "stats/throttles", NUMBER, ONE },
	{ "stats/switches_time", NUMBER, ONE },
	{ "stats/switches_overflow", NUMBER, ONE },
	{ "stats/blocks", NUMBER, ONE },
	{ "stats/messages", NUMBER, ONE },
	{ "stats/messages_lost", NUMBER, ONE },
	{ "stats/messages_reset", NUMBER, ONE },
	{ "pmu/model", "^[^\n]+$", ONE },
	{ "pmu/counter_width", NUMBER, ONE },
	{ "pmu/core_types", CORES, PER_HYBRID },
	{ "pmu/pm[cd]*/name", "^[A-Za-z0-9_-]+$", PER_REGISTER },
	{ "pmu/pm[cd]*/type", "^(MSR|SPR|PMC|PMD|IBR|DBR|SOFT)$", PER_REGISTER },
	{ "pmu/pm[cd]*/address", HEX, PER_REGISTER },
	{ "pmu/pm[cd]*/default", HEX, PER_REGISTER },
	{ "pmu/pm[cd]*/reserved", HEX, PER_REGISTER },
	{ "pmu/pm[cd]*/width", NUMBER, PER_REGISTER },
	{ "formats/*/uuid", UUID, PER_FORMAT },
	{ "formats/*/version", "^[0-9]+\\.[0-9]+$", PER_FORMAT },
};

static unsigned int seen[ARRAY_SIZE(entries)];

static void check_form(const char *name, const char *form)
{
	char path[256], text[4096];
	regex_t regex;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), PERFMON_SYSFS "%s", name);
	fd = open(path, O_RDONLY);
	CHECK_OK(fd);
	n = read(fd, text, sizeof(text) - 1);
	CHECK_OK(n);
	close(fd);
	/* One line, with its newline. */
	if (n < 2 || text[n - 1] != '\n')
		FAIL("%s has %zd bytes and no line", name, n);
	text[n - 1] = '\0';
	CHECK_EQ(regcomp(&regex, form, REG_EXTENDED | REG_NOSUB), 0);
	if (regexec(&regex, text, 0, NULL, 0))
		FAIL("%s is '%s', not of the form %s", name, text, form);
	regfree(&regex);
}

static int check_file(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
	const char *name = path + strlen(PERFMON_SYSFS);
	size_t i;

	(void)ftw;
	if (type == FTW_D) {
		CHECK_EQ(stat->st_mode & 0777, 0755);
		return 0;
	}
	CHECK_EQ(type, FTW_F);
	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		if (fnmatch(entries[i].path, name, FNM_PATHNAME))
			continue;
		seen[i]++;
		if (stat->st_mode != (S_IFREG | (entries[i].kind == SETTING ? 0644 : 0444)))
			FAIL("%s has mode %o", name, stat->st_mode);
		check_form(name, entries[i].form);
		return 0;
	}
	FAIL("%s is not documented", name);
}

static bool is_hybrid(void)
{
	char model[64];

	read_sysfs("pmu/model", model, sizeof(model));
	return strstr(model, ", hybrid");
}

/* covers: 3.3.4-1 4.4.5-1 D.5-1 */
TEST(exactly_the_documented_files_exist_and_have_their_form)
{
	pfarg_config_t config = get_config();
	unsigned int registers = 0, i;

	CHECK_EQ(nftw(PERFMON_SYSFS, check_file, 16, FTW_PHYS), 0);
	for (i = 0; i < PFM_MAX_PMDS; i++)
		registers += has_bit(config.cf_impl_pmcs, i) + has_bit(config.cf_impl_pmds, i);
	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		/* Modules may have registered formats; one format is always there. */
		if (entries[i].kind == PER_FORMAT)
			CHECK_GE(seen[i], 1);
		else if (entries[i].kind == PER_HYBRID)
			CHECK_EQ(seen[i], is_hybrid());
		else if (seen[i] != (entries[i].kind == PER_REGISTER ? registers : 1))
			FAIL("%s exists %u times", entries[i].path, seen[i]);
	}
}

/* covers: D.5-1 */
TEST(formats_is_a_directory)
{
	struct stat status;

	CHECK_OK(stat(PERFMON_SYSFS "formats", &status));
	CHECK(S_ISDIR(status.st_mode));
}

static int read_file_there(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
	char text[4096];

	(void)stat;
	(void)ftw;
	if (type == FTW_F)
		read_file(path, text, sizeof(text));
	return 0;
}

static void read_all_as_nobody(void *unused)
{
	(void)unused;
	become(NOBODY, NOBODY);
	CHECK_EQ(nftw(PERFMON_SYSFS, read_file_there, 16, FTW_PHYS), 0);
}

/* covers: D.5-1 */
TEST(everybody_may_read_all_files)
{
	run_in_child(read_all_as_nobody, NULL);
}

/* covers: D.5-1 */
TEST(nobody_may_write_a_file)
{
	CHECK(try_write_file(PERFMON_SYSFS "limits/arg_size_max", "8192"));
	CHECK(try_write_file(PERFMON_SYSFS "limits/sys_gid", "0"));
	CHECK(try_write_file(PERFMON_SYSFS "stats/messages", "0"));
	CHECK_EQ(get_config().cf_arg_size_max, 4096);
}

/* covers: D.5-2 */
TEST(thread_sessions_follow_load_and_unload)
{
	pid_t pid = spawn(just_wait, NULL);
	int fd = create(0), other = create(0);

	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	load_self(fd);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 1);
	load(other, pid);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 2);
	start(fd);
	stop(fd);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 2);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	unload(fd);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 1);
	CHECK_OK(close(other));
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	kill_child(pid);
}

/* covers: D.5-2 */
TEST(system_sessions_follow_load_and_unload)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	load_self(fd);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 1);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	unload(fd);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
}

/* covers: D.5-3 */
TEST(a_machine_with_registers_has_a_model_and_a_width)
{
	char model[64];

	read_sysfs("pmu/model", model, sizeof(model));
	CHECK_EQ(!strcmp(model, "none"), !has_pmd(0));
	CHECK_EQ(!read_sysfs_u64("pmu/counter_width"), !has_pmd(0));
}

/* Of a list as in "0,2-3". */
static bool is_in_list(const char *list, long cpu)
{
	long first, last;
	int n;

	for (; sscanf(list, "%ld%n", &first, &n) == 1; list += *list == ',') {
		list += n;
		last = first;
		if (sscanf(list, "-%ld%n", &last, &n) == 1)
			list += n;
		if (cpu >= first && cpu <= last)
			return true;
	}
	return false;
}

/* All types on whose cores this CPU is, by the file, with a blank after each. */
static void types_of(long cpu, char *types)
{
	char file[512], name[8], list[256], *line;

	*types = 0;
	read_sysfs("pmu/core_types", file, sizeof(file));
	for (line = strtok(file, "\n"); line; line = strtok(NULL, "\n")) {
		if (sscanf(line, "%7s %255s", name, list) != 2)
			FAIL("\"%s\" is no type and a list of CPUs", line);
		if (is_in_list(list, cpu))
			types += sprintf(types, "%s ", name);
	}
}

/* covers: D.5-3 */
TEST(types_of_cores_are_those_that_the_processor_reports)
{
	char types[64], want[64];
	const char *type, *first = NULL;
	bool several = false;
	cpu_set_t online;
	long cpu;

	CHECK_OK(sched_getaffinity(0, sizeof(online), &online));
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &online))
			continue;
		pin(cpu);
		type = arch_core_type();
		first = first ?: type;
		several |= type != first;
		if (!type || !is_hybrid())
			continue;
		types_of(cpu, types);
		snprintf(want, sizeof(want), "%s ", type);
		CHECK_STREQ(types, want);
	}
	CHECK_EQ(is_hybrid(), several && !soft_pmu);
}

/* The event that each statistic counts, and only that event. */

static struct stats {
	__u64 activations, activations_lazy, interrupts, interrupts_late, messages, messages_reset;
} read_stats(void)
{
	return (struct stats) {
		read_sysfs_u64("stats/activations"), read_sysfs_u64("stats/activations_lazy"),
		read_sysfs_u64("stats/interrupts"), read_sysfs_u64("stats/interrupts_late"),
		read_sysfs_u64("stats/messages"), read_sysfs_u64("stats/messages_reset"),
	};
}

/* covers: D.5-4 */
TEST(an_end_counts_as_a_message)
{
	struct stats before = read_stats(), after;
	int fd = ended_context();

	after = read_stats();
	CHECK_EQ(after.messages, before.messages + 1);
	CHECK_EQ(after.messages_reset, before.messages_reset);
	expect_end(fd);
	after = read_stats();
	CHECK_EQ(after.messages, before.messages + 1);
}

/* No descriptor is left to read a message from. */
/* covers: D.5-4 3.1.15-9 */
TEST(the_last_close_makes_no_message)
{
	struct stats before = read_stats();
	int fd = create(0);
	pid_t pid = sleeping_child(fd);

	load(fd, pid);
	CHECK_OK(close(fd));
	CHECK_EQ(read_stats().messages, before.messages);
	kill_child(pid);
}

/* covers: D.5-4 */
TEST(a_discarded_message_is_counted)
{
	struct stats before = read_stats(), after;
	int fd = ended_context();

	load_self(fd);
	unload(fd);
	load_self(fd);
	after = read_stats();
	CHECK_EQ(after.messages_reset, before.messages_reset + 1);
}

/* covers: D.4-4 */
TEST(the_first_start_loads_the_registers_and_the_next_finds_them)
{
	int fd = create_counting(general, 0);
	struct stats before, first, next;

	pin(0);
	load_self(fd);
	before = read_stats();
	start(fd);
	stop(fd);
	first = read_stats();
	CHECK_GE(first.activations, before.activations + 1);
	start(fd);
	stop(fd);
	next = read_stats();
	CHECK_EQ(next.activations, first.activations);
	CHECK_GE(next.activations_lazy, first.activations_lazy + 1);
}

/* Its sets may have been made anew. */
/* covers: D.4-4 */
TEST(each_load_loads_the_registers)
{
	int fd = create_counting(general, 0), other = create_counting(general, 0), i;
	pid_t pid = spawn_without(other, just_wait, NULL);
	struct stats before, after;

	/* A session that lasts: after the last one the registers may be another user's. */
	load(other, pid);
	pin(0);
	for (i = 0; i < 3; i++) {
		load_self(fd);
		before = read_stats();
		start(fd);
		stop(fd);
		after = read_stats();
		CHECK_GE(after.activations, before.activations + 1);
		unload(fd);
	}
	kill_child(pid);
}

/* covers: D.4-4 */
TEST(a_thread_that_comes_back_to_its_registers_finds_them)
{
	int fd = create_counting(general, 0), i;
	struct stats before, after;

	pin(0);
	load_self(fd);
	start(fd);
	before = read_stats();
	for (i = 0; i < 10; i++)
		sleep_ms(1);
	after = read_stats();
	CHECK_EQ(after.activations, before.activations);
	CHECK_GE(after.activations_lazy, before.activations_lazy + 10);
}

static void own_the_registers(void *arg)
{
	int fd = create_counting(general, 0);

	(void)arg;
	take_turns(0);
	load_self(fd);
	start(fd);
	for (;;)
		sched_yield();
}

/* covers: D.4-4 */
TEST(two_threads_that_take_turns_load_their_registers)
{
	int fd = create_counting(general, 0), i;
	struct stats before, after;
	pid_t pid;

	take_turns(0);
	load_self(fd);
	start(fd);
	pid = spawn(own_the_registers, NULL);
	WAIT_UNTIL(read_sysfs_u64("sessions/thread") == 2);
	before = read_stats();
	for (i = 0; i < 50; i++)
		sched_yield();
	after = read_stats();
	CHECK_GE(after.activations, before.activations + 20);
	kill_child(pid);
}

/* covers: D.5-5 */
TEST(an_overflow_is_an_interrupt)
{
	int fd = create_counting(general, 0);
	struct stats before, after;

	load_self(fd);
	count_loop(fd, general, 0, 100);
	before = read_stats();
	count_loop(fd, general, -100, 1000);
	after = read_stats();
	CHECK_EQ(after.interrupts + after.interrupts_late,
		 before.interrupts + before.interrupts_late + 1);
	CHECK_EQ(after.interrupts, before.interrupts + 1);
}

/* covers: D.5-5 */
TEST(a_count_without_overflow_is_no_interrupt)
{
	int fd = create_counting(general, 0);
	struct stats before, after;

	load_self(fd);
	before = read_stats();
	count_loop(fd, general, 0, 1000);
	after = read_stats();
	CHECK_EQ(after.interrupts, before.interrupts);
	CHECK_EQ(after.interrupts_late, before.interrupts_late);
}
