// SPDX-License-Identifier: GPL-2.0
/* The PMU and its registers, as text. */
#include <string.h>

#include "info/info.h"

static void print_cores(FILE *out, const struct core_types *types)
{
	unsigned int i;

	fprintf(out, "Core types    ");
	for (i = 0; i < types->n; i++)
		fprintf(out, "%s%s: CPUs %s", i ? "; " : "", types->type[i].name,
			types->type[i].cpus);
	fputc('\n', out);
}

static void print_counters(FILE *out, const struct pmu *pmu)
{
	unsigned int fixed = 0, i;

	for (i = 0; i < pmu->ncounters; i++)
		fixed += pmu->counters[i].fixed;
	if (pmu->ncounters && fixed == pmu->ncounters)
		fprintf(out, "Counters      %u, each with its event, %u bits\n", fixed, pmu->width);
	else if (pmu->ncounters)
		fprintf(out, "Counters      %u general, %u fixed, %u bits\n",
			pmu->ncounters - fixed, fixed, pmu->width);
	else if (pmu->npmcs)
		fprintf(out, "Counters      %u bits; pfmon has no events for them\n", pmu->width);
	else
		fprintf(out, "Counters      none\n");
	if (pmu->cores.n)
		print_cores(out, &pmu->cores);
	fprintf(out, "Registers     %zu PMCs, %zu PMDs (--registers shows them)\n", pmu->npmcs,
		pmu->npmds);
}

static void print_group(FILE *out, const char *what, uint32_t gid)
{
	if (gid == PFM_GROUP_ANY)
		fprintf(out, "  %-28s any\n", what);
	else
		fprintf(out, "  %-28s %u\n", what, gid);
}

static void print_right(FILE *out, const char *what, const struct right *right)
{
	const char *hint;
	int length;

	fprintf(out, "  %-28s %s\n", what,
		!right->allowed	    ? "no" :
		right->kernel_level ? "yes, at user and kernel level" :
				      "yes, at user level only");
	if (right->allowed)
		return;
	fprintf(out, "  %-28s (%s)\n", "", right->why.what);
	for (hint = right->why.hint; *hint; hint += length + (hint[length] == '\n')) {
		length = (int)strcspn(hint, "\n");
		fprintf(out, "  %-28s %.*s\n", "", length, hint);
	}
}

static void print_registers(FILE *out, const char *kind, const struct reg *regs, size_t n)
{
	size_t i;

	fprintf(out, "%-7s %-28s %-4s %10s %5s  %18s  %18s\n", kind, "name", "type", "address",
		"width", "default", "reserved");
	for (i = 0; i < n; i++) {
		fprintf(out, "%s%-4u %-28s %-4s ", kind, regs[i].num, regs[i].name,
			perfmon_reg_type_name(regs[i].type));
		if (regs[i].index == PFM_REG_IDX_NONE)
			fprintf(out, "%10s ", "-");
		else
			fprintf(out, "%#10llx ", (unsigned long long)regs[i].index);
		if (regs[i].width)
			fprintf(out, "%5u", regs[i].width);
		else
			fprintf(out, "%5s", "-");
		fprintf(out, "  %#18llx  %#18llx\n", (unsigned long long)regs[i].def_value,
			(unsigned long long)regs[i].rsvd_mask);
	}
}

void info_text_registers(FILE *out, const struct pmu *pmu)
{
	print_registers(out, "PMC", pmu->pmcs, pmu->npmcs);
	fputc('\n', out);
	print_registers(out, "PMD", pmu->pmds, pmu->npmds);
}

void info_text_pmu(FILE *out, const struct pmu *pmu)
{
	fprintf(out, "PMU           %s\n", pmu->model);
	print_counters(out, pmu);
}

void info_text_names(FILE *out, const struct table_name *names)
{
	for (; names->name; names++)
		fprintf(out, "%-16s %s\n", names->name, names->model);
}

static void print_formats(FILE *out, const struct strings *formats)
{
	size_t i;

	fprintf(out, "  %-28s%s", "sampling formats", formats->n ? "" : " none");
	for (i = 0; i < formats->n; i++)
		fprintf(out, " %s", formats->text[i]);
	fputc('\n', out);
}

static const char *backend_text(const char *backend)
{
	if (!strcmp(backend, "perf_events"))
		return "perf_event_open(): see libperfmon(3) for what it cannot do";
	return strcmp(backend, "device") ? "the system call perfmonctl()" : "/dev/perfmon";
}

void info_text(FILE *out, const struct info *info)
{
	const pfarg_config_t *config = &info->pmu.config;

	fprintf(out, "Interface     perfmon %u.%u, by %s\n", PFM_VERSION_MAJOR(config->cf_version),
		PFM_VERSION_MINOR(config->cf_version), backend_text(perfmon_backend()));
	fprintf(out, "PMU           %s%s\n", info->pmu.model[0] ? info->pmu.model : "(unnamed)",
		info->events.emulated ? ", emulated by QEMU: `pfmon list` shows what it models" : "");
	print_counters(out, &info->pmu);
	if (!info->has_events)
		fprintf(out, "Events        none: %s\n", info->no_events.what);
	else if (info->events.libpfm)
		fprintf(out, "Events        %d, %s (libpfm4: %s)\n", info->events.n,
			info->events.desc, info->events.pmu);
	else
		fprintf(out, "Events        %d, %s\n", info->events.n, info->events.desc);

	fputs("\nYou may\n", out);
	print_right(out, "monitor threads", &info->thread);
	print_right(out, "monitor whole CPUs", &info->system_wide);
	fprintf(out, "  %-28s %d\n", "kernel.perf_event_paranoid", info->paranoid);

	fputs("\nLimits\n", out);
	fprintf(out, "  %-28s %llu bytes\n", "vector arguments",
		(unsigned long long)config->cf_arg_size_max);
	fprintf(out, "  %-28s %llu bytes\n", "sampling buffers",
		(unsigned long long)config->cf_smpl_buf_size_max);
	if (info->has_switch_min)
		fprintf(out, "  %-28s %.15g ms\n", "shortest switch timeout",
			(double)info->switch_min_ns * 1e-6);
	if (info->has_rate_max)
		fprintf(out, "  %-28s %llu/s\n", "interrupts of a context",
			(unsigned long long)info->rate_max);
	print_group(out, "group for threads", config->cf_thread_gid);
	print_group(out, "group for whole CPUs", config->cf_sys_gid);

	fputs("\nNow\n", out);
	if (info->has_sessions)
		fprintf(out, "  %-28s %u of threads, %u of CPUs\n", "sessions",
			info->thread_sessions, info->system_sessions);
	print_formats(out, &info->formats);
}
