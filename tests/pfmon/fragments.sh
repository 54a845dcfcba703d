# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119,SC2120,SC2154 # $man and headers come from the caller
#
# The examples of the manual pages for programmers: their text, and programs around those in C.
# Source it with $man set.

# literal PAGE HEADING [NUMBER]: the text of this literal block below the heading
literal()
{
	awk -v heading="$2" -v wanted="${3-1}" '
		/^\.S[hs] / { within = substr($0, 5) == heading }
		within && /^\.Bd -literal/ { number++; next }
		/^\.Ed/ { if (within && number == wanted) exit; next }
		within && number == wanted' "$man/$1" | sed 's/\\e/\\/g; s/\\&//g'
}

# commands PAGE HEADING: the commands below the heading, one a line
commands()
{
	awk -v heading="$2" '
		/^\.S[hs] / { within = substr($0, 5) == heading }
		within && sub(/^\.Dl /, "")' "$man/$1" | sed 's/\\&//g'
}

includes()
{
	printf '#include <%s>\n' err.h errno.h fcntl.h grp.h signal.h stdio.h stdlib.h sys/mman.h \
		unistd.h perfmon_lib.h "$@"
}

# fragment PAGE HEADING NUMBER [STATEMENT]: a function with this block, and the statement behind it;
# standard input has the declarations that the block needs
fragment()
{
	includes
	cat
	printf 'void program(void);\nvoid program(void)\n{\n'
	literal "$1" "$2" "$3"
	printf '%s\n}\n' "${4-}"
}

# A program that lets the group "games" create contexts, as perfmon(7) lets another one, prints the
# kernel's file, and ends the restriction.
group_program()
{
	includes
	printf 'int main(void)\n{\n'
	literal perfmon.7 EXAMPLES | sed 's/"perfmon"/"games"/'
	cat <<-'C'
	if (system("cat /sys/kernel/perfmon/limits/thread_gid"))
		errx(1, "cat");
	config.cf_thread_gid = PFM_GROUP_ANY;
	return perfmonctl(0, PFM_SET_CONFIG, &config, 1) != 0;
	}
	C
}

# The program of perfmonctl(2), as it is there.
first_program()
{
	literal perfmonctl.2 "A first program"
}
