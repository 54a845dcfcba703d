# SPDX-License-Identifier: GPL-2.0
#
# Takes apart what tests/guest prints: each test's output goes to DIR/NAME.tap, a line
# with its result to DIR/results ("NAME passed failed skipped"), failures and a line of
# progress to standard output; and to DIR/machines what passed on which PMU's table (see
# matrix), a line each time: passed, table, kernel, how, with tabs between; to DIR/failures
# the failures once more, each with the first lines of its reason; to DIR/skips what was
# skipped: test, case, reason, with tabs between. Variables: dir, label, kernel (of the
# guest, for KUnit). For mawk -W interactive, which takes lines as they
# come; the seconds are the host's.
#
# "# machine: TABLE, HOW, KERNEL" in a test's output says what its next results are of;
# tests/guest says it once for all. A KUnit test says it without KERNEL, for itself, and
# perhaps several times. "# skipped: PROGRAM: CASE: REASON" is about a program that a test
# has run in a guest of its own.

function reset()
{
	start = systime()
	plan = -1
	passed = failed = skipped = said = 0
	output = name
	gsub("/", "-", output)
	output = dir "/" output ".tap"
	printf "" > output
	machine = all
}

# What a test did not get to say counts as failed.
function settle(status,    missing)
{
	if (plan < 0) {
		failed++
		complain("it printed no plan (status " status ")")
	} else if (passed + failed + skipped < plan) {
		missing = plan - passed - failed - skipped
		failed += missing
		complain("it ended early, " missing " of its " plan " tests did not run (status " status ")")
	} else if (passed + failed + skipped > plan) {
		failed++
		complain("it ran more tests than it had planned")
	} else if (status != 0 && !failed) {
		failed++
		complain("status " status ", though no test failed")
	}
	print name " " passed " " failed " " skipped >> (dir "/results")
	close(output)
	printf "  %s: %s: %d passed in %d s%s%s\n", label, name, passed, systime() - start, \
		failed ? ", " failed " FAILED: see " output : "", \
		skipped ? ", " skipped " skipped" : ""
	fflush()
	name = ""
}

function complain(text)
{
	reasons = 0
	printf "  %s: %s: %s\n", label, name, text
	printf "  %s: %s: %s\n", label, name, text >> (dir "/failures")
}

# The diagnostics below a failure are of use, but not without end.
function show(line)
{
	if (said++ < 40)
		print "      " line
	if (reasons++ < 4)
		print "      " line >> (dir "/failures")
}

function on_machine(text,    word)
{
	split(text, word, ", ")
	print 1, word[1], word[3], word[2] >> (dir "/machines")
}

function on_skip(which, reason)
{
	sub(/^ok [0-9]+ (- )?/, "", which)
	print name, which, reason >> (dir "/skips")
}

function on_inner_skip(text,    i)
{
	i = index(text, ": ")
	i += index(substr(text, i + 2), ": ") + 1
	on_skip(substr(text, 1, i - 1), substr(text, i + 2))
}

function result(line,    i)
{
	follow = 0
	if (line ~ /^not ok/) {
		failed++
		follow = 1
		complain(line)
	} else if (line ~ /# SKIP *$/) {
		failed++
		complain("skipped without a reason: " line)
	} else if (line ~ /# SKIP/) {
		skipped++
		printf "  %s: %s: %s\n", label, name, line
		i = index(line, " # SKIP ")
		on_skip(substr(line, 1, i - 1), substr(line, i + 8))
	} else {
		passed++
		if (machine != "")
			on_machine(machine)
		for (i = 0; i < machines; i++)
			on_machine(own[i])
	}
	machines = 0
}

BEGIN { OFS = "\t" }

/^@@machine / {
	all = substr($0, 11)
	next
}

/^@@begin / {
	name = $2
	reset()
	next
}

/^@@end / && $2 == name {
	settle($3)
	next
}

END {
	if (name != "") {
		failed++
		plan += plan >= 0 # the death is one more than it had planned
		complain("the guest died while it ran")
		settle("none")
	}
}

name == "" {
	print "  " label ": " $0
	next
}

{ print > output }

# KUnit: a suite is a subtest; its tests are indented by four, its own line by none.
# What a test has to say comes before its result.
name == "kunit" {
	if ($0 ~ /^    1\.\.[0-9]+/) {
		plan = (plan < 0 ? 0 : plan) + substr($0, 8)
	} else if ($0 ~ /^    (not )?ok [0-9]/) {
		result(substr($0, 5))
		if (follow)
			show(words)
		words = ""
	} else if (sub(/^ +# [^:]*: machine: /, "")) {
		own[machines++] = $0 ", " kernel
	} else if ($0 ~ /^ +#/) {
		words = words $0 "\n"
	}
	next
}

/^1\.\.[0-9]+/ { plan = substr($0, 4) + 0; next }
/^(not )?ok [0-9]/ { result($0); next }
sub(/^# machine: /, "") { machine = $0; next }
sub(/^# skipped: /, "") { on_inner_skip($0); next }
/^#/ && follow { show($0) }
