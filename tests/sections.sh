# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# A guest's output, in sections: one for each program or step, between lines that name it.
#
#	@@begin NAME
#	...
#	@@end NAME STATUS
#
# The first function makes a section, in the guest; the others read sections from the file with the
# guest's output. The functions are no bash: some guests have none.

# section NAME COMMAND [ARG...]: the command's output, and its status
section()
{
	local name=$1

	shift
	echo "@@begin $name"
	"$@"
	# Output need not end with a newline.
	printf '\n@@end %s %d\n' "$name" "$?"
}

# section_text NAME FILE
section_text()
{
	awk -v name="$1" '
		$1 == "@@end" && $2 == name { on = 0 }
		on && empty { print "" }
		on { empty = $0 == "" }
		on && !empty
		$1 == "@@begin" && $2 == name { on = 1; empty = 0 }' "$2"
}

# section_status NAME FILE
section_status()
{
	awk -v name="$1" '$1 == "@@end" && $2 == name { print $3 }' "$2"
}

# check_section PROGRAM FILE NAME [none]: a program with tests reached its end with status 0, and
# some of its tests were not skipped, or none. For tests that source tap.sh.
check_section()
{
	local text ran=none

	text=$(section_text "$1" "$2")
	! printf '%s\n' "$text" | grep '^ok' | grep -qv '# SKIP' || ran=some
	if [ "$(section_status "$1" "$2") $ran" = "0 ${4-some}" ]; then
		report "$3" ok
	else
		report "$3" no "status $(section_status "$1" "$2"), $ran not skipped" \
			"$(printf '%s\n' "$text" | grep -A 4 -v '^ok' | grep -v '^ok')"
	fi
	inner_skips "$1" "$text"
}
