/* SPDX-License-Identifier: GPL-2.0 */
/* The choice of what is monitored of a command: tasks, programs, code. Its options. */
#ifndef PFMON_RUN_CHOICE_H
#define PFMON_RUN_CHOICE_H

#include <getopt.h>
#include <limits.h>

#include "run/programs.h"
#include "run/triggers.h"

/* Zeroed: all. */
struct choice {
	bool		first_only;	/* not its children and threads */
	struct programs	programs;	/* of those that it executes */
	struct trigger_options triggers; /* where monitoring starts and stops */
};

/* Values of options, beside 'i'. Those of the verbs are lower. */
enum {
	CHOICE_FOLLOW = CHAR_MAX + 1000, CHOICE_FOLLOW_NOT,
	CHOICE_TRIGGER_START, CHOICE_TRIGGER_STOP, CHOICE_TRIGGER_REPEAT,
};

/* Their lines in a table of long options. */
#define CHOICE_OPTIONS									\
	{ "follow-exec", required_argument, NULL, CHOICE_FOLLOW },			\
	{ "follow-exec-exclude", required_argument, NULL, CHOICE_FOLLOW_NOT },		\
	{ "trigger-start", required_argument, NULL, CHOICE_TRIGGER_START },		\
	{ "trigger-stop", required_argument, NULL, CHOICE_TRIGGER_STOP },		\
	{ "trigger-repeat", no_argument, NULL, CHOICE_TRIGGER_REPEAT }

static inline bool choice_has(int option)
{
	return option == 'i' || option >= CHOICE_FOLLOW;
}

/* Take such an option, whose argument is optarg. */
bool choice_take(struct choice *choice, int option, struct problem *why);

/*
 * True if the options are compatible with the others of this verb. @command: a command is
 * monitored, and not one of the targets of the options @others, a text.
 */
bool choice_check(const struct choice *choice, bool command, bool delay, const char *others,
		  const char *verb, struct problem *why);

void choice_free(struct choice *choice);

#endif /* PFMON_RUN_CHOICE_H */
