#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# draw.sh - the changes of a line that tests/mutate/run may make, and others that it must
# not make; and the programs that judge a change.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

# changes LINE...: the changes of the last line of a file.
changes()
{
	printf '%s\n' "$@" | awk -f "$here/candidates.awk" |
		awk -F'\001' -v last=$# '$2 == last { sub(/^\t+/, "", $4); print $4 }'
}

# judges LINE: the programs that judge a change of this line of $function, of which gcov says that
# abi/head executes the head, and abi/body the second statement.
function='static int a(int b,
	     int c)
{
	rcu_read_lock();

	d(b);
}'
judges()
{
	local directory status
	directory=$(mktemp -d) || exit 1

	mkdir "$directory/kernel"
	echo "$function" >"$directory/kernel/a.c"
	(cd "$directory" && printf 'plain %s kernel/a.c %d 1\n' abi/head 1 abi/body 6 >lines &&
		printf '1\001kernel/a.c\001%d\001deleted\001;\n' "$1" >changes &&
		awk -f "$here/select.awk" lines changes)
	status=$?
	rm -r "$directory"
	return $status
}

plan 26
is comparisons_are_moved "$(changes '	return a < b;')" 'return a <= b;'
is equality_is_turned_round "$(changes '	return a == b;')" 'return a != b;'
is arrows_and_shifts_are_no_comparisons "$(changes '	return a->b << c >> d;')" ''
is and_and_or_are_swapped "$(changes '	return a && b;')" 'return a || b;'
is numbers_become_one_more_and_one_less "$(changes '	return 0x1f;')" \
	$'return (0x1f + 1);\nreturn (0x1f - 1);'
is digits_of_names_are_no_numbers "$(changes '	return u64_of(x2);')" ''
is true_and_false_are_swapped "$(changes '	return true;')" 'return false;'
is flags_are_dropped "$(changes '	return A | B;')" $'return A;\nreturn B;'
is masks_are_dropped "$(changes '	return a & ~b(c);')" $'return a;\nreturn a & b(c);'
is additions_to_a_set_replace_it "$(changes '	if (x)' '		a |= b;')" $'a = b;\n;'
is conditions_are_negated "$(changes '	if (a(b)) {')" 'if (!(a(b))) {'
is a_not_is_left_out "$(changes '	return !a;')" 'return a;'
is statements_are_deleted "$(changes '	int a;' '' '	a(b);')" ';'
is the_rest_of_a_statement_is_none "$(changes '	a(b,' '	  c);')" ''
is declarations_stay "$(changes '	struct a *b = c;' '	u64 x = y;')" ''
is members_stay "$(changes 'struct a {' '	u64		b;')" ''
is comments_and_strings_stay "$(changes '/* a < b' '   c == d */ e("f && 1"); // g < 1')" ''
# shellcheck disable=SC1003 # the backslash is the line's last character
is the_preprocessors_lines_stay "$(changes '#define A(x) \' '	((x) < 1)')" ''
is what_a_warning_excludes_stays "$(changes '	if (WARN_ON_ONCE(a >= b))' '		a = 0;')" ''
is what_follows_a_warning_is_changed "$(changes '	WARN_ON(a);' '	b();')" ';'
is what_removes_a_module_stays "$(changes 'void __exit a(void)' '{' '	b(1);')" ''
is what_follows_that_is_changed "$(changes 'void __exit a(void)' '{' '	b(1);' '}' \
	'	return c < d;')" 'return c <= d;'
is what_stands_in_for_an_option_stays "$(changes '#ifdef CONFIG_A' 'int b;' '#else' '	b();')" ''
is what_follows_that_option_is_changed "$(changes '#ifdef CONFIG_A' '#else' '	a();' '#endif' '	b();')" ';'
is what_executes_a_line_judges_it "$(judges 6)" '1 plain abi/body'
is what_executes_the_head_judges_the_statement_without_code_below_it "$(judges 4)" '1 plain abi/head'
finish
