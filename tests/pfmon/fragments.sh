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

# The registers of a sampler, pmc and pmd: on Intel's processors the instructions at user level.
registers()
{
	if [ "$1" = ibs ]; then
		literal perfmon_ibs_smpl.5 Registers
		return
	fi
	if [ "$1" = branch ]; then
		cat <<-'C'
		pfarg_pmc_t debugctl = { .reg_num = 23, .reg_value = 1 };

		if (perfmonctl(fd, PFM_WRITE_PMCS, &debugctl, 1))
			err(1, "record branches");
		C
	fi
	cat <<-'C'
	pfarg_pmc_t pmc = { .reg_num = 16, .reg_value = 0x2 };
	pfarg_pmd_t pmd = { .reg_num = 16, .reg_value = -100003ULL,
			    .reg_long_reset = -100003ULL, .reg_short_reset = -100003ULL };
	C
}

# sampler FORMAT: a program that samples itself as the format's page describes it, and reads its
# buffer by the page's example
sampler()
{
	local page=perfmon_$1_smpl.5

	includes "perfmon_$1_smpl.h"
	cat <<-'C'
	int main(void)
	{
	pfarg_load_t load = { .load_pid = getpid() };
	void *buffer;
	int fd;
	C
	literal "$page" DESCRIPTION
	cat <<-'C'
	fd = req.ctx.ctx_fd;
	if (fd <= 0)
		errx(1, "there is no context");
	buffer = mmap(NULL, req.ctx.ctx_smpl_buf_size, PROT_READ, MAP_SHARED, fd, 0);
	if (buffer == MAP_FAILED)
		err(1, "map");
	C
	registers "$1"
	cat <<-'C'
	if (perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1) || perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1) ||
	    perfmonctl(fd, PFM_LOAD_CONTEXT, &load, 1) || perfmonctl(fd, PFM_START, NULL, 0))
		err(1, "start");
	for (volatile int turn = 0; turn < 1000000; turn++)
		;
	if (perfmonctl(fd, PFM_STOP, NULL, 0))
		err(1, "stop");
	C
	literal "$page" EXAMPLES
	printf 'return 0;\n}\n'
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
