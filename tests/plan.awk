# SPDX-License-Identifier: GPL-2.0
#
# From the existing programs (NAME PATH) and tests/lanes: the programs to run, one on each line:
# LANE NAME PATH. Variables: all, lanes, wanted: as the arguments of tests/run. A named program that
# is in no lane of the default run, runs in the lanes that have it. Errors go to standard error: a
# program without a lane, a name without a program.

function fault(text)
{
	print "tests/run: " text > "/dev/stderr"
	faults++
}

# The last pattern that matches decides.
function fits(name, patterns,    i, n, word, no, yes)
{
	n = split(patterns, word, " ")
	for (i = 1; i <= n; i++) {
		no = sub(/^!/, "", word[i])
		gsub(/\*/, "[^/]*", word[i])
		if (name ~ ("^" word[i] "$"))
			yes = !no
	}
	return yes
}

# Groups of patterns by their names.
function expanded(words,    i, n, word, text)
{
	n = split(words, word, " ")
	for (i = 1; i <= n; i++)
		text = text " " (word[i] in group ? group[word[i]] : word[i])
	return text
}

function is_wanted(name, want)
{
	return name == want || index(name, want "/") == 1
}

function runs(lane, everywhere)
{
	if (lanes != "")
		return index(" " lanes " ", " " lane " ")
	return all || everywhere || when[lane] == "test"
}

# Print the programs that a word of the arguments selects; 0 if there is none.
function take(want, everywhere,    i, n)
{
	for (i = 1; i <= pairs; i++) {
		if (!runs(lane[i], everywhere) || want != "" && !is_wanted(program[i], want))
			continue
		if (!taken[i]++)
			print lane[i], program[i], path[program[i]]
		n++
	}
	return n
}

FILENAME == ARGV[1] {
	if ($1 in path)
		fault("two programs are called " $1 ": " path[$1] " and " $2)
	names[++num_names] = $1
	path[$1] = $2
	next
}

/^#/ || !NF { next }

$2 == "=" {
	$0 = expanded($0)
	group[$1] = substr($0, index($0, "=") + 1)
	next
}

{
	n = split($0, field, /\t+/)
	if (n != 4 || field[2] !~ /^(test|all)$/)
		fault("tests/lanes:" FNR ": a lane has four columns, and the second is test or all")
	when[field[1]] = field[2]
	patterns = expanded(field[4])
	for (i = 1; i <= num_names; i++)
		if (fits(names[i], patterns)) {
			lane[++pairs] = field[1]
			program[pairs] = names[i]
			has_lane[names[i]]
		}
}

END {
	for (i = 1; i <= num_names; i++)
		if (!(names[i] in has_lane))
			fault("tests/lanes has no lane for " names[i])
	n = split(lanes, word, " ")
	for (i = 1; i <= n; i++)
		if (!(word[i] in when))
			fault("there is no lane " word[i] " in tests/lanes")
	n = split(wanted, word, " ")
	for (i = 1; i <= n && !faults; i++)
		if (!take(word[i]) && !(lanes == "" && take(word[i], 1)))
			fault("there is no test " word[i] "; areas are the directories of tests/")
	if (!n && !faults)
		take("")
	exit faults > 0
}
