// SPDX-License-Identifier: GPL-2.0
/*
 * samples [-g] PERIOD EVENT,... COMMAND [ARG...] - where a command is each time that the first
 * event has happened PERIOD times, as it runs: the time, the CPU, the address, the other events'
 * values; with -g the callers at user level as well, if the command has frame pointers. Its
 * first thread alone: pfmon record follows them all.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon_events.h>

/* A child that becomes the command as soon as something is written to *@go. */
static pid_t start(char **command, int *go)
{
	int link[2];
	pid_t pid;
	char c;

	pid = pipe(link) ? -1 : fork();
	if (pid < 0)
		err(1, "cannot start a process");
	if (pid) {
		close(link[0]);
		*go = link[1];
		return pid;
	}
	close(link[1]);
	if (read(link[0], &c, 1) != 1)
		_exit(125);
	close(link[0]);
	execvp(command[0], command);
	err(127, "%s", command[0]);
}

static void print_callers(struct perfmon_session *session)
{
	struct perfmon_chain chain;
	unsigned int i;

	if (perfmon_sample_chain(session, &chain))
		errx(1, "%s", perfmon_error());
	for (i = 1; i < chain.nuser; i++)
		printf(" <- %#" PRIx64, chain.user[i]);
}

static void print(struct perfmon_session *session, const struct perfmon_sample *sample,
		  bool callers)
{
	unsigned int i;

	printf("%" PRIu64 " %u %#" PRIx64, sample->time, sample->cpu, sample->ip);
	for (i = 0; i < sample->nvalues; i++)
		printf(" %" PRIu64, sample->values[i]);
	if (callers)
		print_callers(session);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct perfmon_session *session;
	struct perfmon_ledger ledger;
	struct perfmon_sample sample;
	struct perfmon_event_list *events;
	PERFMON_OPTS(perfmon_sample_opts, opts);
	bool callers;
	int go, more;
	pid_t pid;

	callers = argc > 1 && !strcmp(argv[1], "-g");
	argv += callers;
	argc -= callers;
	if (argc < 4)
		errx(2, "usage: samples [-g] PERIOD EVENT,... COMMAND [ARG...]");
	opts.period = strtoull(argv[1], NULL, 0);
	opts.chain_depth = callers ? 32 : 0;
	events = perfmon_events(argv[2]);
	pid = start(argv + 3, &go);
	session = perfmon_sample_open(events, pid, &opts);
	if (!session || perfmon_session_start(session))
		errx(1, "%s\n%s", perfmon_error(), perfmon_error_hint());
	if (write(go, "", 1) != 1)
		err(1, "cannot start %s", argv[3]);
	while ((more = perfmon_sample_next(session, &sample, -1)) == 1)
		print(session, &sample, callers);
	if (more)
		errx(1, "%s", perfmon_error());
	if (!perfmon_sample_ledger(session, &ledger))
		fprintf(stderr, "%" PRIu64 " samples, %" PRIu64 " lost\n", ledger.recorded,
			ledger.lost);
	perfmon_session_close(session);
	perfmon_events_free(events);
	waitpid(pid, NULL, 0);
	return 0;
}
