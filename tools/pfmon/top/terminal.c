// SPDX-License-Identifier: GPL-2.0
/* By termios, and by the escape sequences that all terminals have: ECMA-48's and xterm's. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "top/terminal.h"

#define ENTER	"\033[?1049h\033[?25l"	/* another screen, no cursor */
#define LEAVE	"\033[?25h\033[?1049l"

static struct termios before;
static bool taken;

bool terminal_there(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

/* The signal only ends a wait: the size is read at each show. */
static void on_resize(int sig)
{
	(void)sig;
}

/* Ignore errors: SIGHUP reports a terminal that is gone. */
static void out(const char *text, size_t length)
{
	ssize_t n;

	for (; length; text += n, length -= (size_t)n) {
		n = write(STDOUT_FILENO, text, length);
		if (n < 0 && errno != EINTR)
			return;
		n = n < 0 ? 0 : n;
	}
}

bool terminal_begin(struct problem *why)
{
	const struct sigaction resize = { .sa_handler = on_resize };
	struct termios raw;

	signal(SIGTSTP, SIG_IGN); /* else the screen would stay as it is */
	signal(SIGTTOU, SIG_IGN);
	if (tcgetattr(STDIN_FILENO, &before))
		return problem(why, "the terminal: %s", strerror(errno));
	raw = before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &raw))
		return problem(why, "the terminal: %s", strerror(errno));
	sigaction(SIGWINCH, &resize, NULL);
	taken = true;
	atexit(terminal_end);
	out(ENTER, strlen(ENTER));
	return true;
}

void terminal_end(void)
{
	if (!taken)
		return;
	taken = false;
	out(LEAVE, strlen(LEAVE));
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

void terminal_size(size_t *lines, size_t *columns)
{
	struct winsize size;

	*lines = 24;
	*columns = 80;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return;
	*lines = size.ws_row;
	*columns = size.ws_col;
}

static bool is_pressed(void)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&input, 1, 0) > 0 && input.revents & POLLIN;
}

/* The characters behind an escape: parameters, and a letter or ~ at the end. */
static enum terminal_key sequence(void)
{
	char text[8] = "";
	size_t n = 0;

	while (n + 1 < sizeof(text) && is_pressed() && read(STDIN_FILENO, &text[n], 1) == 1)
		if (n++ && text[n - 1] >= '@')
			break;
	if (!strcmp(text, "[A") || !strcmp(text, "OA"))
		return TERMINAL_UP;
	if (!strcmp(text, "[B") || !strcmp(text, "OB"))
		return TERMINAL_DOWN;
	return !strcmp(text, "[5~") ? TERMINAL_PAGE_UP :
	       !strcmp(text, "[6~") ? TERMINAL_PAGE_DOWN : TERMINAL_OTHER;
}

enum terminal_key terminal_key(char *letter)
{
	if (!is_pressed() || read(STDIN_FILENO, letter, 1) != 1)
		return TERMINAL_NONE;
	return *letter == '\033' ? sequence() : TERMINAL_LETTER;
}

/* The part of a line that fits: colours take no column, nor do a character's later bytes. */
static size_t fitting(const char *line, size_t length, size_t columns)
{
	size_t at = 0, used = 0;

	while (at < length) {
		if (line[at] == '\033') {
			while (at < length && line[at] != 'm')
				at++;
		} else if (((unsigned char)line[at] & 0xc0) != 0x80 && used++ == columns) {
			break;
		}
		at++;
	}
	return at < length ? at : length;
}

void terminal_show(const char *text, size_t lines, size_t columns)
{
	char *screen = NULL;
	size_t size = 0, i, length;
	FILE *file = open_memstream(&screen, &size);

	if (!file)
		return;
	fputs("\033[H", file);
	for (i = 0; i < lines && *text; i++) {
		length = strcspn(text, "\n");
		fprintf(file, "%s\033[K%.*s\033[m", i ? "\r\n" : "",
			(int)fitting(text, length, columns), text);
		text += length + (text[length] == '\n');
	}
	if (i < lines)
		fputs("\r\n\033[J", file);
	fclose(file);
	out(screen, size);
	free(screen);
}
