// SPDX-License-Identifier: GPL-2.0
/* pfmon record: sample programs into a file. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "losses.h"
#include "record/job.h"
#include "record/recorder.h"
#include "record/unplaced.h"
#include "verbs.h"

static void append_size(char *text, size_t size, uint64_t bytes)
{
	if (bytes < 10240)
		append(text, size, "%llu bytes", (unsigned long long)bytes);
	else if (bytes < 10240 * 1024)
		append(text, size, "%llu KB", (unsigned long long)bytes >> 10);
	else
		append(text, size, "%llu MB", (unsigned long long)bytes >> 20);
}

/* The extent of the recording, for the one line to the user at the terminal. */
static void append_extent(char *text, size_t size, const struct record_job *job,
			  const struct recorder *r)
{
	if (job->options.target.kind == RECORD_CPUS)
		append(text, size, "; %zu CPU%s, ", job->options.target.ncpus,
		       PLURAL(job->options.target.ncpus));
	else
		append(text, size, "; %u process%s, %u thread%s, ", r->processes,
		       r->processes == 1 ? "" : "es", r->threads, PLURAL(r->threads));
	append_size(text, size, (uint64_t)r->recording.file.end);
}

/* The samples that the report will show without a symbol: the user can still record again. */
static void append_unknown(char *text, size_t size, const struct record_job *job,
			   const struct recorder *r)
{
	const struct unplaced unplaced = unplaced_count(job->options.output);
	char number[40], of[64] = "";

	if (unplaced.samples < r->recording.samples)
		snprintf(of, sizeof(of), " of the first %s",
			 with_thousands(unplaced.samples, number, sizeof(number)));
	if (unplaced.unmapped)
		append(text, size, ", %s%s where nothing is known to be mapped",
		       with_thousands(unplaced.unmapped, number, sizeof(number)), of);
	if (unplaced.unidentified)
		append(text, size, ", %s%s in files that could not be identified",
		       with_thousands(unplaced.unidentified, number, sizeof(number)), of);
}

/* One line for the user at the terminal; `pfmon report` shows the rest. */
static void print_summary(const struct record_job *job, const struct recorder *r)
{
	const struct recording *recording = &r->recording;
	const struct ledger *ledger = &recording->ledger;
	const size_t nkernel = job->kernel.events.n, nsampled = job->options.sampling.nsampled;
	char samples[40], lost[256] = "", many[40], more[320] = "";
	const char *what = many;
	size_t i;

	with_thousands(recording->samples, samples, sizeof(samples));
	if (recording->has_ledger)
		append_lost(lost, sizeof(lost), ledger);
	/* A thread that waits for pfmon runs in the kernel a little longer: omit short times. */
	if (ledger->masked_ns >= 50000)
		append(more, sizeof(more), ", masked for %.1f ms", (double)ledger->masked_ns / 1e6);
	if (ledger->unplaced)
		append(more, sizeof(more), ", %s more without room in the kernel's table (--buffer)",
		       with_thousands(ledger->unplaced, many, sizeof(many)));
	append_unknown(more, sizeof(more), job, r);
	append_extent(more, sizeof(more), job, r);
	snprintf(many, sizeof(many), "%zu events", nsampled + nkernel);
	if (nsampled + nkernel == 1)
		what = (nkernel ? &job->kernel.events : &job->events)->event[0].name;
	complain("%s sample%s of %s in %s, %s%s", samples, PLURAL(recording->samples), what,
		 job->options.output, recording->has_ledger ? lost : "an unknown number lost", more);
	for (i = 0; i < r->notes.n; i++)
		complain("note: %s", r->notes.text[i]);
}

static int record(struct record_job *job)
{
	struct record_result result = { .status = EXIT_PFMON };
	struct problem why = { "", "" };
	struct recorder recorder;

	if (!record_prepare(job, &why)) {
		problem_print(&why);
		return EXIT_PFMON;
	}
	if (record_run(job, &recorder, &result, &why))
		print_summary(job, &recorder);
	else
		problem_print(&why);
	recorder_close(&recorder);
	return result.status;
}

int verb_record(int argc, char **argv)
{
	struct record_job job;
	struct problem why;
	int status;
	bool help;

	memset(&job, 0, sizeof(job));
	if (!record_options_read(&job.options, argc, argv, &help, &why)) {
		problem_print(&why);
		status = EXIT_PFMON;
	} else if (help) {
		fputs(record_usage, stdout);
		status = 0;
	} else {
		status = record(&job);
	}
	record_job_free(&job);
	return status;
}
