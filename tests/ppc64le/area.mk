# SPDX-License-Identifier: GPL-2.0
# The programs that run in the ppc64le guest: static, as the guest has no libraries of that
# architecture. The tests of tests/abi again, and this directory's. On that architecture __u64 is
# unsigned long by default.
ppc64le-cc	:= powerpc64le-linux-gnu-gcc -D__SANE_USERSPACE_TYPES__
ppc64le-bin	:= $(top)/build/bin/tests-ppc64le
ppc64le-needs	:= @ppc64le
ppc64le-not	:= $(patsubst $(top)/tests/ppc64le/%.c,%,$(wildcard $(top)/tests/ppc64le/*.c))
ppc64le-abi	:= $(filter-out branch chains compat32 ibs suspend soft soft_sampling,$(patsubst $(top)/tests/abi/%.c,%, \
		   $(wildcard $(top)/tests/abi/*.c)))
ppc64le-extra	:= $(ppc64le-abi:%=$(ppc64le-bin)/abi/%) $(ppc64le-not:%=$(ppc64le-bin)/%)

$(ppc64le-bin)/harness.o: $(top)/tests/harness.c $(top)/tests/harness.h | packages
	@mkdir -p $(@D)
	@$(ppc64le-cc) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(ppc64le-abi:%=$(ppc64le-bin)/abi/%): $(ppc64le-bin)/abi/%: $(top)/tests/abi/%.c \
		$(ppc64le-bin)/harness.o $(wildcard $(top)/tests/abi/*.h) $(wildcard $(top)/tests/*.h) \
		$(top)/include/uapi/perfmon.h $(top)/tests/ppc64le/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      build/bin/tests-ppc64le/abi/$*"
	@$(ppc64le-cc) $(CPPFLAGS) $(CFLAGS) -static -o $@ $(filter %.c %.o,$^)

# pfmon, and the test of its events, which is linked with parts of pfmon.
ppc64le-pfmon	:= $(top)/build/bin/pfmon-ppc64le
ppc64le-parts	:= $(top)/build/obj/pfmon-ppc64le/parts.a
ppc64le-internal	:= $(top)/build/lib/libperfmon-internal-ppc64le.a
ppc64le-lib	:= $(top)/build/lib/libperfmon-ppc64le.a
ppc64le-extra	+= $(ppc64le-pfmon) $(ppc64le-bin)/known

$(ppc64le-pfmon) $(ppc64le-parts) $(ppc64le-internal) $(ppc64le-lib) &: FORCE | packages
	@$(MAKE) --no-print-directory -C $(top)/tools/pfmon VARIANT=-ppc64le all parts

$(ppc64le-bin)/events: $(top)/tests/ppc64le/events.c $(ppc64le-bin)/harness.o $(ppc64le-parts) \
		$(ppc64le-internal) $(ppc64le-lib) $(top)/tests/ppc64le/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      build/bin/tests-ppc64le/events"
	@$(ppc64le-cc) $(CPPFLAGS) $(CFLAGS) -iquote $(top)/tools/pfmon \
		-iquote $(top)/tools/lib -iquote $(top)/tools \
		-static -o $@ $(filter %.c %.o %.a,$^) \
		-L$(top)/build/sysroot-ppc64le/usr/lib/powerpc64le-linux-gnu -lpfm -lm

# Every instruction of this program is known.
$(ppc64le-bin)/known: $(top)/tests/ppc64le/known.S $(top)/tests/ppc64le/area.mk | packages
	@mkdir -p $(@D)
	@echo "  AS      build/bin/tests-ppc64le/known"
	@$(ppc64le-cc) -nostdlib -static -o $@ $<

# The fuzzer.
ppc64le-extra	+= $(ppc64le-bin)/fuzz

$(ppc64le-bin)/fuzz: $(wildcard $(top)/tests/fuzz/*.[ch]) $(top)/tests/command_table.h \
		$(wildcard $(top)/include/uapi/*.h) $(top)/tests/ppc64le/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      build/bin/tests-ppc64le/fuzz"
	@$(ppc64le-cc) $(CPPFLAGS) $(CFLAGS) -static -o $@ $(filter %.c,$^)

# Programs without the harness.
ppc64le-plain	:= $(ppc64le-bin)/guest $(ppc64le-bin)/hello

$(ppc64le-plain): $(ppc64le-bin)/%: $(top)/tests/ppc64le/%.c $(top)/tests/ppc64le/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      build/bin/tests-ppc64le/$*"
	@$(ppc64le-cc) $(CFLAGS) -static -o $@ $<

$(filter-out $(ppc64le-plain) $(ppc64le-bin)/events,$(ppc64le-not:%=$(ppc64le-bin)/%)): $(ppc64le-bin)/%: \
		$(top)/tests/ppc64le/%.c $(ppc64le-bin)/harness.o \
		$(wildcard $(top)/tests/abi/*.h) $(top)/include/uapi/perfmon.h \
		$(top)/tests/ppc64le/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      build/bin/tests-ppc64le/$*"
	@$(ppc64le-cc) $(CPPFLAGS) $(CFLAGS) -static -o $@ $(filter %.c %.o,$^)
