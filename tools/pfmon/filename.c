// SPDX-License-Identifier: GPL-2.0
/* Names of files with the host, the process and the rank in them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "filename.h"

/*
 * Variables in which launchers pass the rank: Open MPI, PMIx, MPICH and its kin, MVAPICH, Slurm.
 * Slurm's is the last, because a launcher that is started in one of its jobs has its own rank.
 */
static const char *const rank_variables[] = {
	"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID",
};

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

static bool find_rank(const char **rank, const char *pattern, struct problem *why)
{
	size_t i;

	for (i = 0; i < COUNT(rank_variables); i++) {
		*rank = getenv(rank_variables[i]);
		if (*rank && is_number(*rank))
			return true;
	}
	problem(why, "-o %s: no job launcher has set a rank for %%r", pattern);
	problem_hint(why, "It is looked for in the environment, in");
	for (i = 0; i < COUNT(rank_variables); i++)
		append(why->hint, sizeof(why->hint), " %s", rank_variables[i]);
	append(why->hint, sizeof(why->hint),
	       ".\nWithout a launcher, %%p is a number that differs, too.");
	return false;
}

static bool write_letter(FILE *out, char letter, const char *pattern, struct problem *why)
{
	struct utsname host;
	const char *rank;

	switch (letter) {
	case '%':
		fputc('%', out);
		return true;
	case 'h':
		uname(&host);
		fputs(host.nodename, out);
		return true;
	case 'p':
		fprintf(out, "%d", (int)getpid());
		return true;
	case 'r':
		if (!find_rank(&rank, pattern, why))
			return false;
		fputs(rank, out);
		return true;
	default:
		problem(why, "-o %s: a %% there is followed by none of h, p, r and %%", pattern);
		return problem_hint(why, "%%h is the host, %%p pfmon's process, %%r the rank, %%%% a %%.");
	}
}

bool filename_expand(char **name, const char *pattern, struct problem *why)
{
	size_t size;
	FILE *out = open_memstream(name, &size);
	const char *p;
	bool ok = true;

	if (!out)
		return problem(why, "-o %s: %s", pattern, strerror(errno));
	for (p = pattern; ok && *p; p++) {
		if (*p != '%')
			fputc(*p, out);
		else
			ok = write_letter(out, *++p, pattern, why);
	}
	fclose(out);
	if (!ok) {
		free(*name);
		*name = NULL;
	}
	return ok;
}
