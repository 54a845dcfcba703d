# SPDX-License-Identifier: GPL-2.0
# The fuzzer is one program of many files, and is not linked with the harness.
fuzz-sources	:= $(sort $(wildcard $(top)/tests/fuzz/*.c))
fuzz-not	:= $(notdir $(basename $(fuzz-sources)))
fuzz-extra	:= $(bin)/fuzz/fuzz

$(fuzz-extra): $(fuzz-sources) $(wildcard $(top)/tests/fuzz/*.h) $(top)/tests/command_table.h \
		$(wildcard $(top)/include/uapi/*.h) $(top)/tests/fuzz/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $(fuzz-sources)
