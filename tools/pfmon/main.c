// SPDX-License-Identifier: GPL-2.0
/* pfmon: count and sample hardware events through perfmonctl(). See pfmon(1). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "classic/classic.h"
#include "lib/perfmon_lib.h"
#include "run/child.h"
#include "util.h"
#include "verbs.h"

static const char usage[] =
	"usage: pfmon VERB [ARG...]\n"
	"\n"
	"  stat      count events of a command, a process, a thread or whole CPUs\n"
	"  record    sample a command into a file\n"
	"  report    show where the samples of a file are\n"
	"  annotate  show the code of a function, with the samples of each instruction\n"
	"  top       show where programs are, again and again\n"
	"  diff      show how two files of samples differ\n"
	"  script    show each sample, as perf script does\n"
	"  export    write samples for perf, browsers and pprof\n"
	"  list      show the events of this CPU\n"
	"  info      show the PMU and what you may do; the registers of any PMU\n"
	"  test      are the figures of known programs right on this machine?\n"
	"  help      this text; `pfmon VERB --help` for one verb\n"
	"\n"
	"For example:\n"
	"  pfmon stat -- gzip -k file\n"
	"  pfmon stat -e instructions:u,branches:u -- python3 -c 'print(1)'\n"
	"  pfmon record -e instructions:u -c 100000 -- gzip -k file\n"
	"  pfmon list 'MEM_*'\n"
	"\n"
	"See pfmon(1). Without a verb pfmon 3's options are taken: pfmon-from-pfmon3(7).\n";

/* Names with the program's in front: getopt_long() begins its messages with them. */
#define PREFIX	"pfmon "
#define VERB(name, run)	{ PREFIX name, run }

static const struct verb {
	const char	*name;
	int		(*run)(int argc, char **argv);
} verbs[] = {
	VERB("stat", verb_stat),
	VERB("record", verb_record),
	VERB("report", verb_report),
	VERB("annotate", verb_annotate),
	VERB("top", verb_top),
	VERB("diff", verb_diff),
	VERB("script", verb_script),
	VERB("export", verb_export),
	VERB("list", verb_list),
	VERB("info", verb_info),
	VERB("test", verb_test),
};

static const struct verb *find_verb(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT(verbs); i++)
		if (!strcmp(verbs[i].name + strlen(PREFIX), name))
			return &verbs[i];
	complain("there is no verb '%s'; `pfmon help` shows them", name);
	return NULL;
}

static int run_verb(const char *name, int argc, char **argv)
{
	const struct verb *verb = find_verb(name);

	if (!verb)
		return EXIT_PFMON;
	argv[0] = (char *)verb->name;
	return verb->run(argc, argv);
}

/* A command line without a verb: that of pfmon 3. */
static int run_classic(int argc, char **argv)
{
	struct strings verb = { NULL, 0, 0 };
	int status = EXIT_PFMON;
	char *name;

	if (classic_to_verb(argc, argv, &verb)) {
		name = verb.text[0]; /* run_verb() replaces it */
		if (strcmp(name, "help"))
			status = run_verb(name, (int)verb.n, verb.text);
		else
			status = fputs(usage, stdout) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
		verb.text[0] = name;
	}
	strings_free(&verb);
	return status;
}

/*
 * A standard descriptor that is closed would be given to the next file that is opened,
 * and messages would go there. The command finds it closed, as pfmon did. Writing
 * to standard output fails then, as it should.
 */
static void fill_standard_descriptors(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (fd != STDOUT_FILENO)
			continue;
		close(fd);
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/*
 * Flush the output; a failure is an error. Verbs that check themselves have reported it,
 * and lost the buffered text.
 */
static int finish_output(int status)
{
	const bool flushed = !fflush(stdout);
	const int error = errno;

	if (flushed && (!ferror(stdout) || status))
		return status;
	complain("cannot write the standard output: %s",
		 flushed ? "a part of it is lost" : strerror(error));
	return status ? status : EXIT_FAILURE;
}

static int run(int argc, char **argv)
{
	char help[] = "--help";

	if (argc < 2) {
		fputs(usage, stderr);
		return EXIT_PFMON;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("pfmon %s, perfmon interface %d.%d\n", perfmon_version(), PFM_VERSION_MAJ,
		       PFM_VERSION_MIN);
		return EXIT_SUCCESS;
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		if (argc > 2 && argv[2][0] != '-')
			return run_verb(argv[2], 2, (char *[]){ NULL, help, NULL });
		fputs(usage, stdout);
		return EXIT_SUCCESS;
	}
	if (argv[1][0] == '-')
		return run_classic(argc, argv);
	return run_verb(argv[1], argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	out_of_memory = complain_of_memory;
	child_keep_environment();
	fill_standard_descriptors();
	return finish_output(run(argc, argv));
}
