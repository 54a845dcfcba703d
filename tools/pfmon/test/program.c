// SPDX-License-Identifier: GPL-2.0
/* Programs with a known number of occurrences of an event. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/program.h"

/* A loop in assembly: no compiler can change a round. */
#if defined(__x86_64__)
#define ROUND		2
__asm__(".pushsection .text\n"
	".type test_loop, @function\n"
	"test_loop:\n"
	"test_loop_begin:\n"
	"1:	dec %rdi\n"
	"	jnz 1b\n"
	"test_loop_end:\n"
	"	ret\n"
	".popsection\n");
#elif defined(__powerpc64__)
#define ROUND		1
__asm__(".pushsection .text\n"
	".type test_loop, @function\n"
	"test_loop:\n"
	"test_loop_begin:\n"
	"	mtctr 3\n"
	"1:	bdnz 1b\n"
	"test_loop_end:\n"
	"	blr\n"
	".popsection\n");
#endif

#ifdef ROUND
void test_loop(uint64_t rounds);
extern const char test_loop_begin[], test_loop_end[];
#endif

/* Touch new memory: each page is a fault. */
static void touch_pages(uint64_t pages)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = pages * page;
	volatile char *area;
	size_t at;

	area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		return;
	madvise((void *)area, size, MADV_NOHUGEPAGE);
	for (at = 0; at < size; at += page)
		area[at] = 1;
	munmap((void *)area, size);
}

const struct program programs[] = {
#ifdef ROUND
	{ "instructions:u", "instructions", ROUND, 1000000, test_loop, test_loop_begin,
	  test_loop_end },
#endif
	{ "minor-faults:u", "page faults", 1, 500, touch_pages, NULL, NULL },
	{ NULL, NULL, 0, 0, NULL, NULL, NULL }
};

pid_t program_fork(const struct program *program, uint64_t rounds)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		raise(SIGSTOP);
		program->run(rounds);
		_exit(0);
	}
	if (pid > 0 && waitpid(pid, &status, WUNTRACED) == pid && !WIFSTOPPED(status)) {
		errno = ECHILD;
		return -1;
	}
	return pid;
}

bool program_go(pid_t pid)
{
	int status;

	kill(pid, SIGCONT);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return !status;
}
