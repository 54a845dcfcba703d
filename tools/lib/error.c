// SPDX-License-Identifier: GPL-2.0
/* Errors of perfmonctl() in words. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "perfmon_lib.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/*
 * The commands, and for those with vectors the name and size of an element.
 * Registers all begin with reg_num and hold reg_flags at offset 4, and so do sets with
 * set_id and set_flags.
 */
#define SET	"set"

static const struct command {
	int		cmd;
	const char	*name;
	const char	*element;
	size_t		size;
} commands[] = {
	{ PFM_WRITE_PMCS, "PFM_WRITE_PMCS", "PMC", sizeof(pfarg_pmc_t) },
	{ PFM_WRITE_PMDS, "PFM_WRITE_PMDS", "PMD", sizeof(pfarg_pmd_t) },
	{ PFM_READ_PMDS, "PFM_READ_PMDS", "PMD", sizeof(pfarg_pmd_t) },
	{ PFM_STOP, "PFM_STOP", NULL, 0 },
	{ PFM_START, "PFM_START", NULL, 0 },
	{ PFM_CREATE_CONTEXT, "PFM_CREATE_CONTEXT", NULL, 0 },
	{ PFM_RESTART, "PFM_RESTART", NULL, 0 },
	{ PFM_LOAD_CONTEXT, "PFM_LOAD_CONTEXT", NULL, 0 },
	{ PFM_UNLOAD_CONTEXT, "PFM_UNLOAD_CONTEXT", NULL, 0 },
	{ PFM_CREATE_EVTSETS, "PFM_CREATE_EVTSETS", SET, sizeof(pfarg_setdesc_t) },
	{ PFM_DELETE_EVTSETS, "PFM_DELETE_EVTSETS", SET, sizeof(pfarg_setdesc_t) },
	{ PFM_GETINFO_EVTSETS, "PFM_GETINFO_EVTSETS", SET, sizeof(pfarg_setinfo_t) },
	{ PFM_GETINFO_PMCS, "PFM_GETINFO_PMCS", "PMC", sizeof(pfarg_pmcinfo_t) },
	{ PFM_GETINFO_PMDS, "PFM_GETINFO_PMDS", "PMD", sizeof(pfarg_pmdinfo_t) },
	{ PFM_SET_CONFIG, "PFM_SET_CONFIG", NULL, 0 },
	{ PFM_GET_CONFIG, "PFM_GET_CONFIG", NULL, 0 },
};

/* The meaning of an error; a row without a command is for all the others. */
static const struct reason {
	int		cmd;
	int		error;
	const char	*text;
} reasons[] = {
	{ 0, ENOSYS, "this kernel has no perfmonctl()" },
	{ 0, EBADF, "the descriptor is not a perfmon context" },
	{ 0, EFAULT, "a pointer leads to memory that cannot be read or written" },
	{ 0, E2BIG, "the vector is longer than cf_arg_size_max allows" },
	{ 0, ENOMEM, "not enough memory" },
	{ PFM_CREATE_CONTEXT, EINVAL, "a flag or the sampling format is unknown" },
	{ PFM_CREATE_CONTEXT, EPERM, "this user may not create this kind of context" },
	{ PFM_CREATE_CONTEXT, EMFILE, "too many open files in this process" },
	{ PFM_CREATE_CONTEXT, ENFILE, "too many open files in the system" },
	{ PFM_WRITE_PMCS, EPERM, "this user may not monitor at kernel level" },
	{ PFM_LOAD_CONTEXT, EPERM, "this user may not monitor that thread" },
	{ PFM_LOAD_CONTEXT, ESRCH, "there is no such thread" },
	{ PFM_LOAD_CONTEXT, EINVAL, "the thread or the event set cannot be used" },
	{ PFM_LOAD_CONTEXT, EBUSY, "the context, the thread or the PMU is in use" },
	{ PFM_CREATE_EVTSETS, EINVAL, "the event sets are not possible, or this kernel has none" },
	{ PFM_CREATE_EVTSETS, EBUSY, "event sets can only be made while the context is unloaded" },
	{ PFM_DELETE_EVTSETS, EBUSY, "event sets can only be deleted while the context is unloaded" },
	{ PFM_CREATE_EVTSETS, ENOMEM, "the event sets need more memory than this user may lock" },
	{ PFM_SET_CONFIG, EPERM, "only the administrator may change the settings" },
	{ PFM_SET_CONFIG, EINVAL, "a setting is below its minimum" },
	{ 0, EBUSY, "the context is not in a state that allows this" },
	{ 0, EINVAL, "an argument is invalid" },
};

static const struct command *find_command(int cmd)
{
	size_t i;

	for (i = 0; i < COUNT(commands); i++)
		if (commands[i].cmd == cmd)
			return &commands[i];
	return NULL;
}

static const char *find_reason(int cmd, int error)
{
	const char *general = NULL;
	size_t i;

	for (i = 0; i < COUNT(reasons); i++) {
		if (reasons[i].error != error)
			continue;
		if (reasons[i].cmd == cmd)
			return reasons[i].text;
		if (!reasons[i].cmd)
			general = reasons[i].text;
	}
	return general;
}

const char *perfmon_command_name(int cmd)
{
	const struct command *command = find_command(cmd);

	return command ? command->name : NULL;
}

const char *perfmon_reg_type_name(unsigned int type)
{
	static const char *const names[] = {
		[PFM_REG_TYPE_PMC] = "PMC", [PFM_REG_TYPE_PMD] = "PMD",
		[PFM_REG_TYPE_MSR] = "MSR", [PFM_REG_TYPE_SPR] = "SPR",
		[PFM_REG_TYPE_IBR] = "IBR", [PFM_REG_TYPE_DBR] = "DBR",
		[PFM_REG_TYPE_SOFT] = "soft",
	};

	return type < COUNT(names) && names[type] ? names[type] : "?";
}

/* reg_num and reg_flags of element @i, wherever the vector lies. */
static void element_head(const struct command *command, const void *arg, int i,
			 __u16 *num, __u32 *flags)
{
	const char *at = (const char *)arg + (size_t)i * command->size;

	memcpy(num, at, sizeof(*num));
	memcpy(flags, at + 4, sizeof(*flags));
}

int perfmon_bad_element(int cmd, const void *arg, int narg)
{
	const struct command *command = find_command(cmd);
	__u32 flags;
	__u16 num;
	int i;

	if (!command || !command->size || !arg)
		return -1;
	for (i = 0; i < narg; i++) {
		element_head(command, arg, i, &num, &flags);
		if (PFM_REG_HAS_ERROR(flags))
			return i;
	}
	return -1;
}

static const char *flag_text(const struct command *command, __u32 flags, int error)
{
	if (!strcmp(command->element, SET))
		return flags & PFM_SET_RETFL_NOSET ?
			       "no such event set (PFM_SET_RETFL_NOSET)" :
			       "a flag, the timeout or the set itself is invalid (PFM_SET_RETFL_EINVAL)";
	if (flags & PFM_REG_RETFL_NOTAVAIL)
		return "no such register (PFM_REG_RETFL_NOTAVAIL)";
	if (flags & PFM_REG_RETFL_NOSET)
		return "no such event set (PFM_REG_RETFL_NOSET)";
	if (error == EPERM)
		return "the value asks for kernel-level monitoring, which this user may not do"
		       " (PFM_REG_RETFL_EINVAL)";
	return "the value or a flag is invalid (PFM_REG_RETFL_EINVAL)";
}

char *perfmon_describe_error(char *buf, size_t size, int cmd, int error,
			     const void *arg, int narg)
{
	const struct command *command = find_command(cmd);
	const int bad = perfmon_bad_element(cmd, arg, narg);
	const char *name = command ? command->name : "perfmonctl";
	const char *reason = find_reason(cmd, error);
	const struct perfmon_last_error *refusal = perfmon_last_error(error);
	__u32 flags;
	__u16 num;

	if (refusal) {
		snprintf(buf, size, "%s: %s", name, refusal->what);
	} else if (command && bad >= 0) {
		element_head(command, arg, bad, &num, &flags);
		snprintf(buf, size, "%s: element %d (%s%u): %s", name, bad,
			 command->element, (unsigned int)num, flag_text(command, flags, error));
	} else if (reason) {
		snprintf(buf, size, "%s: %s (%s)", name, reason, strerror(error));
	} else {
		snprintf(buf, size, "%s: %s", name, strerror(error));
	}
	return buf;
}
