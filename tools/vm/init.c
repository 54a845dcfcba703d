// SPDX-License-Identifier: GPL-2.0
/*
 * The guest's init: the only program of its initramfs.
 *
 * Makes the host's root file system the guest's own (read-only by 9p, a tmpfs laid
 * over it), reads the job from the host, runs the command with its output relayed to
 * virtio-serial ports, reports its status, and resets the machine. tools/vm/run is the
 * other end. Any error here ends in a message on the console and a panic, which the
 * other end reports.
 *
 * Ports: stdout, stderr: bytes of the command. stdin: bytes for it, if the job has
 * "input". control: lines of text to the host: "up" when the command starts, "exit N" when
 * it has ended.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define __noreturn	__attribute__((noreturn))
#define MAX_WORDS	65536

/* The host's job, from the job file. */
struct job {
	const char	*directory;	/* working directory of the command */
	const char	*writable;	/* host directory that the guest may write, or NULL */
	const char	*modules;	/* tree to show as /lib/modules, or NULL */
	const char	*load;		/* module to load, or NULL */
	const char	*seed;		/* random bytes as text, or NULL */
	const char	*terminal;	/* "ROWS COLUMNS": an interactive shell, or NULL */
	bool		input;		/* the command's stdin comes from the host */
	bool		kmemleak;	/* search for leaked memory at the end */
	char		**argv;
	char		**envp;
};

static __noreturn void die(const char *format, ...)
{
	int error = errno;
	va_list args;

	va_start(args, format);
	fprintf(stderr, "init: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, ": %s\n", strerror(error));
	va_end(args);
	exit(1);	/* init's end is the kernel's panic */
}

static void mount_or_die(const char *source, const char *target, const char *type,
			 unsigned long flags, const char *options)
{
	if (mkdir(target, 0755) && errno != EEXIST && errno != EROFS)
		die("cannot make %s", target);
	if (mount(source, target, type, flags, options))
		die("cannot mount %s on %s (%s)", source, target, options ? options : type);
}

/*
 * The host's root. cache=loose: data that were read once are not read again. That makes the
 * guest usable, and is correct as long as no process changes the host's files under a running
 * guest; a change of data that were not read before is still seen.
 */
static void mount_root(void)
{
	mount_or_die("root", "/host", "9p", MS_RDONLY,
		     "trans=virtio,version=9p2000.L,msize=512000,cache=loose");
	mount_or_die("tmpfs", "/over", "tmpfs", 0, "mode=755");
	if (mkdir("/over/upper", 0755) || mkdir("/over/work", 0755))
		die("cannot make the overlay's directories");
	mount_or_die("overlay", "/root", "overlay", 0,
		     "lowerdir=/host,upperdir=/over/upper,workdir=/over/work");
}

static void enter_root(void)
{
	if (chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot("."))
		die("cannot enter the new root");
}

/* Mount the file systems that a program may expect of a running system. */
static void mount_system(const struct job *job)
{
	mount_or_die("sysfs", "/sys", "sysfs", 0, NULL);
	mount_or_die("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	/* A kernel that was built elsewhere may lack trace events. */
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	mount_or_die("cgroup2", "/sys/fs/cgroup", "cgroup2", 0, NULL);
	mount_or_die("devtmpfs", "/dev", "devtmpfs", 0, NULL);
	mount_or_die("devpts", "/dev/pts", "devpts", 0, "ptmxmode=0666,mode=0620,gid=5");
	mount_or_die("tmpfs", "/dev/shm", "tmpfs", 0, "mode=1777");
	mount_or_die("mqueue", "/dev/mqueue", "mqueue", 0, NULL);
	/* The sockets and pid files there belong to the host's daemons. */
	if (strncmp(job->directory, "/run/", 5))
		mount_or_die("tmpfs", "/run", "tmpfs", 0, "mode=755");
	if (symlink("/proc/self/fd", "/dev/fd") ||
	    symlink("/proc/self/fd/0", "/dev/stdin") ||
	    symlink("/proc/self/fd/1", "/dev/stdout") ||
	    symlink("/proc/self/fd/2", "/dev/stderr"))
		die("cannot link /dev/fd");
}

static void make_directories(const char *path)
{
	char *copy = strdup(path), *slash;

	for (slash = copy + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(copy, 0755);
		*slash = '/';
	}
	mkdir(copy, 0755);
	free(copy);
}

static void mount_wanted(const struct job *job)
{
	struct utsname uts;
	char path[256];

	/* The host may read this directory while the guest writes: cache nothing but mappings. */
	if (job->writable)
		mount_or_die("rw", job->writable, "9p", 0,
			     "trans=virtio,version=9p2000.L,msize=512000,cache=mmap");
	if (job->modules) {
		uname(&uts);
		snprintf(path, sizeof(path), "/lib/modules/%s", uts.release);
		make_directories(path);
		mount_or_die(job->modules, path, NULL, MS_BIND, NULL);
	}
}

static void start_loopback(void)
{
	struct ifreq request = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &request))
		die("no loopback interface");
	request.ifr_flags |= IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &request))
		die("cannot start the loopback interface");
	close(fd);
	if (sethostname("guest", 5))
		die("cannot set the host name");
}

/*
 * Give the kernel the host's randomness, eight bits for every two digits. Without it
 * the first program that needs some spins in the kernel for a second to make it.
 */
static void seed_random(const char *seed)
{
	struct {
		struct rand_pool_info	info;
		char			data[256];
	} pool = { 0 };
	int fd = open("/dev/random", O_WRONLY | O_CLOEXEC);

	pool.info.buf_size = strnlen(seed, sizeof(pool.data));
	pool.info.entropy_count = pool.info.buf_size * 4;
	memcpy(pool.info.buf, seed, pool.info.buf_size);
	if (fd < 0 || ioctl(fd, RNDADDENTROPY, &pool))
		die("cannot seed the random number generator");
	close(fd);
}

static char *read_file(const char *path, size_t *size)
{
	size_t room = 65536, used = 0;
	char *text = malloc(room + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		die("cannot open %s", path);
	while (text && (got = read(fd, text + used, room - used)) > 0) {
		used += got;
		if (used == room)
			text = realloc(text, (room *= 2) + 1);
	}
	if (!text || got < 0)
		die("cannot read %s", path);
	close(fd);
	text[used] = '\0';
	*size = used;
	return text;
}

/* The path of the job file, which the host gave on the kernel's command line. */
static char *job_path(void)
{
	static const char key[] = "perfmon.job=";
	size_t size;
	char *line = read_file("/proc/cmdline", &size), *start, *end;

	start = strstr(line, key);
	if (!start)
		die("no %s on the command line", key);
	start += strlen(key);
	end = start + strcspn(start, "\n ");
	*end = '\0';
	return start;
}

static void take_setting(struct job *job, const char *key, const char *value)
{
	if (!strcmp(key, "directory"))
		job->directory = value;
	else if (!strcmp(key, "writable"))
		job->writable = value;
	else if (!strcmp(key, "modules"))
		job->modules = value;
	else if (!strcmp(key, "load"))
		job->load = value;
	else if (!strcmp(key, "seed"))
		job->seed = value;
	else if (!strcmp(key, "terminal"))
		job->terminal = value;
	else if (!strcmp(key, "input"))
		job->input = true;
	else if (!strcmp(key, "kmemleak"))
		job->kmemleak = true;
}

/* The job file is a sequence of key=value strings, each with a NUL behind it. */
static void read_job(struct job *job, const char *path)
{
	static char *argv[MAX_WORDS + 1], *envp[MAX_WORDS + 1];
	size_t size, args = 0, vars = 0;
	char *text = read_file(path, &size), *line, *end, *value;

	memset(job, 0, sizeof(*job));
	job->argv = argv;
	job->envp = envp;
	for (line = text; line < text + size; line = end + 1) {
		end = line + strlen(line);
		value = strchr(line, '=');
		if (!value)
			die("the job file has a line without a value: %s", line);
		*value++ = '\0';
		if (!strcmp(line, "arg") && args < MAX_WORDS)
			argv[args++] = value;
		else if (!strcmp(line, "env") && vars < MAX_WORDS)
			envp[vars++] = value;
		else
			take_setting(job, line, value);
	}
	if (!args || !job->directory)
		die("the job file %s is incomplete", path);
}

/* Open the virtio-serial port of this name. */
static int open_port(const char *wanted, int flags)
{
	static const char class[] = "/sys/class/virtio-ports";
	char path[512], *name;
	struct dirent *entry;
	DIR *dir = opendir(class);
	size_t size;
	int fd = -1;

	while (dir && fd < 0 && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s/name", class, entry->d_name);
		name = read_file(path, &size);
		name[strcspn(name, "\n")] = '\0';
		if (!strcmp(name, wanted)) {
			snprintf(path, sizeof(path), "/dev/%s", entry->d_name);
			fd = open(path, flags | O_CLOEXEC);
		}
		free(name);
	}
	if (fd < 0)
		die("no virtio port named %s", wanted);
	closedir(dir);
	return fd;
}

static void write_all(int fd, const char *data, size_t size)
{
	ssize_t done;

	while (size) {
		done = write(fd, data, size);
		if (done < 0)
			die("cannot write to the host");
		data += done;
		size -= done;
	}
}

/* Give the shell a terminal of its own, of the size that the host's has. */
static void take_terminal(const char *size)
{
	struct winsize window = { 0 };
	int fd;

	setsid();
	fd = open("/dev/hvc0", O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0))
		die("no terminal");
	if (sscanf(size, "%hu %hu", &window.ws_row, &window.ws_col) == 2)
		ioctl(fd, TIOCSWINSZ, &window);
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	close(fd);
}

static __noreturn void child_main(const struct job *job, int in, int out, int err)
{
	int status;

	if (job->terminal) {
		take_terminal(job->terminal);
	} else {
		setsid();
		dup2(in, STDIN_FILENO);
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
	}
	close_range(3, ~0U, 0);
	if (chdir(job->directory)) {
		fprintf(stderr, "tools/vm/run: cannot enter %s in the guest: %s\n",
			job->directory, strerror(errno));
		_exit(126);
	}
	environ = job->envp;
	execvp(job->argv[0], job->argv);
	/* The statuses that env(1) and the shells use. */
	status = errno == ENOENT ? 127 : 126;
	fprintf(stderr, "tools/vm/run: cannot run %s in the guest: %s\n", job->argv[0],
		strerror(errno));
	_exit(status);
}

/* Collect every child that has ended; true when the command is among them. */
static bool reap(pid_t command, int *status)
{
	bool ended = false;
	int one;
	pid_t pid;

	while ((pid = waitpid(-1, &one, WNOHANG)) > 0) {
		if (pid == command) {
			*status = one;
			ended = true;
		}
	}
	return ended;
}

/* Copy the contents of a pipe to its port; false at its end. */
static bool relay(int from, int to)
{
	static char buffer[32768];
	ssize_t got = read(from, buffer, sizeof(buffer));

	if (got > 0)
		write_all(to, buffer, got);
	return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* The data on their way from the host to the command. */
struct input {
	int	from;	/* the port */
	int	to;	/* a pipe; -1 after the end of either */
	size_t	used, sent;
	char	data[32768];
};

/* Open the port of the host's input, and wait until the kernel knows that the host has it open. */
static int open_input(void)
{
	struct pollfd port = { .fd = open_port("stdin", O_RDONLY | O_NONBLOCK) };

	while (poll(&port, 1, 0) > 0 && port.revents & POLLHUP)
		usleep(1000);
	return port.fd;
}

/* The event to wait for: room in the pipe for data present, else more data. */
static struct pollfd input_poll(const struct input *input)
{
	if (input->to < 0)
		return (struct pollfd){ .fd = -1 };
	if (input->used)
		return (struct pollfd){ .fd = input->to, .events = POLLOUT };
	return (struct pollfd){ .fd = input->from, .events = POLLIN };
}

/*
 * Pass on as much as is possible without blocking. The pipe is closed at the end of input, and
 * when the pipe has no reader any more (the kernel spares init the SIGPIPE).
 */
static void pass_input(struct input *input)
{
	ssize_t done;

	if (input->used) {
		done = write(input->to, input->data + input->sent, input->used - input->sent);
		if (done > 0 && (input->sent += done) == input->used)
			input->used = input->sent = 0;
	} else {
		done = read(input->from, input->data, sizeof(input->data));
		if (done > 0)
			input->used = done;
	}
	if (done > 0 || (done < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	close(input->to);
	input->to = -1;
}

/*
 * Relay until the command has ended and both pipes of its output are at their ends. Processes
 * that the command left running are killed with it: the machine is about to stop.
 */
static int serve(pid_t command, struct input *input, const int *from, const int *to,
		 int child_event)
{
	struct pollfd polls[4] = {
		{ .fd = from[0], .events = POLLIN },
		{ .fd = from[1], .events = POLLIN },
		{ .fd = child_event, .events = POLLIN },
	};
	int status = 0, open_pipes = 2, i;
	bool ended = false;

	while (open_pipes || !ended) {
		polls[3] = input_poll(input);
		if (poll(polls, 4, -1) < 0 && errno != EINTR)
			die("poll");
		if (polls[3].revents)
			pass_input(input);
		for (i = 0; i < 2; i++) {
			if (polls[i].revents && !relay(from[i], to[i])) {
				polls[i].fd = -1;
				open_pipes--;
			}
		}
		if (polls[2].revents) {
			char event[128];

			(void)!read(child_event, event, sizeof(event));
			if (reap(command, &status)) {
				ended = true;
				kill(-1, SIGKILL);
			}
		}
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The command's standard input; from the host it comes through a pipe. */
static int make_input(int port, struct input *input)
{
	int pipe[2];

	if (port < 0)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	input->from = port;
	if (pipe2(pipe, O_CLOEXEC) || fcntl(pipe[1], F_SETFL, O_NONBLOCK))
		die("no pipe");
	input->to = pipe[1];
	return pipe[0];
}

static int run_command(const struct job *job, const int *ports)
{
	static struct input input = { .from = -1, .to = -1 };
	int in, out[2], err[2], from[2], child_event, status;
	sigset_t chld;
	pid_t pid;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	child_event = signalfd(-1, &chld, SFD_CLOEXEC);
	if (child_event < 0 || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		die("no pipes");
	in = make_input(ports[2], &input);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		sigprocmask(SIG_UNBLOCK, &chld, NULL);
		child_main(job, in, out[1], err[1]);
	}
	close(in);
	close(out[1]);
	close(err[1]);
	from[0] = out[0];
	from[1] = err[0];
	status = serve(pid, &input, from, ports, child_event);
	close(child_event);
	return status;
}

static void tell(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die("cannot write to %s", path);
	close(fd);
}

/*
 * Have kmemleak report to the kernel's log. It reports no object as leaked before the object
 * is five seconds old, and scans twice: the first scan only notes the content.
 */
static void scan_for_leaks(void)
{
	static const char control[] = "/sys/kernel/debug/kmemleak";
	size_t size;
	char *report;

	sleep(6);
	tell(control, "scan");
	tell(control, "scan");
	report = read_file(control, &size);
	if (size)
		fprintf(stderr, "kmemleak: leaked memory:\n%s", report);
}

static void load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		die("cannot load %s", path);
	close(fd);
}

/*
 * Load the modules that a distribution's kernel needs to reach the host, and has not built in:
 * the files of /modules in the initramfs, which "order" names line by line.
 */
static void load_drivers(void)
{
	size_t size;
	char *name;

	if (access("/modules/order", R_OK))
		return;
	if (chdir("/modules"))
		die("cannot enter /modules");
	name = read_file("order", &size);
	for (name = strtok(name, "\n"); name; name = strtok(NULL, "\n"))
		load_module(name);
}

int main(void)
{
	int ports[3], control;
	struct job job;
	char line[32];

	umask(022);
	load_drivers();
	mount_root();
	enter_root();
	/* The job is read from the host's file system, its path from /proc. */
	mount_or_die("proc", "/proc", "proc", 0, NULL);
	read_job(&job, job_path());
	mount_system(&job);
	mount_wanted(&job);
	start_loopback();
	if (job.seed)
		seed_random(job.seed);
	if (job.load)
		load_module(job.load);
	control = open_port("control", O_WRONLY);
	ports[0] = open_port("stdout", O_WRONLY);
	ports[1] = open_port("stderr", O_WRONLY);
	ports[2] = job.input ? open_input() : -1;

	write_all(control, "up\n", 3);
	snprintf(line, sizeof(line), "exit %d\n", run_command(&job, ports));
	sync();
	if (job.kmemleak)
		scan_for_leaks();
	write_all(control, line, strlen(line));
	/* QEMU treats a reset as the end; a power-off does not work after a suspend. */
	reboot(RB_AUTOBOOT);
	die("cannot reset");
}
