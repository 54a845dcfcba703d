// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on mapped sampling buffers.
 */
#include "calls.h"
#include "slots.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Only this one may succeed. */
static bool is_allowed(size_t length, const struct context *context, int protection,
		       int flags, off_t offset)
{
	return length == context->size && protection == PROT_READ &&
	       (flags & ~MAP_FIXED) == MAP_SHARED && !offset;
}

/* As it is meant to be mapped. */
bool map_context(struct fuzzer *f, const struct context *context)
{
	unsigned int i = random_below(&f->random, MAX_MAPS);
	void *map = mmap(map_address(i), context->size, PROT_READ, MAP_SHARED | MAP_FIXED,
			 context->fd, 0);

	note(f, "mmap(%d, %u) = %s", context->fd, context->size,
	     map == MAP_FAILED ? strerrorname_np(errno) : "0");
	if (map == MAP_FAILED)
		return false;
	store_release(&f->process->maps[i].size, context->size);
	return true;
}

static void do_map(struct fuzzer *f)
{
	static const int flag_list[] = {
		MAP_PRIVATE, MAP_SHARED | MAP_LOCKED, MAP_SHARED | MAP_GROWSDOWN,
		MAP_SHARED | MAP_POPULATE, MAP_SHARED | MAP_NORESERVE, MAP_SHARED_VALIDATE,
	};
	struct context context = context_pick(f);
	unsigned int i = random_below(&f->random, MAX_MAPS);
	int protection = PROT_READ, flags = MAP_SHARED;
	size_t length = context.size;
	off_t offset = 0;
	void *map;

	if (random_once_in(&f->random, 10))
		protection = random_below(&f->random, 8);
	if (random_once_in(&f->random, 10))
		flags = random_of(&f->random, flag_list);
	if (random_once_in(&f->random, 10) || !length)
		length = PAGE * (1 + random_below(&f->random, 20));
	if (random_once_in(&f->random, 12))
		offset = PAGE * random_scaled(&f->random);
	map = mmap(map_address(i), length, protection, flags | MAP_FIXED, context.fd, offset);
	note(f, "mmap(%d, %zu, %#x, %#x, %#lx) = %s", context.fd, length, protection, flags,
	     (long)offset, map == MAP_FAILED ? strerrorname_np(errno) : "0");
	if (map == MAP_FAILED)
		return;
	store_release(&f->process->maps[i].size, length);
	/* The slot's descriptor may be another context by now: only rights are certain. */
	if ((protection & (PROT_WRITE | PROT_EXEC)) || (flags & MAP_TYPE) == MAP_PRIVATE || offset)
		violation(f, "mmap with protection %#x, flags %#x, offset %#lx succeeded",
			  protection, flags, (long)offset);
	else if (!is_allowed(length, &context, protection, flags, offset) &&
		 !(flags & (MAP_POPULATE | MAP_NORESERVE | MAP_SHARED_VALIDATE)) && !protection)
		violation(f, "mmap without PROT_READ succeeded");
}

static void do_unmap(struct fuzzer *f)
{
	unsigned int i = random_below(&f->random, MAX_MAPS);
	size_t size = exchange(&f->process->maps[i].size, 0), part = size;
	char *start = map_address(i);

	if (!size)
		return;
	/* A part of it, at times: the rest goes with the next mapping, or at exit. */
	if (size > PAGE && random_once_in(&f->random, 6)) {
		part = PAGE;
		start += random_once_in(&f->random, 2) ? 0 : size - PAGE;
	}
	note(f, "munmap(%u, %zu of %zu)", i, part, size);
	munmap(start, part);
}

static void do_protect(struct fuzzer *f)
{
	unsigned int i = random_below(&f->random, MAX_MAPS);
	int protection = random_below(&f->random, 8);
	size_t size = load_acquire(&f->process->maps[i].size);
	int ret;

	if (!size)
		return;
	ret = mprotect(map_address(i), PAGE, protection);
	note(f, "mprotect(%u, %#x) = %d", i, protection, ret);
	if (!ret && (protection & (PROT_WRITE | PROT_EXEC)))
		violation(f, "mprotect to %#x succeeded", protection);
}

static void do_advise(struct fuzzer *f)
{
	static const int advices[] = {
		MADV_DONTNEED, MADV_DONTFORK, MADV_DOFORK, MADV_REMOVE, MADV_WILLNEED,
		MADV_MERGEABLE, MADV_HUGEPAGE, MADV_DODUMP, MADV_FREE, MADV_COLD, MADV_PAGEOUT,
	};
	unsigned int i = random_below(&f->random, MAX_MAPS);
	int advice = random_of(&f->random, advices);

	if (!load_acquire(&f->process->maps[i].size))
		return;
	note(f, "madvise(%u, %d)", i, advice);
	madvise(map_address(i), PAGE, advice);
}

/* Grow, shrink, or lock what cannot be grown. */
static void do_remap(struct fuzzer *f)
{
	unsigned int i = random_below(&f->random, MAX_MAPS);
	size_t size = load_acquire(&f->process->maps[i].size);

	if (!size)
		return;
	note(f, "mremap(%u)", i);
	switch (random_below(&f->random, 3)) {
	case 0:
		if (mremap(map_address(i), size, size + PAGE, 0) != MAP_FAILED)
			violation(f, "mremap has grown a buffer");
		break;
	case 1:
		mremap(map_address(i), size, PAGE, 0);
		break;
	default:
		mlock(map_address(i), size);
	}
}

/* Read a word, unless there is nothing to read. */
static bool peek(struct fuzzer *f, const volatile uint64_t *word, uint64_t *value)
{
	if (sigsetjmp(f->fault, 1)) {
		f->may_fault = 0;
		return false;
	}
	f->may_fault = 1;
	*value = *word;
	f->may_fault = 0;
	return true;
}

static bool poke(struct fuzzer *f, volatile uint64_t *word)
{
	if (sigsetjmp(f->fault, 1)) {
		f->may_fault = 0;
		return false;
	}
	f->may_fault = 1;
	*word = 0;
	f->may_fault = 0;
	return true;
}

struct header {
	uint64_t	count, offset, size, version;
};

static bool read_header(struct fuzzer *f, const pfm_default_smpl_hdr_t *map, struct header *header)
{
	const uint64_t *words = (const uint64_t *)map;

	return peek(f, words + offsetof(pfm_default_smpl_hdr_t, hdr_count) / 8, &header->count) &&
	       peek(f, words + offsetof(pfm_default_smpl_hdr_t, hdr_cur_offs) / 8, &header->offset) &&
	       peek(f, words + offsetof(pfm_default_smpl_hdr_t, hdr_buf_size) / 8, &header->size) &&
	       peek(f, words + offsetof(pfm_default_smpl_hdr_t, hdr_version) / 8, &header->version);
}

/* Walk through it, while samples may be added and others may unmap it. */
static void do_look(struct fuzzer *f)
{
	unsigned int i = random_below(&f->random, MAX_MAPS);
	size_t size = load_acquire(&f->process->maps[i].size), at;
	struct header first, second;
	uint64_t word;

	if (!size)
		return;
	note(f, "look(%u)", i);
	if (!read_header(f, map_address(i), &first))
		return;
	for (at = 0; at < size && peek(f, map_address(i) + at, &word); at += PAGE / 2)
		;
	/* The same buffer twice, and one of the default format? */
	if (!read_header(f, map_address(i), &second) || first.size != second.size ||
	    (uint32_t)first.version != PFM_DEFAULT_SMPL_VERSION || first.version != second.version)
		return;
	if (first.offset > first.size || first.offset < sizeof(pfm_default_smpl_hdr_t))
		violation(f, "a buffer of %llu bytes is filled up to %llu",
			  (unsigned long long)first.size, (unsigned long long)first.offset);
	add_return(&world->samples, first.count);
}

static void do_overwrite(struct fuzzer *f)
{
	unsigned int i = random_below(&f->random, MAX_MAPS);

	if (!load_acquire(&f->process->maps[i].size))
		return;
	note(f, "overwrite(%u)", i);
	if (poke(f, map_address(i)))
		violation(f, "a sampling buffer can be written");
}

const struct operation map_operations[] = {
	{ "map", 6, do_map },
	{ "unmap", 3, do_unmap },
	{ "protect", 1, do_protect },
	{ "advise", 1, do_advise },
	{ "remap", 1, do_remap },
	{ "look", 6, do_look },
	{ "overwrite", 1, do_overwrite },
	{ }
};
