// SPDX-License-Identifier: GPL-2.0
/*
 * The mapping of the sampling buffer: its creation, the operations that it allows, and the lifetime
 * of the mapping and of the buffer.
 */
#include "sampling.h"

#include <sched.h>
#include <setjmp.h>
#include <spawn.h>

#define PAGE	4096UL

static int create_64k(void)
{
	int fd;

	need_pmu();
	fd = try_create_smpl(0, 65536, 0);
	CHECK_OK(fd);
	return fd;
}

static void expect_no_mapping(int fd, size_t size, int prot, int flags, off_t offset, int error)
{
	void *map;

	errno = 0;
	map = mmap(NULL, size, prot, flags, fd, offset);
	if (map != MAP_FAILED)
		FAIL("mmap(size %zu, prot %d, flags %#x, offset %ld) succeeded", size, prot, flags,
		     (long)offset);
	if (errno != error)
		FAIL("mmap(size %zu, prot %d, flags %#x, offset %ld): %s, not %s", size, prot,
		     flags, (long)offset, test_errno_name(errno), test_errno_name(error));
}

/* covers: 3.5.4-3 3.5.4-6 3.6-5 */
TEST(only_the_whole_buffer_is_mapped)
{
	static const size_t sizes[] = { PAGE, 65536 - PAGE, 65536 + PAGE, 1 << 20 };
	int fd = create_64k();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		expect_no_mapping(fd, sizes[i], PROT_READ, MAP_SHARED, 0, EINVAL);
	CHECK_NE(try_map(fd, 65536), MAP_FAILED);
}

/* covers: 3.5.4-8 */
TEST(the_mapping_begins_at_offset_0)
{
	int fd = create_64k();

	expect_no_mapping(fd, 65536, PROT_READ, MAP_SHARED, PAGE, EINVAL);
	expect_no_mapping(fd, 65536 - PAGE, PROT_READ, MAP_SHARED, PAGE, EINVAL);
	expect_no_mapping(fd, 65536, PROT_READ, MAP_SHARED, 65536, EINVAL);
	expect_no_mapping(fd, 65536, PROT_READ, MAP_SHARED, 1L << 40, EINVAL);
	expect_no_mapping(fd, 65536, PROT_READ, MAP_SHARED, (1L << 62) / PAGE * PAGE, EINVAL);
}

/* covers: 3.5.4-4 3.5.4-13 3.5.4-14 */
TEST(the_mapping_is_readable_and_nothing_else)
{
	static const int bad[] = {
		PROT_NONE, PROT_WRITE, PROT_EXEC, PROT_READ | PROT_WRITE, PROT_READ | PROT_EXEC,
		PROT_READ | PROT_WRITE | PROT_EXEC,
	};
	int fd = create_64k();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		void *map = mmap(NULL, 65536, bad[i], MAP_SHARED, fd, 0);

		if (map != MAP_FAILED || (errno != EINVAL && errno != EACCES))
			FAIL("protection %d: %s", bad[i], test_errno_name(errno));
	}
}

/* covers: 3.5.4-3 3.5.4-9 3.5.4-10 3.5.4-11 */
TEST(the_mapping_is_shared_and_not_locked_nor_growing)
{
	static const int bad[] = {
		MAP_PRIVATE, MAP_SHARED | MAP_LOCKED, MAP_SHARED | MAP_GROWSDOWN,
		MAP_PRIVATE | MAP_LOCKED,
	};
	int fd = create_64k();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		expect_no_mapping(fd, 65536, PROT_READ, bad[i], 0, EINVAL);
	CHECK_NE(try_map(fd, 65536), MAP_FAILED);
}

/* The amount of memory that this process has locked. */
static long locked_kib(void)
{
	char text[8192], *line;

	read_file("/proc/self/status", text, sizeof(text));
	line = strstr(text, "VmLck:");
	CHECK(line);
	return atol(line + strlen("VmLck:"));
}

/* A process that has all its future mappings locked did not request this one. */
/* covers: 3.5.4-10 */
TEST(the_buffer_of_a_process_that_locks_all_is_mapped)
{
	int fd = create_64k();
	long locked;
	void *map;

	CHECK_OK(mlockall(MCL_FUTURE));
	locked = locked_kib();
	map = try_map(fd, 65536);
	CHECK_NE(map, MAP_FAILED);
	CHECK_EQ(locked_kib(), locked);
	CHECK_OK(munmap(map, 65536));
	CHECK_EQ(locked_kib(), locked);
}

/* covers: 3.5.4-7 */
TEST(a_process_maps_a_buffer_once)
{
	int fd = create_64k();
	void *map = try_map(fd, 65536);

	CHECK_NE(map, MAP_FAILED);
	expect_no_mapping(fd, 65536, PROT_READ, MAP_SHARED, 0, EBUSY);
	expect_no_mapping(dup(fd), 65536, PROT_READ, MAP_SHARED, 0, EBUSY);
	CHECK_OK(munmap(map, 65536));
	CHECK_NE(try_map(fd, 65536), MAP_FAILED);
}

static sigjmp_buf fault;

static void on_fault(int number)
{
	siglongjmp(fault, number);
}

/* covers: 3.5.4-5 4.3.3-3 */
TEST(a_write_to_the_mapping_is_a_fault)
{
	int fd = create_64k();
	volatile char *map = try_map(fd, 65536);
	int number;

	CHECK_NE(map, MAP_FAILED);
	signal(SIGSEGV, on_fault);
	number = sigsetjmp(fault, 1);
	if (!number) {
		map[100] = 1;
		FAIL("the write succeeded");
	}
	CHECK_EQ(number, SIGSEGV);
	CHECK_EQ(map[100], 0);
}

/* covers: 3.5.4-4 4.3.3-3 */
TEST(the_mapping_cannot_be_made_writable_or_executable)
{
	static const int bad[] = {
		PROT_WRITE, PROT_READ | PROT_WRITE, PROT_EXEC, PROT_READ | PROT_EXEC,
	};
	int fd = create_64k();
	void *map = try_map(fd, 65536);
	size_t i;

	CHECK_NE(map, MAP_FAILED);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK_ERRNO(mprotect(map, 65536, bad[i]), EACCES);
		CHECK_ERRNO(mprotect(map, PAGE, bad[i]), EACCES);
	}
}

/* covers: 3.5.4-6 */
TEST(the_mapping_does_not_grow)
{
	int fd = create_64k();
	void *map = try_map(fd, 65536);

	CHECK_NE(map, MAP_FAILED);
	CHECK_EQ(mremap(map, 65536, 131072, MREMAP_MAYMOVE), MAP_FAILED);
	CHECK_EQ(((const pfm_default_smpl_hdr_t *)map)->hdr_buf_size, 65536);
}

/* covers: 4.3.3-3 */
TEST(the_kernel_does_not_write_into_the_mapping_for_others)
{
	int fd = create_64k(), fds[2];
	char *map = try_map(fd, 65536);

	CHECK_NE(map, MAP_FAILED);
	CHECK_OK(pipe(fds));
	CHECK_EQ(write(fds[1], "x", 1), 1);
	CHECK_ERRNO(read(fds[0], map + 100, 1), EFAULT);
	CHECK_EQ(map[100], 0);
}

/* covers: 3.1.1-37 3.5.4-1 3.5.4-16 3.5.4-18 */
TEST(unmapping_leaves_the_buffer)
{
	struct buffer buffer = create_buffer(0, 65536, 0);

	program(buffer.fd, (struct event){ .reg = 0, .period = 2000 });
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 1000);
	CHECK_EQ(buffer.hdr->hdr_count, 4);
	CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	start_rounds_stop(buffer.fd, 1000);
	buffer.hdr = try_map(buffer.fd, buffer.size);
	CHECK_NE(buffer.hdr, MAP_FAILED);
	CHECK_EQ(buffer.hdr->hdr_count, 8);
	CHECK_EQ(entry_at(&buffer, 7, 0)->tid, gettid());
}

/* covers: 3.5.4-17 */
TEST(a_part_can_be_unmapped)
{
	struct buffer buffer = create_buffer(0, 65536, 0);

	CHECK_OK(munmap((char *)buffer.hdr + 32768, 32768));
	CHECK_EQ(buffer.hdr->hdr_buf_size, 65536);
	/* A part of the mapping still counts as a mapping. */
	CHECK_EQ(try_map(buffer.fd, buffer.size), MAP_FAILED);
	CHECK_EQ(errno, EBUSY);
	CHECK_OK(munmap((void *)buffer.hdr, 32768));
	CHECK_NE(try_map(buffer.fd, buffer.size), MAP_FAILED);
}

/* Is this address mapped? */
static bool is_mapped(const void *address)
{
	unsigned char there;

	return mincore((void *)address, PAGE, &there) == 0;
}

/* covers: 3.5.4-24 3.5.4-25 D.9-15 */
TEST(close_leaves_the_mapping)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	int i;

	program(buffer.fd, (struct event){ .reg = 0, .period = 2000 });
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 1000);
	CHECK_OK(close(buffer.fd));
	/* The context is destroyed all the same. */
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	for (i = 0; i < 16; i++)
		CHECK(is_mapped((const char *)buffer.hdr + i * PAGE));
	CHECK_EQ(buffer.hdr->hdr_count, 4);
	CHECK_EQ(entry_at(&buffer, 3, 0)->tid, gettid());
	CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	CHECK(!is_mapped(buffer.hdr));
}

/* covers: D.9-15 */
TEST(a_part_of_the_mapping_outlives_the_context)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	const char *bytes = (const char *)buffer.hdr;

	CHECK_OK(munmap((void *)(bytes + 16384), 16384));
	CHECK_OK(close(buffer.fd));
	CHECK(!is_mapped(bytes + 16384));
	CHECK_EQ(buffer.hdr->hdr_buf_size, 65536);
	CHECK_EQ(bytes[65535], 0);
	CHECK_OK(munmap((void *)bytes, 16384));
	CHECK_EQ(bytes[32768], 0);
}

/* Children that share our memory for a while and have their own descriptor tables. */

static void check_buffer_is_there(const struct buffer *buffer)
{
	CHECK(is_mapped(buffer->hdr));
	CHECK(is_mapped((const char *)buffer->hdr + buffer->size - PAGE));
	CHECK_EQ(buffer->hdr->hdr_buf_size, 65536);
}

static int close_inherited(void *fd)
{
	close(*(int *)fd);
	_exit(0);
}

/* covers: 3.5.4-24 D.9-19 */
TEST(a_close_by_a_child_in_our_memory_leaves_the_mapping)
{
	static char stack[65536] __attribute__((aligned(16)));
	struct buffer buffer = create_buffer(0, 65536, 0);
	pid_t pid;

	pid = clone(close_inherited, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD,
		    &buffer.fd);
	CHECK_OK(pid);
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	check_buffer_is_there(&buffer);
}

/* covers: 3.5.4-24 */
TEST(starting_a_program_leaves_the_mapping)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	static char *const argv[] = { "true", NULL };
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int status;

	need_shell();
	CHECK_EQ(posix_spawn_file_actions_init(&actions), 0);
	CHECK_EQ(posix_spawn_file_actions_addclose(&actions, buffer.fd), 0);
	CHECK_EQ(posix_spawn(&pid, "/bin/true", &actions, NULL, argv, environ), 0);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
	check_buffer_is_there(&buffer);
	CHECK_OK(fcntl(buffer.fd, F_SETFD, FD_CLOEXEC));
	CHECK_EQ(posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ), 0);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
	check_buffer_is_there(&buffer);
	CHECK_EQ(system("exit 7"), 7 << 8);
	check_buffer_is_there(&buffer);
}

/* covers: D.9-15 */
TEST(close_leaves_what_took_the_mappings_place)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	char *address = (char *)buffer.hdr;

	CHECK_OK(munmap(address, 65536));
	CHECK_EQ(mmap(address, 65536, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), address);
	address[5] = 7;
	CHECK_OK(close(buffer.fd));
	CHECK_EQ(address[5], 7);
}

/* The pages of a mapping come back after any operation on it. */

static void check_samples(const struct buffer *buffer, const void *address)
{
	const pfm_default_smpl_hdr_t *hdr = address;
	const pfm_default_smpl_entry_t *last;

	CHECK_EQ(hdr->hdr_buf_size, buffer->size);
	CHECK_EQ(hdr->hdr_count, 4);
	last = (const void *)((const char *)address + HDR_SIZE + 3 * ENTRY_SIZE);
	CHECK_EQ(last->tid, gettid());
	CHECK_EQ(((const char *)address)[buffer->size - 1], 0);
}

static struct buffer sampled_buffer(void)
{
	struct buffer buffer = create_buffer(0, 65536, 0);

	program(buffer.fd, (struct event){ .reg = 0, .period = 2000 });
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 1000);
	check_samples(&buffer, buffer.hdr);
	return buffer;
}

/* covers: D.9-26 */
TEST(advice_about_the_mapping_loses_nothing)
{
	static const int advices[] = {
		MADV_DONTNEED, MADV_COLD, MADV_PAGEOUT, MADV_FREE, MADV_REMOVE, MADV_WILLNEED,
		MADV_HUGEPAGE, MADV_MERGEABLE, MADV_DODUMP, MADV_DONTNEED,
	};
	struct buffer buffer = sampled_buffer();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(advices); i++) {
		madvise((void *)buffer.hdr, buffer.size, advices[i]);
		madvise((char *)buffer.hdr + PAGE, PAGE, advices[i]);
		check_samples(&buffer, buffer.hdr);
	}
	/* New samples are visible as well. */
	CHECK_OK(madvise((void *)buffer.hdr, buffer.size, MADV_DONTNEED));
	start_rounds_stop(buffer.fd, 1000);
	CHECK_EQ(buffer.hdr->hdr_count, 8);
}

/* covers: D.9-26 */
TEST(a_mapping_that_moves_keeps_its_pages)
{
	struct buffer buffer = sampled_buffer();
	char *place = mmap(NULL, 4 * buffer.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK_NE(place, MAP_FAILED);
	CHECK_OK(madvise((char *)buffer.hdr, PAGE, MADV_DONTNEED));
	CHECK_EQ(mremap((void *)buffer.hdr, buffer.size, buffer.size,
			MREMAP_MAYMOVE | MREMAP_FIXED, place), place);
	CHECK(!is_mapped(buffer.hdr));
	check_samples(&buffer, place);
	CHECK_OK(madvise(place, buffer.size, MADV_DONTNEED));
	check_samples(&buffer, place);
	/* No second mapping through another descriptor. */
	CHECK_EQ(mremap(place, 0, buffer.size, MREMAP_MAYMOVE), MAP_FAILED);
	/* A moved part of the mapping shows the same part of the buffer. */
	CHECK_EQ(mremap(place + 4 * PAGE, buffer.size - 4 * PAGE, buffer.size - 4 * PAGE,
			MREMAP_MAYMOVE | MREMAP_FIXED, place + 2 * buffer.size),
		 place + 2 * buffer.size);
	CHECK_OK(madvise(place, 4 * PAGE, MADV_DONTNEED));
	CHECK_EQ(((const pfm_default_smpl_hdr_t *)place)->hdr_count, 4);
	CHECK_EQ(place[2 * buffer.size], 0);
}

static bool has_vm_flag(const void *address, const char *flag)
{
	FILE *file = fopen("/proc/self/smaps", "re");
	unsigned long start, end;
	bool inside = false;
	char line[256];

	CHECK(file);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			inside = start == (unsigned long)address;
		else if (inside && !strncmp(line, "VmFlags:", 8))
			break;
	}
	CHECK(!feof(file));
	CHECK_OK(fclose(file));
	return strstr(line, flag);
}

/* covers: D.9-26 */
TEST(core_dumps_leave_the_buffer_out)
{
	char *other = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct buffer buffer;

	need_pmu();
	buffer = create_buffer(0, 65536, 0);
	CHECK_NE(other, MAP_FAILED);
	CHECK(has_vm_flag(buffer.hdr, " dd "));
	CHECK(!has_vm_flag(other, " dd "));
}

static void expect_no_inherited_mapping(void *arg)
{
	struct buffer *buffer = arg;

	CHECK(!is_mapped(buffer->hdr));
	/* So the child can have a mapping of its own. */
	CHECK_NE(try_map(buffer->fd, buffer->size), MAP_FAILED);
}

/* covers: D.9-26 */
TEST(a_mapping_need_not_be_inherited)
{
	struct buffer buffer = sampled_buffer();

	CHECK_OK(madvise((void *)buffer.hdr, buffer.size, MADV_DONTFORK));
	run_in_child(expect_no_inherited_mapping, &buffer);
	check_samples(&buffer, buffer.hdr);
}

static void read_through(int mem, const struct buffer *buffer)
{
	char *copy = malloc(buffer->size);

	CHECK(copy);
	CHECK_EQ(pread(mem, copy, buffer->size, (uintptr_t)buffer->hdr), buffer->size);
	check_samples(buffer, copy);
	free(copy);
}

/* By /proc/PID/mem, as debuggers do. */
/* covers: 3.5.4-5 D.9-26 */
TEST(the_mapping_is_read_and_not_written_through_proc)
{
	struct buffer buffer = sampled_buffer();
	int mem = open("/proc/self/mem", O_RDWR | O_CLOEXEC);

	CHECK_OK(mem);
	read_through(mem, &buffer);
	CHECK_OK(madvise((void *)buffer.hdr, buffer.size, MADV_DONTNEED));
	read_through(mem, &buffer);
	CHECK_EQ(pwrite(mem, "x", 1, (uintptr_t)buffer.hdr), -1);
	check_samples(&buffer, buffer.hdr);
	/* The same while no page of it is present. */
	CHECK_OK(madvise((void *)buffer.hdr, buffer.size, MADV_DONTNEED));
	CHECK_EQ(pwrite(mem, "x", 1, (uintptr_t)buffer.hdr), -1);
	check_samples(&buffer, buffer.hdr);
}

/* covers: D.9-26 */
TEST(locking_all_memory_leaves_the_mapping_as_it_is)
{
	struct buffer buffer = sampled_buffer();
	long locked;

	CHECK_OK(mlockall(MCL_CURRENT));
	locked = locked_kib();
	check_samples(&buffer, buffer.hdr);
	CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	CHECK_EQ(locked_kib(), locked);
}

struct inherited {
	struct buffer	buffer;
	int		gate, done;
};

static void use_inherited(void *arg)
{
	struct inherited *i = arg;

	/* The same memory, mapped before the fork and after it. */
	CHECK_EQ(i->buffer.hdr->hdr_count, 0);
	gate_open(i->done);
	gate_wait(i->gate);
	CHECK_EQ(i->buffer.hdr->hdr_count, 4);
	CHECK_EQ(entry_at(&i->buffer, 3, 0)->pid, getppid());
	/* This process has already mapped it. */
	expect_no_mapping(i->buffer.fd, i->buffer.size, PROT_READ, MAP_SHARED, 0, EBUSY);
	CHECK_OK(close(i->buffer.fd));
	CHECK_OK(munmap((void *)i->buffer.hdr, i->buffer.size));
	gate_open(i->done);
}

/* covers: 3.5.4-19 4.3.3-2 4.3.3-4 D.9-19 */
TEST(a_child_inherits_the_mapping)
{
	struct inherited i = { create_buffer(0, 65536, 0), gate_new(), gate_new() };
	pid_t pid = spawn(use_inherited, &i);

	gate_wait(i.done);
	program(i.buffer.fd, (struct event){ .reg = 0, .period = 2000 });
	load_self(i.buffer.fd);
	start_rounds_stop(i.buffer.fd, 1000);
	gate_open(i.gate);
	gate_wait(i.done);
	/* The child closed its own descriptor and unmapped its own mapping. */
	CHECK(is_mapped(i.buffer.hdr));
	CHECK_EQ(i.buffer.hdr->hdr_count, 4);
	reap(pid);
	start_rounds_stop(i.buffer.fd, 1000);
	CHECK_EQ(i.buffer.hdr->hdr_count, 8);
}

static void map_in_child(void *arg)
{
	const int *fd = arg;
	const pfm_default_smpl_hdr_t *hdr = try_map(*fd, 65536);

	CHECK_NE(hdr, MAP_FAILED);
	CHECK_EQ(hdr->hdr_buf_size, 65536);
}

/* covers: 3.5.4-7 4.3.3-1 */
TEST(each_process_maps_for_itself)
{
	int fd = create_64k();

	run_in_child(map_in_child, &fd);
	CHECK_NE(try_map(fd, 65536), MAP_FAILED);
}

static void keep_mapping(void *arg)
{
	struct inherited *i = arg;

	gate_wait(i->gate);
	/* The parent has closed and unmapped; this process has the last reference. */
	CHECK_EQ(i->buffer.hdr->hdr_buf_size, 65536);
	CHECK_OK(close(i->buffer.fd));
	CHECK_EQ(i->buffer.hdr->hdr_buf_size, 65536);
}

/* covers: 3.5.4-25 */
TEST(the_buffer_lives_until_the_last_process_closes)
{
	struct inherited i = { create_buffer(0, 65536, 0), gate_new(), gate_new() };
	pid_t pid = spawn(keep_mapping, &i);

	CHECK_OK(close(i.buffer.fd));
	CHECK_OK(munmap((void *)i.buffer.hdr, i.buffer.size));
	gate_open(i.gate);
	reap(pid);
}

/* exec() replaces the address space; the descriptor stays open unless it is close-on-exec. */
/* covers: 3.5.4-21 3.5.4-22 4.3.3-5 */
TEST(exec_drops_the_mapping_and_keeps_the_buffer)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	char command[128];
	pid_t pid;
	int status;

	need_shell();
	pid = fork();
	CHECK_OK(pid);
	if (!pid) {
		snprintf(command, sizeof(command),
			 "test -e /proc/self/fd/%d && ! grep -q perfmon /proc/self/maps",
			 buffer.fd);
		CHECK_OK(fcntl(buffer.fd, F_SETFD, 0));
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(9);
	}
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
	CHECK_EQ(buffer.hdr->hdr_buf_size, 65536);
}

static void read_in_thread(void *arg)
{
	struct buffer *buffer = arg;

	expect_no_mapping(buffer->fd, buffer->size, PROT_READ, MAP_SHARED, 0, EBUSY);
	CHECK_EQ(buffer->hdr->hdr_buf_size, 65536);
}

/* covers: 3.5.4-20 */
TEST(threads_share_the_mapping)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	struct thread thread;

	thread_start(&thread, read_in_thread, &buffer);
	thread_join(&thread);
}
