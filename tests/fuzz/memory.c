// SPDX-License-Identifier: GPL-2.0
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PATTERN		0xa5
/* A stray write does not go far: this number of bytes around the argument is checked. */
#define AROUND		512

static unsigned char *common, *read_only;

static void *pages(size_t size, int protection, int flags)
{
	void *memory = mmap(NULL, size, protection, flags | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		perror("fuzz: no memory");
		exit(2);
	}
	return memory;
}

void common_init(void)
{
	common = pages(2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED);
	read_only = pages(ROOM_SIZE, PROT_READ, MAP_PRIVATE);
}

void *common_memory(void)
{
	return common;
}

void room_init(struct fuzzer *f)
{
	unsigned char *memory = pages(ROOM_SIZE + 2 * PAGE, PROT_NONE, MAP_PRIVATE);

	f->room = memory + PAGE;
	if (mprotect(f->room, ROOM_SIZE, PROT_READ | PROT_WRITE)) {
		perror("fuzz: mprotect");
		exit(2);
	}
	f->before = pages(ROOM_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
}

static unsigned char *low_end(struct fuzzer *f, const unsigned char *place)
{
	return place < f->room + AROUND ? f->room : (unsigned char *)place - AROUND;
}

static unsigned char *high_end(struct fuzzer *f, const unsigned char *end)
{
	unsigned char *top = f->room + ROOM_SIZE;

	return end + AROUND > top ? top : (unsigned char *)end + AROUND;
}

void *room_place(struct fuzzer *f, size_t size)
{
	size_t left = ROOM_SIZE - size;
	unsigned char *place = f->room, *low;

	switch (random_below(&f->random, 4)) {
	case 0:
		break;
	case 1:
		place += random_below(&f->random, left + 1);
		break;
	default:
		place += left;
	}
	low = low_end(f, place);
	memset(low, PATTERN, high_end(f, place + size) - low);
	return place;
}

bool room_is_intact(struct fuzzer *f, const void *place, size_t size)
{
	const unsigned char *start = place, *end = start + size, *byte;

	for (byte = low_end(f, start); byte < start; byte++)
		if (*byte != PATTERN)
			return false;
	for (byte = end; byte < high_end(f, end); byte++)
		if (*byte != PATTERN)
			return false;
	return true;
}

void *bad_memory(struct fuzzer *f, const void *place, size_t size)
{
	unsigned char *top = f->room + ROOM_SIZE, *start;

	switch (random_below(&f->random, 9)) {
	case 0:
		return NULL;
	case 1:
		return (void *)0xffffffff81000000UL;
	case 2:
		return (void *)0xffff888000000000UL;
	case 3:
		return (void *)0x8000000000000000UL;
	case 4:
		return top;
	case 5:
		return (void *)random_scaled(&f->random);
	case 6:
		return read_only;
	case 7:
		return common + random_below(&f->random, PAGE);
	default:
		/* Its last bytes are beyond the end. */
		start = top - size + 1 + random_below(&f->random, size);
		memmove(start, place, top - start);
		return start;
	}
}
