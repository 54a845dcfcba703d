# SPDX-License-Identifier: GPL-2.0
#
# The functions of C sources that find the context of a thread or of a CPU: FUNCTION FILE:LINE.
/^[a-z_].*\(/ {
	name = $0
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
	next
}
/^}/ { name = "" }
name == "" || /^[ \t]*(\/?\*|#)/ { next }
/pfm_thread_context\(|pfm_threads_find\(|->pfm_context[^_a-z]|pfm_cpu\.(ctx|system_ctx|parked)|[ (]cpu->(ctx|system_ctx|parked)|link\.task/ {
	if (!seen[name]++)
		print name, FILENAME ":" FNR
}
