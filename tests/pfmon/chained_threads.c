// SPDX-License-Identifier: GPL-2.0
/* Three threads, each in functions of its own. The last function of a thread loops. */
#include <pthread.h>
#include <stddef.h>

#define TURNS	2000000UL

static inline __attribute__((always_inline)) void turn(unsigned long n)
{
	__asm__ volatile("1:	dec %0\n	jnz 1b" : "+r"(n));
}

#define THREAD(name)								\
	static void inner_##name(void) { turn(TURNS); }			\
	static void outer_##name(void) { inner_##name(); }			\
	static void *name(void *data) { outer_##name(); return data; }

THREAD(one)
THREAD(two)
THREAD(three)

int main(void)
{
	void *(*const functions[])(void *) = { one, two, three };
	pthread_t thread[3];
	size_t i;

	for (i = 0; i < 3; i++)
		if (pthread_create(&thread[i], NULL, functions[i], NULL))
			return 1;
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
