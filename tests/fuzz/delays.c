// SPDX-License-Identifier: GPL-2.0
/*
 * Rounds in which a function that is listed in tests/delays/windows is late, so that another CPU
 * can interfere. Only where the kernel has perfmon_hurt.ko.
 */
#include "../delays/windows.h"

#include "backend.h"
#include "fuzz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#define HURT_MODULE	"perfmon_hurt"

static struct window windows[128];
static unsigned int num_windows;
static int hurt = -1;

/* To be called before the first round. */
void delays_find(void)
{
	FILE *file = fopen(WINDOWS, "r");
	struct utsname uts;
	char path[256];

	uname(&uts);
	snprintf(path, sizeof(path), "/lib/modules/%s/kernel/kernel/perfmon/tests/" HURT_MODULE
		 ".ko", uts.release);
	hurt = open(path, O_RDONLY | O_CLOEXEC);
	while (file && hurt >= 0 && num_windows < ARRAY_SIZE(windows) &&
	       windows_next(file, backend_is_device() ? "module" : "core", &windows[num_windows]))
		num_windows++;
	if (file)
		fclose(file);
}

/* Return: the late function of a round, or NULL. */
const char *delays_draw(struct random *random)
{
	if (!num_windows || random_once_in(random, 2))
		return NULL;
	return windows[random_below(random, num_windows)].function;
}

void delays_begin(const struct plan *plan)
{
	char parameters[128];

	if (!plan->late)
		return;
	snprintf(parameters, sizeof(parameters), "after=%s us=%u", plan->late, plan->late_us);
	if (syscall(SYS_finit_module, hurt, parameters, 0))
		violation(NULL, HURT_MODULE " with %s: %s", parameters, strerror(errno));
}

void delays_end(const struct plan *plan)
{
	if (plan->late && syscall(SYS_delete_module, HURT_MODULE, O_NONBLOCK))
		violation(NULL, HURT_MODULE " does not go: %s", strerror(errno));
}
