// SPDX-License-Identifier: GPL-2.0
/* Load a BPF program of the name pfmon_run, have the kernel run it, and end: then it is gone. */
#define _GNU_SOURCE
#include <err.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LENGTH	1000
#define RUNS	20000

static int bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* A program of additions. */
static int load(void)
{
	static struct bpf_insn program[LENGTH];
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .prog_name = "pfmon_run",
		.insns = (unsigned long)program, .insn_cnt = LENGTH,
		.license = (unsigned long)"GPL",
	};
	size_t i;

	program[0] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K };
	for (i = 1; i < LENGTH - 1; i++)
		program[i] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_ADD | BPF_K, .imm = 1 };
	program[LENGTH - 1].code = BPF_JMP | BPF_EXIT;
	return bpf(BPF_PROG_LOAD, &attr);
}

int main(void)
{
	unsigned char packet[64] = { 0 };
	const int fd = load();
	union bpf_attr attr = {
		.test = {
			.prog_fd = (unsigned int)fd, .repeat = RUNS,
			.data_in = (unsigned long)packet, .data_size_in = sizeof(packet),
		},
	};

	if (fd < 0)
		err(1, "BPF_PROG_LOAD");
	if (bpf(BPF_PROG_TEST_RUN, &attr))
		err(1, "BPF_PROG_TEST_RUN");
	return 0;
}
