// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of pfmon 3: the verb's command line that it becomes, and the options that are
 * refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness.h"
#include "../../tools/pfmon/classic/pattern.h"
#include "../../tools/pfmon/classic/translate.h"

static struct problem why;
static struct strings notes;

/* The verb's command line, as one text, for this one as one text; NULL: refused. */
static char *translate(const char *line)
{
	char text[512], *words[40], *save = NULL, *word;
	struct strings verb = { NULL, 0, 0 };
	static char result[1024];
	struct classic classic;
	int n = 0;
	size_t i;
	bool ok;

	snprintf(text, sizeof(text), "pfmon %s", line);
	for (word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
		words[n++] = word;
	words[n] = NULL;
	strings_free(&notes);
	ok = classic_read(&classic, n, words, &why) &&
	     classic_translate(&classic, &verb, &notes, &why);
	result[0] = '\0';
	for (i = 0; i < verb.n; i++)
		append(result, sizeof(result), "%s%s", i ? " " : "", verb.text[i]);
	strings_free(&verb);
	classic_free(&classic);
	return ok ? result : NULL;
}

static void becomes(const char *line, const char *want)
{
	const char *got = translate(line);

	if (!got)
		FAIL("%s: %s", line, why.what);
	CHECK_STREQ(got, want);
}

/* Refused, with a sentence or a hint that contains this text. */
static void refused(const char *line, const char *part)
{
	const char *got = translate(line);

	if (got)
		FAIL("%s became: %s", line, got);
	if (!strstr(why.what, part) && !strstr(why.hint, part))
		FAIL("%s: %s; %s", line, why.what, why.hint);
}

TEST(a_command_is_counted_alone_and_at_user_level)
{
	becomes("-e cycles ls -l", "stat --pfmon3 --event=cycles:u -i -- ls -l");
	becomes("--events=a,b:x -- ls", "stat --pfmon3 --event=a:u,b:x:u -i -- ls");
	becomes("-u ls", "stat --pfmon3 --event=cycles:u -i -- ls");
}

TEST(levels_are_written_to_events)
{
	becomes("-k -e a,b ls", "stat --pfmon3 --event=a:k,b:k -i -- ls");
	becomes("-u -k -e a ls", "stat --pfmon3 --event=a:u:k -i -- ls");
	becomes("-3 -0 -e a ls", "stat --pfmon3 --event=a:u:k -i -- ls");
	becomes("--priv-levels=uk,k -e a,b,c ls",
		"stat --pfmon3 --event=a:u:k,b:k,c:u -i -- ls");
	refused("--priv-levels=u,k -e a ls", "there are 2 for 1 event");
	refused("--priv-levels=x -e a ls", "'x' is not made of u and k");
	refused("-1 -e a ls", "no privilege level 1");
}

TEST(each_list_of_events_is_a_set)
{
	becomes("-e a,b -e c --switch-timeout=5 ls",
		"stat --pfmon3 --event={a:u,b:u} --event={c:u} -i --switch-timeout=5 -- ls");
	becomes("--priv-levels=u,k,uk -e a,b -e c ls",
		"stat --pfmon3 --event={a:u,b:k} --event={c:u:k} -i -- ls");
}

TEST(cpus_are_shown_one_by_one_or_added_up)
{
	becomes("--system-wide -k -e a", "stat --pfmon3 --event=a:k -a --per-cpu");
	becomes("--system-wide --cpu-list=0,2-3 --aggregate-results -e a ls",
		"stat --pfmon3 --event=a:u --cpu=0,2-3 -- ls");
	becomes("--system-wide --session-timeout=10 --aggregate-results -e a",
		"stat --pfmon3 --event=a:u -a --timeout=10000");
	becomes("-t 1 --system-wide --aggregate-results -e a",
		"stat --pfmon3 --event=a:u -a --timeout=1000");
}

TEST(followed_tasks_are_shown_one_by_one_or_added_up)
{
	becomes("--follow-all -e a sh", "stat --pfmon3 --event=a:u --per-thread -- sh");
	CHECK_EQ(notes.n, 0);
	becomes("--follow-all --aggregate-results -e a sh", "stat --pfmon3 --event=a:u -- sh");
	becomes("--follow-fork --follow-vfork --follow-pthread --follow-exec "
		"--aggregate-results -e a sh", "stat --pfmon3 --event=a:u -- sh");
	CHECK_EQ(notes.n, 0);
	becomes("--follow-fork --aggregate-results -e a sh", "stat --pfmon3 --event=a:u -- sh");
	CHECK_EQ(notes.n, 1);
	becomes("--follow-exec=^gcc$ --aggregate-results -e a sh",
		"stat --pfmon3 --event=a:u --follow-exec=gcc -- sh");
	becomes("--follow-exec-exclude=\\.sh$ --long-smpl-periods=9 -e a sh",
		"record --event=a:u --count=9 --follow-exec-exclude=*.sh -- sh");
	refused("--follow-exec=(a|b) -e a sh", "too much for the verbs");
}

TEST(a_task_that_runs_is_attached_to)
{
	becomes("--attach-task=77 -e a", "stat --pfmon3 --event=a:u --tid=77");
	becomes("-p 77 -e a sleep 1", "stat --pfmon3 --event=a:u --tid=77 -- sleep 1");
	refused("--attach-task=77 --system-wide -e a", "exclude each other");
	refused("--attach-task=77 --follow-all -e a", "pfmon stat -p PID");
}

TEST(output_has_the_form_that_was_asked_for)
{
	becomes("--us-counter-format -e a ls", "stat --pfmon3=us --event=a:u -i -- ls");
	becomes("--with-header --eu-counter-format --show-time -e a ls",
		"stat --pfmon3=eu,header,time --event=a:u -i -- ls");
	becomes("--hex-counter-format --outfile=f --append -e a ls",
		"stat --pfmon3=hex --event=a:u -i --output=f --append -- ls");
	becomes("--append -e a ls", "stat --pfmon3 --event=a:u -i -- ls");
}

TEST(times_are_converted)
{
	becomes("--print-interval=100 -e a ls",
		"stat --pfmon3 --event=a:u -i --interval-print=100 -- ls");
	becomes("--trigger-start-delay=2 -e a ls",
		"stat --pfmon3 --event=a:u -i --delay=2000 -- ls");
	refused("--session-timeout=x -e a ls", "a number of seconds");
	refused("--session-timeout=99999999999 -e a ls", "a number of seconds");
}

TEST(places_in_the_code_start_and_stop)
{
	becomes("--trigger-code-start-addresses=main -e a ls",
		"stat --pfmon3 --event=a:u -i --trigger-start=main -- ls");
	becomes("--trigger-code-start-addresses=0x400000 --trigger-code-stop-addresses=a,b --trigger-code-repeat --trigger-code-follow --follow-all --long-smpl-periods=9 -e a ls",
		"record --event=a:u --count=9 --trigger-start=0x400000 --trigger-stop=a,b --trigger-repeat -- ls");
	CHECK_EQ(notes.n, 1);
	becomes("--trigger-code-stop-addresses=b --follow-all --aggregate-results -e a ls",
		"stat --pfmon3 --event=a:u --trigger-stop=b -- ls");
	CHECK_EQ(notes.n, 1);
}

TEST(a_period_makes_a_recording)
{
	becomes("--long-smpl-periods=1000 -e a ls", "record --event=a:u --count=1000 -i -- ls");
	CHECK_EQ(notes.n, 1);
	CHECK(strstr(notes.text[0], "pfmon report -i pfmon.data"));
	becomes("--short-smpl-periods=1000 --smpl-outfile=f --follow-all -e a sh",
		"record --event=a:u --count=1000 --output=f -- sh");
	CHECK(strstr(notes.text[0], "pfmon report -i f"));
	becomes("--system-wide --long-smpl-periods=1000 --session-timeout=3 -k -e a",
		"record --event=a:k --count=1000 -a --timeout=3000");
}

TEST(periods_belong_to_events_and_the_rest_comes_along)
{
	becomes("-e a,b --long-smpl-periods=1000,2000 ls",
		"record --event=a:u,b:u --count=1000,2000 -i -- ls");
	becomes("-e a,b,c --long-smpl-periods=1000 ls",
		"record --event=a:u --count=1000 --with=b:u,c:u -i -- ls");
	refused("-e a --long-smpl-periods=1,2 ls", "2 periods for 1 event");
}

TEST(a_long_period_follows_a_full_buffer)
{
	becomes("-e a --long-smpl-periods=2000 --short-smpl-periods=1000 ls",
		"record --event=a:u --count=1000 --long-period=2000 -i -- ls");
	becomes("-e a --long-smpl-periods=1000 --short-smpl-periods=1000 ls",
		"record --event=a:u --count=1000 -i -- ls");
	refused("-e a,b --long-smpl-periods=2,3 --short-smpl-periods=1,1 ls", "one long period");
}

TEST(sampling_options_are_converted)
{
	becomes("-e a --long-smpl-periods=1000 --smpl-periods-random=0xff:5 ls",
		"record --event=a:u --count=1000 --random=0xff:5 -i -- ls");
	refused("-e a,b --long-smpl-periods=9,9 --smpl-periods-random=1:1,2:1 ls", "one mask");
	/* The header takes 40 bytes, a sample takes 40 and 8 for a value. */
	becomes("-e a,b --long-smpl-periods=9 --smpl-entries=100 --smpl-module=inst-hist ls",
		"record --event=a:u --count=9 --with=b:u --buffer=4840 -i -- ls");
	refused("-e a --long-smpl-periods=9 --smpl-entries=0 ls", "number of samples");
	refused("-e a --long-smpl-periods=9 --smpl-module=dear-hist-itanium2 ls", "no such module");
	refused("-e a --smpl-outfile=f ls", "there is no period");
	refused("-e a --long-smpl-periods=9 --print-interval=9 ls", "--print-interval is about counts");
}

TEST(questions_go_to_list_and_info)
{
	becomes("-l", "list");
	becomes("-L", "list");
	becomes("-lMEM", "list *MEM*");
	becomes("--show-events=^MEM.*RAM$", "list MEM*RAM");
	becomes("-i cycles", "list cycles");
	becomes("-I", "info");
	becomes("-e a -h", "help");
	refused("-l(a|b)", "too much for pfmon list");
}

TEST(what_no_verb_does_is_named_with_what_does)
{
	refused("--trigger-data-start-addresses=x -e a ls", "no verb starts at an access to data");
	refused("--trigger-data-stop-addresses=x -e a ls", "no verb stops at an access to data");
	refused("--no-cmd-output -e a ls", "redirect the command");
	refused("--check-events-only -e a", "pfmon stat -e LIST true");
	refused("-e a", "there is nothing to measure");
	refused("--nonsense ls", "cannot be understood");
}

TEST(the_commands_options_are_its_own)
{
	becomes("-e a ls --system-wide -k", "stat --pfmon3 --event=a:u -i -- ls --system-wide -k");
	becomes("-e a -- -odd", "stat --pfmon3 --event=a:u -i -- -odd");
}
