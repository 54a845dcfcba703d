/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of libpfm4 that are used, and its header: for libpfm.c alone. */
#ifndef PERFMON_PMU_LIBPFM_CALLS_H
#define PERFMON_PMU_LIBPFM_CALLS_H

#include <perfmon/pfmlib.h>

#include "base.h"

#define LIBPFM_CALLS(call)							\
	call(initialize) call(strerror) call(get_pmu_info) call(get_event_info)	\
	call(get_event_next) call(get_os_event_encoding) call(get_event_attr_info)

/* Named as in libpfm4, without its prefix. */
struct libpfm_calls {
#define LIBPFM_MEMBER(name)	__typeof__(&pfm_##name) name;
	LIBPFM_CALLS(LIBPFM_MEMBER)
#undef LIBPFM_MEMBER
};

/* NULL, with the reason: libpfm4 is not available. The result never changes. */
const struct libpfm_calls *libpfm_calls(struct problem *why);

#endif /* PERFMON_PMU_LIBPFM_CALLS_H */
