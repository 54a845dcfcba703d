# SPDX-License-Identifier: GPL-2.0
#
# candidates.awk FILE... - all one-line changes of C files that a test should notice: one on each
# line: file, line number, kind of change, the line after it; separated by the character 1, which is
# in no source.
#
# It knows no C beyond tokens: a change that does not compile is drawn again. Comments, strings, the
# preprocessor's lines and declarations are not changed, nor is the code that removes a module, or
# stands in for an option of Kconfig (#else): it is not part of the kernel that is tested. A statement
# for what WARN_ON() excludes does not run.

BEGIN { OFS = "\001" }

FNR == 1 {
	comment = continued = leaving = optional = absent = 0
	before = ""
}

# The line with comments as blanks and strings as dots: positions remain.
function mask(line,    i, c, two, out, quote)
{
	out = quote = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		two = substr(line, i, 2)
		if (comment) {
			if (two == "*/") {
				comment = 0
				out = out " "
				i++
			}
			out = out " "
		} else if (quote != "") {
			if (c == "\\") {
				out = out "."
				i++
			} else if (c == quote) {
				quote = ""
			}
			out = out "."
		} else if (two == "/*") {
			comment = 1
			out = out "  "
			i++
		} else if (two == "//") {
			break
		} else if (c == "\"" || c == "'") {
			quote = c
			out = out "."
		} else {
			out = out c
		}
	}
	sub(/[ \t]+$/, "", out)
	return out
}

# The line with @len characters at @at replaced.
function change(what, at, len, by)
{
	print FILENAME, FNR, what, substr($0, 1, at - 1) by substr($0, at + len)
}

function becomes(at, token, by)
{
	change(token " -> " (by == "" ? "nothing" : by), at, length(token), by)
}

# a | b: without either. Operands are names, or calls without parentheses inside.
function drop_operands(code, at, token,    left, right)
{
	left = substr(code, 1, at - 2)
	right = substr(code, at + 2)
	if (match(right, /^~?[A-Za-z0-9_]+(\([^()]*\))?/))
		change("dropped: " token " " substr(right, 1, RLENGTH), at - 1, RLENGTH + 3, "")
	if (token == "|" && match(left, /[A-Za-z0-9_]+(\([^()]*\))?$/))
		change("dropped: " substr(left, RSTART) " |", RSTART, RLENGTH + 3, "")
}

function operators(code,    i, c, two, binary)
{
	for (i = 1; i <= length(code); i++) {
		two = substr(code, i, 2)
		c = substr(two, 1, 1)
		if (two in skipped) {
			i += substr(code, i + 2, 1) == "=" ? 2 : 1
			continue
		}
		if (two in twin) {
			becomes(i, two, twin[two])
			i++
			continue
		}
		binary = substr(code, i - 1, 3) == " " c " "
		if ((c in single) && binary)
			becomes(i, c, single[c])
		if (binary && (c == "|" || c == "&"))
			drop_operands(code, i, c)
		if (c == "!" || c == "~")
			becomes(i, c, "")
	}
}

BEGIN {
	skipped["->"] = skipped["<<"] = skipped[">>"] = skipped["*="] = skipped["/="] = 1
	twin["=="] = "!="; twin["!="] = "=="; twin["<="] = "<"; twin[">="] = ">"
	twin["&&"] = "||"; twin["||"] = "&&"; twin["|="] = "="; twin["&="] = "="
	twin["+="] = "-="; twin["-="] = "+="; twin["++"] = "--"; twin["--"] = "++"
	single["<"] = "<="; single[">"] = ">="; single["+"] = "-"; single["-"] = "+"
	word["true"] = "false"; word["false"] = "true"; word["min"] = "max"
	word["max"] = "min"; word["min_t"] = "max_t"; word["max_t"] = "min_t"
	word["break"] = ""; word["continue"] = ""
}

# Names that have an opposite, and numbers.
function words(code,    at, rest, token)
{
	at = 1
	while (match(substr(code, at), /[A-Za-z0-9_]+/)) {
		at += RSTART - 1
		token = substr(code, at, RLENGTH)
		if (token in word) {
			becomes(at, token, word[token])
		} else if (token ~ /^[0-9]/) {
			becomes(at, token, "(" token " + 1)")
			becomes(at, token, "(" token " - 1)")
		}
		at += length(token)
	}
}

# if (...) and while (...) on one line.
function conditions(code,    from, i, depth, c)
{
	if (!match(code, /^[ \t]*(} )?(else )?(if|while) \(/))
		return
	from = RLENGTH
	for (i = from; i <= length(code); i++) {
		c = substr(code, i, 1)
		depth += (c == "(") - (c == ")")
		if (!depth)
			break
	}
	if (!depth)
		change("negated", from, i - from + 1, "(!" substr($0, from, i - from + 1) ")")
}

# A statement that begins and ends in this line: a call or an assignment.
function statements(code)
{
	if (code ~ /^\t+[a-z_*(+-][^;]*;$/ && before ~ /(^|[;{}):]|else|do)$/ &&
	    code !~ /^\t+(return|goto|break|continue|case|else|struct|const|static|extern|enum|union|if|for|while|do)([^A-Za-z0-9_]|$)/ &&
	    code !~ /^\t+(unsigned|u?int[0-9_t]*|[us](8|16|32|64)|bool|long|char|void|size_t|[a-z_0-9]+_t)[ \t]/)
		change("deleted", match(code, /[^\t]/), length(code), ";")
}

{
	code = mask($0)
	if (code ~ /^[ \t]*#/ || continued) {
		continued = /\\$/
		if (/^#ifdef CONFIG_/)
			optional = 1
		else if (/^#else/ && optional)
			absent = 1
		else if (/^#endif/)
			optional = absent = 0
		next
	}
	if (absent || code ~ /^[ \t]*$/)
		next
	if (code ~ /^[^ \t].* __exit /)
		leaving = 1
	if (leaving) {
		leaving = code != "}"
		before = code
		next
	}
	if (code !~ /^(MODULE_|EXPORT_|static_assert)/ && !/SPDX/ &&
	    before !~ /^\t+if \(WARN_ON(_ONCE)?\(.*\)\)$/) {
		operators(code)
		words(code)
		conditions(code)
		statements(code)
	}
	before = code
}
