/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of capstone that are used, and its header: for decoder.c alone. */
#ifndef PFMON_ANNOTATE_CAPSTONE_CALLS_H
#define PFMON_ANNOTATE_CAPSTONE_CALLS_H

#include <capstone/capstone.h>

#include "util.h"

#define CAPSTONE_CALLS(call)							\
	call(open) call(close) call(option) call(malloc) call(free)		\
	call(disasm_iter) call(insn_group)

/* Named as in capstone, without its prefix. */
struct capstone_calls {
#define CAPSTONE_MEMBER(name)	__typeof__(&cs_##name) name;
	CAPSTONE_CALLS(CAPSTONE_MEMBER)
#undef CAPSTONE_MEMBER
};

/* NULL, with the reason: capstone is not available. The result never changes. */
const struct capstone_calls *capstone_calls(struct problem *why);

#endif /* PFMON_ANNOTATE_CAPSTONE_CALLS_H */
