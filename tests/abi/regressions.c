// SPDX-License-Identifier: GPL-2.0
/*
 * Classes of bugs that interfaces of this kind have had, a regression test or more for each; the
 * comment above a test names its class. Further ones: storms in throttle.c; reserved bits in
 * pmcs.c; races of the commands themselves in races.c; CPUs that go offline in hotplug.c; mappings
 * in mapping.c; privileges in exec.c and permissions.c.
 */
#include "commands.h"
#include "probe.h"
#include "sampling.h"
#include "system.h"

#include <limits.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>

static __u64 memory[1024];

/* Class: argument size and multiplication overflow. */
/* covers: D.9-1 */
TEST(no_number_of_elements_overflows_the_size_of_a_vector)
{
	const struct command *c;
	int fd = create(0), shift;
	__u64 n;

	for_each_command(c) {
		if (c->args != ARGS_VECTOR)
			continue;
		for (shift = 12; shift < 31; shift++) {
			n = 1ULL << shift;
			expect_error(c, fd, memory, n, E2BIG);
			n = ((1ULL << 32) / c->size + 1) >> (30 - shift);
			if (n > 4096 && n < INT_MAX)
				expect_error(c, fd, memory, n, E2BIG);
		}
	}
}

/* Class: argument size and multiplication overflow. */
/* covers: D.9-1 */
TEST(no_size_of_a_buffer_overflows_when_it_is_rounded)
{
	__u64 size;
	int shift, fd;

	need_pmu();
	for (shift = 30; shift < 64; shift++) {
		for (size = (1ULL << shift) - 4097; size <= (1ULL << shift) + 4097; size += 2731) {
			fd = try_create_smpl(0, size, 0);
			if (fd < 0) {
				CHECK(errno == ENOMEM || errno == EINVAL);
				continue;
			}
			CHECK(size < 1ULL << 31);
			CHECK_OK(close(fd));
		}
	}
}

/* Class: 64-to-32-bit truncation of an index, a size or a time. */
/* covers: D.9-2 */
TEST(nothing_is_truncated_to_32_bits)
{
	pfarg_config_t config = get_config();
	int fd = create(0);

	need_pmu();
	/* A size. */
	CHECK_ERRNO(try_create_smpl(0, (1ULL << 32) + 65536, 0), ENOMEM);
	config.cf_arg_size_max = (1ULL << 32) + 4096;
	CHECK(perfmonctl(-1, PFM_SET_CONFIG, &config, 1) || get_config().cf_arg_size_max > 4096);
	config.cf_arg_size_max = 4096;
	CHECK_OK(perfmonctl(-1, PFM_SET_CONFIG, &config, 1));
	/* A time. */
	CHECK_EQ(create_timed_set(fd, 1, ((1ULL << 32) + 1) * NS_PER_SEC),
		 ((1ULL << 32) + 1) * NS_PER_SEC);
	CHECK_EQ(create_timed_set(fd, 1, (1ULL << 32) + 7), (1ULL << 32) + 7);
	/* A period, a threshold, a mask. */
	program(fd, (struct event){ .reg = 0, .period = (1ULL << 32) + 5,
				    .long_period = (5ULL << 32) + 6,
				    .flags = PFM_REGFL_RANDOM, .mask = 0xffffffffULL << 32 });
	CHECK_EQ(read_pmd(fd, 0), -((1ULL << 32) + 5));
	create_trigger_set(fd, 2);
	program(fd, (struct event){ .set = 2, .reg = 0, .period = 5,
				    .threshold = (1ULL << 32) + 1 });
	CHECK_EQ(read_reg(fd, 2, 0).reg_ovflsw_thres, (1ULL << 32) + 1);
}

/* Class: 64-to-32-bit truncation of an index, a size or a time. */
/* covers: D.9-2 */
TEST(a_mapping_is_not_truncated_to_32_bits)
{
	int fd;

	need_pmu();
	fd = try_create_smpl(0, 65536, 0);
	CHECK_OK(fd);
	CHECK_EQ(try_map(fd, (1ULL << 32) + 65536), MAP_FAILED);
	CHECK_EQ(mmap(NULL, 65536, PROT_READ, MAP_SHARED, fd, 1L << 44), MAP_FAILED);
	CHECK_EQ(mmap(NULL, 65536, PROT_READ, MAP_SHARED, fd, 1L << 32), MAP_FAILED);
	CHECK_EQ(errno, EINVAL);
}

/* Class: out-of-range register or set. */
/* covers: D.9-3 D.9-4 */
TEST(no_number_of_a_register_or_set_leads_outside_the_tables)
{
	pfarg_config_t config = get_config();
	int fd = create(0);
	__u32 i;

	need_pmu();
	for (i = 0; i < 65536; i += i < 1024 || i > 65000 ? 1 : 61) {
		pfarg_pmc_t pmc = { .reg_num = i };
		pfarg_pmd_t pmd = { .reg_num = i };
		pfarg_pmcinfo_t pmcinfo = { .reg_num = i };
		pfarg_pmdinfo_t pmdinfo = { .reg_num = i };
		bool is_pmc = i < PFM_MAX_PMCS && has_bit(config.cf_impl_pmcs, i);
		bool is_pmd = i < PFM_MAX_PMDS && has_bit(config.cf_impl_pmds, i);

		CHECK_EQ(!perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1), is_pmc);
		CHECK_EQ(!perfmonctl(fd, PFM_READ_PMDS, &pmd, 1), is_pmd);
		CHECK_EQ(!perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1),
			 is_pmd && i < PFM_VIRTUAL_PMD);
		CHECK_EQ(!perfmonctl(fd, PFM_GETINFO_PMCS, &pmcinfo, 1), is_pmc);
		CHECK_EQ(!perfmonctl(fd, PFM_GETINFO_PMDS, &pmdinfo, 1), is_pmd);
		if (!i)
			continue;
		CHECK_ERRNO(try_get_set(fd, i), EINVAL);
		CHECK_ERRNO(try_delete_set(fd, i), EINVAL);
		CHECK_ERRNO(try_load_set(fd, gettid(), i), EINVAL);
	}
	load_self(fd);
	for (i = 1; i < 65536; i += i < 1024 || i > 65000 ? 1 : 61)
		CHECK_ERRNO(try_start_set(fd, i), EINVAL);
}

/* If this is AMD's IBS, the bit that enables it is refused without a period. */
static __u64 least_value(int pmc)
{
	return pmc >= FIXED_CTRL && !has_fixed() ? 0x1000 : 0;
}

/* Class: reserved bits reaching the hardware. The processor faults at once if one does. */
/* covers: D.9-5 */
TEST(any_bit_of_any_register_may_be_written_while_it_counts)
{
	pfarg_config_t config = get_config();
	int fd, i, bit, state;

	need_pmu();
	fd = create(0);
	load_self(fd);
	for (state = 0; state < 2; state++) {
		for (i = 0; i < PFM_MAX_PMCS; i++) {
			if (!has_bit(config.cf_impl_pmcs, i))
				continue;
			for (bit = 0; bit < 64; bit++) {
				CHECK_OK(try_write_pmc(fd, i, 1ULL << bit | least_value(i)));
				CHECK_OK(try_write_pmc(fd, i, ~(1ULL << bit)));
				sched_yield();
			}
			CHECK_OK(try_write_pmc(fd, i, 0));
		}
		for (i = 0; i < PFM_VIRTUAL_PMD; i++) {
			if (!has_bit(config.cf_impl_pmds, i))
				continue;
			for (bit = 0; bit < 64; bit++) {
				program(fd, (struct event){ .reg = i < 16 ? i : 3,
							    .period = 1ULL << bit });
				write_pmd(fd, i, ~(1ULL << bit));
				sched_yield();
			}
		}
		start(fd);
	}
	stop(fd);
}

/* Objects of the kernel's caches that contexts and tasks are made of. */
static __u64 slab_objects(const char *cache)
{
	unsigned long long active;
	char line[256], name[64];
	FILE *file = fopen("/proc/slabinfo", "re");

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %llu", name, &active) == 2 && !strcmp(name, cache)) {
			fclose(file);
			return active;
		}
	}
	fclose(file);
	return 0;
}

static __u64 slab_kib(void)
{
	unsigned long long value = 0, part;
	char line[128];
	FILE *file = fopen("/proc/meminfo", "re");

	CHECK(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "Slab: %llu", &part) == 1 ||
		    sscanf(line, "VmallocUsed: %llu", &part) == 1)
			value += part;
	fclose(file);
	return value;
}

static void use_everything(int i, pid_t pid)
{
	int fd = i % 2 ? try_create_smpl(0, 4096, 0) : create(0);
	void *map = NULL;

	CHECK_OK(fd);
	if (i % 3 == 0) {
		create_timed_set(fd, 1, 1000000);
		create_set(fd, (pfarg_setdesc_t){ .set_id = 2 });
	}
	if (i % 2 && i % 5 == 0)
		map = try_map(fd, 4096);
	CHECK_NE(map, MAP_FAILED);
	if (i % 7 == 0)
		load(fd, pid);
	else
		load_self(fd);
	if (i % 4 == 0)
		start(fd);
	if (i % 4 == 1)
		unload(fd);
	CHECK_OK(close(fd));
	if (map)
		CHECK_OK(munmap(map, 4096));
}

/* The debug kernel is slow, and searches for leaks itself: a tenth is enough for it. */
static int times(int n)
{
	return access("/proc/lockdep", F_OK) ? n : n / 10;
}

/* Class: leaked descriptors and task references. */
/* covers: D.9-17 D.9-18 */
TEST_LIMIT(ten_thousand_contexts_leave_nothing_behind, 200)
{
	__u64 slab = 0, tasks = 0, files = 0;
	unsigned int fds = count_fds();
	pid_t pid = spawn(just_wait, NULL);
	int n = times(10000), i;

	need_pmu();
	for (i = 0; i < 500 + n; i++) {
		if (i == 500) {
			sleep_ms(100);
			slab = slab_kib();
			tasks = slab_objects("task_struct");
			files = slab_objects("filp");
		}
		use_everything(i, pid);
	}
	CHECK_EQ(count_fds(), fds);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	/* Objects that RCU frees need a moment. */
	WAIT_UNTIL(slab_kib() < slab + 4096);
	WAIT_UNTIL(slab_objects("task_struct") < tasks + 50);
	WAIT_UNTIL(slab_objects("filp") < files + 500);
	kill_child(pid);
	/* A task that was monitored does not stay: its number is free. */
	CHECK_ERRNO(kill(pid, 0), ESRCH);
}

/* Class: leaked descriptors and task references: of the tasks themselves. */
/* covers: D.9-18 */
TEST(a_thousand_monitored_tasks_leave_nothing_behind)
{
	int n = times(1000), fd, i;
	__u64 tasks = 0;
	pid_t pid;

	for (i = 0; i < 100 + n; i++) {
		if (i == 100)
			tasks = slab_objects("task_struct");
		fd = create(i % 2 ? PFM_FL_NOTIFY_BLOCK : 0);
		pid = spawn_without(fd, just_wait, NULL);
		load(fd, pid);
		if (i % 3 == 0)
			CHECK_OK(close(fd));
		kill_child(pid);
		if (i % 3)
			CHECK_OK(close(fd));
	}
	WAIT_UNTIL(slab_objects("task_struct") < tasks + 50);
}

static void send_fd(int to, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = "", byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *header = CMSG_FIRSTHDR(&msg);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	CHECK_EQ(sendmsg(to, &msg, 0), 1);
}

/* Class: use of another task's address space. The last descriptor is in a queue. */
/* covers: D.9-19 */
TEST(a_descriptor_that_dies_in_a_socket_unmaps_nothing_of_others)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	int ends[2];
	char *memory_there;

	CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	send_fd(ends[0], buffer.fd);
	CHECK_OK(close(buffer.fd));
	memory_there = mmap((void *)buffer.hdr, 65536, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	CHECK_EQ(memory_there, buffer.hdr);
	memory_there[1] = 5;
	CHECK_OK(close(ends[0]));
	CHECK_OK(close(ends[1]));
	sleep_ms(2);
	CHECK_EQ(memory_there[1], 5);
}

/* Class: a stale index in the interrupt path: registers change under their overflow. */
/* covers: D.9-20 */
TEST(a_counter_may_be_disabled_between_its_overflow_and_the_restart)
{
	int fd = masked_context(0);

	write_pmc(fd, 0, 0);
	restart(fd);
	loop(2000);
	check_state(fd, "loaded");
	CHECK_EQ(read_pmd(fd, 0), -1000);
	CHECK_GE(read_pmd(fd, 1), 5000);
}

/* Class: a stale index in the interrupt path: the set that overflowed is deleted. */
/* covers: D.9-20 */
TEST(a_set_that_overflowed_may_be_deleted_before_the_next_load)
{
	int fd, i;

	need_pmu();
	for (i = 0; i < 20; i++) {
		fd = create(0);
		create_trigger_set(fd, 7);
		program(fd, (struct event){ .set = 7, .reg = 0, .flags = NOTIFY, .period = 1000,
					    .threshold = 1 });
		create_set(fd, (pfarg_setdesc_t){ .set_id = 9 });
		count_up(fd, 0, 1);
		CHECK_OK(try_load_set(fd, gettid(), 7));
		start(fd);
		loop(1000);
		check_state(fd, "masked");
		unload(fd);
		delete_set(fd, 7);
		delete_set(fd, 9);
		load_self(fd);
		/* The kernel forgets the pending switch and the pending reset. */
		restart(fd);
		start_loop_stop(fd, 1000);
		check_state(fd, "loaded");
		CHECK_GE(read_pmd(fd, 1), 2000);
		CHECK_EQ(runs(fd, 0), 1);
		CHECK_OK(close(fd));
	}
}

/* Class: a stale index in the interrupt path: other registers in the next set. */
/* covers: D.9-20 */
TEST(sets_with_different_registers_do_not_see_each_others_overflows)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	__u64 i;

	create_trigger_set(buffer.fd, 0);
	create_trigger_set(buffer.fd, 1);
	program(buffer.fd, (struct event){ .reg = 0, .period = 1000, .threshold = 1 });
	program(buffer.fd, (struct event){ .set = 1, .reg = 3, .period = 1000, .threshold = 1 });
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 10000);
	CHECK_GE(buffer.hdr->hdr_count, 79);
	for (i = 0; i < buffer.hdr->hdr_count; i++) {
		CHECK_EQ(entry_at(&buffer, i, 0)->set, i % 2);
		CHECK_EQ(entry_at(&buffer, i, 0)->ovfl_pmd, i % 2 ? 3 : 0);
	}
}

/* Class: leak on fork: the child inherits nothing of the monitoring. */
/* covers: 3.1.7-33 D.9-22 */
TEST(a_forked_child_is_neither_sampled_nor_switched_nor_blocked)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	__u64 i, before, after, own;
	pid_t pid;

	create_timed_set(buffer.fd, 0, 1000000);
	create_timed_set(buffer.fd, 1, 1000000);
	for (i = 0; i < 2; i++)
		program(buffer.fd, (struct event){ .set = i, .reg = 0, .period = 20011 });
	load_self(buffer.fd);
	start(buffer.fd);
	pid = spawn(just_spin, NULL);
	own = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	before = duration(buffer.fd, 0) + duration(buffer.fd, 1);
	sleep_ms(30);
	after = duration(buffer.fd, 0) + duration(buffer.fd, 1);
	own = clock_ns(CLOCK_THREAD_CPUTIME_ID) - own;
	/* A slow machine needs milliseconds for the calls above; the child spins for 30. */
	CHECK_LE(after - before, own + 10 * NS_PER_MS);
	stop(buffer.fd);
	for (i = 0; i < buffer.hdr->hdr_count; i++)
		CHECK_EQ(entry_at(&buffer, i, 0)->pid, getpid());
	kill_child(pid);
}

static void use_roots_descriptor(void *arg)
{
	int fd = *(int *)arg;

	become(NOBODY, NOBODY);
	/* A descriptor allows what needs a descriptor, and not what needs a credential. */
	CHECK_ERRNO(try_write_pmc(fd, 0, ALL_INST), EPERM);
	CHECK_ERRNO(try_load(fd, 1), EPERM);
	CHECK_ERRNO(try_load(fd, getppid()), EPERM);
	CHECK_OK(try_write_pmc(fd, 0, USER_INST));
}

static void pass_to_nobody(void *unused)
{
	int fd = create(0);

	(void)unused;
	run_in_child(use_roots_descriptor, &fd);
}

/* Class: permission bypass through passing the descriptor. */
/* covers: D.9-24 */
TEST(a_passed_descriptor_passes_no_privilege)
{
	need_pmu();
	with_file(PARANOID, "2", pass_to_nobody, NULL);
}

/* Class: an error path that reports success. */
/* covers: D.9-25 */
TEST(what_fails_half_way_fails)
{
	pfarg_pmd_t *read_only, pmds[2] = { { .reg_num = 0 }, { .reg_num = 999 } };
	pfarg_setdesc_t sets[2] = { { .set_id = 1 }, { .set_id = 2, .set_flags = 1 << 15 } };
	int fd = create(0);

	need_pmu();
	read_only = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, read_only, 1), EFAULT);
	CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMDS, read_only, 1), EFAULT);
	CHECK_ERRNO(perfmonctl(fd, PFM_CREATE_EVTSETS, read_only, 1), EFAULT);
	CHECK_ERRNO(perfmonctl(fd, PFM_GETINFO_EVTSETS, read_only, 1), EFAULT);
	CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, pmds, 2), EINVAL);
	CHECK_ERRNO(perfmonctl(fd, PFM_CREATE_EVTSETS, sets, 2), EINVAL);
	CHECK_ERRNO(try_load_set(fd, gettid(), 4), EINVAL);
	check_unloaded(fd);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	CHECK_ERRNO(try_load(fd, 0x7ffffff0), ESRCH);
	check_unloaded(fd);
	load_self(fd);
	CHECK_ERRNO(try_start_set(fd, 4), EINVAL);
	loop(100);
	CHECK_EQ(read_pmd(fd, 0), 0);
}

/* Class: an error path that reports success, or leaves half of what it made. */
/* covers: 3.1.1-44 D.9-25 */
TEST(a_context_that_could_not_be_told_to_its_maker_is_gone)
{
	struct smpl_ctx *arg = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct rlimit limit = { 65536, 65536 };
	unsigned int fds = count_fds();
	int i;

	need_pmu();
	CHECK_OK(setrlimit(RLIMIT_MEMLOCK, &limit));
	become(NOBODY, NOBODY);
	*arg = smpl_argument(0, 65536, 0);
	CHECK_OK(mprotect(arg, 4096, PROT_READ));
	for (i = 0; i < 50; i++)
		CHECK_ERRNO(perfmonctl(-1, PFM_CREATE_CONTEXT, arg, 1), EFAULT);
	CHECK_EQ(count_fds(), fds);
	WAIT_UNTIL(try_create_smpl(0, 65536, 0) >= 0);
}
