# SPDX-License-Identifier: GPL-2.0
#
# The work of "pins". Reads tests/pinned and of a run: wanted, what it was asked for, a
# name or area in each line, or nothing; places: NAME PLACE, all of each wanted test;
# totals: NAME PLACE CASES FAILED, of the tests that ran. Variables: mode; here.

function say(name, text)
{
	if (name in line_of)
		printf "tests/pinned:%d: %s %s\n", line_of[name], name, text
	else
		printf "tests/pinned: %s %s\n", name, text
	faults++
}

function is_wanted(name,    area)
{
	area = name
	sub(/\/.*/, "", area)
	return !wants || (name in wanted) || (area in wanted)
}

FILENAME == ARGV[1] {
	if (/^#/ || NF < 3)
		next
	if (!($1 in line_of)) {
		line_of[$1] = FNR
		pinned_names[++num_pinned] = $1
	}
	for (i = 3; i <= NF; i++) {
		pinned[$1, $i] = $2
		pinned_places[$1] = pinned_places[$1] " " $i
		line[$1, $i] = FNR
		one_total($1, $2)
	}
	next
}

FILENAME == ARGV[2] { wanted[$1]; wants++; next }

FILENAME == ARGV[3] {
	if (!($1 in there))
		names[++num_names] = $1
	there[$1]
	place[$1, $2]
	places[$1] = places[$1] " " $2
	next
}

# What failed may have had less or more cases than usual.
!$4 { total[$1, $2] = $3; one_total($1, $3); ran[$1] = ran[$1] " " $2 }

# Has a test the same number everywhere? If so, that is it; what ran last has the word.
function one_total(name, n)
{
	if (FILENAME == ARGV[4] && !(name in is_new)) {
		is_new[name]
		if (!(name in varies))
			delete usual[name]
	}
	if ((name in usual) && usual[name] != n)
		varies[name]
	usual[name] = n
}

END {
	if (mode == "places")
		check_places()
	else if (mode == "totals")
		check_totals()
	else
		write()
	exit faults > 0
}

function exists(file,    line)
{
	return (getline line < file) >= 0
}

function why_not(name)
{
	if (exists(here "/" name ".sh"))
		return "is there, but it is not executable, so it does not run"
	if (exists(here "/" name ".c"))
		return "is there, but tests/Makefile and its area.mk do not build it as a test"
	return "is no test any more"
}

function check_places(    i, j, n, name, word)
{
	for (i = 1; i <= num_pinned; i++) {
		name = pinned_names[i]
		if (!is_wanted(name))
			continue
		if (!(name in there)) {
			say(name, why_not(name) ": put that right, or take the line out")
			continue
		}
		n = split(pinned_places[name], word, " ")
		for (j = 1; j <= n; j++)
			if (!((name, word[j]) in place))
				say(name, "does not want to run on " word[j] \
				    " any more: correct its line \"runs:\", or this one")
	}
	for (i = 1; i <= num_names; i++) {
		name = names[i]
		if (!(name in line_of)) {
			say(name, "is a test that is not here: run it, then tests/pins write build/test/latest")
			continue
		}
		n = split(places[name], word, " ")
		for (j = 1; j <= n; j++)
			if (!((name, word[j]) in pinned))
				say(name, "runs on " word[j] ", which is not here: " \
				    "correct its line \"runs:\", or this one")
	}
}

function check_totals(    i, j, n, name, word)
{
	for (i = 1; i <= num_names; i++) {
		name = names[i]
		n = split(ran[name], word, " ")
		for (j = 1; j <= n; j++)
			if (((name, word[j]) in pinned) && pinned[name, word[j]] != total[name, word[j]]) {
				line_of[name] = line[name, word[j]]
				say(name, "has " total[name, word[j]] " cases on " word[j] ", not " \
				    pinned[name, word[j]] ": if that is right, tests/pins write build/test/latest")
			}
	}
}

function number_of(name, where)
{
	if ((name, where) in total)
		return total[name, where]
	if ((name, where) in pinned && (!(name in ran) || (name in varies)))
		return pinned[name, where]
	if ((name in usual) && !(name in varies))
		return usual[name]
	say(name, "has not run on " where ": run it there first")
	return "?"
}

# The lines of one test: a number, and the places that have it.
function write_test(name,    i, n, word, number, numbers, list, where, seen)
{
	n = split(places[name], word, " ")
	for (i = 1; i <= n; i++) {
		number = number_of(name, word[i])
		if (!(number in seen))
			list[++numbers] = number
		seen[number]
		where[number] = where[number] " " word[i]
	}
	for (i = 1; i <= numbers; i++)
		print name " " list[i] where[list[i]]
}

function write(    i, j, n, name, word)
{
	for (i = 1; i <= num_names; i++)
		write_test(names[i])
	for (i = 1; i <= num_pinned; i++) {
		name = pinned_names[i]
		if (is_wanted(name))
			continue
		n = split(pinned_places[name], word, " ")
		for (j = 1; j <= n; j++)
			place[name, word[j]]
		places[name] = pinned_places[name]
		delete ran[name]
		write_test(name)
	}
}
