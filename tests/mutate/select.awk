# SPDX-License-Identifier: GPL-2.0
#
# The programs that can notice a change: those that execute its line. Input: the lines that each
# program executes, in the order of the lanes (LANE PROGRAM FILE LINE COUNT; PROGRAM is "boot" for
# what the kernel executes before any of them), then $work/changes. Output: lines NUMBER LANE
# PROGRAM.
#
# A line that has no code of its own belongs to the code before it in its function. A change outside
# of functions, in a table mostly, can be noticed by whatever executes files of the same first word.
# A program runs in the first lane in which it executes the line: in others only for a PMU's files. So
# do boots, in the first three lanes: with Intel's PMU, AMD's and the software PMU.

function stem(file)
{
	sub(/.*\//, "", file)
	sub(/[_.].*/, "", file)
	return file
}

# The first line of the head of the function around this one; 0 for none. gcov gives the code before a
# function's first statement to its head.
function function_of(file, at,    n, line, head, first)
{
	if (!(file in read)) {
		read[file]
		while ((getline line < file) > 0) {
			n++
			if (line ~ /^[a-zA-Z_]/)
				head = n
			if (line == "{")
				first = head
			if (first)
				begin[file, n] = first
			if (line == "}")
				first = 0
		}
		close(file)
	}
	return begin[file, at] + 0
}

function emit(number, file, who,    i, n, each, part, times)
{
	n = split(who, each, " ")
	for (i = 1; i <= n; i++) {
		split(each[i], part, ",")
		if (file !~ /^arch\/|\/soft/ && times[part[2]] >= (part[2] == "boot" ? 3 : 1))
			continue
		if (!chosen[number, each[i]]++)
			print number, part[1], part[2]
		times[part[2]]++
	}
}

FILENAME == ARGV[1] {
	code[$3, $4]
	if ($5 > 0) {
		run[$3, $4] = run[$3, $4] " " $1 "," $2
		if (!whole[stem($3), $1, $2]++)
			of[stem($3)] = of[stem($3)] " " $1 "," $2
	}
	next
}

{
	split($0, field, "\001")
	file = field[2]
	at = field[3] + 0
	first = function_of(file, at)
	if (first) {
		while (at > first && !((file, at) in code))
			at--
		emit(field[1], file, run[file, at])
	} else {
		emit(field[1], file, of[stem(file)])
	}
}
