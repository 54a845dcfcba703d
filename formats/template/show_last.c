// SPDX-License-Identifier: GPL-2.0
/*
 * show_last PERIOD EVENT COMMAND [ARG...] - run a command, with a sample each time that the event
 * has happened PERIOD times, and print the addresses of the last 16.
 *
 * A tool for the format in this directory: the context is created with the format's UUID and
 * argument, and its buffer is mapped and read. Everything else is as with any other format.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon_events.h>
#include <perfmon_lib.h>
#include "last_smpl.h"

/* A child that becomes the command as soon as something is written to *@go. */
static pid_t prepare(char **command, int *go)
{
	int ends[2];
	pid_t pid;
	char c;

	if (pipe(ends))
		err(1, "pipe");
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		close(ends[1]);
		if (read(ends[0], &c, 1) == 1)
			execvp(command[0], command);
		err(127, "%s", command[0]);
	}
	close(ends[0]);
	*go = ends[1];
	return pid;
}

/* A context with the format, for an event of which there is a sample each @period times. */
static const struct last_smpl_buffer *open_last(const struct perfmon_event_list *events,
						unsigned long long period, int *fd)
{
	struct {
		pfarg_ctx_t		ctx;
		struct last_smpl_arg	arg;
	} last = { .ctx.ctx_smpl_buf_id = LAST_SMPL_UUID, .arg.places = 16 };
	int npmcs, npmds;
	const pfarg_pmc_t *chosen = perfmon_events_pmcs(events, &npmcs);
	pfarg_pmd_t pmd = *perfmon_events_pmds(events, &npmds);
	pfarg_pmc_t pmcs[16];

	/* The kernel writes to the array that it gets. */
	if (npmcs > 16)
		errx(1, "the events take more than 16 registers");
	memcpy(pmcs, chosen, npmcs * sizeof(*pmcs));
	/* Counters count up, and overflow: a period is a negative number. */
	pmd.reg_value = -period;
	pmd.reg_short_reset = -period;
	*fd = perfmon_create_context(&last.ctx);
	if (*fd < 0)
		err(1, "no context with the format (is its module loaded?)");
	if (perfmon_write_pmcs(*fd, pmcs, npmcs) || perfmon_write_pmds(*fd, &pmd, 1))
		err(1, "the event cannot be programmed");
	return perfmon_map_buffer(*fd, last.ctx.ctx_smpl_buf_size);
}

int main(int argc, char **argv)
{
	const struct last_smpl_buffer *buffer;
	struct perfmon_event_list *events;
	unsigned long long i, count;
	int fd, go, status;
	pid_t pid;

	if (argc < 4)
		errx(2, "usage: show_last PERIOD EVENT COMMAND [ARG...]");
	events = perfmon_events(argv[2]);
	if (!events)
		errx(1, "%s", perfmon_error());
	pid = prepare(argv + 3, &go);
	buffer = open_last(events, strtoull(argv[1], NULL, 0), &fd);
	if (!buffer || perfmon_load(fd, pid) || perfmon_start(fd))
		err(1, "the command cannot be monitored");
	if (write(go, "", 1) != 1 || waitpid(pid, &status, 0) != pid)
		err(1, "%s", argv[3]);

	count = __atomic_load_n(&buffer->count, __ATOMIC_ACQUIRE);
	printf("%llu samples, the last ones:\n", count);
	for (i = count > buffer->places ? count - buffer->places : 0; i < count; i++)
		printf("%#llx\n", buffer->ip[i % buffer->places]);
	perfmon_close(fd);
	perfmon_events_free(events);
	return 0;
}
