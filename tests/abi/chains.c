// SPDX-License-Identifier: GPL-2.0
/*
 * Call chains in samples of the stack format: of a program with known calls, and of a program that
 * tries to make the kernel read memory that it must not read.
 */
#include "chains.h"
#include "process.h"
#include "system.h"

#define PERIOD		1009
#define EVENTS		60000
#define USER_END	(1ULL << 47)

/* The calls of chain_run(), but for the innermost function: the rest of a chain. */
static void check_calls(const __u64 *chain, unsigned int n, long levels)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		CHECK_EQ(chain[i], address(i < levels ? chain_level_back : chain_run_back));
}

static void end_stack(const struct stack *stack)
{
	CHECK_OK(munmap((void *)stack->hdr, SIZE));
	CHECK_OK(close(stack->fd));
}

/* A run, user level only. Returns the number of samples in the innermost function. */
static __u64 sample_run(pfm_stack_smpl_arg_t arg, long levels)
{
	struct stack stack = create_stack(0, arg);
	const pfm_stack_smpl_entry_t *entry;
	unsigned int all = levels + 2, depth = arg.buf_depth;
	__u64 i, n = 0;

	program(stack.fd, (struct event){ .reg = 0, .period = PERIOD });
	load_self(stack.fd);
	start(stack.fd);
	chain_events(levels, EVENTS, 0);
	stop(stack.fd);
	check_samples(&stack);
	for_each_sample(&stack, entry, i) {
		CHECK_EQ(entry->kernel_frames, 0);
		if (!is_innermost(entry->sample.ip))
			continue;
		n++;
		CHECK_EQ(entry->user_frames, all < depth ? all : depth);
		CHECK_EQ(entry->chain_flags, all > depth ? PFM_STACK_SMPL_USER_CUT : 0);
		check_calls(user_of(entry) + 1, entry->user_frames - 1, levels);
	}
	end_stack(&stack);
	return n;
}

/* covers: D.13-4 */
TEST(a_chain_is_the_calls_of_the_program)
{
	CHECK_GE(sample_run(STACK(SIZE, PFM_STACK_SMPL_USER, 64), 10), EVENTS / PERIOD - 2);
	CHECK_GE(sample_run(STACK(SIZE, BOTH, 64), 0), EVENTS / PERIOD - 2);
	/* The maximum depth, and one less. */
	CHECK_GE(sample_run(STACK(SIZE, BOTH, 12), 10), EVENTS / PERIOD - 2);
	CHECK_GE(sample_run(STACK(SIZE, BOTH, 127), 125), EVENTS / PERIOD - 2);
}

/* covers: D.13-4 */
TEST(a_deeper_chain_is_cut_and_says_so)
{
	CHECK_GE(sample_run(STACK(SIZE, PFM_STACK_SMPL_USER, 1), 10), EVENTS / PERIOD - 2);
	CHECK_GE(sample_run(STACK(SIZE, BOTH, 11), 10), EVENTS / PERIOD - 2);
	CHECK_GE(sample_run(STACK(SIZE, BOTH, 127), 126), EVENTS / PERIOD - 2);
	CHECK_GE(sample_run(STACK(SIZE, BOTH, 127), 3000), EVENTS / PERIOD - 5);
}

/* Kernel level. */

struct function {
	__u64	begin, end;
};

static struct function kernel_function(const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	struct function found = { };
	unsigned long long at;
	char symbol[256];

	CHECK(file);
	while (!found.end && fscanf(file, "%llx %*c %255s%*[^\n]", &at, symbol) == 2) {
		if (found.begin && at > found.begin)
			found.end = at;
		else if (!strcmp(symbol, name))
			found.begin = at;
	}
	fclose(file);
	CHECK(found.end);
	return found;
}

static bool calls(const pfm_stack_smpl_entry_t *entry, struct function f)
{
	unsigned int i;

	for (i = 0; i < entry->kernel_frames; i++)
		if (kernel_of(entry)[i] >= f.begin && kernel_of(entry)[i] < f.end)
			return true;
	return false;
}

/*
 * A program that reads a device, one byte each time, from a depth of @levels calls, until there are
 * @enough samples. In the kernel an interrupt itself is a thousand instructions and more.
 */
static void sample_reads(const struct stack *stack, long levels, __u64 value, __u64 enough)
{
	static char byte;
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	const struct call call = { SYS_read, { zero, (long)&byte, 1 } };

	CHECK_OK(zero);
	program(stack->fd, (struct event){ .reg = 0, .value = value,
					   .period = value == ALL_INST ? 20011 : PERIOD });
	load_self(stack->fd);
	start(stack->fd);
	do
		chain_run(levels, 1000, &call, 0);
	while (stack->hdr->hdr_count < enough);
	stop(stack->fd);
	CHECK(!is_masked(stack->fd));
	CHECK_OK(close(zero));
	check_samples(stack);
}

static void sample_kernel(void)
{
	struct stack stack = create_stack(0, STACK(SIZE, BOTH, 64));
	struct function entry_of_calls = kernel_function("do_syscall_64");
	struct function reads = kernel_function("ksys_read");
	const pfm_stack_smpl_entry_t *entry;
	__u64 i, k, in_calls = 0, in_reads = 0;

	sample_reads(&stack, 10, ALL_INST, 300);
	for_each_sample(&stack, entry, i) {
		for (k = 0; k < entry->kernel_frames; k++)
			CHECK(kernel_of(entry)[k] >= ~0ULL << 47);
		if (!calls(entry, entry_of_calls) || user_of(entry)[0] != address(chain_call_back))
			continue;
		/* The address of the call, and the calls that led to it. */
		in_calls++;
		in_reads += calls(entry, reads);
		CHECK_EQ(entry->chain_flags, 0);
		CHECK_EQ(entry->user_frames, 12);
		check_calls(user_of(entry) + 1, 11, 10);
	}
	CHECK_GE(in_calls, 100);
	CHECK_GE(in_reads, in_calls / 4);
}

/* covers: D.13-5 */
TEST(a_chain_in_the_kernel_goes_on_in_the_program)
{
	need_hardware("instructions in the kernel");
	sample_kernel();
}

static void sample_part(void *data)
{
	const __u32 part = *(const __u32 *)data;
	struct stack stack = create_stack(0, STACK(SIZE, part, 4));
	const pfm_stack_smpl_entry_t *entry;
	__u64 i, cut = 0, in_kernel = 0;

	sample_reads(&stack, 10, ALL_INST, 300);
	for_each_sample(&stack, entry, i) {
		cut += !!entry->chain_flags;
		in_kernel += entry->sample.ip >= USER_END;
		/* check_samples() checks that there is no other part. */
		if (part == PFM_STACK_SMPL_USER)
			CHECK_GE(entry->user_frames, 1);
		else
			CHECK_EQ(!!entry->kernel_frames, entry->sample.ip >= USER_END);
	}
	CHECK_GE(in_kernel, 100);
	CHECK_GE(cut, 50);
}

/* covers: D.13-5 */
TEST(only_the_part_that_is_wanted_is_there)
{
	__u32 part;

	need_hardware("instructions in the kernel");
	for (part = PFM_STACK_SMPL_KERNEL; part <= PFM_STACK_SMPL_USER; part++)
		run_in_child(sample_part, &part);
}

static void sample_as_nobody(void *data)
{
	const struct stack *stack = data;
	const pfm_stack_smpl_entry_t *entry;
	unsigned int k;
	__u64 i;

	sample_reads(stack, 10, USER_INST, 20);
	for_each_sample(stack, entry, i) {
		CHECK_EQ(entry->kernel_frames, 0);
		for (k = 0; k < entry->user_frames; k++)
			CHECK(user_of(entry)[k] < USER_END);
	}
}

static void become_and_sample(void *unused)
{
	struct stack stack;

	(void)unused;
	need_stack();
	become(NOBODY, NOBODY);
	stack = create_stack(0, STACK(32768, BOTH, 64));
	CHECK_ERRNO(try_program(stack.fd, (struct event){ .reg = 0, .value = ALL_INST }), EPERM);
	sample_as_nobody(&stack);
}

/* covers: D.13-6 */
TEST(who_may_not_see_the_kernel_sees_none_of_its_addresses)
{
	need_hardware("instructions of a process");
	run_in_child(become_and_sample, NULL);
}

/* Frame pointers that are not valid. */

struct frame {
	__u64	next, back;
};

/* The entries that follow the known calls, if the outermost frame pointer is this value. */
static unsigned int chain_behind(__u64 outer, unsigned int depth, __u64 *behind, bool *cut)
{
	struct stack stack = create_stack(0, STACK(SIZE, BOTH, depth));
	const pfm_stack_smpl_entry_t *entry, *last = NULL;
	unsigned int n;
	__u64 i;

	program(stack.fd, (struct event){ .reg = 0, .period = PERIOD });
	load_self(stack.fd);
	start(stack.fd);
	chain_events(0, EVENTS, outer);
	stop(stack.fd);
	check_samples(&stack);
	for_each_sample(&stack, entry, i) {
		CHECK_EQ(entry->kernel_frames, 0);
		if (!is_innermost(entry->sample.ip))
			continue;
		last = entry;
		CHECK_GE(entry->user_frames, 2);
		CHECK_EQ(user_of(entry)[1], address(chain_run_back));
	}
	CHECK(last);
	*cut = last->chain_flags;
	n = last->user_frames - 2;
	memcpy(behind, user_of(last) + 2, 8 * n);
	end_stack(&stack);
	return n;
}

/* covers: D.13-7 */
TEST(a_frame_pointer_to_nowhere_ends_the_chain)
{
	char *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *fresh = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const __u64 bad[] = {
		0, 8, 0x1001, (unsigned long)none, (unsigned long)fresh,
		/* The end of user memory, a value that is no address, and the kernel. */
		USER_END - 4096, USER_END - 12, USER_END - 8, USER_END, 0x8000000000000000,
		kernel_function("linux_banner").begin, kernel_function("_text").begin,
		~0ULL - 15, ~0ULL - 7, ~0ULL,
	};
	unsigned char there = 1;
	__u64 behind[127];
	size_t i;
	bool cut;

	CHECK_NE(none, MAP_FAILED);
	CHECK_NE(fresh, MAP_FAILED);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		if (chain_behind(bad[i], 127, behind, &cut) || cut)
			FAIL("%#llx is followed, to %#llx", (unsigned long long)bad[i],
			     (unsigned long long)behind[0]);
	}
	/* A sample does not bring in a page, not even a page of the program itself. */
	CHECK_OK(mincore(fresh, 4096, &there));
	CHECK_EQ(there & 1, 0);
}

/* covers: D.13-7 */
TEST(frames_in_a_circle_are_followed_to_the_depth)
{
	struct frame frames[2] = {
		{ (unsigned long)&frames[1], 0x1111 },
		{ (unsigned long)&frames[0], 0x2222 },
	};
	__u64 behind[127];
	unsigned int i;
	bool cut;

	CHECK_EQ(chain_behind((unsigned long)&frames[0], 127, behind, &cut), 125);
	CHECK(cut);
	for (i = 0; i < 125; i++)
		CHECK_EQ(behind[i], i % 2 ? 0x2222 : 0x1111);
	frames[0].next = (unsigned long)&frames[0];
	CHECK_EQ(chain_behind((unsigned long)&frames[0], 9, behind, &cut), 7);
	CHECK(cut);
	for (i = 0; i < 7; i++)
		CHECK_EQ(behind[i], 0x1111);
}

/* covers: D.13-7 */
TEST(what_is_no_address_is_left_out)
{
	/* perf_events has marks among the addresses: PERF_CONTEXT_USER and others. */
	struct frame frames[] = {
		{ (unsigned long)&frames[1], 0x1111 },
		{ (unsigned long)&frames[2], 0 },
		{ (unsigned long)&frames[3], -512 },
		{ (unsigned long)&frames[4], -4095 },
		{ (unsigned long)&frames[5], -4096 },
		{ 0, 0x2222 },
	};
	__u64 behind[127];
	bool cut;

	CHECK_EQ(chain_behind((unsigned long)&frames[0], 127, behind, &cut), 3);
	CHECK(!cut);
	CHECK_EQ(behind[0], 0x1111);
	CHECK_EQ(behind[1], -4096ULL);
	CHECK_EQ(behind[2], 0x2222);
}

/* Programs that start and end. */

static void execute_again(void *unused)
{
	(void)unused;
	chain_events(10, EVENTS, 0);
	execl("/proc/self/exe", "chains", "-l", NULL);
	_exit(1);
}

/* covers: D.13-8 */
TEST(programs_are_sampled_from_fork_to_exit)
{
	struct stack stack = create_stack(PFM_FL_SYSTEM_WIDE, STACK(SIZE, BOTH, 127));
	const pfm_stack_smpl_entry_t *entry;
	__u64 i, n = 0;
	int round, null;
	pid_t pid;

	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	program(stack.fd, (struct event){ .reg = 0, .period = 10007,
					  .value = soft_pmu ? USER_INST : ALL_INST });
	load_on(stack.fd, 0);
	for (round = 0; round < 5; round++) {
		fflush(NULL);
		start(stack.fd);
		pid = fork();
		CHECK_OK(pid);
		if (!pid) {
			dup2(null, 1);
			execute_again(NULL);
		}
		reap(pid);
		stop(stack.fd);
		check_samples(&stack);
		for_each_sample(&stack, entry, i)
			n += entry->sample.pid == pid;
		restart(stack.fd);
	}
	CHECK_GE(n, 5);
}
