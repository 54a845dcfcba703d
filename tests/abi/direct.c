// SPDX-License-Identifier: GPL-2.0
/*
 * The direct calls: their particular properties. Lane direct shows, with the tests of the commands,
 * that they do the same as the commands.
 */
#include "commands.h"
#include "overflow.h"

#include <limits.h>

#define FIRST	__NR_pfm_create_context
#define LAST	__NR_pfm_set_config

static __u64 memory[512];

/* covers: 6.1-1 */
TEST(the_direct_calls_have_the_documented_numbers)
{
	static const long numbers[] = {
		__NR_pfm_create_context, __NR_pfm_write_pmcs, __NR_pfm_write_pmds,
		__NR_pfm_read_pmds, __NR_pfm_getinfo_pmcs, __NR_pfm_getinfo_pmds,
		__NR_pfm_start, __NR_pfm_stop, __NR_pfm_load_context, __NR_pfm_unload_context,
		__NR_pfm_restart, __NR_pfm_create_evtsets, __NR_pfm_delete_evtsets,
		__NR_pfm_getinfo_evtsets, __NR_pfm_get_config, __NR_pfm_set_config,
	};
	size_t i;

	CHECK_EQ(ARRAY_SIZE(numbers), LAST - FIRST + 1);
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		CHECK_EQ(numbers[i], 491 + i);
		errno = 0;
		syscall(numbers[i], -1, NULL, 0);
		CHECK_NE(errno, ENOSYS);
	}
	CHECK_ERRNO(syscall(LAST + 1, -1, NULL, 0), ENOSYS);
}

/* Calls that take a vector need at least one element. */
/* covers: 6.1.2-1 6.1.2-2 6.1.3-1 6.1.3-2 6.1.3-3 6.1.7-1 6.1.7-2 6.1.7-3 */
TEST(vectors_of_direct_calls_have_at_least_one_element)
{
	static const int counts[] = { 0, -1, INT_MIN };
	const struct command *c;
	int fd = create(0);
	size_t k;

	for_each_command(c) {
		if (c->args != ARGS_VECTOR || !c->context)
			continue;
		for (k = 0; k < ARRAY_SIZE(counts); k++)
			CHECK_ERRNO(direct_call(c, fd, memory, counts[k]), EINVAL);
		CHECK_ERRNO(direct_call(c, fd, memory, INT_MAX), E2BIG);
		CHECK_ERRNO(direct_call(c, fd, NULL, 1), EFAULT);
		CHECK_ERRNO(direct_call(c, -1, memory, -1), EBADF);
	}
	for (k = 0; k < ARRAY_SIZE(counts); k++) {
		CHECK_ERRNO(syscall(__NR_pfm_getinfo_pmcs, memory, counts[k]), EINVAL);
		CHECK_ERRNO(syscall(__NR_pfm_getinfo_pmds, memory, counts[k]), EINVAL);
	}
}

/* covers: 6.1.1-1 6.1.1-2 */
TEST(contexts_are_created_directly_one_by_one)
{
	static const int counts[] = { 0, -1, 2, 1000 };
	pfarg_ctx_t ctx = { .ctx_fd = -1 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counts); i++)
		CHECK_ERRNO(syscall(__NR_pfm_create_context, &ctx, counts[i]), EINVAL);
	CHECK_ERRNO(syscall(__NR_pfm_create_context, NULL, 1), EFAULT);
	CHECK_EQ(syscall(__NR_pfm_create_context, &ctx, 1), 0);
	CHECK(ctx.ctx_fd >= 0);
}

/* covers: 6.1.4-1 6.1.4-2 */
TEST(a_direct_start_takes_null_or_a_set)
{
	pfarg_start_t arg = { .start_set = 0 };
	int fd = create(0);

	CHECK_ERRNO(syscall(__NR_pfm_start, fd, NULL), EBUSY);
	load_self(fd);
	CHECK_EQ(syscall(__NR_pfm_start, fd, NULL), 0);
	CHECK_EQ(syscall(__NR_pfm_start, fd, &arg), 0);
	CHECK_EQ(runs(fd, 0), 2);
	CHECK_ERRNO(syscall(__NR_pfm_start, fd, (void *)8), EFAULT);
	arg.start_set = 3;
	CHECK_ERRNO(syscall(__NR_pfm_start, fd, &arg), EINVAL);
}

/* covers: 6.1.5-1 6.1.8-1 6.1.8-2 */
TEST(direct_calls_with_one_element_want_it)
{
	int fd = create(0);

	CHECK_ERRNO(syscall(__NR_pfm_load_context, fd, NULL), EFAULT);
	CHECK_ERRNO(syscall(__NR_pfm_load_context, -1, NULL), EBADF);
	CHECK_ERRNO(syscall(__NR_pfm_get_config, NULL), EFAULT);
	CHECK_ERRNO(syscall(__NR_pfm_set_config, NULL), EFAULT);
}

/* covers: 6.1.4-3 6.1.5-2 6.1.6-1 */
TEST(direct_calls_without_argument_ignore_what_is_in_the_registers)
{
	int fd = create(0);

	load_self(fd);
	CHECK_EQ(syscall(__NR_pfm_stop, fd, memory, 77, -1), 0);
	CHECK_EQ(syscall(__NR_pfm_restart, fd, memory, 77, -1), 0);
	CHECK_EQ(syscall(__NR_pfm_unload_context, fd, memory, 77, -1), 0);
}

/* covers: 6.1-1 6.1.6-1 */
TEST(direct_calls_want_a_context)
{
	static const long calls[] = {
		__NR_pfm_write_pmcs, __NR_pfm_write_pmds, __NR_pfm_read_pmds, __NR_pfm_start,
		__NR_pfm_stop, __NR_pfm_load_context, __NR_pfm_unload_context, __NR_pfm_restart,
		__NR_pfm_create_evtsets, __NR_pfm_delete_evtsets, __NR_pfm_getinfo_evtsets,
	};
	int other = gate_new(), closed = create(0);
	size_t i;

	CHECK_OK(close(closed));
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		CHECK_ERRNO(syscall(calls[i], -1, memory, 1), EBADF);
		CHECK_ERRNO(syscall(calls[i], closed, memory, 1), EBADF);
		CHECK_ERRNO(syscall(calls[i], other, memory, 1), EBADF);
	}
}

/* A context has no form: the other form continues what one form began. */
/* covers: 6.1-1 6.1.2-1 6.1.3-2 6.1.4-1 6.1.5-2 6.1.7-1 */
TEST(both_forms_work_on_the_same_context)
{
	pfarg_load_t load_arg = { .load_pid = gettid() };
	pfarg_pmc_t pmc = { .reg_num = 0, .reg_value = USER_INST };
	pfarg_pmd_t pmd = { .reg_num = 0, .reg_value = 5 }, other;
	pfarg_setdesc_t set = { .set_id = 6 };
	int fd = create(0);

	need_pmu();
	CHECK_EQ(syscall(__NR_pfm_write_pmcs, fd, &pmc, 1), 0);
	CHECK_EQ(syscall(__NR_perfmonctl, fd, PFM_WRITE_PMDS, &pmd, 1), 0);
	CHECK_EQ(syscall(__NR_pfm_create_evtsets, fd, &set, 1), 0);
	CHECK_EQ(syscall(__NR_perfmonctl, fd, PFM_DELETE_EVTSETS, &set, 1), 0);
	CHECK_EQ(syscall(__NR_perfmonctl, fd, PFM_LOAD_CONTEXT, &load_arg, 1), 0);
	CHECK_EQ(syscall(__NR_pfm_start, fd, NULL), 0);
	loop(1000);
	CHECK_EQ(syscall(__NR_perfmonctl, fd, PFM_STOP, NULL, 0), 0);
	CHECK_EQ(syscall(__NR_pfm_read_pmds, fd, &pmd, 1), 0);
	other = (pfarg_pmd_t){ .reg_num = 0 };
	CHECK_EQ(syscall(__NR_perfmonctl, fd, PFM_READ_PMDS, &other, 1), 0);
	CHECK_GE(pmd.reg_value, 2005);
	CHECK_EQ(pmd.reg_value, other.reg_value);
	CHECK_EQ(syscall(__NR_pfm_unload_context, fd), 0);
}

/* covers: 6.1.2-2 6.1.3-3 6.1.7-3 6.1.8-1 6.1.8-2 */
TEST(both_forms_return_the_same)
{
	pfarg_config_t configs[2];
	pfarg_pmdinfo_t pmds[2] = { { .reg_num = 1 }, { .reg_num = 1 } };
	pfarg_pmcinfo_t pmcs[2] = { { .reg_num = 1 }, { .reg_num = 1 } };
	pfarg_setinfo_t sets[2] = { { .set_id = 0 }, { .set_id = 0 } };
	int fd = create(0);

	need_pmu();
	CHECK_EQ(syscall(__NR_perfmonctl, -1, PFM_GET_CONFIG, &configs[0], 1), 0);
	CHECK_EQ(syscall(__NR_pfm_get_config, &configs[1]), 0);
	CHECK(!memcmp(&configs[0], &configs[1], sizeof(configs[0])));
	CHECK_EQ(syscall(__NR_pfm_set_config, &configs[1]), 0);
	CHECK_EQ(syscall(__NR_perfmonctl, -1, PFM_GETINFO_PMDS, &pmds[0], 1), 0);
	CHECK_EQ(syscall(__NR_pfm_getinfo_pmds, &pmds[1], 1), 0);
	CHECK(!memcmp(&pmds[0], &pmds[1], sizeof(pmds[0])));
	CHECK_EQ(syscall(__NR_perfmonctl, -1, PFM_GETINFO_PMCS, &pmcs[0], 1), 0);
	CHECK_EQ(syscall(__NR_pfm_getinfo_pmcs, &pmcs[1], 1), 0);
	CHECK(!memcmp(&pmcs[0], &pmcs[1], sizeof(pmcs[0])));
	CHECK_EQ(syscall(__NR_perfmonctl, fd, PFM_GETINFO_EVTSETS, &sets[0], 1), 0);
	CHECK_EQ(syscall(__NR_pfm_getinfo_evtsets, fd, &sets[1], 1), 0);
	CHECK(!memcmp(&sets[0], &sets[1], sizeof(sets[0])));
}

static void configure_as_nobody(void *unused)
{
	pfarg_config_t config = get_config();

	(void)unused;
	become(NOBODY, NOBODY);
	CHECK_EQ(syscall(__NR_pfm_get_config, &config), 0);
	CHECK_ERRNO(syscall(__NR_pfm_set_config, &config), EPERM);
}

/* covers: 6.1.8-1 6.1.8-2 */
TEST(only_the_administrator_configures_directly)
{
	run_in_child(configure_as_nobody, NULL);
}
