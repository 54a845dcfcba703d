// SPDX-License-Identifier: GPL-2.0
/* The signal of an overflow: its time, its contents, and the thread that gets it. */
#include "overflow.h"

/*
 * For threads that count their own signals. On PREEMPT_RT a thread of the CPU sends them, and takes
 * the CPU from ours; on another CPU ours would go on before it has its signal.
 */
static int self_notifying_context(__u32 flags, __u64 period)
{
	pin(0);
	return notifying_context(flags, period);
}

static volatile sig_atomic_t signals, signal_number, signal_fd, signal_code;
static volatile sig_atomic_t message_there;

static void on_signal(int number, siginfo_t *info, void *context)
{
	struct pollfd pollfd = { .events = POLLIN };

	(void)context;
	signals++;
	signal_number = number;
	signal_code = info->si_code;
	signal_fd = info->si_fd;
	pollfd.fd = info->si_fd;
	message_there = poll(&pollfd, 1, 0) == 1 && (pollfd.revents & POLLIN);
}

static void want_signal(int fd, int number)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };

	CHECK_OK(sigaction(number, &action, NULL));
	CHECK_OK(fcntl(fd, F_SETOWN, getpid()));
	CHECK_OK(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC));
	CHECK_OK(fcntl(fd, F_SETSIG, number));
	signals = 0;
}

/* covers: 3.3.7-2 3.3.7-4 3.3.7-5 3.3.7-6 */
TEST(the_signal_comes_after_the_message_and_names_the_descriptor)
{
	int fd = self_notifying_context(0, 1000);

	want_signal(fd, SIGRTMIN + 1);
	start(fd);
	loop(2000);
	CHECK_EQ(signals, 1);
	CHECK_EQ(signal_number, SIGRTMIN + 1);
	CHECK_EQ(signal_fd, fd);
	CHECK_EQ(signal_code, POLL_IN);
	CHECK(message_there);
	restart(fd);
	loop(2000);
	CHECK_EQ(signals, 2);
}

static void on_sigio(int number)
{
	(void)number;
	signals++;
}

/* covers: 3.3.7-2 3.3.7-3 */
TEST(the_usual_signal_is_sigio)
{
	struct sigaction action = { .sa_handler = on_sigio };
	int fd = self_notifying_context(0, 1000);

	CHECK_OK(sigaction(SIGIO, &action, NULL));
	CHECK_OK(fcntl(fd, F_SETOWN, getpid()));
	CHECK_OK(fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK));
	start(fd);
	loop(2000);
	CHECK_EQ(signals, 1);
	expect_overflow(fd, 0, BIT_ULL(0));
}

/* The signal interrupts the code right behind the overflow, as far as it can. */
static volatile __u64 counted_in_handler;
static int context_of_handler;

static void read_and_restart(int number)
{
	pfarg_pmd_t pmd = { .reg_num = 1 };

	(void)number;
	if (perfmonctl(context_of_handler, PFM_READ_PMDS, &pmd, 1))
		return;
	counted_in_handler = pmd.reg_value;
	if (!perfmonctl(context_of_handler, PFM_RESTART, NULL, 0))
		signals++;
}

/* covers: 3.4-1 3.4.3-11 3.4.3-12 */
TEST(a_thread_samples_itself_in_a_signal_handler)
{
	struct sigaction action = { .sa_handler = read_and_restart };
	int fd = self_notifying_context(PFM_FL_OVFL_NO_MSG, 10000);

	context_of_handler = fd;
	CHECK_OK(sigaction(SIGIO, &action, NULL));
	CHECK_OK(fcntl(fd, F_SETOWN, getpid()));
	CHECK_OK(fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK));
	start(fd);
	loop(100000);
	stop(fd);
	CHECK_EQ(signals, all_of(fd) / 10000);
	CHECK_EQ(counted_in_handler, 10000ULL * signals);
	CHECK(!has_message(fd));
}

/* covers: 3.1.1-11 3.3.7-7 3.3.7-8 3.4.3-11 3.4.3-12 */
TEST(without_messages_there_are_signals_and_restarts_all_the_same)
{
	int fd = self_notifying_context(PFM_FL_OVFL_NO_MSG, 1000);
	pfm_msg_t msg;

	want_signal(fd, SIGRTMIN + 2);
	start(fd);
	loop(2000);
	CHECK_EQ(signals, 1);
	CHECK(!message_there);
	check_state(fd, "masked");
	CHECK_ERRNO(read(fd, &msg, sizeof(msg)), EAGAIN);
	restart(fd);
	loop(2000);
	CHECK_EQ(signals, 2);
	CHECK_EQ(all_of(fd), 2000);
	CHECK_EQ(ledger(fd, "lost-messages"), 0);
}

/* covers: 3.3.6-2 */
TEST(the_end_is_told_without_overflow_messages)
{
	int fd = create(PFM_FL_OVFL_NO_MSG);
	pid_t pid = sleeping_child(fd);

	load(fd, pid);
	kill_child(pid);
	expect_end(fd);
}

/* covers: 3.3.7-2 */
TEST(the_end_is_signalled_like_an_overflow)
{
	int fd = create(0);
	pid_t pid = sleeping_child(fd);

	load(fd, pid);
	set_nonblocking(fd);
	want_signal(fd, SIGRTMIN + 3);
	/* The test does not wait for the signal: the signal would interrupt the wait. */
	CHECK_OK(kill(pid, SIGKILL));
	WAIT_UNTIL(signals);
	CHECK_EQ(signals, 1);
	CHECK_EQ(signal_number, SIGRTMIN + 3);
	CHECK_EQ(signal_fd, fd);
	CHECK_EQ(signal_code, POLL_IN);
	CHECK(message_there);
	expect_end(fd);
	kill_child(pid);
}

/* covers: D.7-10 */
TEST(a_full_queue_signals_all_the_same)
{
	int fd = self_notifying_context(0, 1000), i;

	want_signal(fd, SIGRTMIN + 1);
	start(fd);
	for (i = 1; i <= 12; i++) {
		loop(1000);
		CHECK_EQ(signals, i);
		restart(fd);
	}
}

/* While a thread reads the kernel's log, a line for the log leaves work to the next timer tick. */
static void read_log(void *unused)
{
	char line[1024];
	int log = open("/dev/kmsg", O_RDONLY);

	(void)unused;
	CHECK_OK(log);
	CHECK_OK(lseek(log, 0, SEEK_END));
	while (read(log, line, sizeof(line)) > 0)
		;
}

/* covers: 3.3.7-2 */
TEST(a_signal_does_not_wait_for_the_timer)
{
	int fd = self_notifying_context(0, 1000), log, i;
	static const char line[] = "<7>a line of a test\n";
	struct thread reader;

	log = open("/dev/kmsg", O_WRONLY);
	CHECK_OK(log);
	thread_start(&reader, read_log, NULL);
	want_signal(fd, SIGRTMIN + 1);
	start(fd);
	for (i = 1; i <= 8; i++) {
		sleep_ms(1);
		CHECK_EQ(write(log, line, strlen(line)), (ssize_t)strlen(line));
		loop(1000);
		CHECK_EQ(signals, i);
		restart(fd);
	}
}

/* Only one thread gets it, the one that requested it. */
static void wait_for_signal(void *arg)
{
	while (!signals)
		sleep_ms(1);
	*(int *)arg = gettid();
}

static volatile sig_atomic_t signalled_tid;

static void note_thread(int number)
{
	(void)number;
	signalled_tid = gettid();
	signals++;
}

/* covers: 3.3.7-2 */
TEST(the_signal_goes_to_the_thread_that_owns_the_descriptor)
{
	struct sigaction action = { .sa_handler = note_thread };
	int fd = notifying_context(0, 1000), tid = 0;
	struct f_owner_ex owner = { F_OWNER_TID, 0 };
	struct thread thread;

	CHECK_OK(sigaction(SIGIO, &action, NULL));
	thread_start(&thread, wait_for_signal, &tid);
	owner.pid = thread.tid;
	CHECK_OK(fcntl(fd, F_SETOWN_EX, &owner));
	CHECK_OK(fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK));
	start(fd);
	loop(2000);
	thread_join(&thread);
	CHECK_EQ(signalled_tid, thread.tid);
	CHECK_EQ(signals, 1);
}
