// SPDX-License-Identifier: GPL-2.0
/* The fuzzer's output: trails of the threads' operations, violations, counts. */
#include "calls.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct trail *trail_new(const char *name)
{
	unsigned int i = __atomic_fetch_add(&world->next_trail, 1, __ATOMIC_SEQ_CST);
	struct trail *trail = &world->trails[i % MAX_TRAILS];

	memset(trail, 0, sizeof(*trail));
	snprintf(trail->name, sizeof(trail->name), "%s", name);
	return trail;
}

void note(struct fuzzer *f, const char *format, ...)
{
	struct trail *trail = f->trail;
	char *text = trail->text[trail->next++ % TRAIL_LENGTH];
	va_list args;
	int used;

	used = snprintf(text, sizeof(trail->text[0]), "%u: ", f->operation);
	va_start(args, format);
	vsnprintf(text + used, sizeof(trail->text[0]) - used, format, args);
	va_end(args);
	if (world->verbose)
		dprintf(STDOUT_FILENO, "%s[%d] %s\n", trail->name, f->tid, text);
}

static void add_trail(const struct trail *trail)
{
	unsigned int i;

	fprintf(stderr, "  the last that thread %s did:\n", trail->name);
	for (i = trail->next; i != trail->next + TRAIL_LENGTH; i++)
		if (trail->text[i % TRAIL_LENGTH][0])
			fprintf(stderr, "    %s\n", trail->text[i % TRAIL_LENGTH]);
}

/* The first violation counts; later ones may be its consequence. */
void violation(struct fuzzer *f, const char *format, ...)
{
	char text[sizeof(world->failure)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!exchange(&world->failed, 1)) {
		memcpy(world->failure, text, sizeof(text));
		if (f)
			add_trail(f->trail);
	}
	store_release(&world->over, 1);
}

void report_failure(void)
{
	fprintf(stderr, "fuzz: seed %llu: %s\n", (unsigned long long)world->plan.seed,
		world->failure);
	fprintf(stderr, "fuzz: to repeat it: make fuzz SEED=%llu\n",
		(unsigned long long)world->plan.seed);
}

static void report_command(const struct command *c)
{
	const uint64_t *ended = world->ended[c->cmd];
	unsigned int error;

	printf("  %-16s %9llu made %9llu succeeded", c->stem,
	       (unsigned long long)world->made[c->cmd], (unsigned long long)ended[0]);
	for (error = 1; error < MAX_ERRNO; error++)
		if (ended[error])
			printf(" %s %llu", strerrorname_np(error), (unsigned long long)ended[error]);
	putchar('\n');
}

void report_counts(void)
{
	uint64_t made = 0, passed = 0;
	const struct command *c;
	unsigned int i;

	for_each_command(c) {
		made += world->made[c->cmd];
		passed += world->ended[c->cmd][0];
		report_command(c);
	}
	for (i = 0; world->verbose && operation_name(i); i++)
		printf("  %-16s %9llu times\n", operation_name(i),
		       (unsigned long long)world->done[i]);
	printf("  %llu commands, %llu succeeded; %llu messages read (%llu of overflows, "
	       "%llu ends, %llu throttled), %llu signals, %llu samples seen\n",
	       (unsigned long long)made, (unsigned long long)passed,
	       (unsigned long long)world->messages[0],
	       (unsigned long long)world->messages[PFM_MSG_OVFL],
	       (unsigned long long)world->messages[PFM_MSG_END],
	       (unsigned long long)world->messages[PFM_MSG_THROTTLE],
	       (unsigned long long)world->signals, (unsigned long long)world->samples);
	fflush(stdout);
}
