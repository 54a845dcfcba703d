# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Restore a guest's settings: source it, call settings_are once before the tests, and settings_back
# after each. A test may then change settings, and may fail before it restores them, and the next
# test's verdict does not depend on the tests before it. The watchdog's settings are not included:
# perfmon itself pauses the watchdog, and resumes it some time after a session.

settings_perf_share=/proc/sys/kernel/perf_cpu_time_max_percent
settings_names="
	/proc/sys/kernel/perf_event_max_sample_rate
	$settings_perf_share
	/proc/sys/kernel/kptr_restrict
	/proc/sys/kernel/perf_event_paranoid
	/proc/sys/kernel/sched_rt_runtime_us
	/proc/sys/kernel/yama/ptrace_scope
	/sys/kernel/perfmon/limits/cpu_time_max_percent
	/sys/kernel/perfmon/limits/interrupt_rate_max
	/sys/kernel/perfmon/limits/switch_timeout_min_ns
	/sys/kernel/perfmon/limits/watchdog_pause"

# settings_now: lines NAME:VALUE, of the settings that this kernel has. The shell's own read reads
# single bytes, and these files return only the first byte of such reads.
settings_now()
{
	# shellcheck disable=SC2086 # several names
	grep -s . $settings_names
}

settings_are()
{
	settings=$(settings_now)
}

settings_back()
{
	local name value

	[ "$(settings_now)" != "$settings" ] || return 0
	# perf_events takes no rate while its share is 0 or 100 (EINVAL).
	[ ! -w $settings_perf_share ] || echo 25 >$settings_perf_share
	while IFS=: read -r name value; do
		# A setting no longer exists if the test has removed a module.
		[ ! -w "$name" ] || echo "$value" >"$name"
	done <<-END
		$settings
	END
}
