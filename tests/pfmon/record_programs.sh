#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Programs of all kinds, sampled by pfmon and by perf: a compilation with all its processes, a
# threaded C++ program, an interpreter, code that is made at run time. See beside_perf.sh.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=1200
# shellcheck source-path=SCRIPTDIR source=beside_perf.sh
. "$here/beside_perf.sh"

test_a_compilation_with_all_its_processes()
{
	cat >program.cc <<-'END'
	#include <map>
	#include <string>

	int main(int argc, char **)
	{
		std::map<int, std::string> names;

		for (int i = 0; i < argc + 100; i++)
			names[i % 7] += "x";
		return names.size() > 7;
	}
	END
	compare instructions:u instructions:u 100003 g++ -O1 -o program program.cc
	# The driver, the compiler, the assembler, the linker's driver, the linker.
	says "$(cat err)" "; 5 processes, 5 threads, "
}

# Four threads: a sort, a tree, a hash table, a text.
test_a_threaded_program()
{
	cat >threads.cc <<-'END'
	#include <algorithm>
	#include <map>
	#include <string>
	#include <thread>
	#include <unordered_map>
	#include <vector>

	static unsigned int next(unsigned int &state)
	{
		return state = state * 1664525 + 1013904223;
	}

	static void sorts()
	{
		std::vector<unsigned int> numbers(200000);
		unsigned int state = 1;

		for (auto &number : numbers)
			number = next(state);
		std::sort(numbers.begin(), numbers.end());
	}

	template <typename Table> static void counts(unsigned int n)
	{
		unsigned int state = 2;
		Table table;

		for (unsigned int i = 0; i < n; i++)
			table[next(state) >> 20]++;
	}

	static void joins()
	{
		std::string text;
		std::vector<std::string> words;

		for (unsigned int i = 0; i < 40000; i++)
			words.push_back(std::to_string(i));
		for (const auto &word : words)
			text += word + ' ';
	}

	int main()
	{
		std::thread all[] = {
			std::thread(sorts),
			std::thread(counts<std::map<unsigned int, int>>, 100000),
			std::thread(counts<std::unordered_map<unsigned int, int>>, 400000),
			std::thread(joins),
		};

		for (auto &one : all)
			one.join();
	}
	END
	g++ -O1 -pthread -o threads threads.cc || fail "g++"
	compare instructions:u instructions:u 10007 ./threads
	says "$(cat err)" "; 1 process, 5 threads, "
}

test_an_interpreter()
{
	# Hashes of strings must be those of the other run, and with them the tables' order.
	export PYTHONHASHSEED=1
	compare instructions:u instructions:u 10007 /usr/bin/python3 -S -c '
import json, re
words = [str(i * i) for i in range(20000)]
table = {word: len(word) for word in words}
text = json.dumps(table)
again = json.loads(text)
found = sum(1 for word in re.findall("[0-9]+", text) if word in again)
assert found >= len(table)
'
}

# Both tools take the names of the code from the file that node writes. One thread, or the moments
# in which code is made again would differ from run to run.
test_code_that_is_made_at_run_time()
{
	cat >program.js <<-'END'
	function collatz(n) { let steps = 0; while (n !== 1) { n = n % 2 ? 3 * n + 1 : n / 2; steps++; } return steps; }
	function sieve(n) {
		const composite = new Uint8Array(n);
		let primes = 0;
		for (let i = 2; i < n; i++) {
			if (composite[i]) continue;
			primes++;
			for (let j = i * 2; j < n; j += i) composite[j] = 1;
		}
		return primes;
	}
	function words(n) { const seen = new Map(); for (let i = 0; i < n; i++) seen.set('w' + i % 1000, i); return seen.size; }
	let sum = 0;
	for (let i = 1; i < 20000; i++) sum += collatz(i);
	console.log(sum, sieve(1000000), words(100000));
	END
	compare instructions:u instructions:u 20011 node --single-threaded --perf-basic-prof program.js
	is "what it printed" "$(cat out)" "$(cat perf.out)"
	has "names of code made at run time" "$(cat pfmon.lines)" "collatz.*program.js"
}

run_tests "$@"
