// SPDX-License-Identifier: GPL-2.0
/* pfmon-info(1) documents the keys. */
#include <string.h>

#include "info/info.h"
#include "json.h"

static void print_registers(struct json *json, const char *key, const struct reg *regs,
			    size_t n)
{
	char text[32];
	size_t i;

	json_array(json, key);
	for (i = 0; i < n; i++) {
		json_object(json, NULL);
		json_u64(json, "number", regs[i].num);
		json_string(json, "name", regs[i].name);
		json_string(json, "type", perfmon_reg_type_name(regs[i].type));
		if (regs[i].index == PFM_REG_IDX_NONE)
			json_null(json, "address");
		else
			json_u64(json, "address", regs[i].index);
		if (regs[i].width)
			json_u64(json, "width", regs[i].width);
		else
			json_null(json, "width");
		/* As text: JSON's numbers are doubles to most readers, these are 64 bits. */
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)regs[i].def_value);
		json_string(json, "default", text);
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)regs[i].rsvd_mask);
		json_string(json, "reserved", text);
		json_end(json);
	}
	json_end(json);
}

static void print_counters(struct json *json, const struct pmu *pmu)
{
	unsigned int i;

	json_u64(json, "counter_width", pmu->width);
	json_array(json, "counters");
	for (i = 0; i < pmu->ncounters; i++) {
		json_object(json, NULL);
		json_u64(json, "pmd", pmu->counters[i].pmd);
		json_u64(json, "pmc", pmu->counters[i].pmc);
		json_string(json, "kind", pmu->counters[i].fixed ? "fixed" : "general");
		json_end(json);
	}
	json_end(json);
}

static void print_cores(struct json *json, const struct core_types *types)
{
	unsigned int i;

	json_array(json, "core_types");
	for (i = 0; i < types->n; i++) {
		json_object(json, NULL);
		json_string(json, "type", types->type[i].name);
		json_string(json, "cpus", types->type[i].cpus);
		json_end(json);
	}
	json_end(json);
}

static void print_pmu(struct json *json, const struct pmu *pmu)
{
	print_counters(json, pmu);
	print_cores(json, &pmu->cores);
	print_registers(json, "pmcs", pmu->pmcs, pmu->npmcs);
	print_registers(json, "pmds", pmu->pmds, pmu->npmds);
}

void info_json_pmu(FILE *out, const struct pmu *pmu)
{
	struct json json = { .out = out };

	json_object(&json, NULL);
	json_u64(&json, "format", 1);
	json_string(&json, "model", pmu->model);
	print_pmu(&json, pmu);
	json_end(&json);
}

void info_json_names(FILE *out, const struct table_name *names)
{
	struct json json = { .out = out };

	json_object(&json, NULL);
	json_u64(&json, "format", 1);
	json_array(&json, "pmus");
	for (; names->name; names++) {
		json_object(&json, NULL);
		json_string(&json, "name", names->name);
		json_string(&json, "model", names->model);
		json_end(&json);
	}
	json_end(&json);
	json_end(&json);
}

static void print_right(struct json *json, const char *key, const struct right *right)
{
	json_object(json, key);
	json_bool(json, "allowed", right->allowed);
	json_bool(json, "kernel_level", right->kernel_level);
	if (right->allowed) {
		json_null(json, "reason");
		json_null(json, "hint");
	} else {
		json_string(json, "reason", right->why.what);
		json_string(json, "hint", right->why.hint);
	}
	json_end(json);
}

static void print_group(struct json *json, const char *key, uint32_t gid)
{
	if (gid == PFM_GROUP_ANY)
		json_null(json, key);
	else
		json_u64(json, key, gid);
}

static void print_limit(struct json *json, const char *key, bool known, uint64_t value)
{
	if (known)
		json_u64(json, key, value);
	else
		json_null(json, key);
}

static void print_limits(struct json *json, const struct info *info)
{
	const pfarg_config_t *config = &info->pmu.config;

	json_object(json, "limits");
	json_u64(json, "arg_size_max", config->cf_arg_size_max);
	json_u64(json, "smpl_buf_size_max", config->cf_smpl_buf_size_max);
	print_group(json, "thread_gid", config->cf_thread_gid);
	print_group(json, "sys_gid", config->cf_sys_gid);
	print_limit(json, "switch_timeout_min_ns", info->has_switch_min, info->switch_min_ns);
	print_limit(json, "interrupt_rate_max", info->has_rate_max, info->rate_max);
	json_end(json);
}

static void print_now(struct json *json, const struct info *info)
{
	if (info->has_sessions) {
		json_object(json, "sessions");
		json_u64(json, "thread", info->thread_sessions);
		json_u64(json, "system", info->system_sessions);
		json_end(json);
	} else {
		json_null(json, "sessions");
	}
	json_strings(json, "formats", &info->formats);
}

static void print_events(struct json *json, const struct info *info)
{
	if (!info->has_events) {
		json_null(json, "events");
		return;
	}
	json_object(json, "events");
	json_string(json, "pmu", info->events.pmu);
	json_string(json, "description", info->events.desc);
	json_int(json, "number", info->events.n);
	json_end(json);
}

void info_json(FILE *out, const struct info *info, const struct problem *why)
{
	const pfarg_config_t *config = &info->pmu.config;
	struct json json = { .out = out };
	char version[16];

	json_object(&json, NULL);
	json_u64(&json, "format", 1);
	json_bool(&json, "perfmonctl", !why && !strcmp(perfmon_backend(), "perfmonctl"));
	json_string(&json, "backend", perfmon_backend());
	if (why) {
		json_string(&json, "reason", why->what);
		json_string(&json, "hint", why->hint);
		json_end(&json);
		return;
	}
	snprintf(version, sizeof(version), "%u.%u", PFM_VERSION_MAJOR(config->cf_version),
		 PFM_VERSION_MINOR(config->cf_version));
	json_string(&json, "version", version);
	json_string(&json, "model", info->pmu.model);
	json_bool(&json, "emulated", info->events.emulated);
	print_events(&json, info);
	print_pmu(&json, &info->pmu);
	print_limits(&json, info);
	print_now(&json, info);
	json_object(&json, "rights");
	print_right(&json, "thread", &info->thread);
	print_right(&json, "system_wide", &info->system_wide);
	json_int(&json, "paranoid", info->paranoid);
	json_end(&json);
	json_end(&json);
}
