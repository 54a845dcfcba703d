#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Features that the module's build finds in a kernel's headers, the kernels that it is not built
# for, and the messages in that case.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

# The lines that the build searches for, in trees of their own: of Linux 6.1, and of later changes.
headers()
{
	local options='X86_64 MODULES SMP PERF_EVENTS KPROBES KRETPROBES KALLSYMS TRACEPOINTS SYSFS'

	mkdir -p include/linux include/config include/trace/events arch/x86/include/asm
	# shellcheck disable=SC2086 # several words
	printf 'CONFIG_%s=y\n' $options >include/config/auto.conf
	echo 'extern int task_call_func(struct task_struct *p, task_call_f func, void *arg);' >include/linux/wait.h
	echo 'struct callback_head *task_work_cancel_match(struct task_struct *task,' >include/linux/task_work.h
	echo '#define IRQ_WORK_INIT_HARD(_func) __IRQ_WORK_INIT(_func, IRQ_WORK_HARD_IRQ)' >include/linux/irq_work.h
	echo 'extern ssize_t kernel_read(struct file *, void *, size_t, loff_t *);' >include/linux/fs.h
	printf '\t\t unsigned int prev_state),\n' >include/trace/events/sched.h
	echo 'extern int security_perf_event_open(struct perf_event_attr *attr, int type);' >include/linux/security.h
	echo 'extern int smp_num_siblings;' >arch/x86/include/asm/smp.h
	echo 'struct syscore_ops {' >include/linux/syscore_ops.h
	: >include/linux/mm.h
}

features()
{
	status "$1" "$top/kernel/perfmon/module/features" . .
}

test_an_early_kernel()
{
	headers
	features 0
	is flags "$(paste -sd' ' out)" "-DPFM_HAS_SECURITY_ATTR -DPFM_HAS_SIBLINGS"
}

test_a_kernel_between()
{
	headers
	echo 'static inline void vm_flags_mod(struct vm_area_struct *vma,' >include/linux/mm.h
	features 0
	is flags "$(paste -sd' ' out)" "-DPFM_HAS_SECURITY_ATTR -DPFM_HAS_SIBLINGS -DPFM_HAS_VM_FLAGS_MOD"
}

test_a_late_kernel()
{
	headers
	echo 'static inline void vm_flags_mod(struct vm_area_struct *vma,' >include/linux/mm.h
	echo 'extern int security_perf_event_open(int type);' >include/linux/security.h
	echo 'struct syscore {' >include/linux/syscore_ops.h
	: >arch/x86/include/asm/smp.h
	features 0
	is flags "$(paste -sd' ' out)" "-DPFM_HAS_SYSCORE -DPFM_HAS_VM_FLAGS_MOD"
}

test_what_a_kernel_lacks_is_named()
{
	headers
	echo '# CONFIG_KPROBES is not set' >>include/config/auto.conf
	sed -i '/CONFIG_KPROBES=/d' include/config/auto.conf
	: >include/linux/wait.h
	features 1
	is sentence "$(cat err)" "perfmon.ko cannot be built for this kernel, which lacks CONFIG_KPROBES, task_call_func()"
	is flags "$(cat out)" ""
}

test_the_kernels_own_headers_are_enough()
{
	local build

	"$top/tools/vm/distribution" debian >&2 || fail "there are no headers"
	build=/lib/modules/$(cat "$top/build/kernel-debian/release")/build
	status 0 "$top/kernel/perfmon/module/features" "$(sed -n 's/^include \(.*\)\/Makefile/\1/p' "$build/Makefile")" "$build"
	is flags "$(paste -sd' ' out)" "-DPFM_HAS_SECURITY_ATTR -DPFM_HAS_SIBLINGS"
}

test_dkms_builds_it_for_the_kernels_that_it_ran_on()
{
	local release wanted

	# shellcheck disable=SC2016 # as DKMS does
	wanted=$(bash -c '. "$1" && echo "$BUILD_EXCLUSIVE_KERNEL"' sh "$top/packaging/debian/perfmon2-dkms.dkms")
	for release in 6.1.0-47-amd64 6.1.0-56-rt-amd64 6.12.117+deb12-cloud-amd64; do
		[[ $release =~ $wanted ]] || fail "not for $release"
	done
	for release in 5.10.0-28-amd64 5.14.0-503.el9.x86_64 6.10.11-amd64 6.11.0-21-generic \
		6.13.2-amd64 6.8.0-31-generic 16.1.0; do
		[[ ! $release =~ $wanted ]] || fail "for $release"
	done
}

run_tests "$@"
