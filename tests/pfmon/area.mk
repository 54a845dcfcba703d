# SPDX-License-Identifier: GPL-2.0
# The tests of pfmon and libperfmon. The unit tests and pfmon-fake have the sanitizers in.
pfmon-not	:= nehalem fake_perfmonctl victim sampled sampled_library no_perfmonctl one_more \
		   no_breakpoints ended_in chained chained_threads recording_dump constraints_dump bpf_run probed
pfmon-uses	:= pmu
pfmon-needs	:= @pfmon
pfmon-san	:= -fsanitize=address,undefined -fno-sanitize-recover=all

pfmon-parts	:= $(top)/build/obj/pfmon-asan/parts.a
pfmon-main	:= $(top)/build/obj/pfmon-asan/main.o
pfmon-internal	:= $(top)/build/lib/libperfmon-internal-asan.a
pfmon-library	:= $(top)/build/lib/libperfmon-asan.a
pfmon-fake	:= $(bin)/pfmon/pfmon-fake
pfmon-victim	:= $(bin)/pfmon/victim
pfmon-sampled	:= $(addprefix $(bin)/pfmon/,sampled sampled_library.so recording_dump bpf_run)
pfmon-constraints := $(bin)/pfmon/constraints_dump
pfmon-preloaded	:= $(addprefix $(bin)/pfmon/,no_perfmonctl.so no_breakpoints.so one_more.so ended_in.so)
pfmon-extra	:= $(pfmon-fake) $(pfmon-victim) $(pfmon-sampled) $(pfmon-preloaded) $(pfmon-constraints)

pfmon-libraries	:= -ldw -lelf -liberty -ljson-c -lz -lzstd -lm
pfmon-with-pmu	:= $(pfmon-parts) $(pfmon-internal) $(pfmon-library) $(pfmon-libraries)
# pfmon's headers include each other by their paths from here.
pfmon-headers	:= -iquote $(top)/tools/pfmon -iquote $(top)/tools/lib -iquote $(top)/tools
pfmon-units	:= assign compact counted events extra format hist power damage packed profile classic stream
define pfmon-unit
pfmon/unit_$(1)-cflags := $(pfmon-san) $(pfmon-headers)
pfmon/unit_$(1)-ldlibs := $(pfmon-with-pmu)
endef
$(foreach name,$(pfmon-units),$(eval $(call pfmon-unit,$(name))))
# The kernel's half of the format, with pfmon's replacements of the kernel's headers.
pfmon/unit_compact-cflags += -I$(top)/tools/pfmon/kernel -I$(top)/include
pfmon/unit_events-cflags += -DTOPDOWN='"$(top)/tools/pfmon/metrics/topdown.txt"'
pfmon/perf_library-cflags := $(pfmon-san)
pfmon/unit_lib-cflags	:= $(pfmon-san)
pfmon/unit_program-cflags := $(pfmon-san)
pfmon/perf_library-ldlibs := $(pfmon-library)
pfmon/unit_program-ldlibs := $(pfmon-library) -lpfm
pfmon/program-cflags	:= -fno-omit-frame-pointer
pfmon/program-ldlibs	:= $(top)/build/lib/libperfmon.a -lpfm
pfmon/unit_lib-ldlibs	:= $(pfmon-library)

$(pfmon-parts) $(pfmon-main) $(pfmon-internal) $(pfmon-library) &: FORCE | packages
	@$(MAKE) --no-print-directory -C $(top)/tools/pfmon VARIANT=-asan parts

$(addprefix $(bin)/pfmon/,unit_assign unit_events unit_extra): $(top)/tests/pfmon/nehalem.c \
	$(top)/tests/pfmon/nehalem.h
$(bin)/pfmon/perf_library: $(pfmon-library)
$(addprefix $(bin)/pfmon/unit_,$(pfmon-units) lib): $(pfmon-parts) $(pfmon-internal) $(pfmon-library)

# Linked with the double of the kernel.
$(bin)/pfmon/unit_program: $(top)/tests/pfmon/fake_perfmonctl.c $(pfmon-library)

$(bin)/pfmon/program: $(top)/build/lib/libperfmon.a
$(top)/build/lib/libperfmon.a: FORCE | packages
	@$(MAKE) --no-print-directory -C $(top)/tools/lib

# The double precedes the library, so the library's own system call is not linked.
$(pfmon-fake): $(top)/tests/pfmon/fake_perfmonctl.c $(pfmon-parts) $(pfmon-main) \
		$(pfmon-internal) $(pfmon-library) $(top)/tests/pfmon/area.mk
	@mkdir -p $(@D)
	@echo "  LD      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(pfmon-san) -o $@ $< \
		$(pfmon-main) $(pfmon-with-pmu)

$(pfmon-victim): $(top)/tests/pfmon/victim.c $(top)/tests/pfmon/area.mk
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CFLAGS) -o $@ $<

# A program and a library to sample, and a program that prints the result.
$(pfmon-sampled): $(top)/tests/pfmon/sampled.h $(top)/tests/pfmon/area.mk
$(addprefix $(bin)/pfmon/,sampled recording_dump bpf_run): $(bin)/pfmon/%: $(top)/tests/pfmon/%.c
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CFLAGS) -o $@ $<
pfmon-extra	+= $(bin)/pfmon/probed
$(bin)/pfmon/probed: $(top)/tests/pfmon/probed.c $(top)/build/lib/libperfmon.a \
		$(top)/tests/pfmon/area.mk
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< $(top)/build/lib/libperfmon.a

$(bin)/pfmon/sampled_library.so: $(top)/tests/pfmon/sampled_library.c
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CFLAGS) -shared -fPIC -o $@ $<

# Programs of which every call is known. An optimised function may have no frame, with any option
# for frame pointers, and may jump where it should call.
pfmon-chained	:= $(addprefix $(bin)/pfmon/,chained chained_threads)
pfmon-extra	+= $(pfmon-chained)
pfmon-frames	:= -O0 -fno-omit-frame-pointer -fno-stack-protector
pfmon/chained-how := -nostdlib -static -no-pie
pfmon/chained_threads-how := -pthread

$(pfmon-chained): $(bin)/pfmon/%: $(top)/tests/pfmon/%.c $(top)/tests/pfmon/area.mk
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) -Wall -Wextra $(pfmon-frames) $(pfmon/$*-how) -o $@ $<

# examples/, built as users build them: against the installed library, through pkg-config.
pfmon-examples	:= $(bin)/pfmon/examples
pfmon-extra	+= $(pfmon-examples)/built

$(pfmon-examples)/built: $(wildcard $(top)/examples/*) $(top)/build/lib/libperfmon.a \
		$(wildcard $(top)/tools/lib/perfmon_*.h) $(top)/tests/pfmon/area.mk
	@$(MAKE) --no-print-directory -s -C $(top)/tools/pfmon
	@mkdir -p $(@D)/static
	@echo "  EXAMPLES $(@D:$(top)/%=%)"
	@PREFIX=$(@D)/root $(top)/tools/build/install
	@PKG_CONFIG_PATH=$(@D)/root/lib/pkgconfig $(MAKE) -s -B -C $(top)/examples O=$(@D)
	@PKG_CONFIG_PATH=$(@D)/root/lib/pkgconfig $(MAKE) -s -B -C $(top)/examples O=$(@D)/static STATIC=1
	@touch $@

# Prints pfmon's counters of each event, for constraints.py.
$(pfmon-constraints): $(top)/tests/pfmon/constraints_dump.c $(pfmon-parts) $(top)/tests/pfmon/area.mk
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(pfmon-san) $(pfmon-headers) -o $@ $< $(pfmon-with-pmu)

# The part of a kernel, or of a machine, that pfmon finds, by LD_PRELOAD.
$(pfmon-preloaded): $(bin)/pfmon/%.so: $(top)/tests/pfmon/%.c $(top)/tests/pfmon/area.mk
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -shared -fPIC -o $@ $<

# Programs without a C library, of which every instruction is known.
pfmon-known	:= $(addprefix $(bin)/pfmon/known_,one procs threads long_one long_procs long_threads pie turns)
pfmon-extra	+= $(pfmon-known)
pfmon/known_procs-define := -DPROCS
pfmon/known_threads-define := -DTHREADS
pfmon/known_pie-define	:= -static-pie
pfmon/known_turns-define := -DTURNS=10 -DLOOPS=1000
pfmon/known_long_one-define := -DLOOPS=1000000
pfmon/known_long_procs-define := -DPROCS -DLOOPS=1000000
pfmon/known_long_threads-define := -DTHREADS -DLOOPS=1000000

$(pfmon-known): $(bin)/pfmon/known_%: $(top)/tests/pfmon/known.S $(top)/tests/pfmon/area.mk
	@mkdir -p $(@D)
	@echo "  AS      $(@:$(top)/%=%)"
	@$(CC) -nostdlib -static -no-pie $(pfmon/known_$*-define) -o $@ $<
