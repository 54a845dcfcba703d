#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tools/vm/complaints finds complaints of a kernel in its log, and nothing else.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# A name, and a line in the form of our kernels.
complaints=(
	warning 'WARNING: CPU: 0 PID: 79 at kernel/perfmon/target.c:106 pfm_target_call+0x8f/0xa0'
	bug 'BUG: kernel NULL pointer dereference, address: 0000000000000010'
	kasan 'BUG: KASAN: use-after-free in pfm_context_put+0x2a/0x80'
	ubsan 'UBSAN: shift-out-of-bounds in kernel/perfmon/pmu.c:77:9'
	deadlock 'WARNING: possible circular locking dependency detected'
	deadlock_alone '============ possible recursive locking detected'
	interrupt_state '6.1.0 #1 inconsistent lock state'
	held_lock 'lock held when returning to user space!'
	rcu_usage 'WARNING: suspicious RCU usage'
	atomic_sleep 'BUG: sleeping function called from invalid context at mm/slab.h:274'
	atomic_schedule 'BUG: scheduling while atomic: pfmon/88/0x00000002'
	hung_task 'INFO: task pfmon:88 blocked for more than 120 seconds.'
	rcu_stall 'rcu: INFO: rcu_preempt self-detected stall on CPU'
	rcu_stall_elsewhere 'rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:'
	soft_lockup 'watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [pfmon:88]'
	hard_lockup 'NMI watchdog: Watchdog detected hard LOCKUP on cpu 0'
	unknown_nmi 'Uhhuh. NMI received for unknown reason 20 on CPU 0.'
	msr 'unchecked MSR access error: WRMSR to 0x38f (tried to write 0x1) at rIP: 0xffffffff8100b6a0'
	oops 'Oops: 0002 [#1] PREEMPT SMP KASAN NOPTI'
	protection_fault 'general protection fault: 0000 [#1] SMP NOPTI'
	protection_fault_at_an_address 'general protection fault, probably for non-canonical address 0xdead000000000122: 0000 [#1] SMP'
	list 'list_add corruption. prev->next should be next (ffff888), but was ffff999.'
	reference_count 'refcount_t: underflow; use-after-free.'
	object 'ODEBUG: free active (active state 0) object type: timer_list'
	leak 'kmemleak: leaked memory:'
)
healthy=(
	the_start 'Linux version 6.1.0-perfmon (perfmon@guest) (gcc 12.2.0) #1 SMP PREEMPT'
	the_watchdogs_pause 'perfmon: NMI watchdog paused while perfmon uses the PMU'
	the_watchdogs_return 'NMI watchdog: Enabled. Permanently consumes one hw-PMU counter.'
	a_program_that_crashes 'victim[99]: segfault at 0 ip 0000000000401136 sp 00007ffc error 6 in victim[401000+1000]'
	a_program_that_may_not_do_that 'traps: targets[1132] general protection fault ip:55b033db0063 sp:7fff6442cf70 error:0 in targets[55b033daf000+5000]'
	what_an_administrator_does 'msr: Write to unrecognized MSR 0x186 by devmsr (pid: 80), tainting CPU_OUT_OF_SPEC.'
	the_throttling_of_real_time 'sched: RT throttling activated'
	advice_on_a_processors_weakness 'Speculative Return Stack Overflow: WARNING: See https://kernel.org/doc/html/latest/admin-guide/hw-vuln/srso.html for mitigation options.'
)

# complain LINE: the script's output for a log with this line.
complain()
{
	printf '[    0.0000%d] line %d\r\n' 1 1 2 2 3 3 >"$log"
	printf '[    1.234567] %s\r\n' "$1" >>"$log"
	printf '[    2.000000] later\r\n' >>"$log"
	"$top/tools/vm/complaints" "$log" 2>&1
}

plan $(((${#complaints[@]} + ${#healthy[@]}) / 2 + 3))
for ((i = 0; i < ${#complaints[@]}; i += 2)); do
	fails "${complaints[i]}_is_a_complaint" complain "${complaints[i + 1]}"
done
for ((i = 0; i < ${#healthy[@]}; i += 2)); do
	passes "${healthy[i]}_is_none" complain "${healthy[i + 1]}"
done
out=$(complain "${complaints[1]}")
has its_line_is_named "$out" "from line 4 of $log on"
has it_is_shown_with_what_follows "$(tail -n 1 <<<"$out")" '^    \[    2\.000000\] later$'
is and_what_came_before_is_not "$(grep -c 'line 3' <<<"$out")" 0
finish
