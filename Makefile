# SPDX-License-Identifier: GPL-2.0
# perfmon2 for today's Linux: the main entry point. `make` alone lists the targets.
top	:= $(abspath $(dir $(lastword $(MAKEFILE_LIST))))
CMD	?=
TESTS	?=
ALL	?=
TIME	?=
SEED	?=
N	?=
GROWTH	?=
KERNEL	?= 6.1
KDIR	?=
CONFIG	?=
PREFIX	?=
LIBDIR	?=
DESTDIR	?=

# The programs below build in parallel as they see fit.
.NOTPARALLEL:
.PHONY: help deps run test test-debug fuzz fuzz-files mutate bench tools module install uninstall deb kernel-deb kernel \
	kernel-debug qemu patch lint clean

help:
	@echo "perfmon2: perfmonctl() for Linux 6.1 and 6.12, and pfmon, which counts events with it"
	@echo
	@echo "  make deps            install the Debian packages that make run and make test need; they"
	@echo "                       do so themselves, as root or with sudo"
	@echo "  make run             set up everything and count a compressor and python3"
	@echo "  make run CMD='...'   count your own command"
	@echo "  make test            set up everything and run the tests"
	@echo "  make test ALL=1      ... and what takes long: the debug kernel, 6.12, POWER, ia64, packages"
	@echo "  make test TESTS=abi  ... of one area, or two: TESTS='abi vm'"
	@echo "  make test-debug      run the tests on the debug kernel only"
	@echo "  make fuzz            random commands on the debug kernel for five minutes"
	@echo "  make fuzz TIME=3600  ... for an hour; SEED=N repeats what a run has printed"
	@echo "  make fuzz CPU=EPYC   ... on another PMU; CPU=none: on the software PMU; CPU=POWER9"
	@echo "  make fuzz-files      spoilt recordings and texts for pfmon's readers; TIME and SEED as above"
	@echo "  make mutate          change 50 lines of the kernel, one at a time: do tests notice?"
	@echo "  make mutate N=200    ... 200; SEED=N draws the lines that a run has printed"
	@echo "  make lint            checkpatch, kernel-doc, gcc -fanalyzer, shellcheck, mandoc, codespell, commits"
	@echo "  make lint ALL=1      ... and sparse and W=1, which compile the kernel part"
	@echo "  make bench           what perfmon and perf cost, side by side: calls and tools"
	@echo "  make bench GROWTH=1  how costs grow with event sets, counters, CPUs and contexts"
	@echo
	@echo "  make tools           build pfmon and libperfmon: build/bin, build/lib"
	@echo "  make module          build perfmon.ko for the running kernel, which has no perfmon:"
	@echo "                       build/module; KDIR=DIR: for that one, whose headers are there"
	@echo "  make install         put pfmon, libperfmon, pages, completion below PREFIX (/usr/local);"
	@echo "                       DESTDIR=DIR: below that; make uninstall takes them away"
	@echo "  make deb             build Debian packages: build/deb"
	@echo "  make kernel-deb      ... of a kernel with the system call, on Debian's configuration (hours);"
	@echo "                       KERNEL=6.12; CONFIG=FILE: on that one: build/kernel-deb"
	@echo "  make kernel          build the guest's kernel (make kernel-debug: the other)"
	@echo "  make qemu            build QEMU with the emulated PMU"
	@echo "  make patch           write the kernel part as patches: build/patch/6.1"
	@echo "  make patch KERNEL=6.12   ... for Linux 6.12: build/patch/6.12"
	@echo "  make clean           remove everything that was built"
	@echo
	@echo "tools/vm/run COMMAND runs a command in the guest; tools/vm/run --help has more."

deps:
	@$(top)/tools/build/need @run @test

run: tools
	@$(top)/tools/vm/demo $(CMD)

test:
	@$(top)/tests/run $(if $(ALL),--all) $(TESTS)

test-debug:
	@$(top)/tests/run --lane debug $(TESTS)

fuzz:
	@$(top)/tests/fuzz/run $(TIME:%=--time %) $(SEED:%=--seed %) $(CPU:%=--cpu %)

fuzz-files:
	@$(top)/tests/readers/run $(TIME:%=--time %) $(SEED:%=--seed %)

mutate:
	@$(top)/tests/mutate/run $(N:%=-n %) $(SEED:%=--seed %)

lint:
	@$(top)/tests/lint
	@$(if $(ALL),$(top)/tests/lint kernel)

bench: tools
	@$(top)/bench/run $(if $(GROWTH),growth)

tools:
	@$(MAKE) -s -C $(top)/tools/lib
	@$(MAKE) -s -C $(top)/tools/pfmon

module:
	@$(top)/tools/module/build $(KDIR)

place := PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' DESTDIR='$(DESTDIR)'

install: tools
	@$(place) $(top)/tools/build/install

uninstall:
	@$(place) $(top)/tools/build/install --remove

deb:
	@$(top)/tools/build/deb

kernel-deb:
	@$(top)/tools/build/kernel-deb $(CONFIG:%=--config %) $(KERNEL)

kernel:
	@$(top)/tools/vm/kernel plain

kernel-debug:
	@$(top)/tools/vm/kernel debug

qemu:
	@$(top)/tools/qemu/build

patch:
	@$(top)/tools/build/patch $(KERNEL)

clean:
	rm -rf $(top)/build
