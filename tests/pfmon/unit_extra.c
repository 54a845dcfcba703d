// SPDX-License-Identifier: GPL-2.0
/*
 * Events that need a value in a second register: the choice of the register, with regard to the
 * other events of the set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness.h"
#include "../../tools/lib/events/assign.h"
#include "../../tools/lib/events/extra.h"
#include "../../tools/lib/events/list.h"
#include "../../tools/lib/events/plan.h"
#include "../../tools/lib/pmu/extra_regs.h"
#include "../../tools/pfmon/info/tables.h"
#include "nehalem.h"

#define OFFCORE_RSP(i)	(17 + (i))	/* the kernel's PMCs */
#define FRONTEND	21

#define READS_0		"OFFCORE_RESPONSE_0:DMND_DATA_RD:ANY_RESPONSE"
#define READS_1		"OFFCORE_RESPONSE_1:DMND_DATA_RD:ANY_RESPONSE"
#define READS		0x10001
#define WRITES_0	"OFFCORE_RESPONSE_0:DMND_RFO:ANY_RESPONSE"
#define WRITES		0x10002
#define CODE_0		"OFFCORE_RESPONSE_0:DMND_CODE_RD:ANY_RESPONSE"
#define CODE		0x10004

static const struct rights all_rights = { .levels = LEVEL_ALL };

static struct problem why;
static struct events events;
static struct plan plan;
static struct pmu pmu;

static void skylake(void)
{
	table_pmu(&pmu, "skylake", "skl");
}

static void add(const char *list)
{
	if (!events_add(&events, &pmu, &all_rights, list, &why))
		FAIL("%s: %s", list, why.what);
}

static void planned(const char *list)
{
	add(list);
	if (!assign_sets(&events, &pmu, &why))
		FAIL("%s", why.what);
	plan_make(&plan, &events, &pmu);
}

/* The value of @pmc in @set; -1: it is not written there. */
static int64_t written(unsigned int set, unsigned int pmc)
{
	int i;

	for (i = 0; i < plan.npmcs; i++)
		if (plan.pmcs[i].reg_set == set && plan.pmcs[i].reg_num == pmc)
			return (int64_t)plan.pmcs[i].reg_value;
	return -1;
}

/* The event and the unit mask that count event @i. */
static uint64_t selected(size_t i)
{
	return (uint64_t)written(events.event[i].set, pmu.counters[events.event[i].counter].pmc) &
	       0xffff;
}

TEST(the_value_is_written_with_the_event)
{
	skylake();
	planned(READS_0);
	CHECK_EQ(plan.npmcs, 2);
	CHECK_EQ(selected(0), 0x01b7);
	CHECK_EQ(written(0, OFFCORE_RSP(0)), READS);
}

TEST(events_have_the_register_that_they_name)
{
	skylake();
	planned(WRITES_0 "," READS_1);
	CHECK_EQ(selected(0), 0x01b7);
	CHECK_EQ(selected(1), 0x01bb);
	CHECK_EQ(written(0, OFFCORE_RSP(0)), WRITES);
	CHECK_EQ(written(0, OFFCORE_RSP(1)), READS);
}

TEST(one_register_serves_all_that_want_its_value)
{
	skylake();
	planned(READS_0 ":u," READS_0 ":k," READS_1);
	CHECK_EQ(plan.nsets, 1);
	CHECK_EQ(plan.npmcs, 4);
	CHECK_EQ(selected(2), 0x01b7);
	CHECK_EQ(written(0, OFFCORE_RSP(0)), READS);
	CHECK_EQ(written(0, OFFCORE_RSP(1)), -1);
}

TEST(a_second_value_goes_to_the_other_register)
{
	skylake();
	planned(READS_0 "," WRITES_0);
	CHECK_EQ(plan.nsets, 1);
	CHECK_EQ(selected(0), 0x01b7);
	CHECK_EQ(selected(1), 0x01bb);
	CHECK_EQ(written(0, OFFCORE_RSP(0)), READS);
	CHECK_EQ(written(0, OFFCORE_RSP(1)), WRITES);
}

TEST(a_third_value_goes_to_another_set)
{
	skylake();
	planned(READS_0 "," WRITES_0 "," CODE_0 "," WRITES_0 ":u");
	CHECK_EQ(plan.nsets, 2);
	CHECK_EQ(events.event[2].set, 1);
	CHECK_EQ(events.event[3].set, 0);
	CHECK_EQ(written(0, OFFCORE_RSP(0)), READS);
	CHECK_EQ(written(0, OFFCORE_RSP(1)), WRITES);
	CHECK_EQ(written(1, OFFCORE_RSP(0)), CODE);
	CHECK_EQ(written(1, OFFCORE_RSP(1)), -1);
	CHECK_EQ(selected(2), 0x01b7);
}

TEST(one_value_too_many_is_named_with_what_is_in_its_way)
{
	skylake();
	add(READS_0 "," WRITES_0 ",branches," CODE_0);
	CHECK(!assign_counters(&events, &pmu, &why));
	CHECK(strstr(why.what, "event " CODE_0 " does not fit: it needs the value 0x10004 in "));
	CHECK(strstr(why.what, "OFFCORE_RSP"));
	CHECK(strstr(why.hint, READS_0 ", " WRITES_0));
	CHECK(!strstr(why.hint, "branches"));
}

TEST(a_group_with_too_many_values_is_refused)
{
	skylake();
	add("{" READS_0 "," WRITES_0 "," CODE_0 "}");
	CHECK(!assign_sets(&events, &pmu, &why));
	CHECK(strstr(why.what, "does not fit into one event set"));
	CHECK(strstr(why.hint, "it needs the value 0x10004"));
}

TEST(front_end_events_share_one_register)
{
	skylake();
	planned("FRONTEND_RETIRED:DSB_MISS,FRONTEND_RETIRED:ITLB_MISS,FRONTEND_RETIRED:DSB_MISS:u");
	CHECK_EQ(plan.nsets, 2);
	CHECK_EQ(selected(0), 0x01c6);
	CHECK_EQ(written(0, FRONTEND), 0x11);
	CHECK_EQ(written(1, FRONTEND), 0x14);
	CHECK_EQ(events.event[2].set, 0);
}

TEST(a_raw_value_keeps_its_register)
{
	skylake();
	planned("pmc17=0x10004," READS_0 "," CODE_0);
	CHECK_EQ(plan.nsets, 1);
	CHECK_EQ(written(0, OFFCORE_RSP(0)), CODE);
	CHECK_EQ(written(0, OFFCORE_RSP(1)), READS);
	CHECK_EQ(selected(0), 0x01bb);
	CHECK_EQ(selected(1), 0x01b7);
	add(WRITES_0);
	CHECK(!assign_counters(&events, &pmu, &why));
	CHECK(strstr(why.hint, "a raw value, " READS_0));
}

TEST(a_raw_value_of_another_set_is_not_in_the_way)
{
	skylake();
	planned("{pmc17=0x10004,branches},{pmc18=0x10004," READS_0 "}");
	CHECK_EQ(plan.nsets, 2);
	CHECK_EQ(written(0, OFFCORE_RSP(0)), CODE);
	CHECK_EQ(written(1, OFFCORE_RSP(0)), READS);
}

TEST(loads_by_latency_are_refused_with_the_reason)
{
	skylake();
	CHECK(!events_add(&events, &pmu, &all_rights, "MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=30", &why));
	CHECK(strstr(why.what, "PEBS"));
	nehalem_pmu(&pmu);
	CHECK(!events_add(&events, &pmu, &all_rights, "MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD", &why));
}

TEST(a_register_without_the_bits_is_no_choice)
{
	const uint64_t latency = 1ULL << 38 | READS; /* in the first register only */
	struct encoding encoding = { .code = 0x5302b7 };

	table_pmu(&pmu, "knl", "knl");
	CHECK(extra_regs_find(&pmu, "x", &latency, &encoding, &why));
	CHECK_EQ(encoding.extra.n, 1);
	CHECK_EQ(encoding.extra.choice[0].pmc, OFFCORE_RSP(0));
	CHECK_EQ(encoding.code, 0x5301b7);
}

TEST(bits_that_no_register_has_are_named)
{
	const uint64_t value = 1ULL << 60 | READS;
	struct encoding encoding = { .code = 0x5301b7 };

	skylake();
	CHECK(!extra_regs_find(&pmu, "x", &value, &encoding, &why));
	CHECK_STREQ(why.what, "event x: the bits 0x1000000000000000 of MSR_OFFCORE_RSP_0 (PMC17) cannot be set on this PMU");
}

TEST(a_second_word_that_is_not_known_is_refused)
{
	const uint64_t value = 1;
	struct encoding encoding = { .code = 0x5301c4 };

	skylake();
	CHECK(!extra_regs_find(&pmu, "x", &value, &encoding, &why));
	CHECK(strstr(why.what, "a second register that pfmon does not know"));
	CHECK(extra_regs_find(&pmu, "x", NULL, &encoding, &why));
	CHECK_EQ(encoding.extra.n, 0);
}

TEST(sapphire_rapids_has_codes_of_its_own)
{
	table_pmu(&pmu, "sapphirerapids", "spr");
	planned("OCR:DEMAND_CODE_RD_ANY_RESPONSE,OCR:DEMAND_DATA_RD_ANY_RESPONSE,EXE:AMX_BUSY");
	CHECK_EQ(selected(0), 0x012a);
	CHECK_EQ(selected(1), 0x012b);
	CHECK_EQ(selected(2), 0x02b7);
	CHECK_EQ(written(0, OFFCORE_RSP(0)), CODE);
	CHECK_EQ(written(0, OFFCORE_RSP(1)), READS);
	CHECK_EQ(plan.npmcs, 5);
}

TEST(values_that_libpfm4_has_for_unit_masks_are_put_right)
{
	table_pmu(&pmu, "sapphirerapids", "spr");
	planned("UOPS_RETIRED:MS,INT_MISC:UNKNOWN_BRANCH_CYCLES");
	CHECK_EQ(plan.nsets, 2);
	CHECK_EQ(selected(0), 0x04c2);
	CHECK_EQ(selected(1), 0x40ad);
	CHECK_EQ(written(0, FRONTEND), 0x8);
	CHECK_EQ(written(1, FRONTEND), 0x7);
}

TEST(either_code_has_the_same_counters)
{
	static const char *const models[][2] = { { "westmere", "wsm" }, { "haswell", "hsw" },
						 { "skylake", "skl" }, { "icelake", "icl" } };
	size_t i;

	for (i = 0; i < COUNT(models); i++) {
		CHECK(table_read(&pmu, models[i][0], &why));
		snprintf(pmu.events, sizeof(pmu.events), "%s", models[i][1]);
		CHECK_EQ(pmu.arch->event_counters(&pmu, 0x5301b7),
			 pmu.arch->event_counters(&pmu, 0x5301bb));
	}
}

TEST(raw_events_take_a_value_by_perfs_names)
{
	skylake();
	planned("cpu/event=0xb7,umask=1,offcore_rsp=0x10001/u,cpu/event=0xc6,umask=1,frontend=0x14/,"
		"cpu/config=0x1bb,config1=0x10002/");
	CHECK_EQ(plan.nsets, 1);
	CHECK_EQ(written(0, OFFCORE_RSP(0)), READS);
	CHECK_EQ(written(0, OFFCORE_RSP(1)), WRITES);
	CHECK_EQ(written(0, FRONTEND), 0x14);
	CHECK_STREQ(events.event[0].full, "config=0x1b7,config1=0x10001");
}

TEST(raw_events_without_a_register_take_no_value)
{
	skylake();
	CHECK(!events_add(&events, &pmu, &all_rights, "cpu/event=0xc4,config1=1/", &why));
	CHECK(strstr(why.what, "a second register that pfmon does not know"));
	CHECK(!events_add(&events, &pmu, &all_rights, "cpu/event=0xcd,umask=1,ldlat=30/", &why));
	CHECK(strstr(why.what, "PEBS"));
	amd_pmu(&pmu);
	CHECK(!events_add(&events, &pmu, &all_rights, "cpu/event=0xc4,config1=1/", &why));
}

TEST(the_kernels_name_of_a_model_stands_in_for_libpfm4s)
{
	CHECK(table_read(&pmu, "icelake", &why));
	snprintf(pmu.events, sizeof(pmu.events), "ix86arch");
	planned("cpu/event=0xb7,umask=1,offcore_rsp=0x10001/");
	CHECK_EQ(written(0, OFFCORE_RSP(0)), READS);
}

TEST(a_raw_event_may_have_its_value_in_a_raw_register)
{
	skylake();
	planned("pmc17=0x10002,cpu/event=0xb7,umask=1/");
	CHECK_EQ(written(0, OFFCORE_RSP(0)), WRITES);
	CHECK_EQ(selected(0), 0x01b7);
}

/* True if there is a way to give each of the events i.. a register. */
static bool fits(size_t i, uint64_t *held)
{
	const struct extra *extra = &events.event[i].extra;
	unsigned int c;

	if (i == events.n)
		return true;
	if (!extra->n)
		return fits(i + 1, held);
	for (c = 0; c < extra->n; c++) {
		uint64_t *pmc = &held[extra->choice[c].pmc], before = *pmc;

		if (before && before != extra->value)
			continue;
		*pmc = extra->value;
		if (fits(i + 1, held))
			return true;
		*pmc = before;
	}
	return false;
}

TEST(sharing_agrees_with_trying_everything)
{
	static const size_t member[] = { 0, 1, 2, 3, 4 };
	unsigned int round, fitting = 0, c, i;

	skylake();
	srand(1);
	for (round = 0; round < 3000; round++) {
		uint64_t held[OFFCORE_RSP(2)] = { 0 };
		bool ok;

		while (events.n < COUNT(member)) {
			struct event event = { .name = strdup("e"), .full = strdup("e") };
			const unsigned int first = (unsigned int)rand() % 2;

			event.extra.n = (unsigned int)rand() % 3;
			event.extra.value = 1 + (uint64_t)rand() % 3;
			for (c = 0; c < event.extra.n; c++)
				event.extra.choice[c].pmc = OFFCORE_RSP(first ^ c);
			events_append(&events, &event);
		}
		ok = extra_assign(&events, &pmu, member, events.n, &why);
		CHECK_EQ(ok, fits(0, held));
		fitting += ok;
		memset(held, 0, sizeof(held));
		for (i = 0; ok && i < events.n; i++) {
			const struct event *event = &events.event[i];
			uint64_t *pmc = &held[event->extra_pmc];

			CHECK(!event->extra.n || !*pmc || *pmc == event->extra.value);
			*pmc = event->extra.n ? event->extra.value : *pmc;
		}
		events_free(&events);
	}
	CHECK_GE(fitting, 300); /* the random cases had both results */
	CHECK_LE(fitting, 2700);
}
