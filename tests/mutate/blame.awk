# SPDX-License-Identifier: GPL-2.0
#
# blame.awk LOG - the numbers of changes that a compiler's log of schemata.awk's output finds errors
# in. A warning is no error. The lines before an error ("inlined from") and the notes after it ("in
# expansion of macro") belong to it as well.

function note(line)
{
	while (match(line, /mutant-[0-9]+/)) {
		found[substr(line, RSTART + 7, RLENGTH - 7)] = 1
		line = substr(line, RSTART + RLENGTH)
	}
}

/: In function / || /^At top level/ || /^In file included from/ {
	before = $0
	error = 0
	next
}

/^ +inlined from / || /^ +from / {
	before = before " " $0
	next
}

/: (fatal )?error: / {
	note(before " " $0)
	error = 1
	next
}

/: warning: / {
	error = 0
	next
}

error && /: note: / {
	note($0)
}

END {
	for (number in found)
		print number
}
