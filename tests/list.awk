# SPDX-License-Identifier: GPL-2.0
#
# The tests, from their sources' lines "runs: ..." (see README.md), a line each, with tabs
# between: place, kernels, processors, seconds, when, name, path. The place is host; a
# kernel: host, when that is built; guest; or alone: a guest of its own. When is usual, or
# all: only in runs of everything. Variables: here, the
# directory tests; bin, where programs are built. Fails when a line has a word that it
# should not have.

function fault(what)
{
	printf "tests/%s: in the line \"runs:\": %s\n", substr(source, length(here) + 2), what > "/dev/stderr"
	faults++
}

# All of a list with commas are among these words.
function among(list, words,    item, i, n)
{
	n = split(list, item, ",")
	for (i = 1; i <= n; i++)
		if (!index(" " words " ", " " item[i] " "))
			return 0
	return n > 0
}

function take(word,    value)
{
	value = word
	sub(/^[^=]*=?/, "", value)
	if (word ~ /^smp=/ && place != "host" && among(value, "1 2"))
		smp = value
	else if (word ~ /^kernels=/ && place != "host" && among(value, "plain debug 6.12"))
		kernels = value
	else if (word ~ /^needs=/ && place == "host" &&
		 among(value, "debug 6.12 rt stock ppc64le ppc64le-6.12 ia64") && value !~ /,/)
		place = value
	else if (word == "alone" && place == "guest")
		place = word
	else if (word ~ /^seconds=[1-9][0-9]*$/)
		seconds = value
	else if (word == "all")
		when = word
	else
		fault("\"" word "\" is no word for it, or not here")
}

function settle(    word, i, n, name, path)
{
	if (source == "")
		return
	name = substr(source, length(here) + 2)
	path = source
	sub(/\.[a-z]+$/, "", name)
	if (source ~ /\.c$/)
		path = bin "/" name
	kernels = "plain,debug,6.12"
	smp = "1,2"
	seconds = 120
	when = ""
	n = split(setting, word, " ")
	place = word[1]
	if (place != "host" && place != "guest")
		fault("\"" place "\" is neither host nor guest")
	for (i = 2; i <= n; i++)
		take(word[i])
	if (when == "")
		when = "usual"
	print place, kernels, smp, seconds, when, name, path
}

BEGIN { OFS = "\t" }

FNR == 1 {
	settle()
	source = FILENAME
	setting = "guest"
	found = 0
}

FNR <= 20 && !found && /^[ \t#*\/]*runs:/ {
	found = 1
	setting = $0
	sub(/^[^:]*: */, "", setting)
	sub(/ *\*\/ *$/, "", setting)
}

FNR == 20 { nextfile }

END {
	settle()
	exit faults > 0
}
