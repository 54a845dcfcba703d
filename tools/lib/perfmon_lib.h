/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libperfmon: perfmonctl() and friends for C and C++ programs. See libperfmon(3).
 *
 * Thin on purpose: every command has one typed function; vectors of any length are
 * split to the size that the kernel accepts; errors can be described in words. Functions
 * return 0, or -1 with errno, unless their comment states otherwise.
 */
#ifndef PERFMON_LIB_H
#define PERFMON_LIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <perfmon.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The system call, or its emulation by perf_event_open(): see perfmon_backend(). */
int perfmonctl(int fd, int cmd, void *arg, int narg);

/*
 * The backend in use, which executes the commands of this process: "perfmonctl", the system
 * call; "device", /dev/perfmon, if there is no system call or PERFMON=device is in the
 * environment; "perf_events", by perf_event_open(), if the device is missing, too, or with
 * PERFMON=perf; or "none", if PERFMON is anything else but "syscall".
 */
const char *perfmon_backend(void);

/*
 * True if the commands go to the kernel's perfmon, by the system call or the device: then the
 * kernel has /sys/kernel/perfmon, all sampling formats, and switches of sets at an overflow.
 */
bool perfmon_in_kernel(void);

/* The version of the library, as "0.6.0". */
const char *perfmon_version(void);

/* Close a context, with any backend; with perf_events its counters go as well. */
int perfmon_close(int fd);

/*
 * Why the last command of this thread failed with @error, if more is known than the error: a
 * message without full stop, and a hint, or "". Otherwise NULL.
 */
struct perfmon_last_error {
	int		error;
	char		what[256];
	const char	*hint;
};

const struct perfmon_last_error *perfmon_last_error(int error);

/* Create a context. Returns its descriptor, which is close-on-exec, or -1. */
int perfmon_create_context(pfarg_ctx_t *ctx);

/*
 * Registers of a context. @n may exceed what one call takes. When a call fails,
 * the elements before the first one with a return flag are done.
 */
int perfmon_write_pmcs(int fd, pfarg_pmc_t *pmcs, int n);
int perfmon_write_pmds(int fd, pfarg_pmd_t *pmds, int n);
int perfmon_read_pmds(int fd, pfarg_pmd_t *pmds, int n);

/*
 * Event sets of a context. Vectors and their return flags as above; only while the
 * context is unloaded, but for perfmon_getinfo_evtsets().
 */
int perfmon_create_evtsets(int fd, pfarg_setdesc_t *sets, int n);
int perfmon_delete_evtsets(int fd, pfarg_setdesc_t *sets, int n);
int perfmon_getinfo_evtsets(int fd, pfarg_setinfo_t *sets, int n);

/*
 * Attach to the thread @tid (a system-wide context: to this CPU, @tid is the caller),
 * with set 0 or with @set as the first one.
 */
int perfmon_load(int fd, pid_t tid);
int perfmon_load_set(int fd, pid_t tid, unsigned int set);
int perfmon_unload(int fd);

/* Start with the set that was the last active one, or with @set. */
int perfmon_start(int fd);
int perfmon_start_set(int fd, unsigned int set);
int perfmon_stop(int fd);

/* An overflow message was handled: monitoring goes on. */
int perfmon_restart(int fd);

/* The existing registers and their addresses; any process may ask. */
int perfmon_getinfo_pmcs(pfarg_pmcinfo_t *pmcs, int n);
int perfmon_getinfo_pmds(pfarg_pmdinfo_t *pmds, int n);
int perfmon_get_config(pfarg_config_t *config);
int perfmon_set_config(pfarg_config_t *config);

/*
 * Take one message off a context's queue. Returns 1 with a message, 0 when the
 * descriptor is non-blocking and the queue is empty, -1 on error.
 */
int perfmon_read_message(int fd, pfm_msg_t *msg);

/* Map the sampling buffer of a context, read-only, for munmap(). Or NULL. */
void *perfmon_map_buffer(int fd, size_t size);

/*
 * Bring all existing samples into the buffer, as far as it has room; with
 * perfmonctl() they are there already. If any came, a message follows.
 */
int perfmon_sync_buffer(int fd);

/* The lines of /proc/PID/fdinfo about a context: its ledger. */
int perfmon_read_fdinfo(int fd, char *buf, size_t size);

/* "PFM_LOAD_CONTEXT" for 0x10; NULL for a number that is no command. */
const char *perfmon_command_name(int cmd);

/* "MSR" for PFM_REG_TYPE_MSR; "?" for a type that the interface does not define. */
const char *perfmon_reg_type_name(unsigned int type);

/*
 * The first element of a vector of registers or event sets that has a return flag set,
 * or -1. @cmd determines the type of the elements.
 */
int perfmon_bad_element(int cmd, const void *arg, int narg);

/*
 * Describe in one sentence why a command failed with @error: the element, its return
 * flag and the meaning. @arg and @narg are those of the failed call, or NULL and 0.
 * Returns @buf.
 */
char *perfmon_describe_error(char *buf, size_t size, int cmd, int error,
			     const void *arg, int narg);

/*
 * Text and numbers from /sys/kernel/perfmon, or the library's own values without the
 * kernel's perfmon; @name is relative to it.
 */
int perfmon_sysfs_read(const char *name, char *buf, size_t size);
int perfmon_sysfs_u64(const char *name, uint64_t *value);

/* Sessions loaded now. With sessions of one kind, PFM_LOAD_CONTEXT of the other kind fails. */
int perfmon_sessions(unsigned int *thread, unsigned int *system_wide);

/* Bitvectors, as cf_impl_pmds, reg_reset_pmds and msg_ovfl_pmds are. */
typedef __u64 perfmon_word_t;

#define PERFMON_WORD(bit)	((bit) / 64)
#define PERFMON_MASK(bit)	(1ULL << ((bit) % 64))

static inline void perfmon_bv_set(perfmon_word_t *vector, unsigned int bit)
{
	vector[PERFMON_WORD(bit)] |= PERFMON_MASK(bit);
}

static inline void perfmon_bv_clear(perfmon_word_t *vector, unsigned int bit)
{
	vector[PERFMON_WORD(bit)] &= ~PERFMON_MASK(bit);
}

static inline bool perfmon_bv_test(const perfmon_word_t *vector, unsigned int bit)
{
	return (vector[PERFMON_WORD(bit)] & PERFMON_MASK(bit)) != 0;
}

/* The first set bit that is not below @bit, or @nbits. */
unsigned int perfmon_bv_next(const perfmon_word_t *vector, unsigned int nbits,
			     unsigned int bit);

/* Number of set bits among the first @nbits. */
unsigned int perfmon_bv_count(const perfmon_word_t *vector, unsigned int nbits);

#define perfmon_bv_for_each(bit, vector, nbits)				\
	for ((bit) = perfmon_bv_next((vector), (nbits), 0); (bit) < (nbits);	\
	     (bit) = perfmon_bv_next((vector), (nbits), (bit) + 1))

#ifdef __cplusplus
}
#endif

#endif /* PERFMON_LIB_H */
