// SPDX-License-Identifier: GPL-2.0
/* The sampling buffer: its creation, its limits, and its release. Its mapping is in mapping.c. */
#include "sampling.h"
#include "settings.h"

#include <sys/resource.h>

#define PAGE	4096UL

/* Creation. */

/* covers: 3.1.1-17 3.1.1-20 3.1.1-36 3.6.3-14 */
TEST(the_size_to_map_is_the_requested_one_in_whole_pages)
{
	static const __u64 sizes[] = { 1000, 4095, 4096, 4097, 12345, 65536, 1000001 };
	struct smpl_ctx arg;
	size_t i;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		arg = smpl_argument(0, sizes[i], 0);
		CHECK_OK(perfmonctl(-1, PFM_CREATE_CONTEXT, &arg, 1));
		CHECK_EQ(arg.ctx.ctx_smpl_buf_size, (sizes[i] + PAGE - 1) / PAGE * PAGE);
		CHECK_EQ(arg.smpl.buf_size, sizes[i]);
		CHECK_OK(close(arg.ctx.ctx_fd));
	}
}

/* covers: 3.5.5-1 3.5.6-2 3.5.6-3 */
TEST(the_buffer_is_page_aligned_and_zero_behind_its_header)
{
	struct buffer buffer = create_buffer(0, 100000, 0);
	const char *bytes = (const char *)buffer.hdr;
	size_t i;

	CHECK_EQ((uintptr_t)bytes % PAGE, 0);
	for (i = HDR_SIZE; i < buffer.size; i++)
		CHECK_EQ(bytes[i], 0);
}

/* covers: 3.5.5-1 4.1-1 */
TEST(a_buffer_shows_nothing_of_earlier_ones)
{
	int i;

	for (i = 0; i < 20; i++) {
		struct buffer buffer = create_buffer(0, 16384, 0);
		const char *bytes = (const char *)buffer.hdr;
		size_t k;

		for (k = HDR_SIZE; k < buffer.size; k++)
			CHECK_EQ(bytes[k], 0);
		program(buffer.fd, (struct event){ .reg = 0, .period = 1000 });
		load_self(buffer.fd);
		start(buffer.fd);
		loop(50000);
		CHECK_OK(munmap((void *)bytes, buffer.size));
		CHECK_OK(close(buffer.fd));
	}
}

/* covers: 3.6.2-3 */
TEST(undefined_flags_of_the_format_are_refused)
{
	__u32 flag;

	need_pmu();
	for (flag = 4; flag; flag <<= 1)
		CHECK_ERRNO(try_create_smpl(0, 65536, flag), EINVAL);
	CHECK_ERRNO(try_create_smpl(0, 65536, 3), EINVAL);
}

/* covers: 3.5.10-2 3.6.2-2 3.6.2-7 */
TEST(a_buffer_must_hold_its_header_and_the_largest_sample)
{
	static const __u32 flags[] = { 0, PFM_DFL_SMPL_IIP_HDR, PFM_DFL_SMPL_NO_HDR };
	size_t i;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		CHECK_OK(try_create_smpl(0, HDR_SIZE + largest_sample(flags[i]), flags[i]));
		CHECK_ERRNO(try_create_smpl(0, HDR_SIZE + largest_sample(flags[i]) - 1,
					    flags[i]), EINVAL);
		CHECK_ERRNO(try_create_smpl(0, HDR_SIZE, flags[i]), EINVAL);
		CHECK_ERRNO(try_create_smpl(0, 0, flags[i]), EINVAL);
	}
}

/* covers: D.2-4 */
TEST(the_padding_of_the_formats_argument_is_ignored)
{
	struct smpl_ctx arg = smpl_argument(0, 8192, 0);

	need_pmu();
	arg.smpl.buf_pad = 0xffffffff;
	CHECK_OK(perfmonctl(-1, PFM_CREATE_CONTEXT, &arg, 1));
}

/* covers: 3.1.1-41 D.9-1 */
TEST(enormous_buffers_are_refused)
{
	static const __u64 sizes[] = {
		~0ULL, ~0ULL - PAGE + 1, ~0ULL - PAGE, 1ULL << 63, 1ULL << 48, 1ULL << 40,
		(1ULL << 32) * PAGE,
	};
	unsigned int fds = count_fds();
	size_t i;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		CHECK_EQ(try_create_smpl(0, sizes[i], 0), -1);
		CHECK(errno == ENOMEM || errno == EINVAL);
	}
	CHECK_EQ(count_fds(), fds);
}

/* covers: 3.1.1-18 3.5.2-2 3.5.7-1 */
TEST(a_format_that_does_not_exist_is_refused)
{
	struct smpl_ctx arg = smpl_argument(0, 8192, 0);
	int i;

	need_pmu();
	for (i = 0; i < 16; i++) {
		arg = smpl_argument(0, 8192, 0);
		arg.ctx.ctx_smpl_buf_id[i] ^= 1 << i % 8;
		CHECK_ERRNO(perfmonctl(-1, PFM_CREATE_CONTEXT, &arg, 1), EINVAL);
		CHECK_EQ(arg.ctx.ctx_fd, -1);
	}
}

/* The argument of the format follows directly; it must be readable. */
/* covers: 3.5.3-1 3.5.3-2 3.6.2-1 */
TEST(a_formats_argument_that_cannot_be_read_is_efault)
{
	struct smpl_ctx good = smpl_argument(0, 8192, 0);
	unsigned int fds;
	char *pages;

	need_pmu();
	pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(pages != MAP_FAILED);
	CHECK_OK(munmap(pages + PAGE, PAGE));
	fds = count_fds();
	memcpy(pages + PAGE - sizeof(good.ctx), &good, sizeof(good.ctx));
	CHECK_ERRNO(perfmonctl(-1, PFM_CREATE_CONTEXT, pages + PAGE - sizeof(good.ctx), 1),
		    EFAULT);
	memcpy(pages + PAGE - sizeof(good) + 1, &good, sizeof(good) - 1);
	CHECK_ERRNO(perfmonctl(-1, PFM_CREATE_CONTEXT, pages + PAGE - sizeof(good) + 1, 1),
		    EFAULT);
	CHECK_EQ(count_fds(), fds);
	memcpy(pages + PAGE - sizeof(good), &good, sizeof(good));
	CHECK_OK(perfmonctl(-1, PFM_CREATE_CONTEXT, pages + PAGE - sizeof(good), 1));
}

/* covers: 3.5.4-15 */
TEST(a_context_without_a_format_has_no_buffer)
{
	int fd = create(0);

	CHECK_EQ(try_map(fd, PAGE), MAP_FAILED);
	CHECK_EQ(errno, EINVAL);
}

/* covers: 3.5-5 3.5.2-3 3.5.2-4 3.6-1 3.6.1-1 */
TEST(formats_are_listed_for_everybody)
{
	char text[128];
	static const char uuid[] = "4d72bec0-0664-4143-82b4-d3fd27243c97";

	become(NOBODY, NOBODY);
	read_sysfs("formats/default/uuid", text, sizeof(text));
	CHECK_STREQ(text, uuid);
	read_sysfs("formats/default/version", text, sizeof(text));
	CHECK_STREQ(text, "2.0");
}

/* Limits. */

static void limit_memlock(rlim_t limit)
{
	struct rlimit rlimit = { limit, limit };

	CHECK_OK(setrlimit(RLIMIT_MEMLOCK, &rlimit));
}

static void buffers_of_nobody(void *unused)
{
	int first, second;
	void *map;

	(void)unused;
	limit_memlock(64 << 10);
	become(NOBODY, NOBODY);
	first = try_create_smpl(0, 40 << 10, 0);
	CHECK_OK(first);
	CHECK_ERRNO(try_create_smpl(0, 32 << 10, 0), ENOMEM);
	second = try_create_smpl(0, 16 << 10, 0);
	CHECK_OK(second);
	CHECK_OK(close(first));
	first = try_create_smpl(0, 48 << 10, 0);
	CHECK_OK(first);
	CHECK_ERRNO(try_create_smpl(0, PAGE, 0), ENOMEM);
	/* A mapping does not allocate memory. */
	map = try_map(first, 48 << 10);
	CHECK_NE(map, MAP_FAILED);
	/* Both references must be dropped: the mapping's and the descriptor's. */
	CHECK_OK(close(first));
	CHECK_OK(close(second));
	CHECK_ERRNO(try_create_smpl(0, 64 << 10, 0), ENOMEM);
	CHECK_OK(munmap(map, 48 << 10));
	CHECK_OK(try_create_smpl(0, 64 << 10, 0));
}

/* covers: 3.1.1-41 3.5.4-18 4.4.3-2 4.4.3-5 */
TEST(buffers_count_as_locked_memory_of_their_user)
{
	need_pmu();
	run_in_child(buffers_of_nobody, NULL);
}

static void a_hundred_times(void *unused)
{
	void *map;
	int i, fd;

	(void)unused;
	limit_memlock(64 << 10);
	become(NOBODY, NOBODY);
	for (i = 0; i < 200; i++) {
		fd = try_create_smpl(0, 64 << 10, 0);
		CHECK_OK(fd);
		map = i % 2 ? try_map(fd, 64 << 10) : NULL;
		CHECK_NE(map, MAP_FAILED);
		CHECK_ERRNO(try_create_smpl(0, 64 << 10, 0), ENOMEM);
		/* The mapping is removed first, or the descriptor is closed first. */
		if (i % 4 == 1)
			CHECK_OK(munmap(map, 64 << 10));
		CHECK_OK(close(fd));
		if (i % 4 == 3)
			CHECK_OK(munmap(map, 64 << 10));
	}
}

/* covers: 4.4.3-5 D.9-16 */
TEST(locked_memory_is_given_back_every_time)
{
	need_pmu();
	run_in_child(a_hundred_times, NULL);
}

/* The system has no file left: neither the context's nor the buffer's can be made. */
static void create_without_files(void *unused)
{
	int i, lowest = dup(0);

	(void)unused;
	CHECK_OK(lowest);
	CHECK_OK(close(lowest));
	limit_memlock(64 << 10);
	become(NOBODY, NOBODY);
	for (i = 0; i < 500; i++) {
		CHECK_ERRNO(try_create(0), ENFILE);
		CHECK_ERRNO(try_create_smpl(0, 64 << 10, 0), ENFILE);
	}
	/* No memory of the user is missing, and no number of a descriptor. */
	CHECK_EQ(dup(0), lowest);
}

/* covers: 3.1.1-23 4.4.3-5 */
TEST(contexts_that_find_no_file_leave_nothing_behind)
{
	need_pmu();
	with_file("/proc/sys/fs/file-max", "0", create_without_files, NULL);
}

static void buffer_with_ipc_lock(void *unused)
{
	(void)unused;
	limit_memlock(0);
	become_with_caps(NOBODY, NOBODY, 1ULL << CAP_IPC_LOCK);
	CHECK_OK(try_create_smpl(0, 1 << 20, 0));
}

/* covers: 4.4.3-1 4.4.3-2 */
TEST(who_may_lock_memory_is_not_limited)
{
	need_pmu();
	run_in_child(buffer_with_ipc_lock, NULL);
}

/* Root of a user namespace has CAP_IPC_LOCK in that namespace, and not here. */
static void buffers_of_a_namespaces_root(void *unused)
{
	(void)unused;
	limit_memlock(64 << 10);
	become(NOBODY, NOBODY);
	CHECK_OK(unshare(CLONE_NEWUSER));
	CHECK_OK(try_create_smpl(0, 64 << 10, 0));
	CHECK_ERRNO(try_create_smpl(0, PAGE, 0), ENOMEM);
}

/* covers: 4.4.3-2 */
TEST(root_of_a_user_namespace_is_limited)
{
	need_pmu();
	run_in_child(buffers_of_a_namespaces_root, NULL);
}

static void share_total(void *unused)
{
	int first, second;

	(void)unused;
	first = try_create_smpl(0, 64 << 10, 0);
	CHECK_OK(first);
	/* A refused size is not counted: above the rest, equal to the limit, above it. */
	CHECK_ERRNO(try_create_smpl(0, 40 << 10, 0), ENOMEM);
	CHECK_ERRNO(try_create_smpl(0, 100 << 10, 0), ENOMEM);
	CHECK_ERRNO(try_create_smpl(0, 200 << 10, 0), ENOMEM);
	second = try_create_smpl(0, 36 << 10, 0);
	CHECK_OK(second);
	CHECK_ERRNO(try_create_smpl(0, 1000, 0), ENOMEM);
	CHECK_OK(close(first));
	CHECK_OK(try_create_smpl(0, 64 << 10, 0));
}

/* covers: 3.1.16-15 3.5.11-4 4.4.3-3 4.4.3-5 */
TEST(all_buffers_together_have_a_limit)
{
	pfarg_config_t config = get_config();

	need_pmu();
	config.cf_smpl_buf_size_max = 100 << 10;
	with_config(&config, share_total, NULL);
}

static __u64 *total_bytes;

static void create_while_possible(void *unused)
{
	int i, fd;

	(void)unused;
	for (i = 0; i < 300; i++) {
		fd = try_create_smpl(0, 16 << 10, 0);
		if (fd < 0) {
			CHECK_EQ(errno, ENOMEM);
			sched_yield();
			continue;
		}
		CHECK_LE(__atomic_add_fetch(total_bytes, 16 << 10, __ATOMIC_SEQ_CST), 64 << 10);
		sched_yield();
		__atomic_sub_fetch(total_bytes, 16 << 10, __ATOMIC_SEQ_CST);
		CHECK_OK(close(fd));
	}
}

static void race_for_total(void *unused)
{
	pid_t pids[6];
	int i;

	(void)unused;
	for (i = 0; i < 6; i++)
		pids[i] = spawn(create_while_possible, NULL);
	for (i = 0; i < 6; i++)
		reap(pids[i]);
	for (i = 0; i < 4; i++)
		CHECK_OK(try_create_smpl(0, 16 << 10, 0));
	CHECK_ERRNO(try_create_smpl(0, 1000, 0), ENOMEM);
}

/* covers: 4.4.3-3 */
TEST(the_limit_of_all_buffers_holds_against_racing_creators)
{
	pfarg_config_t config = get_config();

	need_pmu();
	total_bytes = test_shared(sizeof(*total_bytes));
	config.cf_smpl_buf_size_max = 64 << 10;
	with_config(&config, race_for_total, NULL);
}

static void create_two_and_lower(void *arg)
{
	struct buffer buffer = create_buffer(0, 64 << 10, 0);
	pfarg_config_t config = get_config();

	(void)arg;
	config.cf_smpl_buf_size_max = PAGE;
	CHECK_OK(perfmonctl(-1, PFM_SET_CONFIG, &config, 1));
	/* Not retroactive: an existing buffer goes on working. */
	program(buffer.fd, (struct event){ .reg = 0, .period = 2000 });
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 1000);
	CHECK_EQ(buffer.hdr->hdr_count, 4);
	CHECK_ERRNO(try_create_smpl(0, 1000, 0), ENOMEM);
}

/* covers: 3.1.16-20 4.4.3-4 */
TEST(a_lower_limit_is_not_retroactive)
{
	pfarg_config_t config = get_config();

	need_pmu();
	with_config(&config, create_two_and_lower, NULL);
}

/* Contexts and mappings leave nothing behind. */
static __u64 free_kib(void)
{
	char line[128];
	__u64 value = 0;
	FILE *file = fopen("/proc/meminfo", "re");

	CHECK(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %llu", &value) == 1)
			break;
	fclose(file);
	return value;
}

/* covers: 3.5.4-25 D.9-15 */
TEST(buffers_leave_no_memory_behind)
{
	struct buffer buffer;
	__u64 before = 0;
	int i;

	for (i = 0; i < 220; i++) {
		if (i == 20)
			before = free_kib();
		buffer = create_buffer(0, 1 << 20, 0);
		if (i % 2)
			CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
		CHECK_OK(close(buffer.fd));
		if (i % 2 == 0)
			CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	}
	/* A leak would be 200 MiB. */
	CHECK_GE(free_kib() + 50000, before);
}
