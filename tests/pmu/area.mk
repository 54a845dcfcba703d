# SPDX-License-Identifier: GPL-2.0
# The tests of the emulated PMU: the programs that they count, and the program that needs no kernel.
pmu-uses	:= abi
pmu-needs	:= @pmu
pmu-src		:= $(top)/tests/pmu
pmu-programs	:= $(bin)/pmu/yardstick $(bin)/pmu/burn $(bin)/pmu/stride
pmu-bare	:= $(bin)/pmu/bare.elf
pmu-bare-src	:= $(wildcard $(pmu-src)/bare/*.S $(pmu-src)/bare/*.c)
pmu-helpers	:= $(bin)/pmu/flip $(bin)/pmu/steps
pmu-suspend	:= $(bin)/pmu/suspend_guest
pmu-storm	:= $(bin)/pmu/storm
pmu/lbr-cflags	:= -no-pie
pmu-not		:= flip steps suspend_guest storm
pmu-extra	:= $(pmu-programs) $(pmu-bare) $(pmu-helpers) $(pmu-suspend) $(pmu-storm)

$(pmu-helpers): $(bin)/pmu/%: $(pmu-src)/%.c $(pmu-src)/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CFLAGS) -o $@ $<

$(pmu-suspend): $(pmu-src)/suspend_guest.c $(pmu-src)/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CFLAGS) -static -o $@ $<

$(pmu-storm): $(bin)/pmu/%: $(pmu-src)/%.c $(harness-object) $(top)/tests/harness.h $(top)/tests/msr.h \
		$(wildcard $(top)/tests/abi/*.h) $(top)/include/uapi/perfmon.h $(pmu-src)/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $(filter %.c %.o,$^)

$(pmu-programs): $(bin)/pmu/%: $(pmu-src)/%.S $(pmu-src)/area.mk | packages
	@mkdir -p $(@D)
	@echo "  AS      $(@:$(top)/%=%)"
	@$(CC) -nostdlib -static -no-pie -o $@ $<

$(pmu-bare): $(pmu-bare-src) $(wildcard $(pmu-src)/bare/*.h) $(pmu-src)/area.mk | packages
	@mkdir -p $(@D)
	@echo "  LD      $(@:$(top)/%=%)"
	@$(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -ffreestanding -fno-stack-protector \
		-fno-pic -fcf-protection=none -mno-red-zone -mgeneral-regs-only \
		-fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns \
		-nostdlib -static -no-pie -Wl,--build-id=none,-Ttext-segment=0x100000,-e,start \
		-o $@ $(pmu-bare-src)
