// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of arguments: a command fails with EFAULT if it cannot read or write it, and writes
 * exactly what the interface defines.
 */
#include "commands.h"
#include "count.h"

/* Two pages; the test chooses the protection of the second one. */
struct pages {
	char	*first;
	char	*second;
	size_t	size;
};

static struct pages two_pages(void)
{
	struct pages pages = { .size = sysconf(_SC_PAGESIZE) };

	pages.first = mmap(NULL, 2 * pages.size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(pages.first != MAP_FAILED);
	pages.second = pages.first + pages.size;
	return pages;
}

static void *unmapped_page(void)
{
	struct pages pages = two_pages();

	CHECK_OK(munmap(pages.first, pages.size));
	return pages.first;
}

static void *forbidden_page(void)
{
	struct pages pages = two_pages();

	CHECK_OK(mprotect(pages.first, pages.size, PROT_NONE));
	return pages.first;
}

/* All commands with an argument fail with EFAULT, in every state. */
static void refuse_pointer(void *pointer)
{
	int unloaded = create(0), loaded = create(0);
	const struct command *c;
	int n = 0;

	load_self(loaded);
	for_each_command(c) {
		if (c->args == ARGS_NONE)
			continue;
		expect_error(c, unloaded, pointer, 1, EFAULT);
		expect_error(c, loaded, pointer, 1, EFAULT);
		n++;
	}
	CHECK_EQ(n, 13);
	CHECK_OK(close(loaded));
	CHECK_OK(close(unloaded));
}

/* covers: 3.1.1-43 3.1.2-48 3.1.3-41 3.1.4-30 3.1.7-45 3.1.10-32 3.1.11-11 3.1.12-25 */
/* covers: 3.1.13-21 3.1.14-18 3.1.16-24 3.1.17-17 */
TEST(null_is_a_bad_pointer)
{
	refuse_pointer(NULL);
}

/* covers: 3.1.1-43 */
TEST(unmapped_page_is_a_bad_pointer)
{
	refuse_pointer(unmapped_page());
}

/* covers: 3.1.2-48 */
TEST(page_without_access_is_a_bad_pointer)
{
	refuse_pointer(forbidden_page());
}

/* covers: 3.1.7-45 */
TEST(kernel_addresses_are_bad_pointers)
{
	refuse_pointer((void *)0xffff888000001000UL);
	refuse_pointer((void *)0xffffffff81000000UL);
	refuse_pointer((void *)-8L);
}

/* covers: D.2-6 */
TEST(address_that_is_not_canonical_is_a_bad_pointer)
{
	refuse_pointer((void *)0x8000000000000000UL);
	refuse_pointer((void *)0x0000800000000000UL);
}

/* covers: D.2-6 */
TEST(argument_whose_last_byte_is_unmapped_is_refused)
{
	struct pages pages = two_pages();
	const struct command *c;
	int fd = create(0);

	CHECK_OK(munmap(pages.second, pages.size));
	for_each_command(c)
		if (c->args != ARGS_NONE)
			expect_error(c, fd, pages.second - c->size + 1, 1, EFAULT);
}

/*
 * Argument and result reach to the last byte of a page; the next page does not
 * exist. So nothing beyond the structure is read or written.
 */
/* covers: D.2-5 */
TEST(nothing_beyond_the_argument_is_touched)
{
	struct pages pages = two_pages();
	const struct command *c;
	void *arg;
	int fd;

	need_pmu();
	CHECK_OK(munmap(pages.second, pages.size));
	for_each_command(c) {
		if (c->args == ARGS_NONE)
			continue;
		fd = create_for_commands();
		if (c->cmd == PFM_START)
			load_self(fd);
		memset(pages.first, 0x5a, pages.size);
		arg = pages.second - c->size;
		good_argument(c, arg);
		expect_success(c, fd, arg, 1);
		for (char *p = pages.first; p < (char *)arg; p++)
			if (*p != 0x5a)
				FAIL("%s wrote %td bytes below its argument", c->name,
				     (char *)arg - p);
		CHECK_OK(close(fd));
	}
}

/* covers: D.2-5 */
TEST(bytes_after_a_vector_are_not_written)
{
	pfarg_pmd_t pmds[3];
	unsigned char *p = (unsigned char *)&pmds[2];
	int fd = create(0);
	size_t i;

	need_pmu();
	memset(pmds, 0, sizeof(pmds));
	memset(&pmds[2], 0x5a, sizeof(pmds[2]));
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, pmds, 2));
	for (i = 0; i < sizeof(pmds[2]); i++)
		CHECK_EQ(p[i], 0x5a);
}

/* covers: 3.1.2-48 3.1.3-41 */
TEST(vector_that_crosses_into_an_unmapped_page_does_nothing)
{
	struct pages pages = two_pages();
	pfarg_pmd_t *pmds = (pfarg_pmd_t *)pages.second - 1;
	int fd = create(0);

	need_pmu();
	CHECK_OK(munmap(pages.second, pages.size));
	write_pmd(fd, 0, 1);
	memset(pmds, 0, sizeof(*pmds));
	pmds[0].reg_value = 2;
	CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 2), EFAULT);
	CHECK_EQ(read_pmd(fd, 0), 1);
	CHECK_EQ(pmds[0].reg_value, 2);
}

/* covers: 3.1.3-41 */
TEST(vector_that_crosses_into_a_forbidden_page_does_nothing)
{
	struct pages pages = two_pages();
	pfarg_pmd_t *pmds = (pfarg_pmd_t *)pages.second - 1;
	int fd = create(0);

	need_pmu();
	CHECK_OK(mprotect(pages.second, pages.size, PROT_NONE));
	write_pmd(fd, 0, 1);
	memset(pmds, 0, sizeof(*pmds));
	pmds[0].reg_value = 2;
	CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 2), EFAULT);
	CHECK_EQ(read_pmd(fd, 0), 1);
}

/* For every command, a result that cannot be written is an error. */
/* covers: 3.1.13-21 3.1.14-18 3.1.17-17 */
TEST(read_only_result_is_refused)
{
	struct pages pages = two_pages();
	const struct command *c;
	int fd = create_for_commands();

	need_pmu();
	for_each_command(c) {
		if (!c->returns)
			continue;
		CHECK_OK(mprotect(pages.first, pages.size, PROT_READ | PROT_WRITE));
		good_argument(c, pages.first);
		CHECK_OK(mprotect(pages.first, pages.size, PROT_READ));
		expect_error(c, fd, pages.first, 1, EFAULT);
	}
}

/* covers: 3.1.4-30 */
TEST(result_that_crosses_into_a_read_only_page_is_refused)
{
	struct pages pages = two_pages();
	pfarg_pmd_t *pmds = (pfarg_pmd_t *)pages.second - 1;
	int fd = create(0);

	need_pmu();
	CHECK_OK(mprotect(pages.second, pages.size, PROT_READ));
	CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, pmds, 2), EFAULT);
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, pmds, 1));
}

/* covers: D.2-7 */
TEST(commands_without_result_take_read_only_memory)
{
	struct pages pages = two_pages();
	const struct command *c;
	int fd = create(0), loaded = create(0);

	load_self(loaded);
	for_each_command(c) {
		/*
		 * A thread has at most one context: the second one is loaded after the first one is
		 * unloaded.
		 */
		if (c->cmd == PFM_LOAD_CONTEXT)
			unload(loaded);
		if (c->returns || c->args == ARGS_NONE)
			continue;
		CHECK_OK(mprotect(pages.first, pages.size, PROT_READ | PROT_WRITE));
		good_argument(c, pages.first);
		CHECK_OK(mprotect(pages.first, pages.size, PROT_READ));
		expect_success(c, c->cmd == PFM_START ? loaded : fd, pages.first, 1);
	}
}

/* covers: 3.1.1-44 */
TEST(no_descriptor_is_left_when_the_result_of_create_faults)
{
	struct pages pages = two_pages();
	unsigned int before = count_fds();
	int next = create(0), i;

	CHECK_OK(close(next));
	memset(pages.first, 0, sizeof(pfarg_ctx_t));
	CHECK_OK(mprotect(pages.first, pages.size, PROT_READ));
	for (i = 0; i < 20; i++)
		CHECK_ERRNO(perfmonctl(-1, PFM_CREATE_CONTEXT, pages.first, 1), EFAULT);
	CHECK_EQ(count_fds(), before);
	CHECK_EQ(create(0), next);
}

/* covers: D.2-7 */
TEST(unaligned_arguments_are_taken)
{
	char buffer[sizeof(pfarg_config_t) + 8];
	pfarg_config_t config;

	CHECK_OK(perfmonctl(-1, PFM_GET_CONFIG, buffer + 1, 1));
	memcpy(&config, buffer + 1, sizeof(config));
	CHECK_EQ(config.cf_version, PFM_VERSION);
}

/* covers: 4.1-1 D.2-4 */
TEST(padding_is_ignored_on_input_and_zero_on_output)
{
	pfarg_pmd_t pmd = { .reg_pad = 0xdeadbeef };
	pfarg_load_t load_arg = { .load_pid = gettid(), .load_pad = 0xbeef };
	pfarg_config_t config;
	int fd = create(0);

	memset(&config, 0xff, sizeof(config));
	CHECK_OK(perfmonctl(-1, PFM_GET_CONFIG, &config, 1));
	CHECK_EQ(config.cf_pad[0], 0);
	CHECK_EQ(config.cf_pad[1], 0);
	CHECK_EQ(config.cf_pad[2], 0);
	memset(config.cf_pad, 0xff, sizeof(config.cf_pad));
	CHECK_OK(perfmonctl(-1, PFM_SET_CONFIG, &config, 1));

	CHECK_OK(perfmonctl(fd, PFM_LOAD_CONTEXT, &load_arg, 1));
	need_pmu();
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1));
	CHECK_EQ(pmd.reg_pad, 0);
	pmd.reg_pad = 0xdeadbeef;
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
	CHECK_EQ(pmd.reg_pad, 0);
}

/* covers: 3.1.2-9 D.1-7 */
TEST(return_flags_are_ignored_on_input_and_cleared_on_success)
{
	pfarg_pmc_t pmc = { .reg_flags = PFM_REG_RETFL_MASK, .reg_value = USER_INST };
	pfarg_pmd_t pmd = { .reg_flags = PFM_REG_RETFL_MASK };
	pfarg_pmcinfo_t pmcinfo = { .reg_flags = PFM_REG_RETFL_MASK };
	pfarg_pmdinfo_t pmdinfo = { .reg_flags = PFM_REG_RETFL_MASK };
	int fd = create(0);

	need_pmu();
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1));
	CHECK_EQ(pmc.reg_flags, 0);
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1));
	CHECK_EQ(pmd.reg_flags, 0);
	pmd.reg_flags = PFM_REG_RETFL_MASK;
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
	CHECK_EQ(pmd.reg_flags, 0);
	CHECK_OK(perfmonctl(-1, PFM_GETINFO_PMCS, &pmcinfo, 1));
	CHECK_EQ(pmcinfo.reg_flags, 0);
	CHECK_OK(perfmonctl(-1, PFM_GETINFO_PMDS, &pmdinfo, 1));
	CHECK_EQ(pmdinfo.reg_flags, 0);
}

/* covers: 3.1.3-43 D.1-7 */
TEST(a_vector_that_failed_can_be_passed_again_once_mended)
{
	pfarg_pmd_t pmds[2] = { { .reg_num = 0, .reg_value = 5 }, { .reg_num = 65535 } };
	int fd = create(0);

	need_pmu();
	CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 2), EINVAL);
	CHECK(PFM_REG_HAS_ERROR(pmds[1].reg_flags));
	pmds[1].reg_num = 0;
	pmds[1].reg_value = 6;
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 2));
	CHECK(!PFM_REG_HAS_ERROR(pmds[1].reg_flags));
	CHECK_EQ(read_pmd(fd, 0), 6);
}
