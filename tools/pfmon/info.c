// SPDX-License-Identifier: GPL-2.0
/* pfmon info: the PMU, its registers, the limits, and what this user may do. */
#define _GNU_SOURCE
#include <dirent.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "emulated.h"
#include "explain.h"
#include "info.h"
#include "libpfm.h"
#include "session.h"
#include "soft.h"
#include "verbs.h"

static const char usage[] =
	"usage: pfmon info [-j]\n"
	"Show the PMU, its registers and counters, the limits, and what you may do.\n"
	"\n"
	"  -j, --json   one JSON object\n"
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
	DIR *dir = opendir("/sys/kernel/perfmon/formats");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			strings_add(formats, xstrdup(entry->d_name));
	if (dir)
		closedir(dir);
}

/* Those that this kernel has, for its software PMU. */
static void count_soft_events(struct info *info)
{
	const struct soft_event *event;

	info->has_events = true;
	info->events_pmu = info->pmu.model;
	info->events_desc = "of the kernel";
	for (event = soft_events; event->name; event++)
		info->nevents += soft_has(&info->pmu, event);
}

static bool gather(struct info *info, struct problem *why)
{
	struct libpfm_pmu libpfm;

	if (!pmu_read(&info->pmu, why))
		return false;
	info->soft = soft_pmu(&info->pmu);
	info->has_events = !info->soft && libpfm_open(&libpfm, &info->no_events);
	if (info->soft) {
		count_soft_events(info);
	} else if (info->has_events) {
		info->events_pmu = libpfm.name;
		info->events_desc = libpfm.desc;
		info->nevents = libpfm.nevents;
	}
	ask_right(&info->thread, &info->pmu, false);
	ask_right(&info->system_wide, &info->pmu, true);
	list_formats(&info->formats);
	info->emulated = !info->soft && emulated_pmu();
	info->paranoid = paranoid_level();
	info->has_switch_min = !perfmon_sysfs_u64("limits/switch_timeout_min_ns",
						  &info->switch_min_ns);
	info->has_rate_max = !perfmon_sysfs_u64("limits/interrupt_rate_max", &info->rate_max);
	info->has_sessions = !perfmon_sessions(&info->thread_sessions, &info->system_sessions);
	return true;
}

int verb_info(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct problem why = { "", "" };
	struct info info;
	bool json = false, ok;
	int option;

	optind = 0;
	while ((option = getopt_long(argc, argv, "jh", options, NULL)) >= 0) {
		if (option != 'j') {
			fputs(usage, option == 'h' ? stdout : stderr);
			return option == 'h' ? EXIT_SUCCESS : EXIT_FAILURE;
		}
		json = true;
	}
	if (optind < argc) {
		fputs(usage, stderr);
		return EXIT_FAILURE;
	}
	memset(&info, 0, sizeof(info));
	ok = gather(&info, &why);
	if (json)
		info_json(stdout, &info, ok ? NULL : &why);
	else if (ok)
		info_text(stdout, &info);
	if (!ok && !json)
		problem_print(&why);
	strings_free(&info.formats);
	pmu_free(&info.pmu);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
