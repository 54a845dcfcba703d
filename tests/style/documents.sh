#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The documents in Markdown: each link leads to a file, each function that
# Documentation/tour.md names is defined where its link leads, and Documentation/README.md
# lists every document.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the quotes are Markdown's
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
tour=$top/Documentation/tour.md

# All documents, except built ones.
documents()
{
	find "$top" \( -path "$top/build" -o -name .git \) -prune -o -name '*.md' -print
}

# links FILE: the targets of its links, without those to the web and within the file
links()
{
	grep -oE '\]\([^)# ]+' "$1" | sed 's/^](//' | grep -v '^[a-z]*:' | sort -u
}

# functions FILE: the functions of its links [`NAME()`](PATH), as lines "NAME PATH"
functions()
{
	grep -oE '\[`[a-z0-9_]+\(\)`\]\([^)]+\)' "$1" | tr -d '[]`' | sed 's/()(/ /; s/)$//' | sort -u
}

# defines FILE NAME: it has the function, and not only a call or a prototype of it
defines()
{
	[ -f "$1" ] && grep -E "^([a-z].*[ *])?$2\(" "$1" | grep -qv ';$'
}

# undefined FILE: its functions that are not defined in the link's file, whose path is relative to
# Documentation
undefined()
{
	local name path

	functions "$1" | while read -r name path; do
		defines "$top/Documentation/$path" "$name" || echo "$name $path"
	done
}

test_links_lead_to_files()
{
	local document link

	documents | while read -r document; do
		links "$document" | while read -r link; do
			echo "$link" >>links
			[ -e "$(dirname "$document")/$link" ] ||
				echo "${document#"$top"/}: there is no $link"
		done
	done >broken
	[ ! -s broken ] || fail "$(cat broken)"
	[ "$(wc -l <links)" -ge 100 ] || fail "$(cat links)"
}

test_functions_of_the_tour_are_defined_where_its_links_lead()
{
	is functions "$(undefined "$tour")" ''
	[ "$(functions "$tour" | wc -l)" -ge 60 ] || fail "$(functions "$tour")"
}

# A name without a link would become outdated unnoticed.
test_every_function_that_the_tour_names_has_a_link()
{
	functions "$tour" | cut -d' ' -f1 | sort -u >linked
	grep -oE '`[a-z0-9_]+\(\)`' "$tour" | tr -d '`()' | sort -u >named
	is "names without a link" "$(comm -13 linked named)" ''
}

test_a_function_that_has_another_name_or_place_is_noticed()
{
	echo '[`pfm_overflow()`](../kernel/perfmon/overflow.c)' >right.md
	is right "$(undefined right.md)" ''
	echo '[`pfm_overflowed()`](../kernel/perfmon/overflow.c)' >renamed.md
	is renamed "$(undefined renamed.md)" 'pfm_overflowed ../kernel/perfmon/overflow.c'
	# That file calls it, and the header has its prototype.
	echo '[`pfm_overflow()`](../kernel/perfmon/run.c)' >moved.md
	is moved "$(undefined moved.md)" 'pfm_overflow ../kernel/perfmon/run.c'
	echo '[`pfm_overflow()`](../kernel/perfmon/overflow.h)' >declared.md
	is declared "$(undefined declared.md)" 'pfm_overflow ../kernel/perfmon/overflow.h'
	echo '[`pfm_overflow()`](../kernel/overflow.c)' >gone.md
	is gone "$(undefined gone.md)" 'pfm_overflow ../kernel/overflow.c'
}

test_every_document_is_listed()
{
	local list=$top/Documentation/README.md document

	for document in "$top"/Documentation/*.md "$top"/Documentation/man/* "$top"/Documentation/ABI/*/*; do
		document=${document#"$top"/Documentation/}
		[ "$document" = README.md ] || [[ $document == *~ ]] || grep -qF "]($document)" "$list" ||
			echo "$document"
	done >missing
	[ ! -s missing ] || fail "Documentation/README.md does not list:" "$(cat missing)"
}

run_tests "$@"
