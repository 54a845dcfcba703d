// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a sample, as `perf script` prints it. By default in the form that perf has for
 * samples with call chains, a heading, a line for each frame and an empty line: programs
 * that fold stacks read that form.
 */
#define _GNU_SOURCE
#include <inttypes.h>

#include "nanoseconds.h"
#include "script/bits.h"
#include "script/script.h"

#define FIELDS_PLACE	(FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO)

/* Text from the file is shown, not obeyed: no line breaks, no escapes. */
static void print_plain(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, out);
}

/* A column or two with process and thread. */
static void print_task(const struct script *script, const struct sample *sample)
{
	const unsigned int both = FIELD_PID | FIELD_TID;

	if ((script->fields & both) == both)
		fprintf(script->out, "%5d/%-5d ", (int)sample->pid, (int)sample->tid);
	else if (script->fields & both)
		fprintf(script->out, "%5d ",
			(int)(script->fields & FIELD_PID ? sample->pid : sample->tid));
}

static void print_value(FILE *out, const char *name, bool is_register, uint64_t value)
{
	if (!is_register)
		fprintf(out, "%" PRIu64, value);
	else if (!bits_print(out, name, value))
		fprintf(out, "0x%" PRIx64, value);
}

static void print_values(const struct script *script, const struct sample *sample)
{
	const struct sampled_event *event = &script->profile->event[sample->event];
	char unnamed[32];
	const char *name;
	uint32_t i;

	for (i = 0; i < event->nbodies; i++) {
		if (i < event->bodies.n) {
			name = event->bodies.text[i];
		} else {
			snprintf(unnamed, sizeof(unnamed), "value%" PRIu32, i);
			name = unnamed;
		}
		fputc(' ', script->out);
		print_plain(script->out, name);
		fputc('=', script->out);
		print_value(script->out, name, i + event->nregisters >= event->nbodies,
			    sample->values[i]);
	}
}

/* FROM/TO, the prediction, in a transaction, its abort, cycles: as perf script has them. */
static void print_branch(const struct script *script, const struct branch *branch)
{
	const uint32_t flags = branch->detail.flags;

	fprintf(script->out, " 0x%" PRIx64 "/0x%" PRIx64 "/%c/%c/%c/%" PRIu32, branch->from, branch->to,
		flags & PROFILE_BRANCH_MISPREDICTED ? 'M' :
		flags & PROFILE_BRANCH_PREDICTED ? 'P' : '-',
		flags & PROFILE_BRANCH_IN_TRANSACTION ? 'X' : '-',
		flags & PROFILE_BRANCH_ABORT ? 'A' : '-', branch->detail.cycles);
}

static void print_branches(const struct script *script, const struct sample *sample)
{
	size_t i;

	for (i = 0; i < sample->nbranches; i++)
		print_branch(script, &sample->branch[i]);
}

static void print_heading(const struct script *script, const struct sample *sample)
{
	FILE *out = script->out;

	if (script->fields & FIELD_COMM) {
		print_plain(out, places_comm(script->places, sample));
		fputc(' ', out);
	}
	print_task(script, sample);
	if (script->fields & FIELD_CPU && sample->cpu == PROFILE_NO_CPU)
		fputs("[  ?] ", out);
	else if (script->fields & FIELD_CPU)
		fprintf(out, "[%03u] ", sample->cpu);
	if (script->fields & FIELD_TIME)
		fprintf(out, "%5" PRIu64 ".%06" PRIu64 ": ", sample->time / NSEC_PER_SEC,
			sample->time % NSEC_PER_SEC / 1000);
	if (script->fields & FIELD_COUNT)
		fprintf(out, "%8" PRIu64 " ", sample->count);
	if (script->fields & FIELD_PERIOD)
		fprintf(out, "%10" PRIu64 " ", sample->period);
	if (script->fields & FIELD_EVENT) {
		print_plain(out, script->profile->event[sample->event].name);
		fputs(": ", out);
	}
}

static void print_place(const struct script *script, const struct frame *frame)
{
	const struct place place = places_of_frame(script->places, frame);
	FILE *out = script->out;

	if (script->fields & FIELD_IP)
		fprintf(out, "%16" PRIx64, frame->ip);
	if (script->fields & FIELD_SYM) {
		fputc(' ', out);
		print_plain(out, place.symbol);
		if (script->fields & FIELD_SYMOFF && place.known && frame->object != OBJECT_JIT)
			fprintf(out, "+0x%" PRIx64, place.distance);
	}
	if (script->fields & FIELD_DSO) {
		fputs(" (", out);
		print_plain(out, place.file);
		fputc(')', out);
	}
}

/* The functions that were inlined at a frame, as perf has them: no file, but that word. */
static size_t print_inlined(const struct script *script, const struct frame *frame, bool heading)
{
	const struct place place = places_of_frame(script->places, frame);
	size_t i;

	if (!(script->fields & FIELD_SYM))
		return 0;
	for (i = 0; i < place.ninlined; i++) {
		if (heading)
			fputc('\t', script->out);
		if (script->fields & FIELD_IP)
			fprintf(script->out, "%16" PRIx64, frame->ip);
		fputc(' ', script->out);
		print_plain(script->out, place.inlined[i]);
		fputs(" (inlined)\n", script->out);
	}
	return place.ninlined;
}

/* A line for each function of the call chain, if there is one, the innermost first. */
static void print_chain(const struct script *script, const struct frames *frames, bool heading)
{
	size_t lines = frames->n, i;

	for (i = 0; i < frames->n; i++) {
		lines += print_inlined(script, &frames->frame[i], heading);
		if (heading)
			fputc('\t', script->out);
		print_place(script, &frames->frame[i]);
		fputc('\n', script->out);
	}
	/* Chains are separated by a line even if nothing else is printed. */
	if (heading || lines > 1)
		fputc('\n', script->out);
}

static void print_sample(const struct script *script, const struct sample *sample,
			 const struct frames *frames)
{
	const bool heading = script->fields & ~FIELDS_PLACE;
	const bool place = script->fields & FIELDS_PLACE;

	print_heading(script, sample);
	if (script->one_line && place)
		print_place(script, &frames->frame[0]);
	if (script->fields & FIELD_VALUES)
		print_values(script, sample);
	if (script->fields & FIELD_BRSTACK)
		print_branches(script, sample);
	if (heading || script->one_line)
		fputc('\n', script->out);
	if (script->one_line || !place)
		return;
	print_chain(script, frames, heading);
}

void script_print(const struct script *script, const struct sample *sample)
{
	struct frames frames = { .n = 0 };

	frames_of(&frames, script->profile, sample);
	print_sample(script, sample, &frames);
	frames_free(&frames);
}
