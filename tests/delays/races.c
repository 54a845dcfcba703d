// SPDX-License-Identifier: GPL-2.0
/*
 * Processes that race for a context, while functions of the file "windows" are late, one at a time:
 * perfmon_hurt.ko delays them. A fault of the kernel shows in its checkers' reports, in a result
 * that a command must never return, or in a next session that does not count.
 */
#include "../abi/hotplug.h"
#include "../abi/hurt.h"
#include "../abi/overflow.h"
#include "../abi/perf.h"
#include "../abi/privileged.h"
#include "../abi/spinning.h"
#include "../abi/system.h"
#include "windows.h"

#define ROUNDS	4
/* For scenes that depend on luck to reach the delayed function. */
#define MANY_ROUNDS	60

/* The state of this process; each child goes on with its own copy. */
static unsigned int seed;

static unsigned int draw(unsigned int n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

/* Long enough for the other process to be anywhere, in a delay as well. */
static void dawdle(void)
{
	struct timespec t = { .tv_nsec = draw(3000) * 1000L };

	nanosleep(&t, NULL);
}

/* A command that may come too early or too late. */
static void may_fail(int result)
{
	if (result < 0 && errno != EBUSY && errno != ESRCH && errno != EPERM && errno != EINVAL)
		FAIL("a command that was late failed with %s", test_errno_name(errno));
}

static void look(int fd)
{
	pfarg_pmd_t req = { };
	char text[512];
	char path[64];

	may_fail(perfmonctl(fd, PFM_READ_PMDS, &req, 1));
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	CHECK(try_read_file(path, text, sizeof(text)));
}

/* Actions of tools, in any order. */
static void meddle(int fd, pid_t target, unsigned int n)
{
	while (n--) {
		switch (draw(8)) {
		case 0:
			may_fail(try_load(fd, target));
			break;
		case 1:
			may_fail(try_start(fd));
			break;
		case 2:
			may_fail(try_stop(fd));
			break;
		case 3:
			may_fail(try_unload(fd));
			break;
		case 4:
			may_fail(try_restart(fd));
			break;
		case 5:
			may_fail(try_write_pmd(fd, 0, 0));
			break;
		case 6:
			look(fd);
			break;
		default:
			dawdle();
		}
	}
}

struct tool {
	int	fd;
	pid_t	target;
};

static void use_tool(void *arg)
{
	const struct tool *tool = arg;

	pin(draw(2));
	meddle(tool->fd, tool->target, 12);
}

static pid_t other_tool(int fd, pid_t target)
{
	struct tool tool = { .fd = fd, .target = target };
	pid_t pid;

	/* The two processes must draw different numbers. */
	seed += 77;
	pid = spawn(use_tool, &tool);
	seed -= 77;
	return pid;
}

/* Both processes belong to others, and may have ended. */
static void end_target(pid_t target)
{
	int status;

	if (draw(2))
		dawdle();
	CHECK_OK(kill(target, SIGKILL));
	CHECK_EQ(waitpid(target, &status, 0), target);
}

/* ... the end of a child that has the descriptor as well. */
static void close_before_or_after(int fd, pid_t child)
{
	bool after = draw(2);

	if (after)
		reap(child);
	CHECK_OK(close(fd));
	if (!after)
		reap(child);
}

static void live(void *unused)
{
	unsigned int i;

	(void)unused;
	pin(draw(2));
	for (i = draw(4); i; i--) {
		loop(2000);
		dawdle();
	}
}

/* Two tools have a context, whose thread ends or is killed. */
static void ends(void)
{
	int fd = create_counting(general, 0);
	pid_t target = spawn_without(fd, live, NULL), other;

	may_fail(try_load(fd, target));
	may_fail(try_start(fd));
	other = other_tool(fd, target);
	meddle(fd, target, 6);
	end_target(target);
	close_before_or_after(fd, other);
}

static void execute(void *path)
{
	char *const privileged[] = { path, "1000", NULL }, *const plain[] = { "/bin/true", NULL };

	become(NOBODY, NOBODY);
	dawdle();
	if (draw(3))
		execv(path, privileged);
	execv("/bin/true", plain);
	_exit(1);
}

/* The thread gains privileges by an exec. */
static void executes(void)
{
	int fd = create_counting(general, 0);
	pid_t target = spawn_without(fd, execute, "/tmp/sleep"), other;

	may_fail(try_load(fd, target));
	may_fail(try_start(fd));
	other = other_tool(fd, target);
	sleep_ms(5);
	meddle(fd, target, 6);
	reap(other);
	end_target(target);
	CHECK_OK(close(fd));
}

static void have_children(void *unused)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		reap(spawn(live, unused));
}

static void forks(void)
{
	int fd = create_counting(general, 0);
	pid_t target = spawn_without(fd, have_children, NULL);

	may_fail(try_load(fd, target));
	may_fail(try_start(fd));
	meddle(fd, target, 12);
	sleep_ms(5);
	end_target(target);
	CHECK_OK(close(fd));
}

/* Two contexts are loaded onto one thread. */
static void loads(void)
{
	int first = create_counting(general, 0), second = create_counting(general, 0);
	pid_t target = spawn_without(first, draw(2) ? just_wait : just_spin, NULL), other;

	pin_thread(target, draw(2));
	other = other_tool(second, target);
	may_fail(try_load(first, target));
	meddle(first, target, 8);
	may_fail(try_unload(first));
	may_fail(try_load(first, target));
	reap(other);
	end_target(target);
	CHECK_OK(close(first));
	CHECK_OK(close(second));
}

static void claim(void *unused)
{
	unsigned int i;
	int fd;

	(void)unused;
	for (i = 0; i < 4; i++) {
		pin(draw(2));
		if (draw(2)) {
			fd = try_perf_hardware();
		} else {
			fd = create_counting(general, PFM_FL_SYSTEM_WIDE);
			may_fail(try_load(fd, gettid()));
			may_fail(try_start(fd));
		}
		dawdle();
		if (fd >= 0)
			CHECK_OK(close(fd));
		else
			CHECK_EQ(errno, EBUSY);
	}
}

static void spin_as_somebody(void *fd)
{
	become(NOBODY, NOBODY);
	pin(draw(2));
	may_fail(try_load(*(int *)fd, gettid()));
	may_fail(try_start(*(int *)fd));
	just_spin(NULL);
}

/* A user's session, and privileged sessions that take the PMU. */
static void claims(void)
{
	int fd = create_counting(general, 0);
	pid_t session, claimant;
	unsigned int i;

	session = spawn(spin_as_somebody, &fd);
	/* A load of ours would not give way to others. */
	for (i = draw(4) ? 50 : 0; i && !read_sysfs_u64("sessions/thread"); i--)
		sleep_ms(1);
	claimant = spawn(claim, NULL);
	meddle(fd, session, 4);
	seed++;
	claim(NULL);
	end_target(session);
	close_before_or_after(fd, claimant);
}

static void flip_cpu(void *unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < 2; i++) {
		dawdle();
		take_cpu_down();
		dawdle();
		bring_cpu_up();
	}
}

static void load_there(void *fd)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	/* The CPU may be offline. */
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		return;
	may_fail(try_load(*(int *)fd, gettid()));
	may_fail(try_start(*(int *)fd));
}

/* Sessions of a CPU that goes offline and comes back. */
static void hotplug(void)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);
	pid_t flipper;

	pin(0);
	run_in_child(load_there, &fd);
	flipper = spawn(flip_cpu, NULL);
	meddle(fd, gettid(), 4);
	run_in_child(load_there, &fd);
	meddle(fd, gettid(), 4);
	reap(flipper);
	CHECK_OK(close(fd));
}

static void overflow_often(void *unused)
{
	(void)unused;
	pin(draw(2));
	for (;;)
		loop(1000);
}

static void restart_often(void *fd)
{
	unsigned int i;

	for (i = 0; i < 10; i++) {
		may_fail(try_restart(*(int *)fd));
		dawdle();
	}
}

/* The thread blocks at overflows; signals and tools interfere. */
static void blocks(void)
{
	int fd = create(PFM_FL_NOTIFY_BLOCK);
	pid_t target, other;

	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 5000 });
	target = spawn_without(fd, overflow_often, NULL);
	load(fd, target);
	start(fd);
	other = spawn(restart_often, &fd);
	sleep_ms(10);
	kill(target, SIGSTOP);
	dawdle();
	kill(target, SIGCONT);
	meddle(fd, target, 6);
	if (draw(2))
		may_fail(try_unload(fd));
	end_target(target);
	close_before_or_after(fd, other);
}

/* All resources are released, and a session counts as in an unused kernel. */
static void check_all_is_well(void)
{
	int fd = create_counting(general, 0);

	WAIT_UNTIL(!read_sysfs_u64("sessions/thread") && !read_sysfs_u64("sessions/system"));
	pin(0);
	WAIT_UNTIL(!try_load(fd, gettid()));
	start(fd);
	loop(10000);
	stop(fd);
	CHECK_GE(read_pmd(fd, 0), 20000);
	CHECK_LE(read_pmd(fd, 0), 25000);
	CHECK_OK(close(fd));
}

/* Return: true if @word is one of @words. */
static bool is_among(const char *words, const char *word)
{
	const char *at = words;
	size_t n = strlen(word);

	for (; (at = strstr(at, word)); at += n) {
		if ((at == words || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	}
	return false;
}

static void play(const char *function, void (*scene)(void))
{
	char parameters[128];
	unsigned int round;

	printf("behind %s\n", function);
	snprintf(parameters, sizeof(parameters), "after=%s us=700", function);
	hurt(parameters);
	for (round = 1; round <= ROUNDS || (!hits() && round <= MANY_ROUNDS); round++) {
		seed = round * 2654435761U;
		scene();
	}
	if (!heal())
		FAIL("it never reaches %s, although " WINDOWS " lists it", function);
	check_all_is_well();
}

static void play_behind_each(const char *name, void (*scene)(void))
{
	const char *here = through_device() ? "module" : "core";
	unsigned int n = 0;
	FILE *file = fopen(WINDOWS, "r");
	struct window window;

	need_pmu();
	need_cpus(2);
	if (!file)
		FAIL(WINDOWS ": %s", strerror(errno));
	while (windows_next(file, here, &window)) {
		if (!is_among(window.scenes, name))
			continue;
		play(window.function, scene);
		n++;
	}
	fclose(file);
	CHECK(n);
}

TEST_LIMIT(the_thread_ends, 300)
{
	play_behind_each("ends", ends);
}

TEST_LIMIT(the_thread_executes_a_privileged_program, 300)
{
	privileged_program();
	play_behind_each("executes", executes);
}

TEST_LIMIT(the_thread_has_children, 300)
{
	play_behind_each("forks", forks);
}

TEST_LIMIT(two_contexts_are_loaded_onto_a_thread, 300)
{
	play_behind_each("loads", loads);
}

static void play_claims(void *unused)
{
	(void)unused;
	play_behind_each("claims", claims);
}

TEST_LIMIT(the_pmu_is_claimed, 300)
{
	with_file(PERFMON_SYSFS "limits/watchdog_pause", "any", play_claims, NULL);
}

TEST_LIMIT(a_cpu_goes_and_comes, 300)
{
	play_behind_each("hotplug", hotplug);
}

TEST_LIMIT(the_thread_waits_at_overflows, 300)
{
	play_behind_each("blocks", blocks);
}
