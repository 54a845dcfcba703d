#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The manual pages are correct and complete; the library's header works in other languages.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
man=$top/Documentation/man
pages=(perfmonctl.2 perfmon.7 perfmon_branch_smpl.5 perfmon_compact_smpl.5 perfmon_default_smpl.5
	perfmon_hist_smpl.5 perfmon_ring_smpl.5 perfmon_stack_smpl.5 perfmon_ibs_smpl.5
	libperfmon.3 perfmon_events.3
	perfmon_region_begin.3 pfmon.1 pfmon-stat.1
	pfmon-record.1 pfmon-report.1 pfmon-annotate.1 pfmon-top.1 pfmon-diff.1 pfmon-script.1 pfmon-export.1 pfmon.data.5
	pfmon-list.1 pfmon-info.1 pfmon-test.1 pfmon-from-pfmon3.7 pfmon-from-perf.7)

# shellcheck source-path=SCRIPTDIR source=fragments.sh
. "$here/fragments.sh"

# Each word of stdin is in this page.
documented()
{
	local page=$1 word missing=''

	while read -r word; do
		grep -qwF -- "$word" "$page" || missing="$missing $word"
	done
	[ -z "$missing" ] || fail "${page##*/} does not mention:$missing"
}

test_pages_have_no_warnings()
{
	local page

	for page in "${pages[@]}"; do
		groff -ww -mandoc -Tutf8 "$man/$page" 2>&1 >/dev/null | grep . && fail "$page"
	done
	return 0
}

test_pages_refer_to_pages_that_exist()
{
	local page

	for page in $(cd "$man" && sed -n 's/^\.Xr \(pfmon[a-z.-]*\|perfmon[a-z_]*\|libperfmon\) \([0-9]\).*/\1.\2/p' "${pages[@]}" | sort -u); do
		[ -e "$man/$page" ] || fail "there is no $page"
	done
}

test_all_options_of_stat_are_documented()
{
	"$top/build/bin/pfmon" stat --help | grep -o -- '--[a-z-]*' | sed 's/^--//' | grep . |
		sort -u >options
	[ "$(wc -l <options)" -ge 12 ] || fail "$(cat options)"
	documented "$man/pfmon-stat.1" <options
}

test_all_options_of_other_verbs_are_documented()
{
	local verb page

	for verb in annotate diff export info list record report script test top; do
		"$top/build/bin/pfmon" "$verb" --help | grep -o -- '--[a-z-]*' | sed 's/^--//' |
			grep . | sort -u >options
		[ "$(wc -l <options)" -ge 1 ] || fail "$(cat options)"
		# Its page refers to report's.
		page=${verb/#diff/report}
		documented "$man/pfmon-$page.1" <options
	done
}

# The options of pfmon 3 that are accepted, and those that are refused with a sentence.
test_all_options_of_pfmon_3_are_documented()
{
	sed -n 's/^\t{ "\([a-z-]*\)", .*/\1/p' "$top/tools/pfmon/classic/options.c" >options
	[ "$(wc -l <options)" -ge 50 ] || fail "$(cat options)"
	documented "$man/pfmon-from-pfmon3.7" <options
}

# Words that users of perf search for.
test_words_of_perf_are_found()
{
	local word

	for word in multiplexing 'event groups' 'call graph' 'flame graph' 'perf stat' 'perf record'; do
		grep -q "$word" "$man/pfmon-from-perf.7" || fail "there is no '$word'"
	done
}

# Each type of record, by its number and name.
test_all_records_of_a_recording_are_documented()
{
	local name number

	sed -n '/^enum {$/,/^};$/s/^	PROFILE_\([A-Z]*\) = \([0-9]*\),/\1 \2/p' \
		"$top/tools/pfmon/data/format.h" >records
	[ "$(wc -l <records)" -ge 14 ] || fail "$(cat records)"
	while read -r name number; do
		name=${name,,}
		grep -q "^\.It $number, ${name/ksymbol/kernel symbol}$" "$man/pfmon.data.5" ||
			fail "pfmon.data.5 has no record $number, $name"
	done <records
}

test_all_functions_of_the_library_are_documented()
{
	grep -o 'perfmon_[a-z0-9_]*(' "$top/tools/lib/perfmon_lib.h" | tr -d '(' | sort -u >functions
	[ "$(wc -l <functions)" -ge 24 ] || fail "$(cat functions)"
	documented "$man/libperfmon.3" <functions
	grep -oE 'perfmon_[a-z0-9_]+\(' "$top/tools/lib/perfmon_events.h" | tr -d '(' |
		grep -v perfmon_region | sort -u >functions
	[ "$(wc -l <functions)" -ge 21 ] || fail "$(cat functions)"
	documented "$man/perfmon_events.3" <functions
	grep -oE 'perfmon_region_[a-z]+\(' "$top/tools/lib/perfmon_regions.h" | tr -d '(' | sort -u >functions
	[ "$(wc -l <functions)" -ge 2 ] || fail "$(cat functions)"
	documented "$man/perfmon_region_begin.3" <functions
}

test_all_names_of_the_interface_are_documented()
{
	grep -o '^#define PFM_[A-Z0-9_]*' "$top/include/uapi/perfmon.h" | sed 's/#define //' |
		grep -vE '^PFM_(MAX_PMCS|MAX_PMDS|MAX_PMC_B|VERSION|REG_RETFL_MASK|SET_RETFL_(MASK|NOTAVAIL))' >names
	[ "$(wc -l <names)" -ge 65 ] || fail "$(cat names)"
	documented "$man/perfmonctl.2" <names
	grep -oE '^	__[us][0-9]+	+[a-z_]+|^	__aligned_u64	+[a-z_]+' \
		"$top/include/uapi/perfmon.h" | awk '{ print $2 }' | sort -u >members
	[ "$(wc -l <members)" -ge 35 ] || fail "$(cat members)"
	documented "$man/perfmonctl.2" <members
}

test_all_json_keys_are_documented()
{
	local fake=$top/build/bin/tests/pfmon/pfmon-fake

	export LIBPFM_FORCE_PMU=nhm PFMON_EMULATED=0
	"$fake" stat -j -r 2 -o command true || fail "$(cat command)"
	"$fake" stat -j -o process -p "$$" true || fail "$(cat process)"
	"$fake" stat -j -o thread -t "$$" true || fail "$(cat thread)"
	"$fake" stat -j -o cpus -C 0 true || fail "$(cat cpus)"
	cat command process thread cpus | jq -r '.. | objects | keys[]' | sort -u >keys
	[ "$(wc -l <keys)" -ge 28 ] || fail "$(cat keys)"
	documented "$man/pfmon-stat.1" <keys
	"$fake" info -j >there || fail "$(cat there)"
	PERFMON_FAKE=nosys "$fake" info -j >absent
	"$fake" info -jP list >names
	cat there absent names | jq -r '.. | objects | keys[]' | sort -u >keys
	[ "$(wc -l <keys)" -ge 35 ] || fail "$(cat keys)"
	documented "$man/pfmon-info.1" <keys
}

# The examples in C of the pages for programmers: a page and the number of a block, one a line.
examples_in_c()
{
	awk 'FNR == 1 { number = 0 }
		/^\.Sh / { within = $2 == "EXAMPLES" }
		within && /^\.Bd -literal/ { getline line; number++
			if (line !~ /^[$]/) { file = FILENAME; sub(/.*\//, "", file); print file, number } }' \
		"$man"/perfmon*.[2357] "$man/libperfmon.3"
}

# compiled FILE PAGE HEADING NUMBER [STATEMENT]: see fragment()
compiled()
{
	[ -n "$(literal "${@:2:3}")" ] || fail "$2 has no block $4 below $3"
	fragment "${@:2}" >"$1"
	[ "$3" != EXAMPLES ] || echo "$2 $4" >>compiled
}

# The examples that are parts of a program.
fragments()
{
	local format

	compiled notify.c perfmonctl.2 EXAMPLES 1 '(void)ctx, (void)pmc, (void)pmd;' <<-'C'
	extern int fd;
	void handle(int set);
	C
	compiled sets.c perfmonctl.2 EXAMPLES 2 <<<'extern int fd;'
	compiled signals.c perfmon.7 'Messages and signals' 1 <<<'extern int fd;'
	compiled group.c perfmon.7 EXAMPLES 1 </dev/null
	compiled library.c libperfmon.3 EXAMPLES 1 <<-'C'
	extern pfarg_pmc_t *pmcs;
	extern int n;
	C
	compiled events.c perfmon_events.3 EXAMPLES 1 <<-'C'
	#include <perfmon_events.h>
	void work(void);
	C
	compiled regions.c perfmon_region_begin.3 EXAMPLES 1 <<-'C'
	#include <perfmon_regions.h>
	void step(void);
	C
	compiled default.c perfmon_default_smpl.5 EXAMPLES 1 <<-'C'
	#include <perfmon_default_smpl.h>
	extern int tid;
	void take_samples(const void *buffer);
	C
	compiled default_reader.c perfmon_default_smpl.5 Reading 1 <<-'C'
	#include <perfmon_default_smpl.h>
	extern int num_values[2][PFM_MAX_PMDS];
	extern void *buffer;
	void use(const pfm_default_smpl_entry_t *entry, const __u64 *values);
	C
	for format in default ring; do
		compiled "${format}_request.c" "perfmon_${format}_smpl.5" DESCRIPTION 1 \
			<<<"#include <perfmon_${format}_smpl.h>"
	done
	compiled ring.c perfmon_ring_smpl.5 EXAMPLES 1 <<-'C'
	#include <perfmon_ring_smpl.h>
	extern const pfm_ring_smpl_hdr_t *hdr;
	extern pfm_ring_smpl_reader_t *reader;
	extern __u64 position;
	extern int fd;
	void use(const void *samples, __u64 n);
	C
}

test_examples_compile()
{
	local format name

	for format in branch hist ibs stack; do
		sampler "$format" >"$format.c"
		echo "perfmon_${format}_smpl.5 1" >>compiled
	done
	first_program >first.c
	fragments
	# This example is functions, not statements.
	{
		includes perfmon_compact_smpl.h
		echo 'void use(const pfm_default_smpl_entry_t *s, const __u64 *values, __u64 n);'
		literal perfmon_compact_smpl.5 EXAMPLES
		printf 'void program(const void *buffer);\nvoid program(const void *buffer)\n'
		printf '{\n\tdecode_all(buffer);\n}\n'
	} >compact.c
	echo perfmon_compact_smpl.5 1 >>compiled
	for name in *.c; do
		gcc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I"$top/tools/lib" \
			-I"$top/include/uapi" -c "$name" || fail "$name:" "$(cat "$name")"
	done
	is 'examples that are compiled' "$(sort compiled)" "$(examples_in_c | sort)"
	[ "$(wc -l <compiled)" -ge 13 ] || fail "examples were not found:" "$(cat compiled)"
	[ "$(wc -l <first.c)" -ge 25 ] || fail "the first program was not found:" "$(cat first.c)"
}

test_all_names_of_the_sampling_formats_are_documented()
{
	local header format

	for header in "$top"/include/uapi/perfmon_*_smpl.h; do
		format=$(basename "$header" .h)
		grep -oE '^#define (PFM_[A-Z]+_SMPL|DOUBLE)_[A-Z_]+\>' "$header" |
			sed '/_VERSION_M[AI]/d; s/#define //' >names
		grep -oE '^	__[us][0-9]+	+[a-z_]+|^	__aligned_u64	+[a-z_]+' "$header" |
			awk '{ print $2 }' >>names
		[ "$(wc -l <names)" -ge 20 ] || fail "$(cat names)"
		documented "$man/$format.5" <names
	done
}

uses_library()
{
	cat <<'C'
#include <perfmon_lib.h>
#include <string.h>

int main(void)
{
	perfmon_word_t vector[PFM_MAX_PMD_BITVECTOR] = { 0 };
	pfarg_pmd_t pmd;
	char text[100];

	memset(&pmd, 0, sizeof(pmd));
	perfmon_bv_set(vector, 70);
	perfmon_describe_error(text, sizeof(text), PFM_READ_PMDS, 22, &pmd, 1);
	return perfmon_bv_next(vector, PFM_MAX_PMDS, 0) != 70 || !strstr(text, "READ_PMDS");
}
C
}

test_the_library_serves_c99_c11_and_cxx()
{
	local language

	uses_library >program.c
	uses_library >program.cc
	for language in "gcc -std=c99 program.c" "gcc -std=c11 program.c" \
			"g++ -std=c++11 program.cc" "g++ -std=c++20 program.cc"; do
		# shellcheck disable=SC2086 # a list of words
		$language -Wall -Wextra -Werror -I"$top/tools/lib" -I"$top/include/uapi" \
			-o program -L"$top/build/lib" -lperfmon || fail "$language"
		./program || fail "$language: wrong result"
	done
}

run_tests "$@"
