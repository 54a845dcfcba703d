// SPDX-License-Identifier: GPL-2.0
/*
 * A 32-bit program on the 64-bit kernel: the same bytes, the same results. This
 * file is compiled with -m32.
 */
#include "messages.h"

#define USER_INST	0x4100c0ULL	/* instructions retired, user level, enabled */
#define LOOPS		10000

static void loop(__u32 n)
{
	__asm__ volatile("1:	dec %0\n\t"
			 "jnz 1b"
			 : "+r" (n) : : "cc");
}

/* covers: D.2-3 */
TEST(this_is_a_32_bit_program)
{
	CHECK_EQ(sizeof(void *), 4);
	CHECK_EQ(sizeof(size_t), 4);
}

/* covers: D.2-3 */
TEST(structures_have_the_size_that_they_have_in_64_bit_programs)
{
	CHECK_EQ(sizeof(pfarg_ctx_t), 32);
	CHECK_EQ(sizeof(pfarg_pmc_t), 104);
	CHECK_EQ(sizeof(pfarg_pmd_t), 64);
	CHECK_EQ(sizeof(pfarg_start_t), 2);
	CHECK_EQ(sizeof(pfarg_load_t), 8);
	CHECK_EQ(sizeof(pfarg_pmcinfo_t), 32);
	CHECK_EQ(sizeof(pfarg_pmdinfo_t), 32);
	CHECK_EQ(sizeof(pfarg_config_t), 120);
	CHECK_EQ(sizeof(pfm_msg_t), 48);
}

/* covers: D.2-3 */
TEST(a_32_bit_program_counts_itself)
{
	__u64 first, second;
	int fd;

	need_pmu();
	need_hardware("instructions to count");
	fd = create(0);
	write_pmc(fd, 0, USER_INST);
	write_pmd(fd, 0, 1ULL << 50);
	load_self(fd);
	start(fd);
	loop(LOOPS);
	first = read_pmd(fd, 0);
	CHECK_GE(first, (1ULL << 50) + 2 * LOOPS);
	stop(fd);
	second = read_pmd(fd, 0);
	CHECK_GE(second, first);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), second);
	unload(fd);
	CHECK_EQ(read_pmd(fd, 0), second);
	CHECK_OK(close(fd));
}

/* covers: 3.1.3-6 D.2-3 */
TEST(a_32_bit_program_keeps_all_64_bits)
{
	pfarg_pmd_t pmds[2] = {
		{ .reg_num = 0, .reg_value = 0xfedcba9876543210ULL },
		{ .reg_num = 1, .reg_value = 0x0123456789abcdefULL },
	};
	int fd = create(0);

	need_pmu();
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 2));
	pmds[0].reg_value = 0;
	pmds[1].reg_value = 0;
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, pmds, 2));
	CHECK_EQ(pmds[0].reg_value, 0xfedcba9876543210ULL);
	CHECK_EQ(pmds[1].reg_value, 0x0123456789abcdefULL);
	CHECK_EQ(pmds[1].reg_last_reset_val, 0x0123456789abcdefULL);
}

/* covers: 3.1.2-39 D.2-3 */
TEST(a_32_bit_program_sets_bitvectors)
{
	pfarg_config_t config = get_config();
	pfarg_pmc_t pmc = { .reg_num = 0 };
	int fd = create(0), i;

	need_pmu();
	/* One bit in each word; only the first word has bits of registers. */
	for (i = 0; i < PFM_MAX_PMDS; i += 63) {
		memset(&pmc, 0, sizeof(pmc));
		add_bit(pmc.reg_smpl_pmds, i);
		if (has_bit(config.cf_impl_pmds, i)) {
			CHECK_OK(perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1));
		} else {
			CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1), EINVAL);
			CHECK_EQ(pmc.reg_flags, PFM_REG_RETFL_EINVAL);
		}
	}
}

/* covers: 3.2.3-2 D.2-3 */
TEST(a_32_bit_program_reads_information_and_config)
{
	pfarg_pmcinfo_t info = { .reg_num = 0 };
	pfarg_config_t config = get_config();

	CHECK_EQ(config.cf_version, PFM_VERSION);
	CHECK_EQ(config.cf_arg_size_max, 4096);
	CHECK_EQ(config.cf_sys_gid, PFM_GROUP_ANY);
	need_pmu();
	need_hardware("registers of the processor");
	CHECK_OK(perfmonctl(-1, PFM_GETINFO_PMCS, &info, 1));
	CHECK_EQ(info.reg_type, PFM_REG_TYPE_MSR);
	/*
	 * Intel's first event selector, or AMD's; AMD has four bits of the event in the upper half.
	 */
	if (info.reg_index == 0x186)
		CHECK_EQ(info.reg_rsvd_mask >> 32, 0xffffffff);
	else
		CHECK(info.reg_index == 0xc0010200 && info.reg_rsvd_mask >> 32 == 0xfffffff0);
}

/* covers: 3.3.3-6 D.2-3 */
TEST(a_32_bit_program_reads_messages)
{
	int fd = ended_context();
	pfm_msg_t msgs[2];

	CHECK_ERRNO(read(fd, msgs, 44), EINVAL);
	CHECK_EQ(read(fd, msgs, sizeof(msgs)), 48);
	CHECK_EQ(msgs[0].msg_type, PFM_MSG_END);
}

/* covers: D.2-3 */
TEST(a_32_bit_program_fails_as_a_64_bit_one_does)
{
	pfarg_pmd_t pmd = { .reg_num = 0xffff };
	int fd = create(0);

	CHECK_ERRNO(perfmonctl(fd, -1, NULL, 0), EINVAL);
	CHECK_ERRNO(perfmonctl(-1, PFM_STOP, NULL, 0), EBADF);
	CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, &pmd, 0), EINVAL);
	CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, &pmd, -1), EINVAL);
	CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1 << 26), E2BIG);
	CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, NULL, 1), EFAULT);
	CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, (void *)0xffffff00, 1), EFAULT);
	CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1), EINVAL);
	CHECK_EQ(pmd.reg_flags, PFM_REG_RETFL_NOTAVAIL);
	CHECK_ERRNO(try_load(fd, -1), ESRCH);
	CHECK_ERRNO(try_start(fd), EBUSY);
}
