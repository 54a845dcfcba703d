// SPDX-License-Identifier: GPL-2.0
/* The values that a command may leave in its argument, and the possible contents of a message. */
#include "calls.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#define NSEC_PER_SEC	1000000000LL

/* The offset in all structures with return flags, behind two 16-bit members. */
struct flagged {
	__u16	first, second;
	__u32	flags;
};

static_assert(offsetof(pfarg_pmc_t, reg_flags) == offsetof(struct flagged, flags));
static_assert(offsetof(pfarg_pmd_t, reg_flags) == offsetof(struct flagged, flags));
static_assert(offsetof(pfarg_setdesc_t, set_flags) == offsetof(struct flagged, flags));
static_assert(offsetof(pfarg_setinfo_t, set_flags) == offsetof(struct flagged, flags));
static_assert(offsetof(pfarg_pmcinfo_t, reg_flags) == offsetof(struct flagged, flags));
static_assert(offsetof(pfarg_pmdinfo_t, reg_flags) == offsetof(struct flagged, flags));

static bool has_return_flag(const void *element)
{
	return PFM_REG_HAS_ERROR(((const struct flagged *)element)->flags);
}

bool names_pmds(const __u64 *bitvector)
{
	unsigned int i;

	for (i = 0; i < PFM_MAX_PMD_BITVECTOR; i++)
		if (bitvector[i] & ~machine.config.cf_impl_pmds[i])
			return false;
	return true;
}

static bool is_time(const struct __kernel_timespec *time)
{
	return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < NSEC_PER_SEC;
}

static void check_info(struct fuzzer *f, const char *name, unsigned int type)
{
	if (type < PFM_REG_TYPE_PMC || type > PFM_REG_TYPE_SOFT)
		violation(f, "%s: register type %u", name, type);
}

static void check_set_info(struct fuzzer *f, const pfarg_setinfo_t *info)
{
	if (!is_time(&info->set_timeout) || !is_time(&info->set_act_duration))
		violation(f, "getinfo_evtsets: set %u: a time that is none", info->set_id);
	if (!names_pmds(info->set_switch_pmds))
		violation(f, "getinfo_evtsets: set %u: switched by a PMD that is none",
			  info->set_id);
}

/* An element that took effect. */
static void check_element(struct fuzzer *f, const struct call *call, const void *element,
			  const void *was)
{
	const char *name = call->command->stem;
	const pfarg_setdesc_t *set = element;
	const pfarg_pmd_t *pmd = element;

	switch (call->command->cmd) {
	case PFM_WRITE_PMDS:
	case PFM_READ_PMDS:
		if (pmd->reg_pad)
			violation(f, "%s: reg_pad is %#x", name, pmd->reg_pad);
		if (pmd->reg_num != ((const pfarg_pmd_t *)was)->reg_num)
			violation(f, "%s: reg_num has changed", name);
		break;
	case PFM_GETINFO_PMCS:
	case PFM_GETINFO_PMDS:
		check_info(f, name, ((const pfarg_pmcinfo_t *)element)->reg_type);
		break;
	case PFM_GETINFO_EVTSETS:
		check_set_info(f, element);
		break;
	case PFM_CREATE_EVTSETS:
		if ((set->set_flags & PFM_SETFL_TIME_SWITCH) && !is_time(&set->set_timeout))
			violation(f, "%s: a timeout that is none", name);
		break;
	}
}

/*
 * An error stops at the first bad element, which has a return flag; the elements before it took
 * effect, those behind it are untouched. If none has a return flag, no element took effect.
 */
static void check_vector(struct fuzzer *f, const struct call *call, const void *before)
{
	const struct command *command = call->command;
	const unsigned char *after = call->arg;
	size_t size = command->size;
	int i, bad = call->ret ? INT_MAX : call->narg;

	/* Flags that were set before would be taken for flags of the call. */
	for (i = 0; call->ret && i < call->narg; i++)
		if (has_return_flag(before + i * size))
			return;
	for (i = 0; i < call->narg && bad > call->narg; i++)
		if (has_return_flag(after + i * size))
			bad = i;
	/* An error for lack of memory belongs to no element. */
	if (bad == INT_MAX && call->error == ENOMEM)
		return;
	for (i = 0; i < call->narg; i++) {
		const void *element = after + i * size, *was = before + i * size;

		if (i < bad && bad != INT_MAX) {
			if (has_return_flag(element))
				violation(f, "%s succeeded and element %d has a return flag",
					  command->stem, i);
			check_element(f, call, element, was);
		} else if (i != bad && memcmp(element, was, size)) {
			violation(f, "%s failed (%s) and changed element %d, the bad one is %d",
				  command->stem, strerrorname_np(call->error), i, bad);
		}
	}
}

static void check_context(struct fuzzer *f, const pfarg_ctx_t *context)
{
	static const pfm_uuid_t none;
	bool sampling = memcmp(context->ctx_smpl_buf_id, none, sizeof(none));

	if (context->ctx_fd < 0)
		violation(f, "create_context: descriptor %d", context->ctx_fd);
	if (context->ctx_smpl_buf_size % PAGE || (!sampling && context->ctx_smpl_buf_size))
		violation(f, "create_context: a buffer of %llu bytes",
			  (unsigned long long)context->ctx_smpl_buf_size);
}

static void check_config(struct fuzzer *f, const pfarg_config_t *config)
{
	static const __u16 zero[ARRAY_SIZE(config->cf_pad)];

	if (config->cf_version != PFM_VERSION || config->cf_flags ||
	    config->cf_counter_width != machine.config.cf_counter_width ||
	    memcmp(config->cf_impl_pmcs, machine.config.cf_impl_pmcs,
		   sizeof(config->cf_impl_pmcs)) ||
	    memcmp(config->cf_impl_pmds, machine.config.cf_impl_pmds,
		   sizeof(config->cf_impl_pmds)))
		violation(f, "get_config: another machine");
	if (memcmp(config->cf_pad, zero, sizeof(zero)))
		violation(f, "get_config: cf_pad is not zero");
}

void check_call(struct fuzzer *f, const struct call *call, const void *before)
{
	const struct command *command = call->command;

	if (!command->returns || (call->ret && command->args != ARGS_VECTOR)) {
		if (memcmp(call->arg, before, call->size))
			violation(f, "%s changed an argument that is not its to change",
				  command->stem);
	} else if (command->args == ARGS_VECTOR) {
		check_vector(f, call, before);
	} else if (command->cmd == PFM_CREATE_CONTEXT) {
		check_context(f, call->arg);
	} else if (command->cmd == PFM_GET_CONFIG) {
		check_config(f, call->arg);
	}
}

static bool is_zero(const void *memory, size_t size)
{
	const unsigned char *byte = memory;

	while (size && !*byte) {
		byte++;
		size--;
	}
	return !size;
}

static void check_overflow_message(struct fuzzer *f, const pfm_ovfl_msg_t *msg)
{
	unsigned int i;

	if (!names_pmds(msg->msg_ovfl_pmds) ||
	    is_zero(msg->msg_ovfl_pmds, sizeof(msg->msg_ovfl_pmds)))
		violation(f, "an overflow message without PMDs, or of PMDs that are none");
	if (msg->msg_pad)
		violation(f, "an overflow message with msg_pad %#x", msg->msg_pad);
	for (i = PFM_VIRTUAL_PMD; i < PFM_MAX_PMDS; i++)
		if (msg->msg_ovfl_pmds[i / 64] >> i % 64 & 1)
			violation(f, "PMD %u is virtual, and has overflowed", i);
}

void check_messages(struct fuzzer *f, const pfm_msg_t *messages, size_t n)
{
	for (; n; n--, messages++) {
		add_return(&world->messages[0], 1);
		if (messages->msg_type < PFM_MSG_OVFL || messages->msg_type > PFM_MSG_RESUME) {
			violation(f, "a message of type %u", messages->msg_type);
			continue;
		}
		add_return(&world->messages[messages->msg_type], 1);
		if (messages->msg_type == PFM_MSG_OVFL)
			check_overflow_message(f, &messages->pfm_ovfl_msg);
		else if (messages->msg_type == PFM_MSG_END &&
			 !is_zero(&messages->msg_type + 1,
				  sizeof(*messages) - sizeof(messages->msg_type)))
			violation(f, "an end message with further fields");
	}
}
