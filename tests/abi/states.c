// SPDX-License-Identifier: GPL-2.0
/*
 * Every command in every state: its result, and the state that follows. One table for all kinds of
 * contexts.
 */
#include "sampling.h"
#include "system.h"

enum state {
	UNLOADED,
	LOADED,		/* not started */
	STARTED,
	MASKED,		/* started */
	STOPPED,	/* masked, and stopped afterwards */
	STATES,
	SAME = STATES,	/* as a next state: unchanged */
};

static const char * const state_names[] = { "unloaded", "loaded", "started", "masked",
					    "masked and stopped" };

/* The commands, with an argument that is valid for a context of any state. */
static int write_pmcs(int fd)
{
	return try_write_pmc(fd, 2, 0);
}

static int write_pmds(int fd)
{
	return try_write_pmd(fd, 2, 0);
}

static int read_pmds(int fd)
{
	pfarg_pmd_t pmd = { .reg_num = 0 };

	return perfmonctl(fd, PFM_READ_PMDS, &pmd, 1);
}

static int read_virtual(int fd)
{
	pfarg_pmd_t pmd = { .reg_num = PFM_PMD_CPU };

	return perfmonctl(fd, PFM_READ_PMDS, &pmd, 1);
}

static int create_evtset(int fd)
{
	return try_create_set(fd, (pfarg_setdesc_t){ .set_id = 5 });
}

static int modify_evtset(int fd)
{
	return try_create_set(fd, (pfarg_setdesc_t){ .set_id = 0 });
}

/* Set 3 exists in every context of this file. */
static int delete_evtset(int fd)
{
	return try_delete_set(fd, 3);
}

static int getinfo_evtset(int fd)
{
	return try_get_set(fd, 3);
}

static int start_set_0(int fd)
{
	return try_start_set(fd, 0);
}

static pid_t target;	/* of the contexts made below */

static int load_target(int fd)
{
	return try_load(fd, target);
}

static int getinfo_pmcs(int fd)
{
	pfarg_pmcinfo_t info = { .reg_num = 0 };

	return perfmonctl(fd, PFM_GETINFO_PMCS, &info, 1);
}

static int getinfo_pmds(int fd)
{
	pfarg_pmdinfo_t info = { .reg_num = 0 };

	return perfmonctl(fd, PFM_GETINFO_PMDS, &info, 1);
}

static int get_configuration(int fd)
{
	pfarg_config_t config;

	return perfmonctl(fd, PFM_GET_CONFIG, &config, 1);
}

static int set_configuration(int fd)
{
	pfarg_config_t config = get_config();

	return perfmonctl(fd, PFM_SET_CONFIG, &config, 1);
}

static int create_another(int fd)
{
	pfarg_ctx_t ctx = { .ctx_fd = -1 };
	int ret = perfmonctl(fd, PFM_CREATE_CONTEXT, &ctx, 1);

	if (!ret)
		close(ctx.ctx_fd);
	return ret;
}

/* The result of a command in each state: an errno or 0, and the next state. */
static const struct row {
	const char	*name;
	int		(*run)(int fd);
	struct { int error; enum state next; } in[STATES];
} table[] = {
#define ANY		{ { 0, SAME }, { 0, SAME }, { 0, SAME }, { 0, SAME }, { 0, SAME } }
#define UNLOADED_ONLY	{ { 0, SAME }, { EBUSY, SAME }, { EBUSY, SAME }, { EBUSY, SAME },	\
			  { EBUSY, SAME } }
	{ "PFM_WRITE_PMCS", write_pmcs, ANY },
	{ "PFM_WRITE_PMDS", write_pmds, ANY },
	{ "PFM_READ_PMDS", read_pmds, ANY },
	{ "PFM_READ_PMDS of a virtual register", read_virtual, ANY },
	{ "PFM_CREATE_CONTEXT", create_another, ANY },
	{ "PFM_GETINFO_PMCS", getinfo_pmcs, ANY },
	{ "PFM_GETINFO_PMDS", getinfo_pmds, ANY },
	{ "PFM_GET_CONFIG", get_configuration, ANY },
	{ "PFM_SET_CONFIG", set_configuration, ANY },
	{ "PFM_GETINFO_EVTSETS", getinfo_evtset, ANY },
	{ "PFM_CREATE_EVTSETS", create_evtset, UNLOADED_ONLY },
	{ "PFM_CREATE_EVTSETS of an old set", modify_evtset, UNLOADED_ONLY },
	{ "PFM_DELETE_EVTSETS", delete_evtset, UNLOADED_ONLY },
	{ "PFM_LOAD_CONTEXT", load_target,
	  { { 0, LOADED }, { EBUSY, SAME }, { EBUSY, SAME }, { EBUSY, SAME }, { EBUSY, SAME } } },
	{ "PFM_UNLOAD_CONTEXT", try_unload,
	  { { EBUSY, SAME }, { 0, UNLOADED }, { 0, UNLOADED }, { 0, UNLOADED },
	    { 0, UNLOADED } } },
	{ "PFM_START", try_start,
	  { { EBUSY, SAME }, { 0, STARTED }, { 0, SAME }, { 0, SAME }, { 0, MASKED } } },
	{ "PFM_START of a set", start_set_0,
	  { { EBUSY, SAME }, { 0, STARTED }, { 0, SAME }, { 0, SAME }, { 0, MASKED } } },
	{ "PFM_STOP", try_stop,
	  { { EBUSY, SAME }, { 0, SAME }, { 0, LOADED }, { 0, STOPPED }, { 0, SAME } } },
	{ "PFM_RESTART", try_restart,
	  { { EBUSY, SAME }, { 0, SAME }, { 0, SAME }, { 0, STARTED }, { 0, LOADED } } },
};

/* Kinds of contexts: their creation, and the task that they monitor. */
struct kind {
	const char	*name;
	__u32		flags;
	bool		format;
	bool		child;	/* monitors a child that loops; otherwise, ourselves */
};

static const struct kind kinds[] = {
	{ "self-monitoring", 0, false, false },
	{ "self-monitoring with a format", 0, true, false },
	{ "self-monitoring without messages", PFM_FL_OVFL_NO_MSG, false, false },
	{ "monitoring another thread", 0, false, true },
	{ "monitoring another thread with a format", 0, true, true },
	{ "blocking another thread", PFM_FL_NOTIFY_BLOCK, false, true },
	{ "system-wide", PFM_FL_SYSTEM_WIDE, false, false },
	{ "system-wide with a format", PFM_FL_SYSTEM_WIDE, true, false },
};

static void loop_for_ever(void *unused)
{
	(void)unused;
	for (;;)
		loop(1000);
}

/* Register 1 counts; if it does not, monitoring is not active. */
static bool is_counting(int fd, const struct kind *kind)
{
	__u64 before = read_pmd(fd, 1);
	int i;

	if (!kind->child) {
		loop(1000);
		return read_pmd(fd, 1) != before;
	}
	for (i = 0; i < 5; i++) {
		sleep_ms(1);
		if (read_pmd(fd, 1) != before)
			return true;
	}
	return false;
}

/* One overflow, at once. */
static void overflow(int fd, const struct kind *kind)
{
	write_pmd(fd, 0, -1000);
	if (!kind->child)
		loop(2000);
	WAIT_UNTIL(is_masked(fd));
}

/* The default format's smallest buffer is full with one sample. */
static int create_kind(const struct kind *kind)
{
	int fd;

	if (kind->format)
		fd = try_create_smpl(kind->flags, HDR_SIZE + largest_sample(0), 0);
	else
		fd = try_create(kind->flags);
	CHECK_OK(fd);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 3 });
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1ULL << 40 });
	count_up(fd, 0, 1);
	return fd;
}

static void bring_to(int fd, const struct kind *kind, enum state state)
{
	if (state == UNLOADED)
		return;
	load(fd, target);
	if (state == LOADED)
		return;
	start(fd);
	if (state == STARTED)
		return;
	overflow(fd, kind);
	if (state == STOPPED)
		stop(fd);
}

/* At the end the state is visible in fdinfo, in the counts, and in the effect of a restart. */
static void check_is(int fd, const struct kind *kind, enum state state, const char *after)
{
	static const char * const names[] = { "unloaded", "loaded", "loaded", "masked", "masked" };
	bool counting = is_counting(fd, kind);
	char value[64];

	read_fdinfo(fd, "state", value, sizeof(value));
	if (strcmp(value, names[state]) || counting != (state == STARTED))
		FAIL("%s: after %s it is %s and %s, should be %s", kind->name, after, value,
		     counting ? "counts" : "does not count", state_names[state]);
	if (state != MASKED && state != STOPPED)
		return;
	restart(fd);
	if (is_counting(fd, kind) != (state == MASKED))
		FAIL("%s: after %s and a restart it %s", kind->name, after,
		     state == MASKED ? "does not count" : "counts");
}

static void try_in(const struct kind *kind, const struct row *row, enum state state)
{
	enum state next = row->in[state].next;
	int fd = create_kind(kind), error;

	target = kind->child ? spawn_without(fd, loop_for_ever, NULL) : gettid();
	bring_to(fd, kind, state);
	errno = 0;
	error = row->run(fd) ? errno : 0;
	if (error != row->in[state].error)
		FAIL("%s: %s when %s: %s, should be %s", kind->name, row->name,
		     state_names[state], test_errno_name(error),
		     test_errno_name(row->in[state].error));
	check_is(fd, kind, next == SAME ? state : next, row->name);
	CHECK_OK(close(fd));
	if (kind->child)
		kill_child(target);
}

static void try_all(const struct kind *kind)
{
	size_t i;
	int state;

	need_pmu();
	pin(0);
	for (i = 0; i < ARRAY_SIZE(table); i++)
		for (state = 0; state < STATES; state++)
			try_in(kind, &table[i], state);
}

/* covers: 3.1.4-31 3.1.5-7 3.1.6-4 3.1.8-4 3.1.9-4 3.1.12-23 D.7-1 D.7-2 D.7-3 D.7-4 */
TEST_LIMIT(all_commands_in_all_states_when_self_monitoring, 60)
{
	try_all(&kinds[0]);
	try_all(&kinds[2]);
}

/* covers: 3.1.9-6 D.7-1 */
TEST_LIMIT(all_commands_in_all_states_when_self_monitoring_with_a_format, 60)
{
	try_all(&kinds[1]);
}

/* covers: D.7-1 */
TEST_LIMIT(all_commands_in_all_states_when_monitoring_another_thread, 120)
{
	try_all(&kinds[3]);
}

/* covers: 3.1.9-21 D.7-1 */
TEST_LIMIT(all_commands_in_all_states_when_monitoring_another_thread_with_a_format, 120)
{
	try_all(&kinds[4]);
}

/* covers: 3.1.9-11 D.7-1 */
TEST_LIMIT(all_commands_in_all_states_when_blocking_another_thread, 120)
{
	try_all(&kinds[5]);
}

/* covers: 3.1.9-19 D.7-1 */
TEST_LIMIT(all_commands_in_all_states_when_system_wide, 60)
{
	try_all(&kinds[6]);
	try_all(&kinds[7]);
}

/*
 * Two commands in a row, from every state: no effect of the first one appears with the second one
 * only.
 */
static enum state after(const struct row *row, enum state state)
{
	return row->in[state].next == SAME ? state : row->in[state].next;
}

/* covers: D.7-1 */
TEST_LIMIT(all_pairs_of_commands_that_change_the_state, 120)
{
	const struct kind *kind = &kinds[0];
	const struct row *first, *second;
	int state, fd, error;

	need_pmu();
	pin(0);
	for (state = 0; state < STATES; state++) {
		for (first = &table[13]; first < table + ARRAY_SIZE(table); first++) {
			for (second = &table[13]; second < table + ARRAY_SIZE(table); second++) {
				enum state middle = after(first, state);

				fd = create_kind(kind);
				target = gettid();
				bring_to(fd, kind, state);
				first->run(fd);
				errno = 0;
				error = second->run(fd) ? errno : 0;
				if (error != second->in[middle].error)
					FAIL("%s, %s, %s: %s", state_names[state], first->name,
					     second->name, test_errno_name(error));
				check_is(fd, kind, after(second, middle), second->name);
				CHECK_OK(close(fd));
			}
		}
	}
}

/* After the end of its thread, a context is not loaded. */
/* covers: 3.3.6-10 D.7-1 */
TEST(all_commands_after_the_end_of_the_thread)
{
	const struct kind *kind = &kinds[3];
	const struct row *row;
	pid_t pid;
	int fd, error;

	need_pmu();
	for (row = table; row < table + ARRAY_SIZE(table); row++) {
		fd = create_kind(kind);
		pid = sleeping_child(fd);
		load(fd, pid);
		start(fd);
		kill_child(pid);
		expect_end(fd);
		target = gettid();
		errno = 0;
		error = row->run(fd) ? errno : 0;
		if (error != row->in[UNLOADED].error)
			FAIL("%s: %s", row->name, test_errno_name(error));
		CHECK_OK(close(fd));
	}
}
