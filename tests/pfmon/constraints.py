# SPDX-License-Identifier: GPL-2.0
"""
The counters that can count an event, and the second register with the rest of its encoding:
compares pfmon's data with Linux' tables and Intel's lists.

	constraints.py counters SOURCE DUMP MODEL	the differences, or nothing
	constraints.py registers SOURCE DUMP MODEL	the same of events with a second register
	constraints.py sources SOURCE DEF		rows of DEF that name the wrong source
	constraints.py rows SOURCE MODEL		rows for pmu/constraints_intel.def

SOURCE is a Linux source tree, DUMP the program constraints_dump, MODEL libpfm4's name. The
lists are Intel's own, which Linux has for perf in tools/perf/pmu-events.

The expectation: an event counts on the counters that both sources name, as a missing counter
takes a choice away, and a wrong one reads 0. A unit mask that neither source names is taken for a
combination of the event's unit masks in the list. constraints.exceptions has pfmon's differences,
with their reasons.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ALL_UMASKS = range(256)

# libpfm4's name: Linux' tables of constraints and of second registers, the maximum number of
# general counters, and the lists.
INTEL = {
	'core': ('intel_core2_event_constraints', None, 2, []),
	'coreduo': ('intel_core_event_constraints', None, 2, []),
	'pm': ('p6_event_constraints', None, 2, []),
	'atom': ('intel_gen_event_constraints', None, 2, ['bonnell']),
	'nhm': ('intel_nehalem_event_constraints', 'intel_nehalem_extra_regs', 4,
		['nehalemep', 'nehalemex']),
	'wsm': ('intel_westmere_event_constraints', 'intel_westmere_extra_regs', 4,
		['westmereep-sp', 'westmereep-dp', 'westmereex']),
	'snb': ('intel_snb_event_constraints', 'intel_snbep_extra_regs', 8,
		['sandybridge', 'jaketown']),
	'ivb': ('intel_ivb_event_constraints', 'intel_snbep_extra_regs', 8,
		['ivybridge', 'ivytown']),
	'hsw': ('intel_hsw_event_constraints', 'intel_snbep_extra_regs', 8,
		['haswell', 'haswellx']),
	'bdw': ('intel_bdw_event_constraints', 'intel_snbep_extra_regs', 8,
		['broadwell', 'broadwellde', 'broadwellx']),
	'skl': ('intel_skl_event_constraints', 'intel_skl_extra_regs', 8,
		['skylake', 'skylakex', 'cascadelakex']),
	'icl': ('intel_icl_event_constraints', 'intel_icl_extra_regs', 8,
		['icelake', 'icelakex', 'tigerlake']),
	'spr': ('intel_spr_event_constraints', 'intel_spr_extra_regs', 8, ['sapphirerapids']),
	'slm': ('intel_slm_event_constraints', 'intel_slm_extra_regs', 2, ['silvermont']),
	'glm': ('intel_slm_event_constraints', 'intel_glm_extra_regs', 4,
		['goldmont', 'goldmontplus']),
	'tmt': ('intel_slm_event_constraints', 'intel_tnt_extra_regs', 4,
		['elkhartlake', 'snowridgex']),
	'knl': ('intel_slm_event_constraints', 'intel_knl_extra_regs', 2, ['knightslanding']),
}


def number(text):
	return int(re.sub('[uUlL]+$', '', text.strip()), 16)


def table_of(source, struct, name):
	"""The macros of one of Linux' tables, as (name, arguments)."""
	for path in ('core.c', 'p6.c'):
		with open(f'{source}/arch/x86/events/intel/{path}', encoding='utf-8') as file:
			text = file.read()
		found = re.search(rf'struct {struct} {name}\[\][^=]*=\s*\{{(.*?)\n\}};', text, re.S)
		if found:
			body = re.sub(r'/\*.*?\*/', '', found[1], flags=re.S)
			return [(macro, args.split(','))
				for macro, args in re.findall(r'(\w+)\(([^)]*)\)', body)]
	sys.exit(f'Linux has no table {name}')


class Kernel:
	"""The general counters of Linux' scheduler, from its macros."""

	def __init__(self, source, name):
		self.rules = []
		for macro, args in table_of(source, 'event_constraint', name):
			self.rules += self.rule(macro, args)

	@staticmethod
	def rule(macro, args):
		if macro in ('FIXED_EVENT_CONSTRAINT', 'METRIC_EVENT_CONSTRAINT'):
			return []
		first, last = number(args[0]), number(args[-2])
		# The second macro is for hyper-threads as well: such an event excludes the other
		# thread's.
		compared = {
			'INTEL_EVENT_CONSTRAINT': 0xff,
			'INTEL_EXCLEVT_CONSTRAINT': 0xff,
			'INTEL_EVENT_CONSTRAINT_RANGE': 0xff,
			'INTEL_UEVENT_CONSTRAINT': 0xffff,
			'INTEL_UBIT_EVENT_CONSTRAINT': 0xff | first,
		}
		return [(first, last, compared[macro], number(args[-1]))]

	def counters(self, event, umask):
		for first, last, compared, counters in self.rules:
			if first <= (umask << 8 | event) & compared <= last:
				return counters
		return None


class List:
	"""The general counters of the events of one of Intel's lists."""

	def __init__(self, source, name):
		self.codes, self.events, self.names, self.msrs = {}, {}, {}, {}
		for path in sorted(glob.glob(f'{source}/tools/perf/pmu-events/arch/x86/{name}/*.json')):
			with open(path, encoding='utf-8') as file:
				for event in json.load(file):
					self.add(event)
		if len(self.codes) < 50:
			sys.exit(f'the list of {name} has {len(self.codes)} events only')

	def add(self, event):
		msrs = [int(msr, 16) for msr in event.get('MSRIndex', '0').split(',') if msr.strip()]
		if 'Unit' not in event and 'EventCode' in event and any(msrs):
			for code in event['EventCode'].split(','):
				code = int(event['UMask'], 16) << 8 | int(code, 16)
				self.msrs.setdefault(code, set()).update(msrs)
		# Without hyper-threads there are twice the counters.
		counters = event.get('CounterHTOff', event.get('Counter', ''))
		if 'Unit' in event or 'EventCode' not in event or not re.fullmatch('[0-7](,[0-7])*,?', counters):
			return
		mask = sum(1 << int(counter) for counter in counters.split(',') if counter)
		umask = int(event.get('UMask', '0').split(',')[0], 16) & 0xff
		for code in event['EventCode'].split(','):
			code = int(code, 16)
			if not code:
				continue
			self.codes[code, umask] = self.codes.get((code, umask), 0) | mask
			self.events[code] = self.events.get(code, 0) | mask
			self.names.setdefault((code, umask), event['EventName'])

	def counters(self, event, umask, guess):
		mixture = self.events.get(event, ~0) if guess else ~0
		return self.codes.get((event, umask), mixture)


def exceptions(model):
	"""(event, umask): counters, of constraints.exceptions"""
	found = {}
	path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'constraints.exceptions')
	with open(path, encoding='utf-8') as file:
		for line in file:
			words = line.split('#')[0].split(None, 3)
			if words and words[0] == model:
				event, umask = words[1].split('/')
				umasks = ALL_UMASKS if umask == '*' else [int(umask, 16)]
				for umask in umasks:
					found[int(event, 16), umask] = int(words[2], 16)
	return found


class Expected:
	def __init__(self, source, model):
		table, _, general, lists = INTEL[model]
		self.all = (1 << general) - 1
		self.kernel = Kernel(source, table)
		self.lists = [List(source, name) for name in lists]

	def counters(self, event, umask):
		linux = self.kernel.counters(event, umask)
		counters = self.all if linux is None else self.all & linux
		for each in self.lists:
			counters &= each.counters(event, umask, linux is None)
		return counters

	def name(self, event, umask):
		for each in self.lists:
			if (event, umask) in each.names:
				return each.names[event, umask]
		return ''


def dumped(*command):
	"""event: [counters of each unit mask], from lines "EVENT FIRST LAST COUNTERS"."""
	out = subprocess.run(command, check=True, capture_output=True, text=True)
	found = {}
	for line in out.stdout.splitlines():
		event, first, last, counters = (int(word, 16) for word in line.split())
		found.setdefault(event, []).extend([counters] * (last + 1 - first))
	return found


def show(differences):
	"""(event, umask, text, name), a line for a run of unit masks with the same text"""
	runs = []
	for event, umask, text, name in differences:
		if runs and runs[-1][0] == event and runs[-1][2] == umask - 1 and runs[-1][3] == text:
			runs[-1][2] = umask
			runs[-1][4] = runs[-1][4] or name
		else:
			runs.append([event, umask, umask, text, name])
	for event, first, last, text, name in runs:
		umasks = f'{first:02x}' + (f'-{last:02x}' if last > first else '')
		print(f'{event:02x}/{umasks} {text} {name}'.rstrip())


def compare_intel(source, dump, model):
	expected, listed = Expected(source, model), exceptions(model)
	ours = dumped(dump, 'counters', model)
	differences = []
	for event in range(1, 256):
		for umask in ALL_UMASKS:
			want = expected.counters(event, umask)
			have = ours[event][umask] & expected.all
			allowed = listed.get((event, umask))
			if want == have and allowed is None:
				continue
			name = expected.name(event, umask)
			text = f'has {have:#x}, Linux and the lists say {want:#x}'
			if allowed is None:
				differences.append((event, umask, text, name))
			elif want == allowed or have != allowed:
				differences.append((event, umask, f'{text}, the exception {allowed:#x}', name))
	show(differences)


MSRS = {'MSR_OFFCORE_RSP_0': 0x1a6, 'MSR_OFFCORE_RSP_1': 0x1a7, 'MSR_PEBS_FRONTEND': 0x3f7}
MSR_LD_LAT = 0x3f6


def kernel_registers(source, name):
	found = {}
	for macro, args in table_of(source, 'extra_reg', name):
		if macro == 'INTEL_UEVENT_EXTRA_REG':
			found[number(args[0])] = MSRS[args[1].strip()]
		else:
			assert macro == 'INTEL_UEVENT_PEBS_LDLAT_EXTRA_REG'
			found[number(args[0])] = MSR_LD_LAT
	return found


def compare_registers(source, dump, model):
	"""Linux' codes and registers alone; and all codes of the lists, with one of their registers."""
	_, table, _, lists = INTEL[model]
	out = subprocess.run([dump, 'registers', model], check=True, capture_output=True, text=True)
	ours = {int(code, 16): int(msr, 16) for code, msr in map(str.split, out.stdout.splitlines())}
	linux = kernel_registers(source, table) if table else {}
	for code in sorted(ours.keys() | linux.keys()):
		if ours.get(code) != linux.get(code):
			print(f'{code:04x} has {ours.get(code, 0):#x}, Linux says {linux.get(code, 0):#x}')
	for each in lists:
		for code, msrs in List(source, each).msrs.items():
			if ours.get(code) not in msrs:
				print(f'{code:04x} has {ours.get(code, 0):#x}, {each} says', *map(hex, msrs))


def intel_rows(source, model):
	"""Rows for a whole event if most of its unit masks are alike, and for the other unit masks."""
	expected = Expected(source, model)
	for event in range(1, 256):
		masks = [expected.counters(event, umask) for umask in ALL_UMASKS]
		usual = max(set(masks), key=masks.count)
		for umask, counters in enumerate(masks):
			if counters != usual:
				print(f'RULE({model}, {event:#04x}, {event:#04x}, IS({umask:#04x}), {counters:#x})'
				      f'\t/* {expected.name(event, umask)} */')
		if usual != expected.all:
			names = {expected.name(event, umask).split('.')[0] for umask in ALL_UMASKS} - {''}
			print(f'RULE({model}, {event:#04x}, {event:#04x}, ANY, {usual:#x})'
			      f'\t/* {" ".join(sorted(names))} */')


def sources(source, definition):
	"""A row is LINUX if Linux' tables alone have it, otherwise LISTS."""
	kernels = {}
	with open(definition, encoding='utf-8') as file:
		text = file.read()
	models = {rules: name for name, rules in re.findall(r'MODEL\("(\w+)", (\w+)\)', text)
		  if name in INTEL}
	rows = re.findall(r'^RULE\((\w+), (\w+), (\w+), (.*?), (\w+), (\w+)\)', text, re.M)
	for rules, first, last, umask, counters, named in rows:
		if rules not in kernels:
			kernels[rules] = Kernel(source, INTEL[models[rules]][0])
		# A unit mask that no list has, for whole events.
		mask = int(umask[umask.index('(') + 1:-1], 16) if '(' in umask else 0xee
		linux = kernels[rules].counters(int(first, 16), mask)
		right = 'LINUX' if linux == int(counters, 16) else 'LISTS'
		if named != right:
			print(f'RULE({rules}, {first}, {last}, {umask}, {counters}): {right}, not {named}')
	if len(rows) < 100:
		print(f'{len(rows)} rows only')


AMD_PROGRAM = r"""
#include <stdint.h>
#include <stdio.h>
struct event_constraint { uint64_t idxmsk64; };
struct hw_perf_event { uint64_t config; };
struct perf_event { struct hw_perf_event hw; };
struct cpu_hw_events { int none; };
#define EVENT_CONSTRAINT(code, counters, compared) { (counters) }
#define EVENT_CONSTRAINT_OVERLAP EVENT_CONSTRAINT
#define ARCH_PERFMON_EVENTSEL_UMASK 0xff00ULL
#define PMU_FL_PAIR 1
#define hweight_long(x) __builtin_popcountl(x)
static struct { int flags; } x86_pmu = { PMU_FL_PAIR };
static struct event_constraint emptyconstraint;
typedef int bool;
enum { false, true };
%s
static int counters(uint64_t event, uint64_t umask, int pairs)
{
	struct perf_event e = { { (event & 0xf00) << 24 | umask << 8 | (event & 0xff) } };

	if (pairs)
		return amd_is_pair_event_code(&e.hw) ? 0 : 0x3f;
	return amd_get_event_constraints_f15h(0, 0, &e)->idxmsk64;
}
int main(int argc, char **argv)
{
	for (int event = 0; event < 4096; event++)
		for (int umask = 0; umask < 256; umask++)
			printf("%%x %%x %%x %%x\n", event, umask, umask, counters(event, umask, argc > 1));
	return 0;
}
"""


def amd_functions(source, *words):
	"""Family 15h's counters, by Linux' own function; with a word, all counters but for pairs."""
	with open(f'{source}/arch/x86/events/amd/core.c', encoding='utf-8') as file:
		text = file.read()
	parts = [r'#define AMD_EVENT_TYPE_MASK.*?AMD_EVENT_NB[^\n]*\n',
		 r'static inline unsigned int amd_get_event_code.*?\n}\n',
		 r'static inline bool amd_is_pair_event_code.*?\n}\n',
		 r'static struct event_constraint amd_f15_PMC0.*?\n}\n']
	program = AMD_PROGRAM % '\n'.join(re.search(part, text, re.S)[0] for part in parts)
	with tempfile.TemporaryDirectory() as work:
		with open(f'{work}/amd.c', 'w', encoding='utf-8') as file:
			file.write(program)
		subprocess.run(['gcc', '-w', '-o', f'{work}/amd', f'{work}/amd.c'], check=True)
		return dumped(f'{work}/amd', *words)


def compare_amd(source, dump, model):
	"""The counters of family 15h's events; the events of later families that need a pair."""
	linux = amd_functions(source, *([] if 'fam15h' in model else ['pairs']))
	ours, differences = dumped(dump, 'counters', model), []
	for event, masks in linux.items():
		for umask, want in enumerate(masks):
			have = ours[event][umask] & 0x3f
			if want != have:
				differences.append((event, umask, f'has {have:#x}, Linux says {want:#x}', ''))
	show(differences)


def compare(source, dump, model):
	if model.startswith('amd64'):
		compare_amd(source, dump, model)
	else:
		compare_intel(source, dump, model)


def main(what, *args):
	actions = {'counters': compare, 'registers': compare_registers, 'sources': sources,
		   'rows': intel_rows}
	actions[what](*args)


main(*sys.argv[1:])
