# SPDX-License-Identifier: GPL-2.0
#
# schemata.awk CHANGES FILE - the C file with all its changes within functions: each such function
# has its body once for each change, and once unchanged, and pfm_mutant selects the one that runs.
# CHANGES are lines of candidates.awk with a number before them, which is the value of pfm_mutant
# for that change; FILE has the same name as there. -v outside=LIST: the numbers of changes outside
# of functions, which are left out, are written there.
#
# A function's body is the text between { and } in the first column. The compiler calls a copy
# mutant-NUMBER in its messages, with the lines that it has in the file; blame.awk finds it there.

BEGIN { FS = "\001" }

FILENAME == ARGV[1] {
	if ($2 == ARGV[2]) {
		numbers[$3] = numbers[$3] " " $1
		text[$1] = $5
	}
	next
}

# The lines of a body, with one of them changed or with none. Labels belong to the copy.
function copy(name, number, at,    i)
{
	if (labels != "")
		print "\t__label__ " labels ";"
	printf "#line %d \"%s\"\n", first + 1, name
	for (i = first + 1; i < FNR; i++)
		print i == at ? text[number] : body[i]
}

function function_end(    i, j, n, number)
{
	if (!changes) {
		for (i = first + 1; i <= FNR; i++)
			print body[i]
		return
	}
	print "#line 1 \"schemata\""
	print "\textern int pfm_mutant;"
	printf "\t"
	for (i = first + 1; i < FNR; i++) {
		n = split(numbers[i], number, " ")
		for (j = 1; j <= n; j++) {
			print "if (pfm_mutant == " number[j] ") {"
			copy("mutant-" number[j], number[j], i)
			printf "\t} else "
		}
	}
	print "{"
	copy(FILENAME)
	print "\t}"
	printf "#line %d \"%s\"\n", FNR, FILENAME
	print "}"
}

$0 == "{" {
	first = FNR
	changes = 0
	labels = ""
	print
	next
}

first {
	body[FNR] = $0
	if (FNR in numbers)
		changes = 1
	if (match($0, /^[A-Za-z_][A-Za-z0-9_]*:/))
		labels = labels (labels == "" ? "" : ", ") substr($0, 1, RLENGTH - 1)
	if ($0 == "}") {
		function_end()
		first = 0
	}
	next
}

{
	print
	if ((FNR in numbers) && outside != "") {
		n = split(numbers[FNR], left, " ")
		for (i = 1; i <= n; i++)
			print left[i] >>outside
	}
}
