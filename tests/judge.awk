# SPDX-License-Identifier: GPL-2.0
#
# From the output of prove -v for a lane: a line for each program of the lane: NAME, "ok" or
# "failed", and the numbers of cases that passed, failed and were skipped; and to the file `details`
# each failure with its diagnostics. First the file with the programs: NAME PATH. Variables: label,
# details.

FILENAME == ARGV[1] { names[++num_names] = $1; name_of[$2] = $1; next }

function settle(ok)
{
	if (name != "")
		verdict[name] = (ok && !failed[name] ? "ok" : "failed")
	name = ""
}

function tell(line)
{
	print "  " label ": " name ": " line >> details
	follow = 12
}

# A program's first line is its path, followed by dots.
/^[^ ]+ \.\.+ ?$/ && ($1 in name_of) { settle(0); name = name_of[$1]; said[name]; follow = 0; next }
name == "" { next }
/^ok [0-9].*# SKIP/ { skipped[name]++; follow = 0; next }
/^ok [0-9]/ { passed[name]++; follow = 0; next }
/^not ok [0-9]/ { failed[name]++; tell($0); next }
/^ok$/ { settle(1); next }
# prove came to its end: a failed last program did, too.
/^Test Summary Report$/ { settle(0); next }
# prove's own messages about other faults.
/^(Dubious|No subtests|Failed|Parse errors|All [0-9]+ subtests passed)/ { if (!failed[name]) tell($0); next }
follow-- > 0 { print "      " $0 >> details }

END {
	if (name != "") {
		tell("the lane ended while it ran")
		settle(0)
	}
	for (i = 1; i <= num_names; i++) {
		name = names[i]
		if (!(name in said))
			tell("it did not run")
		if (verdict[name] != "ok" && !failed[name])
			failed[name] = 1
		print name, verdict[name] == "ok" ? "ok" : "failed", passed[name] + 0, failed[name] + 0, skipped[name] + 0
	}
}
