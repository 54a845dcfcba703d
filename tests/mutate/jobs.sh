# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154,SC2034 # variables of the caller
#
# Guests side by side, $jobs at a time; sourced by run.

# attend COMMAND...: run it in a process group, which a signal to us ends at once. Sets $status.
# With $patience, the command is a guest, which is ended after that time without output; $silence is
# its longest time without output.
attend()
{
	local said age

	setsid "$@" 9>&- &
	child=$!
	silence=0
	while [ -n "${patience-}" ] && kill -0 "$child" 2>/dev/null; do
		sleep 1
		said=$place/out
		[ -s "$said" ] || said=$place/console
		age=$(($(date +%s) - $(stat -c %Y "$said")))
		[ "$age" -le "$silence" ] || silence=$age
		[ "$age" -le "$patience" ] || kill -- "-$child" 2>/dev/null
	done
	wait "$child"
	status=$?
	child=''
}

declare -A place_of=() task_of=()
queue=()

# start COMMAND...: run it in a free slot, which the caller sees that there is, with the directory $place.
start()
{
	local i

	for ((i = 0; i < jobs; i++)); do
		place=$work/guest-$i
		[[ " ${place_of[*]} " = *" $place "* ]] || break
	done
	rm -rf "$place"
	mkdir "$place"
	(
		place_of=()
		trap 'stop 1' TERM HUP
		"$@" && touch "$place/ended"
	) &
	place_of[$!]=$place
	task_of[$!]=$*
}

# Wait for the next end: call COMMAND_ended (COMMAND up to its _), with the arguments of the start.
await()
{
	local pid task

	wait -n -p pid
	place=${place_of[$pid]}
	unset "place_of[$pid]"
	[ -e "$place/ended" ] || stop 1
	read -ra task <<<"${task_of[$pid]}"
	"${task[0]%%_*}_ended" "${task[@]:1}"
}

# work_through MOST COMMAND...: run it with up to MOST words of the queue, until that is empty.
work_through()
{
	local most=$1
	shift

	while [ ${#queue[@]} -gt 0 ] || [ ${#place_of[@]} -gt 0 ]; do
		if [ ${#queue[@]} -gt 0 ] && [ ${#place_of[@]} -lt "$jobs" ]; then
			start "$@" "${queue[@]:0:most}"
			queue=("${queue[@]:most}")
		else
			await
		fi
	done
}

# stop STATUS: end, and leave no process behind.
stop()
{
	trap '' INT TERM HUP
	[ ${#place_of[@]} -eq 0 ] || kill "${!place_of[@]}" 2>/dev/null
	[ -z "${child-}" ] || kill -- "-$child" 2>/dev/null
	wait
	if [ "$BASHPID" = $$ ] && [ ${#waiting[@]} -gt 0 ]; then
		score
		echo "${#waiting[@]} are without a verdict; go on with: -n $n --seed $seed"
	fi
	exit "$1"
}
trap 'stop 130' INT TERM HUP
