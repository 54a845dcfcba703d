// SPDX-License-Identifier: GPL-2.0
/* The options -i, --follow-exec and --trigger-start, with their variants. */
#include "cmdline.h"
#include "run/choice.h"

bool choice_take(struct choice *choice, int option, struct problem *why)
{
	switch (option) {
	case 'i':
		choice->first_only = true;
		return true;
	case CHOICE_FOLLOW:
		strings_add(&choice->programs.only, xstrdup(optarg));
		return true;
	case CHOICE_FOLLOW_NOT:
		strings_add(&choice->programs.except, xstrdup(optarg));
		return true;
	case CHOICE_TRIGGER_REPEAT:
		choice->triggers.repeat = true;
		return true;
	default:
		return trigger_options_take(&choice->triggers, option == CHOICE_TRIGGER_START,
					    optarg, why);
	}
}

bool choice_check(const struct choice *choice, bool command, bool delay, const char *others,
		  const char *verb, struct problem *why)
{
	if (choice->first_only && !command) {
		problem(why, "-i is about the children of a command; %s follow none", others);
		return cmdline_hint(why, verb);
	}
	if (!trigger_options_check(&choice->triggers, command, delay, why))
		return false;
	if (!programs_all(&choice->programs) && (choice->first_only || !command)) {
		problem(why, "--follow-exec and --follow-exec-exclude are about the programs that a command executes");
		return problem_hint(why, "They do not go with -i, %s, which follow none.", others);
	}
	return true;
}

void choice_free(struct choice *choice)
{
	programs_free(&choice->programs);
	trigger_options_free(&choice->triggers);
}
