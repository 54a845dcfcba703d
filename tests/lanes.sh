# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $results and $top come from the caller
#
# Building kernels and running tests side by side; sourced by tests/run.
#
# The first kernel is built at once, the others meanwhile: guests wait for much, most of
# all for timers, and leave time for a compiler. What needs a kernel waits for it.

asked=()
builder=''

# fail DIRECTORY NAME WHY [NUMBER]: what failed other than by its own output
fail()
{
	mkdir -p "$1"
	echo "$2 0 ${4-1} 0" >>"$1/results"
	echo "  $2: $3" | tee -a "$1/failures"
}

# build_kernel KERNEL: a flavour, a version's or an architecture's plain one; or the debug
# kernel without patches, "stock".
build_kernel()
{
	local options

	case $1 in
	[0-9]*) options=(--kernel "$1" plain) ;;
	ppc64le-*) options=(--arch ppc64le --kernel "${1#*-}" plain) ;;
	ppc64le|ia64) options=(--arch "$1" plain) ;;
	stock) options=(--kernel stock-6.12 debug) ;;
	*) options=("$1") ;;
	esac
	if "$top/tools/vm/kernel" "${options[@]}"; then
		touch "$results/built-$1"
	else
		fail "$results/$1" "$1-kernel" "it could not be built"
		touch "$results/unbuilt-$1"
	fi
}

# build_kernels KERNEL...: all of them, the first before this returns.
build_kernels()
{
	local kernel

	asked=("$@")
	build_kernel "$1"
	shift
	for kernel; do
		build_kernel "$kernel"
	done &
	builder=$!
}

# What was to be built was, or it is known that it could not be.
check_builder()
{
	local kernel

	for kernel in "${asked[@]}"; do
		[ -e "$results/built-$kernel" ] || [ -e "$results/unbuilt-$kernel" ] ||
			fail "$results/$kernel" "$kernel-kernel" "its builder did not come to its end"
	done
}

# Wait until a kernel is there; fails when it will not be.
await_kernel()
{
	[[ " ${asked[*]} " == *" $1 "* ]] || return 1
	until [ -e "$results/built-$1" ]; do
		# Another look: it may have ended with this one.
		kill -0 "$builder" 2>/dev/null || { [ -e "$results/built-$1" ]; return; }
		sleep 1
	done
}

# So many at a time: a guest keeps one of the machine's processors busy, but not always.
room()
{
	local beside=1

	! kill -0 "$builder" 2>/dev/null || beside=0
	echo "${JOBS:-$(($(nproc) + beside))}"
}

# Our processes that run tests, as far as they have not ended.
running_lanes()
{
	local pid

	lanes=()
	for pid in $(jobs -pr); do
		[ "$pid" = "$builder" ] || lanes+=("$pid")
	done
}

# A lane says that it came to its end: whatever kills it, it does not then.
lane()
{
	"$@"
	echo "$*" >>"$results/ended"
}

# start COMMAND [ARG...]: as soon as there is room.
start()
{
	local lanes

	while running_lanes; [ ${#lanes[@]} -ge "$(room)" ]; do
		wait -n "${lanes[@]}" 2>/dev/null
	done
	echo "$*" >>"$results/started"
	lane "$@" &
}

check_lanes()
{
	local command

	touch "$results/ended"
	while read -r command; do
		fail "$results/lanes" lane "$command: it did not come to its end"
	done < <(sort "$results/started" | comm -23 - <(sort "$results/ended"))
}
