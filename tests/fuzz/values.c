// SPDX-License-Identifier: GPL-2.0
/*
 * Arguments: mostly such that counters count and overflow soon, sometimes at the limit of the
 * allowed values, sometimes garbage.
 */
#include "calls.h"
#include "registers.h"
#include "slots.h"

#include <string.h>

#include "../../kernel/perfmon/tests/fmt_probe.h"

static const __u64 edges[] = {
	0, 1, ~0ULL, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0xffffffffffff,
	0x1000000000000, 1ULL << 63, ~0ULL >> 1, 0xffff7fffffff,
};
static const __u16 set_ids[] = { 0, 1, 1, 2, 2, 3, 7, 65535 };

bool rarely(struct fuzzer *f, unsigned int n)
{
	return !f->sane && random_once_in(&f->random, n);
}

__u64 any_u64(struct fuzzer *f)
{
	return random_once_in(&f->random, 2) ? random_of(&f->random, edges) :
					       random_scaled(&f->random);
}

void mutate(struct fuzzer *f, void *memory, size_t size)
{
	unsigned char *bytes = memory;
	unsigned int i, at;

	for (i = random_below(&f->random, 3) + 1; i; i--) {
		at = random_below(&f->random, size);
		switch (random_below(&f->random, 3)) {
		case 0:
			bytes[at] ^= 1 << random_below(&f->random, 8);
			break;
		case 1:
			bytes[at] = random_u64(&f->random);
			break;
		default:
			at &= ~7U;
			if (at + 8 <= size)
				memcpy(bytes + at, &(__u64) { any_u64(f) }, 8);
		}
	}
}

static __u16 random_set(struct fuzzer *f)
{
	if (rarely(f, 40))
		return random_u64(&f->random);
	return random_once_in(&f->random, 3) ? random_of(&f->random, set_ids) : 0;
}

static void random_bits(struct fuzzer *f, __u64 *bitvector)
{
	unsigned int i, bit;

	for (i = random_below(&f->random, 4); i; i--) {
		bit = random_pmd(f) % PFM_MAX_PMDS;
		bitvector[bit / 64] |= 1ULL << bit % 64;
	}
	if (rarely(f, 60))
		bitvector[random_below(&f->random, PFM_MAX_PMD_BITVECTOR)] = any_u64(f);
}

void fill_pmc(struct fuzzer *f, void *element)
{
	static const __u32 flags[] = {
		0, PFM_REGFL_OVFL_NOTIFY, PFM_REGFL_OVFL_NOTIFY, PFM_REGFL_RANDOM,
		PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM, PFM_REGFL_NO_64BIT_EMUL,
	};
	pfarg_pmc_t *pmc = element;

	memset(pmc, 0, sizeof(*pmc));
	pmc->reg_num = random_pmc(f);
	pmc->reg_set = random_set(f);
	pmc->reg_flags = random_of(&f->random, flags);
	pmc->reg_value = random_control(f, pmc->reg_num);
	random_bits(f, pmc->reg_reset_pmds);
	random_bits(f, pmc->reg_smpl_pmds);
	pmc->reg_smpl_eventid = random_u64(&f->random);
}

/* Short periods cause storms, which the machine must survive. */
__u64 random_period(struct fuzzer *f)
{
	static const __u32 periods[] = {
		1, 3, 50, 500, 1000, 5000, 10007, 10007, 20000, 20000, 50000, 100000,
	};

	if (rarely(f, 12))
		return any_u64(f);
	return -(__u64)random_of(&f->random, periods);
}

void fill_pmd(struct fuzzer *f, void *element)
{
	pfarg_pmd_t *pmd = element;

	memset(pmd, 0, sizeof(*pmd));
	pmd->reg_num = random_hardware_pmd(f);
	pmd->reg_set = random_set(f);
	pmd->reg_value = random_once_in(&f->random, 6) ? any_u64(f) : random_period(f);
	pmd->reg_long_reset = random_period(f);
	pmd->reg_short_reset = random_period(f);
	if (random_once_in(&f->random, 3))
		pmd->reg_ovflsw_thres = random_below(&f->random, 4);
	if (random_once_in(&f->random, 3)) {
		pmd->reg_random_mask = rarely(f, 4) ? any_u64(f) : 0xff;
		pmd->reg_random_seed = random_u64(&f->random);
	}
	if (rarely(f, 8))
		pmd->reg_pad = random_u64(&f->random);
}

void fill_read(struct fuzzer *f, void *element)
{
	pfarg_pmd_t *pmd = element;

	memset(pmd, rarely(f, 4) ? 0xff : 0, sizeof(*pmd));
	pmd->reg_num = random_pmd(f);
	pmd->reg_set = random_set(f);
	pmd->reg_flags = random_once_in(&f->random, 6) ? PFM_REGFL_READ_RESET : 0;
}

void fill_set(struct fuzzer *f, void *element)
{
	static const __u32 methods[] = {
		0, PFM_SETFL_OVFL_SWITCH, PFM_SETFL_TIME_SWITCH, PFM_SETFL_TIME_SWITCH,
	};
	pfarg_setdesc_t *set = element;

	memset(set, 0, sizeof(*set));
	set->set_id = random_set(f);
	set->set_flags = random_of(&f->random, methods);
	if (random_once_in(&f->random, 8)) {
		set->set_flags |= PFM_SETFL_EXPL_NEXT;
		set->set_id_next = random_set(f);
	}
	if (random_once_in(&f->random, 8))
		set->set_flags |= PFM_SETFL_EXCL_IDLE;
	if (rarely(f, 16))
		set->set_flags |= PFM_SETFL_EXCL_KERNEL_ONLY_THREADS;
	if (set->set_flags & PFM_SETFL_TIME_SWITCH)
		set->set_timeout.tv_nsec = 1 + random_below(&f->random, 2000000);
	if (rarely(f, 20)) {
		set->set_timeout.tv_sec = any_u64(f);
		set->set_timeout.tv_nsec = any_u64(f);
	}
}

void fill_deletion(struct fuzzer *f, void *element)
{
	pfarg_setdesc_t *set = element;

	fill_set(f, set);
	if (!rarely(f, 8))
		set->set_flags = 0;
	if (!set->set_id)
		set->set_id = 1 + random_below(&f->random, 3);
}

void fill_setinfo(struct fuzzer *f, void *element)
{
	pfarg_setinfo_t *info = element;

	memset(info, rarely(f, 4) ? 0xff : 0, sizeof(*info));
	info->set_id = random_set(f);
	info->set_flags = 0;
}

void fill_start(struct fuzzer *f, void *element)
{
	((pfarg_start_t *)element)->start_set = random_set(f);
}

void fill_load(struct fuzzer *f, void *element)
{
	pfarg_load_t *load = element;

	memset(load, 0, sizeof(*load));
	load->load_pid = target_pick(f);
	load->load_set = random_once_in(&f->random, 3) ? random_set(f) : 0;
	if (rarely(f, 8))
		load->load_pad = random_u64(&f->random);
}

static void fill_info(struct fuzzer *f, pfarg_pmcinfo_t *info, __u16 number)
{
	memset(info, rarely(f, 4) ? 0xff : 0, sizeof(*info));
	info->reg_num = number;
	info->reg_flags = rarely(f, 20) ? random_u64(&f->random) : 0;
}

void fill_pmcinfo(struct fuzzer *f, void *element)
{
	fill_info(f, element, random_pmc(f));
}

/* The same structure under another name. */
void fill_pmdinfo(struct fuzzer *f, void *element)
{
	fill_info(f, element, random_pmd(f));
}

void fill_config(struct fuzzer *f, void *element)
{
	pfarg_config_t *config = element;

	*config = machine.config;
	if (random_once_in(&f->random, 2))
		config->cf_smpl_buf_size_max = PAGE << random_below(&f->random, 8);
	if (random_once_in(&f->random, 4))
		config->cf_arg_size_max = PAGE << random_below(&f->random, 5);
	if (rarely(f, 10))
		config->cf_sys_gid = random_below(&f->random, 3);
	if (rarely(f, 20))
		config->cf_thread_gid = random_below(&f->random, 3);
}

static uint64_t random_buffer(struct fuzzer *f)
{
	if (rarely(f, 16))
		return any_u64(f);
	return random_once_in(&f->random, 3) ? 200 + random_below(&f->random, 65536) : PAGE;
}

void fill_default_arg(struct fuzzer *f, void *memory)
{
	pfm_default_smpl_arg_t arg = { .buf_size = random_buffer(f) };

	if (random_once_in(&f->random, 4))
		arg.buf_flags = 1 + random_below(&f->random, f->sane ? 2 : 4);
	if (rarely(f, 16))
		arg.buf_pad = random_u64(&f->random);
	memcpy(memory, &arg, sizeof(arg));
}

void fill_ring_arg(struct fuzzer *f, void *memory)
{
	pfm_ring_smpl_arg_t arg = {
		.ring_part_size = random_buffer(f) & ~7ULL,
		.ring_parts = 2 + random_below(&f->random, 6),
		.ring_flags = random_below(&f->random, 4),
	};

	if (rarely(f, 16))
		arg.ring_part_size = any_u64(f);
	if (rarely(f, 16))
		arg.ring_parts = random_u64(&f->random);
	if (rarely(f, 16))
		arg.ring_flags = random_u64(&f->random);
	memcpy(memory, &arg, sizeof(arg));
}

/* With more than one sum do_look() could take the header for the default format's. */
void fill_hist_arg(struct fuzzer *f, void *memory)
{
	pfm_hist_smpl_arg_t arg = {
		.buf_size = random_buffer(f),
		.buf_flags = random_below(&f->random, 4),
		.buf_ip_shift = random_below(&f->random, 65),
		.buf_num_values = random_below(&f->random, 2),
	};

	if (rarely(f, 16))
		arg.buf_flags = random_u64(&f->random);
	if (rarely(f, 16))
		arg.buf_ip_shift = random_u64(&f->random);
	if (rarely(f, 16))
		arg.buf_num_values = PFM_HIST_SMPL_MAX_VALUES + 1 + random_below(&f->random, 9);
	memcpy(memory, &arg, sizeof(arg));
}

void fill_stack_arg(struct fuzzer *f, void *memory)
{
	pfm_stack_smpl_arg_t arg = {
		.buf_size = random_buffer(f),
		.buf_flags = 1 + random_below(&f->random, 3),
		.buf_depth = 1 + random_below(&f->random, PFM_STACK_SMPL_MAX_DEPTH),
	};

	if (rarely(f, 16))
		arg.buf_flags = random_u64(&f->random);
	if (rarely(f, 16))
		arg.buf_depth = random_u64(&f->random);
	if (rarely(f, 16))
		arg.buf_pad = random_u64(&f->random);
	memcpy(memory, &arg, sizeof(arg));
}

void fill_branch_arg(struct fuzzer *f, void *memory)
{
	pfm_branch_smpl_arg_t arg = {
		.buf_size = random_buffer(f),
		.buf_depth = 1 + random_below(&f->random, PFM_BRANCH_SMPL_MAX_DEPTH),
	};

	if (rarely(f, 16))
		arg.buf_flags = random_u64(&f->random);
	if (rarely(f, 16))
		arg.buf_depth = random_u64(&f->random);
	if (rarely(f, 16))
		arg.buf_pad = random_u64(&f->random);
	memcpy(memory, &arg, sizeof(arg));
}

void fill_compact_arg(struct fuzzer *f, void *memory)
{
	pfm_compact_smpl_arg_t arg = {
		.buf_size = random_buffer(f),
		.buf_block_size = random_once_in(&f->random, 2) ? PFM_COMPACT_SMPL_BLOCK_SIZE :
				  8 * random_below(&f->random, 512),
	};

	if (rarely(f, 16))
		arg.buf_block_size = random_u64(&f->random);
	if (rarely(f, 16))
		arg.buf_flags = random_u64(&f->random);
	memcpy(memory, &arg, sizeof(arg));
}

void fill_ibs_arg(struct fuzzer *f, void *memory)
{
	pfm_ibs_smpl_arg_t arg = { .buf_size = random_buffer(f) };

	if (rarely(f, 16))
		arg.buf_flags = random_u64(&f->random);
	if (rarely(f, 16))
		arg.buf_pad = random_u64(&f->random);
	memcpy(memory, &arg, sizeof(arg));
}

/* Every combination of control bits, and errors, as a faulty format may return them. */
void fill_probe_arg(struct fuzzer *f, void *memory)
{
	pfm_probe_arg_t arg = { .buf_size = random_buffer(f) };

	arg.handler_ctrl = random_below(&f->random, 16);
	arg.handler_ctrl_at = random_below(&f->random, 8);
	arg.handler_ctrl_else = random_below(&f->random, 16);
	arg.restart_ctrl = random_below(&f->random, 16);
	if (random_once_in(&f->random, 6)) {
		arg.handler_error = EIO;
		arg.handler_error_at = random_below(&f->random, 8);
	}
	if (random_once_in(&f->random, 6))
		arg.restart_error = EIO;
	if (rarely(f, 8))
		arg.validate_error = EIO;
	if (rarely(f, 8))
		arg.getsize_error = EIO;
	if (rarely(f, 8))
		arg.init_error = EIO;
	if (rarely(f, 16))
		arg.buf_size = 0;
	memcpy(memory, &arg, sizeof(arg));
}

void fill_context(struct fuzzer *f, void *element, size_t *size)
{
	static const __u32 flags[] = {
		0, 0, 0, PFM_FL_NOTIFY_BLOCK, PFM_FL_OVFL_NO_MSG,
		PFM_FL_NOTIFY_BLOCK | PFM_FL_OVFL_NO_MSG,
	};
	pfarg_ctx_t *context = element;
	unsigned char *format_arg = (unsigned char *)(context + 1);
	unsigned int i;

	memset(context, 0, sizeof(*context) + FORMAT_ARG_MAX);
	*size = sizeof(*context);
	context->ctx_fd = -1;
	if (random_below(&f->random, 8) < world->plan.system_wide)
		context->ctx_flags = PFM_FL_SYSTEM_WIDE;
	else
		context->ctx_flags = random_of(&f->random, flags);
	if (random_once_in(&f->random, 2))
		context->ctx_flags |= PFM_FL_EXTRA_MSG;
	if (rarely(f, 30))
		context->ctx_flags |= random_scaled(&f->random);
	if (!machine.num_formats || random_once_in(&f->random, 3))
		return;
	/* The first format is the default one. */
	i = random_once_in(&f->random, 2) ? 0 : random_below(&f->random, machine.num_formats);
	memcpy(context->ctx_smpl_buf_id, machine.formats[i].uuid, sizeof(pfm_uuid_t));
	if (machine.formats[i].fill)
		machine.formats[i].fill(f, format_arg);
	*size += machine.formats[i].arg_size;
	if (rarely(f, 30))
		mutate(f, context->ctx_smpl_buf_id, sizeof(pfm_uuid_t));
}
