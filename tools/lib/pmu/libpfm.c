// SPDX-License-Identifier: GPL-2.0
/*
 * libpfm4 as pfmon uses it: the core PMU of the present CPU alone, encodings for the
 * hardware rather than for perf_events, and its events and attributes in turn.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/core_types.h"
#include "pmu/libpfm.h"
#include "pmu/libpfm_calls.h"

static const struct libpfm_calls *calls;
static pfm_pmu_t core = PFM_PMU_NONE;	/* the present CPU's */
static pfm_pmu_info_t core_info;

/* The interface knows the size of its structs from the caller. */
static bool pmu_info(pfm_pmu_t id, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return calls->get_pmu_info(id, info) == PFM_SUCCESS;
}

static bool event_info(int id, pfm_event_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return calls->get_event_info(id, PFM_OS_NONE, info) == PFM_SUCCESS;
}

/*
 * libpfm4 knows some CPUs by an old name as well, under which it finds no events; only the
 * description shows that.
 */
static bool is_old_name(const pfm_pmu_info_t *info)
{
	return strstr(info->desc, "deprecated") != NULL;
}

/* The types of cores of a hybrid processor have different events and names. */
static bool is_of_all_cores(pfm_pmu_t id)
{
	struct core_types types;

	return id == PFM_PMU_INTEL_X86_ARCH || getenv("LIBPFM_FORCE_PMU") ||
	       !core_types_read(&types);
}

bool libpfm_load(struct problem *why)
{
	calls = libpfm_calls(why);
	return calls;
}

bool libpfm_open(struct libpfm_pmu *pmu, struct problem *why)
{
	pfm_pmu_info_t info;
	int error, id;

	if (!libpfm_load(why))
		return false;
	error = calls->initialize();
	if (error != PFM_SUCCESS)
		return problem(why, "libpfm4 does not start: %s", calls->strerror(error));

	pfm_for_all_pmus(id) {
		/* Most of Intel's CPUs have the architectural PMU as well, and a better one. */
		if (core != PFM_PMU_NONE && core != PFM_PMU_INTEL_X86_ARCH)
			break;
		if (!pmu_info((pfm_pmu_t)id, &info) || !info.is_present ||
		    info.type != PFM_PMU_TYPE_CORE || is_old_name(&info) ||
		    !is_of_all_cores((pfm_pmu_t)id))
			continue;
		core = (pfm_pmu_t)id;
		core_info = info;
	}
	if (core == PFM_PMU_NONE) {
		problem(why, "libpfm4 has no event names for this CPU");
		return problem_hint(why, "Raw values can be counted: -e pmcN=0x... (see pfmon-stat(1), `pfmon info`).");
	}
	pmu->name = core_info.name;
	pmu->desc = core_info.desc;
	pmu->nevents = core_info.nevents;
	return true;
}

static enum encode_result classify(int error)
{
	switch (error) {
	case PFM_SUCCESS:
		return ENCODE_OK;
	case PFM_ERR_NOTFOUND:
		return ENCODE_NO_EVENT;
	case PFM_ERR_UMASK:
		return ENCODE_UMASK;
	case PFM_ERR_ATTR:
		return ENCODE_ATTR;
	default:
		return ENCODE_OTHER;
	}
}

/*
 * libpfm4 searches the PMU of one type of cores, if it knows that, and not the common one.
 * To be freed.
 */
static char *qualified(const char *name)
{
	if (core != PFM_PMU_INTEL_X86_ARCH || strstr(name, "::"))
		return xstrdup(name);
	return xasprintf("%s::%s", core_info.name, name);
}

enum encode_result libpfm_encode(const char *name, unsigned int levels,
				 struct libpfm_encoding *encoding)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	pfm_event_info_t info;
	char *full = NULL, *wanted;
	int error, plm = 0;

	memset(encoding, 0, sizeof(*encoding));
	if (core == PFM_PMU_NONE)
		return ENCODE_NO_EVENT;
	if (levels & LEVEL_USER)
		plm |= PFM_PLM3;
	if (levels & LEVEL_KERNEL)
		plm |= PFM_PLM0;

	arg.fstr = &full;
	wanted = qualified(name);
	error = calls->get_os_event_encoding(wanted, plm, PFM_OS_NONE, &arg);
	free(wanted);
	encoding->error = calls->strerror(error);
	if (error == PFM_SUCCESS) {
		if (!event_info(arg.idx, &info) || info.pmu != core)
			error = PFM_ERR_NOTFOUND;
		else if (arg.count > 0)
			encoding->encoding.code = arg.codes[0];
		if (arg.count > 1) {
			encoding->extra = arg.codes[1];
			encoding->has_extra = true;
		}
		snprintf(encoding->encoding.full, sizeof(encoding->encoding.full), "%s",
			 full ? full : name);
	}
	free(full);
	free(arg.codes);
	return classify(error);
}

static void fill_event(const pfm_event_info_t *info, struct libpfm_item *event)
{
	memset(event, 0, sizeof(*event));
	event->name = info->name;
	event->desc = info->desc;
	event->id = info->idx;
	event->nattrs = info->nattrs;
}

bool libpfm_next_event(int id, struct libpfm_item *event)
{
	pfm_event_info_t info;

	if (core == PFM_PMU_NONE)
		return false;
	id = id < 0 ? core_info.first_event : calls->get_event_next(id);
	if (id < 0 || !event_info(id, &info))
		return false;
	fill_event(&info, event);
	return true;
}

bool libpfm_find_event(const char *name, struct libpfm_item *event)
{
	const char *prefix = strstr(name, "::"); /* "nhm::NAME" */
	size_t length;
	int id = -1;

	if (prefix)
		name = prefix + 2;
	length = strcspn(name, ":");
	while (libpfm_next_event(id, event)) {
		if (strlen(event->name) == length && !strncasecmp(event->name, name, length))
			return true;
		id = event->id;
	}
	return false;
}

bool libpfm_attr(const struct libpfm_item *event, int n, struct libpfm_item *attr)
{
	pfm_event_attr_info_t info = { .size = sizeof(info) };

	if (calls->get_event_attr_info(event->id, n, PFM_OS_NONE, &info) != PFM_SUCCESS)
		return false;
	memset(attr, 0, sizeof(*attr));
	attr->name = info.name;
	attr->desc = info.desc;
	attr->id = n;
	attr->is_umask = info.type == PFM_ATTR_UMASK;
	attr->is_default = info.is_dfl;
	return true;
}
