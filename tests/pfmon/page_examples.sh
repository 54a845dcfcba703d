#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The commands in the manual pages work: each is run, in a directory that has the programs and
# recordings that they name, and returns 0. The same for those of README.md and of
# Documentation/install.md. The programs in C of the pages for programmers count and sample.
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
man=$top/Documentation/man
work=$(mktemp -d)
limits=/sys/kernel/perfmon/limits
throttle=$(cat $limits/cpu_time_max_percent)
pause=$(cat $limits/watchdog_pause)
# restore: the limits that an example changes
restore()
{
	echo "$throttle" >$limits/cpu_time_max_percent
	echo "$pause" >$limits/watchdog_pause
}
trap 'restore; rm -rf "$work"' EXIT
# shellcheck source-path=SCRIPTDIR source=fragments.sh
. "$here/fragments.sh"

# examples PAGE: the commands of its EXAMPLES, one a line
examples()
{
	awk '/^\.Sh/ { within = /EXAMPLES/ }
	     !within { next }
	     /^\.Bd/ { literal = 1; next }
	     /^\.Ed/ { literal = 0; next }
	     literal || sub(/^\.Dl /, "")' "$man/$1" | sed 's/\\&//g; s/\\e/\\/g'
}

# beside PAGE: the commands of pfmon beside those of another program
beside()
{
	sed -n 's/^\.Dl \(pfmon .*\)/\1/p; s/.* Ta Li "\(pfmon .*\)"$/\1/p' "$man/$1"
}

# section NAME FILE: the lines of a section of a document
section()
{
	awk -v name="## $1" '/^## / { on = $0 == name; next } on' "$2"
}

# The commands of pfmon for newcomers, as the guest has them.
of_documents()
{
	{
		section "Next steps" "$top/README.md"
		section "In the guest" "$top/Documentation/install.md"
	} | sed -n 's/ *#.*//; s,^    \(.*\)build/bin/pfmon,\1pfmon,p' |
		sed 's,tools/vm/run .*pfmon ,pfmon ,; s,<README.md,<file,'
}

# Programs that this machine lacks, with the parts that the examples need.
stand_ins()
{
	mkdir bin
	cat >bin/mpirun <<'SH'
#!/bin/bash
[ "$1" = -n ] || exit 2
for ((rank = 0; rank < $2; rank++)); do
	PMI_RANK=$rank "${@:3}" || exit
done
SH
	cat >bin/pprof <<'SH'
#!/bin/bash
gzip -t "${@: -1}"
SH
	printf '#!/bin/bash\nsleep 0.5\n' >client
	chmod +x bin/* client
	ln -s "$top/build/bin/pfmon" bin/pfmon
	PATH=$PWD/bin:$PATH
}

# The files that the examples name.
furnish()
{
	cp "$top/build/bin/tests/pfmon/known_long_one" prog
	cp prog program.old
	cp prog program.new
	cp "$top/LICENSE" file
	mkdir data
	echo 'int twice(int n) { return 2 * n; }' >file.c
	# shellcheck disable=SC2016 # it is make's
	printf 'all:\n\t$(CC) -O2 -c file.c\n' >Makefile
	pfmon record -b -e cycles:u -c 50000 -o kept -- sh -c './prog; ls >/dev/null' 2>/dev/null
}

recordings()
{
	local name

	for name in pfmon.data b.data before.data after.data rank0.data rank1.data data/ls.data FILE A B; do
		cp kept $name
	done
	rm -f file.gz
}

# run_line COMMAND: if it names a server, one runs until the command ends
run_line()
{
	local line=$1 server=

	recordings
	case $line in
	*4711*|*PID*|*TID*)
		sleep 0.6 &
		server=$!
		line=${line//4711/$server}
		line=${line//PID/$server}
		line=${line//TID/$server}
		;;
	esac
	line=${line//0,2-3/0-1} # of two CPUs
	# Commands that run until a signal, or wait for long.
	line=${line//pfmon top/pfmon top --batch -n 1}
	line=${line//-d 60/-d 0.5}
	line=${line//--timeout 10000/--timeout 500}
	line=${line//sleep 1/sleep 0.2}
	# The program that was recorded, and its function.
	line=$(sed -E 's/(annotate .*)(SYMBOL|memcpy|main)$/\1_start/; s/worker/prog/; s/DSO/*prog/' <<<"$line")
	bash -c "set -o pipefail; $line" >out 2>err </dev/null && return
	echo "status $?: $line"
	head -n 3 err
	return 1
}

# runs NAME MINIMUM: the lines of standard input
runs()
{
	local name=$1 fewest=$2 line n=0

	: >failures
	while read -r line; do
		n=$((n + 1))
		run_line "$line" >>failures
	done
	[ "$n" -ge "$fewest" ] || echo "only $n commands were found" >>failures
	report "$name" "$([ -s failures ] && echo no || echo ok)" "$(cat failures)"
}

# The commands of perfmon(7), beside a running pfmon: each prints something, or writes a file.
of_root()
{
	local line server status patience=100

	sleep 60 &
	server=$!
	pfmon stat -p $server >/dev/null 2>&1 &
	until grep -qs pfm-state /proc/$!/fdinfo/* || [ $((patience--)) -eq 0 ]; do
		sleep 0.1
	done
	while read -r line; do
		bash -c "$line" >out 2>err </dev/null
		status=$?
		[ "$status" -eq 0 ] && { [ -s out ] || [[ $line == echo* ]]; } && continue
		echo "status $status: $line"
		head -n 3 err
	done
	kill $server
	wait
	[ "$(cat $limits/cpu_time_max_percent)" = 50 ] || echo "cpu_time_max_percent was not written"
	[ "$(cat $limits/watchdog_pause)" = any ] || echo "watchdog_pause was not written"
}

# of_format FORMAT: the commands of its page, one after the other; the last one names the program
of_format()
{
	commands "perfmon_$1_smpl.5" EXAMPLES >script
	rm -f pfmon.data
	[ "$(wc -l <script)" -ge 2 ] || echo "the page has no commands"
	bash -eo pipefail script >out 2>err </dev/null || echo "status $?"
	grep -q _start out || head -n 20 script err out
}

# compile NAME: of NAME.c
compile()
{
	gcc -D_GNU_SOURCE -O1 -fno-omit-frame-pointer -I"$top/tools/lib" -I"$top/include/uapi" \
		-o "$1" "$1.c" "$top/build/lib/libperfmon.a" && "./$1"
}

# first: the program of perfmonctl(2), compiled by the command of the page, counts the same each time
first()
{
	local root=$top/build/bin/tests/pfmon/examples/root

	first_program >first.c
	PKG_CONFIG_PATH=$root/lib/pkgconfig bash -c "$(commands perfmonctl.2 'A first program')" || return
	export LD_LIBRARY_PATH=$root/lib
	./first >one && ./first >other && cmp one other && cat one
}

# samples FORMAT: the output of the example in C
samples()
{
	sampler "$1" >"$1.c"
	compile "$1"
}

plan 14
cd "$work" || exit 1
stand_ins
furnish
passes a_recording_was_made test -s kept

missing=$(for page in "$man"/pfmon*.1; do
	[ -n "$(examples "${page##*/}")" ] || echo "${page##*/}"
done)
is each_page_of_a_verb_has_examples "$missing" ''

# Test pfmon/ibs runs the examples that need AMD's PMU.
for page in "$man"/pfmon*.1; do
	examples "${page##*/}" | grep -v ibs_
done >lines
runs the_examples_of_the_pages_run 35 <lines
{ beside pfmon-from-perf.7; beside pfmon-from-pfmon3.7; } >lines
runs commands_beside_those_of_others_run 30 <lines
of_documents >lines
runs the_commands_for_newcomers_run 14 <lines
commands perfmon.7 EXAMPLES >lines
is the_commands_of_root_run "$(of_root <lines)" ''
restore
for format in branch hist stack; do
	is "the_commands_of_a_format_run ($format)" "$(of_format $format)" ''
done
has the_first_program_counts "$(first 2>&1)" '^[3-9][0-9]{6} instructions$'
group_program >group.c
is the_group_is_set "$(compile group 2>&1)" "$(getent group games | cut -d: -f3)"
# About one sample of 100,003 instructions for 20,000 turns of the loop, each with a branch.
passes branches_are_read test "$(samples branch | grep -c '^  from 0x[0-9a-f]* to 0x[0-9a-f]*')" -ge 400
passes chains_are_read test "$(samples stack | grep -cE '^(0x[0-9a-f]+;)+0x[0-9a-f]+ 1$')" -ge 30
samples hist >entries
is sums_are_those_of_the_header "$(awk '/^0x/ { n += $2 } END { print ($1 == n && n >= 30), $3 }' entries)" '1 0'
finish
