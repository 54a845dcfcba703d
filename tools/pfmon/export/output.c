// SPDX-License-Identifier: GPL-2.0
/*
 * A file that is there as a whole, or not at all: it has another name until it is finished,
 * and a signal that ends pfmon takes it away.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/output.h"

static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE };

/* The name of the file until it is finished; also read when a signal comes. */
static char *volatile temporary;

static void take_away(int number)
{
	if (temporary)
		unlink(temporary);
	raise(number); /* SA_RESETHAND: this ends pfmon */
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = take_away, .sa_flags = (int)SA_RESETHAND };
	struct sigaction old;
	size_t i;

	for (i = 0; i < COUNT(signals); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}

/* Returns the mask to go back to. */
static sigset_t hold_signals(void)
{
	sigset_t held, before;
	size_t i;

	sigemptyset(&held);
	for (i = 0; i < COUNT(signals); i++)
		sigaddset(&held, signals[i]);
	sigprocmask(SIG_BLOCK, &held, &before);
	return before;
}

/* A signal comes before there is a file or when its name is known, not between the two. */
static int create_temporary(const char *target)
{
	const sigset_t before = hold_signals();
	char *name = xasprintf("%s.XXXXXX", target);
	const int fd = mkostemp(name, O_CLOEXEC);

	if (fd < 0) {
		free(name);
	} else {
		temporary = name;
		catch_signals();
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return fd;
}

static void forget_temporary(void)
{
	char *name = temporary;

	temporary = NULL;
	free(name);
}

/* Give the file the mode of a new file: mkostemp() makes one for its owner alone. */
static void give_usual_mode(int fd)
{
	const mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

static bool cannot_write(const char *name, struct problem *why)
{
	return problem(why, "cannot write %s: %s", name, strerror(errno));
}

static bool open_beside(struct output *output, struct problem *why)
{
	const int fd = create_temporary(output->target);

	if (fd < 0)
		return cannot_write(output->name, why);
	give_usual_mode(fd);
	output->file = fdopen(fd, "w");
	return output->file != NULL || cannot_write(output->name, why);
}

bool output_open(struct output *output, const char *name, struct problem *why)
{
	struct stat info;

	memset(output, 0, sizeof(*output));
	output->name = xstrdup(strcmp(name, "-") ? name : "standard output");
	if (!strcmp(name, "-")) {
		output->file = stdout;
		return true;
	}
	if (!stat(name, &info) && !S_ISREG(info.st_mode)) {
		output->file = fopen(name, "we");
		return output->file != NULL || cannot_write(name, why);
	}
	/* Follow symbolic links: they must stay. */
	output->target = realpath(name, NULL) ?: xstrdup(name);
	return open_beside(output, why);
}

static bool finish(struct output *output, struct problem *why)
{
	const bool failed = ferror(output->file);

	if (output->file == stdout) {
		if (fflush(stdout) || failed)
			return cannot_write(output->name, why);
		return true;
	}
	if (fclose(output->file) || failed)
		return cannot_write(output->name, why);
	if (!output->target)
		return true;
	return !rename(temporary, output->target) || cannot_write(output->name, why);
}

bool output_close(struct output *output, bool ok, struct problem *why)
{
	struct problem ignored;

	if (!ok && output->file && output->file != stdout)
		fclose(output->file);
	else if (output->file)
		ok = finish(output, ok ? why : &ignored) && ok;
	if (!ok && output->target && temporary)
		unlink(temporary);
	forget_temporary();
	free(output->target);
	free(output->name);
	return ok;
}
