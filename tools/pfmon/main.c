// SPDX-License-Identifier: GPL-2.0
/* pfmon: count and sample hardware events through perfmonctl(). See pfmon(1). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/perfmon_lib.h"
#include "util.h"
#include "verbs.h"

static const char usage[] =
	"usage: pfmon VERB [ARG...]\n"
	"\n"
	"  stat    count events of a command, a process, a thread or whole CPUs\n"
	"  record  sample a command into a file\n"
	"  report  show where the samples of a file are\n"
	"  list    show the events of this CPU\n"
	"  info    show the PMU and what you may do; the registers of any PMU\n"
	"  test    count and sample known programs: are the figures right on this machine?\n"
	"  help    this text; `pfmon VERB --help` for one verb\n"
	"\n"
	"For example:\n"
	"  pfmon stat -- gzip -k file\n"
	"  pfmon stat -e instructions:u,branches:u -- python3 -c 'print(1)'\n"
	"  pfmon record -e instructions:u -c 100000 -- gzip -k file\n"
	"  pfmon list 'MEM_*'\n"
	"\n"
	"See pfmon(1).\n";

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

/*
 * A standard descriptor that is closed would be given to the next file that is opened,
 * and messages would go there. The command finds it closed, as pfmon did.
 */
static void fill_standard_descriptors(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	char help[] = "--help";

	fill_standard_descriptors();
	if (argc < 2) {
		fputs(usage, stderr);
		return EXIT_PFMON;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("pfmon for perfmon interface %d.%d\n", PFM_VERSION_MAJ, PFM_VERSION_MIN);
		return 0;
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		if (argc > 2)
			return run_verb(argv[2], 2, (char *[]){ NULL, help, NULL });
		fputs(usage, stdout);
		return 0;
	}
	return run_verb(argv[1], argc - 1, argv + 1);
}
