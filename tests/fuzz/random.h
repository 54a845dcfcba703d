/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random numbers that a seed repeats, on every machine and in every build.
 *
 * The generator is splitmix64: any 64 bits are a good seed, and streams that are derived from one
 * seed by random_mix() are independent of each other.
 */
#ifndef TESTS_FUZZ_RANDOM_H
#define TESTS_FUZZ_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t	state;
};

static inline uint64_t random_scramble(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* The seed of the stream for @seed and @number. */
static inline uint64_t random_mix(uint64_t seed, uint64_t number)
{
	return random_scramble(random_scramble(seed + 0x9e3779b97f4a7c15ULL) ^ number);
}

static inline uint64_t random_u64(struct random *random)
{
	random->state += 0x9e3779b97f4a7c15ULL;
	return random_scramble(random->state);
}

/* From 0 to @n - 1. */
static inline unsigned int random_below(struct random *random, unsigned int n)
{
	return (random_u64(random) >> 32) * n >> 32;
}

/* True once in @n times. */
static inline bool random_once_in(struct random *random, unsigned int n)
{
	return !random_below(random, n);
}

/* Any number, small ones as often as large ones. */
static inline uint64_t random_scaled(struct random *random)
{
	return random_u64(random) >> random_below(random, 64);
}

/* One of an array. */
#define random_of(random, array) \
	((array)[random_below((random), sizeof(array) / sizeof((array)[0]))])

#endif /* TESTS_FUZZ_RANDOM_H */
