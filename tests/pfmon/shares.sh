# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $pfmon comes from the caller
#
# The shares of places in pfmon.data, and whether they are right. Source it with $pfmon set.

# The percentage of the samples in a symbol, in whole numbers
share()
{
	"$pfmon" report -x ';' | awk -F';' -v symbol="$1" '
		$4 == symbol { sum += $2 } END { printf "%d\n", sum + 0.5 }'
}

# file_share FILE: the same of a file, or of what stands in its place
file_share()
{
	"$pfmon" report --sort file -x ';' | awk -F';' -v file="$1" '
		$4 == file { sum += $2 } END { printf "%d\n", sum + 0.5 }'
}

# between WHAT GOT LOW HIGH: got is a whole number, and neither lower nor higher
between()
{
	[[ $2 =~ ^[0-9]+$ ]] || fail "$1 is \"$2\", which is no number"
	if [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
		fail "$1 is $2, and should be from $3 to $4:" "$("$pfmon" report --limit 20)"
	fi
}
