/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sampling format for tests, a module: it records its calls, and its argument controls what it
 * does.
 */
#ifndef TESTS_ABI_PROBE_H
#define TESTS_ABI_PROBE_H

#include "modules.h"
#include "overflow.h"

#include "../../kernel/perfmon/tests/fmt_probe.h"

#define PROBE_MODULE	"perfmon_fmt_probe"
#define PROBE_EXITS	"/sys/module/" PROBE_MODULE "/parameters/exits"
#define PROBE_SIZE	65536

#define PROBE(...)	((pfm_probe_arg_t){ .buf_size = PROBE_SIZE, __VA_ARGS__ })

struct probe_ctx {
	pfarg_ctx_t	ctx;
	pfm_probe_arg_t	arg;
};

/* A context with this format and its buffer, which records the calls. */
struct probe {
	int			fd;
	const pfm_probe_buf_t	*buf;
	__u64			seen;	/* calls that a test has checked */
};

static inline void probe_module_path(char *path, size_t size)
{
	module_path(path, size, "kernel/perfmon/tests", PROBE_MODULE);
}

static inline void need_probe(void)
{
	need_pmu();
	need_module("kernel/perfmon/tests", PROBE_MODULE);
}

/* Control bits for one call apply to the first call; without such bits, no call is special. */
static inline struct probe_ctx probe_argument(__u32 flags, pfm_probe_arg_t arg)
{
	if (!arg.handler_ctrl && !arg.handler_ctrl_at)
		arg.handler_ctrl_at = ~0U;
	return (struct probe_ctx){
		.ctx = { .ctx_flags = flags, .ctx_fd = -1, .ctx_smpl_buf_id = PFM_PROBE_UUID },
		.arg = arg,
	};
}

static inline int try_create_probe(__u32 flags, pfm_probe_arg_t arg)
{
	struct probe_ctx probe = probe_argument(flags, arg);

	return perfmonctl(-1, PFM_CREATE_CONTEXT, &probe, 1) ? -1 : probe.ctx.ctx_fd;
}

/* The first call recorded is that of fmt_init, which is checked here. */
static inline struct probe create_probe(__u32 flags, pfm_probe_arg_t arg)
{
	struct probe probe = { .seen = 1 };

	need_probe();
	probe.fd = try_create_probe(flags, arg);
	CHECK_OK(probe.fd);
	set_nonblocking(probe.fd);
	probe.buf = mmap(NULL, PROBE_SIZE, PROT_READ, MAP_SHARED, probe.fd, 0);
	CHECK_NE(probe.buf, MAP_FAILED);
	CHECK_EQ(probe.buf->count, 1);
	CHECK_EQ(probe.buf->calls[0].what, PFM_PROBE_INIT);
	CHECK_EQ(probe.buf->calls[0].ctx_flags, flags);
	return probe;
}

/* Check that the next call was this one. */
static inline const pfm_probe_call_t *expect_call(struct probe *probe, __u32 what)
{
	const pfm_probe_call_t *call = &probe->buf->calls[probe->seen];

	if (probe->buf->count <= probe->seen)
		FAIL("there was no call %llu", (unsigned long long)probe->seen);
	probe->seen++;
	CHECK_EQ(call->what, what);
	return call;
}

static inline const pfm_probe_call_t *expect_handler(struct probe *probe, unsigned int pmd)
{
	const pfm_probe_call_t *call = expect_call(probe, PFM_PROBE_HANDLER);

	CHECK_EQ(call->ovfl_pmd, pmd);
	return call;
}

static inline void expect_restart(struct probe *probe, bool active)
{
	CHECK_EQ(expect_call(probe, PFM_PROBE_RESTART)->is_active, active);
}

static inline void expect_no_call(const struct probe *probe)
{
	CHECK_EQ(probe->buf->count, probe->seen);
	CHECK_EQ(probe->buf->dropped, 0);
}

static inline void probe_counter(const struct probe *probe, unsigned int reg, __u32 flags)
{
	program(probe->fd, (struct event){ .reg = reg, .flags = flags, .period = 2000,
					   .short_period = 3000, .long_period = 5000 });
}

/* Load it on the caller: register 0 overflows as above, register 1 counts. */
static inline struct probe load_probe(__u32 flags, pfm_probe_arg_t arg, __u32 pmc_flags)
{
	struct probe probe = create_probe(flags, arg);

	probe_counter(&probe, 0, pmc_flags);
	count_up(probe.fd, 0, 1);
	load_self(probe.fd);
	return probe;
}

#endif /* TESTS_ABI_PROBE_H */
