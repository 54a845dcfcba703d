// SPDX-License-Identifier: GPL-2.0
/*
 * The trace events: one for each event of a context, with its fields, and none while they are
 * disabled.
 */
#include "preempt.h"
#include "sampling.h"

#define TRACEFS	"/sys/kernel/tracing/"
#define ENABLE	TRACEFS "events/perfmon/enable"

/* A line of the trace: the event's name, and its fields. */
struct event_line {
	char	name[32];
	char	fields[224];
};

static struct event_line lines[8192];
static size_t n_lines;

/* They are disabled for the next program, however a test ends. */
static pid_t tracing_of;

__attribute__((destructor)) static void stop_tracing(void)
{
	if (tracing_of == getpid())
		try_write_file(ENABLE, "0");
}

static void begin_trace(void)
{
	if (access(ENABLE, F_OK))
		FAIL("%s: %s", ENABLE, strerror(errno));
	tracing_of = getpid();
	write_file(ENABLE, "0");
	write_file(TRACEFS "buffer_size_kb", "4096");
	/* To open the file for writing truncates it, which empties the buffer. */
	CHECK_OK(close(open(TRACEFS "trace", O_WRONLY | O_TRUNC | O_CLOEXEC)));
	write_file(ENABLE, "1");
}

/* COMMAND-PID [CPU] FLAGS TIME: NAME: FIELDS */
static void take_line(const char *text)
{
	const char *name = strstr(text, ": pfm_"), *fields;
	struct event_line *line = &lines[n_lines];

	if (!name)
		return;
	name += 2;
	fields = strchr(name, ':');
	if (!fields || n_lines == ARRAY_SIZE(lines))
		FAIL("a strange line, or one too many: %s", text);
	snprintf(line->name, sizeof(line->name), "%.*s", (int)(fields - name), name);
	snprintf(line->fields, sizeof(line->fields), "%s", fields + 1);
	line->fields[strcspn(line->fields, "\n")] = '\0';
	n_lines++;
}

static void end_trace(void)
{
	char text[512];
	FILE *file;

	write_file(ENABLE, "0");
	file = fopen(TRACEFS "trace", "re");
	if (!file)
		FAIL("the trace: %s", strerror(errno));
	n_lines = 0;
	while (fgets(text, sizeof(text), file)) {
		if (strstr(text, "LOST"))
			FAIL("the trace's buffer is too small: %s", text);
		take_line(text);
	}
	fclose(file);
}

static size_t count_events(const char *name)
{
	size_t n = 0, i;

	for (i = 0; i < n_lines; i++)
		n += !strcmp(lines[i].name, name);
	return n;
}

/* The event of this name with this number, counted from 0 on. */
static const struct event_line *event(const char *name, size_t number)
{
	size_t i;

	for (i = 0; i < n_lines; i++)
		if (!strcmp(lines[i].name, name) && !number--)
			return &lines[i];
	FAIL("there are %zu events %s", count_events(name), name);
}

static const char *field(const struct event_line *line, const char *name)
{
	char key[32];
	const char *at;

	snprintf(key, sizeof(key), " %s=", name);
	at = strstr(line->fields, key);
	if (!at)
		FAIL("%s has no %s:%s", line->name, name, line->fields);
	return at + strlen(key);
}

static __u64 u64_field(const struct event_line *line, const char *name)
{
	const char *text = field(line, name);
	__u64 value;
	char *end;

	value = *text == '-' ? (__u64)strtoll(text, &end, 0) : strtoull(text, &end, 0);
	if (end == text || (*end && *end != ' '))
		FAIL("%s is no number:%s", name, line->fields);
	return value;
}

static void expect_word(const struct event_line *line, const char *name, const char *word)
{
	const char *text = field(line, name);
	size_t length = strcspn(text, " ");

	if (length != strlen(word) || strncmp(text, word, length))
		FAIL("%s: %s is not %s:%s", line->name, name, word, line->fields);
}

static void expect_target(const struct event_line *line, pid_t pid, int cpu)
{
	CHECK_EQ(u64_field(line, "pid"), pid);
	CHECK_EQ(u64_field(line, "cpu"), cpu);
}

static void expect_traced_message(const struct event_line *line, const char *type, __u64 pmds,
				  bool lost)
{
	expect_word(line, "type", type);
	CHECK_EQ(u64_field(line, "set"), 0);
	CHECK_EQ(u64_field(line, "pmds"), pmds);
	CHECK_EQ(u64_field(line, "lost"), lost);
}

/* The trace has exactly these events, in this order. */
static void expect_order(const char * const *names, size_t n)
{
	size_t i;

	for (i = 0; i < n && i < n_lines; i++)
		CHECK_STREQ(lines[i].name, names[i]);
	CHECK_EQ(n_lines, n);
}

static void load_start_stop_unload(int fd)
{
	load_self(fd);
	start(fd);
	start(fd);
	stop(fd);
	stop(fd);
	unload(fd);
}

static const char * const a_session[] = { "pfm_load", "pfm_start", "pfm_stop", "pfm_unload" };

/* covers: D.11-1 */
TEST(a_session_is_traced_from_load_to_unload)
{
	int fd = create(0);
	size_t i;

	begin_trace();
	load_start_stop_unload(fd);
	end_trace();
	expect_order(a_session, ARRAY_SIZE(a_session));
	for (i = 0; i < n_lines; i++) {
		expect_target(&lines[i], gettid(), -1);
		CHECK_EQ(u64_field(&lines[i], "ctx"), u64_field(&lines[0], "ctx"));
		CHECK_EQ(u64_field(&lines[i], "set"), 0);
	}
}

/* covers: D.11-1 */
TEST(a_system_wide_session_is_that_of_its_cpu)
{
	int fd = create(PFM_FL_SYSTEM_WIDE), cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1;
	size_t i;

	pin(cpu);
	begin_trace();
	load_start_stop_unload(fd);
	end_trace();
	expect_order(a_session, ARRAY_SIZE(a_session));
	for (i = 0; i < n_lines; i++)
		expect_target(&lines[i], -1, cpu);
}

/* covers: D.11-1 */
TEST(nothing_is_traced_while_the_events_are_disabled)
{
	int fd = create(0);

	begin_trace();
	write_file(ENABLE, "0");
	load_start_stop_unload(fd);
	end_trace();
	CHECK_EQ(n_lines, 0);
}

/* covers: D.11-2 */
TEST(a_context_keeps_its_number_and_shares_it_with_none)
{
	int first = create(0), second = create(0);

	begin_trace();
	load_start_stop_unload(first);
	load_start_stop_unload(second);
	CHECK_OK(close(second));
	second = create(0);
	load_start_stop_unload(second);
	load_start_stop_unload(first);
	end_trace();
	CHECK_EQ(count_events("pfm_load"), 4);
	CHECK_EQ(u64_field(event("pfm_load", 3), "ctx"), u64_field(event("pfm_load", 0), "ctx"));
	CHECK_NE(u64_field(event("pfm_load", 1), "ctx"), u64_field(event("pfm_load", 0), "ctx"));
	CHECK_NE(u64_field(event("pfm_load", 2), "ctx"), u64_field(event("pfm_load", 1), "ctx"));
}

/* covers: D.11-1 */
TEST(the_set_that_a_session_starts_with_is_traced)
{
	int fd = create(0);

	create_set(fd, (pfarg_setdesc_t){ .set_id = 3 });
	create_set(fd, (pfarg_setdesc_t){ .set_id = 65535 });
	begin_trace();
	CHECK_OK(try_load_set(fd, gettid(), 3));
	start_set(fd, 65535);
	start_set(fd, 0);
	stop(fd);
	end_trace();
	CHECK_EQ(u64_field(event("pfm_load", 0), "set"), 3);
	CHECK_EQ(u64_field(event("pfm_start", 0), "set"), 65535);
	CHECK_EQ(u64_field(event("pfm_start", 1), "set"), 0);
	CHECK_EQ(u64_field(event("pfm_stop", 0), "set"), 0);
}

/* covers: D.11-1 D.11-4 */
TEST(the_end_of_a_thread_is_an_unload_and_a_message)
{
	static const char * const names[] = { "pfm_load", "pfm_unload", "pfm_message" };
	int fd = create(0);
	pid_t pid = sleeping_child(fd);

	begin_trace();
	load(fd, pid);
	kill_child(pid);
	expect_end(fd);
	end_trace();
	expect_order(names, ARRAY_SIZE(names));
	expect_target(&lines[0], pid, -1);
	expect_target(&lines[1], pid, -1);
	expect_traced_message(&lines[2], "end", 0, false);
	CHECK_EQ(u64_field(&lines[2], "ctx"), u64_field(&lines[0], "ctx"));
}

/* Each sample's overflow, in order, and the address that each has interrupted. */
static void sample_rounds(void)
{
	struct buffer buffer = create_buffer(0, 1 << 20, 0);
	const struct event_line *line;
	__u64 first, i;

	program(buffer.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1001 });
	load_self(buffer.fd);
	begin_trace();
	first = start_rounds_stop(buffer.fd, 5000);
	end_trace();
	CHECK_GE(buffer.hdr->hdr_count, 30);
	CHECK_EQ(count_events("pfm_overflow"), buffer.hdr->hdr_count);
	CHECK_EQ(count_events("pfm_overflow"), ledger(buffer.fd, "overflows"));
	for (i = 0; i < buffer.hdr->hdr_count; i++) {
		line = event("pfm_overflow", i);
		expect_target(line, gettid(), -1);
		CHECK_EQ(u64_field(line, "set"), 0);
		CHECK_EQ(u64_field(line, "pmds"), BIT_ULL(0));
		CHECK_EQ(u64_field(line, "throttled"), 0);
		CHECK_EQ(u64_field(line, "ip"), entry_at(&buffer, i, 0)->ip);
		CHECK_EQ(u64_field(line, "ip"), expected_ip(first, (i + 1) * 1001));
	}
}

/* covers: D.11-3 */
TEST(each_overflow_is_an_event_that_says_where)
{
	need_pmu();
	sample_rounds();
}

/* covers: D.11-3 */
TEST(counters_that_overflow_together_are_one_event)
{
	int fd;

	need_pmu();
	fd = create(0);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1000 });
	program(fd, (struct event){ .reg = 2, .period = 1000 });
	load_self(fd);
	begin_trace();
	start_loop_stop(fd, 700);
	end_trace();
	CHECK_EQ(count_events("pfm_overflow"), 1);
	CHECK_EQ(u64_field(event("pfm_overflow", 0), "pmds"), BIT_ULL(0) | BIT_ULL(2));
	expect_overflow(fd, 0, BIT_ULL(0) | BIT_ULL(2));
}

/* Without a format the queue holds 8 messages. */
/* covers: D.11-4 */
TEST(each_message_is_an_event_and_so_is_a_lost_one)
{
	int fd = notifying_context(0, 1000), i;
	pfm_msg_t msg;

	begin_trace();
	start(fd);
	for (i = 0; i < 10; i++) {
		loop(1000);
		restart(fd);
	}
	stop(fd);
	end_trace();
	CHECK_EQ(count_events("pfm_message"), count_events("pfm_overflow"));
	CHECK_EQ(count_events("pfm_message"), 10);
	for (i = 0; i < 10; i++)
		expect_traced_message(event("pfm_message", i), "overflow", BIT_ULL(0), i >= 8);
	for (i = 0; i < 8; i++)
		expect_overflow(fd, 0, BIT_ULL(0));
	CHECK_ERRNO(read(fd, &msg, sizeof(msg)), EAGAIN);
}

/* covers: D.11-4 */
TEST(a_suspension_and_its_end_are_messages)
{
	struct subject s;
	__u64 ctx;
	int fd;

	begin_trace();
	s = subject_of(NOBODY);
	fd = take_cpu();
	CHECK_OK(close(fd));
	expect_message(s.fd, PFM_MSG_SUSPEND);
	WAIT_UNTIL(has_message(s.fd));
	end_trace();
	ctx = u64_field(event("pfm_load", 0), "ctx");
	CHECK_EQ(count_events("pfm_message"), 2);
	expect_traced_message(event("pfm_message", 0), "suspend", 0, false);
	expect_traced_message(event("pfm_message", 1), "resume", 0, false);
	CHECK_EQ(u64_field(event("pfm_message", 0), "ctx"), ctx);
	CHECK_EQ(u64_field(event("pfm_message", 1), "ctx"), ctx);
	expect_message(s.fd, PFM_MSG_RESUME);
	subject_end(&s);
}

/* The set switches of a context that began with set 0 and ran through sets 0 to @n - 1. */
static void expect_switches(int fd, size_t n, const char *cause)
{
	const struct event_line *line;
	__u64 all = 0;
	size_t i;

	for (i = 0; i < n; i++)
		all += runs(fd, i);
	/* The load was the first run. */
	CHECK_EQ(count_events("pfm_set_switch"), all - 1);
	for (i = 0; i + 1 < all; i++) {
		line = event("pfm_set_switch", i);
		expect_target(line, gettid(), -1);
		CHECK_EQ(u64_field(line, "old_set"), i % n);
		CHECK_EQ(u64_field(line, "new_set"), (i + 1) % n);
		expect_word(line, "cause", cause);
	}
}

/* covers: D.11-5 */
TEST(a_set_whose_time_is_up_is_left_for_that)
{
	int fd = create_counting(general, 0), set;

	for (set = 0; set < 3; set++)
		create_timed_set(fd, set, NS_PER_MS);
	load_self(fd);
	begin_trace();
	start(fd);
	while (runs(fd, 0) <= 3)
		loop(100000);
	stop(fd);
	end_trace();
	expect_switches(fd, 3, "time");
}

static void trigger(int fd, __u16 set)
{
	program(fd, (struct event){ .set = set, .reg = 0, .period = 1000, .threshold = 2 });
}

/* covers: D.11-5 */
TEST(a_set_is_left_after_overflows_for_that)
{
	int fd, set;

	need_pmu();
	fd = create(0);
	for (set = 0; set < 3; set++) {
		create_trigger_set(fd, set);
		trigger(fd, set);
	}
	load_self(fd);
	begin_trace();
	start_loop_stop(fd, 10500);
	end_trace();
	CHECK_GE(count_events("pfm_set_switch"), 10);
	CHECK_EQ(count_events("pfm_overflow") / 2, count_events("pfm_set_switch"));
	expect_switches(fd, 3, "overflow");
}

/* covers: D.11-5 */
TEST(a_switch_that_waits_for_the_restart_says_so)
{
	int fd;

	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 0);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1000, .threshold = 1 });
	load_self(fd);
	begin_trace();
	start(fd);
	loop(1000);
	check_state(fd, "masked");
	restart(fd);
	stop(fd);
	end_trace();
	CHECK_EQ(count_events("pfm_set_switch"), 1);
	expect_word(event("pfm_set_switch", 0), "cause", "restart");
	CHECK_EQ(u64_field(event("pfm_overflow", 0), "set"), 0);
	CHECK_EQ(u64_field(event("pfm_stop", 0), "set"), 1);
}

/* From a begin to the next end, the last begin has the time that was set for the end. */
static void expect_throttling(void)
{
	__u64 until = 0;
	size_t i;

	for (i = 0; i < n_lines; i++) {
		if (!strcmp(lines[i].name, "pfm_throttle_begin")) {
			CHECK(u64_field(&lines[i], "until") > until);
			CHECK_GE(u64_field(&lines[i], "interrupts"), 1);
			until = u64_field(&lines[i], "until");
		} else if (!strcmp(lines[i].name, "pfm_throttle_end")) {
			CHECK_EQ(u64_field(&lines[i], "until"), until);
		}
	}
}

static void trace_storm(void *unused)
{
	struct buffer buffer = create_buffer(PFM_FL_EXTRA_MSG, 1 << 20, 0);
	__u64 throttled = 0, seen = 0;
	size_t i;

	(void)unused;
	pin(0);
	program(buffer.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 10 });
	load_self(buffer.fd);
	set_nonblocking(buffer.fd);
	begin_trace();
	start(buffer.fd);
	loop(100000);
	stop(buffer.fd);
	/* Until the end of the throttle. */
	leave_window();
	leave_window();
	end_trace();
	for (i = 0; i < n_lines; i++) {
		if (strcmp(lines[i].name, "pfm_overflow"))
			continue;
		CHECK_EQ(u64_field(&lines[i], "pmds"), BIT_ULL(0));
		throttled += u64_field(&lines[i], "throttled");
		seen += !u64_field(&lines[i], "throttled");
	}
	CHECK_EQ(seen, ledger(buffer.fd, "recorded"));
	CHECK_GE(throttled, 1);
	CHECK_GE(count_events("pfm_throttle_begin"), 1);
	CHECK_GE(count_events("pfm_throttle_end"), 1);
	CHECK_EQ(u64_field(event("pfm_throttle_begin", 0), "cpu"), 0);
	CHECK_EQ(u64_field(event("pfm_throttle_end", 0), "cpu"), 0);
	expect_throttling();
	CHECK_EQ(count_events("pfm_message"), 1);
	expect_traced_message(event("pfm_message", 0), "throttle", BIT_ULL(0), false);
	expect_message(buffer.fd, PFM_MSG_THROTTLE);
}

/* covers: D.11-6 */
TEST(the_throttle_is_traced_from_begin_to_end)
{
	need_pmu();
	with_file(INTERRUPT_RATE_MAX, "10000", trace_storm, NULL);
}
