// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on mapped sampling buffers.
 */
#include "calls.h"
#include "slots.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Only these arguments may succeed. */
static bool is_allowed(size_t length, const struct context *context, int protection,
		       int flags, off_t offset)
{
	return length == context->size && protection == PROT_READ &&
	       (flags & ~MAP_FIXED) == MAP_SHARED && !offset;
}

/* A correct mapping. */
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
	/* That offset may be the page of a ring buffer that its reader may write. */
	if (offset && length == PAGE)
		length += PAGE;
	map = mmap(map_address(i), length, protection, flags | MAP_FIXED, context.fd, offset);
	note(f, "mmap(%d, %zu, %#x, %#x, %#lx) = %s", context.fd, length, protection, flags,
	     (long)offset, map == MAP_FAILED ? strerrorname_np(errno) : "0");
	if (map == MAP_FAILED)
		return;
	store_release(&f->process->maps[i].size, length);
	/* The slot may have got another context by now: only the rights can be checked. */
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
	/* Sometimes a part of it: the next mapping, or the exit, unmaps the rest. */
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

/* Grow it, shrink it, or lock a mapping that cannot grow. */
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

/* Read a word; false if the memory is not mapped. */
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

static bool poke(struct fuzzer *f, volatile uint64_t *word, uint64_t value)
{
	if (sigsetjmp(f->fault, 1)) {
		f->may_fault = 0;
		return false;
	}
	f->may_fault = 1;
	*word = value;
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

static bool is_filled_rightly(const struct header *header)
{
	return header->offset >= sizeof(pfm_default_smpl_hdr_t) && header->offset <= header->size;
}

/* Read all of it, while the kernel may add samples and other threads may unmap it. */
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
	/*
	 * Check that it is the same buffer twice, and of the default format. A ring has, in place
	 * of the size and the version, the offset of its parts, which is small, and that of the
	 * reader's page.
	 */
	if (!read_header(f, map_address(i), &second) || first.size != second.size ||
	    first.size < sizeof(pfm_default_smpl_hdr_t) + sizeof(pfm_default_smpl_entry_t) + 64 ||
	    (uint32_t)first.version != PFM_DEFAULT_SMPL_VERSION || first.version != second.version)
		return;
	/*
	 * Another buffer may be mapped here between the reads of the two headers: one must be
	 * right.
	 */
	if (!is_filled_rightly(&first) && !is_filled_rightly(&second))
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
	if (poke(f, map_address(i), 0))
		violation(f, "a sampling buffer can be written");
}

/* The page of a ring buffer that its reader may write: at an address of its own. */
static void do_map_reader(struct fuzzer *f)
{
	struct context context = context_pick(f);
	int protection = random_below(&f->random, 4);
	void *map;

	if (context.size < 2 * PAGE)
		return;
	map = mmap(map_address(READERS_MAP), PAGE, protection, MAP_SHARED | MAP_FIXED, context.fd,
		   context.size - PAGE);
	note(f, "mmap(%d, the last page of %zu, %#x) = %s", context.fd, (size_t)context.size,
	     protection, map == MAP_FAILED ? strerrorname_np(errno) : "0");
}

/* The reader's position, or another value. */
static void do_position(struct fuzzer *f)
{
	volatile uint64_t *position = map_address(READERS_MAP);
	uint64_t value;

	if (!peek(f, position, &value))
		return;
	value = random_once_in(&f->random, 4) ? random_u64(&f->random) : value + random_below(&f->random, 3);
	note(f, "position %llu", (unsigned long long)value);
	poke(f, position, value);
}

static void do_protect_reader(struct fuzzer *f)
{
	int protection = random_below(&f->random, 8);
	int ret = mprotect(map_address(READERS_MAP), PAGE, protection);

	note(f, "mprotect(the reader's page, %#x) = %d", protection, ret);
	if (!ret && (protection & PROT_EXEC))
		violation(f, "mprotect of the reader's page to %#x succeeded", protection);
}

const struct operation map_operations[] = {
	{ "map", 6, do_map },
	{ "unmap", 3, do_unmap },
	{ "protect", 1, do_protect },
	{ "advise", 1, do_advise },
	{ "remap", 1, do_remap },
	{ "look", 6, do_look },
	{ "overwrite", 1, do_overwrite },
	{ "map reader", 3, do_map_reader },
	{ "position", 4, do_position },
	{ "protect reader", 1, do_protect_reader },
	{ }
};
