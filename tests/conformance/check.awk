# SPDX-License-Identifier: GPL-2.0
#
# The work of "check". Reads, in this order, the matrix, the tests' sources, KUnit
# suites, and the TAP of a run. Variables: matrix, its name; with_results; left_out, a file
# with the tests that the run was not to run.

function fault(where, what, todo)
{
	printf "%s: %s: %s\n", where, what, todo
	faults++
}

BEGIN {
	while (with_results && (getline line < left_out) > 0)
		is_left_out[line] = 1
}

function trim(text)
{
	gsub(/^[ \t]+|[ \t]+$/, "", text)
	return text
}

FNR == 1 {
	end_of_covers()
	kind = kind_of(FILENAME)
	name = program_of(FILENAME)
}

function kind_of(path)
{
	if (path == matrix)
		return "matrix"
	if (path ~ /\.tap$/)
		return "tap"
	if (path ~ /_kunit\.c$/)
		return "kunit"
	return path ~ /\.sh$/ ? "script" : "program"
}

# AREA/PROGRAM of a source; kunit/FILE; AREA-PROGRAM of a TAP file, as tests/run names it.
function program_of(path,    file)
{
	file = path
	sub(/.*\//, "", file)
	sub(/\.[a-z]+$/, "", file)
	if (kind_of(path) == "tap")
		return file
	if (kind_of(path) == "kunit")
		return "kunit/" file
	sub(/^tests\//, "", path)
	return substr(path, 1, index(path, "/")) file
}

# The matrix: tables of four columns, whose first one is the row's name.

kind == "matrix" && /^### / { section = $2 }

kind == "matrix" && /^\| *[0-9D][0-9A-Z.]*-[0-9]+ *\|/ {
	fields = split($0, field, "|")
	id = trim(field[2])
	if (fields != 6) {
		fault(id, "has " fields - 2 " columns", "make it row, requirement, where, test")
		next
	}
	if (id in row_where)
		fault(id, "is there twice", "number the second one on from the last of its section")
	else
		ids[++num_rows] = id
	if (substr(id, 1, length(section) + 1) != section "-")
		fault(id, "is in section " section, "move it to its own section")
	row_where[id] = trim(field[4])
	row_tests[id] = trim(field[5])
	if (trim(field[3]) == "")
		fault(id, "states no requirement", "say what is required")
	next
}

kind == "matrix" && /^\| / && !/^\| row / {
	fault(matrix " line " FNR, "is no row", "begin it with section-number")
}

# Sources: tests, and the comments that name their rows.

function end_of_covers(    i)
{
	if (num_pending)
		fault(pending_at, "covers rows, but no test is directly below",
		      "put the comment above its test")
	num_pending = in_covers = 0
}

# Take in the rows of a line "covers: ROW..."
function covers(line,    i, n, word)
{
	sub(/.*covers:/, "", line)
	in_covers = line !~ /\*\//
	sub(/\*\/.*/, "", line)
	n = split(line, word, /[ \t*,]+/)
	for (i = 1; i <= n; i++)
		if (word[i] != "")
			pending[++num_pending] = word[i]
	pending_at = FILENAME " line " FNR
}

# The test that they are of.
function covered(test,    i)
{
	for (i = 1; i <= num_pending; i++) {
		if (!((test, pending[i]) in test_covers)) {
			test_covers[test, pending[i]] = 1
			cover_test[++num_covers] = test
			cover_row[num_covers] = pending[i]
		}
		has_rows[test] = 1
	}
	num_pending = 0
}

kind == "program" && (in_covers || /^\/\* covers:/) {
	covers($0)
	next
}

kind == "program" && /^TEST(_LIMIT)?\(/ {
	match($0, /\([A-Za-z_0-9]+/)
	test = name ":" substr($0, RSTART + 1, RLENGTH - 1)
	if (!(test in exists))
		tests[++num_tests] = test
	exists[test] = 1
	programs[name] = 1
	covered(test)
	next
}

kind == "script" && /^[ \t]*# covers:/ {
	covers($0 " */")
	next
}

# A function that is a case, a case with a name of its own, or a line whose cases are named
# when it runs.
kind == "script" && num_pending {
	if ($1 ~ /^test_[A-Za-z_0-9]+\(\)$/)
		test = name ":" substr($1, 6, length($1) - 7)
	else
		test = name ":" ($2 ~ /^[A-Za-z_0-9]+$/ ? $2 : "*")
	exists[test] = 1
	covered(test)
}

kind == "script" {
	scripts[name] = 1
	text[name] = text[name] "\n" $0
	next
}

kind == "program" {
	end_of_covers()
	next
}

kind == "kunit" && /KUNIT_CASE(_PARAM)?\(/ {
	match($0, /\([A-Za-z_0-9]+/)
	exists[name ":" substr($0, RSTART + 1, RLENGTH - 1)] = 1
}

# Results. A test may have run in several guests: ok[], failed[] and skipped[] say where.

kind == "tap" && FNR == 1 {
	place = FILENAME
	sub(/\/[^\/]*$/, "", place)
	sub(/.*\//, "", place)
	runs[name] = runs[name] " " place
}

kind == "tap" && (name == "kunit" ? /^    (not )?ok [0-9]/ : /^(not )?ok [0-9]/) {
	line = trim($0)
	bad = line ~ /^not /
	skip = line ~ /# SKIP/
	sub(/^(not )?ok [0-9]+ (- )?/, "", line)
	sub(/ *# .*/, "", line)
	result(name, line, bad ? "failed" : skip ? "skipped" : "ok")
	result(name, "*", bad ? "failed" : skip ? "skipped" : "ok")
	said[name, line, place] = 1
	if (!((name, line) in listed)) {
		listed[name, line] = 1
		listed_program[++num_listed] = name
		listed_case[num_listed] = line
	}
}

function result(program, test, how)
{
	if (how == "failed" && !index(failed[program, test] " ", " " place " "))
		failed[program, test] = failed[program, test] " " place
	else if (how == "ok")
		ok[program, test] = 1
	else if (how == "skipped")
		skipped[program, test] = 1
}

END {
	end_of_covers()
	for (i = 1; i <= num_rows; i++)
		check_row(ids[i])
	check_covers()
	if (with_results)
		check_scripts()
	summary()
	exit faults > 0 || num_rows == 0
}

function check_row(id,    n, i, test, where, reason)
{
	n = row_tests[id] == "-" || row_tests[id] == "" ? 0 : split(row_tests[id], test, /[ \t]+/)
	where = row_where[id]
	if (where == "not on this architecture yet") {
		others++
		if (id !~ /^5\./)
			fault(id, "is not of chapter 5", "say where it is, and name a test")
		return
	}
	if (match(where, /(^|; *)deviation/)) {
		reason = substr(where, RSTART + RLENGTH)
		where = substr(where, 1, RSTART - 1)
		deviations++
		if (reason !~ /^: *[^ ]/)
			fault(id, "is a deviation without a reason", "write deviation: and the reason")
	} else if (!n) {
		fault(id, "has no test", "write one and name it, or say why it is a deviation")
	} else {
		tested++
	}
	if (where == "" && reason == "")
		fault(id, "does not say where it is", "name file:function")
	check_where(id, where)
	for (i = 1; i <= n; i++)
		check_test(id, test[i])
}

# FILE or FILE:NAME, several with commas between them.
function check_where(id, where,    n, i, part, file, what)
{
	n = split(where, part, / *, */)
	for (i = 1; i <= n; i++) {
		file = part[i]
		what = ""
		if (match(file, /:/)) {
			what = substr(file, RSTART + 1)
			file = substr(file, 1, RSTART - 1)
		}
		if (file !~ /\//)
			file = "kernel/perfmon/" file
		if (!is_read(file))
			fault(id, "is said to be in " file ", which does not exist", "correct the name")
		else if (what != "" && !has_word(file_text[file], what))
			fault(id, "is said to be in " what ", which is not in " file, "correct the name")
	}
}

function is_read(file,    line, status)
{
	if (!(file in file_there)) {
		while ((status = (getline line < file)) > 0)
			file_text[file] = file_text[file] "\n" line
		close(file)
		file_there[file] = status == 0 && file_text[file] != ""
	}
	return file_there[file]
}

function has_word(text, word)
{
	return (text " ") ~ ("[^A-Za-z0-9_]" word "[^A-Za-z0-9_]")
}

function check_test(id, test,    program, what)
{
	row_names[test, id] = 1
	if (test !~ /^[a-z0-9_]+\/[A-Za-z0-9_]+:([A-Za-z0-9_]+|\*)$/) {
		fault(id, "names " test, "write area/program:case")
		return
	}
	program = what = test
	sub(/:.*/, "", program)
	sub(/.*:/, "", what)
	if (!test_exists(test, program, what)) {
		fault(id, "names " test ", which does not exist", "correct the name, or write the test")
		return
	}
	if (program !~ /^kunit\// && !((test, id) in test_covers))
		fault(id, "names " test ", which does not cover it",
		      "add " id " to the comment above the test")
	if (with_results && !(test in checked)) {
		checked[test] = 1
		check_result(test, program, what)
	}
}

function test_exists(test, program, what)
{
	return (test in exists) ||
	       ((program in scripts) && (what == "*" || has_word(text[program], what)))
}

# A program that a script of the same name runs has its results in the script's.
function check_result(test, program, what,    output, i, n, place)
{
	output = program
	sub(/^kunit\/.*/, "kunit", output)
	gsub(/\//, "-", output)
	if ((program in programs) && (program in scripts) && (test in exists) &&
	    !((output, what) in listed))
		what = "*"
	if (failed[output, what] != "") {
		fault(test, "failed in" failed[output, what], "see its .tap there")
		return
	}
	n = split(runs[output], place, " ")
	if (!n && (program in is_left_out))
		return
	if (!n) {
		fault(test, "did not run", "is this the result of a full run? does its program build?")
		return
	}
	for (i = 1; i <= n && what != "*" && output != "kunit"; i++)
		if (!((output, what, place[i]) in said))
			fault(test, "did not run in " place[i], "see why its program ended early")
	if (!((output, what) in ok))
		fault(test, (output, what) in skipped ? "was skipped everywhere" : "did not run",
		      "see what it needs")
}

function check_covers(    i)
{
	for (i = 1; i <= num_covers; i++) {
		if (!(cover_row[i] in row_where))
			fault(cover_test[i], "covers " cover_row[i] ", which is no row", "correct it")
		else if (!((cover_test[i], cover_row[i]) in row_names))
			fault(cover_test[i], "covers " cover_row[i] ", which does not name it",
			      "add the test to the row")
	}
	for (i = 1; i <= num_tests; i++)
		if (tests[i] ~ /^abi\// && !(tests[i] in has_rows))
			fault(tests[i], "covers no row", "put /* covers: ROW */ directly above it")
}

# Cases of scripts are known when they have run.
function check_scripts(    i, test, program)
{
	for (i = 1; i <= num_listed; i++) {
		program = listed_program[i]
		if (program !~ /^abi-/)
			continue
		sub(/-/, "/", program)
		test = program ":" listed_case[i]
		if ((program in scripts) && !(test in has_rows) && !((program ":*") in has_rows))
			fault(test, "covers no row", "put # covers: ROW directly above it")
	}
}

function summary()
{
	printf "conformance: %d rows: %d with a test, %d deviations, %d not on this architecture yet; ",
	       num_rows, tested, deviations, others
	printf "%d tests name rows; %s\n", count(has_rows),
	       faults ? faults " faults" : with_results ? "all ran and passed" : "no fault"
}

function count(set,    n, key)
{
	for (key in set)
		n++
	return n + 0
}
