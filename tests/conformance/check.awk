# SPDX-License-Identifier: GPL-2.0
#
# The main part of "check". Reads the sources of the tests, then the matrix. Variables: matrix, its
# name; new, a file for the matrix with the present tests.

function fault(where, what, todo)
{
	printf "%s: %s: %s\n", where, what, todo
	faults++
}

function trim(text)
{
	gsub(/^[ \t]+|[ \t]+$/, "", text)
	return text
}

FNR == 1 {
	end_of_covers()
	kind = FILENAME == matrix ? "matrix" : FILENAME ~ /_kunit\.c$/ ? "kunit" : \
		FILENAME ~ /\.sh$/ ? "script" : FILENAME ~ /\.c$/ ? "program" : "lanes"
	name = program_of(FILENAME)
	lines = 0
}

# AREA/PROGRAM of a source; kunit/FILE; lane.
function program_of(path,    file)
{
	file = path
	sub(/.*\//, "", file)
	sub(/\.[a-z]+$/, "", file)
	if (kind == "kunit")
		return "kunit/" file
	if (kind == "lanes")
		return "lane"
	sub(/^tests\//, "", path)
	return substr(path, 1, index(path, "/")) file
}

function end_of_covers()
{
	if (num_pending)
		fault(pending_at, "covers rows, but no test is directly below", "put the comment above its test")
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

# Record @test for the pending rows.
function covered(test,    i)
{
	for (i = 1; i <= num_pending; i++) {
		if (!((test, pending[i]) in seen)) {
			tests_of[pending[i]] = tests_of[pending[i]] " " test
			where[pending[i]] = test
		}
		seen[test, pending[i]]
		has_rows[test]
	}
	num_pending = 0
}

(kind == "program" || kind == "kunit") && (in_covers || /^\/\* covers:/) { covers($0); next }
(kind == "script" || kind == "lanes") && /^[ \t]*# covers:/ { covers($0 " */"); next }

kind == "program" && /^TEST(_LIMIT)?\(/ {
	match($0, /\([A-Za-z_0-9]+/)
	test = name ":" substr($0, RSTART + 1, RLENGTH - 1)
	if (!num_pending && name ~ /^abi\//)
		fault(test, "covers no row", "put /* covers: ROW */ directly above it")
	num_tests++
	covered(test)
	next
}

kind == "kunit" && num_pending && /^static void [a-z_0-9]+\(/ {
	match($0, /[a-z_0-9]+\(/)
	covered(name ":" substr($0, RSTART, RLENGTH - 1))
	next
}

kind == "lanes" && num_pending { covered("lane:" $1); next }

# A function that is a case, a command with the name of a case, or a line that gets the names of its
# cases when it runs.
kind == "script" && num_pending {
	if ($1 ~ /^test_[A-Za-z_0-9]+\(\)$/)
		covered(name ":" substr($1, 6, length($1) - 7))
	else
		covered(name ":" ($2 ~ /^[A-Za-z_0-9]+$/ ? $2 : "*"))
}

kind == "program" || kind == "kunit" { end_of_covers() }
kind != "matrix" { next }

# The matrix: tables of four columns, of which the first one is the row's name.

/^### / { section = $2 }

/^\| *[0-9D][0-9A-Z.]*-[0-9]+ *\|/ {
	fields = split($0, field, "|")
	id = trim(field[2])
	row($0)
	next
}

/^\| / && !/^\| row / { fault(matrix " line " FNR, "is no row", "begin it with section-number") }

{ print > new }

function row(line,    note)
{
	if (fields != 6)
		return fault(id, "has " fields - 2 " columns", "make it row, requirement, note, tests")
	if (id in rows)
		fault(id, "is there twice", "number the second one on from the last of its section")
	rows[id]
	num_rows++
	if (substr(id, 1, length(section) + 1) != section "-")
		fault(id, "is in section " section, "move it to its own section")
	if (trim(field[3]) == "")
		fault(id, "states no requirement", "say what is required")
	note = trim(field[4])
	if (note ~ /^deviation/) {
		deviations++
		if (note !~ /^deviation: *[^ ]/)
			fault(id, "is a deviation without a reason", "write deviation: and the reason")
	} else if (!(id in tests_of)) {
		fault(id, "has no test", "put \"covers: " id "\" above one, or say why it is a deviation")
	}
	print "| " id " | " trim(field[3]) " | " (note ? note " " : "") "|" tests_of[id] " |" > new
}

END {
	end_of_covers()
	for (id in where)
		if (!(id in rows))
			fault(where[id], "covers " id ", which is no row", "correct it")
	for (test in has_rows)
		named++
	printf "conformance: %d rows, %d deviations; %d tests name rows; %s\n", num_rows, deviations, \
		named, faults ? faults " faults" : "no fault"
	exit faults > 0 || !num_rows
}
