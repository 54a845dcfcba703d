// SPDX-License-Identifier: GPL-2.0
/*
 * A security module's decisions about perf_events apply to perfmon. Run by security.sh on a kernel
 * that accepts a BPF program as a security module.
 */
#include "../abi/count.h"
#include "../abi/settings.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/* The types of access that the hook gets, from the kernel's <linux/perf_event.h>. */
enum question { SECURITY_OPEN, SECURITY_CPU, SECURITY_KERNEL };

/*
 * From now on, for the life of this process, the hook refuses the access @question, its second
 * argument.
 */
static void refuse(enum question question)
{
	struct bpf_insn insns[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 2, .src_reg = 1, .off = 8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = 2, .off = 1, .imm = question },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = -EACCES },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_LSM_MAC);
	int program;

	options.attach_btf_id = libbpf_find_vmlinux_btf_id("perf_event_open", BPF_LSM_MAC);
	CHECK_OK((int)options.attach_btf_id);
	program = bpf_prog_load(BPF_PROG_TYPE_LSM, "refuse", "GPL", insns,
				sizeof(insns) / sizeof(insns[0]), &options);
	CHECK_OK(program);
	CHECK_OK(bpf_raw_tracepoint_open(NULL, program));
}

static void count_a_loop(int fd)
{
	__u64 before;

	write_pmc(fd, 0, USER_INST);
	load_self(fd);
	start(fd);
	before = read_pmd(fd, 0);
	loop(1000);
	CHECK_GE(read_pmd(fd, 0), before + 2000);
	unload(fd);
}

TEST(a_security_module_refuses_contexts)
{
	int fd = create(0);

	refuse(SECURITY_OPEN);
	CHECK_ERRNO(try_create(0), EPERM);
	CHECK_ERRNO(try_create(PFM_FL_SYSTEM_WIDE), EPERM);
	/* An existing context is used as before. */
	count_a_loop(fd);
}

TEST(a_security_module_refuses_system_wide_contexts)
{
	refuse(SECURITY_CPU);
	CHECK_ERRNO(try_create(PFM_FL_SYSTEM_WIDE), EPERM);
	count_a_loop(create(0));
}

TEST(a_security_module_refuses_kernel_level)
{
	int fd = create(0);

	CHECK_OK(try_write_pmc(fd, 0, ALL_INST));
	refuse(SECURITY_KERNEL);
	CHECK_ERRNO(try_write_pmc(fd, 0, ALL_INST), EPERM);
	CHECK_ERRNO(try_write_pmc(fd, 0, INST_RETIRED | EVTSEL_OS), EPERM);
	count_a_loop(fd);
}

/* The last test: no kernel can undo this. */
TEST(a_kernel_locked_down_for_confidentiality_refuses_kernel_level)
{
	int fd = create(0);

	CHECK_OK(try_write_pmc(fd, 0, ALL_INST));
	write_file("/sys/kernel/security/lockdown", "confidentiality");
	CHECK_ERRNO(try_write_pmc(fd, 0, ALL_INST), EPERM);
	CHECK_ERRNO(try_write_pmc(fd, 0, INST_RETIRED | EVTSEL_OS), EPERM);
	count_a_loop(fd);
}
