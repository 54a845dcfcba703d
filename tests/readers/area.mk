# SPDX-License-Identifier: GPL-2.0
# The fuzzer of pfmon's input is one program of many files, and is not linked with the harness. It
# has the double of the kernel that pfmon-fake has, and the sanitizers.
readers-sources	:= $(sort $(wildcard $(top)/tests/readers/*.c))
readers-not	:= $(notdir $(basename $(readers-sources)))
readers-uses	:= pfmon
readers-program	:= $(bin)/readers/readers
readers-double	:= $(top)/tests/pfmon/fake_perfmonctl.c
# The rules for these are in pfmon's area.mk, which may be read after this one.
readers-parts	:= $(top)/build/obj/pfmon-asan/parts.a $(top)/build/lib/libperfmon-asan.a
readers-extra	:= $(readers-program)

$(readers-program): $(readers-sources) $(wildcard $(top)/tests/readers/*.h) $(readers-double) \
		$(top)/tests/fuzz/random.h $(readers-parts) $(top)/tests/readers/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(pfmon-san) $(pfmon-headers) -o $@ $(readers-sources) \
		$(readers-double) $(pfmon-with-pmu)
