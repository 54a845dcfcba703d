// SPDX-License-Identifier: GPL-2.0
/*
 * execve() of a monitored thread: it stays monitored, unless it gains privileges or can no longer
 * be read.
 *
 * Tests execute this program itself; its arguments select what it does.
 */
#include "count.h"
#include "messages.h"
#include "settings.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/xattr.h>

/* Far more than a program needs to start and to end. */
#define LOOPS	1000000

/* Executed: loop. */
static void run_loop(char **argv)
{
	(void)argv;
	loop(LOOPS);
}

/* Executed: open gate 1 and wait at gate 2. */
static void run_gates(char **argv)
{
	eventfd_t value;

	eventfd_write(atoi(argv[2]), 1);
	eventfd_read(atoi(argv[3]), &value);
}

static __u64 peek_pmd(int fd)
{
	pfarg_pmd_t pmd = { .reg_num = 0 };

	if (perfmonctl(fd, PFM_READ_PMDS, &pmd, 1))
		_exit(10);
	return pmd.reg_value;
}

/* Executed: does our context count us? */
static void run_counts(char **argv)
{
	__u64 before = peek_pmd(atoi(argv[2]));

	loop(1000);
	_exit(peek_pmd(atoi(argv[2])) >= before + 2000 ? 0 : 11);
}

/* Executed: was our context unloaded, and do we get the message? */
static void run_detached(char **argv)
{
	int fd = atoi(argv[2]);
	__u64 before;
	pfm_msg_t msg;

	if (try_stop(fd) != -1 || errno != EBUSY)
		_exit(12);
	before = peek_pmd(fd);
	loop(1000);
	if (peek_pmd(fd) != before)
		_exit(13);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	if (read(fd, &msg, sizeof(msg)) != sizeof(msg) || msg.msg_type != PFM_MSG_END)
		_exit(14);
}

static const struct {
	const char	*name;
	void		(*run)(char **argv);
} programs[] = {
	{ "loop", run_loop },
	{ "gates", run_gates },
	{ "counts", run_counts },
	{ "detached", run_detached },
};

__attribute__((constructor)) static void executed(int argc, char **argv)
{
	size_t i;

	if (argc < 4 || strcmp(argv[0], "executed"))
		return;
	for (i = 0; i < ARRAY_SIZE(programs); i++) {
		if (!strcmp(argv[1], programs[i].name)) {
			programs[i].run(argv);
			_exit(0);
		}
	}
	_exit(9);
}

static void execute(const char *path, const char *program, int a, int b)
{
	char first[16], second[16];

	snprintf(first, sizeof(first), "%d", a);
	snprintf(second, sizeof(second), "%d", b);
	execl(path, "executed", program, first, second, NULL);
	FAIL("cannot run %s: %s", path, strerror(errno));
}

/* Which child executes which program; the parent starts it through a gate. */
struct plan {
	const char	*path;
	const char	*program;
	uid_t		user;
	int		go;
	int		a, b;
};

static void follow_plan(void *arg)
{
	const struct plan *plan = arg;

	if (plan->user)
		become(plan->user, plan->user);
	gate_wait(plan->go);
	execute(plan->path, plan->program, plan->a, plan->b);
}

/* A child that waits to follow the plan, monitored and started. */
static pid_t monitored_child(int fd, struct plan *plan)
{
	pid_t pid;

	plan->go = gate_new();
	pid = spawn_without(fd, follow_plan, plan);
	wait_state(pid, 'S');
	load(fd, pid);
	start(fd);
	return pid;
}

/* covers: 3.1.7-38 */
TEST(exec_keeps_monitoring)
{
	struct plan plan = { .path = "/proc/self/exe", .program = "loop" };
	int fd = create_counting(general, 0);
	pid_t pid = monitored_child(fd, &plan);

	gate_open(plan.go);
	reap(pid);
	CHECK_GE(read_pmd(fd, 0), 2ULL * LOOPS);
	expect_end(fd);
}

/* covers: 3.1.7-38 */
TEST(exec_keeps_what_was_counted_before)
{
	struct plan plan = { .path = "/proc/self/exe", .program = "loop" };
	int fd = create_counting(general, 0);
	pid_t pid = monitored_child(fd, &plan);

	write_pmd(fd, 0, 1ULL << 50);
	gate_open(plan.go);
	reap(pid);
	CHECK_GE(read_pmd(fd, 0), (1ULL << 50) + 2ULL * LOOPS);
}

/* covers: 3.1.7-36 */
TEST(exec_keeps_the_context_loaded)
{
	struct plan plan = { .path = "/proc/self/exe", .program = "gates" };
	int fd;
	pid_t pid;

	plan.a = gate_new();
	plan.b = gate_new();
	fd = create(0);
	pid = monitored_child(fd, &plan);
	gate_open(plan.go);
	gate_wait(plan.a);
	check_loaded(fd);
	CHECK(!has_message(fd));
	stop(fd);
	start(fd);
	unload(fd);
	gate_open(plan.b);
	reap(pid);
}

/* covers: 3.1.7-38 */
TEST(exec_does_not_start_what_is_stopped)
{
	struct plan plan = { .path = "/proc/self/exe", .program = "loop" };
	int fd = create_counting(general, 0);
	pid_t pid = monitored_child(fd, &plan);

	write_pmd(fd, 0, 0);
	stop(fd);
	gate_open(plan.go);
	reap(pid);
	CHECK_EQ(read_pmd(fd, 0), 0);
}

static void execute_while_counted(void *arg)
{
	int fd = *(int *)arg;

	load_self(fd);
	start(fd);
	execute("/proc/self/exe", "counts", fd, 0);
}

/* covers: 3.1.1-34 3.1.7-38 4.3.1-2 */
TEST(a_self_monitoring_thread_stays_so_over_exec)
{
	int fd = create_counting(general, 0);

	run_in_child(execute_while_counted, &fd);
}

/* covers: 3.1.7-36 */
TEST(a_failed_exec_changes_nothing)
{
	int fd = create_counting(general, 0);
	__u64 before;

	load_self(fd);
	start(fd);
	CHECK_ERRNO(execl("/nonexistent", "x", NULL), ENOENT);
	CHECK_ERRNO(execl("/proc/self/maps", "x", NULL), EACCES);
	before = read_pmd(fd, 0);
	loop(1000);
	CHECK_GE(read_pmd(fd, 0), before + 2000);
	check_loaded(fd);
}

static void execute_without_descriptor(void *arg)
{
	int fd = *(int *)arg;

	load_self(fd);
	start(fd);
	CHECK_OK(fcntl(fd, F_SETFD, FD_CLOEXEC));
	execute("/proc/self/exe", "loop", 0, 0);
}

static void own_context_without_descriptor(void *arg)
{
	int fd = create(0);

	execute_without_descriptor(&fd);
	(void)arg;
}

/* covers: 3.1.1-35 */
TEST(close_on_exec_destroys_a_context)
{
	__u64 before = read_sysfs_u64("sessions/thread");

	run_in_child(own_context_without_descriptor, NULL);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), before);
}

/* The exec closes the child's descriptor; this process monitors. */
/* covers: 3.3.6-14 */
TEST(close_on_exec_in_the_monitored_child_leaves_it_monitored)
{
	struct plan plan = { .path = "/proc/self/exe", .program = "loop" };
	int fd = create_counting(general, 0);
	pid_t pid;

	CHECK_OK(fcntl(fd, F_SETFD, FD_CLOEXEC));
	plan.go = gate_new();
	pid = spawn(follow_plan, &plan);
	wait_state(pid, 'S');
	load(fd, pid);
	start(fd);
	gate_open(plan.go);
	reap(pid);
	CHECK_GE(read_pmd(fd, 0), 2ULL * LOOPS);
	expect_end(fd);
}

/* A thread other than the first one executes: it becomes the process's only thread. */

static void execute_from_thread(void *arg)
{
	follow_plan(arg);
}

struct thread_plan {
	struct plan	plan;
	pid_t		tid;
	int		up;
};

static void thread_will_execute(void *arg)
{
	struct thread_plan *plan = arg;
	struct thread thread;

	thread_start(&thread, execute_from_thread, &plan->plan);
	plan->tid = thread.tid;
	gate_open(plan->up);
	just_wait(NULL);
}

static struct thread_plan *multithreaded_child(int fd, pid_t *pid)
{
	struct thread_plan *plan = test_shared(sizeof(*plan));

	plan->plan.path = "/proc/self/exe";
	plan->plan.program = "loop";
	plan->plan.go = gate_new();
	plan->up = gate_new();
	*pid = spawn_without(fd, thread_will_execute, plan);
	gate_wait(plan->up);
	return plan;
}

/* covers: 3.1.7-36 */
TEST(a_thread_that_executes_stays_monitored)
{
	int fd = create_counting(general, 0);
	struct thread_plan *plan;
	pid_t pid;

	plan = multithreaded_child(fd, &pid);
	load(fd, plan->tid);
	start(fd);
	gate_open(plan->plan.go);
	reap(pid);
	CHECK_GE(read_pmd(fd, 0), 2ULL * LOOPS);
	expect_end(fd);
}

/* covers: 3.3.6-4 */
TEST(a_leader_whose_thread_executes_is_gone)
{
	int fd = create_counting(general, 0);
	struct thread_plan *plan;
	pid_t pid;

	plan = multithreaded_child(fd, &pid);
	wait_state(pid, 'S');
	load(fd, pid);
	start(fd);
	gate_open(plan->plan.go);
	expect_end(fd);
	reap(pid);
	CHECK_LE(read_pmd(fd, 0), LOOPS);
}

/* Programs that run with other rights than the processes that execute them. */

static const char *copy_program(mode_t mode)
{
	static const char path[] = "/tmp/executed";
	char buffer[65536];
	ssize_t n;
	int in, out;

	/* A directory in which set-user-id works, whatever /tmp is. */
	CHECK_OK(unshare(CLONE_NEWNS));
	CHECK_OK(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	CHECK_OK(mount("tmpfs", "/tmp", "tmpfs", 0, "mode=1777"));
	in = open("/proc/self/exe", O_RDONLY);
	CHECK_OK(in);
	out = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	CHECK_OK(out);
	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		CHECK_EQ(write(out, buffer, n), n);
	CHECK_EQ(n, 0);
	CHECK_OK(fchmod(out, mode));
	CHECK_OK(close(out));
	CHECK_OK(close(in));
	return path;
}

/* A child of the user nobody executes @path and is not monitored from then on. */
static void expect_detached(const char *path)
{
	struct plan plan = { .path = path, .program = "loop", .user = NOBODY };
	int fd = create_counting(general, 0);
	pid_t pid = monitored_child(fd, &plan);

	write_pmd(fd, 0, 1ULL << 50);
	gate_open(plan.go);
	reap(pid);
	expect_end(fd);
	CHECK(!has_message(fd));
	check_unloaded(fd);
	CHECK_GE(read_pmd(fd, 0), (1ULL << 50) + 1);
	CHECK_LE(read_pmd(fd, 0), (1ULL << 50) + LOOPS);
}

/* covers: 3.1.7-36 */
TEST(exec_of_an_ordinary_copy_keeps_monitoring)
{
	struct plan plan = { .program = "loop", .user = NOBODY };
	int fd = create_counting(general, 0);
	pid_t pid;

	plan.path = copy_program(0755);
	pid = monitored_child(fd, &plan);
	gate_open(plan.go);
	reap(pid);
	CHECK_GE(read_pmd(fd, 0), 2ULL * LOOPS);
}

/* covers: 3.1.7-37 D.9-23 */
TEST(exec_of_a_set_user_id_program_detaches)
{
	need_pmu();
	expect_detached(copy_program(04755));
}

/* covers: 3.1.7-37 */
TEST(exec_of_a_set_group_id_program_detaches)
{
	need_pmu();
	expect_detached(copy_program(02755));
}

/* covers: 3.1.7-37 */
TEST(exec_of_an_unreadable_program_detaches)
{
	need_pmu();
	expect_detached(copy_program(0711));
}

/* covers: 3.1.7-37 */
TEST(exec_of_a_program_with_capabilities_detaches)
{
	struct vfs_cap_data caps = {
		.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
		.data[0].permitted = 1 << CAP_NET_RAW,
	};
	const char *path;

	need_pmu();
	path = copy_program(0755);
	CHECK_OK(setxattr(path, "security.capability", &caps, XATTR_CAPS_SZ_2, 0));
	expect_detached(path);
}

/* covers: 3.1.7-37 */
TEST(a_detached_program_can_be_monitored_by_those_who_may)
{
	struct plan plan = { .program = "gates", .user = NOBODY };
	int fd = create(0), other = create(0);
	pid_t pid;

	plan.path = copy_program(04755);
	plan.a = gate_new();
	plan.b = gate_new();
	pid = monitored_child(fd, &plan);
	gate_open(plan.go);
	gate_wait(plan.a);
	expect_end(fd);
	load(other, pid);
	unload(other);
	gate_open(plan.b);
	reap(pid);
}

/* covers: 3.1.7-36 */
TEST(exec_of_a_set_user_id_program_by_its_owner_keeps_monitoring)
{
	struct plan plan = { .program = "loop" };
	int fd = create_counting(general, 0);
	pid_t pid;

	plan.path = copy_program(04755);
	pid = monitored_child(fd, &plan);
	gate_open(plan.go);
	reap(pid);
	CHECK_GE(read_pmd(fd, 0), 2ULL * LOOPS);
}

static void gain_privileges_while_counted(void *arg)
{
	int fd;

	become(NOBODY, NOBODY);
	fd = create_counting(general, 0);
	load_self(fd);
	start(fd);
	execute(arg, "detached", fd, 0);
}

/* covers: 3.1.7-37 */
TEST(a_self_monitoring_thread_that_gains_privileges_is_detached_and_told)
{
	need_pmu();
	run_in_child(gain_privileges_while_counted, (void *)copy_program(04755));
}
