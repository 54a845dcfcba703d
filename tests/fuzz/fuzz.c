// SPDX-License-Identifier: GPL-2.0
/*
 * The fuzzer for perfmonctl(): see fuzz.h, and tests/README.md for how to use it.
 *
 *	fuzz [-t SECONDS] [-s SEED] [-n ROUNDS] [-m MODULE] [-v]
 *
 * Rounds follow each other until SECONDS of the host's time are over, or after ROUNDS. The first
 * round's seed is SEED, the seed of each further round is one more. Stops at the first violation,
 * with status 1, and prints its seed.
 */
#include "backend.h"
#include "calls.h"
#include "memory.h"
#include "processes.h"
#include "work.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../../kernel/perfmon/tests/fmt_probe.h"

#define OPERATIONS	120	/* of a thread in a round */
#define WARM_UP		3	/* rounds before the first count of the kernel's objects */

struct machine machine;
struct world *world;
const char *fuzz_path = "/dev/shm/fuzz-privileged";

struct options {
	uint64_t	seconds;
	uint64_t	seed;
	uint64_t	rounds;
	bool		verbose;
};

static __attribute__((noreturn)) void usage(void)
{
	fprintf(stderr, "usage: fuzz [-t SECONDS] [-s SEED] [-n ROUNDS] [-m MODULE] [-v]\n");
	exit(2);
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t value = strtoull(text, &end, 0);

	if (!*text || *end)
		usage();
	return value;
}

static struct options parse(int argc, char **argv)
{
	struct options options = { .seconds = 60 };
	bool seeded = false;
	int option;

	while ((option = getopt(argc, argv, "t:s:n:m:v")) >= 0) {
		switch (option) {
		case 't':
			options.seconds = number(optarg);
			break;
		case 's':
			options.seed = number(optarg);
			seeded = true;
			break;
		case 'n':
			options.rounds = number(optarg);
			break;
		case 'm':
			machine.module = optarg;
			break;
		case 'v':
			options.verbose = true;
			break;
		default:
			usage();
		}
	}
	if (optind != argc)
		usage();
	if (!seeded && getrandom(&options.seed, sizeof(options.seed), 0) > 0)
		options.seed >>= 32;
	return options;
}

static uint64_t sysfs_number(const char *path)
{
	char text[64] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	(void)!read(fd, text, sizeof(text) - 1);
	close(fd);
	return strtoull(text, NULL, 0);
}

static const struct format known_formats[] = {
	{ PFM_DEFAULT_SMPL_UUID, sizeof(pfm_default_smpl_arg_t), fill_default_arg },
	{ PFM_RING_SMPL_UUID, sizeof(pfm_ring_smpl_arg_t), fill_ring_arg },
	{ PFM_HIST_SMPL_UUID, sizeof(pfm_hist_smpl_arg_t), fill_hist_arg },
	{ PFM_STACK_SMPL_UUID, sizeof(pfm_stack_smpl_arg_t), fill_stack_arg },
	{ PFM_COMPACT_SMPL_UUID, sizeof(pfm_compact_smpl_arg_t), fill_compact_arg },
	{ PFM_IBS_SMPL_UUID, sizeof(pfm_ibs_smpl_arg_t), fill_ibs_arg },
	{ PFM_BRANCH_SMPL_UUID, sizeof(pfm_branch_smpl_arg_t), fill_branch_arg },
	{ PFM_PROBE_UUID, sizeof(pfm_probe_arg_t), fill_probe_arg },
	{ PFM_PROBE_NOSET_UUID, sizeof(pfm_probe_arg_t), fill_probe_arg },
	{ PFM_PROBE_LARGE_UUID, PFM_PROBE_LARGE_SIZE, fill_probe_arg },
	{ PFM_PROBE_BARE_UUID, 0, NULL },
};

static bool has_ibs(void)
{
	char name[16] = "";
	int fd = open(SYSFS "pmu/pmd17/name", O_RDONLY | O_CLOEXEC);

	(void)!read(fd, name, sizeof(name) - 1);
	close(fd);
	return !strncmp(name, "IBS_OP\n", sizeof(name));
}

/*
 * The probe formats are used if their module exists, the format ibs if the processor can have it,
 * the default format always exists.
 */
static void find_formats(void)
{
	size_t known = ARRAY_SIZE(known_formats), i;
	static char path[256];
	struct utsname uts;

	uname(&uts);
	if (!machine.module) {
		snprintf(path, sizeof(path), "/lib/modules/%s/kernel/kernel/perfmon/tests/"
			 PROBE_MODULE ".ko", uts.release);
		machine.module = path;
	}
	if (access(machine.module, R_OK)) {
		machine.module = NULL;
		known = KERNEL_FORMATS;
	}
	machine.num_formats = 0;
	for (i = 0; i < known; i++)
		if (known_formats[i].fill != fill_ibs_arg || has_ibs())
			machine.formats[machine.num_formats++] = known_formats[i];
}

/* Load the probe formats, unless they are loaded. */
bool module_load(int fd)
{
	return !syscall(SYS_finit_module, fd, "", 0) || errno == EEXIST;
}

static void load_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || !module_load(fd)) {
		fprintf(stderr, "fuzz: cannot load %s: %s\n", path, strerror(errno));
		exit(2);
	}
	close(fd);
}

/* The kernel's own formats may be built in. */
static void load_modules(void)
{
	static const char *const formats[] = {
		HIST_MODULE, STACK_MODULE, COMPACT_MODULE, IBS_MODULE, BRANCH_MODULE,
	};
	struct utsname uts;
	char path[256];
	size_t i;

	uname(&uts);
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		snprintf(path, sizeof(path), "/lib/modules/%s/kernel/formats/%s.ko", uts.release,
			 formats[i]);
		if (!access(path, R_OK))
			load_file(path);
	}
	if (machine.module)
		load_file(machine.module);
}

static void find_machine(void)
{
	backend_find();
	work_find();
	if (backend_call(-1, PFM_GET_CONFIG, &machine.config, 1)) {
		perror("fuzz: perfmonctl");
		exit(2);
	}
	registers_find();
	if (!machine.num_counters) {
		fprintf(stderr, "fuzz: no PMU that perfmon knows\n");
		exit(2);
	}
	machine.cpus = sysconf(_SC_NPROCESSORS_ONLN);
	machine.interrupt_rate_max = sysfs_number(SYSFS "limits/interrupt_rate_max");
	machine.switch_timeout_min_ns = sysfs_number(SYSFS "limits/switch_timeout_min_ns");
	find_formats();
	load_modules();
}

/* A copy of this program that gives root's rights to any process that executes it. */
static void install_privileged(void)
{
	char buffer[65536];
	int in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int out = open(fuzz_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	ssize_t got;

	while ((got = read(in, buffer, sizeof(buffer))) > 0)
		if (write(out, buffer, got) != got)
			break;
	if (got || fchmod(out, 04755)) {
		perror("fuzz: cannot install a set-user-id program");
		exit(2);
	}
	close(in);
	close(out);
}

static struct plan make_plan(uint64_t seed)
{
	static const unsigned int system_wide[] = { 0, 0, 0, 1, 7 };
	static const unsigned int rates[] = { 100000, 100000, 10000, 1000 };
	struct random random = { random_mix(seed, 0) };
	struct plan plan = { .seed = seed, .operations = OPERATIONS };

	plan.processes = 1 + random_below(&random, MAX_PROCESSES);
	plan.system_wide = random_of(&random, system_wide);
	plan.interrupt_rate_max = random_of(&random, rates);
	plan.hotplug = machine.cpus > 1 && random_once_in(&random, 8);
	plan.configure = random_once_in(&random, 6);
	plan.modules = machine.module && random_once_in(&random, 6);
	plan.late = delays_draw(&random);
	plan.late_us = 1 + random_below(&random, 1000);
	return plan;
}

/* Return: the first command that has never succeeded, or the word for messages, or NULL. */
static const char *not_shown(void)
{
	const struct command *c;

	for_each_command(c)
		if (!world->ended[c->cmd][0])
			return c->stem;
	return world->messages[PFM_MSG_OVFL] ? NULL : "a notification of an overflow";
}

/* A run of a minute in which some command could never succeed has tested little. */
static bool must_show_all(const struct options *options)
{
	return options->seconds >= 60 && !options->rounds;
}

/* A slow machine may need ten times as long until every command has succeeded. */
static bool goes_on(const struct options *options, unsigned int round, uint64_t start)
{
	uint64_t seconds = wall_seconds() - start;

	if (options->rounds)
		return round < options->rounds;
	return seconds < options->seconds ||
	       (must_show_all(options) && not_shown() && seconds < 10 * options->seconds);
}

static unsigned int run_rounds(const struct options *options)
{
	uint64_t start = wall_seconds();
	unsigned int round;
	struct plan plan;

	for (round = 0; goes_on(options, round, start); round++) {
		plan = make_plan(options->seed + round);
		printf("round %u: seed %llu, %u processes, %u of 8 contexts system-wide, "
		       "%u interrupts/s%s%s%s%s%s\n",
		       round, (unsigned long long)plan.seed, plan.processes, plan.system_wide,
		       plan.interrupt_rate_max,
		       plan.hotplug ? ", hotplug" : "", plan.configure ? ", changing limits" : "",
		       plan.modules ? ", changing modules" : "",
		       plan.late ? ", delays behind " : "", plan.late ?: "");
		fflush(stdout);
		if (round == WARM_UP)
			settle_baseline();
		settle_in(&plan);
		if (!round_run(&plan) || !settle())
			break;
	}
	return round;
}

int main(int argc, char **argv)
{
	struct options options;
	unsigned int rounds;

	if (argc && !strcmp(argv[0], "fuzz-executed"))
		return executed();
	options = parse(argc, argv);
	world = mmap(NULL, sizeof(*world), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	if (world == MAP_FAILED) {
		perror("fuzz: mmap");
		return 2;
	}
	world->verbose = options.verbose;
	find_machine();
	delays_find();
	common_init();
	install_privileged();
	printf("fuzz: seed %llu, %u CPUs, %u counters, %u buffer PMDs, %u other PMCs, %u formats\n",
	       (unsigned long long)options.seed, machine.cpus, machine.num_counters,
	       machine.num_hardware - machine.num_counters,
	       machine.num_pmcs - machine.num_selectors, machine.num_formats);
	settle_open();
	rounds = run_rounds(&options);
	if (!world->failed && rounds > WARM_UP)
		settle_end(rounds);
	if (!world->failed && must_show_all(&options) && not_shown())
		violation(NULL, "%s has never succeeded", not_shown());
	report_counts();
	if (world->failed)
		report_failure();
	return world->failed ? 1 : 0;
}
