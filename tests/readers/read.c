// SPDX-License-Identifier: GPL-2.0
/* The readers of an input: the verbs with options, and the functions behind options. */
#define _GNU_SOURCE
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "classic/translate.h"
#include "data/stream.h"
#include "events/assign.h"
#include "events/list.h"
#include "events/plan.h"
#include "readers.h"
#include "record/jit.h"
#include "record/jitdump.h"
#include "stat/baseline.h"
#include "stat/metrics.h"
#include "verbs.h"

static const struct rights rights = { .levels = LEVEL_ALL };
static struct pmu pmu;
static char jit_file[64];

static void remove_jit_file(void)
{
	unlink(jit_file);
}

void readers_begin(void)
{
	struct problem why;

	setenv("PFMON_METRICS", ".", 1);
	setenv("LIBPFM_FORCE_PMU", "nhm", 1);
	setenv("PFMON_EMULATED", "0", 1);
	if (!pmu_read(&pmu, &why) || !pmu_find_names(&pmu, &why))
		errx(2, "%s", why.what);
	snprintf(jit_file, sizeof(jit_file), "/tmp/perf-%d.map", getpid());
	atexit(remove_jit_file);
}

/* Call a verb with its words; a NULL among them ends them. */
static void run(int (*verb)(int argc, char **argv), const char *const *words, size_t n)
{
	char *argv[16];
	int argc = 0;

	while (argc < (int)n && words[argc]) {
		argv[argc] = (char *)words[argc];
		argc++;
	}
	argv[argc] = NULL;
	verb(argc, argv); /* most often with the exit status of a failure */
}

static const char *const sorts[] = {
	"--sort=symbol,file", "--sort=comm,pid,tid,symbol", "--sort=line", "--sort=address,file",
	"--sort=cpu,set,event,host", "--sort=file", "--sort=symbol,line,address,comm,event",
};
static const char *const forms[] = { NULL, "-x,", "--json", "--percent-limit=1", "--limit=2" };
static const char *const filters[] = {
	"--no-demangle", "--comm=first", "--symbol=*", "--cpu=0", "--columns=events", "--pid=4711",
	"--from=0", "--to=0.00000002",
};

static void read_report(struct random *random, const struct input *input)
{
	const char *const words[] = { "report", "-i", INPUT_FILE, random_of(random, sorts),
				      random_of(random, filters), random_of(random, forms) };

	(void)input;
	run(verb_report, words, COUNT(words));
}

static const char *const trees[] = { "--callers", "--callees" };

static void read_calls(struct random *random, const struct input *input)
{
	static const char *const these[] = { NULL, "--symbol=*", "--comm=first", "--to=0.00000002" };
	static const char *const as[] = { NULL, "--json", "--percent-limit=1", "--limit=2" };
	const char *const words[] = { "report", "-i", INPUT_FILE, random_of(random, trees),
				      random_of(random, these), random_of(random, as) };

	(void)input;
	run(verb_report, words, COUNT(words));
}

static void read_branches(struct random *random, const struct input *input)
{
	static const char *const as[] = { NULL, "-x,", "-j", "--limit=2", "--no-demangle" };
	const char *const words[] = { "report", "--branches", "-i", INPUT_FILE,
				      random_of(random, as) };

	(void)input;
	run(verb_report, words, COUNT(words));
}

static void read_annotate(struct random *random, const struct input *input)
{
	static const char *const as[] = { "--symbol=*", "--no-source", "--source-only", "--limit=2",
					  "--from=0", "--comm=first" };
	const char *const words[] = { "annotate", random_of(random, as), "-i", INPUT_FILE,
				      random_of(random, forms) };

	(void)input;
	run(verb_annotate, words, COUNT(words));
}

static void read_several(struct random *random, const struct input *input)
{
	const char *const words[] = { "report", random_of(random, sorts), INPUT_FILE, SOUND_FILE,
				      INPUT_FILE, random_of(random, forms) };

	(void)input;
	run(verb_report, words, COUNT(words));
}

static void read_diff(struct random *random, const struct input *input)
{
	const char *const words[] = { "diff", random_of(random, sorts), INPUT_FILE, SOUND_FILE,
				      random_of(random, forms) };

	(void)input;
	run(verb_diff, words, COUNT(words));
}

static void read_script(struct random *random, const struct input *input)
{
	static const char *const fields[] = { "-1", "-F+symoff,values,cpu", "-Fip,sym,dso", "-e0",
					      "-einstructions:u", "--no-demangle" };
	const char *const words[] = { "script", "-i", INPUT_FILE, random_of(random, fields) };

	(void)input;
	run(verb_script, words, COUNT(words));
}

static void read_export(struct random *random, const struct input *input)
{
	static const char *const to[] = { "perf.data", "folded", "svg", "pprof", "firefox",
					  "json" };
	const char *const words[] = { "export", "-o", "out", "-t", random_of(random, to), "-i",
				      INPUT_FILE };

	(void)input;
	run(verb_export, words, COUNT(words));
}

/* As top does: pieces of a pipe, and a look now and then. */
static void read_stream(struct random *random, const struct input *input)
{
	struct stream stream;
	struct problem why;
	size_t at = 0, n;
	bool ok = true;

	stream_begin(&stream);
	while (ok && at < input->size) {
		n = 1 + random_scaled(random) % (input->size - at);
		ok = stream_add(&stream, input->bytes + at, n, &why) &&
		     (random_once_in(random, 2) || stream_look(&stream, &why));
		at += n;
	}
	if (ok)
		stream_look(&stream, &why);
	stream_free(&stream);
}

/* Write the input to a file, and names from it to a recording. */
static void read_names(const char *path, const struct input *input,
		       void (*tell)(struct recording *recording, const struct files *files))
{
	const struct files files = { .pid = getpid(), .inner = getpid() };
	struct recorded_dump dump = {
		.pid = getpid(), .name = (char *)path, .time = 1000, .mapped = { 1000, 1000 },
	};
	struct recording recording = { .kernel.known = true, .dump = &dump, .ndumps = 1 };
	struct problem why;
	FILE *file = fopen(path, "we");

	if (!file || fwrite(input->bytes, 1, input->size, file) != input->size || fclose(file))
		err(2, "%s", path);
	if (!profile_create(&recording.file, "jitted", &why))
		errx(2, "%s", why.what);
	tell(&recording, &files);
	if (!profile_close(&recording.file, &why))
		errx(2, "%s", why.what);
}

static void read_jit(struct random *random, const struct input *input)
{
	(void)random;
	read_names(jit_file, input, jit_tell);
}

static void read_jitdump(struct random *random, const struct input *input)
{
	(void)random;
	read_names("jit-1.dump", input, jitdump_tell);
}

static void read_json(struct random *random, const struct input *input)
{
	struct baseline baseline = { NULL, 0, 0 };
	struct problem why;

	(void)random;
	(void)input;
	if (baseline_read(&baseline, INPUT_FILE, &why))
		baseline_count(&baseline, "cycles");
	baseline_free(&baseline);
}

static void read_metrics(struct random *random, const struct input *input)
{
	struct metrics metrics = { NULL, 0, 0, NULL, 0, 0 };
	struct events events = { .nsets = 0 };
	struct problem why;
	double *count;
	size_t i;

	(void)random;
	(void)input;
	if (metrics_add(&metrics, "input", &events, &pmu, &rights, &why)) {
		count = xcalloc(events.n + 1, sizeof(*count));
		for (i = 0; i < metrics.n; i++)
			metric_value(&metrics, &metrics.metric[i], count);
		free(count);
	}
	metrics_free(&metrics);
	events_free(&events);
}

static void read_events(struct random *random, const struct input *input)
{
	struct events events = { .nsets = 0 };
	struct problem why;
	struct plan plan;

	if (events_add(&events, &pmu, &rights, (const char *)input->bytes, &why) &&
	    (random_once_in(random, 2) ? assign_counters(&events, &pmu, &why) :
					 assign_sets(&events, &pmu, &why))) {
		plan_make(&plan, &events, &pmu);
		plan_free(&plan);
	}
	events_free(&events);
}

static void read_classic(struct random *random, const struct input *input)
{
	struct strings verb = { NULL, 0, 0 }, notes = { NULL, 0, 0 };
	char *copy = xstrdup((const char *)input->bytes), *rest = copy;
	struct problem why;
	struct classic classic;
	char *argv[64] = { "pfmon" };
	int argc = 1;

	(void)random;
	while (argc < (int)COUNT(argv) - 1 && (argv[argc] = strsep(&rest, " ")))
		argc++;
	argv[argc] = NULL;
	if (classic_read(&classic, argc, argv, &why))
		classic_translate(&classic, &verb, &notes, &why);
	classic_free(&classic);
	strings_free(&verb);
	strings_free(&notes);
	free(copy);
}

const struct reader readers[] = {
	{ "report", KIND_RECORDING, 5, read_report },
	{ "calls", KIND_RECORDING, 3, read_calls },
	{ "branches", KIND_RECORDING, 1, read_branches },
	{ "annotate", KIND_RECORDING, 2, read_annotate },
	{ "several", KIND_RECORDING, 2, read_several },
	{ "diff", KIND_RECORDING, 2, read_diff },
	{ "script", KIND_RECORDING, 3, read_script },
	{ "export", KIND_RECORDING, 5, read_export },
	{ "stream", KIND_RECORDING, 3, read_stream },
	{ "jit", KIND_JIT, 1, read_jit },
	{ "jitdump", KIND_JITDUMP, 2, read_jitdump },
	{ "json", KIND_JSON, 2, read_json },
	{ "metrics", KIND_METRICS, 2, read_metrics },
	{ "events", KIND_EVENTS, 3, read_events },
	{ "classic", KIND_CLASSIC, 2, read_classic },
};

const size_t nreaders = COUNT(readers);
