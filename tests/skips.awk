# SPDX-License-Identifier: GPL-2.0
#
# Prints what was skipped and should not have been. Reads tests/skips, and of one place
# what summary.awk wrote: test, case, reason, with tabs between. Variable: place.

FILENAME == ARGV[1] {
	if (/^#/ || NF < 3)
		next
	where[++rules] = "^(" $1 ")$"
	which[rules] = "^(" $2 ")$"
	sub(/^[^ \t]+[ \t]+[^ \t]+[ \t]+/, "")
	why[rules] = "^(" $0 ")$"
	next
}

{
	split($0, field, "\t")
	for (i = 1; i <= rules; i++)
		if (place ~ where[i] && field[1] ~ which[i] && field[3] ~ why[i])
			next
	printf "%s: %s: %s was skipped, and tests/skips does not expect that: %s\n",
	       place, field[1], field[2], field[3]
}
