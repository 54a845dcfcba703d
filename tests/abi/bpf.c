// SPDX-License-Identifier: GPL-2.0
/*
 * A BPF program at each sample of an event of perf_events, as profilers have it, in a thread that
 * perfmon monitors: both count every event, and neither disturbs the other.
 */
#include "pages.h"
#include "perf.h"

#include <linux/bpf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define PAGES	200

static int bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static int create_array(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = sizeof(__u32),
		.value_size = sizeof(__u64), .max_entries = 1,
	};
	int fd = bpf(BPF_MAP_CREATE, &attr);

	CHECK_OK(fd);
	return fd;
}

static __u64 first_element(int array)
{
	__u32 key = 0;
	__u64 value = 0;
	union bpf_attr attr = {
		.map_fd = array, .key = (uintptr_t)&key, .value = (uintptr_t)&value,
	};

	CHECK_OK(bpf(BPF_MAP_LOOKUP_ELEM, &attr));
	return value;
}

/* Add 1 to the array's first element; the event has no ring, so the sample ends here. */
static int load_counting_program(int array)
{
	const struct bpf_insn program[] = {
		{ .code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = BPF_REG_10, .off = -4, .imm = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_2, .src_reg = BPF_REG_10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_2, .imm = -4 },
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = BPF_REG_1, .src_reg = BPF_PSEUDO_MAP_FD,
		  .imm = array },
		{ .code = 0 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_elem },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = BPF_REG_0, .off = 2, .imm = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_1, .imm = 1 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = BPF_REG_0, .src_reg = BPF_REG_1,
		  .imm = BPF_ADD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_PERF_EVENT, .insns = (uintptr_t)program,
		.insn_cnt = sizeof(program) / sizeof(program[0]), .license = (uintptr_t)"GPL",
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	CHECK_OK(fd);
	return fd;
}

static int open_faults(int program)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_PAGE_FAULTS, .sample_period = 1, .disabled = 1,
		.exclude_kernel = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	CHECK_OK(fd);
	CHECK_OK(ioctl(fd, PERF_EVENT_IOC_SET_BPF, program));
	return fd;
}

/* The count of PMD0 while each of PAGES new pages is written to. */
static __u64 count_touches(int fd)
{
	char *pages = fresh_pages(PAGES);
	__u64 before;

	before = read_pmd(fd, 0);
	start(fd);
	touch(pages, PAGES);
	stop(fd);
	CHECK_OK(munmap(pages, PAGES * sysconf(_SC_PAGESIZE)));
	return read_pmd(fd, 0) - before;
}

/* covers: D.3-4 */
TEST(a_bpf_program_at_each_sample_of_perf_events_disturbs_no_count)
{
	const int array = create_array();
	const int faults = open_faults(load_counting_program(array));
	__u64 expected;
	int fd;

	need_pmu();
	fd = create_counting(general, 0);
	load_self(fd);
	count_touches(fd);
	expected = count_touches(fd);
	CHECK_GE(expected, soft_pmu ? 0 : PAGES);
	CHECK_EQ(first_element(array), 0);
	CHECK_OK(ioctl(faults, PERF_EVENT_IOC_ENABLE, 0));
	CHECK_EQ(count_touches(fd), expected);
	CHECK_OK(ioctl(faults, PERF_EVENT_IOC_DISABLE, 0));
	CHECK_EQ(first_element(array), PAGES);
}
