// SPDX-License-Identifier: GPL-2.0
/* pfmon info: the PMU, the limits, and the rights of this user; or a PMU's registers. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "explain.h"
#include "info/info.h"
#include "info/tables.h"
#include "session/session.h"
#include "util.h"
#include "verbs.h"

static const char usage[] =
	"usage: pfmon info [-jr] [-P NAME]\n"
	"Show the PMU and its counters, the limits, and what you may do; or registers.\n"
	"\n"
	"  -r, --registers   all logical registers, and only them\n"
	"  -P, --pmu NAME    of this PMU, whatever the machine; `list` shows the names\n"
	"  -j, --json        one JSON object\n"
	"\n"
	"See pfmon-info(1).\n";

static void ask_right(struct right *right, const struct pmu *pmu, bool system_wide)
{
	struct rights rights;

	right->allowed = rights_ask(&rights, pmu, system_wide, &right->why);
	right->kernel_level = right->allowed && rights.levels & LEVEL_KERNEL;
}

static void list_formats(struct strings *formats)
{
	const bool kernel = perfmon_in_kernel();
	DIR *dir = kernel ? opendir("/sys/kernel/perfmon/formats") : NULL;
	struct dirent *entry;

	if (!kernel) {
		strings_add(formats, xstrdup("default"));
		strings_add(formats, xstrdup("stack"));
	}
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			strings_add(formats, xstrdup(entry->d_name));
	if (dir)
		closedir(dir);
}

static bool gather(struct info *info, struct problem *why)
{
	if (!pmu_read(&info->pmu, why))
		return false;
	info->has_events = info->pmu.arch->names(&info->pmu, &info->events, &info->no_events);
	ask_right(&info->thread, &info->pmu, false);
	ask_right(&info->system_wide, &info->pmu, true);
	list_formats(&info->formats);
	info->paranoid = paranoid_level();
	info->has_switch_min = !perfmon_sysfs_u64("limits/switch_timeout_min_ns",
						  &info->switch_min_ns);
	info->has_rate_max = !perfmon_sysfs_u64("limits/interrupt_rate_max", &info->rate_max);
	info->has_sessions = !perfmon_sessions(&info->thread_sessions, &info->system_sessions);
	return true;
}

struct request {
	bool		json, registers;
	const char	*pmu;
};

/* This machine. */
static int show_machine(const struct request *request)
{
	struct problem why = { "", "" };
	struct info info;
	bool ok;

	memset(&info, 0, sizeof(info));
	ok = gather(&info, &why);
	if (request->json)
		info_json(stdout, &info, ok ? NULL : &why);
	else if (ok)
		info_text(stdout, &info);
	if (!ok && !request->json)
		problem_print(&why);
	strings_free(&info.formats);
	pmu_free(&info.pmu);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* The registers of this machine's PMU, or the description of any other. */
static int show_pmu(const struct request *request)
{
	struct problem why = { "", "" };
	struct pmu pmu;

	if (!(request->pmu ? table_read(&pmu, request->pmu, &why) : pmu_read(&pmu, &why))) {
		if (request->json && !request->pmu)
			return show_machine(request); /* the object has the reason */
		problem_print(&why);
		return EXIT_FAILURE;
	}
	if (request->json)
		info_json_pmu(stdout, &pmu);
	else if (request->registers)
		info_text_registers(stdout, &pmu);
	else
		info_text_pmu(stdout, &pmu);
	pmu_free(&pmu);
	return EXIT_SUCCESS;
}

static int show_names(const struct request *request)
{
	struct table_name *names = tables_names();

	if (request->json)
		info_json_names(stdout, names);
	else
		info_text_names(stdout, names);
	free(names);
	return EXIT_SUCCESS;
}

static bool take_option(void *data, int option, struct problem *why)
{
	struct request *request = data;

	switch (option) {
	case 'j':
		request->json = true;
		return true;
	case 'r':
		request->registers = true;
		return true;
	case 'P':
		request->pmu = optarg;
		return true;
	default:
		return cmdline_unknown(why, "info");
	}
}

int verb_info(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "registers", no_argument, NULL, 'r' },
		{ "pmu", required_argument, NULL, 'P' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct cmdline cmdline = { "jrP:h", options, take_option };
	struct request request = { false, false, NULL };
	struct problem why = { "", "" };
	bool help;

	if (!cmdline_read(&cmdline, &request, argc, argv, &help, &why)) {
		problem_print(&why);
		return EXIT_FAILURE;
	}
	if (help || optind < argc) {
		fputs(usage, help ? stdout : stderr);
		return help ? EXIT_SUCCESS : EXIT_FAILURE;
	}
	if (request.pmu && !strcmp(request.pmu, "list"))
		return show_names(&request);
	return request.pmu || request.registers ? show_pmu(&request) : show_machine(&request);
}
