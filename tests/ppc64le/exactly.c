// SPDX-License-Identifier: GPL-2.0
/*
 * User instructions on POWER are counted exactly: code in assembly, its instructions counted by
 * hand, between a PFM_START and a PFM_STOP. The instructions of these two calls and of the code
 * around are measured with an empty block, and subtracted.
 */
#include "../abi/count.h"

#include <sys/mman.h>
#include <ucontext.h>

#define COUNTERS	6

/* Called with an argument for its work. The empty block has the blr at the end, too. */
typedef void block_fn(void *arg, unsigned long n);

#define BLOCK(name, code)						\
	block_fn name;							\
	__asm__(".text\n\t.globl " #name "\n\t.type " #name ", @function\n" \
		#name ":\n\t" code "\n\tblr\n\t.size " #name ", . - " #name "\n")

BLOCK(nothing, "");

/* 10; and 1 and 2 n. */
BLOCK(straight, ".rept 10\n\tnop\n\t.endr");
BLOCK(rounds, "mtctr 4\n1:	addi 3, 3, 8\n\tbdnz 1b");

/* 2 and 3 n: a store and a load between; each round touches one more page. */
BLOCK(touch, "mtctr 4\n\tlis 5, 1\n1:	std 4, 0(3)\n\tadd 3, 3, 5\n\tbdnz 1b");

/* 3 and 4 n: a system call that does not exist, which keeps r14, but not CTR. */
BLOCK(call, "std 14, -16(1)\n\tmr 14, 4\n1:	li 0, -1\n\tsc\n\t"
      "addic. 14, 14, -1\n\tbne 1b\n\tld 14, -16(1)");

/* 1 and 3 n: a trap that is not taken, and a branch over a trap that would be taken. */
BLOCK(no_traps, "mtctr 4\n1:	tdi 4, 4, 0x7fff\n\tb 2f\n\ttrap\n2:	bdnz 1b");

/* 3, of which the first may find the vector facility disabled; then it is restarted. */
BLOCK(vectors, "vxor 2, 2, 2\n\tli 5, 16\n\tstvx 2, 5, 3");

static int fd;
static unsigned int counter;

static __u64 count(block_fn *block, void *arg, unsigned long n)
{
	write_pmd(fd, counter, 0);
	CHECK_OK(try_start(fd));
	block(arg, n);
	CHECK_OK(try_stop(fd));
	return read_pmd(fd, counter);
}

/* The first run of code may fault, but no instruction counts twice for that. */
static void expect(block_fn *block, void *arg, unsigned long n, __u64 instructions)
{
	for (counter = 0; counter < COUNTERS; counter++)
		CHECK_EQ(count(block, arg, n) - count(nothing, NULL, 0), instructions);
}

static void monitor(void)
{
	unsigned int i;

	need_pmu();
	fd = create(0);
	for (i = 0; i < COUNTERS; i++)
		write_pmc(fd, i, USER_INST);
	load_self(fd);
}

static void *pages(size_t n)
{
	void *p = mmap(NULL, n << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	CHECK(p != MAP_FAILED);
	return p;
}

TEST(straight_code_and_loops_count_what_they_are)
{
	monitor();
	expect(straight, NULL, 0, 10);
	expect(rounds, NULL, 1, 3);
	expect(rounds, NULL, 1000, 2001);
	expect(rounds, NULL, 1000000, 2000001);
}

TEST(an_instruction_that_faults_counts_once)
{
	unsigned int i;

	monitor();
	for (i = 0; i < COUNTERS; i++) {
		counter = i;
		CHECK_EQ(count(touch, pages(100), 100) - count(nothing, NULL, 0), 302);
	}
}

TEST(a_system_call_counts_once_and_the_kernel_not_at_all)
{
	monitor();
	expect(call, NULL, 1, 7);
	expect(call, NULL, 500, 2003);
}

TEST(traps_that_are_not_taken_and_branches_count)
{
	monitor();
	expect(no_traps, NULL, 100, 301);
	expect(vectors, pages(1), 0, 3);
}

/* The handler's instructions are this thread's as well: the trap itself does not count. */
static void skip_trap(int signal, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)signal;
	(void)info;
	uc->uc_mcontext.regs->nip += 4;
}

BLOCK(trap_twice, "cmpd 3, 3\n\ttdeq 3, 3\n\ttdeq 3, 3");
BLOCK(trap_once, "cmpd 3, 3\n\ttdeq 3, 3");

TEST(a_trap_that_is_taken_costs_what_its_handler_does)
{
	struct sigaction action = { .sa_sigaction = skip_trap, .sa_flags = SA_SIGINFO };
	__u64 once, twice, none;

	monitor();
	CHECK_OK(sigaction(SIGTRAP, &action, NULL));
	for (counter = 0; counter < COUNTERS; counter++) {
		count(trap_twice, NULL, 0);
		none = count(nothing, NULL, 0);
		once = count(trap_once, NULL, 0);
		twice = count(trap_twice, NULL, 0);
		CHECK_GE(once, none + 2);
		CHECK_EQ(twice - once, once - none - 1);
	}
}

/* Kernel and user add up to all; each counter is frozen at the level at which it must not count. */
TEST(the_levels_add_up)
{
	__u64 user, kernel, all;

	monitor();
	write_pmc(fd, 0, USER_INST);
	write_pmc(fd, 1, INST_RETIRED | EVTSEL_OS | EVTSEL_EN);
	write_pmc(fd, 2, ALL_INST);
	write_pmc(fd, 4, EVTSEL_OS);
	CHECK_OK(try_start(fd));
	call(NULL, 200);
	CHECK_OK(try_stop(fd));
	user = read_pmd(fd, 0);
	kernel = read_pmd(fd, 1);
	all = read_pmd(fd, 2);
	CHECK_GE(user, 803);
	CHECK_GE(kernel, 200 * 20);
	CHECK_EQ(user + kernel, all);
	CHECK_EQ(read_pmd(fd, 4), kernel);
	CHECK_EQ(read_pmd(fd, 3), user);
}
