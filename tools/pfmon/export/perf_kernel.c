// SPDX-License-Identifier: GPL-2.0
/*
 * How perf finds the names of kernel addresses. If the recorded kernel runs here, the file has a
 * mapping of the kernel and of each module, and perf takes the names from /proc/kallsyms. Else
 * the file announces each function with samples as one that the kernel added while it ran: then
 * perf finds its name on any machine, and perf shows each such function as a file of its own.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "export/perf_kernel.h"

#define KERNEL_PID	UINT32_MAX	/* as perf has it */
#define KERNEL_NAME	"[kernel.kallsyms]_text"
/* An address without code: without a mapping of a kernel perf warns that it was hidden. */
#define NO_CODE		0xffffffffffffe000ULL
#define PAGE		4096

struct running {
	uint64_t	text, end;
	size_t		matched;	/* functions of the recording at the same address */
	struct build_id	id;
};

static void put_mapping(struct buffer *buffer, uint64_t start, uint64_t end, const char *name,
			const struct build_id *id)
{
	const struct perf_mapping mapping = {
		.origin = { KERNEL_PID, 0, 0 },
		.misc = PERF_RECORD_MISC_KERNEL,
		.start = start,
		.length = end - start,
		.offset = name[0] == '[' && id ? start : 0,
		.protection = PROT_EXEC,
		.id = id,
		.name = name,
	};

	perf_put_mapping(buffer, &mapping);
}

static void compare(struct running *running, const struct profile *profile, uint64_t address,
		    const char *name)
{
	const struct range *range = ranges_find(&profile->kernel, address);

	if (!strcmp(name, "_text"))
		running->text = address;
	if (!strcmp(name, "_etext"))
		running->end = address;
	if (range && range->start == address &&
	    !strcmp(profile->kernel_name[range->what].name, name))
		running->matched++;
}

static bool read_symbols(struct running *running, const struct profile *profile)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	uint64_t address;
	char name[512];

	if (!file)
		return false;
	while (fscanf(file, "%" SCNx64 " %*c %511s%*[^\n]", &address, name) == 2)
		compare(running, profile, address, name);
	fclose(file);
	return running->text && running->end > running->text && running->matched >= profile->kernel.n;
}

/* Notes: the sizes of name and content, a type, the name, the content, each in words. */
static void read_build_id(struct build_id *id)
{
	FILE *file = fopen("/sys/kernel/notes", "re");
	uint32_t word[3];
	char name[16];

	memset(id, 0, sizeof(*id));
	while (file && fread(word, sizeof(word), 1, file) == 1) {
		word[0] = (word[0] + 3) & ~3U;
		if (word[0] > sizeof(name) || fread(name, 1, word[0], file) != word[0])
			break;
		if (word[2] == 3 && !memcmp(name, "GNU", 4) && word[1] <= PERF_BUILD_ID) {
			if (fread(id->id, 1, word[1], file) == word[1])
				id->size = word[1];
			break;
		}
		if (fseek(file, (long)((word[1] + 3) & ~3U), SEEK_CUR))
			break;
	}
	if (file)
		fclose(file);
}

/* True if the running kernel is the recorded one, not booted since. */
static bool runs_here(struct running *running, const struct profile *profile)
{
	struct utsname name;

	memset(running, 0, sizeof(*running));
	if (profile->host.n < 2 || uname(&name) || strcmp(name.release, profile->host.text[1]))
		return false;
	if (!read_symbols(running, profile))
		return false;
	read_build_id(&running->id);
	return running->id.size != 0;
}

/* A line is "name size users list state address"; a hidden address is 0. */
static void put_modules(struct buffer *buffer)
{
	FILE *file = fopen("/proc/modules", "re");
	uint64_t size, address;
	char name[64], *text;

	while (file && fscanf(file, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64 "%*[^\n]", name, &size,
			      &address) == 3) {
		if (!address || !size)
			continue;
		text = xasprintf("[%s]", name);
		put_mapping(buffer, address, address + size, text, NULL);
		free(text);
	}
	if (file)
		fclose(file);
}

static void put_function(struct buffer *buffer, const struct range *range, const char *name)
{
	const struct perf_origin origin = { KERNEL_PID, 0, 0 };
	const size_t begin = perf_record_begin(buffer, PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL);

	buffer_u64(buffer, range->start);
	buffer_u32(buffer, (uint32_t)(range->end - range->start));
	buffer_u32(buffer, 0); /* kind and flags: registered, of no kind */
	perf_put_text(buffer, name, 8);
	perf_record_end(buffer, begin, &origin);
}

void perf_put_kernel(struct buffer *buffer, const struct profile *profile)
{
	struct running running;
	size_t i;

	if (runs_here(&running, profile)) {
		put_mapping(buffer, running.text, running.end, KERNEL_NAME, &running.id);
		put_modules(buffer);
		return;
	}
	running.id.size = 0;
	put_mapping(buffer, NO_CODE, NO_CODE + PAGE, KERNEL_NAME, &running.id);
	for (i = 0; i < profile->kernel.n; i++)
		put_function(buffer, &profile->kernel.range[i],
			     profile->kernel_name[profile->kernel.range[i].what].name);
}
