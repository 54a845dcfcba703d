// SPDX-License-Identifier: GPL-2.0
/*
 * steps COMMAND [ARG...] - the address of each instruction that a program executes.
 *
 * Single-steps it and prints a line for each, to compare with a sampling profiler's addresses. A
 * string instruction with a rep prefix is one line, though it stops the program after each
 * iteration. The last line is the address from which the program exited.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* A string instruction with a rep prefix, perhaps one with REX between. */
static bool is_rep_string(unsigned long word)
{
	unsigned char code[8];

	memcpy(code, &word, sizeof(code));
	if (code[0] != 0xf2 && code[0] != 0xf3)
		return false;
	if ((code[1] & 0xf0) == 0x40)
		memmove(code + 1, code + 2, sizeof(code) - 2);
	return (code[1] >= 0xa4 && code[1] <= 0xa7) || (code[1] >= 0xaa && code[1] <= 0xaf);
}

int main(int argc, char **argv)
{
	unsigned long last = 0;
	bool repeats = false;
	int status;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "usage: steps COMMAND [ARG...]\n");
		return 2;
	}
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(argv[1], argv + 1);
		fprintf(stderr, "steps: cannot run %s: %s\n", argv[1], strerror(errno));
		_exit(127);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		struct user_regs_struct regs;

		if (WSTOPSIG(status) != SIGTRAP || ptrace(PTRACE_GETREGS, pid, 0, &regs)) {
			fprintf(stderr, "steps: stopped by signal %d\n", WSTOPSIG(status));
			return 1;
		}
		if (!repeats || regs.rip != last)
			printf("%llx\n", regs.rip);
		last = regs.rip;
		repeats = is_rep_string(ptrace(PTRACE_PEEKTEXT, pid, regs.rip, 0));
		ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
