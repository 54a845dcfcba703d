/* SPDX-License-Identifier: GPL-2.0 */
/* A call of a command, and its possible results. */
#ifndef TESTS_FUZZ_CALLS_H
#define TESTS_FUZZ_CALLS_H

#include "fuzz.h"

struct call {
	const struct command	*command;
	int			fd;
	void			*arg;
	int			narg;
	size_t			size;		/* number of good bytes behind arg */
	bool			direct;
	bool			good;		/* all memory is good, and this thread's alone */
	long			ret;
	int			error;
};

/* One valid element for the command. */
void command_fill(struct fuzzer *f, const struct command *command, void *element);

/* Make the call, in its form, and check the results. */
bool call_make(struct fuzzer *f, struct call *call);
/* The same without an element, and with one. */
bool call_simple(struct fuzzer *f, int cmd, int fd);
bool call_one(struct fuzzer *f, int cmd, int fd, const void *element);

/* check.c: @before is the argument before the call. */
void check_call(struct fuzzer *f, const struct call *call, const void *before);
void check_messages(struct fuzzer *f, const pfm_msg_t *messages, size_t n);
/* True if all bits name registers that exist. */
bool names_pmds(const __u64 *bitvector);

/* values.c */
void fill_pmc(struct fuzzer *f, void *element);
void fill_pmd(struct fuzzer *f, void *element);
void fill_read(struct fuzzer *f, void *element);
void fill_set(struct fuzzer *f, void *element);
void fill_deletion(struct fuzzer *f, void *element);
void fill_setinfo(struct fuzzer *f, void *element);
void fill_start(struct fuzzer *f, void *element);
void fill_load(struct fuzzer *f, void *element);
void fill_pmcinfo(struct fuzzer *f, void *element);
void fill_pmdinfo(struct fuzzer *f, void *element);
void fill_config(struct fuzzer *f, void *element);
/*
 * A context and, behind it, memory for the argument of its format. Both together are @size bytes.
 */
#define FORMAT_ARG_MAX	(2 * PAGE)
void fill_default_arg(struct fuzzer *f, void *arg);
void fill_ring_arg(struct fuzzer *f, void *arg);
void fill_hist_arg(struct fuzzer *f, void *arg);
void fill_stack_arg(struct fuzzer *f, void *arg);
void fill_branch_arg(struct fuzzer *f, void *arg);
void fill_compact_arg(struct fuzzer *f, void *arg);
void fill_ibs_arg(struct fuzzer *f, void *arg);
void fill_probe_arg(struct fuzzer *f, void *arg);
void fill_context(struct fuzzer *f, void *element, size_t *size);
void mutate(struct fuzzer *f, void *memory, size_t size);
__u64 random_period(struct fuzzer *f);

/* commands.c */
bool command_run(struct fuzzer *f, const struct command *command);
struct context;
bool context_create(struct fuzzer *f, struct context *context);

/* maps.c */
bool map_context(struct fuzzer *f, const struct context *context);

extern const struct operation command_operations[];
extern const struct operation scene_operations[];
extern const struct operation file_operations[];
extern const struct operation map_operations[];
extern const struct operation process_operations[];

#endif /* TESTS_FUZZ_CALLS_H */
