#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record over the real perfmonctl(): names of code that is made at run time, whatever is
# sampled, also in containers; and no files of strangers.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are sampled expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=200
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"

# shellcheck source-path=SCRIPTDIR source=shares.sh
. "$here/shares.sh"

# record OPTION...: each sample stands for ten thousand instructions
record()
{
	status 0 "$pfmon" record -e instructions:u -c 10007 "$@"
}

# hits SYMBOL: its samples
hits()
{
	"$pfmon" report -x ';' | awk -F';' -v symbol="$1" '
		$4 == symbol { sum += $1 } END { print sum + 0 }'
}

# background COMMAND...: until the case ends; its process is $pid, its first one $child
background()
{
	"$@" &
	pid=$!
	trap 'kill -KILL $(jobs -p) $(pgrep -P "$pid") 2>/dev/null' EXIT
}

# of_a_process PID: half a second of it, nearly all in made() if that has a name
of_a_process()
{
	record -p "$1" --timeout 500
}

test_on_one_cpu_it_has_its_name()
{
	record -C 0 -- taskset -c 0 "$sampled" jit
	between "samples of made()" "$(hits made)" 190 201
}

# Each of them has 2,000,000 instructions in the loop; every CPU has a period of its own, so a move to
# another one may add a sample.
test_on_all_cpus_it_has_its_name()
{
	record -a -- "$sampled" jit
	between "samples of made()" "$(hits made)" 190 205
	record -a -- "$sampled" jitdump
	between "samples of first()" "$(hits first)" 190 205
	between "samples of second()" "$(hits second)" 190 205
}

# The runtime may be interrupted between the two.
test_a_dump_that_is_mapped_late_has_the_right_times()
{
	record "$sampled" jitdump 1
	is order "$("$pfmon" script -1 -F sym | awk '/first|second/ { print $1 }' | uniq | paste -sd' ')" "first second"
	between "samples of first()" "$(hits first)" 199 201
	between "samples of second()" "$(hits second)" 199 201
}

test_a_file_that_goes_with_its_process_is_read_in_time()
{
	record -a -- sh -c '"$0" jit & wait; sleep 2.5; rm /tmp/perf-$!.map' "$sampled"
	between "samples of made()" "$(hits made)" 190 201
}

test_another_thread_than_the_first_has_it()
{
	local tid

	background "$sampled" jitlast
	wait_until 20 test -s "/tmp/perf-$pid.map"
	of_a_process "$pid"
	between "made()" "$(share made)" 99 100
	tid=$(cd "/proc/$pid/task" && printf '%s\n' * | grep -vx "$pid")
	record -t "$tid" --timeout 500
	between "made()" "$(share made)" 99 100
}

# A directory of its own at /tmp, and a number of its own.
container=('unshare' --mount --pid --fork sh -c 'mount -t tmpfs tmpfs /tmp && cd /tmp && exec "$@"' sh)

test_in_a_container_it_has_its_name()
{
	record "${container[@]}" "$sampled" jit
	[ ! -e /tmp/perf-1.map ] || fail "it is in no container"
	between "samples of made()" "$(hits made)" 190 201
	record "${container[@]}" "$sampled" jitdump
	between "samples of first()" "$(hits first)" 190 201
}

# Its mounts end with its last process: here that is before the names are read.
test_a_container_that_has_ended_has_its_names()
{
	record -a -- "${container[@]}" "$sampled" jitstay
	[ "$(hits made)" -gt 1000 ] || fail "$(hits made) samples of made()"
}

test_in_a_container_that_runs_already_it_has_its_name()
{
	local inner

	background "${container[@]}" "$sampled" jitstay
	wait_until 20 pgrep -P "$pid" -x sampled
	inner=$(pgrep -P "$pid" -x sampled)
	wait_until 20 test -s "/proc/$inner/root/tmp/perf-1.map"
	of_a_process "$inner"
	between "made()" "$(share made)" 99 100
	record -a --timeout 500
	[ "$(hits made)" -gt 1000 ] || fail "$(hits made) samples of made()"
}

# An absolute link means a place in the container. The same place outside is another's.
test_links_stay_in_the_container()
{
	local map

	mkdir -p root/dev/shm /dev/shm
	ln -s /dev/shm root/tmp
	ldd "$sampled" | grep -o '/[^ ]*' | sort -u | xargs cp -L --parents -t root
	cp "$sampled" root/sampled
	background chroot root /sampled jitstay
	map=dev/shm/perf-$pid.map
	wait_until 20 test -s "root/$map"
	of_a_process "$pid"
	between "made()" "$(share made)" 99 100
	sed 's/made/stranger/' "root/$map" >"/$map"
	rm "root/$map"
	of_a_process "$pid"
	rm "/$map"
	is "samples that a file outside has named" "$(hits stranger)" 0
	between "[anon]" "$(file_share '[anon]')" 99 100
}

test_files_of_strangers_are_not_believed()
{
	local map

	background setpriv --reuid 65534 --regid 65534 --clear-groups "$sampled" jitstay
	map=/tmp/perf-$pid.map
	wait_until 20 test -s "$map"
	of_a_process "$pid"
	between "made()" "$(share made)" 99 100
	chown 1 "$map"
	of_a_process "$pid"
	is "samples named by another user" "$(hits made)" 0
	between "[anon]" "$(file_share '[anon]')" 99 100
	chown 0 "$map"
	of_a_process "$pid"
	between "made(), named by root" "$(share made)" 99 100
}

test_only_a_file_is_opened()
{
	local map

	background "$sampled" jitstay
	map=/tmp/perf-$pid.map
	wait_until 20 test -s "$map"
	mv "$map" moved
	ln -s "$PWD/moved" "$map"
	of_a_process "$pid"
	is "samples named through a link" "$(hits made)" 0
	rm "$map"
	mkfifo "$map"
	of_a_process "$pid"
	is "samples named by a FIFO" "$(hits made)" 0
	between "[anon]" "$(file_share '[anon]')" 99 100
	rm "$map"
}

run_tests "$@"
