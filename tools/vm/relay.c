// SPDX-License-Identifier: GPL-2.0
/*
 * The host's end of a guest: starts QEMU, passes the command's output on as it
 * comes, and judges how the run ended. init.c is the other end; tools/vm/run starts
 * this one:
 *
 *	relay [-t SECONDS] [-b SECONDS] [-i | -s] CONSOLE-LOG QEMU-LOG QEMU [ARG...]
 *
 * -t limits the whole run, -b the time until the command starts; -i leaves the terminal to
 * QEMU, -s passes this process' standard input on to QEMU, once the command starts.
 * The kernel writes CONSOLE-LOG, QEMU itself QEMU-LOG. QEMU finds the write ends of
 * three pipes as /dev/fd/3 (stdout), 4 (stderr) and 5 (control: "up" and "exit N", a
 * line each).
 *
 * Exit status: the command's, or 124 when the time was up, 125 when the guest failed (its
 * kernel's last lines go to stderr), 128+N when signal N ended this process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define __noreturn	__attribute__((noreturn))
#define FIRST_QEMU_FD	3
#define LAST_LINES	45
#define END_SECONDS	15	/* for QEMU to end, after the guest has reported its status */

enum { STDOUT, STDERR, CONTROL, STREAMS };

/* The data on their way from a pipe to a descriptor of this process. */
struct stream {
	int	from;		/* -1 after its end */
	int	to;		/* -1: nowhere, they stay in data */
	size_t	used;
	char	data[4096];	/* at most PIPE_BUF, so that a write does not block */
};

struct run {
	struct stream	streams[STREAMS];
	pid_t		qemu;
	int		input;		/* of QEMU; -1: it has none, or the pump has it */
	int		signals;
	double		end;		/* time limit of the run, or 0 */
	double		boot_end;	/* time limit for the command's start, or 0 */
	double		kill_end;	/* time to kill QEMU after the status, or 0 */
	bool		ended;		/* QEMU has exited */
	bool		timed_out;
	bool		boot_timed_out;
	bool		unread;		/* the reader of the output is gone */
	int		caught;		/* the signal that requested a stop */
};

static __noreturn void die(const char *what)
{
	fprintf(stderr, "tools/vm/run: %s: %s\n", what, strerror(errno));
	exit(125);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* QEMU's standard input, if it is not a descriptor: none, or that of this process. */
enum { INPUT_NONE = -1, INPUT_OURS = -2 };

static __noreturn void become_qemu(char **argv, int *pipes, const char *log, int input)
{
	sigset_t none;
	int fd, i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (input == INPUT_NONE)
		input = open("/dev/null", O_RDONLY);
	if (input != INPUT_OURS && dup2(input, STDIN_FILENO) < 0)
		die("no input for QEMU");
	/* Move the pipes above 3 to 5 first: some of them may have these numbers. */
	for (i = 0; i < STREAMS; i++) {
		pipes[i] = fcntl(pipes[i], F_DUPFD, FIRST_QEMU_FD + STREAMS);
		if (pipes[i] < 0)
			die("no descriptor for QEMU");
	}
	for (i = 0; i < STREAMS; i++)
		if (dup2(pipes[i], FIRST_QEMU_FD + i) < 0)
			die("no descriptor for QEMU");
	close_range(FIRST_QEMU_FD + STREAMS, ~0U, 0);
	/* QEMU's messages are not output of the command. */
	fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
		die(log);
	if (input != INPUT_OURS) {
		setpgid(0, 0); /* Ctrl-C is for this process */
		dup2(fd, STDOUT_FILENO);
	}
	execv(argv[0], argv);
	die(argv[0]);
}

static void start_qemu(struct run *run, char **argv, const char *log, bool interactive,
		       bool pass_input)
{
	int input[2] = { interactive ? INPUT_OURS : INPUT_NONE, -1 };
	int pipes[STREAMS], ends[2], i;

	if (pass_input && pipe2(input, O_CLOEXEC))
		die("no pipe");
	run->input = input[1];

	for (i = 0; i < STREAMS; i++) {
		if (pipe2(ends, O_CLOEXEC))
			die("no pipe");
		run->streams[i].from = ends[0];
		pipes[i] = ends[1];
	}
	run->streams[STDOUT].to = STDOUT_FILENO;
	run->streams[STDERR].to = STDERR_FILENO;
	run->streams[CONTROL].to = -1;
	run->qemu = fork();
	if (run->qemu < 0)
		die("fork");
	if (run->qemu == 0)
		become_qemu(argv, pipes, log, input[0]);
	for (i = 0; i < STREAMS; i++)
		close(pipes[i]);
	if (pass_input)
		close(input[0]);
}

/* The status that the guest reported, or -1. */
static int told_status(const struct run *run)
{
	const struct stream *control = &run->streams[CONTROL];
	const char *line = memmem(control->data, control->used, "exit ", 5);

	return line && memchr(line, '\n', control->data + control->used - line) ?
	       atoi(line + 5) : -1;
}

static bool is_up(const struct run *run)
{
	return run->streams[CONTROL].used >= 3;
}

/*
 * Start the pump, a process that copies the standard input to QEMU's: a read can block even
 * behind poll(), as others may have the same input. Start it only when the command is up: at
 * the input's end QEMU closes the port, and the guest must have seen it open.
 */
static void start_pump(struct run *run)
{
	static char buffer[65536];
	const pid_t parent = getpid();
	ssize_t got, put, done;
	pid_t pump = fork();

	if (pump < 0)
		die("fork");
	if (pump == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
		while ((got = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0)
			for (done = 0; done < got; done += put)
				if ((put = write(run->input, buffer + done, got - done)) < 0)
					_exit(0);
		_exit(0);
	}
	close(run->input);
	run->input = -1;
}

/* Move as much as is possible without blocking. */
static void move(struct run *run, struct stream *stream)
{
	ssize_t done;

	if (stream->used && stream->to >= 0) {
		done = write(stream->to, stream->data, stream->used);
		if (done > 0) {
			memmove(stream->data, stream->data + done, stream->used - done);
			stream->used -= done;
		} else if (done < 0 && errno != EINTR && errno != EAGAIN) {
			run->unread = true;
		}
		return;
	}
	done = read(stream->from, stream->data + stream->used,
		    sizeof(stream->data) - stream->used);
	if (done > 0) {
		stream->used += done;
	} else if (done == 0 || (errno != EINTR && errno != EAGAIN)) {
		close(stream->from);
		stream->from = -1;
	}
}

static void take_signal(struct run *run)
{
	struct signalfd_siginfo info;

	if (read(run->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo != SIGCHLD)
		run->caught = info.ssi_signo;
	else if (waitpid(run->qemu, NULL, WNOHANG) == run->qemu)
		run->ended = true;
}

/* Milliseconds until the next check of the time limits; notes a limit that is over. */
static int check_time(struct run *run)
{
	double time = now(), next = run->end;

	if (run->end && time >= run->end)
		run->timed_out = true;
	if (run->boot_end && !is_up(run)) {
		if (time >= run->boot_end)
			run->boot_timed_out = true;
		if (!next || run->boot_end < next)
			next = run->boot_end;
	}
	if (told_status(run) >= 0 && !run->ended) {
		if (!run->kill_end)
			run->kill_end = time + END_SECONDS;
		if (time >= run->kill_end)
			kill(run->qemu, SIGKILL);
		if (!next || run->kill_end < next)
			next = run->kill_end;
	}
	return next ? (next > time ? (int)((next - time) * 1000) + 1 : 100) : -1;
}

static bool over(const struct run *run)
{
	if (run->timed_out || run->boot_timed_out || run->unread || run->caught)
		return true;
	return run->ended && run->streams[STDOUT].from < 0 && !run->streams[STDOUT].used &&
	       run->streams[STDERR].from < 0 && !run->streams[STDERR].used &&
	       run->streams[CONTROL].from < 0;
}

static void serve(struct run *run)
{
	struct pollfd polls[STREAMS + 1];
	struct stream *stream;
	int i, wait;

	for (;;) {
		wait = check_time(run);
		if (over(run))
			return;
		if (run->input >= 0 && is_up(run))
			start_pump(run);
		for (i = 0; i < STREAMS; i++) {
			stream = &run->streams[i];
			polls[i].fd = stream->from;
			polls[i].events = POLLIN;
			if (stream->used && stream->to >= 0) {
				polls[i].fd = stream->to;
				polls[i].events = POLLOUT;
			}
			polls[i].revents = 0;
		}
		polls[STREAMS].fd = run->signals;
		polls[STREAMS].events = POLLIN;
		if (poll(polls, STREAMS + 1, wait) < 0 && errno != EINTR)
			die("poll");
		for (i = 0; i < STREAMS; i++)
			if (polls[i].fd >= 0 && polls[i].revents)
				move(run, &run->streams[i]);
		if (polls[STREAMS].revents)
			take_signal(run);
	}
}

/* True for the kernel's first line on a fault: the lines at a panic's end show less. */
static bool is_fault(const char *line)
{
	return strstr(line, "BUG: ") || strstr(line, "Oops: ") ||
	       strstr(line, "general protection fault");
}

/* Show the last lines, or the first ones of a fault. */
static void show_last_lines(const char *path)
{
	char *lines[LAST_LINES] = { NULL }, *line = NULL;
	size_t size = 0, count = 0, end = SIZE_MAX, i;
	FILE *log = fopen(path, "r");

	if (!log)
		return;
	while (count < end && getline(&line, &size, log) > 0) {
		if (end == SIZE_MAX && is_fault(line))
			end = count + LAST_LINES;
		line[strcspn(line, "\r\n")] = '\0';
		free(lines[count % LAST_LINES]);
		lines[count++ % LAST_LINES] = line;
		line = NULL;
	}
	for (i = count < LAST_LINES ? 0 : count - LAST_LINES; i < count; i++)
		fprintf(stderr, "    %s\n", lines[i % LAST_LINES]);
	fclose(log);
}

static int judge(const struct run *run, const char *console, const char *qemu_log)
{
	if (run->caught)
		return 128 + run->caught;
	if (run->unread)
		return 128 + SIGPIPE;
	if (told_status(run) >= 0)
		return told_status(run);
	if (run->timed_out) {
		fprintf(stderr, "tools/vm/run: the time is up%s; the kernel's log is %s\n",
			is_up(run) ? "" : ", and the guest had not come up yet", console);
		return 124;
	}
	fprintf(stderr, "tools/vm/run: the guest %s; the end of %s:\n",
		is_up(run) ? "failed while the command ran" : "did not come up", console);
	show_last_lines(console);
	if (!is_up(run)) {
		fprintf(stderr, "tools/vm/run: what QEMU said:\n");
		show_last_lines(qemu_log);
	}
	return 125;
}

int main(int argc, char **argv)
{
	static struct run run;
	bool interactive = false, pass_input = false;
	sigset_t mask;
	int option;

	while ((option = getopt(argc, argv, "+t:b:is")) >= 0) {
		if (option == 't')
			run.end = now() + atof(optarg);
		else if (option == 'b')
			run.boot_end = now() + atof(optarg);
		else if (option == 'i')
			interactive = true;
		else if (option == 's')
			pass_input = true;
		else
			return 2;
	}
	if (argc - optind < 3)
		return 2;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	run.signals = signalfd(-1, &mask, SFD_CLOEXEC);
	if (run.signals < 0)
		die("signalfd");
	start_qemu(&run, argv + optind + 2, argv[optind + 1], interactive, pass_input);
	serve(&run);
	if (!run.ended) {
		kill(run.qemu, SIGKILL);
		waitpid(run.qemu, NULL, 0);
	}
	return judge(&run, argv[optind], argv[optind + 1]);
}
