// SPDX-License-Identifier: GPL-2.0
/*
 * readers [-n CASES | -t SECONDS] [-s SEED] [-f FIRST] [-r READER] [RECORDING...] - fuzz pfmon's
 * input. Recordings are added to the valid inputs that are damaged.
 *
 * The readers run in this program, with the sanitizers in, a few hundred cases in a process: a
 * crash of such a process is a fault. Then the current directory has the input.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "readers.h"
#include "util.h"

#define CASES_A_PROCESS	500
#define PATIENCE	120	/* seconds of a case; it usually takes a millisecond */
#define SAID_FILE	"said"

static struct run {
	uint64_t		seed;
	const struct reader	*only;		/* or NULL */
	struct corpus		corpus[KINDS];
	volatile uint64_t	*now;		/* the case that runs; shared */
	int			said;
} run;

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	/* A recording of some kilobytes is no reason to allocate more memory than this. */
	return "max_allocation_size_mb=512:detect_leaks=1";
}

static const struct reader *choose_reader(struct random *random)
{
	unsigned int sum = 0, at;
	size_t i;

	for (i = 0; i < nreaders; i++)
		sum += readers[i].weight;
	at = random_below(random, sum);
	for (i = 0; at >= readers[i].weight; i++)
		at -= readers[i].weight;
	return run.only ? run.only : &readers[i];
}

static const struct reader *reader_of(uint64_t number)
{
	struct random random = { random_mix(run.seed, number) };

	return choose_reader(&random);
}

static void write_input(const struct input *input)
{
	const int fd = open(INPUT_FILE, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, input->bytes, input->size) != (ssize_t)input->size || close(fd))
		err(2, "%s", INPUT_FILE);
}

static void run_case(uint64_t number)
{
	static unsigned char bytes[INPUT_ROOM + 1];
	struct random random = { random_mix(run.seed, number) };
	const struct reader *reader = choose_reader(&random);
	const struct corpus *corpus = &run.corpus[reader->kind];
	const struct input *from = &corpus->input[random_below(&random, (unsigned int)corpus->n)];
	const struct input *other = &corpus->input[random_below(&random, (unsigned int)corpus->n)];
	struct input input = { bytes, from->size };

	memcpy(bytes, from->bytes, from->size);
	spoil(&random, reader->kind, &input, other);
	bytes[input.size] = '\0'; /* some readers expect a text */
	write_input(&input);
	if (ftruncate(run.said, 0))
		err(2, "%s", SAID_FILE);
	alarm(PATIENCE);
	reader->read(&random, &input);
	alarm(0);
}

/* The output is discarded, and error messages go to a file. */
static void redirect(void)
{
	if (!freopen("/dev/null", "w", stdout) || dup2(run.said, STDERR_FILENO) < 0)
		err(2, "/dev/null");
}

/* Returns the status of the process that ran these cases. */
static int run_cases(uint64_t first, uint64_t n)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	*run.now = first;
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		redirect();
		readers_begin();
		for (; n--; ++*run.now)
			run_case(*run.now);
		exit(0); /* so that the leak sanitizer checks */
	}
	waitpid(pid, &status, 0);
	return status;
}

/* A leak is reported at the end of a process: find its case. */
static void find_leak(uint64_t first, uint64_t n, int *status)
{
	const int all = *status;

	for (; n--; first++) {
		*status = run_cases(first, 1);
		*run.now = first;
		if (*status)
			return;
	}
	*status = all;
}

static void print_said(void)
{
	FILE *file = fopen(SAID_FILE, "re");
	char line[512];
	int left = 60;

	while (file && left-- && fgets(line, sizeof(line), file))
		printf("  %s", line);
	if (file)
		fclose(file);
}

static int fault(int status)
{
	char directory[4096];

	print_said();
	printf("fault: %s, case %llu of seed %llu: ", reader_of(*run.now)->name,
	       (unsigned long long)*run.now, (unsigned long long)run.seed);
	if (WIFSIGNALED(status))
		printf("%s\n", WTERMSIG(status) == SIGALRM ? "it took too long" :
			       strsignal(WTERMSIG(status)));
	else
		printf("ended with status %d\n", WEXITSTATUS(status));
	printf("the input is %s/%s; again: -s %llu -f %llu -n 1%s%s\n",
	       getcwd(directory, sizeof(directory)) ?: ".", INPUT_FILE,
	       (unsigned long long)run.seed, (unsigned long long)*run.now,
	       run.only ? " -r " : "", run.only ? run.only->name : "");
	return 1;
}

static int run_all(uint64_t first, uint64_t cases, time_t seconds)
{
	const time_t begin = time(NULL);
	time_t told = begin;
	uint64_t at, n;
	int status;

	for (at = first; seconds ? time(NULL) - begin < seconds : at < first + cases; at += n) {
		n = CASES_A_PROCESS;
		if (!seconds && first + cases - at < n)
			n = first + cases - at;
		status = run_cases(at, n);
		if (status && *run.now == at + n)
			find_leak(at, n, &status);
		if (status)
			return fault(status);
		if (time(NULL) - told < 60)
			continue;
		told = time(NULL);
		printf("%llu cases\n", (unsigned long long)(at + n - first));
	}
	printf("%llu cases of seed %llu: no fault\n", (unsigned long long)(at - first),
	       (unsigned long long)run.seed);
	return 0;
}

static uint64_t number(const char *text)
{
	uint64_t value;

	if (!parse_u64(text, &value))
		errx(2, "%s is no number", text);
	return value;
}

static const struct reader *find_reader(const char *name)
{
	size_t i;

	for (i = 0; i < nreaders; i++)
		if (!strcmp(readers[i].name, name))
			return &readers[i];
	errx(2, "there is no reader %s", name);
}

static void begin(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	run.now = mmap(NULL, sizeof(*run.now), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	run.said = open(SAID_FILE, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (run.now == MAP_FAILED || run.said < 0)
		err(2, "cannot begin");
	corpus_make(run.corpus);
	printf("seed %llu\n", (unsigned long long)run.seed);
}

int main(int argc, char **argv)
{
	uint64_t first = 0, cases = 1000;
	struct timespec clock;
	time_t seconds = 0;
	int option, status;

	clock_gettime(CLOCK_REALTIME, &clock);
	run.seed = (uint64_t)clock.tv_sec * 1000 + (uint64_t)clock.tv_nsec / 1000000;
	while ((option = getopt(argc, argv, "n:t:s:f:r:")) >= 0) {
		switch (option) {
		case 'n':
			cases = number(optarg);
			break;
		case 't':
			seconds = (time_t)number(optarg);
			break;
		case 's':
			run.seed = number(optarg);
			break;
		case 'f':
			first = number(optarg);
			break;
		case 'r':
			run.only = find_reader(optarg);
			break;
		default:
			return 2;
		}
	}
	begin();
	for (; optind < argc; optind++)
		corpus_add_file(&run.corpus[KIND_RECORDING], argv[optind]);
	status = run_all(first, cases, seconds);
	corpus_free(run.corpus);
	return status;
}
