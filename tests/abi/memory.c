// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of the kernel that contexts, event sets and buffers take: the user's account that it is
 * charged to, and its limits. The limits of buffers alone are in buffer.c.
 */
#include "sampling.h"
#include "settings.h"

#include <sys/resource.h>
#include <sys/stat.h>

#define PAGE		4096UL
#define ALLOWANCE	(256UL << 10)
/* The range of the size of a set, on any PMU. */
#define SMALLEST	200UL
#define LARGEST		(32UL << 10)

static void limit_memlock(rlim_t limit)
{
	struct rlimit rlimit = { limit, limit };

	CHECK_OK(setrlimit(RLIMIT_MEMLOCK, &rlimit));
}

/* Create event sets from number @first on, until there is no memory, or @n. */
static unsigned int add_sets(int fd, unsigned int first, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (try_create_set(fd, (pfarg_setdesc_t){ .set_id = first + i }))
			break;
	return i;
}

static void make_sets_as_nobody(void *unused)
{
	unsigned int first, i;
	int fd, other;

	(void)unused;
	limit_memlock(256 << 10);
	become(NOBODY, NOBODY);
	fd = create(0);
	other = create(0);
	first = add_sets(fd, 1, 60000);
	CHECK_EQ(errno, ENOMEM);
	CHECK_GE(first, (ALLOWANCE + (256 << 10)) / LARGEST - 2);
	CHECK_LE(first, (ALLOWANCE + (256 << 10)) / SMALLEST);
	/*
	 * All of a user's sets count together, and their memory comes back when they are deleted.
	 */
	CHECK_ERRNO(try_create_set(other, (pfarg_setdesc_t){ .set_id = 1 }), ENOMEM);
	for (i = 0; i < first / 4; i++)
		delete_set(fd, 1 + i);
	CHECK_EQ(add_sets(other, 1, 60000), first / 4);
	CHECK_EQ(errno, ENOMEM);
	CHECK_OK(close(fd));
	CHECK_OK(close(other));
	fd = create(0);
	other = create(0);
	CHECK_EQ(add_sets(fd, 1, 60000), first);
}

/* covers: 3.1.10-20 D.7-11 */
TEST(the_memory_of_sets_counts_as_locked)
{
	need_pmu();
	run_in_child(make_sets_as_nobody, NULL);
}

static void make_sets_with_ipc_lock(void *unused)
{
	(void)unused;
	limit_memlock(0);
	CHECK_EQ(add_sets(create(0), 1, 1500), 1500);
	become_with_caps(NOBODY, NOBODY, 1ULL << CAP_IPC_LOCK);
	CHECK_EQ(add_sets(create(0), 1, 1500), 1500);
}

/* covers: D.7-11 */
TEST(who_may_lock_memory_may_have_sets)
{
	run_in_child(make_sets_with_ipc_lock, NULL);
}

/* Create contexts until there is no memory, or @n. */
static unsigned int create_contexts(int *fds, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		fds[i] = try_create(0);
		if (fds[i] < 0)
			break;
	}
	return i;
}

#define MANY	2000

static void make_contexts_without_memlock(void *unused)
{
	struct rlimit files = { MANY + 50, MANY + 50 };
	unsigned int n, i;
	int fds[MANY];

	(void)unused;
	CHECK_OK(setrlimit(RLIMIT_NOFILE, &files));
	limit_memlock(0);
	become(NOBODY, NOBODY);
	n = create_contexts(fds, MANY);
	CHECK_EQ(errno, ENOMEM);
	CHECK_GE(n, 7);
	CHECK_LE(n, ALLOWANCE / SMALLEST);
	/* The existing contexts work, and there is no memory for another one. */
	load_self(fds[n - 1]);
	unload(fds[n - 1]);
	CHECK_ERRNO(try_create(0), ENOMEM);
	for (i = 0; i < n; i += 2)
		CHECK_OK(close(fds[i]));
	CHECK_EQ(create_contexts(fds, MANY), (n + 1) / 2);
	CHECK_EQ(errno, ENOMEM);
}

/* covers: D.7-11 */
TEST(contexts_count_as_locked_beyond_an_allowance)
{
	need_pmu();
	run_in_child(make_contexts_without_memlock, NULL);
	/* The account is empty again. */
	run_in_child(make_contexts_without_memlock, NULL);
}

static void make_contexts_with_memlock(void *arg)
{
	struct rlimit files = { MANY + 50, MANY + 50 };
	unsigned int *n = arg;
	int fds[MANY];

	CHECK_OK(setrlimit(RLIMIT_NOFILE, &files));
	limit_memlock(n[0]);
	become(NOBODY, NOBODY);
	n[1] = create_contexts(fds, MANY);
	CHECK_EQ(errno, ENOMEM);
	/* A buffer has no allowance: all of it counts as locked memory. */
	CHECK_ERRNO(try_create_smpl(0, 16384, 0), ENOMEM);
}

/* covers: D.7-11 */
TEST(the_limit_of_locked_memory_comes_on_top_of_the_allowance)
{
	unsigned int *n = test_shared(2 * sizeof(*n)), with_none;

	need_pmu();
	run_in_child(make_contexts_with_memlock, n);
	with_none = n[1];
	n[0] = ALLOWANCE;
	run_in_child(make_contexts_with_memlock, n);
	/* Twice as many, but for the remainder that is smaller than a context. */
	CHECK_GE(n[1], 2 * with_none);
	CHECK_LE(n[1], 2 * with_none + 1);
}

static void make_a_few_without_memlock(void *unused)
{
	int i;

	(void)unused;
	limit_memlock(0);
	become(NOBODY, NOBODY);
	for (i = 0; i < 3; i++)
		create_set(create(0), (pfarg_setdesc_t){ .set_id = 1 });
}

/* covers: D.7-11 */
TEST(a_few_contexts_and_sets_cost_no_locked_memory)
{
	run_in_child(make_a_few_without_memlock, NULL);
}

static void create_and_delete(void *arg)
{
	int i, fd;

	(void)arg;
	become(NOBODY, NOBODY);
	for (i = 0; i < 200; i++) {
		fd = try_create(0);
		if (fd < 0) {
			CHECK_EQ(errno, ENOMEM);
			continue;
		}
		add_sets(fd, 1, 20);
		CHECK_OK(close(fd));
	}
}

static void race_for_memory(void *unused)
{
	pid_t pids[6];
	int i;

	(void)unused;
	limit_memlock(64 << 10);
	for (i = 0; i < 6; i++)
		pids[i] = spawn(create_and_delete, NULL);
	for (i = 0; i < 6; i++)
		reap(pids[i]);
}

/* covers: D.7-11 D.9-16 */
TEST(the_account_is_right_after_races)
{
	unsigned int *n = test_shared(2 * sizeof(*n)), before;

	need_pmu();
	run_in_child(make_contexts_with_memlock, n);
	before = n[1];
	run_in_child(race_for_memory, NULL);
	run_in_child(make_contexts_with_memlock, n);
	CHECK_EQ(n[1], before);
}

/* The memory cgroup. */

#define CGROUP		"/sys/fs/cgroup/"
#define GROUP		CGROUP "perfmon-test/"

static __u64 group_vmalloc(void)
{
	char text[8192], *line;
	__u64 value;

	read_file(GROUP "memory.stat", text, sizeof(text));
	line = strstr(text, "\nvmalloc ");
	CHECK(line);
	CHECK_EQ(sscanf(line, "\nvmalloc %llu", &value), 1);
	return value;
}

static void make_buffers_in_group(void *unused)
{
	__u64 before;
	int fd;

	(void)unused;
	write_file(GROUP "cgroup.procs", "0");
	limit_memlock(17 << 20);
	become(NOBODY, NOBODY);
	CHECK_OK(try_create_smpl(0, 4096, 0));
	before = group_vmalloc();
	fd = try_create_smpl(0, 1 << 20, 0);
	CHECK_OK(fd);
	CHECK_GE(group_vmalloc(), before + (1 << 20));
	CHECK_OK(close(fd));
	/* The allocation fails, and the process is not killed. */
	CHECK_ERRNO(try_create_smpl(0, 16 << 20, 0), ENOMEM);
	/* The user's account does not have it either. */
	CHECK_OK(try_create_smpl(0, 2 << 20, 0));
}

/* covers: 4.4.3-6 */
TEST(buffers_are_charged_to_the_memory_cgroup)
{
	struct buffer buffer;
	int status;
	pid_t pid;

	need_pmu();
	if (access(CGROUP "memory.stat", F_OK) && access(CGROUP "cgroup.controllers", F_OK))
		SKIP("this guest has no cgroups");
	/* No other limit applies. */
	buffer = create_buffer(0, 16 << 20, 0);
	CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	CHECK_OK(close(buffer.fd));
	write_file(CGROUP "cgroup.subtree_control", "+memory");
	CHECK_OK(mkdir(GROUP, 0755));
	write_file(GROUP "memory.max", "8388608");
	pid = spawn(make_buffers_in_group, NULL);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	WAIT_UNTIL(!rmdir(GROUP));
	CHECK_EQ(status, 0);
}
