# SPDX-License-Identifier: GPL-2.0
# The tests of pfmon and libperfmon. The unit tests and pfmon-fake have the sanitizers in.
pfmon-not	:= nehalem fake_perfmonctl victim sampled sampled_library doorless \
		   recording_dump
pfmon-uses	:= pmu
pfmon-needs	:= libpfm4-dev libdw-dev libelf-dev jq libasan8 libubsan1 g++ groff-base
pfmon-san	:= -fsanitize=address,undefined -fno-sanitize-recover=all

pfmon-parts	:= $(top)/build/obj/pfmon-asan/parts.a
pfmon-main	:= $(top)/build/obj/pfmon-asan/main.o
pfmon-library	:= $(top)/build/lib/libperfmon-asan.a
pfmon-fake	:= $(bin)/pfmon/pfmon-fake
pfmon-victim	:= $(bin)/pfmon/victim
pfmon-sampled	:= $(addprefix $(bin)/pfmon/,sampled sampled_library.so recording_dump)
pfmon-doorless	:= $(bin)/pfmon/doorless.so
pfmon-extra	:= $(pfmon-fake) $(pfmon-victim) $(pfmon-sampled) $(pfmon-doorless)

pfmon-libraries	:= -lpfm -ldw -lelf -lstdc++ -lm
pfmon-with-pmu	:= $(pfmon-parts) $(pfmon-library) $(pfmon-libraries)
# pfmon's headers name each other by their paths from here.
pfmon-headers	:= -iquote $(top)/tools/pfmon -iquote $(top)/tools
pfmon-units	:= assign events format power damage profile
define pfmon-unit
pfmon/unit_$(1)-cflags := $(pfmon-san) $(pfmon-headers)
pfmon/unit_$(1)-ldlibs := $(pfmon-with-pmu)
endef
$(foreach name,$(pfmon-units),$(eval $(call pfmon-unit,$(name))))
pfmon/perf_library-cflags := $(pfmon-san)
pfmon/unit_lib-cflags	:= $(pfmon-san)
pfmon/perf_library-ldlibs := $(pfmon-library)
pfmon/unit_lib-ldlibs	:= $(pfmon-library)

$(pfmon-parts) $(pfmon-main) $(pfmon-library) &: FORCE | packages
	@$(MAKE) --no-print-directory -C $(top)/tools/pfmon VARIANT=-asan parts

$(addprefix $(bin)/pfmon/,unit_assign unit_events): $(top)/tests/pfmon/nehalem.c \
	$(top)/tests/pfmon/nehalem.h
$(bin)/pfmon/perf_library: $(pfmon-library)
$(addprefix $(bin)/pfmon/unit_,$(pfmon-units) lib): $(pfmon-parts) $(pfmon-library)

# The double stands before the library, whose own system call is then not taken.
$(pfmon-fake): $(top)/tests/pfmon/fake_perfmonctl.c $(pfmon-parts) $(pfmon-main) \
		$(pfmon-library) $(top)/tests/pfmon/area.mk
	@mkdir -p $(@D)
	@echo "  LD      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(pfmon-san) -o $@ $< \
		$(pfmon-main) $(pfmon-parts) $(pfmon-library) $(pfmon-libraries)

$(pfmon-victim): $(top)/tests/pfmon/victim.c $(top)/tests/pfmon/area.mk
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CFLAGS) -o $@ $<

# A program and a library to be sampled, and what reads the result.
$(pfmon-sampled): $(top)/tests/pfmon/sampled.h $(top)/tests/pfmon/area.mk
$(addprefix $(bin)/pfmon/,sampled recording_dump): $(bin)/pfmon/%: $(top)/tests/pfmon/%.c
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CFLAGS) -o $@ $<
$(bin)/pfmon/sampled_library.so: $(top)/tests/pfmon/sampled_library.c
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CFLAGS) -shared -fPIC -o $@ $<

# What pfmon is to find of a kernel, by LD_PRELOAD.
$(pfmon-doorless): $(bin)/pfmon/%.so: $(top)/tests/pfmon/%.c $(top)/tests/pfmon/area.mk
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -shared -fPIC -o $@ $<

# Programs without a C library, of which every instruction is known.
pfmon-known	:= $(addprefix $(bin)/pfmon/known_,one procs threads long_one long_procs long_threads)
pfmon-extra	+= $(pfmon-known)
pfmon/known_procs-define := -DPROCS
pfmon/known_threads-define := -DTHREADS
pfmon/known_long_one-define := -DLOOPS=1000000
pfmon/known_long_procs-define := -DPROCS -DLOOPS=1000000
pfmon/known_long_threads-define := -DTHREADS -DLOOPS=1000000

$(pfmon-known): $(bin)/pfmon/known_%: $(top)/tests/pfmon/known.S $(top)/tests/pfmon/area.mk
	@mkdir -p $(@D)
	@echo "  AS      $(@:$(top)/%=%)"
	@$(CC) -nostdlib -static -no-pie $(pfmon/known_$*-define) -o $@ $<
