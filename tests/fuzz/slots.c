// SPDX-License-Identifier: GPL-2.0
/* Descriptors and threads, and the processes that have them. */
#include "slots.h"

#include <unistd.h>

/*
 * A context in one word, so that its two parts stay together: the size of the
 * buffer above, the descriptor plus one below. An empty slot is 0.
 */
static uint64_t pack(struct context context)
{
	return (uint64_t)context.size << 32 | (uint32_t)(context.fd + 1);
}

static struct context unpack(uint64_t word)
{
	return (struct context) { .fd = (int)(uint32_t)word - 1, .size = word >> 32 };
}

struct context context_pick(struct fuzzer *f)
{
	unsigned int start = random_below(&f->random, MAX_CONTEXTS), i;
	uint64_t word = 0;

	/* Mostly a context that exists; an empty slot is a bad descriptor. */
	for (i = 0; i < MAX_CONTEXTS && !word; i++) {
		word = load_acquire(&f->process->contexts[(start + i) % MAX_CONTEXTS]);
		if (!word && !f->sane && random_once_in(&f->random, 16))
			break;
	}
	return unpack(word);
}

struct context context_take(struct fuzzer *f)
{
	return unpack(exchange(&f->process->contexts[random_below(&f->random, MAX_CONTEXTS)], 0));
}

void context_keep(struct fuzzer *f, struct context context)
{
	unsigned int start = random_below(&f->random, MAX_CONTEXTS), i;
	uint64_t empty, word;

	for (i = 0; i < MAX_CONTEXTS; i++) {
		empty = 0;
		if (__atomic_compare_exchange_n(&f->process->contexts[(start + i) % MAX_CONTEXTS],
						&empty, pack(context), false, __ATOMIC_SEQ_CST,
						__ATOMIC_SEQ_CST))
			return;
	}
	word = exchange(&f->process->contexts[start], pack(context));
	if (word)
		close(unpack(word).fd);
}

void target_add(pid_t tid)
{
	unsigned int i;

	for (i = 0; i < MAX_TARGETS; i++) {
		pid_t none = 0;

		if (__atomic_compare_exchange_n(&world->targets[i], &none, tid, false,
						__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			return;
	}
	store_release(&world->targets[tid % MAX_TARGETS], tid);
}

void target_remove(pid_t tid)
{
	unsigned int i;

	for (i = 0; i < MAX_TARGETS; i++) {
		pid_t expected = tid;

		__atomic_compare_exchange_n(&world->targets[i], &expected, 0, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	}
}

pid_t target_pick(struct fuzzer *f)
{
	unsigned int start = random_below(&f->random, MAX_TARGETS), i;
	pid_t tid;

	if (!f->sane && random_once_in(&f->random, 30))
		return (pid_t)random_scaled(&f->random);
	if (random_once_in(&f->random, 2))
		return f->tid;
	for (i = 0; i < MAX_TARGETS; i++) {
		tid = load_acquire(&world->targets[(start + i) % MAX_TARGETS]);
		if (tid)
			return tid;
	}
	return f->tid;
}
